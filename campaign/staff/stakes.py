"""How much hangs on a siege this turn, by what the scenario counts (4.1)."""

from campaign.rules import victory_data as v
from campaign.rules.board import scenario_of
from campaign.rules.map import HexId
from campaign.staff.scene import Scene


def stake(scene: Scene, hex_id: HexId) -> float:
    """From 0 to 1: how near the count is to deciding the campaign if the siege here goes on.

    1 where this turn's end decides it, either way.
    """
    return max((_share(scene, one) for one in _counted(scene, hex_id)), default=0)


def wins(scene: Scene, hex_id: HexId) -> bool:
    """Whether the side wins the campaign by coming into this place."""
    return any(
        isinstance(one, v.PlaceCaptured)
        and one.winner is scene.side
        and scene.hex(one.place) == hex_id
        for one in scenario_of(scene.state).victory
    )


def _counted(scene: Scene, hex_id: HexId) -> list[v.Unbesieged | v.SiegeMaintained]:
    found: list[v.Unbesieged | v.SiegeMaintained] = []
    for one in scenario_of(scene.state).victory:
        if isinstance(one, v.SiegeMaintained) and scene.hex(one.place) == hex_id:
            found.append(one)
        if isinstance(one, v.Unbesieged) and hex_id in map(scene.hex, one.places):
            found.append(one)
    return found


def _share(scene: Scene, condition: v.Unbesieged | v.SiegeMaintained) -> float:
    turns = scene.state.tallies.get(f"turns:{condition.winner}", 0)
    return turns / (condition.turns - 1) if condition.turns > 1 else 1
