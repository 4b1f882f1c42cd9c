"""The umpire's rulings: what they do, what they leave as it was, and what cannot be ruled."""

from random import Random

import pytest

from battles.contract.brief import Nation, Quality, Side, TroopKind
from battles.core.decoding import decode, encode
from battles.core.dice import ChainedDice, ScriptedDice
from battles.core.game import IllegalAction, Outcome
from campaign import rules, staff
from campaign.rules import umpire_rulings
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core import questions as q
from campaign.rules.core.board import board
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import OFF_MAP, DueUnits, Phase, State
from campaign.rules.prose.despatches import chronicle
from campaign.rules.prose.questions import describe_action
from campaign.rules.prose.situation import describe_ruling
from campaign.rules.umpire_rulings import Recruit
from tests.conformance.game import carry_out
from tests.conformance.player import RandomPlayer
from tests.positions import OPEN, hex_of, position
from tests.rules.helpers import happen, march
from tests.rules.invariants import check_action, check_state

WHY = "The courier was lost."


def ruled(state: State, *events: e.AnyEvent, dice: tuple[int, ...] = ()) -> tuple[State, Outcome]:
    before = encode(state)
    after, outcome = rules.apply(state, a.Ruled(WHY, tuple(events)), ScriptedDice(*dice))
    check_action(before, after, outcome)
    return after, outcome


def refused(state: State, *events: e.AnyEvent) -> IllegalAction:
    before = encode(state)
    with pytest.raises(IllegalAction) as refusal:
        rules.apply(state, a.Ruled(WHY, tuple(events)), ScriptedDice())
    assert encode(state) == before
    assert refusal.value.clause
    return refusal.value


def units_at(state: State, place: str) -> tuple[UnitId, ...]:
    return tuple(unit.id for unit in state.units.values() if unit.hex == hex_of(place))


def test_a_ruling_moves_units_and_the_question_stays_open() -> None:
    state = position("Khartoum: 3 infantry egyptian")
    after, outcome = ruled(
        state, *umpire_rulings.move(state, units_at(state, "Khartoum"), hex_of("Berber"))
    )
    assert units_at(after, "Berber") == (1, 2, 3)
    assert after.question == state.question
    assert isinstance(outcome.events[0], e.RulingGiven)


def test_a_place_that_is_moved_into_changes_hands_but_wins_nothing() -> None:
    state = position("Berber: 3 spears", side="mahdist", held={"Khartoum": "egyptian"})
    after, _ = ruled(
        state, *umpire_rulings.move(state, units_at(state, "Berber"), hex_of("Khartoum"))
    )
    assert after.control[hex_of("Khartoum")] is Side.MAHDIST
    assert after.result is None


def test_units_are_added_in_the_quality_of_their_counters() -> None:
    state = position("Khartoum: 1 infantry egyptian")
    added = umpire_rulings.add(
        state, Recruit(TroopKind.INFANTRY, Nation.BRITISH, 2), hex_of("Khartoum")
    )
    after, _ = ruled(state, *added)
    new = [unit for unit in board(after).units if unit.nation is Nation.BRITISH]
    assert [unit.quality for unit in new] == [Quality.VETERAN] * 2
    assert after.next_unit == state.next_unit + 2


def test_mahdist_counters_come_from_the_pile_and_go_back_to_it() -> None:
    state = position(f"{OPEN}: 2 spears", side="mahdist")
    pile = state.pool[TroopKind.SPEARS]
    added = umpire_rulings.add(state, Recruit(TroopKind.SPEARS, Nation.MAHDIST, 3), hex_of(OPEN))
    more, _ = ruled(state, *added)
    assert more.pool[TroopKind.SPEARS] == pile - 3
    fewer, _ = ruled(more, *umpire_rulings.remove(more, units_at(more, OPEN)))
    assert fewer.pool[TroopKind.SPEARS] == pile + 2


def test_units_are_disrupted_and_recover() -> None:
    state = position("Khartoum: 2 infantry egyptian")
    hurt, _ = ruled(state, *umpire_rulings.disrupt(state, (UnitId(1),)))
    assert hurt.units[UnitId(1)].disrupted
    well, _ = ruled(hurt, *umpire_rulings.recover(hurt, (UnitId(1),)))
    assert not well.units[UnitId(1)].disrupted


def test_a_unit_is_made_of_another_quality() -> None:
    state = position("Khartoum: 2 infantry egyptian")
    after, _ = ruled(state, *umpire_rulings.make(state, (UnitId(2),), Quality.VETERAN))
    assert after.units[UnitId(2)].quality is Quality.VETERAN


