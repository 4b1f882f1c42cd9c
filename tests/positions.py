"""Positions built from short words, and the named ones that tests share.

A position is a lawful state with one phase open and nothing behind it: what is played in it ends
where the agenda ends, so a test throws only the dice that it speaks of.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from battles.core.document import decode, encode
from battles.core.game import Step
from campaign.rules.book import book
from campaign.rules.map import HexId, sudan
from campaign.rules.pieces import Kind, Nation, Quality, Side, UnitId, month_from_text
from campaign.rules.questions import ToMarch, ToReinforce
from campaign.rules.set_up import new_game
from campaign.rules.state import Phase, State, Unit

SIEGE = "siege-of-khartoum"
RELIEF = "relief-of-el-obeid"

OPEN = "0641"
"""A flat desert hex with nothing but flat desert for four hexes around."""

_KINDS = {
    "infantry": Kind.INFANTRY,
    "rifles": Kind.INFANTRY,
    "spears": Kind.SPEARS,
    "cavalry": Kind.CAVALRY,
    "camel corps": Kind.CAMEL_CORPS,
    "gun": Kind.GUN,
    "guns": Kind.GUN,
    "engineers": Kind.ENGINEERS,
    "naval infantry": Kind.NAVAL,
    "supply": Kind.SUPPLY,
    "camel": Kind.CAMEL,
    "camels": Kind.CAMEL,
    "civilians": Kind.CIVILIANS,
    "boat": Kind.BOAT,
    "boats": Kind.BOAT,
    "gunboat": Kind.GUNBOAT,
    "gunboats": Kind.GUNBOAT,
    "fleet": Kind.FLEET,
}
_USUALLY_MAHDIST = frozenset({Kind.SPEARS})
_USUALLY_BRITISH = frozenset(
    {
        Kind.CAMEL_CORPS,
        Kind.ENGINEERS,
        Kind.NAVAL,
        Kind.SUPPLY,
        Kind.CAMEL,
        Kind.BOAT,
        Kind.FLEET,
    }
)


def hex_of(where: str | int) -> HexId:
    """The hex of a place, or of a number as the map prints it."""
    text = str(where)
    return HexId(int(text)) if text.isdigit() else sudan().place(text).hex


def position(
    *stacks: str,
    scenario: str = SIEGE,
    month: str = "1884-05",
    side: str = "egyptian",
    phase: str = "march",
    held: Mapping[str, str] | None = None,
) -> Any:
    """The state with just these stacks on the map and one phase of `side` open.

    A stack is written `Khartoum: Gordon, 4 infantry egyptian L, 2 guns disrupted`: a place or a
    hex number, then leaders by name and units as number, kind, nation, strength and quality; what
    is left out is what the book has for such a unit. `held` says who was last in places that
    stand empty. In a phase of dice only (`phase="attrition"`) no question is open: see `happen`.

    It is a State, typed as Any so that a test may look into whichever question is open.
    """
    state = _fresh(scenario)
    state.month = month_from_text(month)
    state.side, state.phase = Side(side), Phase(phase)
    state.due, state.agenda = [], []
    state.question = _question(state)
    state.units, state.next_unit = {}, 1
    _settle_control(state, {})
    for stack in stacks:
        _place(state, stack)
    _settle_control(state, held or {})
    _settle_counters(state)
    return state


def add(state: State, stack: str) -> tuple[UnitId, ...]:
    """More units for a position that is being set up; their numbers."""
    before = set(state.units)
    _place(state, stack)
    state.__dict__.pop("board", None)
    _settle_control(state, {})
    _settle_counters(state)
    return tuple(sorted(set(state.units) - before))


def _fresh(scenario: str) -> State:
    return decode(_set_up(scenario), State)


@cache
def _set_up(scenario: str) -> bytes:
    return encode(new_game(scenario))


def _question(state: State) -> ToMarch | ToReinforce | None:
    if state.phase is Phase.MARCH:
        return ToMarch(state.side)
    return ToReinforce(state.side) if state.phase is Phase.REINFORCEMENT else None


def _place(state: State, stack: str) -> None:
    where, _, what = stack.partition(":")
    for unit in units_of(what, hex_of(where.strip()), state.next_unit):
        state.units[unit.id] = unit
        state.next_unit = unit.id + 1


def units_of(what: str, hex_id: HexId, number: int) -> Iterator[Unit]:
    """The units that words such as `Gordon, 4 infantry egyptian L` stand for."""
    for words in (part.strip() for part in what.split(",")):
        for unit in _like(words, hex_id):
            unit.id = UnitId(number)
            number += 1
            yield unit


def _like(words: str, hex_id: HexId) -> Iterable[Unit]:
    leaders = {leader.name: leader for leader in book().leaders()}
    if words in leaders:
        nation = leaders[words].nation
        return [Unit(UnitId(0), Kind.LEADER, Nation(nation), Quality.NONE, 0, hex_id, name=words)]
    count, rest = _count(words.split())
    kind, rest = _kind(rest)
    nation = _nation(kind, rest)
    usual = book().default(kind, nation)
    quality, strength = _worth(rest, usual.quality, usual.strength)
    disrupted = "disrupted" in rest
    return [
        Unit(UnitId(0), kind, nation, quality, strength, hex_id, disrupted) for _ in range(count)
    ]


def _count(words: list[str]) -> tuple[int, list[str]]:
    return (int(words[0]), words[1:]) if words[0].isdigit() else (1, words)


def _kind(words: list[str]) -> tuple[Kind, list[str]]:
    two = " ".join(words[:2])
    return (_KINDS[two], words[2:]) if two in _KINDS else (_KINDS[words[0]], words[1:])


def _nation(kind: Kind, words: list[str]) -> Nation:
    named = [nation for nation in Nation if nation in words]
    if named:
        return named[0]
    if kind in _USUALLY_MAHDIST:
        return Nation.MAHDIST
    return Nation.BRITISH if kind in _USUALLY_BRITISH else Nation.EGYPTIAN


def _worth(words: list[str], quality: Quality, strength: int) -> tuple[Quality, int]:
    """`3V` is strength 3, Veteran; `R` is the usual strength 1, Rabble."""
    for word in words:
        if word[-1] in "VLRF" and (len(word) == 1 or word[:-1].isdigit()):
            return Quality(word[-1]), int(word[:-1] or 1)
    return quality, strength


def _settle_control(state: State, held: Mapping[str, str]) -> None:
    """Places are held as at the start of the scenario, save where somebody stands."""
    fresh = _fresh(state.scenario).control
    state.control = {
        place.hex: state.control.get(place.hex, fresh[place.hex])
        for place in sudan().places.values()
    }
    for unit in state.units.values():
        if unit.hex in state.control and unit.kind not in (Kind.LEADER, Kind.BOAT, Kind.GUNBOAT):
            state.control[unit.hex] = unit.side
    for name, side in held.items():
        state.control[hex_of(name)] = Side(side)
    state.control = dict(sorted(state.control.items()))


def _settle_counters(state: State) -> None:
    """What of the Mahdists' counters is not on the map lies in the pile, the rest beside it."""
    law = book()
    for kind in (kind for kind in Kind if law.counters(kind)):
        on_map = sum(
            unit.kind is kind and unit.side is Side.MAHDIST for unit in state.units.values()
        )
        assert on_map <= law.counters(kind), f"there are no {on_map} Mahdist {kind} counters"
        state.pool[kind] = max(0, law.drawn(kind, state.scenario) - on_map)
        state.box[kind] = law.counters(kind) - on_map - state.pool[kind]


