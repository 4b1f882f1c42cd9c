"""Documents read as far as they fit: every wrong part is named, and the rest is kept."""

from typing import Annotated, Generic, Literal, TypeVar

import msgspec

from battles.core.validation import PartialReader, WrongPart

T = TypeVar("T")


class Circle(msgspec.Struct, frozen=True, tag="circle", tag_field="type"):
    radius: Annotated[int, msgspec.Meta(ge=1)]


class Square(msgspec.Struct, frozen=True, tag="square", tag_field="type"):
    side: int


class Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    title: str
    shape: Annotated[tuple[Circle | Square, ...], msgspec.Meta(min_length=1)]
    ink: Literal["red", "black"] | None = None
    counts: dict[Literal["a", "b"], int] = {}


class Pile(msgspec.Struct, Generic[T], frozen=True):
    on_it: tuple[T, ...]


def test_what_fits_has_no_fault() -> None:
    reader = PartialReader()
    read = reader.read({"title": "One", "shape": [{"type": "square", "side": 2}]}, Sheet)
    assert read == Sheet(title="One", shape=(Square(2),))
    assert reader.wrong == []


def test_every_wrong_part_is_named_and_the_rest_is_kept() -> None:
    reader = PartialReader()
    read = reader.read(
        {
            "shape": [
                {"type": "circle", "radius": 0},
                {"type": "square", "side": 3},
                {"type": "star"},
                {"type": "circle"},
                {"type": "circle", "radius": 4},
            ],
            "ink": "green",
            "counts": {"a": 1, "c": 2, "b": "many"},
            "more": True,
        },
        Sheet,
    )
    assert [part.where for part in reader.wrong] == [
        "$",
        "$.shape[0].radius",
        "$.shape[2].type",
        "$.shape[3].radius",
        "$.ink",
        "$.counts",
        "$.counts.b",
        "$.title",
    ]
    assert WrongPart("$.shape[0].radius", "`radius` must be at least 1", "raise it") in reader.wrong
    assert read == Sheet(title="", shape=(Square(3), Circle(4)), counts={"a": 1})
    assert reader.original("$.shape[1].radius") == "$.shape[4].radius"
    assert reader.original("$.title") == "$.title"


def test_a_list_that_is_too_short_is_wrong_as_a_whole() -> None:
    reader = PartialReader()
    assert reader.read({"title": "None", "shape": []}, Sheet).shape == ()
    assert [part.where for part in reader.wrong] == ["$.shape"]


def test_a_generic_form_is_read_by_its_parameter() -> None:
    reader = PartialReader()
    found = reader.read(
        {"on_it": [{"type": "square", "side": 1}, {"type": "square"}]}, Pile[Square]
    )
    assert found.on_it == (Square(1),)
    assert [part.where for part in reader.wrong] == ["$.on_it[1].side"]
