"""What the two who fight a battle of their own over days are to be told, each of it once.

Whose turn it is, once a turn; that somebody is late, and what the other may do about it; that a
side was handed over, and that its own commander is back.
"""

from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from django.db.models import Q

from battles.access import viewers
from battles.access.owners import PERSON
from battles.contract import Side
from battles.history import branches, serialization
from battles.models import Battle, Command, Notice


class NoticeKind(StrEnum):
    """What somebody is told of."""

    TURN = "turn"
    LATE = "late"
    WAITS = "waits"
    HANDED_OVER = "handed over"
    BACK = "back"


class TurnNotice(NamedTuple):
    """What the commander of a side is to be told; one of the same key is not told again.

    `other` commands the other side.
    """

    command: Command
    about: NoticeKind
    key: str
    other: Command


class Span(NamedTuple):
    """From when on something must have happened for anybody to be told of it, and until when."""

    begun: datetime
    quiet: datetime
    """So long ago the last action must be before somebody is told that it is his turn."""
    now: datetime


def due_notices(span: Span) -> Iterator[TurnNotice]:
    """What is to be told in battles of people's own, and has not been."""
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
    for battle in lately.distinct().order_by("pk"):
        yield from (word for word in _words(battle, span) if not _is_told(word))


def mark_sent(word: TurnNotice) -> bool:
    """Note that he has been told; False when he had been already."""
    _, is_new = Notice.objects.get_or_create(command=word.command, key=word.key)
    return is_new


def _is_told(word: TurnNotice) -> bool:
    return Notice.objects.filter(command=word.command, key=word.key).exists()


def _words(battle: Battle, span: Span) -> Iterator[TurnNotice]:
    led = {Side(one.side): one for one in battle.commands.select_related("user", "battle")}
    question = serialization.state_of(battle).question
    asked = Side(question.side) if question else None
    if asked is not None and viewers.waited_for(battle, asked) is not None:
        yield from _waiting(battle, (led[asked], led[asked.enemy]), span)
    for side, command in led.items():
        yield from _coming_and_going(command, led[side.enemy], span)


def _waiting(battle: Battle, two: tuple[Command, Command], span: Span) -> Iterator[TurnNotice]:
    """The battle waits for the first of the two, who may be late."""
    command, other = two
    head = battle.head
    if head is not None and span.begun <= head.created <= span.quiet:
        others = branches.entries_of(battle).filter(side=other.side).order_by("-number")
        last = others.values_list("number", flat=True).first() or 0
        yield TurnNotice(command, NoticeKind.TURN, f"{battle.branch}.{last}", other)
    if battle.due is not None and span.begun <= battle.due <= span.now:
        yield TurnNotice(command, NoticeKind.LATE, f"late {battle.due:%Y%m%dT%H%M%S.%f}", other)
        yield TurnNotice(other, NoticeKind.WAITS, f"waits {battle.due:%Y%m%dT%H%M%S.%f}", command)


def _coming_and_going(command: Command, other: Command, span: Span) -> Iterator[TurnNotice]:
    """The side was handed over while its commander was away, or he is back."""
    gone, back = command.handed_over, command.returned
    if command.away and gone is not None and gone >= span.begun:
        yield TurnNotice(
            command, NoticeKind.HANDED_OVER, f"handed over {gone:%Y%m%dT%H%M%S.%f}", other
        )
    if back is not None and back >= span.begun:
        yield TurnNotice(other, NoticeKind.BACK, f"back {back:%Y%m%dT%H%M%S.%f}", command)
