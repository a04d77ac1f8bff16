"""The parts of the model of FS.WalkDir: where a walk starts, what it meets, and what an answer does otherwise."""
