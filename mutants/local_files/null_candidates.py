"""Null candidates of LocalFiles: they ignore the tree and must not pass any requirement."""

from functools import partial

from treeproof.reference_impl.local_files.candidate import candidate

from ..shared.mutant import Mutant
from ..shared.null_candidates import (
    Params,
    RepeatsFirstResult,
    Result,
    always_content,
    build_null_candidate,
    echo,
)

ONE = '[{"@type":"FileEntry","name":"a","path":"/a","size":0,"lastModified":1700000000000}]'


def error_naming_arguments(params: Params) -> Result:
    message = f"{params['arguments']} cannot be listed"
    return {"status": "error", "error": {"kind": "ExecutionFailed", "message": message}}


build_null = partial(build_null_candidate, reference=candidate)

MUTANTS: tuple[Mutant, ...] = (
    build_null("NULL-LF-01", "Every list is empty.", result=always_content("[]")),
    build_null("NULL-LF-02", "Every call fails and names its arguments.", result=error_naming_arguments),
    build_null("NULL-LF-03", "Every list is null.", result=always_content("null")),
    build_null("NULL-LF-04", "Every call returns the same list.", result=always_content(ONE)),
    build_null("NULL-LF-05", "Every call returns its arguments.", result=echo),
    build_null("NULL-LF-06", "Every call succeeds without content.", result=always_content("")),
    build_null("NULL-LF-07", "Every call crashes."),
    build_null("NULL-LF-08", "Every call returns the result of the first call.", candidate_class=RepeatsFirstResult),
)
