"""Write an hour in one way on every page and in every mail: with its time zone.

`hours.js` then shows the hours of a page in the reader's own time zone.
"""

from datetime import UTC, datetime

from django import template
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

from campaign.models import Campaign
from campaign.services.turns import timetable

register = template.Library()
WEEKDAY = "weekday"
FORMATS = {"": "j F Y, H:i", "seconds": "j F Y, H:i:s", WEEKDAY: "l j F Y, H:i"}


@register.filter
def hour_in_words(moment: datetime, form: str = "") -> str:
    """Return a moment in words: `4 June 2026, 20:00 UTC`.

    The form `weekday` puts `Thursday` in front, and `seconds` adds them.
    """
    return f"{date_format(moment.astimezone(UTC), FORMATS[form])} UTC"


@register.simple_tag
def hour(moment: datetime, form: str = "") -> SafeString:
    """Return the element of a moment, which says it in UTC until a script says it in local time."""
    return _element(moment, form, hour_in_words(moment, form))


@register.simple_tag
def due_hour(moment: datetime, zone: str) -> SafeString:
    """Return the element of a deadline, which says it in the campaign's zone at first."""
    return _element(moment, WEEKDAY, timetable.local_time_text(moment, zone))


@register.simple_tag
def due_sentence(campaign: Campaign) -> str:
    """Return when the campaign's orders are due as a sentence; empty without deadlines."""
    due, policy = timetable.due_now(campaign), timetable.policy_of(campaign)
    if due is None or policy is None:
        return timetable.due_notice(campaign)
    return format_html("Due on {}.", due_hour(due, policy.zone))


def _element(moment: datetime, form: str, words: str) -> SafeString:
    element = '<time datetime="{}" data-hour="{}">{}</time>'
    return format_html(element, moment.isoformat(timespec="seconds"), form, words)
