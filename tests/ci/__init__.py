"""What CI systems run, run as they would."""
