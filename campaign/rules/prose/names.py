"""Names of sides, leaders, hexes, dates, counters and stacks, and casualties in words."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence, Set
from difflib import get_close_matches
from functools import lru_cache
from itertools import groupby

from battles.contract.brief import Nation, Quality, Side, TroopKind
from campaign.rules.core.board import scenario_of
from campaign.rules.core.pieces import Month, UnitId, month_name
from campaign.rules.core.state import OFF_MAP, State, Unit
from campaign.rules.map import HexId, Map, PlaceClass, map_in_play
from campaign.rules.prose.phrases import (
    article_or_count,
    count_noun,
    join_words,
    ordinal,
    spell_number,
)

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

_RIVER_KINDS = {PlaceClass.TOWN: "the town", PlaceClass.VILLAGE: "the village"}
_COMPASS = {"N": "north", "S": "south", "E": "east", "W": "west"}
_NEAR = 2


def side_name(side: Side) -> str:
    """Return the side's name: `the Egyptian side`, `the Mahdists`."""
    return _SIDES[side]


def side_adjective(side: Side) -> str:
    """Return the side's adjective, whatever the nation: `Egyptian`, `Mahdist`."""
    return _TURNS[side]


def side_with_verb(side: Side, singular: str, plural: str) -> str:
    """Return the side with its verb: `the Egyptian side loses`, `the Mahdists lose`."""
    return f"{_SIDES[side]} {singular if side is Side.EGYPTIAN else plural}"


def leader_name(name: str) -> str:
    """Return a leader's name for despatches: `General Gordon`, `the Mahdi`."""
    return _LEADERS.get(name, name)


def adjective(nation: Nation) -> str:
    """Return the nation's adjective: `British`, `Mahdist`."""
    return _ADJECTIVES[nation]


def describe_hex(hex_id: HexId) -> str:
    """Return the place, or the way from the nearest: `two hexes NW of Gakdul Wells`."""
    return _describe(map_in_play(), hex_id)


@lru_cache(maxsize=20_000)
def _describe(chart: Map, hex_id: HexId) -> str:
    if hex_id == OFF_MAP:
        return "off the map"
    text = chart.describe(hex_id)
    number, space, rest = text.partition(" ")
    return f"{spell_number(int(number))}{space}{rest}" if number.isdigit() else text


def at_hex(hex_id: HexId) -> str:
    """Return the exact location: `at Berber`, `two hexes E of Berber`."""
    return f"at {describe_hex(hex_id)}" if _place(hex_id) else describe_hex(hex_id)


def near_hex(hex_id: HexId) -> str:
    """Return the place, or the rough location: `near Shendy`, `the country south of Duem`."""
    chart = map_in_play()
    if _place(hex_id):
        return describe_hex(hex_id)
    far, _, place = describe_hex(hex_id).partition(" of ")
    if chart.distance(hex_id, chart.place(place).hex) <= _NEAR:
        return f"near {place}"
    return f"the country {bearing_in_words(far.split()[-1])} of {place}"


def bearing_in_words(point: str) -> str:
    """Return a point of the compass in words: `NW` as `north-west`."""
    return "-".join(_COMPASS[letter] for letter in point)


def about_hex(hex_id: HexId) -> str:
    """Return the rough location: `at Berber`, `near Shendy`, `in the country south of Duem`."""
    text = near_hex(hex_id)
    if _place(hex_id):
        return f"at {text}"
    return text if text.startswith("near ") else f"in {text}"


def describe_places(hexes: Iterable[HexId]) -> str:
    """Return the rough locations of several things: `at Duem and Bara, near Shendy`."""
    groups: dict[str, list[str]] = {"at": [], "near": [], "in": []}
    for hex_id in hexes:
        preposition, _, place = about_hex(hex_id).partition(" ")
        groups[preposition].append(place)
    return join_words(
        [f"{preposition} {join_words(places)}" for preposition, places in groups.items() if places]
    )


