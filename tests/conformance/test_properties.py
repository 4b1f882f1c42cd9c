"""Properties of every roll, every hex and every position, with any figures."""

import heapq

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battles.contract.brief import RIVER_CRAFT, Nation, Quality, Side, TroopKind
from battles.core.decoding import decode, encode
from campaign import rules
from campaign.rules.core.board import board
from campaign.rules.core.pieces import Month
from campaign.rules.core.state import State
from campaign.rules.map import HexId, Nav, sudan
from campaign.rules.march.reach import reach
from campaign.rules.tables.book import book
from campaign.rules.tables.editions import shipped_edition
from campaign.rules.tables.rows import AttritionLine, Draw, MarchColumn, RecoveryResult
from tests.conformance.game import action_key, carry_out
from tests.conformance.player import RandomPlayer
from tests.positions import RELIEF, SIEGE
from tests.rules.invariants import check_state

ROLLS = st.integers(-50, 80)
FIGHTING = [quality for quality in Quality if quality is not Quality.NONE]


@given(st.sampled_from(MarchColumn), ROLLS)
def test_the_march_table_answers_every_roll(column: MarchColumn, roll: int) -> None:
    result = book().march(column, roll)
    assert result.disrupted in (0, 25, 50)
    assert result.march or not result.disrupted


@given(st.sampled_from(FIGHTING), ROLLS)
def test_the_combat_table_answers_every_roll(quality: Quality, roll: int) -> None:
    result = book().combat(quality, roll)
    assert 0 <= result.eliminated + result.disrupted <= 100


@given(st.sampled_from(FIGHTING), st.integers(-5, 14))
def test_a_higher_roll_is_never_worse_in_combat(quality: Quality, roll: int) -> None:
    def harm(total: int) -> int:
        result = book().combat(quality, total)
        return 2 * result.eliminated + result.disrupted

    assert harm(roll + 1) <= harm(roll)


@given(st.sampled_from(AttritionLine), ROLLS)
def test_the_attrition_table_answers_every_roll(line: AttritionLine, roll: int) -> None:
    spared = book().attrition(line, roll)
    assert spared is None or spared >= 0
    further = book().attrition(line, roll + 1)
    assert spared is None or (further is not None and further >= spared)


@given(st.sampled_from(Quality), ROLLS)
def test_the_recovery_table_answers_every_roll(quality: Quality, roll: int) -> None:
    assert book().recovery(quality, roll) in RecoveryResult


@given(ROLLS)
def test_the_tables_of_chapter_3_answer_every_roll(roll: int) -> None:
    assert 0 <= book().railway_hexes(roll) <= 3
    assert book().mahdist_draw(roll) in Draw


@given(
    st.sampled_from(Side), st.sampled_from([SIEGE, RELIEF]), st.integers(1, 6), st.integers(1, 6)
)
def test_every_throw_of_two_dice_is_an_event(
    side: Side, scenario: str, first: int, second: int
) -> None:
    row = shipped_edition().events(scenario, side)[10 * first + second]
    assert row.low <= 10 * first + second <= row.high
    assert row.title


@given(
    st.sampled_from(sorted(RIVER_CRAFT)),
    st.sampled_from(Nation),
    st.sampled_from(Nav),
    st.integers(1882 * 12, 1886 * 12).map(Month),
)
def test_every_craft_has_an_allowance_on_every_water(
    craft: TroopKind, nation: Nation, water: Nav, when: Month
) -> None:
    law = book()
    now = law.class_now(water, when)
    for allowed in (law.upstream(craft, now, nation), law.downstream(craft, now, nation)):
        assert allowed.unlimited or allowed.dice >= 0 <= allowed.add
    assert law.wreck(craft, nation).wrecked_from > 1


@given(st.sampled_from(TroopKind), st.sampled_from(Nation))
def test_every_piece_has_figures(kind: TroopKind, nation: Nation) -> None:
    piece = book().piece(kind, nation)
    assert 0 <= piece.movement <= 12


POSITIONS = [(SIEGE, 3, 150), (SIEGE, 4, 600), (RELIEF, 5, 90), (RELIEF, 6, 40)]


@pytest.mark.parametrize(("scenario", "seed", "number"), POSITIONS)
def test_the_reach_of_every_stack_is_the_cheapest_way_there_is(
    scenario: str, seed: int, number: int
) -> None:
    state = after(scenario, seed, number)
    for side in Side:
        for start in board(state).hexes(side)[::4]:
            assert reach(state, side, start, 9).costs == cheapest(state, side, start, 9)


def after(scenario: str, seed: int, number: int) -> State:
    """Return the position after so many actions of a random campaign."""
    state, player = rules.new_game(scenario), RandomPlayer(seed)
    for count in range(number):
        if state.question is None:
            break
        carry_out(state, player.choose(state), action_key(seed, count))
    return state


def cheapest(state: State, side: Side, start: HexId, points: int) -> dict[HexId, int]:
    """Dijkstra's search over the moves of chapter 8, written from the book."""
    position, ground = board(state), sudan()
    if position.besieged(side, start):
        return {start: 0}
    found: dict[HexId, int] = {}
    queue: list[tuple[int, HexId]] = [(0, start)]
    while queue:
        spent, here = heapq.heappop(queue)
        if here in found:
            continue
        found[here] = spent
        if here != start and position.besieged(side, here):
            continue
        for there in ground.neighbours[here]:
            cost = step(state, side, here, there)
            if cost is not None and spent + cost <= points:
                heapq.heappush(queue, (spent + cost, there))
    return found


def step(state: State, side: Side, here: HexId, there: HexId) -> int | None:
    """Return the points one hex costs (8.21); None where nobody may go (8.2, 9.12, 2.2)."""
    position, field = board(state), sudan().hexes[there]
    shut = position.besieged(side, there) and position.land(side, there)
    banned = there in _banned(state, side)
    if field.sea or field.closed or position.land(side.enemy, there) or shut or banned:
        return None
    cost = {"flat": 1, "hill": 2, "mountain": 3}[field.relief]
    if (here, there) not in sudan().sides:
        return cost
    for watched in (here, there):
        for near in (watched, *sudan().neighbours[watched]):
            if any(unit.kind is TroopKind.GUNBOAT for unit in position.stack(side.enemy, near)):
                return None
    ferry = any(
        unit.kind in RIVER_CRAFT for one in (here, there) for unit in position.stack(side, one)
    )
    return cost if ferry else cost + 3


def _banned(state: State, side: Side) -> set[HexId]:
    """No Mahdist comes beside the Nile below Abou Hamed in the first campaign (2.2)."""
    if state.scenario != RELIEF or side is Side.EGYPTIAN:
        return set()
    first = sudan().ordinals(sudan().place("Abou Hamed").hex, "nile")[0]
    return {
        hex_id
        for hex_id in sudan().river_hexes["nile"]
        if sudan().ordinals(hex_id, "nile")[1] >= first
    }


@settings(max_examples=15)
@given(st.sampled_from([SIEGE, RELIEF]), st.integers(0, 10_000), st.integers(1, 60))
def test_any_position_that_play_leads_to_is_lawful_and_can_be_stored(
    scenario: str, seed: int, number: int
) -> None:
    state = after(scenario, seed, number)
    check_state(state)
    assert encode(decode(encode(state), State)) == encode(state)
    assert encode(rules.view(state, Side.MAHDIST)) == encode(state)
