"""What is printed on the counters: one pictogram to an arm, and the marks a unit may carry.

A pictogram is drawn in a box 60 wide and 36 high round (0, 0), in lines and in solid parts.
"""

from battles.contract.troops import Kind
from battles.drawing.pen import element, path

BOX = "M-27-16h54v32h-54z"
CAMEL = (
    "M-27-8l4-6 6 2c3 5 1 11 5 12 5-6 5-15 13-15 8 0 8 11 14 13 4 2 5 5 5 8l2 11h-4l-4-9-2 9h-4"
    "l-1-10c-4 2-10 2-14 0v10h-4l-2-9-2 9h-4v-13c-5-1-7-6-6-12z"
)
HULL = "M-28 5h56l-6 10h-43z"

LINES = {
    Kind.INFANTRY: BOX + "M-27-16l54 32M27-16l-54 32",
    Kind.SPEARS: "M-22 16L19-13M22 16L-19-13",
    Kind.CAVALRY: BOX + "M-27 16l54-32",
    Kind.CAMEL_CORPS: "M-28 17L28-17",
    Kind.GUN: "M-4-5a10 10 0 1 0 .1 0M-4-5v20M-14 5h20M-11-2l14 14M-11 12l14-14M-8 10l-19 6",
    Kind.ENGINEERS: BOX + "M-15 9v-16h30v16M0 9v-16",
    Kind.NAVAL: "M0-9v24M-10-5h20M-15 4c1 8 8 11 15 11s14-3 15-11",
    Kind.SUPPLY: "M0-17l25 31h-50zM0-17v-3",
    Kind.CAMEL: "",
    Kind.CIVILIANS: "",
    Kind.LEADER: "M-20 18v-36",
    Kind.BOAT: "M-2 6v-22",
    Kind.GUNBOAT: "M17-2v-15M-24-3h48",
    Kind.FLEET: "M-15 4v-20M13 4v-20M-23-10h16M5-10h16M-21-3h12M7-3h12",
}
SOLIDS = {
    Kind.INFANTRY: "",
    Kind.SPEARS: "M19-13l8-5-3 8zM-19-13l-8-5 3 8zM0-9a9 11 0 1 0 .1 0z",
    Kind.CAVALRY: "",
    Kind.CAMEL_CORPS: CAMEL,
    Kind.GUN: "M-13-4l40-10 1 4-39 11z",
    Kind.ENGINEERS: "",
    Kind.NAVAL: "M0-17a4 4 0 1 0 .1 0zM-19 7l2-8 7 5zM19 7l-2-8-7 5z",
    Kind.SUPPLY: "M0-6l7 20h-14z",
    Kind.CAMEL: CAMEL + "M-8-18h14v7h-14z",
    Kind.CIVILIANS: (
        "M-18-11a5 5 0 1 0 .1 0zM-24 16l1-13q5-4 10 0l1 13zM0-16a5.500 5.500 0 1 0 .1 0z"
        "M-7 16l1-17q6-4 12 0l1 17zM18-6a4 4 0 1 0 .1 0zM13 16l1-10q4-3 8 0l1 10z"
    ),
    Kind.LEADER: "M-20-17h42l-10 10 10 10h-42z",
    Kind.BOAT: "M-25 6h50l-8 10h-34zM-17 3l16-19 14 19z",
    Kind.GUNBOAT: HULL + "M-13-18h8v14h-8zM-24-2h18v6h-18zM-5 5a9 10 0 0 1 18 0zM18-17l9 3-9 3z",
    Kind.FLEET: HULL + "M-5-13h7v17h-7z",
}


def symbol_id(kind: Kind) -> str:
    """The id its pictogram is used by."""
    return f"u-{kind.replace(' ', '-')}"


def pictogram(kind: Kind, **attributes: str | int | None) -> str:
    """The pictogram of an arm, to be placed as a group."""
    parts = (path(LINES[kind], "sign") if LINES[kind] else "") + (
        path(SOLIDS[kind], "solid") if SOLIDS[kind] else ""
    )
    return element("g", parts, **attributes)


def arms() -> str:
    """The pictogram of every arm, to be used by its id."""
    return "".join(pictogram(kind, id=symbol_id(kind)) for kind in Kind)


def card() -> str:
    """Half an inch of card, 76 wide and high round (0, 0)."""
    return path("M-33-38h66l5 5v66l-5 5h-66l-5-5v-66z", "card")


def card_symbol() -> str:
    """The card, to be used by its id."""
    return element("g", card(), id="u-card")


def flag_symbol() -> str:
    """A small flag whose staff stands on (0, 0)."""
    return element(
        "g",
        path("M0 0v-46", "staff"),
        path("M1-45h32l-7 9 7 9h-32z", "bunting"),
        id="u-flag",
    )


def disrupted() -> str:
    """A shaken unit's mark: a triangle with a stroke that breaks off."""
    return path("M0-15l16 28h-32z", "alarm") + path("M0-5v8M0 7v3", "alarm-stroke")


def disrupted_symbol() -> str:
    """The mark, to be used by its id."""
    return element("g", disrupted(), id="u-disrupted")
