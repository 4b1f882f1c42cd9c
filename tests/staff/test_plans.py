"""The staff's portfolio, its levels and its planner; and what each plan does in a position."""

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from battles.contract.brief import Side, TroopKind
from battles.core.decoding import encode
from battles.core.dice import ChainedDice, derive_key
from campaign.rules import new_game, play
from campaign.rules.core import actions as a
from campaign.rules.core.board import board, chart
from campaign.rules.core.state import State, clone
from campaign.staff import answer, levels, planner
from campaign.staff.columns import columns
from campaign.staff.levels import Level, LevelPlayer, StaffMonth, plans_for
from campaign.staff.planner import PlanningTerms, choose_plan, value_of
from campaign.staff.plans import Plans, plans, plans_of, portfolio, under
from campaign.staff.scene import scene
from tests.positions import OPEN, RELIEF, SIEGE, hex_of, position
from tests.staff.test_judgement import numbers

KEY = b"plans"
SLUGS = (SIEGE, RELIEF)


def turn(state: State, by: Plans | None = None) -> list[a.AnyAction]:
    """Return the side's actions by these plans until its phase is over."""
    dice, done, side = ChainedDice(derive_key(b"plans of a turn")), [], state.side
    while state.question is not None and state.side is side:
        done.append(answer(state, by))
        play(state, done[-1], dice)
    return done


def marched(done: list[a.AnyAction]) -> list[set[int]]:
    return [set(action.units) for action in done if isinstance(action, a.March)]


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("side", list(Side))
def test_each_side_has_plans_to_choose_from_and_the_first_is_the_usual(
    slug: str, side: Side
) -> None:
    mine = portfolio(slug, side)
    assert len(mine) >= 4
    assert len({encode(under(slug, plan.name)) for plan in mine}) == len(mine)
    assert plans_of(new_game(slug), side) is under(slug, mine[0].name)


def test_a_plan_comes_before_the_plans_of_the_scenario() -> None:
    usual, changed = plans(SIEGE), under(SIEGE, "berber-first")
    assert [aim.place for aim in changed.aim[:2]] == ["Berber", "Metemmeh"]
    assert {aim.place for aim in usual.aim} <= {aim.place for aim in changed.aim}
    assert len({(aim.place, aim.leader) for aim in changed.aim}) == len(changed.aim)


@pytest.mark.parametrize("slug", SLUGS)
def test_no_plan_waits_for_a_date(slug: str) -> None:
    """Plans follow the position: what may be done in one month may be done in another."""
    fields = {name for aim in plans(slug).aim for name in aim.__struct_fields__}
    assert not {"since", "until", "month"} & fields


def test_a_leader_does_not_storm_with_the_leavings_of_his_host() -> None:
    """Osman Digma went as the third wave, with a band, and died."""
    state = position(
        "Souakim: 2 infantry egyptian L, gun egyptian",
        "5320: Osman Digma, 10 spears",
        side="mahdist",
    )
    [leader] = numbers(state, Side.MAHDIST, "5320", TroopKind.LEADER)
    for units in marched(turn(state)):
        assert leader not in units or len(units) > 5


def test_supply_waits_for_a_guard_while_the_enemy_is_near() -> None:
    stacks = ("2637: supply, camel", "2839: 6 spears")
    alone = position(*stacks, "Khartoum: Gordon, 4 infantry egyptian L", month="1884-12")
    [supply] = numbers(alone, Side.EGYPTIAN, "2637", TroopKind.SUPPLY)
    assert not any(supply in units for units in marched(turn(alone)))
    safe = position(stacks[0], "Khartoum: Gordon, 4 infantry egyptian L", month="1884-12")
    assert any(supply in units for units in marched(turn(safe)))


def test_4_2_the_civilians_stay_in_town_while_bands_are_near() -> None:
    state = position("Khartoum: Gordon, 6 infantry egyptian L, civilians", "1839: 6 spears")
    [civilians] = numbers(state, Side.EGYPTIAN, "Khartoum", TroopKind.CIVILIANS)
    assert not any(civilians in units for units in marched(turn(state)))


