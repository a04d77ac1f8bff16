"""The judging: from one evidence record a scenario to a verdict a requirement and one word for the run.

Pure: nothing here reads a tree, starts a process or prints.
"""

from treeproof.verdict.judge import PackJudgement, RequirementVerdict, judge
from treeproof.verdict.outcome import Fault, Mismatch, NotApplicable, NotVerified, Outcome
from treeproof.verdict.readings import Profile, accepted_readings
from treeproof.verdict.record import ScenarioRecord

__all__ = [
    "Fault",
    "PackJudgement",
    "Mismatch",
    "NotApplicable",
    "NotVerified",
    "Outcome",
    "Profile",
    "ScenarioRecord",
    "RequirementVerdict",
    "accepted_readings",
    "judge",
]
