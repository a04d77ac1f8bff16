"""Draw random errors of an implementation, and count how many of them a run finds and attributes.

    python benchmarks/random_bugs.py SPEC [BUGS [SEED]]

An error has a condition, two values of the pack's table of inputs that can meet, and an effect, an operator of the
pack. It changes each answer of the reference to a call with both values, wherever the model must find the change. So an
error is missed if no call of a run has both, or if the model finds none of its changes. Errors that cannot change any
of the calls that they concern are drawn again. Exits with 1 if more than one error in a hundred is missed.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from treeproof.model.case import Exchange, Operator
from treeproof.model.input_table import InputTable, Labels, Pair
from treeproof.mutation.operator_runner import load_operators, why_wrong
from treeproof.mutation.pack_runner import PackRunner
from treeproof.run.call_judge import CallJudge
from treeproof.run.connected_candidate import open_environment
from treeproof.run.interrupts import Interrupts
from treeproof.run.session import Session, StepRegistry
from treeproof.search.coverage import Coverage, labelled_calls
from treeproof.spec import open_pack
from treeproof.verdict.finding import CallJudgement

_ENOUGH = 20
"""The changed answers of one error that are judged."""


@dataclass(frozen=True)
class RecordedCall:
    """A right answer of the reference in a run, with its judgement and the pairs of values of its call."""

    exchange: Exchange
    judgement: CallJudgement
    pairs: frozenset[Pair]


@dataclass(frozen=True)
class Bug:
    """A drawn error; `causes` are the reasons why its changes are not found or not attributed, "" for none."""

    values: tuple[str, str]
    operator: Operator
    causes: Sequence[str]

    @property
    def cause(self) -> str:
        """Return why the error is missed or blamed on a wrong requirement: what holds for most of its changes."""
        found = [one for one in self.causes if not one.startswith("not ")]
        return Counter(found or self.causes or ["not met by any call"]).most_common(1)[0][0]

    def __str__(self) -> str:
        return f"{' + '.join(self.values)}: {self.operator.name}: {self.cause}"


class BugRunner(PackRunner):
    """Records the calls of one run of the reference, and judges errors by them."""

    def bugs(self, count: int, seed: int) -> list[Bug]:
        """Return this many random errors with what becomes of them."""
        coverage = Coverage(self._pack, InputTable(self._pack))
        with self.open_session(self._reference, Session) as session:
            judge, draw = CallJudge.for_session(session), random.Random(seed)
            calls = list(_right_calls(session, judge, coverage))
            pairs, values = sorted(coverage.table.possible_pairs()), coverage.table.values
            print(f"{len(calls)} calls, {len(pairs)} pairs of values", file=sys.stderr)
            operators, found = load_operators(self._pack), list[Bug]()
            while len(found) < count:
                pair, operator = draw.choice(pairs), draw.choice(operators)
                concerned = [one for one in calls if pair in one.pairs]
                causes = list(itertools.islice(_causes(judge, operator, concerned), _ENOUGH))
                if causes or not concerned:
                    found.append(Bug((str(values[pair[0]]), str(values[pair[1]])), operator, causes))
            return found


def _right_calls(session: Session, judge: CallJudge, coverage: Coverage) -> Iterator[RecordedCall]:
    """Yield the answered calls of a run that the model finds right, each of them once."""
    seen = set[tuple[str, Labels]]()
    for exchange, labels in list(labelled_calls(session, coverage)):
        judgement, key = judge.judge_exchange(exchange, 1), (repr(exchange), labels)
        if exchange.is_answered and not (judgement.alternatives or judgement.not_modelled or key in seen):
            seen.add(key)
            yield RecordedCall(exchange, judgement, frozenset(labels.pairs()))


def _causes(judge: CallJudge, operator: Operator, calls: Sequence[RecordedCall]) -> Iterator[str]:
    """Yield for each call that the operator changes why that is not found, or not attributed; "" if it is."""
    for one in calls:
        changed = operator.change(one.exchange)
        if changed is None or (changed.answer, changed.after) == (one.exchange.answer, one.exchange.after):
            continue
        cause = why_wrong(operator, one.judgement, judge.judge_exchange(changed, 1))
        if not cause or not operator.reason(one.exchange, changed):
            yield cause


def main() -> int:
    """Draw the errors and print a table; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("spec")
    parser.add_argument("bugs", type=int, nargs="?", default=60)
    parser.add_argument("seed", type=int, nargs="?", default=0)
    args = parser.parse_args()
    pack = open_pack(args.spec)
    with open_environment(Interrupts()) as environment:
        runner = BugRunner(pack, environment.host, Interrupts(), StepRegistry(pack.steps, pack.folder))
        bugs = runner.bugs(args.bugs, args.seed)
    missed = [one for one in bugs if one.cause.startswith("not ")]
    right = [one for one in bugs if not one.cause]
    print(f"{pack.name}: {len(bugs)} errors, {len(bugs) - len(missed)} found, {len(right)} by the right requirement")
    for one in bugs:
        if one.cause:
            print(f"  {one}")
    return int(len(missed) * 100 > len(bugs))


if __name__ == "__main__":
    sys.exit(main())
