"""Null candidates of FS.WalkDir: they ignore the tree and must not pass any requirement."""

from functools import partial

from treeproof.reference_impl.fs_walkdir.candidate import WalkDir, build_candidate

from ..shared.mutant import Mutant
from ..shared.null_candidates import (
    RepeatsFirstResult,
    always_content,
    always_error,
    build_null_candidate,
    echo,
)

ONE = '[{"name":"a","path":"a","isDir":false,"size":0,"modTime":"2023-11-14T22:13:20Z"}]'
ERROR = [{"level": "error", "message": "no"}]

logged = partial(always_content, log=[])
build_null = partial(build_null_candidate, reference=lambda: build_candidate(WalkDir()))

MUTANTS: tuple[Mutant, ...] = (
    build_null("NULL-WD-01", "Every walk is nil.", result=logged("null")),
    build_null("NULL-WD-02", "Every walk is nil, with a logged error.", result=logged("null", log=ERROR)),
    build_null("NULL-WD-03", "Every walk is empty.", result=logged("[]")),
    build_null("NULL-WD-04", "Every walk returns the same list.", result=logged(ONE)),
    build_null("NULL-WD-05", "Every call is BadArgs.", result=always_error("BadArgs", log=ERROR)),
    build_null("NULL-WD-06", "Every call is ExecutionFailed.", result=always_error("ExecutionFailed", log=ERROR)),
    build_null("NULL-WD-07", "Every call returns its arguments.", result=echo),
    build_null("NULL-WD-08", "Every call succeeds without content.", result=logged("")),
    build_null("NULL-WD-09", "Every call crashes."),
    build_null("NULL-WD-10", "Every call returns the result of the first call.", candidate_class=RepeatsFirstResult),
)
