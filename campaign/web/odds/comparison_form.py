"""The form to have a battle fought by every book, and the dice number of all such runs."""

from typing import TYPE_CHECKING, Any

from django import forms

from battles.contract import Brief
from battles.contract.brief_files import find_ready_battle, read_brief
from battles.core.tables import Source, TableError
from battles.web.battle_cards import ready_battle_choices
from campaign.services.jobs.comparisons import ComparisonTerms

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile

SIZES = (20, 100, 200, 500)
LARGEST_BRIEF = 200_000  # bytes


class DiceNumberField(forms.IntegerField):
    """The number from which the dice of a bench, a ladder or a comparison come."""

    def __init__(self) -> None:
        super().__init__(
            min_value=0,
            max_value=1_000_000,
            initial=1,
            label="Dice number",
            help_text="The same number gives the same dice and the same result.",
        )


class NewComparisonForm(forms.Form):
    """The form for a comparison; with a `brief` brief it asks for none."""

    battle = forms.ChoiceField(choices=ready_battle_choices, label="Battle")
    brief = forms.FileField(
        required=False,
        label="Or one of your own",
        help_text="A TOML file that says who meets whom, and where.",
    )
    each = forms.TypedChoiceField(
        coerce=int,
        choices=[(number, str(number)) for number in SIZES],
        initial=100,
        label="Battles by each book",
        help_text="Four times as many battles halve the error.",
    )
    seed = DiceNumberField()

    def __init__(self, brief: Brief | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.known = brief
        if brief is not None:
            del self.fields["battle"], self.fields["brief"]

    def clean_brief(self) -> Brief | None:
        """Return the brief in the file; None without one."""
        file: UploadedFile[Any] | None = self.cleaned_data["brief"]
        if file is None:
            return None
        if (file.size or 0) > LARGEST_BRIEF:
            raise forms.ValidationError(f"A brief has {LARGEST_BRIEF} bytes at most.")
        try:
            source = Source(file.name or "brief.toml", file.read().decode("utf-8"))
            return read_brief(source).brief
        except (TableError, UnicodeDecodeError) as error:
            raise forms.ValidationError(str(error)) from error

    def wish(self) -> ComparisonTerms:
        """Return the comparison to make; a file takes precedence over the list."""
        data = self.cleaned_data
        battles_each, seed = data["each"], data["seed"]
        own = self.known or data["brief"]
        if own is not None:
            return ComparisonTerms(own, battles_each, seed=seed)
        chosen = find_ready_battle(data["battle"])
        if chosen is None:
            raise ValueError(f"There is no battle {data['battle']!r}.")
        return ComparisonTerms(chosen.brief, battles_each, chosen.slug, seed)