def _place(hex_id: HexId) -> str | None:
    field = map_in_play().hexes.get(hex_id)
    return field.place if field is not None else None


def name_place(hex_id: HexId) -> str:
    """Return a place already named: `the town`, `the village`; wells by name again."""
    name = _place(hex_id)
    return _RIVER_KINDS.get(map_in_play().places[name].kind, name) if name else describe_hex(hex_id)


def dateline(hex_id: HexId, month: Month, day: int) -> str:
    """Return the dateline of a despatch: `KHARTOUM, 14th March.`"""
    place = near_hex(hex_id).removeprefix("the country ").upper()
    return f"{place}, {ordinal(day)} {month_name(month).split()[0]}."


def line_name(state: State, line: str) -> str:
    """Return a railway line of the scenario: `the railway from Souakim`."""
    begins = {railway.id: railway.begins_at for railway in scenario_of(state).line}
    return f"the railway from {begins.get(line, line)}"


_NOUNS = {
    TroopKind.INFANTRY: ("{}battalion", "{}battalions"),
    TroopKind.SPEARS: ("band of {}spearmen", "bands of {}spearmen"),
    TroopKind.CAVALRY: ("{}squadron", "{}squadrons"),
    TroopKind.CAMEL_CORPS: ("company of {}camel corps", "companies of {}camel corps"),
    TroopKind.GUN: ("{}gun", "{}guns"),
    TroopKind.ENGINEERS: ("company of {}engineers", "companies of {}engineers"),
    TroopKind.NAVAL: ("{}naval brigade", "{}naval brigades"),
    TroopKind.SUPPLY: ("supply column", "supply columns"),
    TroopKind.CAMEL: ("camel train", "camel trains"),
    TroopKind.BOAT: ("boat", "boats"),
    TroopKind.GUNBOAT: ("gunboat", "gunboats"),
}

_MAHDIST_NOUNS = _NOUNS | {
    TroopKind.INFANTRY: ("band of {}riflemen", "bands of {}riflemen"),
    TroopKind.CAVALRY: ("troop of {}horse", "troops of {}horse"),
}

_ARMS = {TroopKind.SPEARS: "spearmen", TroopKind.NAVAL: "naval infantry", TroopKind.CAMEL: "camels"}
_UNIQUE = {TroopKind.CIVILIANS: "the civilians", TroopKind.FLEET: "the fleet"}
_PLACED_LAST = (TroopKind.CIVILIANS, TroopKind.LEADER)
_KINDS: list[TroopKind] = [*(kind for kind in TroopKind if kind not in _PLACED_LAST), *_PLACED_LAST]
_NATIONS = (Nation.BRITISH, Nation.INDIAN, Nation.AUSTRALIAN, Nation.EGYPTIAN, Nation.MAHDIST)
_TOLD = frozenset(_NATIONS) - {Nation.MAHDIST}
_FEW_NAMES = 3
_FEW_PARTS = 7


def label(unit: Unit) -> str:
    """Return one counter: `Black Watch (3V)`, `Mahdist spearmen (1F), disrupted`."""
    if unit.kind is TroopKind.LEADER:
        return leader_name(unit.name)
    rating = f" ({unit.strength}{unit.quality})" if unit.quality is not Quality.NONE else ""
    return f"{unit.name or _arm(unit)}{rating}{', disrupted' if unit.disrupted else ''}"


def similar_units(state: State, side: Side, name: str) -> list[Unit]:
    """Return the side's units whose label, or its last word, is most like the name; often none."""
    called: dict[str, list[Unit]] = defaultdict(list)
    for unit in state.units.values():
        if unit.side is side:
            words = label(unit).partition(" (")[0].casefold()
            for spelling in {words, words.rpartition(" ")[2]}:
                called[spelling].append(unit)
    near = get_close_matches(name.casefold(), called, n=1)
    return called[near[0]] if near else []


