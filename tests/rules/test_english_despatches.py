"""The month's despatches: what is told, what is joined, what weighs more, and its dice."""

import re
from collections.abc import Iterable
from typing import get_args

import pytest

from battles.contract.brief import Nation, Quality, Side, TroopKind
from battles.core.decoding import encode
from battles.core.dice import ChainedDice, Roll, derive_key
from battles.core.game import Outcome
from campaign import rules
from campaign.rules import sight
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core.pieces import Month, UnitId, month
from campaign.rules.core.state import OFF_MAP, CampaignResult, DueUnits, Phase, State, Unit
from campaign.rules.map import sudan
from campaign.rules.prose.despatches import _TALES, _TURNS_THE_PAGE, chronicle, sentences
from campaign.rules.prose.phase_report import HEADLINE, NEWS, ROUTINE, Topic
from tests.conformance.player import RandomPlayer
from tests.positions import RELIEF, SIEGE, hex_of, position
from tests.rules.helpers import happen, ids, march, play
from tests.rules.telling import copy, only, tell, told

TELLS_NOTHING = {
    e.AgendaRecorded,
    e.Boarded,
    e.Stopped,
    e.Supplied,
    e.DrawnOn,
    e.Lapsed,
    e.Flagged,
    e.Mustered,
    e.HandedOver,
}
"""What a reader need not know: a consequence, or told of with another event."""


def test_every_kind_of_event_is_told_or_known_to_tell_nothing() -> None:
    heard = {kind for tale in _TALES.values() for kind in tale.hears}
    heard |= {*get_args(_TURNS_THE_PAGE), e.Tallied}
    assert heard | TELLS_NOTHING == set(get_args(e.AnyEvent))
    assert not heard & TELLS_NOTHING


def test_telling_makes_the_events_happen() -> None:
    state = position("Khartoum: 2 infantry egyptian", "Duem: 2 spears")
    before = copy(state)
    outcome = march(state, "Khartoum")
    told(before, outcome)
    assert encode(before) == encode(state)


@pytest.mark.parametrize(("place", "weight"), [("Berber", HEADLINE), ("Korti", NEWS)])
def test_a_place_that_falls_is_news_and_a_town_a_headline(place: str, weight: int) -> None:
    state = position("Khartoum: infantry egyptian", held={place: "egyptian"}, side="mahdist")
    sentence = only(tell(state, e.ControlChanged(hex_of(place), Side.MAHDIST)))
    assert sentence.weight == weight
    assert sentence.kind is Topic.SIEGE
    assert re.match(rf"{place.upper()}, 2\d(th|st|nd|rd) May\. The", sentence.text)


def test_townsmen_who_join_are_told_with_the_fall_of_their_town() -> None:
    state = position("Khartoum: infantry egyptian", held={"Berber": "egyptian"}, side="mahdist")
    risen = Unit(UnitId(90), TroopKind.SPEARS, Nation.MAHDIST, Quality.FANATIC, 1, hex_of("Berber"))
    taken = e.ControlChanged(hex_of("Berber"), Side.MAHDIST)
    sentence = only(tell(state, taken, e.Arrived((risen,), "town")))
    assert sentence.text.endswith("A band of spearmen from the town goes over to them.")


def test_a_place_that_was_theirs_already_is_not_taken() -> None:
    state = position("Berber: infantry egyptian")
    assert not tell(state, e.ControlChanged(hex_of("Berber"), Side.EGYPTIAN))


def test_10_3_quiet_stacks_share_one_sentence() -> None:
    state = position("Korti: infantry egyptian", "Debbeh: infantry egyptian", phase="attrition")
    before = copy(state)
    sentence = only(told(before, happen(state, "attrition", [6, 6])))
    assert sentence.text == (
        "The Egyptian side has two stacks out of supply; none of them suffers."
    )
    assert sentence.weight == ROUTINE
    assert len(sentence.rolls) == 2


