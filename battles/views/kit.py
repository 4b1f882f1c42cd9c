"""The table kit: the field in the book's measure, rosters with boxes to tick, the play sheet."""

from collections import defaultdict
from functools import cached_property
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from battles import library, replay, selectors, stored
from battles.contract import NoSuchBook
from battles.core.table_pages import TablePage
from battles.drawing import field
from battles.drawing.scene import STEPS, Ground, Hedge, square_name
from battles.english.redcoats.play_sheet import Section, sections
from battles.english.roster import Line
from battles.models import Battle
from battles.replay import Picture
from battles.views.battle import Army, armies

MILLIMETRES = 75
"""The side of a square on the table, for figures of 15 mm."""


class Laid(NamedTuple):
    """Something to be laid on the table, and where."""

    what: str
    where: str


class Box(NamedTuple):
    """A unit of the roster with a box for every figure."""

    line: Line
    figures: range


class Roster(NamedTuple):
    army: Army
    boxes: tuple[Box, ...]


class Sheet(NamedTuple):
    """A heading of the play sheet with its tables as they are printed."""

    section: Section
    tables: tuple[TablePage, ...]


class Kit:
    """All one needs to fight a battle on a table."""

    def __init__(self, battle: Battle, picture: Picture) -> None:
        self.battle = battle
        self.picture = picture

    @property
    def ground(self) -> Ground:
        return self.picture.scene.ground

    @property
    def drawing(self) -> SafeString:
        label = "The field as it is laid out. A list below says the same in words."
        return mark_safe(field(self.picture.scene, label))  # noqa: S308

    @property
    def measure(self) -> str:
        """How large the field is, in squares and in centimetres."""
        wide, deep = self.ground.columns, self.ground.rows
        size = f"{wide * MILLIMETRES / 10:g} by {deep * MILLIMETRES / 10:g} cm"
        return f"{wide} by {deep} squares of {MILLIMETRES} mm: {size}, with north at the top"

    @cached_property
    def laid(self) -> list[Laid]:
        """What lies on the field, square by square."""
        covers: dict[str, list[str]] = defaultdict(list)
        for square, kinds in sorted(self.ground.covers.items()):
            for kind in sorted(kinds):
                covers[kind].append(square_name(square))
        hedges: dict[str, list[str]] = defaultdict(list)
        for hedge in self.ground.hedges:
            hedges[hedge.barrier].append(_between(hedge))
        goals = [square_name(square) for square in sorted(self.ground.goals)]
        return [
            *(Laid(kind, ", ".join(covers[kind])) for kind in sorted(covers)),
            *(Laid(kind, ", ".join(hedges[kind])) for kind in sorted(hedges)),
            *([Laid("to be taken", ", ".join(goals))] if goals else []),
        ]

    @property
    def rosters(self) -> list[Roster]:
        return [
            Roster(army, tuple(Box(line, range(line.came)) for line in army.lines))
            for army in armies(self.picture.roll)
        ]

    @property
    def sheets(self) -> list[Sheet]:
        slug = self.battle.book
        return [
            Sheet(
                section, tuple(library.extract(slug, of.name, of.columns) for of in section.tables)
            )
            for section in sections()
        ]


def _between(hedge: Hedge) -> str:
    dx, dy = STEPS[hedge.side]
    column, row = hedge.square
    return f"{square_name(hedge.square)}–{square_name((column + dx, row + dy))}"


def kit_of(battle: Battle) -> Kit:
    """The kit of that battle. Http404 where its book has none."""
    try:
        return Kit(battle, replay.laid_out(stored.brief_of(battle), battle.book))
    except NoSuchBook as unknown:
        raise Http404("This battle was not fought by a book that has a table kit.") from unknown


@require_safe
def kit(request: HttpRequest, number: str) -> HttpResponse:
    battle = selectors.battle_for(request.user, number)
    context = {
        "here": "battles",
        "battle": battle,
        "kit": kit_of(battle),
        "may_report": selectors.may_report(battle, request.user),
        "table": request.build_absolute_uri(f"/battles/{battle.uuid}/table/"),
    }
    return render(request, "battles/kit.html", context)
