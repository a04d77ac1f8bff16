"""What the sentences about LS and its envelope mean."""
