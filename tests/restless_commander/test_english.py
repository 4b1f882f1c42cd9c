"""Battles of Restless Natives in sentences, rolls and play sheets."""

from functools import cache
from typing import get_args

import pytest

from battles.books.restless_natives import events as e
from battles.books.restless_natives.names import (
    CARDS,
    aim,
    bare,
    in_words,
    inches,
    muster_roll,
    name_of,
    unit_name,
    wind,
)
from battles.books.restless_natives.pieces import Kind, Special
from battles.books.restless_natives.registration import BOOK, engine
from battles.books.restless_natives.tale import Tale, begins_turn
from battles.contract import Side, moves
from battles.contract.book import book
from battles.core.decoding import encode
from battles.core.dice import ChainedDice, Modifier, Roll, derive_key
from battles.prose import HEADLINE, Sentence
from battles.replay import NarratedBattle
from battles.web import rules_pages
from tests.redcoats_commander.armies import written
from tests.restless.field import (
    BRITISH_CHIEF,
    EAST,
    NATIVE_CHIEF,
    SUBORDINATE,
    WEST,
    at,
    battle,
    british,
    natives,
)

SILENT = {e.AgendaRecorded, e.PackShuffled, e.SpecialShuffled, e.CardDiscarded, e.FireOver}
"""What is said with what comes before or after it, or is nobody's business."""


def heard(*events: e.AnyEvent, rolls: tuple[Roll, ...] = ()) -> str:
    """Return the sentences about these events, one after the other in a small battle."""
    return " ".join(sentence.text for sentence in sentences(*events, rolls=rolls))


def sentences(*events: e.AnyEvent, rolls: tuple[Roll, ...] = ()) -> list[Sentence]:
    state = battle(
        british(1, at(24, 25), name="Sussex"),
        british(2, at(34, 25), command=SUBORDINATE),
        natives(11, at(24, 15)),
    )
    state.special = [*Special]
    tale = Tale(state)
    for event in events:
        tale.hear(event, rolls)
        engine.fold(state, (event,))
    return list(tale.tell())


