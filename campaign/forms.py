"""What people fill in."""

from typing import Any

from django import forms

from campaign.rules.scenario import scenarios


class NewCampaign(forms.Form):
    """A scenario and a title for a new campaign."""

    scenario = forms.ChoiceField(widget=forms.RadioSelect)
    title = forms.CharField(
        max_length=100,
        required=False,
        help_text="What your club calls it. Left empty, it has the scenario’s name.",
    )
    public = forms.BooleanField(required=False, label="Anybody may look on")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["scenario"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(one.slug, one.title) for one in scenarios()]
        field.initial = scenarios()[0].slug
