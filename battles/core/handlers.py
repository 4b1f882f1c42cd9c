"""Registries that choose a function by the type of an event, question or action."""

from collections.abc import Callable, Iterator
from typing import Concatenate, Generic, ParamSpec, TypeVar, overload

S = TypeVar("S")
K = TypeVar("K")
K2 = TypeVar("K2")
P = ParamSpec("P")
R = TypeVar("R")


class UnhandledType(LookupError):
    """A value of a type without a registered handler."""


class Handlers(Generic[S, P, R]):
    """Functions chosen by the exact type of the value they handle, and called as one function.

    A handler takes a subject, a value of its type, and any further arguments that `P` lists::

        evolve = Handlers[State, [], None]("evolve")

        @evolve.on(Moved)
        def _moved(state: State, event: Moved) -> None: ...

        evolve(state, event)

    `name` is the registry's name in error messages.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._handlers: dict[type, Callable[..., R]] = {}
        self._inherited: frozenset[type] = frozenset()

    @overload
    def on(
        self, kind: type[K], other: type[K2], /
    ) -> Callable[
        [Callable[Concatenate[S, K | K2, P], R]], Callable[Concatenate[S, K | K2, P], R]
    ]: ...

    @overload
    def on(
        self, *kinds: type[K]
    ) -> Callable[[Callable[Concatenate[S, K, P], R]], Callable[Concatenate[S, K, P], R]]: ...

    def on(self, *kinds: type) -> Callable[[Callable[..., R]], Callable[..., R]]:
        """Return a decorator that registers a function for these types and returns it unchanged.

        Raises ValueError for a type that has a handler already, unless it is inherited.
        """

        def register(handler: Callable[..., R]) -> Callable[..., R]:
            for kind in kinds:
                if kind in self._handlers and kind not in self._inherited:
                    raise ValueError(f"{self.name}: {kind.__name__} is registered twice")
                self._handlers[kind] = handler
            self._inherited -= set(kinds)
            return handler

        return register

    def extended(self) -> "Handlers[S, P, R]":
        """Return a copy of the registry whose handlers may be replaced."""
        copy: Handlers[S, P, R] = Handlers(self.name)
        copy._handlers = dict(self._handlers)
        copy._inherited = frozenset(self._handlers)
        return copy

    def __call__(self, subject: S, value: object, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the handler for the value's type. Raises UnhandledType when there is none."""
        try:
            handler = self._handlers[type(value)]
        except KeyError:
            kind = type(value).__name__
            raise UnhandledType(f"{self.name}: nothing is registered for {kind}") from None
        return handler(subject, value, *args, **kwargs)

    def __contains__(self, kind: object) -> bool:
        """Return whether a handler is registered for that type."""
        return kind in self._handlers

    def __iter__(self) -> Iterator[type]:
        """Yield the types in the order of registration."""
        return iter(self._handlers)
