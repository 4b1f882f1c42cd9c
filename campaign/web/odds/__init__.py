"""Show odds, rehearsals, forecasts and comparisons."""
