"""`LS`: the steps from the arguments to the envelope. candidate.py contains their order."""
