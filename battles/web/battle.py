"""The page of a battle: a turn on the field, the log beside it, and the result."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.defaultfilters import pluralize
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from battles import access, replay, serialization, services
from battles.access import OwnerLink, Sides
from battles.contract import Brief, Report, Side
from battles.contract.book import Words, book, every_book, find_book, words_of
from battles.contract.brief import month_in_words
from battles.contract.muster import beaten, count_unfit
from battles.drawing import field
from battles.drawing.scene import TableScene
from battles.models import Battle
from battles.prose import Brought, Returned, RosterLine, order_of_battle, units_returned
from battles.replay import Picture
from battles.services.record import signed_by_others
from battles.web.fight_again import may_fight_again, sides_differ_again

PRESENT = ("on the field", "not yet come")
"""The fates of units that are not lost."""


class TurnTick(NamedTuple):
    """A turn on the scrubber."""

    turn: int
    title: str
    url: str
    shown: bool
    has_news: bool
    """True if something of weight happened in the turn."""


class ArmyRoster(NamedTuple):
    """The roster of a side, with a line for each unit."""

    side: Side
    title: str
    lines: tuple[RosterLine, ...]

    @property
    def came(self) -> int:
        """Return the number of figures, or stands, that took the field."""
        return sum(line.came for line in self.lines if line.formation)

    @property
    def lost(self) -> int:
        """Return the number of figures, or stands, that were lost."""
        return sum(line.lost for line in self.lines if line.formation)

    @property
    def present(self) -> int:
        """Return the number of figures, or stands, of the units that are not lost."""
        lines = (line for line in self.lines if line.formation and line.fate in PRESENT)
        return sum(line.came - line.lost for line in lines)

    @property
    def units_lost(self) -> int:
        """Return the number of units that are lost or have left."""
        return sum(line.fate not in PRESENT for line in self.lines if line.came)

    @property
    def drawn(self) -> tuple[tuple[RosterLine, tuple[bool, ...]], ...]:
        """Return each unit with its figures, True for each that is left."""
        lines = (line for line in self.lines if line.formation and line.came)
        return tuple(
            (line, tuple(number < line.came - line.lost for number in range(line.came)))
            for line in lines
        )


class ForcesBrought(NamedTuple):
    """The order of battle of one side."""

    side: Side
    title: str
    part: str
    """"attacks" or "defends"."""
    rows: tuple[Brought, ...]


class ForcesReturned(NamedTuple):
    """The units that one side gets back after the battle."""

    side: Side
    title: str
    rows: tuple[Returned, ...]


class BattlePage:
    """The page of a battle at one of its turns."""

    def __init__(self, battle: Battle, turn: int) -> None:
        self.battle = battle
        self.turn = turn

    @property
    def key(self) -> str:
        """Return the cache key of the drawings and texts of this turn."""
        return f"{self.battle.uuid}.{self.battle.head_id or 0}.{self.turn}"

    @property
    def words(self) -> Words:
        """Return the book's words for the sides and the figures."""
        return words_of(self.battle.book)

    @cached_property
    def brief(self) -> Brief:
        return serialization.brief_of(self.battle)

    @cached_property
    def report(self) -> Report | None:
        return serialization.report_of(self.battle)

    @cached_property
    def pictures(self) -> tuple[Picture, ...]:
        return replay.pictures(self.battle)

    @cached_property
    def picture(self) -> Picture | None:
        """Return the turn shown; None for a battle whose turns are not recorded here."""
        return self.pictures[self.turn] if self.pictures else None

    @property
    def drawing(self) -> SafeString:
        """Return the field at the end of the turn, as an SVG element."""
        if self.picture is None:
            return mark_safe("")
        label = f"The field: {self.picture.title}. A table below says the same in words."
        return mark_safe(field(self.picture.scene, label))  # noqa: S308

    @property
    def on_table(self) -> bool:
        """Return whether the field is an open table rather than squares."""
        return self.picture is not None and isinstance(self.picture.scene, TableScene)

    @cached_property
    def ticks(self) -> tuple[TurnTick, ...]:
        return tuple(self._tick(number) for number in range(len(self.pictures)))

    def _tick(self, number: int) -> TurnTick:
        picture = self.pictures[number]
        has_news = any(sentence.weight > 1 for sentence in picture.sentences)
        url = address(self.battle, number)
        return TurnTick(picture.turn, picture.title, url, number == self.turn, has_news)

    @property
    def earlier(self) -> TurnTick | None:
        return self.ticks[self.turn - 1] if self.turn else None

    @property
    def later(self) -> TurnTick | None:
        return self.ticks[self.turn + 1] if self.turn + 1 < len(self.ticks) else None

    @property
    def armies(self) -> tuple[ArmyRoster, ...]:
        """Return both sides as they stand in the turn shown."""
        return armies(self.picture.roll, self.words) if self.picture else ()

    @property
    def return_of(self) -> tuple[ArmyRoster, ...]:
        """Return both sides as the battle ended; nothing where the turns were fought elsewhere."""
        was_played = self.pictures and self.report and self.battle.way != Battle.Way.TABLETOP
        if not was_played:
            return ()
        drawn_up = serialization.beginning_of(self.battle)
        # What a weakened unit never had is no loss of the battle.
        never_had = {
            line.number: line.lost for line in book(self.battle.book).prose.muster_roll(drawn_up)
        }
        roll = [
            line._replace(came=max(line.left, line.came - never_had.get(line.number, 0)))
            for line in self.pictures[-1].roll
        ]
        return armies(roll, self.words)

    @property
    def order_of_battle(self) -> tuple[ForcesBrought, ...]:
        """Return the forces of both sides, the attacker first."""
        rows = order_of_battle(self.brief)
        parts = ((self.brief.attacker.side, "attacks"), (self.brief.defender.side, "defends"))
        return tuple(
            ForcesBrought(
                side, self.words.side(side), part, tuple(row for row in rows if row.side is side)
            )
            for side, part in parts
        )

    @cached_property
    def why(self) -> tuple[str, ...]:
        """Return sentences on what the battle was about and what it cost each side."""
        figure = self.words.figure
        cost = (
            f"The {army.title} side lost {army.lost or 'none'} of its {army.came} "
            f"{figure}{pluralize(army.came)}"
            + (f"; {_units_gone(army.units_lost)}." if army.units_lost else ".")
            for army in self.return_of
        )
        played = find_book(self.battle.book) if self.battle.head_id else None
        aim = played.prose.aim(self._end) if played else ()
        return (*self._why_nobody, *cost, *aim)

    @property
    def _why_nobody(self) -> Iterator[str]:
        """Yield why nobody has won, where both sides have suffered too much (9.8)."""
        report = self.report
        if report is None or report.winner is not None:
            return
        if all(beaten(self.brief.party(side), report.fates) for side in Side):
            counts = []
            for side in Side:
                unfit, all_of_them = count_unfit(self.brief.party(side), report.fates)
                counts.append(f"{unfit} of {all_of_them} on the {self.words.side(side)} side")
            yield (
                f"Counted in units of the campaign, {' and '.join(counts)} are disrupted or gone. "
                "That is half or more of both, so nobody has won."
            )

    @property
    def _end(self) -> Any:
        return serialization.state_of(self.battle)

    @cached_property
    def went_back(self) -> tuple[ForcesReturned, ...]:
        """Return the units of each side that go back to the battle's owner."""
        if self.report is None:
            return ()
        side_of = attrgetter("side")
        rows = sorted(units_returned(self.brief, self.report), key=side_of)
        return tuple(
            ForcesReturned(side, self.words.side(side), tuple(units))
            for side, units in groupby(rows, key=side_of)
        )

    @cached_property
    def owner(self) -> OwnerLink | None:
        """Return a link to the battle's owner; None for a user's own battle."""
        keeper = access.keeper_of(self.battle.owner)
        return keeper.place(self.battle.owner) if keeper else None

    @cached_property
    def abandoned(self) -> str:
        """Return why the battle no longer counts; empty if it does."""
        brief_id = self.battle.brief_id
        return access.reasons_for_abandoned(self.battle.owner, [brief_id]).get(brief_id, "")

    @cached_property
    def despatch(self) -> OwnerLink | None:
        """Return a link to the owner's account of the battle's month."""
        keeper = access.keeper_of(self.battle.owner)
        month = self.battle.month
        return keeper.despatch(self.battle.owner, month) if keeper and month else None

    @property
    def month(self) -> str:
        return month_in_words(self.battle.month)

    @property
    def book_title(self) -> str:
        """Return the title of the book; empty if it is not installed."""
        return replay.title_of(self.battle.book)

    @property
    def dice_key(self) -> str:
        """Return the key of the dice in hexadecimal."""
        return bytes(self.battle.key).hex()

    @property
    def outcome(self) -> str:
        """Return a sentence about the winner."""
        if self.report is None:
            return "It has not been fought yet."
        winner, turns = self.report.winner, self.report.turns
        won = f"The {self.words.side(winner)} side won" if winner else "Nobody won"
        turn = self.words.turn
        return f"{won} after {turns} {turn}{'s' if turns != 1 else ''}." if turns else f"{won}."


