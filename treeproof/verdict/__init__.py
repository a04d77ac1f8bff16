"""Verdicts: one record per scenario gives one verdict per requirement and one conclusion for the run.

Contains pure functions: no file access but for baselines, no processes, no output.
"""

from treeproof.errors import Fault
from treeproof.verdict.evidence import CONTROL_CALL, Evidence
from treeproof.verdict.judge import PackJudgement, judge
from treeproof.verdict.outcome import Mismatch, NotApplicable, NotSent, NotVerified, Outcome
from treeproof.verdict.readings import Profile, accepted_readings
from treeproof.verdict.record import ScenarioRecord
from treeproof.verdict.spec_result import decides_exit_code

__all__ = [
    "CONTROL_CALL",
    "Evidence",
    "Fault",
    "PackJudgement",
    "Mismatch",
    "NotApplicable",
    "NotSent",
    "NotVerified",
    "Outcome",
    "Profile",
    "ScenarioRecord",
    "accepted_readings",
    "decides_exit_code",
    "judge",
]