def test_a_place_is_handed_to_a_side() -> None:
    state = position("Khartoum: 2 infantry egyptian")
    after, _ = ruled(state, *umpire_rulings.give_place(state, hex_of("Berber"), Side.MAHDIST))
    assert after.control[hex_of("Berber")] is Side.MAHDIST


def test_a_railway_is_laid_and_torn_up() -> None:
    state = position("Khartoum: 2 infantry egyptian")
    laid, _ = ruled(state, *umpire_rulings.lay_rails(state, "souakim", 3))
    assert laid.railheads["souakim"] == 3
    torn, _ = ruled(laid, *umpire_rulings.lay_rails(laid, "souakim", 1))
    assert torn.railheads["souakim"] == 1


def test_the_umpire_ends_the_campaign() -> None:
    state = position("Khartoum: 2 infantry egyptian")
    after, _ = ruled(state, *umpire_rulings.end(state, None, "The club has moved house."))
    assert after.result is not None
    assert (after.result.winner, after.phase) == (None, Phase.OVER)
    assert after.question is None
    assert not after.agenda


def test_dice_thrown_for_a_ruling_are_on_record() -> None:
    state = position("Khartoum: 2 infantry egyptian")
    ruling = a.Ruled("Does the letter get through?", toss=e.Toss(2, 10))
    _, outcome = rules.apply(state, ruling, ScriptedDice(7, 3))
    assert outcome.rolls[0].dice == (7, 3)
    assert outcome.events[0].rolls == (0,)


def test_a_random_event_happens_by_ruling_and_the_march_goes_on() -> None:
    state = position("Khartoum: 3 infantry egyptian")
    ruling = a.Ruled("As agreed by letter.", random_event=e.RandomEvent(Side.EGYPTIAN, 11))
    after, outcome = rules.apply(state, ruling, ChainedDice(b"a ruling"))
    rolled = [event for event in outcome.events if isinstance(event, e.EventRolled)]
    assert [event.roll for event in rolled] == [11]
    assert after.question is not None


def test_every_random_event_can_be_ruled_in_both_phases() -> None:
    for side in Side:
        for phase in ("march", "reinforcement"):
            state = position(
                "Khartoum: 3 infantry egyptian, Gordon",
                f"{OPEN}: 9 spears, Mahdi",
                side=side,
                phase=phase,
            )
            for code in (10 * tens + units for tens in range(1, 7) for units in range(1, 7)):
                ruling = a.Ruled(WHY, random_event=e.RandomEvent(side, code))
                after, _ = rules.apply(state, ruling, ChainedDice(b"any"))
                assert after.question is not None or after.result is not None


def test_a_random_event_of_the_other_side_is_not_ruled() -> None:
    state = position("Khartoum: 3 infantry egyptian")
    with pytest.raises(IllegalAction, match="mahdist side can be ruled just now"):
        rules.check(state, a.Ruled(WHY, random_event=e.RandomEvent(Side.MAHDIST, 11)))


def test_a_random_event_that_there_is_not_is_refused() -> None:
    state = position("Khartoum: 3 infantry egyptian")
    with pytest.raises(IllegalAction, match="no random event 70"):
        rules.check(state, a.Ruled(WHY, random_event=e.RandomEvent(Side.EGYPTIAN, 70)))


def _sources(state: State) -> tuple[UnitId, ...]:
    offered = rules.options(state)
    assert offered is not None
    return offered.sources


def test_supply_that_is_ruled_away_while_it_is_asked_about_is_asked_about_no_more() -> None:
    place = "Souakim"
    state = position(f"{OPEN}: 3 infantry british, 2 supply", "Berber: spears", phase="attrition")
    happen(state, "attrition")
    supplies = [unit.id for unit in state.units.values() if unit.kind is TroopKind.SUPPLY]
    state, _ = ruled(state, *umpire_rulings.remove(state, supplies[:1]))
    assert _sources(state) == tuple(supplies[1:])
    assert staff.answer(state) in (a.Supply(supplies[1]), a.Supply(UnitId(0)))
    moved, _ = ruled(state, *umpire_rulings.move(state, supplies[1:], hex_of(place)))
    assert _sources(moved) == ()
    gone, _ = ruled(state, *umpire_rulings.remove(state, supplies[1:]))
    assert staff.answer(gone) == a.Supply(UnitId(0))
    after, _ = rules.apply(gone, a.Supply(UnitId(0)), ChainedDice(b"done"))
    assert not isinstance(after.question, q.ToSupply)


