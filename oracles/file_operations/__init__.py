"""The parts of the model of moving and copying: a state, what a call makes of it, and what is worth trying."""
