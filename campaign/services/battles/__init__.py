"""Track the awaited battle and take in its result."""
