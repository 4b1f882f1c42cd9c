"""9.4, 9.5, 9.7, 9.9: how losses are counted and shared, disruption, capture."""

from hypothesis import given, settings
from hypothesis import strategies as st

from battles.contract.brief import Nation, Quality, Side, TroopKind
from campaign.rules.combat.losses import check_share, quotas, share_out
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core import questions as q
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.questions import CombatRound, Quota, ToShareLosses
from campaign.rules.core.state import Combat, CombatForce, State, Unit
from campaign.rules.map import HexId
from campaign.rules.tables.book import book
from campaign.rules.tables.editions import own_edition
from tests.own_tables import text
from tests.positions import OPEN, hex_of, position
from tests.rules.helpers import count, fight, ids, march, one, only, play, refused, rolls_of, said

TARGET = "0640"
SAFE = (6, 6)


def under_fire(stack, dice, *, by="6 infantry egyptian L"):
    """A stack attacks what stands in the target hex, which is about to share its losses."""
    state = position(f"{OPEN}: {by}", f"{TARGET}: {stack}")
    march(state, OPEN)
    play(state, a.Attack(hex_of(TARGET)), dice)
    return state


def losses(*sizes, roll):
    """Return the losses of a stack, as (quality, units) pairs, at a modified total."""
    units = [
        Unit(UnitId(number), TroopKind.INFANTRY, Nation.EGYPTIAN, Quality(quality), 1, HexId(641))
        for number, quality in enumerate(q for q, size in sizes for _ in range(size))
    ]
    return [
        (one.quality.value, one.eliminated, one.disrupted) for one in quotas(book(), units, roll)
    ]


# 9.5: several qualities, and river craft


def test_9_5_a_gunboat_marked_with_gun_factors_fires_with_them_and_gives_no_modifier():
    marked = 'kind = "gunboat"\nfire = 2\ngun = 2\nfire_quality = "L"\n'
    own = own_edition({"pieces": text("pieces", ('kind = "gunboat"\n', marked))})
    river, reasons = "beside a river, with an enemy gunboat in the combat", []
    for book_of, dice in ((None, [6, 6]), (own.digest, [6, 6, 6, 6])):
        state = position("2144: 2 spears", "2043: civilians, gunboat egyptian", side="mahdist")
        state.edition = book_of or state.edition
        march(state, "2144")
        outcome = fight(state, "2043", dice)
        shots = [roll for roll in outcome.rolls if "under fire" in roll.reason]
        reasons.append([m.reason for roll in shots for m in roll.modifiers])
    assert reasons[0] == []
    assert "the enemy has at least twice the gun factors" in reasons[1]
    assert river not in reasons[1]


def test_9_5_each_quality_suffers_by_its_own_column():
    assert losses(("V", 4), ("R", 4), roll=6) == [("R", 1, 1), ("V", 0, 1)]


def test_9_5_the_worst_affected_suffer_first():
    assert losses(("V", 8), ("L", 4), ("R", 4), roll=4)[0][0] == "R"


def test_9_5_of_qualities_as_badly_affected_the_lowest_suffers_first():
    """Both lose a quarter: the one Line unit pays its share before the many Veterans."""
    assert losses(("V", 8), ("L", 1), roll=6) == [("L", 0, 1), ("V", 0, 1)]


def test_9_5_a_quality_that_is_not_affected_loses_nobody():
    assert losses(("V", 10), ("R", 2), roll=9) == [("R", 0, 1)]


def test_9_5_the_total_is_never_more_than_of_a_stack_of_the_lowest_quality():
    for roll in range(-2, 12):
        for sizes in ((("V", 1), ("L", 1), ("R", 1)), (("V", 1), ("F", 1)), (("L", 3), ("R", 1))):
            together = sum(size for _, size in sizes)
            lowest = next(q for q in "RFLV" if q in dict(sizes))
            most = losses((lowest, together), roll=roll)
            found = losses(*sizes, roll=roll)
            assert sum(one[1] for one in found) <= sum(one[1] for one in most)
            assert sum(sum(one[1:]) for one in found) <= sum(sum(one[1:]) for one in most)


def test_9_5_the_total_is_of_units_eliminated_and_disrupted_together():
    """Eight Rabble would lose two and two: four, as many as both halves lose by their columns."""
    assert losses(("R", 8), roll=5) == [("R", 2, 2)]
    assert losses(("L", 4), ("R", 4), roll=5) == [("R", 1, 1), ("L", 0, 2)]


