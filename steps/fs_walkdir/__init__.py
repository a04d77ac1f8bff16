"""Steps of fs_walkdir: lists and nil, log records, and scripts."""