def _arm(unit: Unit) -> str:
    riflemen = unit.kind is TroopKind.INFANTRY and unit.nation is Nation.MAHDIST
    arm = "riflemen" if riflemen else _ARMS.get(unit.kind, str(unit.kind))
    return f"{adjective(unit.nation)} {arm}"


def labels(units: Iterable[Unit]) -> list[str]:
    """Return the counters of one place, with their number where two are alike: `..., no. 3`."""
    present = list(units)
    likes = Counter(map(likeness, present))
    return [
        f"{label(unit)}, {numbers([unit.id])}" if likes[likeness(unit)] > 1 else label(unit)
        for unit in present
    ]


def likeness(unit: Unit) -> tuple[str, str, str]:
    """Return the features of a unit that a sentence shows: nation, kind, name of a leader."""
    return unit.nation, unit.kind, unit.name if unit.kind is TroopKind.LEADER else ""


def numbers(ids: Iterable[UnitId]) -> str:
    """Return units by number, where words do not distinguish them: `no. 3, 7`."""
    return f"no. {', '.join(str(unit_id) for unit_id in sorted(ids))}"


def describe_stack(units: Iterable[Unit]) -> str:
    """Return a stack in words: `eight Egyptian battalions, two guns and General Gordon`.

    Up to three named battalions are called by their names, more are counted.
    """
    return join_words(_parts(sorted(units, key=_rank), _TOLD)) or "nothing"


def describe_units(units: Iterable[Unit]) -> str:
    """Return units in words without their nation: `two battalions and a gun`."""
    return join_words(_parts(sorted(units, key=_rank), set())) or "nothing"


def describe_force(units: Iterable[Unit]) -> str:
    """Return a stack in words; one of many kinds is only counted: `22 British units`."""
    present = sorted(units, key=_rank)
    parts = _parts(present, _TOLD)
    return join_words(parts) if len(parts) <= _FEW_PARTS else _count_troops(present)


def describe_led_force(units: Iterable[Unit]) -> str:
    """Return a force with its leaders first: `General Graham, with four battalions,`."""
    present = list(units)
    leaders = [unit for unit in present if unit.kind is TroopKind.LEADER]
    others = [unit for unit in present if unit.kind is not TroopKind.LEADER]
    if not leaders or not others:
        return describe_force(present)
    return f"{describe_stack(leaders)}, with {describe_force(others)},"


def describe_by_place(units: Iterable[Unit]) -> str:
    """Return units in several places: `two bands of spearmen at Duem and a gun at Bara`."""
    groups: dict[str, list[Unit]] = {}
    for unit in units:
        groups.setdefault(about_hex(unit.hex), []).append(unit)
    return join_words([f"{describe_units(group)} {place}" for place, group in groups.items()])


def is_plural(units: Iterable[Unit]) -> bool:
    """Return whether the list of these units needs a plural verb."""
    present = list(units)
    names = (unit.kind is TroopKind.CIVILIANS or unit.name for unit in present)
    leader = len(present) == 1 and present[0].kind is TroopKind.LEADER
    return len(present) > 1 or (any(names) and not leader)


def is_led_plural(units: Iterable[Unit]) -> bool:
    """Return whether a force needs a plural verb: `General Graham, with two battalions, marches`.

    Leaders stand for their troops.
    """
    present = list(units)
    leaders = sum(unit.kind is TroopKind.LEADER for unit in present)
    return leaders > 1 if leaders else is_plural(present)


def is_uniform(units: Iterable[Unit]) -> bool:
    """Return whether all are of one nation and kind, so that `two of them` is enough."""
    return (
        len({(unit.nation, unit.kind) for unit in units if unit.kind is not TroopKind.LEADER}) == 1
    )


def _rank(unit: Unit) -> tuple[int, int, int, int]:
    """Return the sort key: troops by nation, then supply and craft, civilians, leaders."""
    place = 0 if _has_nation(unit) else 1
    if unit.kind in _PLACED_LAST:
        place = 2
    return place, _NATIONS.index(unit.nation), _KINDS.index(unit.kind), unit.id


