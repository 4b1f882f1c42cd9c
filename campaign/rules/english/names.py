"""What units, stacks, sides, hexes and dates are called."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from campaign.rules.english.words import in_words, listed, some
from campaign.rules.map import HexId, sudan
from campaign.rules.pieces import Kind, Month, Nation, Quality, Side, month_name
from campaign.rules.scenario import scenario
from campaign.rules.state import OFF_MAP, Unit

_SIDES = {Side.EGYPTIAN: "the Egyptian side", Side.MAHDIST: "the Mahdists"}

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

_NOUNS = {
    Kind.INFANTRY: ("{}battalion", "{}battalions"),
    Kind.SPEARS: ("band of {}spearmen", "bands of {}spearmen"),
    Kind.CAVALRY: ("{}squadron", "{}squadrons"),
    Kind.CAMEL_CORPS: ("company of {}camel corps", "companies of {}camel corps"),
    Kind.GUN: ("{}gun", "{}guns"),
    Kind.ENGINEERS: ("company of {}engineers", "companies of {}engineers"),
    Kind.NAVAL: ("{}naval brigade", "{}naval brigades"),
    Kind.SUPPLY: ("supply column", "supply columns"),
    Kind.CAMEL: ("camel train", "camel trains"),
    Kind.BOAT: ("boat", "boats"),
    Kind.GUNBOAT: ("gunboat", "gunboats"),
}

_MAHDIST_NOUNS = _NOUNS | {
    Kind.INFANTRY: ("band of {}riflemen", "bands of {}riflemen"),
    Kind.CAVALRY: ("troop of {}horse", "troops of {}horse"),
}

_ARMS = {
    Kind.SPEARS: "spearmen",
    Kind.NAVAL: "naval infantry",
    Kind.CAMEL: "camels",
    Kind.GUN: "gun",
}

_UNIQUE = {Kind.CIVILIANS: "the civilians", Kind.FLEET: "the fleet"}
_ORDER: list[Kind] = [kind for kind in Kind if kind not in (Kind.CIVILIANS, Kind.LEADER)]
_ORDER += [Kind.CIVILIANS, Kind.LEADER]
_NATIONS = list(Nation)
_FEW = 3
_NEAR = 2


def side_name(side: Side) -> str:
    """`the Egyptian side`, `the Mahdists`."""
    return _SIDES[side]


def does(side: Side, one: str, many: str) -> str:
    """The side with the verb that fits it: `the Egyptian side loses`, `the Mahdists lose`."""
    return f"{_SIDES[side]} {one if side is Side.EGYPTIAN else many}"


def leader_name(name: str) -> str:
    """A leader as despatches call him: `General Gordon`, `the Mahdi`."""
    return _LEADERS.get(name, name)


def adjective(nation: Nation) -> str:
    """`British`, `Mahdist`."""
    return _ADJECTIVES[nation]


def label(unit: Unit) -> str:
    """One counter: `Black Watch (3V)`, `Mahdist spearmen (1F), disrupted`, `General Gordon`."""
    if unit.kind is Kind.LEADER:
        return leader_name(unit.name)
    rating = f" ({unit.strength}{unit.quality})" if unit.quality is not Quality.NONE else ""
    return f"{unit.name or _arm(unit)}{rating}{', disrupted' if unit.disrupted else ''}"


def _arm(unit: Unit) -> str:
    riflemen = unit.kind is Kind.INFANTRY and unit.nation is Nation.MAHDIST
    arm = "riflemen" if riflemen else _ARMS.get(unit.kind, str(unit.kind))
    return f"{adjective(unit.nation)} {arm}"


def stack_in_words(units: Iterable[Unit]) -> str:
    """Units that stand together: `eight Egyptian battalions, two guns and General Gordon`.

    Up to three named battalions are called by their names, more are counted.
    """
    present = sorted(units, key=_rank)
    if not present:
        return "nothing"
    named = sum(bool(unit.name) and unit.kind is not Kind.LEADER for unit in present) <= _FEW
    parts: list[str] = []
    told: set[Nation] = set()
    for (nation, kind), group in groupby(present, key=lambda unit: (unit.nation, unit.kind)):
        parts += _group_in_words(list(group), nation not in told, named)
        if "{" in _NOUNS.get(kind, ("",))[0]:
            told.add(nation)
    return listed(parts)


def _rank(unit: Unit) -> tuple[bool, int, int, int]:
    last = unit.kind in (Kind.CIVILIANS, Kind.LEADER)
    return last, _NATIONS.index(unit.nation), _ORDER.index(unit.kind), unit.id


def _group_in_words(group: Sequence[Unit], with_nation: bool, named: bool) -> list[str]:
    """The units of one nation and kind: called by name, or counted."""
    kind = group[0].kind
    if kind is Kind.LEADER:
        return [leader_name(unit.name) for unit in group]
    known = [_the(unit.name) for unit in group if unit.name and named]
    left = len(group) - len(known)
    return known + ([_number_of(group[0], left, with_nation)] if left else [])


def _number_of(unit: Unit, count: int, with_nation: bool) -> str:
    if unit.kind in _UNIQUE:
        return _UNIQUE[unit.kind]
    nouns = _MAHDIST_NOUNS if unit.nation is Nation.MAHDIST else _NOUNS
    foreign = with_nation and unit.nation is not Nation.MAHDIST
    nation = f"{adjective(unit.nation)} " if foreign else ""
    one, many = (noun.format(nation) for noun in nouns[unit.kind])
    return some(count, one, many)


def _the(name: str) -> str:
    regiment, _, detachment = name.partition(", ")
    return f"the {regiment} ({detachment})" if detachment else f"the {regiment}"


def led_in_words(units: Iterable[Unit]) -> str:
    """A stack behind its leaders: `General Graham, with four battalions and a gun`."""
    present = list(units)
    leaders = [unit for unit in present if unit.kind is Kind.LEADER]
    others = [unit for unit in present if unit.kind is not Kind.LEADER]
    if not leaders or not others:
        return stack_in_words(present)
    return f"{stack_in_words(leaders)}, with {stack_in_words(others)},"


def several(units: Iterable[Unit]) -> bool:
    """Whether the words for these units want a verb in the plural."""
    present = list(units)
    leaders = sum(unit.kind is Kind.LEADER for unit in present)
    if leaders:
        return leaders > 1
    return len(present) > 1 or any(unit.kind is Kind.CIVILIANS for unit in present)


def where(hex_id: HexId) -> str:
    """A place, or how a hex lies from the nearest: `two hexes NW of Gakdul Wells`."""
    if hex_id == OFF_MAP:
        return "off the map"
    text = sudan().describe(hex_id)
    number, space, rest = text.partition(" ")
    return f"{in_words(int(number))}{space}{rest}" if number.isdigit() else text


def at(hex_id: HexId) -> str:
    """Where something stands, with its preposition: `at Berber`, `two hexes E of Berber`."""
    name = sudan().hexes[hex_id].place if hex_id in sudan().hexes else None
    return f"at {name}" if name else where(hex_id)


def dateline(hex_id: HexId, month: Month) -> str:
    """How a despatch begins: `KHARTOUM, March 1884.`, or `NEAR SHENDY, March 1884.`"""
    name = sudan().hexes[hex_id].place
    if name is None:
        name = f"near {where(hex_id).partition(' of ')[2]}"
    return f"{name.upper()}, {month_name(month)}."


def by_place(units: Iterable[Unit]) -> str:
    """Units that stand in several places: `two bands of spearmen at Duem and a gun at Bara`."""
    found: dict[HexId, list[Unit]] = {}
    for unit in units:
        found.setdefault(unit.hex, []).append(unit)
    return listed([f"{stack_in_words(here)} {at(hex_id)}" for hex_id, here in found.items()])


def line_name(slug: str, line: str) -> str:
    """A railway line of a scenario: `the railway from Souakim`."""
    begins = {known.id: known.begins_at for known in scenario(slug).line}
    return f"the railway from {begins.get(line, line)}"


def near(hex_id: HexId) -> str:
    """A place, or roughly where a hex is: `near Shendy`, `the country NW of Gakdul Wells`."""
    text = where(hex_id)
    if " of " not in text or sudan().hexes[hex_id].place:
        return text
    far, _, place = text.partition(" of ")
    if sudan().distance(hex_id, sudan().place(place).hex) <= _NEAR:
        return f"near {place}"
    return f"the country {far.split()[-1]} of {place}"
