"""What people fill in."""

from typing import Any

from django import forms
from django.contrib.auth.models import User

from battles.contract.troops import Side
from campaign import shelf
from campaign.battle_forms import ways
from campaign.models import Campaign, OwnTables, Seat
from campaign.rules.core.state import TABLE
from campaign.rules.tables.scenario_loader import scenarios
from campaign.selectors import Anybody

BENCH_SIZES = (50, 100, 200, 300, 500)


def _choices() -> list[tuple[str, str]]:
    return [(one.slug, one.title) for one in scenarios()]


def _first() -> str:
    return scenarios()[0].slug


class OwnersForm(forms.Form):
    """A form that offers somebody his own sets of tables."""

    def __init__(self, owner: Anybody, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            if isinstance(field, forms.ModelChoiceField):
                field.queryset = shelf.own_tables(owner)


MODES = (
    (
        "orders",
        "by order sheets",
        "Each side writes its month; it runs when you say so, when all are ready, or at its hour.",
    ),
    ("live", "live", "Each side marches in its own turn, stack by stack, and sees its dice."),
    ("staff", "by the staff", "The computer’s staff plays both sides, and you look on."),
)
PLAYERS = (
    ("player", "a player, whom you invite by a link"),
    ("staff", "the computer’s staff"),
    ("me", "yourself"),
)


class NewCampaign(OwnersForm):
    """A new campaign: its scenario, how it is played and by whom, its dice, battles and tables."""

    scenario = forms.ChoiceField(choices=_choices, initial=_first, widget=forms.RadioSelect)
    title = forms.CharField(
        max_length=100,
        required=False,
        help_text="What your club calls it. Left empty, it has the scenario’s name.",
    )
    mode = forms.ChoiceField(
        choices=[(key, words) for key, words, _ in MODES],
        required=False,
        initial="orders",
        widget=forms.RadioSelect,
        label="It is played",
    )
    egyptian = forms.ChoiceField(choices=PLAYERS, required=False, label="The Egyptian side")
    mahdist = forms.ChoiceField(choices=PLAYERS, required=False, label="The Mahdist side")
    when_ready = forms.BooleanField(
        required=False, label="The month runs as soon as every seat is ready"
    )
    with_deadlines = forms.BooleanField(required=False, label="Months fall due")
    fog = forms.BooleanField(required=False, label="Fog of war")
    dice_by_hand = forms.BooleanField(required=False, label="Dice by hand")
    public = forms.BooleanField(required=False, label="Anybody may look on")
    battles = forms.ChoiceField(
        choices=ways,
        required=False,
        initial=TABLE,
        label="Battles are fought",
        help_text="The umpire may change it at any time, and choose again at each battle.",
    )
    tables = forms.ModelChoiceField(
        OwnTables.objects.none(),
        required=False,
        empty_label="as shipped",
        help_text="A campaign keeps the tables it begins with.",
    )

    def clean_mode(self) -> str:
        """How it is played; by the staff where nothing was said."""
        return str(self.cleaned_data["mode"] or Campaign.Mode.STAFF)

    def played_by(self, user: User) -> tuple[dict[str, User], list[str]]:
        """Who sits where from the beginning, and the sides that the staff plays."""
        given = {side.value: self.cleaned_data[side.value] for side in Side}
        mine = {side: user for side, who in given.items() if who == "me"}
        staff = [side for side, who in given.items() if who == "staff"]
        return {Seat.Role.UMPIRE.value: user, **mine}, staff


class NewBench(OwnersForm):
    """What to try on the balance bench: two sets of tables, a scenario, how many campaigns."""

    after = forms.ModelChoiceField(OwnTables.objects.none(), label="Your tables", empty_label=None)
    before = forms.ModelChoiceField(
        OwnTables.objects.none(), required=False, label="Against those", empty_label="as shipped"
    )
    scenario = forms.ChoiceField(choices=_choices)
    campaigns = forms.TypedChoiceField(
        coerce=int,
        choices=[(number, str(number)) for number in BENCH_SIZES],
        initial=100,
        label="Campaigns by each",
        help_text="Four times as many halve the error.",
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=1_000_000,
        initial=1,
        label="Dice number",
        help_text="The same number throws the same dice, and comes to the same.",
    )
