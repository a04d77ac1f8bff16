"""Steps of ls: the envelope, its pages and its text."""
