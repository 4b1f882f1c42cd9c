"""Find the notices due in correspondence battles, each sent once.

Your turn, once a turn; a side is late, to both players; a side was handed over, and its player is
back.
"""

from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from django.db.models import Q

from battles import access, serialization
from battles.access import PERSON
from battles.contract import Side
from battles.contract.book import every_book
from battles.models import Battle, Command, Notice


class NoticeKind(StrEnum):
    """The subject of a notice."""

    TURN = "turn"
    LATE = "late"
    WAITS = "waits"
    HANDED_OVER = "handed over"
    BACK = "back"


class TurnNotice(NamedTuple):
    """A notice to the commander of a side; the same `key` is sent once.

    `other` commands the other side.
    """

    command: Command
    about: NoticeKind
    key: str
    other: Command


class Span(NamedTuple):
    """The time span in which something must have happened to cause a notice."""

    begun: datetime
    quiet: datetime
    """The last action must be earlier than this before a player hears that it is their turn."""
    now: datetime


def due_notices(span: Span) -> Iterator[TurnNotice]:
    """Yield the unsent notices of users' own battles."""
    since = (span.begun, span.now)
    own = Battle.objects.filter(
        way=Battle.Way.PLAYERS, reported=None, paused="", owner__startswith=f"{PERSON}:"
    )
    lately = own.filter(
        Q(head__created__range=since)
        | Q(due__range=since)
        | Q(commands__handed_over__range=since)
        | Q(commands__returned__range=since)
    )
    playable = [book.slug for book in every_book()]
    for battle in lately.filter(book__in=playable).distinct().order_by("pk"):
        for notice in _notices(battle, span):
            if not was_sent(notice):
                yield notice


def was_sent(notice: TurnNotice) -> bool:
    """Return whether the notice was sent before."""
    return Notice.objects.filter(command=notice.command, key=notice.key).exists()


def mark_sent(notice: TurnNotice) -> bool:
    """Note that the notice was sent; return False if it had been already."""
    _, is_new = Notice.objects.get_or_create(command=notice.command, key=notice.key)
    return is_new


def _notices(battle: Battle, span: Span) -> Iterator[TurnNotice]:
    led = {
        Side(command.side): command for command in battle.commands.select_related("user", "battle")
    }
    question = serialization.state_of(battle).question
    side_in_turn = Side(question.side) if question else None
    if side_in_turn is not None and access.awaited_command(battle, side_in_turn) is not None:
        yield from _notices_of_turn(battle, (led[side_in_turn], led[side_in_turn.enemy]), span)
    for side, command in led.items():
        yield from _coming_and_going(command, led[side.enemy], span)


def _notices_of_turn(
    battle: Battle, two: tuple[Command, Command], span: Span
) -> Iterator[TurnNotice]:
    """Yield notices about the first of the two, whose turn it is and who may be late."""
    command, other = two
    if key := key_of_turn(battle, Side(command.side), span):
        yield TurnNotice(command, NoticeKind.TURN, key, other)
    if battle.due is not None and span.begun <= battle.due <= span.now:
        yield TurnNotice(command, NoticeKind.LATE, f"late {battle.due:%Y%m%dT%H%M%S.%f}", other)
        yield TurnNotice(other, NoticeKind.WAITS, f"waits {battle.due:%Y%m%dT%H%M%S.%f}", command)


def key_of_turn(battle: Battle, side: Side, span: Span) -> str:
    """Return a key for the turn of that side, or "" unless the battle has been quiet in it.

    A turn is identified by the opponent's last action: one notice, however often this runs.
    """
    head = battle.head
    if head is None or not span.begun <= head.created <= span.quiet:
        return ""
    others = serialization.entries_of(battle).filter(side=side.enemy).order_by("-number")
    return f"{battle.branch}.{others.values_list('number', flat=True).first() or 0}"


def _coming_and_going(command: Command, other: Command, span: Span) -> Iterator[TurnNotice]:
    """Yield notices that the side was handed over, or that its player is back."""
    gone, back = command.handed_over, command.returned
    if command.away and gone is not None and gone >= span.begun:
        yield TurnNotice(
            command, NoticeKind.HANDED_OVER, f"handed over {gone:%Y%m%dT%H%M%S.%f}", other
        )
    if back is not None and back >= span.begun:
        yield TurnNotice(other, NoticeKind.BACK, f"back {back:%Y%m%dT%H%M%S.%f}", command)
