"""A run for other programs: continuous integration, code scanning, test reports, a badge; a format a file."""
