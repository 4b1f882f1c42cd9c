"""A battle told again from its journal: a picture and a page of the log for each turn.

A battle by a book that is not installed is shown without a field.
"""

from collections.abc import Iterator
from functools import lru_cache
from uuid import UUID

from battles import eyes, lines, stored
from battles.contract import Brief
from battles.contract.registry import book, find_book
from battles.models import Battle
from battles.narrator import Narrator, Picture


def title_of(slug: str) -> str:
    """The title of a book; nothing for one that is not installed."""
    found = find_book(slug)
    return "" if found is None else found.title


def pictures(battle: Battle) -> tuple[Picture, ...]:
    """The sides drawn up, then every turn as far as it is known; nothing without a narrator.

    Of a battle that players are fighting nothing either: it hides something from each of them.
    """
    if find_book(battle.book) is None or eyes.is_open(battle):
        return ()
    if battle.head_id is None:
        return (laid_out(stored.brief_of(battle), battle.book),)
    return _pictures(battle.uuid, battle.head_id)


def laid_out(brief: Brief, slug: str) -> Picture:
    """The field with the sides drawn up. Raises NoSuchBook."""
    found = book(slug)
    return Narrator(found, found.engine.drawn_up(brief)).picture(0)


@lru_cache(maxsize=16)
def _pictures(number: UUID, head: int) -> tuple[Picture, ...]:
    """Kept by the entry at its head: a battle that has been fought does not change."""
    return tuple(_told(Battle.objects.get(uuid=number, head=head)))


def _told(battle: Battle) -> Iterator[Picture]:
    engine = stored.engine_of(battle)
    state = stored.beginning_of(battle)
    narrator = Narrator(book(battle.book), state)
    turn = 0
    for entry in lines.entries_of(battle):
        rolls = stored.rolls_of(entry)
        for event in stored.events_of(entry, engine):
            cited = [rolls[number] for number in event.rolls]
            begins = narrator.begins_turn(event)
            if begins is not None:
                narrator.note(cited)
                yield narrator.picture(turn)
                turn, cited = begins, []
            narrator.hear(event, cited)
            engine.fold(state, (event,))
    yield narrator.picture(turn)