def test_9_5_the_least_of_one_unit_a_quality_does_not_break_the_cap():
    assert losses(("V", 1), ("L", 1), ("R", 1), roll=5) == [("R", 1, 1)]


def test_9_4_one_quality_alone_suffers_its_column():
    assert losses(("R", 8), roll=5) == [("R", 2, 2)]
    assert losses(("V", 8), roll=8) == []


def test_9_4_supply_camels_and_civilians_test_with_the_lowest_quality():
    assert losses(("L", 2), ("", 2), roll=5) == [("L", 0, 2)]
    assert losses(("V", 4), ("R", 1), ("", 1), roll=7) == [("R", 0, 1)]
    assert losses(("", 2), roll=6) == [("R", 1, 1)]


# 9.4: the owner shares


def test_9_4_the_owner_says_who_suffers():
    state = under_fire("6 spears, 2 cavalry mahdist", [3, 4])
    assert isinstance(state.question, q.ToShareLosses)
    (quota,) = state.question.quotas
    assert (quota.eliminated, quota.disrupted) == (0, 4)
    horse = ids(state, TARGET, "2 cavalry mahdist")
    spears = ids(state, TARGET, "4 spears")
    refused(state, a.Share((), horse), "9.5")
    refused(state, a.Share(horse, spears[:2]), "9.5")
    refused(state, a.Share((), (horse[0], horse[0], *spears[:2])), "9.4")
    refused(state, a.Share((), (one(state, OPEN, "infantry egyptian L"), *spears[:3])), "9.4")
    play(state, a.Share((), (*horse, *spears[:2])), [*SAFE, *SAFE])
    assert count(state, TARGET, "cavalry mahdist disrupted") == 2


def test_9_4_no_disrupted_unit_is_hurt_again_before_all_are_disrupted():
    state = under_fire("4 spears, 4 spears disrupted", [3, 5])
    (quota,) = state.question.quotas
    assert (quota.eliminated, quota.disrupted) == (0, 4)
    shaken = ids(state, TARGET, "4 spears disrupted")
    refused(state, a.Share((), shaken), "9.4")


def test_9_4_a_unit_may_be_disrupted_and_eliminated_in_one_combat():
    state = under_fire("spears, 3 spears disrupted", [3, 5])
    (quota,) = state.question.quotas
    assert (quota.eliminated, quota.disrupted) == (0, 2)
    lost = ids(state, TARGET, "spears disrupted")
    outcome = play(state, a.Share(lost, ids(state, TARGET, "spears")), [*SAFE, *SAFE])
    assert said(outcome)[:2] == ["Removed", "Disrupted"]


def test_9_4_disruption_beyond_the_whole_stack_eliminates():
    state = under_fire("2 spears disrupted", [3, 4])
    assert state.question.quotas == (Quota(Quality.FANATIC, 0, 1),)
    refused(state, a.Share((), ids(state, TARGET, "spears disrupted")), "9.5")
    play(state, a.Share(ids(state, TARGET, "spears disrupted"), ()), [*SAFE, *SAFE])
    assert count(state, TARGET, "spears disrupted") == 1


def test_9_4_civilians_are_not_eliminated_while_anybody_else_is_left():
    state = position("2043: 6 spears", "Khartoum: 3 infantry egyptian R, civilians", side="mahdist")
    march(state, "2043")
    play(state, a.Attack(hex_of("Khartoum")), [*SAFE, *SAFE, 1, 1])
    assert isinstance(state.question, q.ToShareLosses)
    civilians = ids(state, "Khartoum", "civilians")
    infantry = ids(state, "Khartoum", "3 infantry egyptian R")
    refused(state, a.Share((*civilians, infantry[0]), infantry[1:]), "9.4")


def test_9_4_civilians_go_when_nobody_else_is_left():
    state = position(
        "2043: 8 spears", "Khartoum: spears egyptian disrupted, civilians disrupted", side="mahdist"
    )
    march(state, "2043")
    fight(state, "Khartoum", [*SAFE, 1, 1])
    assert count(state, "Khartoum", "civilians disrupted") == 0


