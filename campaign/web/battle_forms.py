"""The forms of a campaign's battles: how they are fought, and the result of one."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django import forms

from battles.contract import Brief, Fate, Report, Side, Troop, TroopKind
from battles.contract.book import books
from battles.contract.report import TAKEN
from battles.prose import troop_name
from battles.replay import title_of
from campaign.rules.combat.hand_off import LONGEST
from campaign.rules.core.actions import HandOver
from campaign.rules.core.state import COMBAT_TABLE, TABLETOP, HandOff
from campaign.services.journal.creation import BattleChoice

NOBODY = "nobody"
SIDES = {Side.EGYPTIAN: "The Anglo-Egyptians", Side.MAHDIST: "The Mahdists"}
Choices = list[tuple[str, str]]


def book_title(slug: str) -> str:
    """Return the title of a book of battles; its slug without one."""
    return title_of(slug) or slug


def battle_methods() -> Choices:
    """Return all ways to fight battles."""
    by_people = "by people, in the browser or on a real table: the campaign waits for the result"
    return [*at_once(), (TABLETOP, by_people)]


def at_once() -> Choices:
    """Return the ways to fight battles without waiting for players."""
    by_book = [(slug, f"by {book_title(slug)}, commanded by the computer") for slug in books()]
    return [(COMBAT_TABLE, "by the campaign’s own tables"), *by_book]


def book_choices() -> Choices:
    """Return the books of battles by their titles."""
    return [(slug, book_title(slug)) for slug in books()]


BY_COMPUTER = "computer"


class SoloBattlesForm(forms.Form):
    """The form for how battles are settled in a campaign that the user plays alone."""

    battles = forms.ChoiceField(
        choices=[
            (COMBAT_TABLE, "by the campaign’s table"),
            (TABLETOP, "by you, in the browser"),
            (BY_COMPUTER, "by the computer, with a book"),
        ],
        required=False,
        initial=COMBAT_TABLE,
        widget=forms.RadioSelect,
        label="Battles are settled",
    )
    book = forms.ChoiceField(choices=book_choices, required=False, label="Book of battles")

    @staticmethod
    def as_agreed(agreed: HandOff) -> dict[str, str]:
        """Return the form's data for what was agreed before."""
        by_computer = agreed.resolution not in (COMBAT_TABLE, TABLETOP)
        return {
            "battles": BY_COMPUTER if by_computer else agreed.resolution,
            "book": agreed.resolution if by_computer else agreed.book,
        }

    @staticmethod
    def describe(agreed: HandOff) -> str:
        """Return how battles are settled, in words."""
        if agreed.resolution == TABLETOP:
            by = f", by {book_title(agreed.book)}" if agreed.book else ""
            return f"by you, in the browser or on your own table{by}"
        return dict(at_once()).get(agreed.resolution, agreed.resolution)

    def choice(self) -> BattleChoice:
        """Return what is chosen; without a choice the campaign's own table, and the first book."""
        by = self.cleaned_data["battles"] or COMBAT_TABLE
        book = self.cleaned_data["book"] or books()[0]
        return BattleChoice(book if by == BY_COMPUTER else by, book)

    def arrangement(self, agreed: HandOff) -> HandOver:
        """Return the action for this choice; what else was agreed stays as it is."""
        rest = agreed.fallback, agreed.timeout_days, agreed.signed
        resolution, book = self.choice()
        return HandOver(resolution, *rest, book)


