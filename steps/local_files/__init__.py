"""Steps of local_files: lists of entries and their members."""
