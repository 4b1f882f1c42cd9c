"""The papers: what is counted of a month, and how it is told to each side and to the public."""

from collections.abc import Sequence

import pytest

from battles.contract.brief import Side
from campaign.gazette.facts import Facts, gather_facts
from campaign.gazette.issue import Gazette, gazette
from campaign.gazette.newspapers import NEWSPAPERS
from campaign.rules import sight
from campaign.rules.core import events as e
from campaign.rules.core.board import board
from campaign.rules.core.pieces import Month, UnitId, month_from_text
from campaign.rules.core.state import Phase, State
from campaign.rules.map import HexId, sudan
from campaign.rules.prose.phase_report import NEWS, ROUTINE, DespatchSentence, Topic
from campaign.rules.sight import Onlooker, Viewer
from tests.positions import besieged_khartoum, position

EGYPTIAN, MAHDIST = Side.EGYPTIAN, Side.MAHDIST
READERS: tuple[Viewer, ...] = (EGYPTIAN, MAHDIST, Onlooker.PUBLIC)
WHEN = month_from_text("1884-05")
TOLLS = {
    EGYPTIAN: "We lost a battalion; the enemy lost two bands of spearmen.",
    MAHDIST: "We lost two bands of spearmen; the enemy lost a battalion.",
    Onlooker.PUBLIC: (
        "The Egyptian side lost a battalion and the Mahdist side lost two bands of spearmen."
    ),
}


def units_in(state: State, hex_id: HexId, side: Side) -> tuple[UnitId, ...]:
    return tuple(unit.id for unit in board(state).stack(side, hex_id))


def an_assault(state: State) -> list[e.AnyEvent]:
    """Return the Mahdi's men assault Khartoum, lose two bands, and cost the garrison a
    battalion.
    """
    town, camp = sudan().place("Khartoum").hex, HexId(2143)
    inside, outside = units_in(state, town, EGYPTIAN), units_in(state, camp, MAHDIST)
    bands = [n for n in outside if state.units[n].kind == "spears"][:2]
    battalion = next(n for n in inside if state.units[n].kind == "infantry")
    return [
        e.CombatBegan(camp, town, outside, inside, MAHDIST),
        e.Removed(tuple(bands), "combat"),
        e.Removed((battalion,), "combat"),
        e.CombatEnded(EGYPTIAN, camp, town),
    ]


def counted(state: State, events: Sequence[e.AnyEvent], *readers: sight.SideKnowledge) -> Facts:
    return gather_facts(state, [events], readers)


def sentence(text: str, kind: Topic, weight: int = ROUTINE) -> DespatchSentence:
    where = (None, None, weight, WHEN, EGYPTIAN, Phase.MARCH)
    return DespatchSentence(text, kind, (), *where, prose=text)


def number(whose: Viewer, facts: Facts, *sentences: DespatchSentence) -> Gazette:
    return gazette(NEWSPAPERS[whose], 4, facts, sentences)


def whole(paper: Gazette) -> str:
    paragraphs = [words for article in paper.articles for words in article.paragraphs]
    return " ".join((*paper.leader, *paragraphs))


def test_a_fight_is_counted_with_its_losses_and_its_winner() -> None:
    state = besieged_khartoum()
    (fight,) = counted(state, an_assault(state)).fights
    assert (fight.hex, fight.attacker, fight.winner) == (
        sudan().place("Khartoum").hex,
        MAHDIST,
        EGYPTIAN,
    )
    assert fight.lost == {MAHDIST: 2, EGYPTIAN: 1}


def test_losses_are_kept_by_cause_and_supply_used_up_is_none() -> None:
    state = position("Khartoum: 3 infantry egyptian, 2 supply")
    numbers = [unit.id for unit in board(state).units]
    facts = counted(
        state, [e.Removed(tuple(numbers[:2]), "attrition"), e.Removed((numbers[3],), "used")]
    )
    assert facts.losses[EGYPTIAN] == {"by hardship": 2}
    assert facts.lost(EGYPTIAN) == 2


def test_rails_wrecks_and_arrivals_are_counted() -> None:
    state = position("Khartoum: 2 gunboats egyptian")
    boat = board(state).units[0]
    new = boat.as_new_counter(UnitId(900), boat.hex)
    events: list[e.AnyEvent] = [
        e.RailBuilt("souakim", 3),
        e.RailLost("souakim", 1),
        e.Wrecked((boat.id,), boat.hex),
        e.Arrived((new,), "reinforcement"),
    ]
    facts = counted(state, events)
    assert (facts.laid, facts.lifted, facts.wrecked[EGYPTIAN], facts.came[EGYPTIAN]) == (3, 1, 1, 1)


def test_a_siege_that_begins_and_one_that_ends_are_told_apart() -> None:
    town = sudan().place("Khartoum").hex
    state = besieged_khartoum()
    away = [unit.id for unit in board(state).units if unit.side is MAHDIST]
    left = counted(state, [e.SailedAway(tuple(away), HexId(641))])
    assert (left.begun, left.raised) == ((), (town,))
    back = counted(state, [e.SailedAway(tuple(away), HexId(2143))])
    assert (back.begun, back.raised) == ((town,), ())


