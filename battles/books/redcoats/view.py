"""The fog of war: a side sees neither the order of the packs nor the enemy's hand."""

from typing import Any

import msgspec

from battles.books.redcoats import events as e
from battles.books.redcoats.actions import Question, ToPlayCard
from battles.books.redcoats.pieces import Heroic, Side
from battles.books.redcoats.state import State

_HIDDEN = (e.HeroicShuffled, e.Repacked, e.AgendaRecorded)


def view(state: State, side: Side | None) -> State:
    """Return the state as that side may see it; as the public may for None.

    The undealt cards of both packs, the other side's hand and the agenda are left out. Of a card
    that the other side may play, only the question itself is shown.
    """
    own = {side: list(state.hands.get(side, []))} if side is not None else {}
    question = _asked(state.question, side)
    return msgspec.structs.replace(
        state, pack=[], heroic=[], hands=own, agenda=[], question=question
    )


def witnessed(state: State, event: Any, side: Side | None) -> Any:
    """Return the part of an event that a side learns; None if it reveals a pack's order."""
    if isinstance(event, e.TurnBegan):
        return msgspec.structs.replace(event, pack=())
    return None if isinstance(event, _HIDDEN) else event


def _asked(question: Question | None, side: Side | None) -> Question | None:
    if isinstance(question, ToPlayCard) and question.side is not side:
        # The field needs a card: always the first one, so that it gives nothing away.
        return msgspec.structs.replace(question, unit=0, card=next(iter(Heroic)))
    return question