def test_arrivals_whose_places_are_ruled_to_the_enemy_hold_up_no_phase() -> None:
    """They stay due; the next phase judges whether they are lost (3.1)."""
    state = position("Khartoum: 3 infantry egyptian", "Berber: 3 spears", phase="reinforcement")
    arriving = state.units[UnitId(1)].as_new_counter(UnitId(state.next_unit), OFF_MAP)
    state.next_unit += 1
    state.due.append(DueUnits(state.month, "reinforcement", (hex_of("Souakim"),), (arriving,)))
    offered = rules.options(state)
    assert offered is not None
    assert (offered.done, len(offered.arrivals)) == (False, 1)
    state, _ = ruled(
        state, *umpire_rulings.move(state, units_at(state, "Berber"), hex_of("Souakim"))
    )
    offered = rules.options(state)
    assert offered is not None
    assert (offered.done, offered.arrivals) == (True, ())
    assert staff.answer(state) == a.Done()
    after, _ = rules.apply(state, a.Done(), ChainedDice(b"done"))
    assert after.question is None
    assert len(after.due) == 1


@pytest.mark.parametrize("reason", ["", "   ", "x" * 301])
def test_a_ruling_without_a_reason_is_refused(reason: str) -> None:
    state = position("Khartoum: 2 infantry egyptian")
    with pytest.raises(IllegalAction, match="reason"):
        rules.check(state, a.Ruled(reason, umpire_rulings.disrupt(state, (UnitId(1),))))


def test_a_ruling_that_changes_nothing_is_refused() -> None:
    assert "changes nothing" in str(refused(position("Khartoum: 2 infantry egyptian")))


def test_no_boat_is_put_on_dry_land() -> None:
    state = position("Khartoum: 1 boat egyptian, 1 infantry egyptian")
    assert refused(state, *umpire_rulings.move(state, (UnitId(1),), hex_of(OPEN))).clause == "8.23"


def test_no_unit_is_put_among_the_enemy() -> None:
    state = position("Khartoum: 2 infantry egyptian", f"{OPEN}: 3 spears")
    refusal = refused(state, *umpire_rulings.move(state, (UnitId(1),), hex_of(OPEN)))
    assert refusal.clause == "6.0"
    assert "Both sides" in refusal.reason


def test_no_more_counters_than_the_mix_has() -> None:
    state = position(f"{OPEN}: 2 spears")
    state.pool[TroopKind.SPEARS], state.box[TroopKind.SPEARS] = 1, 1
    recruits = Recruit(TroopKind.SPEARS, Nation.MAHDIST, 3)
    assert refused(state, *umpire_rulings.add(state, recruits, hex_of(OPEN))).clause == "3.2"


def test_no_leader_is_in_two_places() -> None:
    state = position("Khartoum: 2 infantry egyptian, Gordon")
    gordon = Recruit(TroopKind.LEADER, Nation.BRITISH, name="Gordon")
    assert refused(state, *umpire_rulings.add(state, gordon, hex_of("Berber"))).clause == "7.0"


def test_nobody_invents_a_leader() -> None:
    state = position("Khartoum: 2 infantry egyptian")
    invented = Recruit(TroopKind.LEADER, Nation.BRITISH, name="Flashman")
    assert "no leader 'Flashman'" in str(
        refused(state, *umpire_rulings.add(state, invented, hex_of("Berber")))
    )


def test_no_nation_gets_pieces_it_has_not() -> None:
    state = position("Khartoum: 2 infantry egyptian")
    strange = Recruit(TroopKind.SPEARS, Nation.BRITISH)
    assert refused(state, *umpire_rulings.add(state, strange, hex_of("Berber"))).clause == "2.2"


def test_who_is_disrupted_is_not_disrupted_again() -> None:
    state = position("Khartoum: 2 infantry egyptian disrupted")
    assert refused(state, *umpire_rulings.disrupt(state, (UnitId(1),))).clause == "9.7"


def test_who_is_in_good_order_does_not_recover() -> None:
    state = position("Khartoum: 2 infantry egyptian")
    assert "good order already" in str(refused(state, *umpire_rulings.recover(state, (UnitId(1),))))


def test_a_unit_that_there_is_not_is_refused() -> None:
    state = position("Khartoum: 2 infantry egyptian")
    assert "no unit 99" in str(refused(state, *umpire_rulings.remove(state, (UnitId(99),))))


