"""What the sentences in the features mean: step definitions, one file a subject, nothing else."""
