"""Combats in the month's despatches: one report over all entries, its losses and its dice."""

from battles.contract.brief import Side
from battles.core.dice import Roll
from campaign import rules
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core.questions import CombatRound
from campaign.rules.core.state import MarchUnderWay, State
from campaign.rules.map import HexId
from campaign.rules.prose.despatches import sentences
from campaign.rules.prose.phase_report import HEADLINE, Topic
from tests.positions import hex_of, position
from tests.rules.helpers import fight, go, ids, march, play
from tests.rules.telling import copy, only, tell, told


def test_a_combat_is_one_report_over_all_its_entries() -> None:
    state = position("El Teb: 10 spears", "Tokar: 2 infantry egyptian", side="mahdist")
    before = copy(state)
    parts = [march(state, "El Teb"), fight(state, "Tokar", [7, 7, 1, 1, 6, 6, 6, 6][2:])]
    report = next(one for one in told(before, *parts) if one.kind is Topic.COMBAT)
    assert report.text.startswith("TOKAR, 21st May. Ten bands of spearmen ")
    assert "held by two Egyptian battalions." in report.text
    assert report.weight == HEADLINE
    assert report.hex == hex_of("Tokar")
    assert {roll.table for roll in report.rolls} >= {"march:mahdist", "combat_results"}


def _beaten_before_khartoum(start: str, *way: str) -> str:
    """Return the report of an assault on Khartoum that is beaten off, its band at bay."""
    state = position(
        f"{start}: 2 spears disrupted, 2 spears 2F", "Khartoum: 9 spears egyptian", side="mahdist"
    )
    state.march = MarchUnderWay(list(ids(state, start)), [hex_of(one) for one in (*way, start)])
    here, there = hex_of(start), hex_of("Khartoum")
    lost = ids(state, start)[:2]
    return only(
        tell(
            state,
            e.CombatBegan(here, there, ids(state, start), ids(state, "Khartoum"), Side.MAHDIST),
            e.Tested(Side.MAHDIST, CombatRound.MELEE, 0, 0),
            e.CombatEnded(Side.EGYPTIAN, here, there),
            e.Removed(lost, "no retreat"),
        )
    ).text


def test_9_8_a_report_says_what_bars_the_way_back_of_a_beaten_stack() -> None:
    over_the_river = _beaten_before_khartoum("2043", "2143")
    assert (
        "With the Blue Nile barred behind them and no way back the Mahdists lose" in over_the_river
    )
    assert "With no way back the Mahdists lose" in _beaten_before_khartoum("2043")


def test_points_counted_amid_a_combat_do_not_part_its_report() -> None:
    state = position("El Teb: 4 spears", "Tokar: 4 infantry egyptian", side="mahdist")
    camp, place = hex_of("El Teb"), hex_of("Tokar")
    bands, garrison = ids(state, "El Teb"), ids(state, "Tokar")
    sentence = only(
        tell(
            state,
            e.CombatBegan(camp, place, bands, garrison, Side.MAHDIST),
            e.Removed(garrison[:1], "combat"),
            e.Tallied("points:mahdist", 3),
            e.Tested(Side.MAHDIST, CombatRound.MELEE, 1, 0),
            e.Removed(bands[:1], "combat"),
            e.CombatEnded(None, camp, place),
        )
    )
    assert sentence.text.count("TOKAR, ") == 1
    assert "attack the village" in sentence.text
    assert "lose a band of spearmen" in sentence.text


def test_a_combat_heard_from_the_middle_is_told_from_there() -> None:
    state = position("El Teb: 4 spears", "Tokar: 4 infantry egyptian", side="mahdist")
    march(state, "El Teb")
    before = copy(state)
    began = e.CombatBegan(
        hex_of("El Teb"), hex_of("Tokar"), ids(state, "El Teb"), ids(state, "Tokar"), Side.MAHDIST
    )
    rules.fold(before, [began])
    lost = ids(state, "El Teb")[:1]
    sentence = only(
        sentences(
            before, [e.Tested(Side.MAHDIST, CombatRound.FIRE, 1, 0), e.Removed(lost, "combat")], ()
        )
    )
    assert sentence.text.startswith("TOKAR, 20th May. ")
    assert sentence.text.endswith(" the Mahdists lose a band of spearmen.")


