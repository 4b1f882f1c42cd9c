"""The table kit: the field in the book's measure, rosters with boxes to tick, the play sheet."""

from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from battles import library, replay, selectors, stored
from battles.contract.book import Words
from battles.contract.registry import NoSuchBook, book, words_of
from battles.core.table_pages import TablePage
from battles.drawing import field
from battles.drawing.in_words import Laid, laid, measure
from battles.drawing.table_scene import TableScene
from battles.models import Battle
from battles.narrator import Picture
from battles.prose.play_sheet import Section
from battles.prose.roster import Line
from battles.views.battle import Army, armies


class Box(NamedTuple):
    """A unit of the roster with a box for every figure or stand."""

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
    def words(self) -> Words:
        return words_of(self.battle.book)

    @property
    def drawing(self) -> SafeString:
        label = "The field as it is laid out. A list below says the same in words."
        return mark_safe(field(self.picture.scene, label))  # noqa: S308

    @property
    def measure(self) -> str:
        """How large the field is."""
        return measure(self.picture.scene.ground)

    @property
    def laid(self) -> list[Laid]:
        """What lies on the field, and where."""
        return laid(self.picture.scene.ground)

    @property
    def is_measured(self) -> bool:
        """Whether places on the field are told by how far they are from its edges."""
        return isinstance(self.picture.scene, TableScene)

    @property
    def rosters(self) -> list[Roster]:
        return [
            Roster(army, tuple(Box(line, range(line.came)) for line in army.lines))
            for army in armies(self.picture.roll, self.words)
        ]

    @property
    def sheets(self) -> list[Sheet]:
        return sheets_of(self.battle.book)


def sheets_of(slug: str) -> list[Sheet]:
    """The play sheet of a book."""
    return [
        Sheet(section, tuple(library.extract(slug, of.name, of.columns) for of in section.tables))
        for section in book(slug).pages.play_sheet()
    ]


def kit_of(battle: Battle) -> Kit:
    """The kit of that battle. Http404 where its book has none."""
    try:
        return Kit(battle, replay.laid_out(stored.brief_of(battle), battle.book))
    except NoSuchBook as unknown:
        raise Http404("This battle was not fought by a book that has a table kit.") from unknown


@require_safe
def kit(request: HttpRequest, number: str) -> HttpResponse:
    battle = selectors.whole_battle_for(request.user, number)
    context = {
        "here": "battles",
        "battle": battle,
        "kit": kit_of(battle),
        "may_report": selectors.may_report(battle, request.user),
        "table": request.build_absolute_uri(f"/battles/{battle.uuid}/table/"),
    }
    return render(request, "battles/kit.html", context)
