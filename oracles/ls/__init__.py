"""What is right for LS 2.0.0, worked out on the recipe of a tree alone; nothing is looked at on a disk."""