def test_a_round_without_losses_is_told_in_a_word() -> None:
    state = position("El Teb: 2 spears", "Tokar: 2 infantry egyptian", side="mahdist")
    before = copy(state)
    rules.fold(
        before,
        [
            e.CombatBegan(
                hex_of("El Teb"),
                hex_of("Tokar"),
                ids(state, "El Teb"),
                ids(state, "Tokar"),
                Side.MAHDIST,
            )
        ],
    )
    tested = [e.Tested(side, CombatRound.MELEE, 0, 0) for side in Side]
    sentence = only(sentences(before, [*tested, e.CombatEnded(None, *_fields(before))], ()))
    assert "lose" not in sentence.text


def _fields(state: State) -> tuple[HexId, HexId]:
    assert state.combat is not None
    return state.combat.attacker.hex, state.combat.defender.hex


def test_a_leader_who_falls_is_a_headline_of_his_own() -> None:
    state = position("Khartoum: Gordon, infantry egyptian")
    gone = e.Removed(ids(state, "Khartoum", "Gordon"), "leader lost")
    sentence = only(tell(state, gone))
    assert sentence.weight == HEADLINE
    assert sentence.text.startswith("KHARTOUM, 6th May. General Gordon ")


def test_a_leader_who_is_withdrawn_does_not_fall() -> None:
    state = position("Souakim: Graham, infantry egyptian", phase="reinforcement")
    sentence = only(tell(state, e.Removed(ids(state, "Souakim", "Graham"), "withdrawn")))
    assert sentence.text == "General Graham at Souakim is withdrawn from the war."


def test_6_1_a_gunboat_wrecked_in_flight_may_be_the_captors_prize() -> None:
    state = position("1724: 2 spears", "Hamdab: gunboat", side="mahdist")
    march(state, "1724")
    go(state, "Hamdab")
    before = copy(state)
    outcome = play(state, a.Choose(hex_of("1722")), [6, 2, 3, 6])
    text = " ".join(sentence.text for sentence in told(before, outcome))
    assert "A gunboat draws off from Hamdab and lies one hex N of Hamdab." in text
    assert (
        "A gunboat is wrecked on an unnavigable reach. The Mahdists take what is left: it is"
        " to be repaired by October 1884 at Khartoum." in text
    )


def test_craft_driven_from_hex_to_hex_are_told_once() -> None:
    state = position("Berber: 2 gunboats egyptian")
    hulls = ids(state, "Berber")
    driven = [e.SailedAway(hulls, HexId(number)) for number in (3028, 3029)]
    sentence = only(tell(state, *driven))
    assert sentence.text.startswith("Two gunboats draw off from Berber and lie ")
    assert sentence.hex == HexId(3029)


def test_6_1_a_fight_of_gunboats_is_told_like_any_other() -> None:
    state = position("1942: gunboat, Gordon", "2142: 2 boats mahdist")
    play(state, a.Sail(ids(state, "1942"), (hex_of("2042"),)))
    before = copy(state)
    text = " ".join(sentence.text for sentence in told(before, fight(state, "2142", [3, 4])))
    assert "attacks two boats." in text
    assert "see a boat thrown into disorder" in text


def test_a_second_attack_on_the_same_stack_belongs_to_the_same_report() -> None:
    state = position("El Teb: 4 spears", "Tokar: 4 infantry egyptian", side="mahdist")
    here, there = hex_of("El Teb"), hex_of("Tokar")
    attack = e.CombatBegan(here, there, ids(state, "El Teb"), ids(state, "Tokar"), Side.MAHDIST)
    ended = e.CombatEnded(None, here, there)
    report = only(tell(state, attack, ended, attack, ended))
    assert report.text.count("Four bands of spearmen attack the village, held by") == 1
    assert len(report.text.split(". ")) > len(only(tell(state, attack, ended)).text.split(". "))


def test_9_9_captured_guns_and_rifles_are_told_with_the_combat() -> None:
    state = position("El Teb: 4 spears", "Tokar: infantry egyptian, gun egyptian", side="mahdist")
    here, there = hex_of("El Teb"), hex_of("Tokar")
    die = Roll("capture", "9.9", (6,), total=6, result="captured")
    report = only(
        tell(
            state,
            e.CombatBegan(here, there, ids(state, "El Teb"), ids(state, "Tokar"), Side.MAHDIST),
            e.Tested(Side.EGYPTIAN, CombatRound.MELEE, 2, 0),
            e.Removed(ids(state, "Tokar"), "combat"),
            e.CombatEnded(Side.MAHDIST, here, there),
            e.Captured(("egyptian gun",), here, rolls=(0,)),
            e.Captured(("egyptian infantry",), here, rolls=(1,)),
            rolls=(die, die),
        )
    )
    assert "Nothing is left of the Egyptian force." in report.text
    assert report.text.endswith("The Mahdists take a gun and the rifles of a battalion.")
    assert report.rolls == (die, die)
