"""Show the map, the hexes, the situation and the order of battle."""