def test_10_3_a_loss_behind_the_works_is_told_under_the_name_of_the_place() -> None:
    state = position("Tokar: 8 infantry egyptian", "El Teb: 9 spears", phase="attrition")
    before = copy(state)
    outcome = happen(state, "attrition", [1])
    suffered = ids(state, "Tokar")[: state.question.affected]
    found = told(before, outcome, play(state, a.Pick(suffered)))
    assert found[0].kind is Topic.SIEGE
    assert found[0].text.startswith("TOKAR, 13th May. ")
    assert "battalions are lost." in found[0].text
    assert found[0].rolls[0].table == "attrition:besieged"


def test_10_3_the_mahdists_hardships_are_one_sentence() -> None:
    state = position("Duem: 4 spears", "Bara: 4 spears", phase="attrition", side="mahdist")
    hurt = [e.Disrupted(ids(state, place)[:1], "attrition") for place in ("Duem", "Bara")]
    thirst = [e.Thirsted(hex_of(place), Side.MAHDIST, "clear", 3, 1) for place in ("Duem", "Bara")]
    sentence = only(tell(state, thirst[0], hurt[0], thirst[1], hurt[1]))
    assert " at Duem and Bara. Two bands of spearmen are thrown into disorder." in sentence.text


def test_10_2_supply_that_is_used_up_is_told() -> None:
    state = position("Korti: 2 supply, infantry egyptian", phase="attrition")
    used = ids(state, "Korti", "2 supply")
    sentence = only(tell(state, e.Removed(used, "used")))
    assert sentence.text == "Two supply columns are used up at Korti."


def test_5_2_recovery_is_one_sentence() -> None:
    state = position(
        "Korti: infantry egyptian disrupted", "Debbeh: infantry egyptian disrupted",
        phase="recovery",
    )  # fmt: skip
    found = e.Recovered(ids(state, "Korti")), e.Removed(ids(state, "Debbeh"), "recovery")
    sentence = only(tell(state, *found))
    assert sentence.text.startswith("A battalion at Korti ")
    assert sentence.text.endswith(". A battalion at Debbeh melts away.")


def test_5_2_nobody_recovers() -> None:
    state = position("Korti: infantry egyptian disrupted", phase="recovery")
    roll = Roll("recovery, a die for each unit", "5.2 V", (2,), table="recovery")
    sentence = only(tell(state, e.Recovered((), rolls=(0,)), rolls=(roll,)))
    assert sentence.text == "None of the disrupted units of the Egyptian side rally."
    assert sentence.rolls == (roll,)


def test_3_1_reinforcements_are_told_under_their_title() -> None:
    state = position("Souakim: Baker", phase="reinforcement")
    units = tuple(
        Unit(
            UnitId(70 + n),
            TroopKind.INFANTRY,
            Nation.BRITISH,
            Quality.VETERAN,
            3,
            hex_of("Souakim"),
        )
        for n in range(5)
    )
    sentence = only(tell(state, e.Arrived(units, "The 1st Souakim Field Force")))
    assert sentence.text == (
        "SOUAKIM, 2nd May. The 1st Souakim Field Force has arrived: five British battalions."
    )


def test_3_1_arrivals_in_a_place_the_enemy_holds_are_lost() -> None:
    state = position("Souakim: 2 spears", phase="reinforcement")
    unit = Unit(UnitId(70), TroopKind.GUN, Nation.EGYPTIAN, Quality.LINE, 1, OFF_MAP)
    state.due = [DueUnits(Month(state.month), "A draft", (hex_of("Souakim"),), (unit,))]
    sentence = only(tell(state, e.Settled(0, (UnitId(70),), lost=True)))
    assert sentence.text == "An Egyptian gun is lost on the way, for the enemy holds Souakim."


def test_3_21_a_draw_of_nobody_is_told_with_its_die() -> None:
    state = position("Duem: 9 spears", phase="reinforcement", side="mahdist")
    before = copy(state)
    sentence = only(told(before, happen(state, "reinforcement", [3])))
    assert sentence.text == "No new men come in to the Mahdists, and none go home."
    assert sentence.rolls[0].table == "mahdist_reinforcement"


