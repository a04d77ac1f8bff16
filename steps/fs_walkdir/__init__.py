"""The sentences of FS.WalkDir: what a list or nil says, what was logged, and what a script can see of both."""
