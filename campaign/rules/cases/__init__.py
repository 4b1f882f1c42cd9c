"""The case book: numbered test cases of the rules, with positions, dice and expected events."""
