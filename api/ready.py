"""The short way: what lies ready is handed out before anything else is looked at."""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any, ClassVar

from csp.utils import build_policy
from django.conf import settings
from django.db import DatabaseError, close_old_connections
from django.http import Http404, HttpRequest, HttpResponseBase
from django.urls import ResolverMatch, resolve

from api.answers import Document, at_once
from sirdar import logs

_UNUSUAL = ("HTTP_IF_MATCH", "QUERY_STRING")
_PLACE = "/api/v1/"
_HAND_OUT = "hand_out"
KNOWN = 1024
"""Addresses of which a process remembers whose they are."""
Answering = Callable[[HttpRequest], HttpResponseBase]
Finding = Callable[[HttpRequest, Mapping[str, Any]], HttpResponseBase | None]


class Ready:
    """An endpoint whose GET may be answered at once, with what `ready` finds.

    Where it finds nothing, or the request is not the plain one, the endpoint answers as any
    other does: it authenticates, counts and checks.
    """

    ready_headers: ClassVar[Mapping[str, str]]

    @classmethod
    def ready(cls, request: HttpRequest, *args: Any, **kwargs: Any) -> Document | None:
        """The answer that lies ready for whoever asks, if there is one that he may have."""
        raise LookupError(f"{cls.__name__} has nothing ready")

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Callable[..., HttpResponseBase]:
        view: Any = super().as_view(**initkwargs)  # type: ignore[misc]
        media = cls.renderer_classes[0].media_type  # type: ignore[attr-defined]
        setattr(view, _HAND_OUT, partial(_at_once, cls, media))
        return view


def _at_once(
    endpoint: type[Ready], media: str, request: HttpRequest, asked: Mapping[str, Any]
) -> HttpResponseBase | None:
    found = endpoint.ready(request, **asked) if _is_plain(request, media) else None
    return None if found is None else at_once(request, found, endpoint.ready_headers, media)


class ShortWay:
    """Middleware that hands out what lies ready; everybody else goes on to what stands below it.

    Who may have it has been asked by then, by one question to the database. Nothing that stands
    below has a say in such an answer: it needs no session and sets no cookie.
    """

    def __init__(self, go_on: Answering) -> None:
        self._go_on = go_on
        self._headers = {
            "Content-Security-Policy": build_policy(),
            "X-Frame-Options": settings.X_FRAME_OPTIONS,
        }

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        found = self._found(request)
        if found is None:
            return self._go_on(request)
        for name, value in self._headers.items():
            found.headers[name] = value
        return found

    def _found(self, request: HttpRequest) -> HttpResponseBase | None:
        """What lies ready; nothing where the database cannot say for whom: the long way asks again,
        on a connection of its own where this one is broken, and tells of it."""
        match = _match(request.path_info)
        if match is None:
            return None
        hand_out: Finding = getattr(match.func, _HAND_OUT)
        try:
            found = hand_out(request, match.kwargs)
        except DatabaseError:
            close_old_connections()
            return None
        if found is not None:
            _note(request, match)
        return found


@lru_cache(maxsize=KNOWN)
def _match(path: str) -> ResolverMatch | None:
    """The endpoint of that address, if it is one that may have something ready."""
    if not path.startswith(_PLACE):
        return None
    try:
        match = resolve(path)
    except Http404:
        return None
    return match if hasattr(match.func, _HAND_OUT) else None


def _note(request: HttpRequest, match: ResolverMatch) -> None:
    """What the log and the metrics say of it. Raises DisallowedHost for a name we have not."""
    request.get_host()
    request.resolver_match = match
    setattr(request, logs.HANDED_OUT, True)
    if "slug" in match.kwargs:
        logs.knows(campaign=str(match.kwargs["slug"]))


def _is_plain(request: HttpRequest, media: str) -> bool:
    """Whether it reads, without conditions or parameters, in the form that is sent anyway."""
    asked = request.META
    if request.method != "GET" or any(asked.get(name) for name in _UNUSUAL):
        return False
    return _suits(asked.get("HTTP_ACCEPT", "*/*"), media)


@lru_cache(maxsize=256)
def _suits(accept: str, media: str) -> bool:
    """Whether the first that is accepted is that media type, or anything."""
    return accept.partition(",")[0].strip().lower() in {"*/*", media}
