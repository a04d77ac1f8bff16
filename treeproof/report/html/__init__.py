"""HTML reports: each is one file without external resources.

`rendering.py` combines templates, styles and scripts so that no text of a candidate can become markup or a script.
"""
