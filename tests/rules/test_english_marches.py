"""Marches in the month's despatches: who goes, who comes, who is left or lost on the way."""

import re

from battles.contract.brief import Side
from battles.core.decoding import encode
from campaign.rules.core import actions as a
from campaign.rules.core.questions import ToDisrupt
from campaign.rules.core.state import Phase
from campaign.rules.map import HexId
from campaign.rules.prose.despatches import sentences
from campaign.rules.prose.marches import StackMarchReport
from campaign.rules.prose.phase_report import NEWS, ROUTINE, SentenceDraft, Topic, moment
from tests.positions import hex_of, position
from tests.rules.helpers import go, ids, march, one, play
from tests.rules.telling import copy, only, told


def test_who_is_shipped_by_the_fleet_goes_by_sea() -> None:
    state = position("Souakim: 2 infantry egyptian, fleet", month="1884-12")
    before = copy(state)
    outcomes = march(state, "Souakim"), go(state, "Trinkitat"), play(state, a.Halt())
    assert "by sea" in only(told(before, *outcomes)).text


def test_a_march_over_several_entries_is_one_sentence_with_all_its_dice() -> None:
    state = position("Souakim: 2 infantry egyptian, gun egyptian")
    before = copy(state)
    parts = [march(state, "Souakim", dice=[6]), go(state, "Handub"), play(state, a.Halt())]
    sentence = only(told(before, *parts))
    assert re.match(r"Two Egyptian battalions and a gun (\w+ )+(from )?Souakim", sentence.text)
    assert sentence.text.endswith(" to Handub.")
    assert (sentence.kind, sentence.weight, sentence.side) == (Topic.MARCH, ROUTINE, Side.EGYPTIAN)
    assert sentence.hex == hex_of("Handub")
    assert [roll.table for roll in sentence.rolls] == ["march:egyptian"]
    assert (sentence.month, sentence.turn, sentence.phase) == (
        state.month,
        Side.EGYPTIAN,
        Phase.MARCH,
    )


def test_each_entry_alone_tells_its_part_of_a_march() -> None:
    state = position("Souakim: 2 infantry egyptian")
    before = copy(state)
    for outcome, count in (
        (march(state, "Souakim"), 0),
        (go(state, "Handub"), 1),
        (play(state, a.Halt()), 0),
    ):
        assert len(list(sentences(before, outcome.events, outcome.rolls))) == count
    assert encode(before) == encode(state)


def test_a_large_column_is_news_under_the_name_of_the_place_it_has_come_to() -> None:
    state = position("Souakim: Graham, 6 infantry egyptian")
    before = copy(state)
    parts = [march(state, "Souakim"), go(state, "Handub"), play(state, a.Halt())]
    sentence = only(told(before, *parts))
    assert sentence.weight == NEWS
    assert sentence.text.startswith(
        "HANDUB, 6th May. General Graham, with six Egyptian battalions, "
    )
    assert sentence.text.endswith(" from Souakim.")


def test_stacks_that_would_not_march_share_one_sentence() -> None:
    state = position("Dongola: spears egyptian", "Korti: spears egyptian")
    before = copy(state)
    parts = [march(state, "Dongola", dice=[1]), march(state, "Korti", dice=[1])]
    sentence = only(told(before, *parts))
    assert sentence.text.endswith(" at Dongola and Korti.")
    assert len(sentence.rolls) == 2


def test_those_who_fall_out_are_told_with_the_march() -> None:
    state = position("Souakim: 4 infantry egyptian")
    before = copy(state)
    parts = [march(state, "Souakim", dice=[5])]
    parts.append(play(state, a.Pick(ids(state, "Souakim")[:1])))
    parts += [go(state, "Handub"), play(state, a.Halt())]
    assert only(told(before, *parts)).text.endswith(", one of them falling out on the way.")


def _march_of_two_legs(stack: str) -> str:
    """Return the despatches of a stack that loses a unit as its second march begins."""
    state = position(f"Souakim: {stack}")
    before = copy(state)
    parts = [
        march(state, "Souakim", dice=[6]),
        go(state, "Handub"),
        march(state, "Handub", dice=[5]),
    ]
    if isinstance(state.question, ToDisrupt):
        parts.append(play(state, a.Pick(ids(state, "Handub")[:1])))
    return "\n".join(one.text for one in told(before, *parts))


def test_8_31_a_lone_unit_that_was_lost_on_the_march_is_not_told_to_have_come() -> None:
    assert _march_of_two_legs("infantry egyptian disrupted") == (
        "An Egyptian battalion sets out from Souakim and is lost on the march at Handub."
    )


def test_8_31_those_who_come_are_told_apart_from_those_who_were_lost() -> None:
    text = _march_of_two_legs("3 infantry egyptian disrupted, gun egyptian")
    assert "having lost a battalion on the way" in text
    assert text.startswith("Two Egyptian battalions and a gun ")


def test_those_who_fall_out_before_a_march_are_not_told_to_have_marched() -> None:
    state = position("Souakim: 4 infantry egyptian")
    before = copy(state)
    parts = [march(state, "Souakim", dice=[5])]
    parts += [play(state, a.Pick(ids(state, "Souakim")[:1])), play(state, a.Halt())]
    assert only(told(before, *parts)).text == (
        "As four Egyptian battalions fall in to march at Souakim, one of them falls out."
    )


def test_boats_left_on_the_way_are_not_called_some_of_the_battalions() -> None:
    state = position("Khartoum: 4 infantry egyptian, 2 gunboats")
    hulls = [state.units[one] for one in ids(state, "Khartoum", "2 gunboats")]
    draft = SentenceDraft(Topic.MARCH, moment(state))
    journey = StackMarchReport(draft, state.units.values(), hex_of("Khartoum"))
    journey.go("by river", HexId(2042), ())
    journey.leave(hulls)
    journey.write(draft)
    assert ", leaving two gunboats " in draft.finished().text


def test_a_leader_left_on_the_way_is_not_said_to_arrive() -> None:
    state = position("Souakim: 4 infantry british, Graham, Baker")
    before = copy(state)
    parts = [march(state, "Souakim"), go(state, "Handub")]
    parts += [play(state, a.DropOff((one(state, "Handub", "Graham"),)))]
    parts += [go(state, "Otao"), play(state, a.Halt())]
    text = only(told(before, *parts)).text
    assert "Baker Pasha, with four British battalions, marches in from Souakim" in text
    assert "General Graham and" not in text
    assert text.endswith(", leaving General Graham at Handub.")


def test_8_23_a_wrecked_gunboat_is_not_said_to_arrive() -> None:
    state = position("1722: 3 gunboats egyptian", month="1884-09")
    before, sail = copy(state), a.Sail(ids(state, "1722"), (HexId(1723),))
    passage, wreck = told(before, play(state, sail, [6, 1, 1, 2, 3]), play(state, a.Halt()))
    assert passage.text.startswith("Two gunboats ")
    assert "A gunboat is wrecked" in wreck.text


def test_units_left_behind_are_told_with_the_march() -> None:
    state = position("Souakim: 4 infantry egyptian")
    before = copy(state)
    parts = [march(state, "Souakim"), play(state, a.DropOff(ids(state, "Souakim")[:2]))]
    parts += [go(state, "Handub"), play(state, a.Halt())]
    assert only(told(before, *parts)).text.endswith(", leaving two of them behind.")
