"""The judging: from one evidence record a scenario to a verdict a requirement and one word for the run.

Pure: nothing here reads a tree, starts a process or prints.
"""

from treeproof.verdict.evidence import Record
from treeproof.verdict.judge import Judgement, RequirementVerdict, judge
from treeproof.verdict.outcome import Fault, Mismatch, NotApplicable, NotVerified, Outcome
from treeproof.verdict.readings import Profile, accepted_readings

__all__ = [
    "Fault",
    "Judgement",
    "Mismatch",
    "NotApplicable",
    "NotVerified",
    "Outcome",
    "Profile",
    "Record",
    "RequirementVerdict",
    "accepted_readings",
    "judge",
]
