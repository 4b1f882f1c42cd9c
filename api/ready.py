"""The short way: what lies ready is handed out before anything else is looked at."""

from collections.abc import Callable, Mapping
from functools import lru_cache, update_wrapper
from typing import Any, ClassVar

from django.http import HttpRequest, HttpResponseBase

from api.answers import Document, at_once

_UNUSUAL = ("HTTP_IF_MATCH", "QUERY_STRING")


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
        slow = super().as_view(**initkwargs)  # type: ignore[misc]
        media = cls.renderer_classes[0].media_type  # type: ignore[attr-defined]

        def view(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if _is_plain(request, media):
                found = cls.ready(request, **kwargs)
                if found is not None:
                    return at_once(request, found, cls.ready_headers, media)
            answer: HttpResponseBase = slow(request, *args, **kwargs)
            return answer

        return update_wrapper(view, slow)


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
