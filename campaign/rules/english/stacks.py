"""What counters and stacks are called."""

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from itertools import groupby

from campaign.rules.english.names import about, adjective, leader_name
from campaign.rules.english.words import listed, some, times
from campaign.rules.pieces import Kind, Nation, Quality, UnitId
from campaign.rules.state import Unit

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

_ARMS = {Kind.SPEARS: "spearmen", Kind.NAVAL: "naval infantry", Kind.CAMEL: "camels"}
_UNIQUE = {Kind.CIVILIANS: "the civilians", Kind.FLEET: "the fleet"}
_PLACED_LAST = (Kind.CIVILIANS, Kind.LEADER)
_KINDS: list[Kind] = [*(kind for kind in Kind if kind not in _PLACED_LAST), *_PLACED_LAST]
_NATIONS = (Nation.BRITISH, Nation.INDIAN, Nation.AUSTRALIAN, Nation.EGYPTIAN, Nation.MAHDIST)
_TOLD = frozenset(_NATIONS) - {Nation.MAHDIST}
_FEW_NAMES = 3
_FEW_PARTS = 7


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


def labels(units: Iterable[Unit]) -> list[str]:
    """The counters of one place, by number too those whose likes stand there: `..., no. 3`."""
    present = list(units)
    likes = Counter(map(likeness, present))
    return [
        f"{label(unit)}, {numbers([unit.id])}" if likes[likeness(unit)] > 1 else label(unit)
        for unit in present
    ]


def likeness(unit: Unit) -> tuple[str, str, str]:
    """What a sentence tells of a unit: leaders are called by name, others by nation and kind."""
    return unit.nation, unit.kind, unit.name if unit.kind is Kind.LEADER else ""


def numbers(ids: Iterable[UnitId]) -> str:
    """Units by their numbers, where words do not tell them from their likes: `no. 3, 7`."""
    return f"no. {', '.join(str(unit_id) for unit_id in sorted(ids))}"


def stack_in_words(units: Iterable[Unit]) -> str:
    """Units that stand together: `eight Egyptian battalions, two guns and General Gordon`.

    Up to three named battalions are called by their names, more are counted.
    """
    return listed(_parts(sorted(units, key=_rank), _TOLD)) or "nothing"


def bare(units: Iterable[Unit]) -> str:
    """The same, where everybody knows whose they are: `two battalions and a gun`."""
    return listed(_parts(sorted(units, key=_rank), set())) or "nothing"


def force_in_words(units: Iterable[Unit]) -> str:
    """The same, but a force of many kinds is only counted: `22 British units`."""
    present = sorted(units, key=_rank)
    parts = _parts(present, _TOLD)
    return listed(parts) if len(parts) <= _FEW_PARTS else _counted(present)


def led_in_words(units: Iterable[Unit]) -> str:
    """A force behind its leaders: `General Graham, with four battalions and a gun,`."""
    present = list(units)
    leaders = [unit for unit in present if unit.kind is Kind.LEADER]
    others = [unit for unit in present if unit.kind is not Kind.LEADER]
    if not leaders or not others:
        return force_in_words(present)
    return f"{stack_in_words(leaders)}, with {force_in_words(others)},"


def by_place(units: Iterable[Unit]) -> str:
    """Units that stand in several places: `two bands of spearmen at Duem and a gun at Bara`."""
    found: dict[str, list[Unit]] = {}
    for unit in units:
        found.setdefault(about(unit.hex), []).append(unit)
    return listed([f"{bare(here)} {place}" for place, here in found.items()])


def several(units: Iterable[Unit]) -> bool:
    """Whether the words for these units want a verb in the plural; leaders stand for their men."""
    present = list(units)
    leaders = sum(unit.kind is Kind.LEADER for unit in present)
    if leaders:
        return leaders > 1
    return len(present) > 1 or any(unit.name or unit.kind is Kind.CIVILIANS for unit in present)


def alike(units: Iterable[Unit]) -> bool:
    """Whether all of them are of one nation and kind, so that `two of them` says enough."""
    return len({(unit.nation, unit.kind) for unit in units if unit.kind is not Kind.LEADER}) == 1


def _rank(unit: Unit) -> tuple[int, int, int, int]:
    """Troops nation by nation, then supply and craft, then civilians and leaders."""
    place = 0 if _has_nation(unit) else 1
    if unit.kind in _PLACED_LAST:
        place = 2
    return place, _NATIONS.index(unit.nation), _KINDS.index(unit.kind), unit.id


def _has_nation(unit: Unit) -> bool:
    return "{" in _NOUNS.get(unit.kind, ("",))[0]


def _parts(present: Sequence[Unit], nations: Set[Nation]) -> list[str]:
    """One part for each kind; a nation is named with the first of its kinds."""
    named = sum(bool(unit.name) and unit.kind is not Kind.LEADER for unit in present) <= _FEW_NAMES
    untold = set(nations)
    parts: list[str] = []
    for (nation, kind), group in groupby(present, key=lambda unit: (unit.nation, unit.kind)):
        units = list(group)
        tells = nation in untold and _has_nation(units[0])
        parts += _group_in_words(units, kind, nation if tells else None, named)
        untold -= {nation} if tells else set()
    return parts


def _group_in_words(
    group: Sequence[Unit], kind: Kind, nation: Nation | None, named: bool
) -> list[str]:
    """The units of one nation and kind: called by name, or counted."""
    if kind is Kind.LEADER:
        return [leader_name(unit.name) for unit in group]
    if kind in _UNIQUE:
        return [_UNIQUE[kind]]
    known = [_the(unit.name) for unit in group if unit.name and named]
    left = len(group) - len(known)
    nouns = _MAHDIST_NOUNS if group[0].nation is Nation.MAHDIST else _NOUNS
    whose = f"{adjective(nation)} " if nation else ""
    one, many = (noun.format(whose) for noun in nouns[kind])
    return [*known, some(left, one, many)] if left else known


def _counted(present: Sequence[Unit]) -> str:
    troops = [unit for unit in present if unit.kind is not Kind.LEADER]
    nations = [nation for nation in _NATIONS if any(unit.nation is nation for unit in troops)]
    counts = [(nation, sum(unit.nation is nation for unit in troops)) for nation in nations]
    parts = [times(count, f"{adjective(nation)} unit") for nation, count in counts]
    return listed([*parts, *(leader_name(u.name) for u in present if u.kind is Kind.LEADER)])


def _the(name: str) -> str:
    regiment, _, detachment = name.partition(", ")
    return f"the {regiment} ({detachment})" if detachment else f"the {regiment}"