def phase_step(side: str, phase: str) -> Step:
    """The step of the sequence of play that begins this phase."""
    return Step("phase", (phase, phase, side))


def besieged_khartoum(**changes: str) -> State:
    """Gordon in Khartoum, the Mahdi's men on every side but the White Nile's, summer 1884."""
    return position(
        "Khartoum: Gordon, J. Stewart, 4 infantry egyptian L, 3 infantry egyptian R,"
        " 2 guns egyptian, civilians, 5 gunboats egyptian",
        "2143: Mahdi, 12 spears, 2 rifles mahdist, gun mahdist, cavalry mahdist",
        "2043: 6 spears",
        "Halfaya: 6 spears",
        **changes,  # type: ignore[arg-type]
    )


def el_teb(**changes: str) -> State:
    """Graham with his brigade before the wells of El Teb, February 1884."""
    return position(
        "Trinkitat: Graham, 4 infantry british 3V, 2 infantry british 2V, 2 guns british, fleet",
        "El Teb: Osman Digma, 14 spears, gun mahdist",
        **({"month": "1884-02"} | changes),  # type: ignore[arg-type]
    )


def abu_klea(**changes: str) -> State:
    """Stewart's square in the Bayuda, before the Mahdists at Abu Klea wells, January 1885."""
    return position(
        "2332: H. Stewart, 3 camel corps british 2V, camel corps british 1V, gun british,"
        " supply, camel",
        "Abu Klea Wells: 12 spears, rifles mahdist",
        **({"month": "1885-01"} | changes),  # type: ignore[arg-type]
    )
