"""Steps of file_operations: the effects of tools that move and copy."""
