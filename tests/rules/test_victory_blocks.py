"""4, ruling 52: the building blocks of victory, in positions that are written for them."""

from typing import Any

import pytest

from battles.contract.brief import Side
from battles.core.tables import TableError
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import Score, State
from campaign.rules.set_up import new_game
from campaign.rules.tables.editions import own_edition, shipped_edition
from campaign.rules.tables.scenario_blocks import PointsCounted
from campaign.rules.victory import conditions, points
from tests.positions import RELIEF, position
from tests.rules.helpers import fight, march
from tests.rules.test_4_victory import end_of_turn

POINTS = """type = "points"
margin = 2
text = "More points."
award = [
  { type = "place", side = "egyptian", place = "Berber", points = 3 },
  { type = "units", side = "egyptian", places = ["Berber"], least = 2, kind = "gun", points = 1 },
  { type = "leader", side = "egyptian", leader = "Gordon", points = 2 },
  { type = "leader", side = "mahdist", leader = "Gordon", lost = true, points = 2 },
  { type = "losses", side = "egyptian", every = 2, points = 1 },
  { type = "losses", side = "mahdist", nation = "british", every = 3, points = 1 },
  { type = "handicap", side = "mahdist", points = 4 },
]"""


def scenario_won_by(*conditions: str) -> str:
    """Return the digest of an edition whose Relief is won by these conditions alone."""
    said, _, _ = shipped_edition().text(RELIEF).partition("[[victory]]")
    written = "\n".join(f'[[victory]]\n{one}\ntext = "Won."\n' for one in conditions)
    written = written.replace('text = "More points."\n', "")
    return own_edition({RELIEF: said + written}).digest


def won_by(condition: str, *stacks: str, **changes: Any) -> State:
    """Return the position in a scenario that is won by this condition."""
    state: State = position(
        *stacks, **({"scenario": RELIEF, "month": "1883-01", "phase": "recovery"} | changes)
    )
    state.edition = scenario_won_by(condition)
    state.__dict__.pop("board", None)
    return state


def winner(state: State, *turns: str) -> Side | None:
    """Return who has won after these turns have ended; the position stays as it is."""
    for side in turns:
        end_of_turn(state, side)
    return state.result.winner if state.result else None


MONTH = ("egyptian", "mahdist")


def test_hold_needs_all_places_at_the_end_of_the_month() -> None:
    hold = 'type = "hold"\nwinner = "egyptian"\nplaces = ["Berber", "Metemmeh"]'
    both = won_by(hold, "Berber: infantry egyptian L", "Metemmeh: spears egyptian")
    assert winner(both, "egyptian") is None
    assert winner(both, "mahdist") is Side.EGYPTIAN
    one = won_by(hold, "Berber: infantry egyptian L", "Metemmeh: spears")
    assert winner(one, *MONTH) is None


def test_hold_of_some_of_the_places_for_months_running() -> None:
    hold = (
        'type = "hold"\nwinner = "mahdist"\nplaces = ["Berber", "Metemmeh"]\nleast = 1\nturns = 2'
    )
    state = won_by(hold, "Berber: spears", "Metemmeh: infantry egyptian L")
    assert winner(state, *MONTH) is None
    assert state.tallies["hold:0"] == 1
    state.control[ids_hex(state)] = Side.EGYPTIAN
    assert winner(state, *MONTH) is None
    assert state.tallies["hold:0"] == 0
    state.control[ids_hex(state)] = Side.MAHDIST
    assert winner(state, *MONTH) is None
    assert winner(state, *MONTH) is Side.MAHDIST


def ids_hex(state: State) -> Any:
    """Return the hex of the first unit of the position."""
    return state.units[UnitId(min(state.units))].hex


REACH = 'type = "reach"\nwinner = "egyptian"\nplaces = ["Berber", "Metemmeh"]'


