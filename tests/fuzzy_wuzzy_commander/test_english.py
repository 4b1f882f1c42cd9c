"""Battles of 'Eres to You Fuzzy Wuzzy in sentences, rolls and play sheets."""

from functools import cache
from typing import get_args

import pytest

from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy.book import book
from battles.books.fuzzy_wuzzy.names import (
    bare,
    describe_unit,
    in_words,
    muster_roll,
    unit_name,
    wind,
)
from battles.books.fuzzy_wuzzy.observing import filter_event
from battles.books.fuzzy_wuzzy.pieces import Band, Combat, Does, Rate
from battles.books.fuzzy_wuzzy.registration import BOOK, engine
from battles.books.fuzzy_wuzzy.tale import Tale, begins_turn
from battles.contract import book as registry
from battles.contract import moves
from battles.contract.report import BattleResult
from battles.core.dice import ChainedDice, Roll, derive_key
from battles.core.table_pages import table_page
from battles.prose import HEADLINE, Sentence
from battles.tabletop.formations import TableFormation
from tests.fuzzy_wuzzy.field import EGYPTIAN, MAHDIST, battle, point, spears, unit
from tests.redcoats_commander.armies import written

SILENT = {e.AgendaRecorded, e.Ordered, e.MovementEnded, e.CombatBegan, e.TurnEnded}
"""What is said with what comes before or after it, or is nobody's business."""


def heard(*events: e.AnyEvent, rolls: tuple[Roll, ...] = ()) -> str:
    """Return the sentences about these events, one after the other in a small battle."""
    return " ".join(sentence.text for sentence in sentences(*events, rolls=rolls))


def sentences(*events: e.AnyEvent, rolls: tuple[Roll, ...] = ()) -> list[Sentence]:
    state = battle(
        unit(1, "british", "infantry", (50, 60), name="Sussex"),
        spears(2, (50, 40), seen=False),
        unit(3, "british", "cavalry", (80, 60)),
        unit(4, "british", "command", (50, 70), name="Graham"),
    )
    tale = Tale(state)
    for event in events:
        tale.hear(event, rolls)
        engine.fold(state, (event,))
    return list(tale.tell())


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (e.TurnBegan(turn=2, first=EGYPTIAN), "The Anglo-Egyptian side has the initiative."),
        (
            e.Formed(unit=1, formation=TableFormation.SQUARE, cause="square"),
            "The Sussex (1) forms square.",
        ),
        (
            e.Formed(unit=3, formation=TableFormation.LINE, cause="dismount", dismounted=True),
            "The British cavalry (3) dismounts.",
        ),
        (e.Paced(units=(1,), lengths=(700,)), "The dice allow the Sussex (1) 7 cm."),
        (
            e.Moved(unit=1, to=point(50, 53), facing=0, rate=Rate.MARCH, cost=700),
            "The Sussex (1) marches 7 cm north.",
        ),
        (
            e.Moved(unit=2, to=point(50, 57.5), facing=180, rate=Rate.CHARGE, cost=1, target=1),
            "The Mahdist spear rub (2) comes to close quarters with the Sussex (1).",
        ),
        (
            e.Moved(
                unit=1, to=point(50, 75), facing=180, rate=Rate.CHARGE, cost=1, cause="retreat"
            ),
            "The Sussex (1) retreats 15 cm south.",
        ),
        (
            e.Moved(unit=1, to=point(50, 60), facing=90, rate=Rate.MARCH, cost=0),
            "The Sussex (1) turns east.",
        ),
        (
            e.Observed(units=(2,), observer=1, cause="reconnaissance"),
            "The Sussex (1) makes out the Mahdist spear rub (2).",
        ),
        (
            e.Observed(units=(1, 2), observer=1, cause="contact"),
            "The Sussex (1) comes upon the Mahdist spear rub (2).",
        ),
        (
            e.Fired(unit=1, target=2, stands=(0,), band=Band.LONG, casualties=2),
            "The Sussex (1) fires on the Mahdist spear rub (2) at long range: 2 casualties.",
        ),
        (
            e.Fought(unit=2, target=1, casualties=0),
            "The Mahdist spear rub (2) fights the Sussex (1) hand to hand: no casualty.",
        ),
        (
            e.CasualtiesTaken(unit=1, markers=(1, 0, 0, 0, 0, 0), casualties=1),
            "The Sussex (1) takes 1 casualty.",
        ),
        (
            e.CasualtiesTaken(unit=1, markers=(2, 2), casualties=4, lost=4),
            "The Sussex (1) loses 4 stands.",
        ),
        (
            e.Judged(
                unit=1,
                combat=Combat.FIRE,
                caused=0,
                suffered=1,
                does=Does.RETREATS,
                rate=Rate.CHARGE,
                until_rallied=True,
            ),
            "The Sussex (1) must retreat until it is rallied.",
        ),
        (e.Rallied(unit=1, stands=2, whole=False), "The Sussex (1) rallies 2 stands."),
        (e.Rallied(unit=1, stands=0, whole=False), "The Sussex (1) fails to rally."),
        (e.Recovered(unit=1, removed=2, markers=(0,) * 6), "The Sussex (1) recovers 2 casualties."),
        (
            e.Parted(unit=1, part=100, markers=(1,), at=point(50, 80)),
            "The Sussex (1) sends 1 stand to the rear.",
        ),
        (e.Lost(unit=4, cause="overrun"), "Graham (4) is overrun."),
        (e.Lost(unit=4, cause="casualties"), "Graham (4) is killed."),
        (e.Lost(unit=1, cause="casualties"), "The Sussex (1) is destroyed."),
        (e.Left(unit=1, cause="retreat"), "The Sussex (1) flees from the field."),
        (e.Reorganised(unit=1, markers=(0,) * 6), "The Sussex (1) gathers its casualties."),
        (
            e.BattleEnded(result=BattleResult(EGYPTIAN, "broke off", "The Mahdists broke off.")),
            "The Mahdists broke off.",
        ),
    ],
)
def test_what_is_said_of_an_event(event: e.AnyEvent, said: str) -> None:
    assert heard(event) == said


