"""Tables, scenarios and editions of a campaign: their types, loading and checks."""
