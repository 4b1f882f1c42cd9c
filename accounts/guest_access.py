"""Limit guests to reading what everybody reads and to changing what they play alone.

A guest may send a form only to the addresses named here; a new address is closed to guests until
it is added. Pages answer with the way to register, REST with a problem (`BrowserSession`).
"""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from accounts import guests
from battles.access.viewers import is_guest

SAFE = ("GET", "HEAD", "OPTIONS")
ALLOWED_WRITES = frozenset(
    {
        *("keeper-login", "keeper-logout"),
        *("login", "logout", "register", "forgotten-password", "renew-password", "mail"),
        *("fight-first-battle", "play-alone", "guide-step"),
        *("arrange", "advance", "plain-orders", "odds-of-order", "odds-of-battle", "leave-seat"),
        *("live-act", "live-staff", "fight-act", "fight-lead"),
        *("api:sheet", "api:sheet-check", "api:sheet-odds"),
        *("api:accounts", "api:tokens", "api:password-resets", "api:password-reset"),
    }
)
"""The names of the addresses to which a guest may send something.

Whether the thing named in the address is theirs is decided there, as for everybody.
"""
ACCOUNT_PAGES = frozenset(
    {
        *("new", "import", "new-tables", "benches", "compare", "new-battle", "throw-battle"),
        *("tokens", "webhooks", "my-mail", "password", "address", "take-address", "fight-join"),
        *("calendar", "workshop", "display-name", "push"),
    }
)
"""The names of the pages that need an account to be looked at."""
REGISTER_FIRST = "That needs an account. Register, and you keep everything you have played so far."


def is_closed_to_guests(method: str | None, name: str) -> bool:
    """Return whether a guest may not use this method of the address of that name."""
    if method in SAFE:
        return name in ACCOUNT_PAGES
    return name not in ALLOWED_WRITES


class GuestAccessMiddleware:
    """Middleware that leads guests to register where an account is needed."""

    def __init__(self, answer: Callable[[HttpRequest], HttpResponse]) -> None:
        self._answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._answer(request)

    def process_view(
        self, request: HttpRequest, view: Any, args: Any, kwargs: Any
    ) -> HttpResponse | None:
        """Redirect a guest to register, and back to the page that was asked for."""
        name = request.resolver_match.view_name if request.resolver_match else ""
        if name.startswith("api:") or not is_closed_to_guests(request.method, name):
            return None
        if not is_guest(request.user):
            return None
        messages.info(request, REGISTER_FIRST)
        query = urlencode({"next": request.path}) if request.method in SAFE else ""
        return redirect(f"{reverse('register')}?{query}" if query else reverse("register"))


def guest_context(request: HttpRequest) -> dict[str, Any]:
    """Return for templates whether the visitor is a guest, and the terms for guests."""
    return {
        "is_guest": SimpleLazyObject(lambda: hasattr(request, "user") and is_guest(request.user)),
        "guest_terms": guests.guest_terms(),
        "guests_admitted": guests.are_admitted(),
    }
