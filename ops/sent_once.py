"""Carry out once a form that is sent again while its first answer is awaited.

A script keeps a second press from sending a form for some seconds. A form whose answer takes
longer, or that is sent without scripts, arrives again; what it begins would then begin twice.
"""

import logging
import time
from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from importlib import import_module
from threading import Lock

from django.conf import settings
from django.contrib import messages
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

KNOWN_FOR = 60  # seconds in which a form that is sent again is known
PATIENCE = 5.0  # seconds to wait for the answer to the first, in one of a few threads
PAUSE = 0.1  # seconds
STILL_AT_IT = (
    "This form has been sent already, and is still being worked on. Look again in a minute, before "
    "you send it once more."
)
logger = logging.getLogger(__name__)
_CLAIMING = Lock()
View = Callable[..., HttpResponse]


def _cache_errors() -> tuple[type[Exception], ...]:
    if not settings.REDIS_URL:
        return (OSError,)
    return OSError, import_module("redis.exceptions").RedisError


def sent_once(view: View) -> View:
    """Decorate a view whose form begins something: sent again, it leads where it led at first.

    A form is known by the CSRF token of the page that it was on, which is another each time the
    page is shown, and by what was written into it. A form that was refused can be sent again.
    Visitors who have not logged in are not covered: the answer that they missed logs them in.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        key = _key_of(request)
        earlier = _earlier_answer(key) if key else None
        if earlier is not None:
            if not earlier:
                messages.info(request, STILL_AT_IT)
            return redirect(earlier or request.path)
        led_to = ""
        try:
            response = view(request, *args, **kwargs)
            led_to = response.get("Location", "")
            return response
        finally:
            if key:
                _remember(key, led_to)

    return answer


def _earlier_answer(key: str) -> str | None:
    """Return where the form led when it was sent before; None if it is sent for the first time.

    Waits while the first is being worked on, at last in vain: then the answer is "".
    """
    end = time.monotonic() + PATIENCE
    try:
        while not _claim(key):
            if earlier := cache.get(key):
                return str(earlier)
            if time.monotonic() > end:
                return ""
            time.sleep(PAUSE)
    except _cache_errors() as error:
        logger.warning("A form is not kept from being sent twice: %s", error)
    return None


def _claim(key: str) -> bool:
    """Return whether nobody has sent this form yet; it counts as sent from now on."""
    # A cache in files looks and writes in two steps; at home all threads are in one process.
    with _CLAIMING:
        return cache.add(key, "", KNOWN_FOR)


def _remember(key: str, led_to: str) -> None:
    """Remember where the form led, or that it was refused and may be sent again."""
    try:
        if led_to:
            cache.set(key, led_to, KNOWN_FOR)
        else:
            cache.delete(key)
    except _cache_errors() as error:
        logger.warning("A form is not kept from being sent twice: %s", error)


def _key_of(request: HttpRequest) -> str:
    """Return the key of a form by a user who has logged in; "" for anything else."""
    if request.method != "POST" or not request.user.is_authenticated:
        return ""
    if "csrfmiddlewaretoken" not in request.POST:
        return ""
    files = [(file.name, file.size) for _, sent in request.FILES.lists() for file in sent]
    form = (request.user.pk, request.path, sorted(request.POST.lists()), files)
    return f"sent:{sha256(repr(form).encode()).hexdigest()}"
