"""The pages of the rules, the case book and the table editor."""
