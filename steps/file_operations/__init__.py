"""The sentences about tools that move and copy: what became of the tree, whatever the answer says."""
