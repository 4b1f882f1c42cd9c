"""What a side may know of a battle: not the order of the packs, nor the other side's hand."""

import msgspec

from battles.engines.redcoats.pieces import Side
from battles.engines.redcoats.state import State


def view(state: State, side: Side | None) -> State:
    """The state as that side may see it, as an onlooker may for None.

    Undealt cards are left out, of both packs, and every hand but one's own.
    """
    own = {side: list(state.hands.get(side, []))} if side is not None else {}
    return msgspec.structs.replace(state, pack=[], heroic=[], hands=own)