def armies(roll: Iterable[RosterLine], words: Words) -> tuple[ArmyRoster, ...]:
    """Return the roster of each side."""
    lines = tuple(roll)
    return tuple(
        ArmyRoster(side, words.side(side), tuple(line for line in lines if line.side is side))
        for side in Side
    )


def how_fought(battle: Battle, own_sides: Sides) -> str:
    """Return the book and the commanders: `Redcoats and Dervishes, by you against the computer`.

    `own_sides` are those that the viewer commands. No other player is named.
    """
    title = replay.title_of(battle.book)
    if battle.way == Battle.Way.PLAYERS:
        return f"{title or battle.book}, by {_players(battle, own_sides)}"
    if battle.way == Battle.Way.TABLETOP:
        return f"{title}, on a real table" if title else "a real table"
    return f"{title or battle.book}, by the commanders of the book"


def _players(battle: Battle, own_sides: Sides) -> str:
    people = access.sides_of_people(battle)
    if not people:
        return "the computer"
    if len(people) == 1:
        return f"{'you' if people <= own_sides else 'a player'} against the computer"
    return "you, for both sides" if people <= own_sides else "its players"


def address(battle: Battle, turn: int = 0) -> str:
    """Return the URL of the battle's page at a turn."""
    if turn:
        return reverse("battle-turn", args=[battle.uuid, turn])
    return reverse("battle", args=[battle.uuid])


