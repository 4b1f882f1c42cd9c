"""The pages of odds, rehearsals, forecasts and comparisons."""
