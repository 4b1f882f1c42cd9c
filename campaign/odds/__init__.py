"""Exact odds of combats, marches, voyages and attrition, before they are played.

Odds are computed from the rules' own functions by enumerating the dice, every total once, with
equal states merged; no dice are thrown. A series of combats is sampled instead (`assault`), with a
standard error.
"""
