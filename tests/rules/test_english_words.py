"""The names of units, places, dice, questions and actions."""

from typing import get_args

import pytest

from battles.contract.brief import Nation, Quality, Side, TroopKind
from battles.core.dice import Modifier, Roll
from campaign import rules
from campaign.rules.core import actions as a
from campaign.rules.core import questions as q
from campaign.rules.core.options import _domain
from campaign.rules.core.pieces import UnitId, month
from campaign.rules.core.play import engine
from campaign.rules.core.questions import CombatRound
from campaign.rules.core.state import OFF_MAP, CampaignResult, Phase, Score, Unit
from campaign.rules.map import HexId
from campaign.rules.prose import questions
from campaign.rules.prose.names import (
    about_hex,
    dateline,
    describe_by_place,
    describe_hex,
    describe_led_force,
    describe_places,
    describe_stack,
    is_led_plural,
    is_plural,
    label,
    near_hex,
    side_name,
)
from campaign.rules.prose.phase_report import Moment, day_after
from campaign.rules.prose.phrases import (
    article_or_count,
    capitalise,
    count_noun,
    describe_modifier,
    describe_roll,
    join_words,
    ordinal,
    pick_phrase,
    spell_number,
)
from campaign.rules.prose.questions import describe_action, describe_phase, describe_question
from campaign.rules.prose.situation import describe_award, describe_result, situation
from campaign.rules.tables import scenario_blocks as b
from campaign.rules.tables.book import book
from tests.positions import hex_of, position, units_of
from tests.rules import helpers

DESERT = hex_of("0641")


def units(what: str, where: str = "Khartoum") -> list[Unit]:
    return list(units_of(what, hex_of(where), 1))


def british(name: str, kind: TroopKind = TroopKind.INFANTRY) -> Unit:
    return Unit(UnitId(9), kind, Nation.BRITISH, Quality.VETERAN, 3, hex_of("Korti"), name=name)


@pytest.mark.parametrize(
    ("number", "words"), [(0, "no"), (1, "one"), (12, "twelve"), (13, "13"), (120, "120")]
)
def test_numbers_up_to_twelve_are_written_in_words(number: int, words: str) -> None:
    assert spell_number(number) == words


def test_one_is_never_plural() -> None:
    assert count_noun(1, "unit") == "one unit"
    assert count_noun(2, "unit") == "two units"
    assert count_noun(1, "company", "companies") == "one company"
    assert (
        article_or_count(1, "Egyptian battalion", "Egyptian battalions") == "an Egyptian battalion"
    )


def test_lists_keep_apart_what_has_commas_of_its_own() -> None:
    assert join_words(["a"]) == "a"
    assert join_words(["a", "b", "c"]) == "a, b and c"
    assert join_words(["a, with b", "c"]) == "a, with b; and c"


def test_phrases_vary_with_place_and_month_but_never_for_the_same() -> None:
    phrases = ("one", "two", "three")
    found = {pick_phrase(phrases, hex_id, when) for hex_id in range(30) for when in range(12)}
    assert found == set(phrases)
    assert pick_phrase(phrases, 1420, 22609) == pick_phrase(phrases, 1420, 22609)


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("infantry egyptian", "Egyptian infantry (1R)"),
        ("spears disrupted", "Mahdist spearmen (1F), disrupted"),
        ("infantry mahdist", "Mahdist riflemen (1F)"),
        ("Gordon", "General Gordon"),
        ("supply", "British supply"),
        ("civilians", "Egyptian civilians"),
    ],
)
def test_a_counter_has_a_label(what: str, said: str) -> None:
    assert label(units(what)[0]) == said


def test_a_named_battalion_is_labelled_by_its_name() -> None:
    assert label(british("Black Watch")) == "Black Watch (3V)"


