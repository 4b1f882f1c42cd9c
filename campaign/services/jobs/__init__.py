"""Run long work in slices that survive a crash."""
