"""Say at the end of an error what to send instead, as the address and its view take it."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.urls import Resolver404, resolve
from rest_framework.request import Request

if TYPE_CHECKING:
    from rest_framework.views import APIView  # which imports this module, by the settings


def describe_remedy(type_: str, detail: str, request: Request, view: "APIView") -> str:
    """Return a sentence, after a space, on what to send instead; nothing where there is no more.

    `type_` is the type of the problem, `detail` what it says so far.
    """
    match type_:
        case "method-not-allowed":
            return f" This address takes {', '.join(view.allowed_methods)}."
        case "not-acceptable":
            offered = _listed(renderer.media_type for renderer in view.get_renderers())
            return f" Offered here: {offered}. Ask for that in `Accept`, or leave `Accept` out."
        case "unsupported-media-type":
            read = _listed(parser.media_type for parser in view.get_parsers())
            send = "-d '{...}'" if "json" in read else "--data-binary @FILE"
            return (
                f" This address reads {read}: send the header `Content-Type: {read}` with the "
                f"body, by curl with -H 'Content-Type: {read}' {send}."
            )
        case "precondition-failed" | "precondition-required":
            address = _versioned_address(request, view)
            return f" The present version is the `ETag` of GET {address}: send it in `If-Match`."
        case "not-found":
            address = _list_around(request, detail)
            return f" GET {address} lists those that you may see." if address else ""
    return ""


def _listed(media_types: Iterable[str]) -> str:
    return " or ".join(dict.fromkeys(media_types))


def _versioned_address(request: Request, view: "APIView") -> str:
    """Return the address whose ETag a write names: its own, or that of which it is a part."""
    if hasattr(view, "get"):
        return str(request.path)
    parent, _, _ = request.path.rstrip("/").rpartition("/")
    return f"{parent}/"


def _list_around(request: Request, detail: str) -> str:
    """Return the address of the list to which the part that the error names should belong."""
    values = list(request.resolver_match.kwargs.values()) if request.resolver_match else []
    named = (
        value
        for value in reversed(values)
        if re.search(rf"(?<![\w-]){re.escape(str(value))}(?![\w-])", detail)
    )
    if (value := next(named, None)) is None:
        return ""
    before, _, after = request.path.rpartition(f"/{value}/")
    return f"{before}/" if _is_read(request.path_info.removesuffix(f"{value}/{after}")) else ""


def _is_read(path: str) -> bool:
    """Return whether the path is that of an endpoint with GET."""
    try:
        match = resolve(path)
    except Resolver404:
        return False
    return hasattr(getattr(match.func, "view_class", None), "get")
