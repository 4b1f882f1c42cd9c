"""Section 6: what is observed, and what the other side learns of the rest."""

import pytest

from battles.books.fuzzy_wuzzy import actions as a
from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy import observing
from battles.books.fuzzy_wuzzy.actions import ToFire, ToMove
from battles.books.fuzzy_wuzzy.observing import view
from battles.books.fuzzy_wuzzy.options import options
from battles.books.fuzzy_wuzzy.pieces import Rate, Size, Style
from battles.books.fuzzy_wuzzy.play import rules
from battles.books.fuzzy_wuzzy.registration import engine
from battles.core.dice import ScriptedDice
from battles.core.game import IllegalAction, Step
from tests.fuzzy_wuzzy.field import (
    EGYPTIAN,
    MAHDIST,
    battle,
    carried_out,
    happened,
    order,
    point,
    spears,
    unit,
    wood,
)

REGULAR = (0, 0, 0, 10, 15, 25, 40, 60, 85)
IRREGULAR = (0, 0, 0, 12, 18, 30, 48, 72, 102)
"""Distances in centimetres: each pip of the die, and each larger size, is one step further."""
SCORES = range(1, 8)


def seen(style: Style, score: int) -> tuple[int, ...]:
    """Return the distances in centimetres by company, battalion and brigade."""
    die, bare = (score, False) if score < 7 else (6, True)
    return tuple(observing.observed_at(style, size, die, open_terrain=bare) // 100 for size in Size)


@pytest.mark.parametrize("score", SCORES)
def test_reconnaissance_1_regulars(score: int) -> None:
    assert seen(Style.REGULAR, score) == REGULAR[score - 1 : score + 2]


@pytest.mark.parametrize("score", SCORES)
def test_reconnaissance_2_irregulars(score: int) -> None:
    assert seen(Style.IRREGULAR, score) == IRREGULAR[score - 1 : score + 2]


def test_reconnaissance_1_a_unit_that_marched_throws_and_observes() -> None:
    scout, hidden = unit(1, "british", "cavalry", (50, 60)), spears(2, (50, 35), seen=False)
    state = battle(scout, hidden, moved={1: Rate.MARCH})
    made = carried_out(state, Step("reconnaissance", (EGYPTIAN,)), dice=(4,))
    (event,) = happened(made, e.Observed)
    assert (event.units, event.observer, event.cause) == ((2,), 1, "reconnaissance")
    assert state.units[2].seen


def test_reconnaissance_1_a_low_score_finds_nothing() -> None:
    state = battle(
        unit(1, "british", "cavalry", (50, 60)),
        spears(2, (50, 35), seen=False),
        moved={1: Rate.DOUBLE},
    )
    made = carried_out(state, Step("reconnaissance", (EGYPTIAN,)), dice=(3,))
    assert happened(made, e.Observed) == []
    assert len(made.rolls) == 1


@pytest.mark.parametrize(
    ("rate", "may"),
    [(Rate.STATIONARY, False), (Rate.MARCH, True), (Rate.DOUBLE, True), (Rate.CHARGE, False)],
)
def test_reconnaissance_3_at_the_march_or_the_double(rate: Rate, may: bool) -> None:
    assert observing.may_reconnoitre(rate) is may


def test_reconnaissance_3_who_stands_still_observes_nobody() -> None:
    state = battle(unit(1, "british", "infantry", (50, 60)), spears(2, (50, 52), seen=False))
    made = carried_out(state, Step("reconnaissance", (EGYPTIAN,)))
    assert (made.events, made.rolls) == ([], [])


def test_reconnaissance_3_who_only_turns_has_stood_still() -> None:
    state = battle(
        unit(1, "british", "infantry", (50, 60), 90),
        spears(2, (50, 52), seen=False),
        orders=order(1, "march"),
        paces={1: 600},
        question=ToMove(EGYPTIAN),
    )
    rules.play(state, a.Move(1, state.units[1].at, 0), ScriptedDice())
    assert (state.units[1].facing, state.moved) == (0, {})
    rules.play(state, a.Move(1, point(50, 59.5), 0), ScriptedDice())
    assert state.moved == {1: Rate.MARCH}


def test_reconnaissance_3_who_charges_looks_at_nothing_else() -> None:
    state = battle(
        unit(1, "british", "infantry", (50, 60)),
        spears(2, (50, 45), seen=False),
        moved={1: Rate.CHARGE},
    )
    assert carried_out(state, Step("reconnaissance", (EGYPTIAN,))).events == []


def test_reconnaissance_3_whoever_fires_is_observed() -> None:
    state = battle(
        unit(1, "british", "infantry", (50, 60), seen=False),
        spears(2, (50, 50)),
        orders=order(1, combat="fire"),
        question=ToFire(EGYPTIAN),
    )
    outcome = rules.play(state, a.Fire(1, 2), ScriptedDice(1, 1, 1, 1, 1, 1))
    assert [event.cause for event in outcome.events if isinstance(event, e.Observed)] == ["fire"]
    assert state.units[1].seen


def test_reconnaissance_3_one_stumbles_upon_the_unseen() -> None:
    state = battle(
        unit(1, "british", "infantry", (50, 60), seen=False),
        spears(2, (50, 50), seen=False),
        orders=order(1, "march"),
        paces={1: 3000},
        question=ToMove(EGYPTIAN),
    )
    outcome = rules.play(state, a.Move(1, point(50, 40), 0), ScriptedDice())
    found = [event for event in outcome.events if isinstance(event, e.Observed)]
    assert [(event.units, event.cause) for event in found] == [((1, 2), "contact")]
    assert state.units[1].at.y > 5200
    assert state.surprises == [1, 2]


def test_reconnaissance_3_the_other_commander_is_not_told_of_hidden_units() -> None:
    hidden = spears(2, (50, 20), seen=False)
    state = battle(
        unit(1, "british", "infantry", (50, 60), seen=False),
        hidden,
        spears(3, (80, 20)),
        orders=order(2, "march") | order(1, "march"),
        moved={2: Rate.MARCH},
        drawn_from={1: (11,), 2: (12,)},
        plans={EGYPTIAN: "hold", MAHDIST: "attack"},
    )
    known = view(state, EGYPTIAN)
    assert set(known.units) == {1, 3}
    assert (set(known.orders), known.moved, set(known.drawn_from)) == ({1}, {}, {1})
    assert (known.plans, known.strengths) == ({EGYPTIAN: "hold"}, {EGYPTIAN: 6})
    assert set(view(state, MAHDIST).units) == {2, 3}
    assert set(view(state, None).units) == {3}
    assert set(state.units) == {1, 2, 3}


def test_reconnaissance_3_a_commander_answers_alike_whatever_is_hidden() -> None:
    """A commander's actions do not depend on what its side has not observed."""
    mine = [unit(1, "british", "infantry", (50, 60)), unit(2, "british", "cavalry", (80, 60))]
    seen_one = spears(3, (50, 40))
    question = options(battle(*mine, seen_one, question=ToMove(EGYPTIAN)))
    assert question is not None
    for number, place in ((4, (52, 35)), (5, (20, 100))):
        state = battle(*mine, seen_one, paces={1: 500, 2: 900}, question=ToMove(EGYPTIAN))
        state.orders = order(1, "march", combat="fire") | order(2, "march")
        bare = engine.answer(state)
        state.units[number] = spears(number, place, seen=False)
        assert engine.answer(state) == bare


def test_reconnaissance_3_a_hidden_unit_is_no_target() -> None:
    state = battle(
        unit(1, "british", "infantry", (50, 60)),
        spears(2, (50, 50), seen=False),
        orders=order(1, combat="fire"),
        question=ToFire(EGYPTIAN),
    )
    with pytest.raises(IllegalAction, match="observed enemy"):
        rules.check(state, a.Fire(1, 2))


def test_reconnaissance_4_open_terrain_adds_one() -> None:
    assert observing.score_of(6, open_terrain=True) == 7
    assert observing.score_of(6, open_terrain=False) == 6
    scout = unit(1, "british", "cavalry", (50, 60))
    hidden = spears(2, (50, 35), seen=False)
    for kind in ("scrub", "hill", "wood"):
        state = battle(scout, hidden, features=(wood(40, 25, 60, 40, kind),))
        assert observing.seen_by(state, state.units[1], 4) == ()
        assert observing.seen_by(state, state.units[1], 5) == (2,)
    assert observing.seen_by(battle(scout, hidden), scout, 4) == (2,)


@pytest.mark.parametrize(
    ("stands", "size"),
    [(1, "company"), (2, "battalion"), (6, "battalion"), (7, "brigade"), (12, "brigade")],
)
def test_reconnaissance_5_sizes_by_stands(stands: int, size: str) -> None:
    assert observing.size_of(stands) == size
