"""Every paper of seeded campaigns: what it must name, and what it must never print."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache, partial

import pytest

from battles.contract.brief import Side
from battles.core.decoding import decode, encode
from battles.core.dice import ChainedDice, derive_key
from campaign.gazette.facts import CombatFact, Facts, gather_facts
from campaign.gazette.issue import Gazette, gazette
from campaign.gazette.newspapers import NEWSPAPERS
from campaign.rules import new_game, play, sight
from campaign.rules.case_positions import units_of
from campaign.rules.core import events as e
from campaign.rules.core.board import board
from campaign.rules.core.pieces import month_from_text
from campaign.rules.core.state import State
from campaign.rules.map import sudan
from campaign.rules.prose.despatches import Entry, chronicle
from campaign.rules.prose.names import about_hex, near_hex
from campaign.rules.prose.phase_report import DespatchSentence, Topic
from campaign.rules.sight import Onlooker, Viewer
from campaign.staff import answer
from tests.positions import position

EGYPTIAN, MAHDIST = Side.EGYPTIAN, Side.MAHDIST
READERS: tuple[Viewer, ...] = (EGYPTIAN, MAHDIST, Onlooker.PUBLIC)
CAMPAIGNS = [("siege-of-khartoum", 1), ("siege-of-khartoum", 2), ("relief-of-el-obeid", 3)]
MONTHS = 4

each_paper = pytest.mark.parametrize("whose", READERS)
each_campaign = pytest.mark.parametrize("played", CAMPAIGNS, ids=lambda one: f"{one[0]}-{one[1]}")


@cache
def months(slug: str, seed: int) -> tuple[tuple[bytes, tuple[Entry, ...]], ...]:
    """Return the first months by the staff of both sides: how each began, and what was played in
    it.
    """
    state, dice = new_game(slug), ChainedDice(derive_key(b"the papers", slug, seed))
    found: list[tuple[bytes, tuple[Entry, ...]]] = []
    began, entries = encode(state), list[Entry]()
    while state.question is not None and len(found) < MONTHS:
        month, outcome = state.month, play(state, answer(state), dice)
        over = (place for place, one in enumerate(outcome.events) if isinstance(one, e.MonthBegan))
        end = next(over, len(outcome.events))
        entries.append((outcome.events[:end], outcome.rolls))
        if state.month != month:
            found.append((began, tuple(entries)))
            began, entries = encode(state), []
    return tuple(found)


def papers(
    campaign: tuple[str, int], whose: Viewer, *, open_to_all: bool = False
) -> Iterator[tuple[Facts, Gazette]]:
    for began, entries in months(*campaign):
        readers = partial(_readers, began, () if open_to_all else whose)
        facts = gather_facts(decode(began, State), [events for events, _ in entries], readers())
        told = list(chronicle(decode(began, State), entries, readers()))
        yield facts, gazette(NEWSPAPERS[whose], 1, facts, told)


def _readers(began: bytes, whose: Viewer | tuple[()]) -> tuple[sight.SideKnowledge, ...]:
    sides = whose if whose == () else (whose,) if isinstance(whose, Side) else tuple(Side)
    return tuple(sight.initial_knowledge(decode(began, State), side) for side in sides)


def printed(paper: Gazette) -> list[str]:
    return [*paper.leader, *(text for one in paper.articles for text in one.paragraphs)]


@each_paper
@each_campaign
def test_every_fight_with_losses_is_named_and_the_greatest_first(
    played: tuple[str, int], whose: Viewer
) -> None:
    fights = 0
    for facts, paper in papers(played, whose):
        for fight in facts.fights:
            assert about_hex(fight.hex) in paper.leader[0]
        costly = [fight for fight in facts.fights if fight.fallen]
        telegrams = [text for text in printed(paper) if text.startswith(_datelines(costly))]
        assert len(telegrams) >= len({fight.hex for fight in costly})
        fights += len(costly)
    assert fights


def _datelines(fights: list[CombatFact]) -> tuple[str, ...]:
    return tuple(near_hex(fight.hex).removeprefix("the country ").upper() for fight in fights)


@each_campaign
def test_dates_follow_the_events_and_are_the_same_for_every_reader(played: tuple[str, int]) -> None:
    for began, entries in months(*played):
        known = [_readers(began, whose) for whose in ((), *READERS)]
        umpire, *others = (list(chronicle(decode(began, State), entries, one)) for one in known)
        for told in (umpire, *others):
            dated = (re.search(r"(\d+)[a-z]{2} \w+\.$", one.opening) for one in told)
            days = [int(found[1]) for found in dated if found]
            assert days == sorted(days)
            assert days
            assert _fights(told) <= _fights(umpire)


def _fights(told: list[DespatchSentence]) -> set[str]:
    return {one.opening for one in told if one.kind is Topic.COMBAT}


@each_paper
@each_campaign
def test_a_paper_mourns_its_own_losses_only(played: tuple[str, int], whose: Viewer) -> None:
    edition = NEWSPAPERS[whose]
    for facts, paper in papers(played, whose):
        mourners = list(Side) if edition.side is None else [edition.side]
        mourns = any(text in edition.mourning for text in paper.leader)
        assert mourns is all(facts.men_lost[side] for side in mourners)


@each_paper
@each_campaign
def test_a_paper_prints_no_rule_no_modifier_and_no_empty_name(
    played: tuple[str, int], whose: Viewer
) -> None:
    broken = re.compile(
        r"[+\N{MINUS SIGN}-]\d|1D\d|this turn|event:|out of supply|\(\d+\.\d+\)|\bhex"  # rules
        r"|  |\s[.,;:]|[:,;]\s*\.|\(\)|^[^A-Z]|\b(at|near|from|to|by|of|with|and)[.,;]"  # gaps
    )
    for _, paper in papers(played, whose):
        for text in printed(paper):
            assert not broken.search(text), text


@pytest.mark.parametrize("whose", [EGYPTIAN, MAHDIST])
@each_campaign
def test_a_side_does_not_call_its_own_men_what_the_enemy_calls_them(
    played: tuple[str, int], whose: Side
) -> None:
    theirs = {EGYPTIAN: "the Egyptian side", MAHDIST: "Mahdist"}[whose]
    for open_to_all in (False, True):
        for _, paper in papers(played, whose, open_to_all=open_to_all):
            assert theirs not in " ".join(printed(paper))


@each_paper
@each_campaign
def test_attacks_that_all_ended_alike_are_told_as_one(
    played: tuple[str, int], whose: Viewer
) -> None:
    for _, paper in papers(played, whose):
        for text in printed(paper):
            assert not re.search(r"twice\. Two |three times\. Three ", text), text


def month_of(*fights: CombatFact) -> Facts:
    facts = Facts(month_from_text("1884-05"), list(fights), {side: Counter() for side in Side})
    for fight in fights:
        for side, many in fight.lost.items():
            facts.losses[side]["in battle"] += many
            facts.men_lost[side] += many
    return facts


def fight(place: str, winner: Side | None, egyptian: int = 0, mahdist: int = 0) -> CombatFact:
    here = sudan().place(place).hex
    fallen = units_of(f"{egyptian} infantry egyptian, {mahdist} spears", here, 1)
    return CombatFact(here, MAHDIST, winner, list(fallen))


def leader_of(whose: Viewer, facts: Facts) -> str:
    return " ".join(gazette(NEWSPAPERS[whose], 1, facts, []).leader)


def test_five_fights_at_five_places_are_all_named_the_fall_of_a_town_first() -> None:
    places = ("Khartoum", "Omdurman", "Tamai", "Otao", "Berber")
    facts = month_of(*(fight(name, None, egyptian=1) for name in places))
    facts.taken[sudan().place("Berber").hex] = [MAHDIST]
    told = leader_of(EGYPTIAN, facts)
    assert "Five engagements took place: at Berber, " in told
    assert all(f"at {name}" in told for name in places)


def test_a_fight_won_with_the_greater_loss_is_told_as_such() -> None:
    dear = leader_of(EGYPTIAN, month_of(fight("Tamai", EGYPTIAN, egyptian=3, mahdist=1)))
    assert "It went in our favour, though with the greater loss." in dear
    cheap = leader_of(EGYPTIAN, month_of(fight("Tamai", EGYPTIAN, mahdist=1)))
    assert "It went in our favour. " in cheap


def test_two_failures_of_two_are_both() -> None:
    facts = month_of(fight("Tamai", EGYPTIAN, mahdist=1), fight("Tamai", EGYPTIAN, mahdist=1))
    paper = gazette(NEWSPAPERS[EGYPTIAN], 1, facts, [])
    assert (
        "twice. Both failed. We lost nobody; the enemy lost two bands of spearmen."
        in paper.articles[0].paragraphs[0]
    )
    assert "Both went in our favour." in paper.leader[0]


def test_whoever_alone_is_destroyed_has_lost() -> None:
    state = position("Tamai: infantry egyptian", "Otao: 5 spears")
    (alone,), bands = (
        tuple(unit.id for unit in board(state).units if unit.side is side) for side in Side
    )
    camp, place = sudan().place("Otao").hex, sudan().place("Tamai").hex
    events: list[e.AnyEvent] = [
        e.CombatBegan(camp, place, bands, (alone,), MAHDIST),
        e.Removed((alone,), "combat"),
        e.CombatEnded(None, camp, place),
    ]
    assert [fight.winner for fight in gather_facts(state, [events]).fights] == [MAHDIST]
