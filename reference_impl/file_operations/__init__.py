"""Moving and copying: the request, the two ends of it, and what is done between them."""