@pytest.mark.parametrize(
    ("more", "stack", "won"),
    [
        ("", "Berber: infantry egyptian L", True),
        ("", "Berber: supply", False),
        ('kind = "supply"', "Metemmeh: supply", True),
        ('nation = "british"', "Berber: infantry egyptian L", False),
        ('nation = "british"', "Berber: infantry british 3V", True),
        ("least = 3", "Berber: 2 infantry egyptian L", False),
        ("least = 3", "Berber: 3 infantry egyptian L", True),
        ('leader = "Hicks"', "Berber: infantry egyptian L", False),
        ('leader = "Hicks"', "Berber: Hicks, infantry egyptian L", True),
        ('leader = "Hicks"\nleast = 0', "Berber: Hicks, supply", True),
        ("", "Khartoum: infantry egyptian L", False),
    ],
)
def test_reach_counts_such_units_at_the_end_of_the_winners_turn(
    more: str, stack: str, won: bool
) -> None:
    state = won_by(f"{REACH}\n{more}", stack, "1033: spears")
    assert (winner(state, "egyptian") is Side.EGYPTIAN) is won


def test_reach_is_not_judged_at_the_end_of_the_enemys_turn() -> None:
    state = won_by(REACH, "Berber: infantry egyptian L")
    assert winner(state, "mahdist") is None


RELIEVE = 'type = "relieve"\nwinner = "egyptian"\nplace = "El Obeid"'
# In the Relief units 4 to 11 are the garrison of El Obeid; those of Khartoum come after them.
GARRISON = "El Obeid: 2 infantry egyptian L"


def test_relieve_needs_others_than_the_garrison() -> None:
    state = won_by(RELIEVE, GARRISON)
    renumber(state, 4)
    assert winner(state, "egyptian") is None


def test_relieve_by_units_next_to_the_place() -> None:
    state = won_by(RELIEVE, GARRISON, "0359: infantry egyptian L")
    assert winner(state, "egyptian") is Side.EGYPTIAN


def test_relieve_is_barred_by_a_siege() -> None:
    state = won_by(RELIEVE, GARRISON, "0359: infantry egyptian L", "0357: spears")
    assert winner(state, "egyptian") is None


def renumber(state: State, first: int) -> None:
    """Number the units of the position from `first` on."""
    units = [state.units[number] for number in sorted(state.units)]
    for place, unit in enumerate(units):
        unit.id = UnitId(first + place)
    state.units = {unit.id: unit for unit in units}
    state.next_unit = first + len(units)
    state.__dict__.pop("board", None)


def test_destroy_counts_the_strength_that_is_left_and_still_to_come() -> None:
    destroy = 'type = "destroy"\nwinner = "mahdist"\nleft = 3'
    state = won_by(destroy, "Berber: 3 infantry egyptian L, supply, camel", "1033: spears")
    assert winner(state, *MONTH) is Side.MAHDIST
    four = won_by(destroy, "Berber: 4 infantry egyptian L")
    assert winner(four, *MONTH) is None
    due = won_by(destroy, "Berber: 3 infantry egyptian L")
    coming = new_game(RELIEF).due[0]
    due.due = [coming]
    assert len(coming.units) > 15
    assert winner(due, *MONTH) is None


def test_destroy_of_one_nation() -> None:
    destroy = 'type = "destroy"\nwinner = "mahdist"\nleft = 0\nnation = "british"'
    state = won_by(destroy, "Berber: 9 infantry egyptian L")
    assert winner(state, *MONTH) is Side.MAHDIST


@pytest.mark.parametrize(
    ("stacks", "month", "won"),
    [
        (("Khartoum: Gordon, 3 infantry egyptian L",), "1883-03", True),
        (("Khartoum: Gordon, 3 infantry egyptian L",), "1883-02", False),
        (("Khartoum: 3 infantry egyptian L",), "1883-03", False),
        (("Khartoum: Gordon, 2 infantry egyptian L",), "1883-03", False),
        (("Berber: Gordon, 3 infantry egyptian L", "Khartoum: spears"), "1883-03", False),
    ],
)
def test_survive_until_needs_all_that_is_named(
    stacks: tuple[str, ...], month: str, won: bool
) -> None:
    state = won_by(
        'type = "survive until"\nwinner = "egyptian"\nuntil = "1883-03"\nplaces = ["Khartoum"]\n'
        'leader = "Gordon"\nleft = 3',
        *stacks,
        month=month,
    )
    assert (winner(state, *MONTH) is Side.EGYPTIAN) is won


def scored(state: State) -> tuple[int, int]:
    (one,) = conditions(state, PointsCounted)
    score = points(state, one)
    return score.egyptian, score.mahdist


