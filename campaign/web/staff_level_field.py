"""The choice of how strong the computer's staff plays, in every form that begins a campaign."""

from typing import NamedTuple

from django import forms

from campaign.staff.levels import TEXTS, Level, LevelText


class StaffLevelRow(NamedTuple):
    """A level as a page offers it: its value, its words, and whether it is chosen."""

    value: str
    text: LevelText
    is_chosen: bool


class StaffLevelField(forms.ChoiceField):
    """A choice of level; that of a club player without one."""

    def __init__(self) -> None:
        super().__init__(
            choices=[(level.value, text.title) for level, text in TEXTS.items()],
            required=False,
            initial=Level.CLUB.value,
            widget=forms.RadioSelect,
            label="The computer’s staff plays as",
        )

    def clean(self, value: object) -> str:
        """Return the level that is chosen."""
        return str(super().clean(value)) or Level.CLUB.value


def staff_levels(field: forms.BoundField) -> list[StaffLevelRow]:
    """Return the levels with their words, for radio buttons."""
    chosen = field.value() or Level.CLUB.value
    return [StaffLevelRow(level.value, text, level == chosen) for level, text in TEXTS.items()]