def _has_nation(unit: Unit) -> bool:
    return "{" in _NOUNS.get(unit.kind, ("",))[0]


def _parts(present: Sequence[Unit], nations: Set[Nation]) -> list[str]:
    """Return a part for each kind; a nation is named with the first of its kinds."""
    can_name = (
        sum(bool(unit.name) and unit.kind is not TroopKind.LEADER for unit in present) <= _FEW_NAMES
    )
    untold = set(nations)
    parts: list[str] = []
    for (nation, kind), group in groupby(present, key=lambda unit: (unit.nation, unit.kind)):
        units = list(group)
        tells = nation in untold and _has_nation(units[0])
        parts += _group_in_words(units, kind, nation if tells else None, can_name)
        untold -= {nation} if tells else set()
    return parts


def _group_in_words(
    group: Sequence[Unit], kind: TroopKind, nation: Nation | None, by_name: bool
) -> list[str]:
    """Return the units of one nation and kind, by name or counted."""
    if kind is TroopKind.LEADER:
        return [leader_name(unit.name) for unit in group]
    if kind in _UNIQUE:
        return [_UNIQUE[kind]]
    names = [_the(unit.name) for unit in group if unit.name and by_name]
    left = len(group) - len(names)
    nouns = _MAHDIST_NOUNS if group[0].nation is Nation.MAHDIST else _NOUNS
    prefix = f"{adjective(nation)} " if nation else ""
    singular, plural = (noun.format(prefix) for noun in nouns[kind])
    return [*names, article_or_count(left, singular, plural)] if left else names


def _count_troops(present: Sequence[Unit]) -> str:
    troops = [unit for unit in present if unit.kind is not TroopKind.LEADER]
    nations = [nation for nation in _NATIONS if any(unit.nation is nation for unit in troops)]
    counts = [(nation, sum(unit.nation is nation for unit in troops)) for nation in nations]
    parts = [count_noun(count, f"{adjective(nation)} unit") for nation, count in counts]
    return join_words(
        [*parts, *(leader_name(u.name) for u in present if u.kind is TroopKind.LEADER)]
    )


def _the(name: str) -> str:
    regiment, _, detachment = name.partition(", ")
    return f"the {regiment} ({detachment})" if detachment else f"the {regiment}"


class Casualties:
    """Units eliminated and units disrupted, as they were at the time."""

    def __init__(self) -> None:
        self.lost: list[Unit] = []
        self.hurt: list[Unit] = []

    def __bool__(self) -> bool:
        return bool(self.lost or self.hurt)

    def lose(self, units: list[Unit]) -> None:
        """Add eliminated units, without leaders, who have sentences of their own."""
        self.lost += [unit for unit in units if unit.kind is not TroopKind.LEADER]

    def hurt_too(self, units: list[Unit]) -> None:
        """Add disrupted units."""
        self.hurt += units

    def of_side(self, side: Side) -> str:
        """Return, for example, `the Mahdists lose a gun, and see two thrown into disorder`."""
        if not self.lost:
            return self._only_hurt(side)
        lost = f"{side_with_verb(side, 'loses', 'lose')} {describe_own_units(self.lost)}"
        return f"{lost}, and {self._hurt(side)}" if self.hurt else lost

    def _only_hurt(self, side: Side) -> str:
        if not self.hurt:
            return f"{side_with_verb(side, 'suffers', 'suffer')} no loss"
        return f"{side_name(side)} {self._hurt(side)}"

    def _hurt(self, side: Side) -> str:
        see = "sees" if side is Side.EGYPTIAN else "see"
        return f"{see} {describe_own_units(self.hurt)} thrown into disorder"


def describe_own_units(units: list[Unit]) -> str:
    """Return units in words, with the nation where it is not the side's own."""
    allied = any(unit.nation not in (Nation.EGYPTIAN, Nation.MAHDIST) for unit in units)
    return describe_stack(units) if allied else describe_units(units)
