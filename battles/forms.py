"""What people fill in about battles."""

from django import forms

from battles.contract import books
from battles.models import Battle
from battles.offers import offers
from battles.replay import title_of


def _choices() -> list[tuple[str, str]]:
    return [(one.slug, one.brief.title) for one in offers()]


def _first() -> str:
    return offers()[0].slug


def _books() -> list[tuple[str, str]]:
    return [(slug, title_of(slug) or slug) for slug in books()]


class NewBattle(forms.Form):
    """Which battle is fought, by which book, and by whom."""

    battle = forms.ChoiceField(choices=_choices, initial=_first, widget=forms.RadioSelect)
    book = forms.ChoiceField(choices=_books, label="By the book")
    way = forms.ChoiceField(
        choices=[
            (Battle.Way.COMMANDERS, "by the commanders of the book, now"),
            (Battle.Way.TABLE, "by you, on a real table"),
        ],
        initial=Battle.Way.COMMANDERS,
        label="It is fought",
    )
    public = forms.BooleanField(required=False, label="Anybody may look on")
