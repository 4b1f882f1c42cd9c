"""Who may know what. The book plays with open maps, so everybody sees all that stands on them."""

from battles.core.document import decode, encode
from campaign.rules.pieces import Side
from campaign.rules.state import State


def view(state: State, viewer: Side | None) -> State:
    """The campaign as this side, or an onlooker, may see it: a copy that can be given away."""
    return decode(encode(state), State)