@pytest.mark.parametrize(
    ("what", "said"),
    [
        (
            "8 infantry egyptian, 2 guns, Gordon",
            "eight Egyptian battalions, two guns and General Gordon",
        ),
        ("infantry egyptian", "an Egyptian battalion"),
        ("gun egyptian", "an Egyptian gun"),
        ("2 spears, cavalry mahdist", "two bands of spearmen and a troop of horse"),
        ("2 spears egyptian", "two bands of Egyptian spearmen"),
        (
            "2 infantry british, gun egyptian, supply, 2 camels",
            "two British battalions, an Egyptian gun, a supply column and two camel trains",
        ),
        ("civilians, gunboat", "a gunboat and the civilians"),
        ("fleet", "the fleet"),
        ("13 spears", "13 bands of spearmen"),
    ],
)
def test_a_stack_is_counted_by_kind(what: str, said: str) -> None:
    assert describe_stack(units(what)) == said


def test_a_stack_of_nobody_is_nothing() -> None:
    assert describe_stack([]) == "nothing"


def test_a_few_battalions_are_called_by_name_and_many_are_counted() -> None:
    few = [british("Black Watch"), british("Staffords")]
    assert describe_stack(few) == "the Black Watch and the Staffords"
    detachment = british("10th Hussars, 1st detachment", TroopKind.CAVALRY)
    assert describe_stack([detachment]) == "the 10th Hussars (1st detachment)"
    many = [british(name) for name in ("Essex", "Sussex", "Staffords", "Black Watch")]
    assert describe_stack(many) == "four British battalions"


def test_a_force_stands_behind_its_leaders() -> None:
    stack = units("Graham, 2 infantry british, gun british")
    assert describe_led_force(stack) == "General Graham, with two British battalions and a gun,"
    assert not is_led_plural(stack)
    assert is_plural(stack)
    assert describe_led_force(units("Mahdi")) == "the Mahdi"


def test_a_force_of_many_kinds_is_only_counted() -> None:
    stack = units(
        "4 infantry british, engineers, gun british, naval infantry, cavalry british, supply, "
        "camels, gun egyptian, Graham"
    )
    assert (
        describe_led_force(stack) == "General Graham, with ten British units and one Egyptian unit,"
    )


def test_units_in_several_places_are_told_place_by_place() -> None:
    shaken = [*units("2 spears", "Duem"), *units("gun mahdist", "Bara")]
    assert describe_by_place(shaken) == "two bands of spearmen at Duem and a gun at Bara"


def test_verbs_agree_with_their_units() -> None:
    assert not is_plural(units("spears"))
    assert is_plural(units("2 spears"))
    assert is_plural(units("civilians"))
    assert is_plural([british("Staffords")])
    assert is_plural(units("Gordon, J. Stewart"))


def test_a_place_is_called_by_its_name_and_the_desert_by_the_nearest() -> None:
    assert describe_hex(hex_of("Khartoum")) == "Khartoum"
    count, word, *_ = describe_hex(DESERT).split()
    assert word == "hexes"
    assert not count.isdigit() or int(count) > 12
    assert describe_hex(OFF_MAP) == "off the map"


def test_prose_says_roughly_where_a_hex_lies() -> None:
    assert about_hex(hex_of("Khartoum")) == "at Khartoum"
    assert near_hex(DESERT).startswith(("near ", "the country "))
    assert describe_places([hex_of("Duem"), hex_of("Bara")]) == "at Duem and Bara"


def test_a_despatch_begins_with_place_and_day() -> None:
    march = month(1884, 3)
    assert dateline(hex_of("Khartoum"), march, 6) == "KHARTOUM, 6th March."
    assert dateline(DESERT, march, 23).split(",")[0].isupper()


def test_the_days_follow_the_phases_and_the_combats() -> None:
    for number in range(1, 13):
        days = [
            day_after(Moment(month(1884, number), side, phase), [HexId(2143)] * fights)
            for side in (Side.EGYPTIAN, Side.MAHDIST)
            for phase in (Phase.EVENT, Phase.REINFORCEMENT, Phase.MARCH, Phase.ATTRITION)
            for fights in range(9)
        ]
        assert days == sorted(days)
        assert 1 <= days[0] < days[-1] <= 28


def test_days_are_written_as_ordinals() -> None:
    days = (1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 28)
    assert [ordinal(day) for day in days] == (
        ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "23rd", "28th"]
    )


