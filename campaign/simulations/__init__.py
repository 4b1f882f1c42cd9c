"""Play campaigns and battles in memory, many times over."""
