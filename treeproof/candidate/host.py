"""Serves a Python candidate over stdin and stdout, for the adapter kinds ``stdio`` and ``command``.

    python -m treeproof.candidate.host stdio|command module:attribute

This is glue code of the candidate: it passes results on unchanged, and converts an exception of the candidate to a
JSON-RPC error. File descriptor 1 is reserved for responses. Other output goes to stderr, and
the candidate cannot read the requests.
"""

import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from treeproof.candidate.factory import PythonCandidate, load_candidate
from treeproof.candidate.messages import MessageError, validate_params
from treeproof.errors import UsageError

_PARSE_ERROR, _INVALID_REQUEST, _UNKNOWN_METHOD, _INVALID_PARAMS = -32700, -32600, -32601, -32602
CANDIDATE_RAISED = -32000
"""The code of the error for an exception that the candidate raised."""

_METHODS = ("initialize", "describe", "call", "shutdown")

USAGE_MARK = "no candidate: "
"""Begins the last line of a process that was given a factory that is none."""


def serve(
    protocol: str,
    entry_point: str,
    *,
    folder: str = ".",
    tools: Mapping[str, str] | None = None,
    checks_params: bool = True,
) -> NoReturn:
    """Serve the candidate at an entry point as `serve_requests` does, and exit with 0.

    ``tools`` are offered if the candidate is a function.
    """
    try:
        serve_requests(
            protocol,
            lambda: load_candidate(entry_point, Path(folder).resolve(), tools or {}),
            checks_params=checks_params,
        )
    except UsageError as error:
        sys.exit(f"{USAGE_MARK}{error}")
    sys.exit(0)


def serve_requests(
    protocol: str, create_candidate: Callable[[], PythonCandidate], *, checks_params: bool = True
) -> None:
    """Serve the result of ``create_candidate`` until ``shutdown`` or the end of stdin.

    ``protocol`` is ``stdio`` (line by line) or ``command`` (one message). ``checks_params`` is False if the sender has
    checked the params: reading the schemas is a third of the start of a process.
    """
    requests, responses = _claim_standard_streams()
    server = RpcServer(create_candidate(), checks_params=checks_params)
    while line := requests.readline():
        response, stop = server.handle_request(line)
        responses.write(response)
        responses.flush()
        if stop or protocol == "command":
            break


class RpcServer:
    """Serves a candidate over JSON-RPC, with one response line per request line."""

    def __init__(self, candidate: PythonCandidate, *, checks_params: bool = True) -> None:
        self._candidate = candidate
        self._checks_params = checks_params

    def handle_request(self, line: bytes) -> tuple[bytes, bool]:
        """Return the response to a request line, and whether the candidate must exit now."""
        try:
            request = json.loads(line)
        except (ValueError, RecursionError) as problem:
            return _encode_error(None, _PARSE_ERROR, f"not JSON: {problem}"), False
        if not isinstance(request, dict) or request.get("jsonrpc") != "2.0" or "id" not in request:
            return _encode_error(None, _INVALID_REQUEST, "not a JSON-RPC 2.0 request"), False
        number, method = request["id"], request.get("method")
        if method not in _METHODS:
            return _encode_error(number, _UNKNOWN_METHOD, f"no method {method!r}"), False
        try:
            params = validate_params(method, request.get("params")) if self._checks_params else request["params"]
        except MessageError as problem:
            return _encode_error(number, _INVALID_PARAMS, str(problem)), False
        try:
            text = json.dumps({"jsonrpc": "2.0", "id": number, "result": self._call_candidate(method, params)})
        except BaseException as exception:  # SystemExit and its own KeyboardInterrupt, too
            import traceback  # slow to import, and most processes do not need it

            frames = exception.__traceback__
            while frames and frames.tb_next and frames.tb_frame.f_globals.get("__package__") == __package__:
                frames = frames.tb_next  # reports show the beginning, which is of no use if it is not the candidate's
            traceback.print_exception(type(exception), exception, frames)
            return _encode_error(number, CANDIDATE_RAISED, f"{type(exception).__name__}: {exception}"), False
        return text.encode() + b"\n", method == "shutdown"

    def _call_candidate(self, method: str, params: Any) -> Any:
        if method != "shutdown":
            return getattr(self._candidate, method)(params)
        shutdown = getattr(self._candidate, "shutdown", None)
        if callable(shutdown):
            shutdown(params)
        return None


def _encode_error(number: Any, code: int, message: str) -> bytes:
    error = {"code": code, "message": message[:1000]}
    return json.dumps({"jsonrpc": "2.0", "id": number, "error": error}).encode() + b"\n"


def _claim_standard_streams() -> tuple[BinaryIO, BinaryIO]:
    """Return the streams of requests and responses, on descriptors unknown to the candidate.

    For the candidate, descriptor 0 is empty and 1 is stderr.
    """
    requests, responses = os.dup(0), os.dup(1)
    null_device = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null_device, 0)
    os.close(null_device)
    os.dup2(2, 1)
    return os.fdopen(requests, "rb"), os.fdopen(responses, "wb")


def main() -> NoReturn:
    """Run the command line above."""
    args = sys.argv[1:]
    if len(args) != 2 or args[0] not in ("stdio", "command"):
        sys.exit("usage: python -m treeproof.candidate.host stdio|command module:attribute")
    serve(args[0], args[1])


if __name__ == "__main__":
    main()