def test_the_dice_of_the_initiative_stand_with_the_side_that_has_it() -> None:
    dice = (Roll("initiative", "Sequence 1", (4,)), Roll("initiative", "Sequence 1", (2,)))
    state = battle(unit(1, "british", "infantry", (50, 60)))
    tale, began = Tale(state), e.TurnBegan(turn=2, first=EGYPTIAN)
    tale.hear(began, dice)
    [said] = tale.tell()
    assert said.text == "The Anglo-Egyptian side has the initiative."
    assert said.rolls == dice
    assert filter_event(state, began, dice, MAHDIST)[1] == dice


def test_a_unit_that_its_fire_gives_away_is_another_sentence() -> None:
    fired = e.Fired(unit=2, target=1, stands=(0,), band=Band.LONG, casualties=2)
    assert heard(fired, e.Observed(units=(2,), observer=1, cause="fire")) == (
        "The Mahdist spear rub (2) fires on the Sussex (1) at long range: 2 casualties. "
        "The Mahdist spear rub (2) is seen by its fire."
    )


def test_nobody_is_unobserved_once_the_battle_is_over() -> None:
    state = battle(spears(2, (50, 40), seen=False))
    assert [line.state for line in muster_roll(state)] == ["not observed"]
    state.result = BattleResult(EGYPTIAN, "broke off", "The Mahdists broke off.")
    assert [line.state for line in muster_roll(state)] == ["good order"]


