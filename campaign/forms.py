"""What people fill in."""

from typing import Any

from django import forms

from campaign import shelf
from campaign.battle_forms import ways
from campaign.models import OwnTables
from campaign.rules.scenario import scenarios
from campaign.rules.state import TABLE
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


class NewCampaign(OwnersForm):
    """A scenario and a title for a new campaign, and the tables it is played by."""

    scenario = forms.ChoiceField(choices=_choices, initial=_first, widget=forms.RadioSelect)
    title = forms.CharField(
        max_length=100,
        required=False,
        help_text="What your club calls it. Left empty, it has the scenario’s name.",
    )
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
