"""What a user can get wrong. One class, so that every room reports bad input in the same way: one line, exit 2."""


class UsageError(Exception):
    """The call's words, a manifest, a baseline, a feature or a catalogue are wrong; nothing ran (exit 2).

    The message is one line that names the file, key or id, what is wrong and what to write instead.
    """