def test_9_12_a_column_beside_khartoum_attacks_its_besiegers() -> None:
    """Graham stood seven months in the next hex and looked on."""
    state = position(
        "2044: Graham, 5 infantry british 3V, gun british, supply",
        "Khartoum: Gordon, 4 infantry egyptian L",
        "2043: 10 spears",
    )
    attacks = [action.hex for action in turn(state) if isinstance(action, a.Attack)]
    assert attacks[:1] == [hex_of("2043")]


def test_9_12_outposts_stand_all_round_khartoum() -> None:
    state = position("Khartoum: 7 infantry egyptian L, 2 gunboat egyptian", scenario=RELIEF)
    sent = marched(turn(state, under(RELIEF, "outposts")))
    assert len(sent) > 3
    assert all(len(units) == 1 for units in sent)
    posts = board(state).occupied[Side.EGYPTIAN] - {hex_of("Khartoum")}
    assert posts <= set(chart(state).neighbours[hex_of("Khartoum")])
    assert posts
    assert board(state).land(Side.EGYPTIAN, hex_of("Khartoum"))


@pytest.mark.parametrize(("plan", "goes"), [("hold", False), ("leave-by-nile", True)])
def test_4_2_gordon_leaves_with_garrison_and_townsfolk_where_that_is_the_plan(
    plan: str, goes: bool
) -> None:
    state = position("Khartoum: Gordon, 6 infantry egyptian L, civilians", "El Obeid: 6 spears")
    garrison = {unit.id for unit in board(state).stack(Side.EGYPTIAN, hex_of("Khartoum"))}
    assert (garrison in marched(turn(state, under(SIEGE, plan)))) is goes


def test_9_12_bands_that_are_to_sit_lie_round_khartoum_and_do_not_storm() -> None:
    state = position(
        "2044: 8 spears", "Khartoum: 7 infantry egyptian L, 2 gun egyptian", side="mahdist"
    )
    done = turn(state, under(SIEGE, "starve-khartoum"))
    assert not [action for action in done if isinstance(action, a.Attack)]
    assert board(state).besieged(Side.EGYPTIAN, hex_of("Khartoum"))


def test_bands_follow_gordon_where_that_is_the_plan() -> None:
    state = position(
        f"{OPEN}: 8 spears", "0644: Gordon, 2 infantry egyptian R disrupted", side="mahdist"
    )
    done = turn(state, under(SIEGE, "hunt-gordon"))
    assert hex_of("0644") in [action.hex for action in done if isinstance(action, a.Attack)]


class Positions:
    """Copies of one position, which count how often they are asked for."""

    def __init__(self, state: State) -> None:
        self.state, self.asked = state, 0

    def __call__(self, number: int) -> State:
        self.asked += 1
        return clone(self.state)


@pytest.mark.parametrize("playouts", [0, 5, 9])
def test_the_planner_stops_within_its_budget(playouts: int) -> None:
    positions = Positions(new_game(SIEGE))
    terms = PlanningTerms(Side.MAHDIST, KEY, playouts, months=1)
    choice = choose_plan(SIEGE, terms, positions)
    assert positions.asked == choice.playouts <= playouts
    assert choice.plan in {plan.name for plan in portfolio(SIEGE, Side.MAHDIST)}


def test_the_planner_chooses_alike_from_the_same_key_and_positions() -> None:
    terms = PlanningTerms(Side.EGYPTIAN, KEY, 8, months=1)
    first, again = (choose_plan(SIEGE, terms, Positions(new_game(SIEGE))) for _ in range(2))
    assert first == again


