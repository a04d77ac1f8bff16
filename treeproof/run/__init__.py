"""The asking: pytest collects the features, a world carries each scenario, a session talks to the candidate."""
