"""Fog of war: the knowledge of each side, and the campaign as each viewer may see it.

The book plays with open maps; a campaign may agree on a fog of war instead. `watch` returns the
hexes a side sees now, `SideKnowledge` holds what it has seen so far, `visible_campaign` returns the
campaign for a viewer, `supposed_state` a state to apply the rules to on the viewer's behalf, and
`learns_of` whether a side learns of an event.
"""

from battles.contract.brief import Side
from battles.core.decoding import decode, encode
from campaign.rules.core.state import State
from campaign.rules.sight.knowledge import (
    SideKnowledge,
    Sighting,
    StackSize,
    Watch,
    agreed_control,
    initial_knowledge,
    learn,
    observe,
    watch,
)
from campaign.rules.sight.side_views import (
    STAND_IN,
    Onlooker,
    View,
    Viewer,
    learns_of,
    supposed_state,
    visible_campaign,
)

__all__ = [
    "STAND_IN",
    "Onlooker",
    "SideKnowledge",
    "Sighting",
    "StackSize",
    "View",
    "Viewer",
    "Watch",
    "agreed_control",
    "initial_knowledge",
    "learn",
    "learns_of",
    "observe",
    "supposed_state",
    "view",
    "visible_campaign",
    "watch",
]


def view(state: State, viewer: Side | None) -> State:
    """Return a copy of the campaign on an open map, the same for every viewer."""
    return decode(encode(state), State)
