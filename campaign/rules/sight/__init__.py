"""Who may know what: what a side sees, what it remembers, and the campaign as it appears to it.

The book plays with open maps; a campaign may agree on a fog of war instead. `watch` says which
hexes a side sees now, `Knowledge` what it has seen so far, `look` gives the campaign as somebody
may see it, `supposed` a state that the rules can be asked about on his behalf, `knows` whether a
side gets to know of an event.
"""

from battles.core.document import decode, encode
from campaign.rules.pieces import Side
from campaign.rules.sight.hearsay import knows
from campaign.rules.sight.knowledge import (
    Knowledge,
    Sighting,
    Size,
    agreed,
    beginning,
    learn,
    observe,
)
from campaign.rules.sight.viewer import Onlooker, Viewer
from campaign.rules.sight.views import STAND_IN, View, look, supposed
from campaign.rules.sight.watching import Watch, watch
from campaign.rules.state import State

__all__ = [
    "STAND_IN",
    "Knowledge",
    "Onlooker",
    "Sighting",
    "Size",
    "View",
    "Viewer",
    "Watch",
    "agreed",
    "beginning",
    "knows",
    "learn",
    "look",
    "observe",
    "supposed",
    "view",
    "watch",
]


def view(state: State, viewer: Side | None) -> State:
    """The campaign on an open map as anybody may see it: a copy that can be given away."""
    return decode(encode(state), State)
