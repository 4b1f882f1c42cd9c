"""Jobs: long work that runs in slices and survives a crash."""