def test_a_ruling_names_a_unit_once() -> None:
    state = position("Khartoum: 2 infantry egyptian")
    twice = umpire_rulings.remove(state, (UnitId(1), UnitId(1)))
    assert "named twice" in str(refused(state, *twice))


def test_the_map_ends_somewhere() -> None:
    state = position("Khartoum: 2 infantry egyptian")
    assert "off the map" in str(refused(state, e.Deployed((UnitId(1),), hex_of("9999"))))


def test_what_only_the_rules_bring_about_is_no_ruling() -> None:
    state = position("Khartoum: 2 infantry egyptian")
    assert "nothing an umpire rules" in str(refused(state, e.MonthBegan(state.month)))


def test_a_stack_on_the_march_is_left_alone() -> None:
    state = position(f"{OPEN}: 2 infantry egyptian", "Khartoum: 1 infantry egyptian")
    march(state, OPEN, dice=(3,))
    refusal = refused(state, *umpire_rulings.remove(state, (UnitId(1),)))
    assert "on the march" in refusal.reason
    ruled(state, *umpire_rulings.remove(state, units_at(state, "Khartoum")))


def test_a_ruling_is_told_with_its_reason_and_its_dice() -> None:
    state = position("Khartoum: 2 infantry egyptian")
    before = decode(encode(state), State)
    ruling = a.Ruled("Does the letter get through?", toss=e.Toss(1))
    _, outcome = rules.apply(state, ruling, ScriptedDice(5))
    told = [one.text for one in chronicle(before, [(outcome.events, outcome.rolls)])]
    assert told == ["The umpire rules: Does the letter get through? A die is thrown: five."]


def test_what_a_ruling_does_is_said_an_event_at_a_time() -> None:
    state = position("Khartoum: 2 infantry egyptian, Gordon")
    events = (
        *umpire_rulings.move(state, (UnitId(1),), hex_of("Berber")),
        *umpire_rulings.disrupt(state, (UnitId(1),)),
        *umpire_rulings.give_place(state, hex_of("Shendi"), Side.MAHDIST),
    )
    said = list(describe_ruling(decode(encode(state), State), a.Ruled(WHY, events)))
    assert said == [
        "An Egyptian battalion is moved from Khartoum to Berber.",
        "An Egyptian battalion is disrupted at Berber.",
        "Shendi is held by the Mahdists.",
    ]


def test_a_ruling_as_an_action_is_its_reason() -> None:
    state = position("Khartoum: 2 infantry egyptian")
    assert describe_action(state, a.Ruled(WHY)) == "The umpire rules: The courier was lost."


@pytest.mark.parametrize("seed", range(6))
def test_a_campaign_goes_on_after_rulings_at_random(seed: int) -> None:
    """Whatever is ruled wherever it stands, play goes on and what must hold holds."""
    random, player = Random(f"rulings {seed}"), RandomPlayer(seed)
    state = rules.new_game("siege-of-khartoum")
    made = 0
    for number in range(1500):
        if state.question is None:
            break
        if random.random() < 0.1:
            made += _try_a_ruling(random, state)
            check_state(state)
            continue
        before = encode(state)
        outcome = carry_out(state, player.choose(state), f"{seed} {number}".encode())
        check_action(before, state, outcome)
    assert made > 10


def _try_a_ruling(random: Random, state: State) -> bool:
    events = _at_random(random, state)
    ruling = a.Ruled(WHY, events)
    try:
        rules.check(state, ruling)
    except IllegalAction:
        return False
    before = encode(state)
    check_action(before, state, rules.play(state, ruling, ScriptedDice()))
    return True


def _at_random(random: Random, state: State) -> tuple[e.AnyEvent, ...]:
    units = board(state).units
    some = tuple(unit.id for unit in random.sample(units, min(len(units), random.randint(1, 3))))
    here = random.choice(units).hex
    kind = random.choice(
        (TroopKind.INFANTRY, TroopKind.SUPPLY, TroopKind.GUN, TroopKind.SPEARS, TroopKind.BOAT)
    )
    nation = random.choice((Nation.EGYPTIAN, Nation.MAHDIST, Nation.BRITISH))
    return random.choice(
        (
            lambda: umpire_rulings.move(state, some, here),
            lambda: umpire_rulings.add(state, Recruit(kind, nation, 2), here),
            lambda: umpire_rulings.remove(state, some),
            lambda: umpire_rulings.disrupt(state, some),
            lambda: umpire_rulings.recover(state, some),
            lambda: umpire_rulings.make(state, some, Quality.LINE),
        )
    )()
