"""Order sheets at random, from the plausible to the mad, and positions to try them on."""

from functools import cache
from typing import Any

from hypothesis import strategies as st

from battles.contract.brief import Side
from battles.core.decoding import decode, encode
from battles.core.dice import ChainedDice
from campaign import rules, staff
from campaign.orders.order_sheet import MonthOrders, sheet_from
from campaign.rules.core.board import board, chart
from campaign.rules.core.state import State
from campaign.rules.tables.editions import shipped_edition

SIEGE, RELIEF = "siege-of-khartoum", "relief-of-el-obeid"


@cache
def _played(scenario: str, months: int) -> bytes:
    """Return the scenario as the staff of both sides has left it after so many months."""
    state = rules.new_game(scenario, shipped_edition())
    dice, until = ChainedDice(f"{scenario} {months}".encode()), state.month + months
    while state.question is not None and state.month < until:
        rules.play(state, staff.answer(state), dice)
    return encode(state)


def position_after(scenario: str, months: int) -> State:
    """Return a copy of that position, which the caller owns."""
    return decode(_played(scenario, months), State)


positions = st.builds(
    position_after, st.sampled_from((SIEGE, RELIEF)), st.sampled_from((0, 1, 3, 6))
)
"""Positions that campaigns come to."""

_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                (
                    "orders",
                    "type",
                    "hex",
                    "units",
                    "legs",
                    "to",
                    "route",
                    "standing",
                    "march",
                )
            )
            | st.text(max_size=5),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
mad = _json
"""Anything that JSON can say."""


@st.composite
def documents(draw: Any, state: State, side: Side) -> dict[str, Any]:
    """Return a sheet that could be one: of units and hexes that there are, and some that are
    not.
    """
    orders = draw(st.lists(_orders(state, side), max_size=6))
    placed = draw(st.lists(_placed(state), max_size=2))
    return {"orders": orders, "reinforcements": placed, "standing": draw(_standing(state))}


def sheets(state: State, side: Side) -> "st.SearchStrategy[MonthOrders]":
    """Return the same, read."""
    return documents(state, side).map(sheet_from)


def _hexes(state: State) -> "st.SearchStrategy[int]":
    known = sorted(chart(state).hexes)
    held = sorted(unit.hex for unit in state.units.values() if unit.hex > 0)
    return st.sampled_from(held) | st.sampled_from(known) | st.integers(0, 99_999)


@st.composite
def _orders(draw: Any, state: State, side: Side) -> dict[str, Any]:
    kind = draw(st.sampled_from(("march",) * 6 + ("stay", "dismount", "withdraw", "deploy")))
    here = draw(st.sampled_from(board(state).hexes(side)) | _hexes(state))
    stack = [int(unit.id) for unit in board(state).stack(side, here)] or [1]
    chosen = draw(st.just(stack) | st.lists(st.sampled_from(stack) | st.integers(0, 400)))
    if kind == "deploy":
        return {"type": kind, "units": chosen, "to": draw(_hexes(state))}
    order = {"type": kind, "hex": here, "units": chosen}
    if kind != "march":
        return order
    return order | draw(_particulars(state, stack))


@st.composite
def _particulars(draw: Any, state: State, stack: list[int]) -> dict[str, Any]:
    units = st.lists(st.sampled_from(stack), max_size=3)
    drop = st.fixed_dictionaries({"units": units, "at": st.just(0) | _hexes(state)})
    condition = st.fixed_dictionaries(
        {"battle": st.sampled_from(("1", "x")), "came": st.sampled_from(("won", "lost", "drawn"))}
    )
    return draw(
        st.fixed_dictionaries(
            {
                "legs": st.lists(_legs(state, stack), max_size=5),
                "contact": st.sampled_from(("stop", "attack", "go_round")),
                "least_odds": st.integers(0, 100),
                "go_on": st.booleans(),
                "drive_off": st.booleans(),
                "storm": st.booleans(),
                "drops": st.lists(drop, max_size=2),
                "leader": st.sampled_from((*stack, 0)),
                "without_leader": st.booleans(),
                "helps": st.sampled_from(("melee", "fire", "neither", None)),
                "marches": st.integers(1, 3),
            },
            optional={"if_battle": condition},
        )
    )


def _legs(state: State, stack: list[int]) -> "st.SearchStrategy[dict[str, Any]]":
    to, route = _hexes(state), st.lists(_hexes(state), max_size=4)
    foot = st.fixed_dictionaries(
        {"type": st.just("foot"), "to": to}, optional={"route": route, "attack_only": st.booleans()}
    )
    hulls = st.lists(st.sampled_from(stack), max_size=2)
    river = st.fixed_dictionaries(
        {"type": st.just("river"), "to": to}, optional={"route": route, "hulls": hulls}
    )
    other = st.fixed_dictionaries({"type": st.sampled_from(("rail", "sea")), "to": to})
    return foot | river | other


def _placed(state: State) -> "st.SearchStrategy[dict[str, Any]]":
    due = sorted(int(unit.id) for group in state.due for unit in group.units) or [1]
    return st.fixed_dictionaries(
        {"hexes": st.lists(_hexes(state), max_size=3)},
        optional={
            "units": st.lists(st.sampled_from(due), max_size=2),
            "reason": st.sampled_from(("", "monthly supply", "draw")),
        },
    )


def _standing(state: State) -> "st.SearchStrategy[dict[str, Any]]":
    hexes = st.lists(_hexes(state), max_size=2)
    units = st.lists(st.sampled_from(sorted(state.units)), max_size=3)
    losses = st.sampled_from(("as_the_book", "cheapest_first", "disrupted_first"))
    helps = st.sampled_from(("melee", "fire", "neither"))
    retreat = st.fixed_dictionaries(
        {"towards": st.just(0) | _hexes(state), "stand_fast": st.booleans()}
    )
    points = st.integers(0, 30)
    local = st.fixed_dictionaries(
        {"hexes": hexes, "units": units},
        optional={
            "losses": losses,
            "retreat": retreat,
            "helps": helps,
            "supply_from_points": points,
        },
    )
    purposes = st.sampled_from(("railhead", "khalifa", "craft_driven_off", "random_event"))
    return st.fixed_dictionaries(
        {},
        optional={
            "losses": losses,
            "spare": units,
            "retreat": retreat,
            "supply": st.fixed_dictionaries({"from_points": points, "keep": hexes, "first": hexes}),
            "helps": helps,
            "arrive": hexes,
            "near": hexes,
            "near_for": st.lists(
                st.fixed_dictionaries({"purpose": purposes, "near": hexes}), max_size=2
            ),
            "local": st.lists(local, max_size=2),
        },
    )
