"""What each endpoint promises, method by method: the schema is drawn from it, and kept to."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypedDict, TypeVar, Unpack

import msgspec

from api.inputs import Input
from api.repeats import Handler, once

T = TypeVar("T")


class Listed(msgspec.Struct, Generic[T], frozen=True):
    """A list, whole."""

    results: tuple[T, ...]


class Paged(msgspec.Struct, Generic[T], frozen=True):
    """A list, a page at a time; `next` and `previous` are the addresses of its neighbours."""

    results: list[T]
    next: str | None
    previous: str | None


class Terms(TypedDict, total=False):
    """What may be said of an operation beside what it answers."""

    status: int
    takes: type[Input] | str | None
    also: Mapping[int, Any]
    problems: tuple[str, ...]
    once: bool
    match: bool
    media: str


@dataclass(frozen=True)
class Operation:
    """What a method answers, and on what terms.

    `answers` is a msgspec type, the name of a schema of `api.shapes`, or None for an answer without
    a body; `takes` is the body it wants, or the media type of one that is not JSON. `also` are
    further answers by status. `once`: it knows Idempotency-Key, and its method gives back what it
    has Done; `match`: it wants If-Match.
    """

    answers: Any
    status: int = 200
    takes: type[Input] | str | None = None
    also: Mapping[int, Any] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    once: bool = False
    match: bool = False
    media: str = "application/json"


def operation(answers: Any = None, **terms: Unpack[Terms]) -> Callable[[Handler], Handler]:
    """Say what a method answers; without `answers`, what its class names under that name."""

    def say(handler: Handler) -> Handler:
        told = once(handler) if terms.get("once") else handler
        told.operation = Operation(answers, **terms)  # type: ignore[attr-defined]
        return told

    return say


def promise_of(view: type, method: str) -> Operation:
    """What the endpoint promises of the method."""
    promise: Operation = getattr(view, method.lower()).operation
    if promise.answers is not None or promise.status == 204:
        return promise
    media = getattr(view, "media", promise.media)
    return replace(promise, answers=view.answers, media=media)  # type: ignore[attr-defined]