def test_a_throw_is_told_with_every_modifier_and_clause() -> None:
    veterans = book().modifier("fire.veterans")
    roll = Roll("test", "9.6", (3, 4), modifiers=(veterans,), total=6, result="no effect")
    assert describe_roll(roll) == (
        "2D6: 3 + 4, −1 at least half of those who fire are Veteran (9.6), makes 6: no effect"
    )
    assert describe_modifier(Modifier(2, "Gordon leads", "7.1")) == "+2 Gordon leads (7.1)"


def test_a_single_die_is_its_own_total() -> None:
    assert describe_roll(Roll("march", "8.31", (5,), total=5, result="march")) == "1D6: 5: march"


def test_dice_that_each_stand_for_a_unit_are_not_added() -> None:
    roll = Roll("recovery", "5.2 V", (1, 6), table="recovery", result="1 recovers, 1 is lost")
    assert describe_roll(roll) == "2D6: 1, 6, each for itself: 1 recovers, 1 is lost"


def test_the_dice_of_an_event_are_read_as_tens_and_units() -> None:
    roll = Roll("random event", "5.2 I", (3, 1), total=4, table="events", result="31: Quiet month")
    assert describe_roll(roll) == "2D6: 3, 1, read as 31: Quiet month"


def test_every_question_has_words_options_and_answers() -> None:
    kinds = set(get_args(q.Question))
    assert kinds == set(questions._describe) == set(_domain) == set(engine.answers.questions)


def test_every_action_has_words() -> None:
    assert set(get_args(a.AnyAction)) == set(questions._describe_acting)


def test_a_question_names_the_side_that_must_answer() -> None:
    state = position("Khartoum: 2 infantry egyptian")
    assert describe_question(state) == (
        "The Egyptian side has to choose the next stack to march, or end the phase."
    )
    assert describe_phase(state) == "Egyptian turn: marches"


def test_a_question_of_losses_says_how_many() -> None:
    state = position("Khartoum: 2 infantry egyptian")
    quotas = (q.Quota(Quality.RABBLE, 1, 0), q.Quota(Quality.LINE, 0, 2))
    state.question = q.ToShareLosses(Side.EGYPTIAN, CombatRound.FIRE, quotas)
    said = describe_question(state)
    assert said.endswith("losses of the fire: one unit eliminated and two units disrupted.")


def test_no_question_is_open_when_the_campaign_is_over() -> None:
    state = position("Khartoum: 2 infantry egyptian")
    state.question, state.phase = None, Phase.OVER
    assert describe_question(state) == "The campaign is over."
    assert describe_phase(state) == "The campaign is over"


def test_an_action_is_told_before_it_is_carried_out() -> None:
    state = position("Souakim: Graham, 2 infantry british", "Duem: 3 spears")
    stack = helpers.ids(state, "Souakim")
    assert describe_action(state, a.March(stack)) == (
        "General Graham’s stack prepares to march from Souakim."
    )
    assert describe_action(state, a.Done()) == "The Egyptian side has finished its marches."
    helpers.march(state, "Souakim")
    move = a.Move((hex_of("Tokar"),))
    assert describe_action(state, move) == (
        "General Graham’s stack marches from Souakim towards Tokar."
    )


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (a.Choose(hex_of("Korti")), "The Egyptian side chooses Korti."),
        (a.Lead(UnitId(0)), "No leader of the Egyptian side takes a hand in the combat."),
        (a.Lead(UnitId(1), CombatRound.FIRE), "General Gordon helps his stack in fire."),
        (a.Pick((UnitId(2),)), "The Egyptian side chooses an Egyptian battalion."),
        (
            a.Share((UnitId(2), UnitId(3)), ()),
            "The Egyptian side shares its losses: two battalions eliminated.",
        ),
        (a.Retreat(()), "The beaten stack of the Egyptian side stands fast."),
        (a.Supply(UnitId(0)), "The stack rolls for attrition."),
        (a.Withdraw((UnitId(2),)), "An Egyptian battalion is withdrawn from Khartoum."),
        (a.Place(7, hex_of("Korti")), "Nothing arrives at Korti."),
    ],
)
def test_answers_are_sentences(action: a.AnyAction, said: str) -> None:
    state = position("Khartoum: Gordon, 2 infantry egyptian")
    assert describe_action(state, action) == said