def test_9_5_losses_are_not_moved_from_the_worst_affected_to_others():
    state = position(
        f"{OPEN}: 9 rifles mahdist",
        f"{TARGET}: 4 infantry british, 4 infantry egyptian R",
        side="mahdist",
    )
    march(state, OPEN)
    play(state, a.Attack(hex_of(TARGET)), [*SAFE, 3, 5])
    assert state.question.quotas == (Quota(Quality.RABBLE, 0, 1),)
    refused(state, a.Share((), ids(state, TARGET, "infantry british")), "9.5")
    play(state, a.Share((), ids(state, TARGET, "infantry egyptian R")), [*SAFE, *SAFE])


def test_9_5_gunboats_and_boats_are_hurt_by_fire_only():
    state = position(
        "2043: 6 rifles mahdist, 4 guns mahdist",
        "Khartoum: 3 infantry egyptian R, gunboat egyptian",
        side="mahdist",
    )
    march(state, "2043")
    play(state, a.Attack(hex_of("Khartoum")), [*SAFE, 1, 1])
    gunboat = one(state, "Khartoum", "gunboat egyptian")
    assert isinstance(state.question, q.ToShareLosses)
    infantry = ids(state, "Khartoum", "3 infantry egyptian R")
    play(state, a.Share((gunboat,), infantry[:2]), [*SAFE, *SAFE])
    assert gunboat not in state.units
    state = position(
        "2043: 9 spears", "Khartoum: 3 spears egyptian, gunboat egyptian", side="mahdist"
    )
    march(state, "2043")
    play(state, a.Attack(hex_of("Khartoum")), [*SAFE, 1, 1])
    refused(
        state,
        a.Share(
            (one(state, "Khartoum", "gunboat egyptian"),), ids(state, "Khartoum", "spears egyptian")
        ),
        "9.4",
    )


def test_9_4_leaders_are_not_hurt_in_combat():
    state = under_fire("Mahdi, 6 spears", [])
    play(state, a.Lead(UnitId(0)), [3, 4])
    refused(state, a.Share((one(state, TARGET, "Mahdi"),), ids(state, TARGET, "3 spears")), "9.4")


# 9.7: disruption


def test_9_7_a_disrupted_unit_that_is_disrupted_again_is_eliminated():
    state = position(f"{OPEN}: spears disrupted, spears", side="mahdist")
    march(state, OPEN, dice=[1])
    play(state, a.Pick(ids(state, OPEN, "spears disrupted")))
    assert len(state.units) == 1


def test_9_7_disruption_does_not_touch_the_points_of_the_march_under_way():
    state = position(f"{OPEN}: 4 infantry british", f"{TARGET}: spears")
    march(state, OPEN)
    points = state.march.points
    fight(state, TARGET, [1, 1])
    assert state.march.points == points


# 9.9: capture


def _mahdist_victory(garrison, dice):
    state = position("0357: 9 spears", f"El Obeid: {garrison}", side="mahdist")
    march(state, "0357")
    return state, fight(state, "El Obeid", dice)


def _captured(outcome):
    return [roll.result for roll in outcome.rolls if roll.clause == "9.9"]


def test_9_9_egyptian_guns_and_rifles_are_captured_on_four_to_six():
    for die in range(1, 7):
        state, outcome = _mahdist_victory("gun egyptian", [*SAFE, *SAFE, 1, 1, die])
        assert _captured(outcome) == ["captured" if die >= 4 else "lost"]
        assert count(state, "0357", "gun mahdist") == (die >= 4)


def test_9_9_british_and_indian_units_are_captured_on_a_six():
    for nation in ("british", "indian"):
        for die in (5, 6):
            state, outcome = _mahdist_victory(
                f"infantry {nation} disrupted", [*SAFE, *SAFE, 1, 1, die]
            )
            assert _captured(outcome) == ["captured" if die == 6 else "lost"]
            assert count(state, "0357", "rifles mahdist") == (die == 6)


def test_9_9_a_die_is_thrown_for_each_gun_and_rifle_unit_destroyed():
    state, outcome = _mahdist_victory(
        "gun disrupted, infantry egyptian R disrupted", [*SAFE, *SAFE, 1, 1, 4, 1]
    )
    assert _captured(outcome) == ["captured", "lost"]
    assert count(state, "0357", "rifles mahdist") == 1
    assert count(state, "0357", "gun mahdist") == 0