def test_a_choice_is_told_only_where_a_die_gave_it() -> None:
    may = e.Judged(unit=2, combat=Combat.FIRE, caused=1, suffered=0, does=Does.MAY_CLOSE)
    assert heard(may) == ""
    die = (Roll("result of fire", "Fire results 1", (4,)),)
    assert heard(may, rolls=die) == "The Mahdist spear rub (2) may close in the next turn."


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("initiative", "Both sides throw for the initiative of the next turn."),
        ("reconnaissance", "The scouts make out nothing more."),
    ],
)
def test_throws_that_came_to_nothing(reason: str, said: str) -> None:
    tale = Tale(battle(unit(1, "british", "infantry", (50, 60))))
    tale.note((Roll(reason, "Sequence 1", (3,)),))
    assert [sentence.text for sentence in tale.tell()] == [said]


@cache
def told(slug: str) -> tuple[Sentence, ...]:
    """Return all that is said of a battle by the commanders; every throw is cited once."""
    brief = written(slug).brief
    dice = ChainedDice(derive_key(b"english", slug))
    shown = engine.drawn_up(brief)
    tale = Tale(shown)
    state, opening = engine.new_game(brief, dice)
    outcomes = [
        opening,
        *(move.outcome for move in moves(registry.book("fuzzy-wuzzy").engine, state, dice)),
    ]
    thrown = 0
    for outcome in outcomes:
        thrown += len(outcome.rolls)
        for event in outcome.events:
            tale.hear(event, [outcome.rolls[number] for number in event.rolls])
            engine.fold(shown, (event,))
    said = tuple(tale.tell())
    assert sum(len(sentence.rolls) for sentence in said) == thrown
    return said


@pytest.mark.parametrize("slug", ["abu-kru", "kirbekan", "first-el-teb"])
def test_a_whole_battle_is_told_with_every_die(slug: str) -> None:
    said = told(slug)
    assert said[-1].weight == HEADLINE
    assert all(sentence.text.endswith(".") and sentence.text[0].isupper() for sentence in said)
    assert not any("number " in sentence.text for sentence in said)


def test_every_kind_of_event_is_told_or_silent_for_a_reason() -> None:
    heard_of = set(Tale.hears)
    assert heard_of | SILENT == set(get_args(e.AnyEvent))
    assert not heard_of & SILENT


def test_a_move_begins_with_its_event() -> None:
    assert begins_turn(e.TurnBegan(turn=3, first=EGYPTIAN)) == 3
    assert begins_turn(e.PhaseBegan(phase="orders")) is None


def test_what_units_are_called() -> None:
    line = unit(1, "british", "infantry", (50, 60), name="Sussex", markers=(1, 1, 0, 0))
    assert unit_name(line) == "the Sussex (1)"
    assert in_words(line) == (
        "Sussex: British infantry, line facing north, 4 of 4 stands, 2 casualties"
    )
    assert bare(spears(2, (50, 20))) == "Mahdist spear rub"
    camels = unit(3, "british", "cavalry", (50, 60), camels=True, dismounted=True)
    assert describe_unit(camels) == "dismounted British camel corps"
    assert [wind(facing) for facing in (0, 44, 100, 350)] == [
        "north",
        "north-east",
        "east",
        "north",
    ]


def test_the_roll_has_everybody() -> None:
    state = engine.drawn_up(written("tamai").brief)
    lines = muster_roll(state)
    assert [line.number for line in lines] == sorted(state.units)
    state.lost.append(state.units.pop(1))
    state.left.append(state.units.pop(2))
    fates = {line.number: (line.fate, line.left) for line in muster_roll(state)}
    assert fates[1] == ("destroyed", 0)
    assert fates[2][0] == "left the field"


def test_the_play_sheet_names_tables_and_columns_that_are_there() -> None:
    pages = {name: table_page(table) for name, table in book().tables.items()}
    shown = [extract for section in BOOK.pages.play_sheet() for extract in section.tables]
    assert {extract.name for extract in shown} >= {"rates", "fire", "results", "troops"}
    for extract in shown:
        assert set(extract.columns) <= set(pages[extract.name].columns)
