"""Reads files of users: TOML by published JSON Schemas, with the lines of errors, and a cache of what was parsed.

Contains no schema and no meaning of any file.
"""
