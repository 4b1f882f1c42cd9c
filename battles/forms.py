"""What people fill in about battles."""

from typing import Any

from django import forms

from battles.contract import Brief, Side
from battles.contract.registry import books
from battles.core.tables import Source, TableError
from battles.models import Battle
from battles.offers import offer, offers
from battles.replay import title_of
from battles.services import Wanted
from battles.services.fights import COMPUTER, ME, OPEN, PATIENCE
from battles.written_briefs import read_brief


def _choices() -> list[tuple[str, str]]:
    return [(one.slug, one.brief.title) for one in offers()]


def _first() -> str:
    return offers()[0].slug


def _books() -> list[tuple[str, str]]:
    return [(slug, title_of(slug) or slug) for slug in books()]


HERE = {
    "egyptian": {Side.EGYPTIAN: ME, Side.MAHDIST: COMPUTER},
    "mahdist": {Side.EGYPTIAN: COMPUTER, Side.MAHDIST: ME},
    "egyptian-invites": {Side.EGYPTIAN: ME, Side.MAHDIST: OPEN},
    "mahdist-invites": {Side.EGYPTIAN: OPEN, Side.MAHDIST: ME},
    "umpire": {Side.EGYPTIAN: OPEN, Side.MAHDIST: OPEN},
    "alone": {Side.EGYPTIAN: ME, Side.MAHDIST: ME},
}
"""Who commands each side of a battle that is fought in the browser, by the way chosen."""

WAITS = [
    (1, "a day"),
    (3, "3 days"),
    (PATIENCE, "a week"),
    (14, "2 weeks"),
    (30, "30 days"),
    (0, "as long as it takes"),
]
"""Days, and how they are offered, after which a side that is waited for may be led for."""

LONGEST_BRIEF = 40_000


class NewBattle(forms.Form):
    """Which battle is fought, by which book, and by whom."""

    battle = forms.ChoiceField(choices=_choices, initial=_first, widget=forms.RadioSelect)
    book = forms.ChoiceField(choices=_books, label="By the book")
    way = forms.ChoiceField(
        choices=[
            ("egyptian", "here, by you as the Anglo-Egyptian side against the computer"),
            ("mahdist", "here, by you as the Mahdist side against the computer"),
            ("egyptian-invites", "here, by you as the Anglo-Egyptian side and somebody you invite"),
            ("mahdist-invites", "here, by you as the Mahdist side and somebody you invite"),
            ("umpire", "here, by two people you invite, with you as the umpire"),
            ("alone", "here, by you alone, who lead both sides"),
            (Battle.Way.COMMANDERS, "by the commanders of the book, now"),
            (Battle.Way.TABLE, "by you, on a real table"),
        ],
        initial="egyptian",
        label="It is fought",
    )
    patience = forms.ChoiceField(
        choices=WAITS,
        initial=PATIENCE,
        required=False,
        label="Of two people, one waits for the other",
    )
    public = forms.BooleanField(required=False, label="Anybody may look on")
    own = forms.CharField(
        required=False,
        max_length=LONGEST_BRIEF,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        label="Or a brief of your own, as TOML",
    )

    def clean_own(self) -> Brief | None:
        """The brief that is written there; None where nothing is."""
        text = self.cleaned_data["own"]
        if not text.strip():
            return None
        try:
            return read_brief(Source("brief.toml", text)).brief
        except TableError as error:
            raise forms.ValidationError(str(error)) from error

    def clean_patience(self) -> int:
        """So many days; what is usual where nothing is said."""
        return int(self.cleaned_data["patience"] or PATIENCE)

    def brief(self) -> Brief | None:
        """The battle that is chosen, once the form is valid."""
        given: dict[str, Any] = self.cleaned_data
        chosen = offer(given["battle"])
        return given["own"] or (chosen.brief if chosen else None)

    def wanted(self) -> Wanted | None:
        """By whom it is fought here; None where it is not."""
        given = self.cleaned_data
        sides = HERE.get(given["way"])
        if sides is None:
            return None
        return Wanted(given["book"], sides, given["public"], given["patience"])