@cache
def fought(slug: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return every page of a battle that was told."""
    dice = ChainedDice(derive_key(b"english", slug))
    telling = NarratedBattle(book("restless"), written(slug).brief, dice)
    return tuple(
        (turn.title, tuple(sentence.text for sentence in turn.sentences)) for turn in telling.turns
    )


@pytest.mark.parametrize(("slug", "told"), [("shekan", True), ("tamai", False)])
def test_the_aim_says_why_a_side_comes_with_fewer_stands_than_its_units_have(
    slug: str, *, told: bool
) -> None:
    state, _ = engine.new_game(written(slug).brief, ChainedDice(derive_key(b"english", slug)))
    why = [sentence for sentence in aim(state) if "disrupted units have half" in sentence]
    assert bool(why) == told
    came = sum(line.came for line in muster_roll(state) if line.side is Side.EGYPTIAN)
    left = sum(line.left for line in muster_roll(state) if line.side is Side.EGYPTIAN)
    assert (left < came) == told
    assert all(f"The British side comes with {left} of {came} stands" in words for words in why)


def test_every_kind_of_event_is_told_or_known_to_be_silent() -> None:
    ears = set(Tale.hears)
    assert ears | SILENT == set(get_args(e.AnyEvent))
    assert not ears & SILENT


def test_what_a_unit_does_is_one_sentence() -> None:
    said = heard(
        e.Activated(unit=1, commander=1),
        e.Moved(unit=1, path=(at(24, 20),), facing=0, length=500),
        e.Fired(unit=1, target=11, firing=4, volleys=1, destroyed=1),
        e.StandsLost(unit=11, stands=1, cause="fire"),
        e.MoraleTested(unit=11, score=12, needs=16, passed=False),
        e.FellBack(unit=11, at=at(24, 5), bearing=0, length=1000),
        e.ActivationEnded(),
    )
    assert said == (
        "The Sussex (1) moves 5 inches to the north and fires on the Native spearmen (11) and "
        "destroys 1 stand. The Native spearmen (11) lose heart (12, 16 needed) and fall back "
        "10 inches to the north."
    )


def test_a_close_combat_names_both_and_their_losses() -> None:
    said = heard(
        e.Activated(unit=11, commander=2),
        e.Charged(unit=11, target=1, at=at(24, 24), facing=180, length=900, touched=(1, 2)),
        e.CombatFought(unit=11, target=1, first=True, lost=1, destroyed=4),
        e.StandsLost(unit=1, stands=4, cause="close combat"),
        e.Destroyed(unit=1, cause="close combat"),
        e.StandsLost(unit=11, stands=1, cause="close combat"),
    )
    assert "go in against the Sussex (1) over 9 inches, and touch the British infantry" in said
    assert "The Sussex (1) is destroyed" in said
    assert "The Native spearmen (11) lose 1 stand" in said


def test_cards_dealt_together_are_one_sentence_for_each_side() -> None:
    mine, theirs = e.SpecialDealt(commander=BRITISH_CHIEF), e.SpecialDealt(commander=NATIVE_CHIEF)
    assert [sentence.text for sentence in sentences(mine, mine, mine, theirs)] == [
        "Graham draws a Special Event Card, another and another.",
        "Osman Digma draws a Special Event Card.",
    ]


def test_a_commander_who_has_been_killed_draws_no_card() -> None:
    state = battle(british(1, at(24, 25), kind=Kind.COMMANDER, stands=1, name="Graham"))
    state.special = [*Special]
    tale = Tale(state)
    for event in (
        e.Destroyed(unit=1, cause="close combat"),
        e.CommandTaken(commander=BRITISH_CHIEF, successor=BRITISH_CHIEF),
        e.SpecialDealt(commander=BRITISH_CHIEF),
    ):
        tale.hear(event, ())
        engine.fold(state, (event,))
    assert [sentence.text for sentence in tale.tell()] == [
        "Graham (1) is killed.",
        "The British side has no other commander.",
        "The British side draws a Special Event Card.",
    ]


def test_who_was_activated_and_did_nothing_stands() -> None:
    assert heard(e.Activated(unit=1, commander=1), e.ActivationEnded()) == "The Sussex (1) stands."


def test_a_side_that_activates_nobody_is_told_of() -> None:
    said = heard(e.NobodyActivated(side=natives(11, at(1, 1)).side, cause="choice"))
    assert said == "The Native side activates nobody."


def test_throws_for_nothing_are_not_lost() -> None:
    thrown = (Roll("move", "Movement 2", (3,)),)
    (found,) = sentences(e.CardDiscarded(), rolls=thrown)
    assert found.rolls == thrown
    assert found.text


def test_a_unit_that_is_destroyed_is_a_headline() -> None:
    found = sentences(e.Activated(unit=11, commander=2), e.Destroyed(unit=1, cause="fire"))
    assert max(sentence.weight for sentence in found) == HEADLINE


@pytest.mark.parametrize("slug", ["tamai", "a-set-piece-battle"])
def test_a_whole_battle_is_told_card_by_card(slug: str) -> None:
    pages = fought(slug)
    assert pages[0][0] == "The sides are drawn up"
    assert len(pages) > 10
    for _, said in pages:
        for sentence in said:
            assert sentence == sentence.strip()
            assert sentence[0].isupper() or sentence[0] == "“"
            assert sentence.endswith((".", "”"))
            assert "None" not in sentence
            assert " number " not in sentence


def test_a_card_turned_over_begins_a_page() -> None:
    dice = ChainedDice(derive_key(b"english", 1))
    state, opening = engine.new_game(written("kirbekan").brief, dice)
    turned = [begins_turn(event) for event in opening.events]
    for move in moves(book("restless").engine, state, dice):
        turned += [begins_turn(event) for event in move.outcome.events]
    found = [turn for turn in turned if turn is not None]
    assert found == list(range(1, state.turn + 1))


def test_the_roll_has_everybody_wherever_he_is() -> None:
    state = battle(
        british(1, at(24, 25), name="Sussex"),
        natives(11, at(24, 15)),
        natives(12, at(34, 15), stands=2, full=6),
    )
    state.away[11] = state.units.pop(11)
    before = encode(state)
    roll = muster_roll(state)
    assert [line.number for line in roll] == [1, 11, 12]
    assert [line.state for line in roll] == ["good order", "ran away", "half gone"]
    assert (roll[0].name, roll[0].what, roll[0].where) == ("Sussex", "British infantry", "24 by 25")
    assert [line.lost for line in roll] == [0, 0, 4]
    assert encode(state) == before


def test_names_of_units_and_of_nobody() -> None:
    state = battle(british(1, at(24, 25), name="Sussex"), natives(11, at(24, 15)))
    assert unit_name(state.units[1]) == "the Sussex (1)"
    assert bare(state.units[11]) == "Native spearmen"
    assert name_of(state, 99) == "number 99"
    assert in_words(state.units[1]) == (
        "Sussex: British infantry, line facing north at 24 by 25, 4 of 4 stands"
    )


def test_dice_for_a_move_that_is_still_to_be_made_are_told_with_what_they_allow() -> None:
    dice = Roll("move", "Movement 2", (3, 4), modifiers=(Modifier(2, "Infantry", "Movement 2"),))
    rough = Roll("rough terrain", "Movement 5", (4,))
    also = Roll("open ground", "Movement 2", (5,))
    acts = e.Activated(unit=1, commander=1)
    thrown = e.MoveThrown(unit=1, moves=1, most=900, rough=400)
    assert heard(acts, thrown, rolls=(dice,)) == "The Sussex (1) throws 3 and 4, plus 2: 9 inches."
    assert heard(acts, thrown, rolls=(rough, also)) == (
        "The Sussex (1) throws 5: 9 inches, 4 inches over rough ground (by 4)."
    )
    goes = e.Moved(unit=1, path=(at(24, 15),), facing=0, length=900)
    assert heard(acts, thrown, goes, rolls=(dice,)) == "The Sussex (1) moves 9 inches to the north."


@pytest.mark.parametrize(
    ("length", "said"),
    [(0, "0 inches"), (50, "½ inch"), (100, "1 inch"), (149, "1½ inches"), (1000, "10 inches")],
)
def test_inches_are_told_to_the_half(length: int, said: str) -> None:
    assert inches(length) == said


@pytest.mark.parametrize(
    ("facing", "said"), [(0, "north"), (22, "north"), (23, "north-east"), (359, "north")]
)
def test_facings_are_told_by_the_compass(facing: int, said: str) -> None:
    assert wind(facing) == said
    assert wind(EAST) == "east"
    assert wind(WEST) == "west"


def test_every_special_event_card_has_its_name() -> None:
    assert set(CARDS) == set(Special)


def test_the_play_sheet_takes_its_tables_from_the_book() -> None:
    found = [extract for section in BOOK.pages.play_sheet() for extract in section.tables]
    assert {"movement", "weapons", "close_combat", "troops", "special"} <= {
        extract.name for extract in found
    }
    for extract in found:
        page = rules_pages.extract("restless", extract.name, extract.columns)
        assert page.rows
