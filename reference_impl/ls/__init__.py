"""The steps of `LS`, from the arguments to the envelope. Their order is in ls.py."""
