"""Carry out once a form that is sent again, and answer it as it was answered at first.

A script keeps a second press from sending a form for some seconds. A form whose answer takes
longer, or that is sent without scripts, arrives again; what it begins would then begin twice.
"""

import logging
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from http import HTTPStatus
from importlib import import_module
from threading import Lock
from typing import NamedTuple

import msgspec
from cryptography.fernet import Fernet
from django.conf import settings
from django.contrib import messages
from django.contrib.messages.storage.base import BaseStorage
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
TOKEN = "csrfmiddlewaretoken"  # noqa: S105  the name of the field
logger = logging.getLogger(__name__)
_CLAIMING = Lock()
View = Callable[..., HttpResponse]


class KeptAnswer(NamedTuple):
    """The answer to a form, its messages, and the session, if the form began it."""

    status: int
    headers: dict[str, str]
    content: bytes
    said: list[tuple[int, str]]
    session: str


def _cache_errors() -> tuple[type[Exception], ...]:
    if not settings.REDIS_URL:
        return (OSError,)
    return OSError, import_module("redis.exceptions").RedisError


def sent_once(view: View) -> View:
    """Decorate a view whose form begins something: sent again, it has the answer it had at first.

    A form is known by the CSRF token of the page that it was on, which is another each time the
    page is shown, and by what was written into it. A form that was refused can be sent again. A
    visitor whom the form has logged in is logged in by the second answer too: browsers drop the
    first. An answer may have a secret that is shown once, so the cache has it encrypted, by a key
    that only the form has.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        key = _key_of(request)
        if not key:
            return view(request, *args, **kwargs)
        earlier = _earlier_answer(key)
        if earlier is not None:
            return _answer_again(request, earlier)
        kept = b""
        is_nobody = not request.user.is_authenticated
        try:
            response = view(request, *args, **kwargs)
            if response.status_code < HTTPStatus.BAD_REQUEST:
                kept = _keep(request, response, with_session=is_nobody)
            return response
        finally:
            _remember(key, kept)

    return answer


def _keep(request: HttpRequest, response: HttpResponse, *, with_session: bool) -> bytes:
    """Return the answer encrypted; with the session if somebody was logged in."""
    session = ""
    if with_session and request.user.is_authenticated:
        request.session.save()
        session = request.session.session_key or ""
    status, headers = response.status_code, dict(response.items())
    answer = KeptAnswer(status, headers, response.content, _messages_of(request), session)
    return _cipher(request).encrypt(msgspec.msgpack.encode(answer))


def _answer_again(request: HttpRequest, earlier: bytes) -> HttpResponse:
    """Return the answer to the form when it was sent before."""
    if not earlier:
        messages.info(request, STILL_AT_IT)
        return redirect(request.path)
    answer = msgspec.msgpack.decode(_cipher(request).decrypt(earlier), type=KeptAnswer)
    if answer.session:
        request.session = type(request.session)(answer.session)
        request.session.modified = True  # the answer sets its cookie
    for level, words in answer.said:
        if (level, words) not in _messages_of(request):
            messages.add_message(request, level, words)
    return HttpResponse(answer.content, status=answer.status, headers=answer.headers)


def _messages_of(request: HttpRequest) -> list[tuple[int, str]]:
    """Return the messages that the next page shows, and leave them to it."""
    storage = messages.get_messages(request)
    found = [(message.level, str(message.message)) for message in storage]
    if isinstance(storage, BaseStorage):
        storage.used = False
    return found


def _cipher(request: HttpRequest) -> Fernet:
    secret = sha256(f"the answer to {request.POST[TOKEN]}".encode())
    return Fernet(urlsafe_b64encode(secret.digest()))


def _earlier_answer(key: str) -> bytes | None:
    """Return the answer when the form was sent before; None if it is sent for the first time.

    Waits while the first is being worked on, at last in vain: then the answer is empty.
    """
    end = time.monotonic() + PATIENCE
    try:
        while not _claim(key):
            if earlier := cache.get(key):
                return bytes(earlier)
            if time.monotonic() > end:
                return b""
            time.sleep(PAUSE)
    except _cache_errors() as error:
        logger.warning("A form is not kept from being sent twice: %s", error)
    return None


def _claim(key: str) -> bool:
    """Return whether nobody has sent this form yet; it counts as sent from now on."""
    # A cache in files looks and writes in two steps; at home all threads are in one process.
    with _CLAIMING:
        return cache.add(key, b"", KNOWN_FOR)


def _remember(key: str, answer: bytes) -> None:
    """Remember the answer to the form, or that it was refused and may be sent again."""
    try:
        if answer:
            cache.set(key, answer, KNOWN_FOR)
        else:
            cache.delete(key)
    except _cache_errors() as error:
        logger.warning("A form is not kept from being sent twice: %s", error)


def _key_of(request: HttpRequest) -> str:
    """Return the key of a form; "" for anything else."""
    if request.method != "POST" or TOKEN not in request.POST:
        return ""
    files = [(file.name, file.size) for _, sent in request.FILES.lists() for file in sent]
    form = (request.user.pk, request.path, sorted(request.POST.lists()), files)
    return f"sent:{sha256(repr(form).encode()).hexdigest()}"
