"""The pages of map, hexes, situation and order of battle."""