def test_points_of_places_units_leaders_and_the_handicap() -> None:
    state = won_by(
        POINTS, "Berber: 2 guns egyptian, infantry egyptian L", "Khartoum: Gordon, camel"
    )
    assert scored(state) == (3 + 1 + 2, 4)
    without = won_by(POINTS, "Berber: spears")
    assert scored(without) == (0, 2 + 4)


def test_points_for_strength_destroyed_in_combat() -> None:
    state = won_by(
        POINTS, "1033: 8 infantry british 3V, gun british", "1034: 4 spears", phase="march"
    )
    march(state, "1033")
    fight(state, "1034", dice=[1, 1, 6, 6, 1, 1])
    lost = state.tallies["lost:mahdist"]
    assert lost == 4 - len([one for one in state.units.values() if one.nation == "mahdist"])
    assert lost > 0
    assert scored(state)[0] == 3 + lost // 2


@pytest.mark.parametrize(
    ("stacks", "won"),
    [
        (("Berber: 2 guns egyptian", "Khartoum: Gordon, camel"), Side.EGYPTIAN),
        (("Berber: gun egyptian", "Khartoum: Gordon, camel"), None),
        (("Berber: spears", "Khartoum: Gordon, camel"), Side.MAHDIST),
    ],
)
def test_points_decide_after_the_last_month_by_the_margin(
    stacks: tuple[str, ...], won: Side | None
) -> None:
    before = won_by(POINTS, *stacks, month="1884-02")
    assert winner(before, *MONTH) is None
    assert before.result is None
    state = won_by(POINTS, *stacks, month="1884-03")
    score = Score(*scored(state))
    assert winner(state, *MONTH) is won
    assert state.result is not None
    assert state.score == score


def test_a_campaign_that_no_points_decide_has_no_score() -> None:
    hold = 'type = "hold"\nwinner = "mahdist"\nplaces = ["Berber"]'
    state = won_by(hold, "Berber: spears")
    assert winner(state, *MONTH) is Side.MAHDIST
    assert state.score is None


def test_of_two_that_hold_at_once_the_first_named_decides() -> None:
    state = won_by('type = "hold"\nwinner = "mahdist"\nplaces = ["Berber"]', "Berber: spears")
    state.edition = scenario_won_by(
        'type = "destroy"\nwinner = "egyptian"\nleft = 9',
        'type = "hold"\nwinner = "mahdist"\nplaces = ["Berber"]',
    )
    assert winner(state, *MONTH) is Side.EGYPTIAN


@pytest.mark.parametrize(
    ("condition", "reason"),
    [
        (
            'type = "hold"\nwinner = "egyptian"\nplaces = ["Berber"]\nleast = 2',
            "2 places cannot be held of 1",
        ),
        ('type = "hold"\nwinner = "egyptian"\nplaces = []', "places"),
        ('type = "reach"\nwinner = "egyptian"\nplaces = ["Barber"]', "no place “Barber”"),
        (f'{REACH}\nleader = "Kitchener"', "the table of leaders has no 'Kitchener'"),
        ('type = "survive until"\nwinner = "egyptian"\nuntil = "1883-03"', "nothing is named"),
        (
            'type = "survive until"\nwinner = "egyptian"\nuntil = "1885-03"\nleft = 1',
            "1885-03 is not a month of the scenario",
        ),
        ('type = "points"\nmargin = 0\naward = []', "margin"),
        (
            'type = "points"\naward = [{ type = "tea", side = "egyptian", points = 1 }]',
            "'tea' is not known as `type`",
        ),
    ],
)
def test_a_condition_that_cannot_be_is_refused(condition: str, reason: str) -> None:
    with pytest.raises(TableError) as refused:
        scenario_won_by(condition)
    assert reason in str(refused.value)
    assert refused.value.path == f"{RELIEF}.toml"


def test_two_counts_of_egyptian_turns_for_one_side_are_refused() -> None:
    free = 'type = "unbesieged"\nwinner = "egyptian"\nplaces = ["{}"]\nturns = 2'
    with pytest.raises(TableError, match="counts Egyptian turns for egyptian already"):
        scenario_won_by(free.format("El Obeid"), free.format("Khartoum"))
