"""The step definitions, one module for each subject, and the functions that they share."""
