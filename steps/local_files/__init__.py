"""The sentences of LocalFiles: which entries a list has, in which order, and what each of them says."""
