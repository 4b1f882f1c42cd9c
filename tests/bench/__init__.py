"""Speed as ratios: `make bench` prints them beside a reference timed in the same process."""
