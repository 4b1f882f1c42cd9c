"""What a stack is likely to lose to thirst where it ends its turn (10.3)."""

from functools import lru_cache

from campaign.rules.board import board, chart, laws
from campaign.rules.book import Book
from campaign.rules.map import Ground, HexId, Map, PlaceClass, Relief
from campaign.rules.pieces import Side
from campaign.rules.rows import AttritionLine
from campaign.rules.state import State

EXTENSION = "souakim_extension"
_FACES = range(1, 7)


def thirst(state: State, side: Side, hex_id: HexId, size: int) -> float:
    """Units that `size` of them in this hex may expect to lose, supply left aside."""
    return expected(laws(state), *_roll(state, side, hex_id), size)


def is_safe(state: State, side: Side, hex_id: HexId, size: int) -> bool:
    """Whether no roll can hurt so many units in this hex."""
    return thirst(state, side, hex_id, size) == 0


@lru_cache(maxsize=2_000)
def expected(law: Book, line: AttritionLine, change: int, size: int) -> float:
    """Units affected on average of `size` that roll on this line, the roll changed by so much."""
    lost = 0
    for face in _FACES:
        spared = law.attrition(line, face + change)
        if spared is None:
            return 0
        lost += max(0, size - spared)
    return lost / len(_FACES)


def _roll(state: State, side: Side, hex_id: HexId) -> tuple[AttritionLine, int]:
    ground = chart(state)
    change, hot = grounds(ground)[hex_id].harsh, laws(state).hot_on_the_coast(state.month)
    if hot and hex_id in coast(ground):
        change -= 1
    if grounds(ground)[hex_id].settled and hex_id in board(state).pressed[side.enemy]:
        return AttritionLine.BESIEGED, change
    return grounds(ground)[hex_id].line, change


class Camp:
    """A hex as a camp: its line of the table when nobody besieges it, and what makes it worse."""

    __slots__ = ("harsh", "line", "settled")

    def __init__(self, line: AttritionLine, harsh: int, settled: bool) -> None:
        self.line = line
        self.harsh = harsh
        self.settled = settled


@lru_cache(maxsize=4)
def coast(ground: Map) -> frozenset[HexId]:
    """The hexes of the Souakim map extension."""
    return ground.region(EXTENSION)


@lru_cache(maxsize=4)
def grounds(ground: Map) -> dict[HexId, Camp]:
    """Every land hex as a camp."""
    return {
        hex_id: _camp(ground, hex_id) for hex_id, field in ground.hexes.items() if not field.sea
    }


def _camp(ground: Map, hex_id: HexId) -> Camp:
    field = ground.hexes[hex_id]
    harsh = -1 if field.relief is Relief.MOUNTAIN else 0
    kinds = {ground.places[name].kind for name in field.places[:1]}
    if PlaceClass.TOWN in kinds:
        return Camp(AttritionLine.TOWN, harsh, True)
    if kinds and field.ground is Ground.DESERT:
        return Camp(AttritionLine.CLEAR, harsh, True)
    return Camp(AttritionLine(field.ground.value), harsh, bool(kinds))


def tolls(state: State, side: Side, hex_id: HexId, size: int) -> list[tuple[int, float]]:
    """How many of so many units each face of the die costs, and how often it falls."""
    law = laws(state)
    line, change = _roll(state, side, hex_id)
    found = []
    for face in _FACES:
        spared = law.attrition(line, face + change)
        found.append((0 if spared is None else max(0, size - spared), 1 / len(_FACES)))
    return found