def test_the_sides_have_names() -> None:
    assert [side_name(side) for side in Side] == ["the Egyptian side", "the Mahdists"]


def test_a_result_names_winner_reason_and_clause() -> None:
    won = CampaignResult(Side.MAHDIST, "The Mahdists capture Khartoum.", "4.1")
    assert describe_result(won, None) == (
        "The Mahdists win the campaign. The Mahdists capture Khartoum (4.1)."
    )
    assert describe_result(CampaignResult(None, "Time is up.", "4"), None) == (
        "The campaign is drawn. Time is up (4)."
    )


@pytest.mark.parametrize(
    ("winner", "said"),
    [
        (Side.EGYPTIAN, "The Egyptian side wins the campaign by 9 points to 1."),
        (Side.MAHDIST, "The Mahdists win the campaign by 1 point to 9."),
        (None, "The campaign is drawn: the Egyptians have 9 points, the Mahdists 1."),
    ],
)
def test_a_result_by_points_names_them(winner: Side | None, said: str) -> None:
    result = CampaignResult(winner, "The side with more points.", "4")
    assert describe_result(result, Score(9, 1)) == f"{said} The side with more points (4)."


def test_the_situation_tells_sieges_towns_strengths_and_who_is_expected() -> None:
    said = "\n".join(situation(rules.new_game("siege-of-khartoum")))
    assert "Tokar is under siege. Within: an Egyptian battalion and a gun." in said
    assert "The Mahdists hold El Obeid" in said
    assert "The Egyptian side has" in said
    assert "Boats for the Nile: two boats, expected at Wady Halfa in October 1884." in said


def test_the_situation_counts_the_turns_that_win() -> None:
    state = rules.new_game("relief-of-el-obeid")
    state.tallies["turns:egyptian"] = 2
    assert any(
        line.endswith("at the end of two Egyptian turns running; one more, and the Egyptian side "
                      "wins the campaign.")
        for line in situation(state)
    )  # fmt: skip


def test_the_situation_of_a_finished_campaign_begins_with_its_result() -> None:
    state = position("Khartoum: 2 infantry egyptian")
    state.result = CampaignResult(None, "Time is up.", "4")
    assert situation(state)[0] == "The campaign is drawn. Time is up (4)."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("the Mahdi", "The Mahdi"),
        ("13 guns", "Thirteen guns"),
        ("20 guns", "Twenty guns"),
        ("58 guns", "Fifty-eight guns"),
        ("100 guns", "100 guns"),
        ("", ""),
    ],
)
def test_a_sentence_begins_with_a_large_letter_and_no_figure(text: str, said: str) -> None:
    assert capitalise(text) == said


@pytest.mark.parametrize(
    ("award", "words"),
    [
        (b.PlaceAward(side=Side.MAHDIST, points=2, place="Berber"), "Berber held at the end"),
        (
            b.UnitsAward(
                side=Side.EGYPTIAN,
                points=3,
                places=("Berber", "Shendi"),
                least=2,
                nation=Nation.BRITISH,
            ),
            "two British fighting units in Berber or Shendi at the end",
        ),
        (
            b.UnitsAward(side=Side.EGYPTIAN, points=1, places=("Berber",), kind=TroopKind.GUN),
            "one gun unit in Berber at the end",
        ),
        (
            b.LeaderAward(side=Side.EGYPTIAN, points=4, leader="Hicks"),
            "Hicks Pasha in play at the end",
        ),
        (
            b.LossesAward(side=Side.MAHDIST, points=1, every=1),
            "every Egyptian strength point destroyed in combat",
        ),
        (b.HandicapAward(side=Side.MAHDIST, points=1), "a handicap, for balance"),
    ],
)
def test_an_award_of_points_is_told_in_words(award: b.Award, words: str) -> None:
    assert describe_award(award) == words
