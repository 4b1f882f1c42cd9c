"""Handlers by type: registered once, called by the exact type, extended without a trace."""

import pytest

from battles.core.rules_engine import Handlers, UnhandledType


class Event: ...


class Moved(Event): ...


class Fired(Event): ...


class FiredTwice(Fired): ...


def registry() -> Handlers[list[str], [str], int]:
    handlers = Handlers[list[str], [str], int]("tale")

    @handlers.on(Moved)
    def _moved(told: list[str], event: Moved, who: str) -> int:
        told.append(f"{who} moves")
        return len(told)

    @handlers.on(Fired)
    def _fired(told: list[str], event: Fired, who: str) -> int:
        told.append(f"{who} fires")
        return len(told)

    return handlers


def test_a_handler_is_called_with_subject_value_and_the_rest() -> None:
    told: list[str] = []
    assert registry()(told, Moved(), "he") == 1
    assert registry()(told, Fired(), "she") == 2
    assert told == ["he moves", "she fires"]


def test_a_type_without_a_handler_is_named_with_its_registry() -> None:
    with pytest.raises(UnhandledType, match="tale: nothing is registered for FiredTwice"):
        registry()([], FiredTwice(), "he")


def test_a_type_is_registered_once() -> None:
    with pytest.raises(ValueError, match="tale: Moved is registered twice"):

        @registry().on(Moved)
        def _again(told: list[str], event: Moved, who: str) -> int:
            return 0


def test_one_function_may_handle_several_types() -> None:
    handlers = Handlers[None, [], str]("names")

    @handlers.on(Moved, Fired)
    def _name(subject: None, event: Moved | Fired) -> str:
        return type(event).__name__

    @handlers.on(Event, FiredTwice)
    def _other(subject: None, event: object) -> str:
        return "other"

    assert [handlers(None, one) for one in (Moved(), Fired(), Event())] == [
        "Moved",
        "Fired",
        "other",
    ]


def test_an_extended_registry_replaces_handlers_of_its_own_alone() -> None:
    handlers = registry()
    more = handlers.extended()

    @more.on(Moved)
    def _runs(told: list[str], event: Moved, who: str) -> int:
        return 7

    assert more([], Moved(), "he") == 7
    assert handlers([], Moved(), "he") == 1
    assert more([], Fired(), "he") == 1
    with pytest.raises(ValueError, match="twice"):
        more.on(Moved)(_runs)


def test_a_registry_lists_its_types_in_order_and_knows_them() -> None:
    assert tuple(registry()) == (Moved, Fired)
    assert Moved in registry()
    assert FiredTwice not in registry()