def test_the_planner_takes_the_plan_that_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    def judge(state: State, side: Side, balance: float) -> float:
        return float(board(state).besieged(Side.EGYPTIAN, hex_of("Khartoum")))

    monkeypatch.setattr(planner, "value_of", judge)
    state = position(
        "Khartoum: 7 infantry egyptian L", "2044: 8 spears", scenario=RELIEF, side="mahdist"
    )
    terms = PlanningTerms(Side.MAHDIST, KEY, 8, months=1)
    assert choose_plan(RELIEF, terms, Positions(state)).plan in ("khartoum-now", "both-towns")


def test_the_planner_does_not_play_plans_out_that_give_the_same_orders() -> None:
    """With the river taken, all keep six bands beside Khartoum: there is nothing to choose."""
    river = dict.fromkeys(("Omdurman", "Shendi", "Metemmeh", "Berber", "Dongola"), "mahdist")
    garrison = "Khartoum: Gordon, 6 infantry egyptian L"
    state = position(garrison, "2043: 6 spears", side="mahdist", held=river)
    positions = Positions(state)
    choice = choose_plan(SIEGE, PlanningTerms(Side.MAHDIST, KEY, 40, months=5), positions)
    assert (choice.plan, choice.playouts, positions.asked) == ("hunt-gordon", 4, 4)


def plan_played(players: Mapping[Side, Any], side: Side) -> Plans:
    """Return the plans by which that side is played."""
    played: Plans = players[side].keywords["plans"]
    return played


