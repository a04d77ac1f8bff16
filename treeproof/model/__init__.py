"""A call as a model sees it, the protocol of models, and the check of what they return. Runs no candidate."""
