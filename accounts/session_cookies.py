"""Keep the cookie of a new session from the answer to a request of the session before."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth.signals import user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse


class SessionCookieMiddleware:
    """Middleware that deletes the session cookie in the answer to a log-out alone.

    Django deletes it in every answer to a request whose session has ended. A page that is open in
    another tab may send such a request while its user logs in: its answer, coming after that to the
    log-in, would take the new cookie away, and both tabs would be logged out. The cookie of a
    session that has ended opens nothing, and the next log-in replaces it.
    """

    def __init__(self, answer: Callable[[HttpRequest], HttpResponse]) -> None:
        self._answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._answer(request)
        cookie = response.cookies.get(settings.SESSION_COOKIE_NAME)
        if cookie is not None and not cookie.value and not hasattr(request, "logged_out_user"):
            del response.cookies[settings.SESSION_COOKIE_NAME]
        return response


@receiver(user_logged_out)
def note_log_out(request: HttpRequest, user: Any, **_: Any) -> None:
    """Note on the request that it logs its user out."""
    request.logged_out_user = user  # type: ignore[attr-defined]
