"""What a brain computes: attributions of pieces, neurons of an NNUE, and what changed between two brains."""
