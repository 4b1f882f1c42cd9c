"""Forms of the umpire's console."""

from typing import Any

from django import forms

from battles.contract.brief import Side
from campaign.services.journal import creation
from campaign.services.turns.timetable import LONGEST_MONTH, Policy, PolicyError, check_policy

ZONES = (
    "Europe/London", "Europe/Dublin", "Europe/Lisbon", "Europe/Paris", "Europe/Berlin",
    "Europe/Rome", "Europe/Warsaw", "Europe/Athens", "Africa/Cairo", "Africa/Khartoum",
    "Africa/Johannesburg", "Asia/Jerusalem", "Asia/Dubai", "Asia/Kolkata", "Asia/Singapore",
    "Asia/Tokyo", "Australia/Perth", "Australia/Sydney", "Pacific/Auckland", "America/Halifax",
    "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles",
    "America/Sao_Paulo", "UTC",
)  # fmt: skip
NO_SHOWS = (
    ("hold", "the month waits, and the umpire is notified"),
    ("staff", "the computer’s staff plays their month, and it runs"),
)
_HOURS = [(hour, f"{hour:02d}:00") for hour in range(24)]


class DeadlinesForm(forms.Form):
    """The form for deadlines, and for what happens to late seats."""

    days = forms.IntegerField(
        min_value=1, max_value=LONGEST_MONTH, initial=Policy().days, label="Days to a month"
    )
    hour = forms.TypedChoiceField(coerce=int, choices=_HOURS, initial=Policy().hour, label="Due at")
    zone = forms.CharField(
        max_length=60,
        initial=Policy().zone,
        label="By the clock of",
        widget=forms.TextInput(attrs={"list": "zones", "autocomplete": "off"}),
        help_text="A time zone by its name, such as Africa/Khartoum.",
    )
    reminder_hours = forms.IntegerField(
        min_value=0, max_value=LONGEST_MONTH * 24, initial=Policy().reminder_hours, label="Reminder"
    )
    grace_hours = forms.IntegerField(
        min_value=0, max_value=LONGEST_MONTH * 24, initial=Policy().grace_hours, label="Grace"
    )
    extension_ceiling_hours = forms.IntegerField(
        min_value=0,
        max_value=LONGEST_MONTH * 24,
        initial=Policy().extension_ceiling_hours,
        label="Extensions, in all",
    )
    no_show = forms.ChoiceField(choices=NO_SHOWS, label="When somebody has sent nothing by then")

    zones = ZONES

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if not self.errors:
            try:
                check_policy(self.policy())
            except PolicyError as error:
                self.add_error("zone", str(error))
        return data

    def policy(self) -> Policy:
        """Return the deadline policy."""
        return Policy(**{name: self.cleaned_data[name] for name in Policy.__struct_fields__})


class ReasonForm(forms.Form):
    """A form with a reason, which everybody who sees the campaign can read."""

    reason = forms.CharField(max_length=300, label="Reason")


class ExtensionForm(ReasonForm):
    """The form to extend a deadline; `seen` are the minutes of earlier extensions.

    `seen` is a precondition: a form sent twice extends once.
    """

    hours = forms.IntegerField(min_value=1, max_value=LONGEST_MONTH * 24, initial=24)
    seen = forms.IntegerField(widget=forms.HiddenInput)


class FacesForm(forms.Form):
    """The form for dice thrown by hand."""

    faces = forms.RegexField(
        r"^[0-9 ,;]+$",
        max_length=200,
        error_messages={"invalid": "Give the dice as they were thrown, such as 3 5 1."},
    )
    expected = forms.IntegerField(widget=forms.HiddenInput, required=False)

    def clean_faces(self) -> tuple[int, ...]:
        """Return the dice one by one."""
        return faces_in(self.cleaned_data["faces"])


def faces_in(text: str) -> tuple[int, ...]:
    """Return the dice in a line of figures: `3 5 1` or `3, 5, 1`."""
    words = text.replace(",", " ").replace(";", " ").split()
    return tuple(int(word) for word in words)


class EndingForm(ReasonForm):
    """The form to end a campaign."""

    winner = forms.ChoiceField(
        choices=[
            ("", "nobody: it is drawn"),
            *((side.value, f"the {side.value.capitalize()} side") for side in Side),
        ],
        required=False,
        label="Won by",
    )


DELAYS = [
    *((months, "one month" if months == 1 else f"{months} months") for months in creation.DELAYS),
    (creation.NEVER, "when the campaign is over"),
]
"""The delays of the public, with their words."""


class AccountForm(forms.Form):
    """The form that names an account."""

    username = forms.CharField(max_length=150, label="Name of the account")


class BundleForm(forms.Form):
    """The form to upload a campaign file."""

    file = forms.FileField(
        label="The file", help_text="The file that Export on a console downloads."
    )
    slug = forms.SlugField(
        max_length=50,
        required=False,
        label="Short name",
        help_text="For its address here. Left empty, it is the one in the file, with a number if "
        "another campaign has it.",
        error_messages={"invalid": "Write it in letters, digits and hyphens, without spaces."},
    )
    public = forms.BooleanField(required=False, label="Public: anyone may watch")