def test_3_41_the_railway_grows() -> None:
    state = position("Souakim: infantry egyptian", phase="reinforcement")
    began = e.RailBuilt("souakim", 1)
    assert only(tell(state, began)).text == (
        "SOUAKIM, 2nd May. Work begins on the railway from Souakim."
    )
    state.railheads["souakim"] = 1
    assert only(tell(state, e.RailBuilt("souakim", 2))).text.startswith(
        "The railway from Souakim is two hexes longer; the railhead is "
    )


def test_5_3_a_random_event_is_told_with_what_came_of_it() -> None:
    state = position("Duem: 3 spears", phase="random event", side="mahdist")
    harvest = e.EventRolled(Side.MAHDIST, 21, "Harvest")
    sentence = only(tell(state, harvest, e.Removed(ids(state, "Duem")[:2], "event")))
    assert sentence.text == "Mahdist event: Harvest. Two bands of spearmen at Duem go home."


def test_5_2_a_random_event_of_which_nothing_comes_says_so() -> None:
    state = position("Korti: infantry egyptian", phase="random event")
    sentence = only(tell(state, e.EventRolled(Side.EGYPTIAN, 25, "Mange")))
    assert sentence.text == "Egyptian event: Mange. It has no effect."


def test_5_2_a_quiet_month_is_told_as_one() -> None:
    state = position("Korti: infantry egyptian", phase="random event")
    sentence = only(tell(state, e.EventRolled(Side.EGYPTIAN, 33, "Quiet month")))
    assert "event" not in sentence.text
    assert "the Egyptian side" in sentence.text


def test_8_23_a_wreck_says_where_and_until_when() -> None:
    state = position("Berber: gunboat, infantry egyptian")
    hull = ids(state, "Berber", "gunboat")
    back = Unit(UnitId(60), TroopKind.GUNBOAT, Nation.EGYPTIAN, Quality.NONE, 1, OFF_MAP)
    due = DueUnits(month(1884, 9), "repair", (hex_of("Khartoum"),), (back,))
    roll = Roll("gunboat at Fifth Cataract", "8.23", (6,), table="wrecks", result="wrecked")
    events = e.Wrecked(hull, hex_of("Berber"), rolls=(0,)), e.Removed(hull, "wrecked")
    sentence = only(tell(state, *events, e.Waited(due), rolls=(roll,)))
    assert sentence.text == (
        "BERBER, 6th May. A gunboat is wrecked at the Fifth Cataract. "
        "It is to be repaired by September 1884 at Khartoum."
    )


def test_9_12_a_siege_is_told_when_the_marches_are_over() -> None:
    state = position("Khartoum: 2 infantry egyptian", "Omdurman: 4 spears", side="mahdist")
    near = state.units[ids(state, "Omdurman")[0]].hex
    for unit_id in ids(state, "Omdurman"):
        state.units[unit_id].hex = hex_of("Duem")
    before = copy(state)
    came = e.SailedAway(ids(state, "Duem"), near)
    found = told(before, Outcome((came, e.PhaseBegan(Side.MAHDIST, Phase.ATTRITION)), ()))
    begun = next(one for one in found if one.kind is Topic.SIEGE)
    assert begun.text.startswith("KHARTOUM, 20th May. ")
    assert begun.text.endswith("two Egyptian battalions.")
    left = e.SailedAway(ids(state, "Duem"), hex_of("Duem"))
    rules.fold(before, [e.PhaseBegan(Side.MAHDIST, Phase.MARCH)])
    ended = told(before, Outcome((left, e.PhaseBegan(Side.MAHDIST, Phase.ATTRITION)), ()))
    assert ended[-1].kind is Topic.SIEGE
    assert ended[-1].hex == hex_of("Khartoum")