@pytest.mark.parametrize(
    ("gains", "taken"), [([0.9, -0.7, 0.9, -0.7], "hunt-gordon"), ([0.2, 0.1, 0.2, 0.1], "storm")]
)
def test_the_planner_leaves_the_plan_in_use_only_for_more_than_chance(
    gains: list[float], taken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both others are better on the mean, and by more than what the plan in use is worth."""
    games = dict.fromkeys((plan.name for plan in portfolio(SIEGE, Side.MAHDIST)), 0)
    by_plan = {id(under(SIEGE, name)): name for name in games}

    def playout(_state: State, players: Mapping[Side, Any], *_rest: object) -> float:
        name = by_plan[id(plan_played(players, Side.MAHDIST))]
        games[name] += 1
        return 0.5 + (gains[games[name] - 1] if name == "storm" else 0.0)

    monkeypatch.setattr(planner, "_playout", playout)
    terms = PlanningTerms(Side.MAHDIST, KEY, 14, months=5, before="hunt-gordon")
    assert choose_plan(SIEGE, terms, Positions(new_game(SIEGE))).plan == taken


def test_the_planner_stops_when_no_other_plan_gains(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planner, "_playout", lambda *_: 0.5)
    terms = PlanningTerms(Side.MAHDIST, KEY, 40, months=5)
    choice = choose_plan(SIEGE, terms, Positions(new_game(SIEGE)))
    assert (choice.plan, choice.playouts) == ("hunt-gordon", 14)


def test_the_strong_staff_plays_its_own_plans_out_as_it_carries_them_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It would think that the townsfolk starve its garrison, whom it sends away."""
    seen: list[Plans] = []

    def playout(_state: State, players: Mapping[Side, Any], *_rest: object) -> float:
        seen.append(plan_played(players, Side.EGYPTIAN))
        return 0.5

    monkeypatch.setattr(planner, "_playout", playout)
    plans_for(Level.STRONG, occasion(Side.EGYPTIAN, 1), new_game(SIEGE), Positions(new_game(SIEGE)))
    assert len(seen) > 4
    assert all(one.shrewd for one in seen)


def test_a_position_is_worth_more_the_nearer_the_count_is_to_the_end() -> None:
    state = position("Khartoum: 4 infantry egyptian L", "2043: 8 spears", scenario=RELIEF)
    worth = []
    for turns in (0, 1, 2):
        state.tallies["turns:mahdist"] = turns
        worth.append(value_of(state, Side.MAHDIST, planner.strength_share(state, Side.MAHDIST)))
    assert worth == sorted(set(worth))
    assert worth[0] == 0.5
    assert 0 < value_of(state, Side.EGYPTIAN, 0.5) < 1


def never(number: int) -> State:
    raise AssertionError("This level does not play ahead.")


def occasion(side: Side, month: int, key: bytes = KEY) -> StaffMonth:
    return StaffMonth(side, key, month)


def test_a_learner_keeps_to_one_plan_drawn_by_lot_and_overlooks_stacks() -> None:
    state = new_game(SIEGE)
    drawn = {
        (number, plans_for(Level.LEARNER, occasion(Side.MAHDIST, month, key), state, never)[0])
        for number in range(12)
        for key in [derive_key(KEY, number)]
        for month in (1, 2)
    }
    assert len(drawn) == 12
    assert len({name for _, name in drawn}) > 1
    by = plans_for(Level.LEARNER, occasion(Side.MAHDIST, 1), state, never)[1]
    assert by.overlooks
    state = position("2637: 6 spears", side="mahdist", held={"Shendi": "egyptian"})
    months = range(state.month, state.month + 2)
    forgotten = []
    for month in months:
        state.month = month
        forgotten.append(isinstance(answer(state, msgspec.structs.replace(by)), a.Done))
    assert sorted(forgotten) == [False, True]


def test_a_club_player_goes_by_the_usual_plan() -> None:
    name, by = plans_for(Level.CLUB, occasion(Side.EGYPTIAN, 1), new_game(SIEGE), never)
    assert (name, by) == ("hold", under(SIEGE, "hold"))


def test_a_strong_player_plans_within_the_budget_when_a_month_begins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(levels, "PLAYOUTS", 4)
    monkeypatch.setattr(levels, "MONTHS", 1)
    state = new_game(SIEGE)
    positions = Positions(state)
    name, by = plans_for(Level.STRONG, occasion(Side.MAHDIST, state.month), state, positions)
    assert by is levels.as_carried_out(Level.STRONG, under(SIEGE, name))
    assert positions.asked == 4
    before, player = encode(state), LevelPlayer(Level.STRONG, Side.MAHDIST, KEY)
    player.begin_month(state)
    assert player.chosen == [name]
    assert encode(state) == before


@pytest.mark.parametrize("level", list(Level))
def test_a_scenario_without_a_portfolio_is_played_at_every_level(
    level: Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(levels, "portfolio", lambda scenario, side: ())
    name, by = plans_for(level, occasion(Side.MAHDIST, 1), new_game(SIEGE), never)
    assert name == ""
    assert by.aim == plans(SIEGE).aim


def test_a_native_army_takes_its_leader_along_from_a_garrison_that_is_led() -> None:
    army = "Duem: Hicks, 24 infantry egyptian R, supply british, camel british"
    state = position(army, "El Obeid: 6 spears", scenario="hicks-in-kordofan", month="1883-09")
    stack = board(state).stack(Side.EGYPTIAN, chart(state).place("Duem").hex)
    hicks = board(state).leader("Hicks")
    led = next(columns(scene(state, Side.EGYPTIAN), stack[0].hex, stack))
    assert hicks in led
    plans = plans_of(state, Side.EGYPTIAN)
    posts = tuple(msgspec.structs.replace(one, led=False) for one in plans.garrison)
    unled = scene(state, Side.EGYPTIAN, msgspec.structs.replace(plans, garrison=posts))
    alone = next(columns(unled, stack[0].hex, stack))
    assert [unit for unit in led if unit not in alone] == [hicks]


def test_a_british_column_from_a_garrison_that_is_led_takes_its_best_leader_alone() -> None:
    army = "Souakim: Graham, Baker, 12 infantry british 3V, 4 infantry egyptian R"
    state = position(army, "5723: 6 spears", scenario="tokar-and-souakim", month="1884-02")
    stack = board(state).stack(Side.EGYPTIAN, hex_of("Souakim"))
    column = next(columns(scene(state, Side.EGYPTIAN), stack[0].hex, stack))
    assert [unit.name for unit in column if unit.kind is TroopKind.LEADER] == ["Graham"]
