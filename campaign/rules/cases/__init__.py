"""Test the rules by numbered cases: positions, dice and expected events."""
