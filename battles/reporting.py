"""What the reports of all books have in common: fates of campaign units by how the book's ended."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from battles.contract.brief import Brief, Troop
from battles.contract.report import Fate
from battles.contract.troops import Kind, Side
from battles.muster import Aftermath, Body, share_out, wiped_out


class _Numbered(Protocol):
    @property
    def id(self) -> int: ...


U = TypeVar("U", bound=_Numbered)
Parts = Iterable[tuple[Body, tuple[int, ...]]]
"""For each body of campaign units the numbers of the book's units that it fights as."""


def ends(
    units: Iterable[U], parts: Parts, aftermath: Callable[[Sequence[U]], Aftermath]
) -> Iterator[tuple[Body, Aftermath]]:
    """How each body has ended, by `aftermath` of the units it began the battle as."""
    began = {unit.id: unit for unit in units}
    for body, numbers in parts:
        yield body, aftermath([began[number] for number in numbers])


def fates(
    brief: Brief, ended: Iterable[tuple[Body, Aftermath]], fallen: Iterable[int]
) -> dict[int, Fate]:
    """The fate of every unit of the brief, in its order.

    Who did not take the field is as he came. `fallen` are leaders who fell; with a side that is
    wiped out all of its leaders do. Of a fleet only launches come inshore: it is out of reach
    (8.25).
    """
    bodies = list(ended)
    found = {troop.id: _as_it_came(troop) for troop in brief.troops()}
    for party in map(brief.party, Side):
        own = {troop.id for troop in party.troops}
        found |= share_out([end for end in bodies if end[0].members[0].id in own])
    found |= {troop.id: Fate.GOOD for troop in brief.troops() if troop.kind is Kind.FLEET}
    found |= dict.fromkeys(fallen, Fate.ELIMINATED)
    for party in map(brief.party, Side):
        if wiped_out(party, found):
            led = (troop.id for troop in party.troops if troop.kind is Kind.LEADER)
            found |= dict.fromkeys(led, Fate.ELIMINATED)
    return {troop.id: found[troop.id] for troop in brief.troops()}


def _as_it_came(troop: Troop) -> Fate:
    return Fate.DISRUPTED if troop.disrupted else Fate.GOOD