def test_9_12_besiegers_in_disorder_are_not_told_who_is_within() -> None:
    """In a fog of war only units in good order see the units next to them."""
    for condition, within in (("", "two Egyptian battalions."), (" disrupted", "has counted.")):
        state = position(
            "Berber: 2 infantry egyptian", f"Duem: 4 spears{condition}", side="mahdist"
        )
        near = sudan().neighbours[hex_of("Berber")][0]
        came = e.SailedAway(ids(state, "Duem"), near)
        events = (came, e.PhaseBegan(Side.MAHDIST, Phase.ATTRITION))
        known = sight.initial_knowledge(state, Side.MAHDIST)
        found = list(chronicle(state, [(events, ())], [known]))
        (begun,) = (one.text for one in found if one.kind is Topic.SIEGE)
        assert begun.endswith(within)


def test_4_1_counted_turns_are_told_while_they_do_not_yet_win() -> None:
    state = position("Khartoum: infantry egyptian", scenario=RELIEF)
    tallied = [e.Tallied("turns:mahdist", count) for count in (1, 2, 3, 0)]
    found = [one.text for one in tell(state, *tallied)]
    assert [one.partition(" at the end of ")[2] for one in found] == [
        "an Egyptian turn; two more, and the Mahdists win the campaign.",
        "two Egyptian turns running; one more, and the Mahdists win the campaign.",
    ]


def test_4_2_the_end_is_a_headline_with_its_clause() -> None:
    state = position("Khartoum: infantry egyptian")
    ended = e.CampaignEnded(CampaignResult(Side.EGYPTIAN, "Supplies have reached Khartoum.", "4.2"))
    sentence = only(tell(state, ended))
    assert sentence.weight == HEADLINE
    assert sentence.text == (
        "The Egyptian side wins the campaign. Supplies have reached Khartoum (4.2)."
    )


def test_2_1_a_changed_set_up_is_told_once_for_each_side() -> None:
    state = rules.new_game(SIEGE)
    before = copy(state)
    unit = next(unit for unit in state.units.values() if unit.hex == hex_of("Omdurman"))
    parts = [play(state, a.Deploy((unit.id,), hex_of("Khartoum"))), play(state, a.Done())]
    assert only(told(before, *parts)).text == ("The Egyptian side set up: a battalion at Khartoum.")


@pytest.mark.parametrize(("scenario", "seed"), [(SIEGE, 1), (SIEGE, 2), (RELIEF, 3), (RELIEF, 4)])
def test_a_campaign_reads_like_sentences(scenario: str, seed: int) -> None:
    state = rules.new_game(scenario)
    before = copy(state)
    outcomes = list(_played(state, seed, months=5))
    for sentence in told(before, *outcomes):
        _check_text(sentence.text)
    assert encode(before) == encode(state)


@pytest.mark.parametrize("scenario", [SIEGE, RELIEF])
def test_entries_one_by_one_lead_to_the_same_state(scenario: str) -> None:
    state = rules.new_game(scenario)
    before = copy(state)
    for outcome in _played(state, 5, months=3):
        for sentence in sentences(before, outcome.events, outcome.rolls):
            _check_text(sentence.text)
    assert encode(before) == encode(state)


def test_chronicles_do_not_repeat_a_throw() -> None:
    state = rules.new_game(SIEGE)
    before = copy(state)
    outcomes = list(_played(state, 7, months=3))
    thrown = {id(roll) for outcome in outcomes for roll in outcome.rolls}
    cited = [id(roll) for sentence in told(before, *outcomes) for roll in sentence.rolls]
    assert set(cited) <= thrown
    assert len(cited) == len(set(cited))


def _played(state: State, seed: int, *, months: int) -> Iterable[Outcome]:
    player, end = RandomPlayer(seed), state.month + months
    number = 0
    while state.question is not None and state.month < end:
        dice = ChainedDice(derive_key(b"english", seed, number))
        yield rules.play(state, player.choose(state), dice)
        number += 1


def _check_text(text: str) -> None:
    assert text[0].isupper() or text[0].isdigit(), text
    assert text.endswith("."), text
    assert not re.search(r"\b(1|one) (unit|hexe|band|battalion|stack|turn|month)s\b", text), text
    assert not re.search(r"  |\.\.|,\.|,,| ,|\{|\}|None(?! of)", text), text
