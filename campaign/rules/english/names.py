"""What sides, leaders, hexes, railways and dates are called."""

from collections.abc import Iterable
from functools import cache

from campaign.rules.board import scenario_of
from campaign.rules.english.words import in_words, listed
from campaign.rules.map import HexId, PlaceClass, sudan
from campaign.rules.pieces import Month, Nation, Side, month_name
from campaign.rules.state import OFF_MAP, State

_SIDES = {Side.EGYPTIAN: "the Egyptian side", Side.MAHDIST: "the Mahdists"}
_TURNS = {Side.EGYPTIAN: "Egyptian", Side.MAHDIST: "Mahdist"}

_ADJECTIVES = {
    Nation.EGYPTIAN: "Egyptian",
    Nation.BRITISH: "British",
    Nation.INDIAN: "Indian",
    Nation.AUSTRALIAN: "Australian",
    Nation.MAHDIST: "Mahdist",
}

_LEADERS = {
    "Gordon": "General Gordon",
    "J. Stewart": "Colonel J. Stewart",
    "Wolseley": "Lord Wolseley",
    "H. Stewart": "Sir Herbert Stewart",
    "Earle": "General Earle",
    "Graham": "General Graham",
    "Hicks": "Hicks Pasha",
    "Baker": "Baker Pasha",
    "Mahdi": "the Mahdi",
    "Khalifa": "the Khalifa",
}

_KINDS = {PlaceClass.TOWN: "the town", PlaceClass.VILLAGE: "the village"}
_COMPASS = {"N": "north", "S": "south", "E": "east", "W": "west"}
_NEAR = 2


def side_name(side: Side) -> str:
    """`the Egyptian side`, `the Mahdists`."""
    return _SIDES[side]


def side_adjective(side: Side) -> str:
    """`Egyptian`, `Mahdist`: of the side, whatever the nation."""
    return _TURNS[side]


def does(side: Side, one: str, many: str) -> str:
    """The side with the verb that fits it: `the Egyptian side loses`, `the Mahdists lose`."""
    return f"{_SIDES[side]} {one if side is Side.EGYPTIAN else many}"


def leader_name(name: str) -> str:
    """A leader as despatches call him: `General Gordon`, `the Mahdi`."""
    return _LEADERS.get(name, name)


def adjective(nation: Nation) -> str:
    """`British`, `Mahdist`."""
    return _ADJECTIVES[nation]


@cache
def where(hex_id: HexId) -> str:
    """A place, or how a hex lies from the nearest: `two hexes NW of Gakdul Wells`."""
    if hex_id == OFF_MAP:
        return "off the map"
    text = sudan().describe(hex_id)
    number, space, rest = text.partition(" ")
    return f"{in_words(int(number))}{space}{rest}" if number.isdigit() else text


def at(hex_id: HexId) -> str:
    """Where something stands, exactly: `at Berber`, `two hexes E of Berber`."""
    return f"at {where(hex_id)}" if _place(hex_id) else where(hex_id)


@cache
def near(hex_id: HexId) -> str:
    """A place, or roughly where a hex is: `near Shendy`, `the country south of Duem`."""
    if _place(hex_id):
        return where(hex_id)
    far, _, place = where(hex_id).partition(" of ")
    if sudan().distance(hex_id, sudan().place(place).hex) <= _NEAR:
        return f"near {place}"
    return f"the country {_bearing(far.split()[-1])} of {place}"


def _bearing(point: str) -> str:
    """`NW` as `north-west`."""
    return "-".join(_COMPASS[letter] for letter in point)


def about(hex_id: HexId) -> str:
    """Roughly where something stands: `at Berber`, `near Shendy`, `in the country S of Duem`."""
    text = near(hex_id)
    if _place(hex_id):
        return f"at {text}"
    return text if text.startswith("near ") else f"in {text}"


def places_in_words(hexes: Iterable[HexId]) -> str:
    """Where several things stand: `at Duem and Bara, near Shendy`."""
    found: dict[str, list[str]] = {"at": [], "near": [], "in": []}
    for hex_id in hexes:
        preposition, _, place = about(hex_id).partition(" ")
        found[preposition].append(place)
    return listed([f"{how} {listed(places)}" for how, places in found.items() if places])


def _place(hex_id: HexId) -> str | None:
    field = sudan().hexes.get(hex_id)
    return field.place if field is not None else None


def the_place(hex_id: HexId) -> str:
    """What stands there, where its name has been said: `the town`; wells by their name again."""
    name = _place(hex_id)
    return _KINDS.get(sudan().places[name].kind, name) if name else where(hex_id)


def dateline(hex_id: HexId, month: Month) -> str:
    """How a despatch begins: `KHARTOUM, March 1884.`, or `SOUTH OF DUEM, March 1884.`"""
    return f"{near(hex_id).removeprefix('the country ').upper()}, {month_name(month)}."


def line_name(state: State, line: str) -> str:
    """A railway line of the scenario: `the railway from Souakim`."""
    begins = {known.id: known.begins_at for known in scenario_of(state).line}
    return f"the railway from {begins.get(line, line)}"