class ArrangementForm(forms.Form):
    """The form for how the campaign's battles are fought from now on."""

    way = forms.ChoiceField(
        choices=battle_methods, widget=forms.RadioSelect, label="Battles are fought"
    )
    fallback = forms.ChoiceField(
        choices=at_once,
        label="A battle that has waited too long",
        help_text="So no battle holds a campaign up for good.",
    )
    days = forms.IntegerField(
        min_value=0,
        max_value=LONGEST,
        label="Days it may wait",
        initial=HandOff(COMBAT_TABLE).timeout_days,
    )
    signed = forms.BooleanField(
        required=False, label="A result from the players counts when both have signed it"
    )
    book = forms.ChoiceField(
        choices=book_choices,
        required=False,
        label="People fight in the browser by",
        help_text="They may choose another before they take the field.",
    )

    @staticmethod
    def as_agreed(agreed: HandOff) -> dict[str, object]:
        """Return the form's data for what was agreed before."""
        return {
            "way": agreed.resolution,
            "fallback": agreed.fallback,
            "days": agreed.timeout_days,
            "signed": agreed.signed,
            "book": agreed.book,
        }

    def arrangement(self, agreed: HandOff) -> HandOver:
        """Return the action for this choice; without a book, that agreed before."""
        data = self.cleaned_data
        rest = data["fallback"], data["days"], data["signed"], data["book"] or agreed.book
        return HandOver(data["way"], *rest)


class FateRow(NamedTuple):
    """A unit and the form field for its fate."""

    troop: Troop
    name: str
    came: str
    field: forms.BoundField


class ResultForm(forms.Form):
    """The form for a battle's result: the winner, and the fate of each unit."""

    winner = forms.ChoiceField(
        choices=[*((side.value, name) for side, name in SIDES.items()), (NOBODY, "Nobody")],
        widget=forms.RadioSelect,
        label="Who won",
    )
    ending = forms.CharField(
        max_length=200,
        required=False,
        label="Why it ended",
        help_text="In a sentence; the despatches say it too.",
    )
    turns = forms.IntegerField(
        min_value=1, max_value=200, required=False, label="Turns it lasted (if you counted them)"
    )

    def __init__(self, brief: Brief, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._brief = brief
        for troop in brief.troops():
            choices = [(fate.value, fate.value) for fate in _possible_fates(troop)]
            self.fields[_field(troop)] = forms.ChoiceField(
                choices=choices, initial=choices[0][0], label=troop_name(troop)
            )

    @staticmethod
    def as_signed(report: Report) -> dict[str, str]:
        """Return the form's data for a report that somebody signed."""
        winner = NOBODY if report.winner is None else report.winner.value
        fates = {f"fate-{number}": fate.value for number, fate in report.fates.items()}
        turns = str(report.turns or "")
        return {"winner": winner, "ending": report.ending, "turns": turns, **fates}

    def parties(self) -> Iterator[tuple[str, list[FateRow]]]:
        """Yield each side's name with its rows."""
        for side, name in SIDES.items():
            yield name, [self._row(troop) for troop in self._brief.party(side).troops]

    def _row(self, troop: Troop) -> FateRow:
        fate = Fate.DISRUPTED if troop.disrupted else Fate.GOOD
        return FateRow(troop, troop_name(troop), fate.value, self[_field(troop)])

    def report(self) -> Report:
        """Return the report; the rules check whether it adds up."""
        data = self.cleaned_data
        fates = {troop.id: Fate(data[_field(troop)]) for troop in self._brief.troops()}
        winner = None if data["winner"] == NOBODY else Side(data["winner"])
        ending, turns = data["ending"].strip(), data["turns"] or 0
        return Report(self._brief.id, TABLETOP, fates, winner, ending, turns)


def _field(troop: Troop) -> str:
    return f"fate-{troop.id}"


def _possible_fates(troop: Troop) -> list[Fate]:
    """Return the possible fates of a unit, its present state first."""
    if troop.kind is TroopKind.FLEET:
        return [Fate.GOOD]
    if troop.kind is TroopKind.LEADER:
        return [Fate.GOOD, Fate.ELIMINATED]
    unhurt = [] if troop.disrupted else [Fate.GOOD]
    may_be_taken = troop.kind in TAKEN and troop.nation.side is Side.EGYPTIAN
    captures = [Fate.CAPTURED] if may_be_taken else []
    return [*unhurt, Fate.DISRUPTED, Fate.ELIMINATED, *captures]
