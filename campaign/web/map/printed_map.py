"""Serve the printed map under a URL with its hash, cacheable for ever."""

import re
from functools import cache

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from campaign.cartography import base_digest, base_map
from campaign.rules.map import sudan

A_YEAR = 365 * 24 * 3600  # seconds
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""The content security policy: the drawing needs only its own style sheet."""


@require_safe
@cache_control(public=True, max_age=A_YEAR, immutable=True)
def printed_map_view(request: HttpRequest, digest: str) -> HttpResponse:
    if digest != base_digest(sudan()):
        raise Http404("This sheet of the map has been superseded by another.")
    return HttpResponse(
        base_map(sudan()),
        content_type="image/svg+xml",
        headers={"Content-Security-Policy": POLICY},
    )


def address() -> str:
    """Return the URL of the map."""
    return reverse("sheet", args=[base_digest(sudan())])


@cache
def extent() -> tuple[str, ...]:
    """Return west, north, width and height of the map in its own units."""
    found = re.search(r'viewBox="([-\d ]+)"', base_map(sudan()))
    return tuple(found[1].split()) if found else ()