def test_9_9_nothing_is_captured_where_no_counter_is_free():
    state = position(
        "0357: 9 spears", "El Obeid: gun egyptian", f"{OPEN}: 8 guns mahdist", side="mahdist"
    )
    march(state, "0357")
    fight(state, "El Obeid", [*SAFE, *SAFE, 1, 1, 6])
    assert count(state, "0357", "gun mahdist") == 0


def test_9_9_nothing_is_captured_in_a_combat_the_mahdists_did_not_win():
    state = position(f"{OPEN}: 4 infantry egyptian R", f"{TARGET}: 4 spears")
    march(state, OPEN)
    outcome = fight(state, TARGET, [4, 4, 2, 3, 1, 1])
    assert only(outcome, e.CombatEnded)[0].winner is None
    assert only(outcome, e.Removed)
    assert not _captured(outcome)


def test_9_9_spears_cavalry_and_supply_are_not_captured():
    _, outcome = _mahdist_victory("cavalry disrupted, spears egyptian disrupted", [*SAFE, 1, 1])
    assert not _captured(outcome)


def test_9_9_the_egyptian_player_captures_nothing_on_land():
    state = position("0357: 9 infantry british 3V", "El Obeid: gun mahdist")
    march(state, "0357")
    outcome = fight(state, "El Obeid", [*SAFE, 1, 1])
    assert rolls_of(outcome, "mahdist")
    assert not _captured(outcome)


# properties


KINDS = [
    (TroopKind.INFANTRY, Quality.VETERAN),
    (TroopKind.INFANTRY, Quality.LINE),
    (TroopKind.INFANTRY, Quality.RABBLE),
    (TroopKind.SPEARS, Quality.FANATIC),
    (TroopKind.GUN, Quality.LINE),
    (TroopKind.SUPPLY, Quality.NONE),
    (TroopKind.CAMEL, Quality.NONE),
    (TroopKind.CIVILIANS, Quality.NONE),
    (TroopKind.GUNBOAT, Quality.NONE),
]

stacks = st.lists(st.tuples(st.sampled_from(KINDS), st.booleans()), min_size=1, max_size=14)


def _stack(drawn):
    return [
        Unit(UnitId(number), kind, Nation.EGYPTIAN, quality, 1, HexId(641), disrupted)
        for number, ((kind, quality), disrupted) in enumerate(drawn, 1)
    ]


def _sharing(units: list[Unit], owed: tuple[Quota, ...]) -> State:
    state = position()
    state.units = {unit.id: unit for unit in units}
    ours = CombatForce(Side.EGYPTIAN, HexId(641), [unit.id for unit in units])
    state.combat = Combat(ours, CombatForce(Side.MAHDIST, HexId(640), []))
    state.question = ToShareLosses(Side.EGYPTIAN, CombatRound.FIRE, owed)
    return state


@settings(max_examples=200)
@given(stacks, st.integers(-3, 12))
def test_9_4_the_sharing_that_is_offered_is_lawful_for_any_stack_and_result(drawn, roll):
    units = _stack(drawn)
    owed = quotas(book(), units, roll)
    fair = share_out(units, owed)
    check_share(_sharing(units, owed), fair)
    assert not set(fair.eliminated) & set(fair.disrupted)
    lost = len(fair.eliminated) + len(fair.disrupted)
    assert lost <= sum(one.eliminated + one.disrupted for one in owed)


@settings(max_examples=200)
@given(stacks, st.integers(-3, 12))
def test_9_4_nobody_is_left_untouched_while_something_is_owed(drawn, roll):
    units = _stack(drawn)
    owed = quotas(book(), units, roll)
    fair = share_out(units, owed)
    hit = {*fair.eliminated, *fair.disrupted}
    if any(not unit.disrupted and unit.id not in hit for unit in units):
        assert len(fair.eliminated) == sum(quota.eliminated for quota in owed)
        assert len(fair.disrupted) == sum(quota.disrupted for quota in owed)


@settings(max_examples=200)
@given(stacks, st.integers(-3, 12))
def test_9_4_civilians_live_while_anybody_else_does(drawn, roll):
    units = _stack(drawn)
    fair = share_out(units, quotas(book(), units, roll))
    civilians = {unit.id for unit in units if unit.kind is TroopKind.CIVILIANS}
    others = {unit.id for unit in units} - civilians
    if civilians & set(fair.eliminated):
        assert others <= set(fair.eliminated)
