"""Games become samples: where they are kept, how they are read, and in which order learners meet them."""
