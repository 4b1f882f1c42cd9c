"""Whose turn it is in battles that two people fight over days: who is to be told, once a turn."""

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from battles import lines, stored
from battles.contract import Side
from battles.models import Battle, Command
from battles.owners import PERSON


class Turn(NamedTuple):
    """A battle that waits for the commander of a side; `after` is what the other did last."""

    command: Command
    after: str


def turns(begun: datetime, quiet: datetime) -> Iterator[Turn]:
    """Who is waited for in battles of people's own, where one person fights another.

    Of those battles in which something was done last between these two moments.
    """
    waiting = Battle.objects.filter(
        way=Battle.Way.PLAYERS,
        reported=None,
        paused="",
        owner__startswith=f"{PERSON}:",
        head__created__gte=begun,
        head__created__lte=quiet,
    )
    for battle in waiting.order_by("pk"):
        yield from _turn(battle)


def told(turn: Turn) -> bool:
    """Note that he has been told; False when he had been already."""
    unaware = Command.objects.filter(pk=turn.command.pk).exclude(told=turn.after)
    return bool(unaware.update(told=turn.after))


def _turn(battle: Battle) -> Iterator[Turn]:
    led = {Side(one.side): one for one in battle.commands.select_related("user")}
    people = {one.user_id for one in led.values() if one.user_id and not one.computer}
    question = stored.state_of(battle).question
    if len(people) < 2 or question is None:
        return
    side = Side(question.side)
    others = lines.entries_of(battle).filter(side=side.enemy).order_by("-number")
    last = others.values_list("number", flat=True).first() or 0
    turn = Turn(led[side], f"{battle.branch}.{last}")
    if turn.command.told != turn.after:
        yield turn
