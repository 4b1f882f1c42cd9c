"""The reference R: 150 cut-off searches by networkx on our own map from 150 fixed hexes."""

import networkx as nx

from campaign.rules.map import HexId, sudan
from campaign.rules.march.reach import ways
from campaign.rules.tables.book import book

POINTS = 12


def march_graph() -> "nx.DiGraph[HexId]":
    """Return the open land of the map with what each hex costs to enter, rivers included."""
    graph: nx.DiGraph[HexId] = nx.DiGraph()
    crossing = book().crossing_cost()
    for here, exits in enumerate(ways(sudan(), book())):
        graph.add_weighted_edges_from(
            ((here, there, cost + crossing * river) for there, cost, river in exits), weight="cost"
        )
    return graph


def starts(graph: "nx.DiGraph[HexId]", count: int = 150) -> list[HexId]:
    """So many hexes, evenly spread over the numbers of the map."""
    hexes = sorted(graph)
    return hexes[:: len(hexes) // count][:count]


def search_all(graph: "nx.DiGraph[HexId]", hexes: list[HexId]) -> None:
    """R itself."""
    for hex_id in hexes:
        nx.single_source_dijkstra(graph, hex_id, cutoff=POINTS, weight="cost")