def address_of_last_turn(battle: Battle) -> str:
    """Return the URL of the battle's page at its last turn, which shows how it ended."""
    return address(battle, max(len(replay.pictures(battle)) - 1, 0))


@require_safe
def show(request: HttpRequest, number: str, turn: int = 0) -> HttpResponse:
    """Show the battle at a turn; turn 0 is the field with the sides drawn up."""
    battle = access.battle_for(request.user, number)
    if access.is_open(battle):
        return redirect("fight", battle.uuid)
    page = BattlePage(battle, turn)
    if turn >= max(len(page.pictures), 1):
        noun = page.words.turn
        raise Http404(f"This battle has no {noun} {turn}: it ended with {noun} {battle.turns}.")
    fight_again = may_fight_again(battle)
    context = {
        "here": "battles",
        "page": page,
        "battle": battle,
        "how_fought": how_fought(battle, access.commands(battle, request.user)),
        "may_begin": access.may_take_up(battle, request.user),
        "books": [(book.slug, book.title) for book in every_book()],
        "may_fight_again": fight_again,
        "may_change_sides": fight_again
        and isinstance(request.user, User)
        and sides_differ_again(battle, request.user),
        "may_report": access.may_report(battle, request.user),
        "signed": signed_by_others(battle, request.user)
        if isinstance(request.user, User) and not battle.reported
        else (),
        "check": _check_report(battle) if "recompute" in request.GET else None,
    }
    return render(request, "battles/battle.html", context)


def _units_gone(count: int) -> str:
    if count == 1:
        return "one of its units is lost or has left the field"
    return f"{count} of its units are lost or have left the field"


class ReportCheck(NamedTuple):
    """The result of throwing all dice again."""

    proof: services.BattleProof | None
    wrong: str = ""


def _check_report(battle: Battle) -> ReportCheck | None:
    if battle.head_id is None:
        return None
    try:
        return ReportCheck(services.verify_battle(battle))
    except services.Damaged as damaged:
        return ReportCheck(None, str(damaged))