def test_readers_hear_only_what_all_of_them_know() -> None:
    state = position("Khartoum: 3 infantry egyptian", "El Obeid: 5 spears")
    hidden = tuple(unit.id for unit in board(state).units if unit.side is MAHDIST)
    gone = [e.Removed(hidden[:2], "attrition")]
    assert counted(besieged_khartoum(), []).lost(MAHDIST) == 0
    theirs = sight.initial_knowledge(state, MAHDIST)
    ours = sight.initial_knowledge(state, EGYPTIAN)
    assert counted(state, gone, ours, theirs).lost(MAHDIST) == 0
    assert counted(state, [e.Removed(hidden[2:], "attrition")], theirs).lost(MAHDIST) == 3


@pytest.mark.parametrize("whose", READERS)
def test_a_quiet_month_is_called_quiet(whose: Viewer) -> None:
    paper = number(whose, counted(position("Khartoum: infantry egyptian"), []))
    assert paper.leader[0] in NEWSPAPERS[whose].quiet
    assert [line.total for line in paper.losses] == [0, 0]


@pytest.mark.parametrize("whose", READERS)
def test_each_paper_tells_of_the_assault_in_its_own_voice(whose: Viewer) -> None:
    state = besieged_khartoum()
    told = whole(number(whose, counted(state, an_assault(state))))
    assert told.startswith(NEWSPAPERS[whose].busy)
    assert "KHARTOUM, 7th May." in told
    assert TOLLS[whose] in told
    others = [NEWSPAPERS[one] for one in READERS if one is not whose]
    assert not any(told.startswith(other.busy) for other in others)


def test_a_side_hears_whether_it_went_in_its_favour() -> None:
    state = besieged_khartoum()
    facts = counted(state, an_assault(state))
    assert "It went in our favour." in number(EGYPTIAN, facts).leader[0]
    assert "It went against us." in number(MAHDIST, facts).leader[0]
    assert "our favour" not in whole(number(Onlooker.PUBLIC, facts))


def test_despatches_stand_under_their_headings_news_first() -> None:
    paper = number(
        EGYPTIAN,
        counted(position("Khartoum: infantry egyptian"), []),
        sentence("A battalion has gone to Berber.", Topic.MARCH),
        sentence("General Graham has landed.", Topic.ARRIVAL, NEWS),
        sentence("Scouts report a host of the enemy.", Topic.SIGHTING, NEWS),
    )
    assert [(one.heading, one.paragraphs) for one in paper.articles] == [
        ("Movements of troops", ("General Graham has landed.", "A battalion has gone to Berber.")),
        ("Intelligence", ("Scouts report a host of the enemy.",)),
    ]


def test_what_a_column_does_not_hold_is_counted() -> None:
    routine = [sentence(f"Report number {n}.", Topic.MARCH) for n in range(9)]
    paper = number(EGYPTIAN, counted(position("Khartoum: infantry egyptian"), []), *routine)
    (article,) = paper.articles
    assert len(article.paragraphs) == 7
    assert article.paragraphs[-1] == "Three further reports under this head came in."


def test_the_public_has_no_column_for_what_scouts_report() -> None:
    paper = number(
        Onlooker.PUBLIC,
        counted(position("Khartoum: infantry egyptian"), []),
        sentence("Scouts report a host of the enemy.", Topic.SIGHTING, NEWS),
    )
    assert paper.articles == ()


def test_the_same_month_is_always_told_in_the_same_words() -> None:
    one, other = besieged_khartoum(), besieged_khartoum()
    papers = [number(EGYPTIAN, counted(state, an_assault(state))) for state in (one, other)]
    assert papers[0] == papers[1]


def test_a_paper_bears_its_number_and_its_month() -> None:
    paper = number(MAHDIST, counted(position("Khartoum: infantry egyptian"), []))
    assert (paper.number, paper.date, paper.month) == (4, "May 1884", Month(WHEN))


@pytest.mark.parametrize(
    ("text", "printed_as"),
    [
        (
            "A band of spearmen marches from one hex N of Duem to one hex NW of Duem.",
            "A band of spearmen marches from one camp to another near Duem.",
        ),
        (
            "They fall in to march five hexes SE of El Obeid, and one falls out.",
            "They fall in to march in the country south-east of El Obeid, and one falls out.",
        ),
        (
            "The last two hexes of the railway from Souakim are torn up.",
            "The last two stages of the railway from Souakim are torn up.",
        ),
    ],
)
def test_a_paper_has_no_hexes(text: str, printed_as: str) -> None:
    paper = number(
        EGYPTIAN, counted(position("Khartoum: gun egyptian"), []), sentence(text, Topic.MARCH)
    )
    assert printed_as in whole(paper)


def test_a_paper_reports_the_end_without_its_clause() -> None:
    text = "The Mahdists win the campaign. A stack with a British leader is wiped out (4.2)."
    paper = whole(
        number(
            Onlooker.PUBLIC,
            counted(position("Khartoum: gun egyptian"), []),
            sentence(text, Topic.VICTORY, 3),
        )
    )
    assert "The Mahdists win the campaign." in paper
    assert "British leader" not in paper
