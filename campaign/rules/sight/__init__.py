"""Who may know what: what a side sees, what it remembers, and the campaign as it appears to it.

The book plays with open maps; a campaign may agree on a fog of war instead. `watch` says which
hexes a side sees now, `Knowledge` what it has seen so far, `look` gives the campaign as somebody
may see it, `supposed` a state that the rules can be asked about on his behalf, `knows` whether a
side gets to know of an event.
"""

from battles.contract.brief import Side
from battles.core.decoding import decode, encode
from campaign.rules.core.state import State
from campaign.rules.sight.event_visibility import learns_of
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
    """Return the campaign on an open map as anybody may see it: a copy that can be given away."""
    return decode(encode(state), State)
