"""Games and samples: stores, sample files, labelling, splits, runs and the doctor."""
