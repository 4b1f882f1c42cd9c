"""Fog of war: a side sees neither the order of the packs nor the other side's hands."""

from typing import Any

import msgspec

from battles.books.restless_natives import events as e
from battles.books.restless_natives.pieces import Side
from battles.books.restless_natives.state import State

_HIDDEN = (e.PackShuffled, e.SpecialShuffled, e.AgendaRecorded)


def view(state: State, side: Side | None) -> State:
    """Return the state as that side may see it, or an onlooker for None.

    The packs are left out, and every hand of the other side (One-off battles 8).
    """
    commanders = {
        number: one if one.side is side else msgspec.structs.replace(one, hand=[])
        for number, one in state.commanders.items()
    }
    return msgspec.structs.replace(state, pack=[], special=[], commanders=commanders, agenda=[])


def witnessed(state: State, event: Any, side: Side | None) -> Any:
    """Return the event as far as that side learns of it; None for the order of a pack."""
    return None if isinstance(event, _HIDDEN) else event
