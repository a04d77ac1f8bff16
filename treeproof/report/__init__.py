"""Reports: pure functions of the run document, which contains all data of a run. Nothing is judged here.

Every format escapes the texts of a candidate (`escape.py`).
"""
