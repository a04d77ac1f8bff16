"""The parts of the model of LocalFiles: directories, globs, and what an answer does otherwise."""
