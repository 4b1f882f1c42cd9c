"""What people fill in."""

from django import forms

from campaign.rules.scenario import scenarios


def _choices() -> list[tuple[str, str]]:
    return [(one.slug, one.title) for one in scenarios()]


def _first() -> str:
    return scenarios()[0].slug


class NewCampaign(forms.Form):
    """A scenario and a title for a new campaign."""

    scenario = forms.ChoiceField(choices=_choices, initial=_first, widget=forms.RadioSelect)
    title = forms.CharField(
        max_length=100,
        required=False,
        help_text="What your club calls it. Left empty, it has the scenario’s name.",
    )
    public = forms.BooleanField(required=False, label="Anybody may look on")
