"""What a side may know of a battle: not the order of the packs, nor the other side's hand."""

from typing import Any

import msgspec

from battles.books.redcoats import events as e
from battles.books.redcoats.actions import Question, ToPlayCard
from battles.books.redcoats.pieces import Heroic, Side
from battles.books.redcoats.state import State

_HIDDEN = (e.HeroicShuffled, e.Repacked, e.AgendaRecorded)


def view(state: State, side: Side | None) -> State:
    """Return the state as that side may see it, as an onlooker may for None.

    Undealt cards are left out, of both packs, and every hand but one's own; what comes next is not
    said, and of a card that the other side may play no more than that it is asked.
    """
    own = {side: list(state.hands.get(side, []))} if side is not None else {}
    question = _asked(state.question, side)
    return msgspec.structs.replace(
        state, pack=[], heroic=[], hands=own, agenda=[], question=question
    )


def witnessed(state: State, event: Any, side: Side | None) -> Any:
    """Return the event as far as that side learns of it; None where it is of a pack's order."""
    if isinstance(event, e.TurnBegan):
        return msgspec.structs.replace(event, pack=())
    return None if isinstance(event, _HIDDEN) else event


def _asked(question: Question | None, side: Side | None) -> Question | None:
    if isinstance(question, ToPlayCard) and question.side is not side:
        return msgspec.structs.replace(question, unit=0, card=next(iter(Heroic)))
    return question
