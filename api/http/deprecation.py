"""Announce the end of an operation: the headers Deprecation (RFC 9745) and Sunset (RFC 8594)."""

from datetime import UTC, date, datetime
from typing import NamedTuple

from django.http import HttpResponseBase
from django.utils.http import http_date


class Deprecation(NamedTuple):
    """The day on which an operation was deprecated, and the first day on which it may be gone."""

    since: date
    sunset: date
    instead: str
    """The operation to use instead, such as `PATCH /api/v1/campaigns/{slug}/`."""

    def announce(self, response: HttpResponseBase, policy: str) -> None:
        """Add the headers to the response; `policy` is the address that explains them."""
        response["Deprecation"] = f"@{_seconds(self.since)}"
        response["Sunset"] = http_date(_seconds(self.sunset))
        response["Link"] = f'<{policy}>; rel="deprecation"; type="text/html"'


def _seconds(day: date) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp())
