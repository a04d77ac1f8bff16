"""Steps of list_directory: documents, their encoding, limits and interpretations."""
