"""Documents: equal values equal bytes, readable again, upgraded step by step, refused clearly."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from battles.contract.brief import Nation, Quality, TroopKind
from battles.core.decoding import DocumentError, decode, digest, encode, upgrade
from campaign.rules import new_game
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core.pieces import Month, UnitId
from campaign.rules.core.questions import CombatRound
from campaign.rules.core.state import DueUnits, State, Unit
from campaign.rules.map import HexId
from tests.positions import RELIEF, SIEGE, besieged_khartoum

IDS = st.integers(1, 5000).map(UnitId)
HEXES = st.integers(0, 6163).map(HexId)
UNITS = st.builds(
    Unit,
    IDS,
    st.sampled_from(TroopKind),
    st.sampled_from(Nation),
    st.sampled_from(Quality),
    st.integers(0, 9),
    HEXES,
    st.booleans(),
    name=st.text(max_size=20),
    origin=st.text(max_size=20),
)
MANY = st.lists(IDS, max_size=6).map(tuple)
ACTIONS = st.one_of(
    st.builds(a.Deploy, MANY, HEXES),
    st.builds(a.Place, st.integers(0, 9), HEXES, MANY),
    st.builds(a.March, MANY, IDS),
    st.builds(a.Sail, MANY, st.lists(HEXES, max_size=6).map(tuple)),
    st.builds(a.Share, MANY, MANY),
    st.builds(a.Lead, IDS, st.sampled_from([None, *CombatRound])),
    st.builds(a.Done),
    st.builds(a.Choose, HEXES),
)
EVENTS = st.one_of(
    st.builds(e.Arrived, st.lists(UNITS, max_size=4).map(tuple), st.text(max_size=12)),
    st.builds(e.Removed, MANY, st.text(max_size=12)),
    st.builds(
        e.Waited,
        st.builds(
            DueUnits,
            st.integers(22000, 23000).map(Month),
            st.text(max_size=12),
            st.lists(HEXES, max_size=3).map(tuple),
            st.lists(UNITS, max_size=3).map(tuple),
        ),
    ),
    st.builds(e.Moved, st.lists(HEXES, max_size=4).map(tuple), st.integers(0, 20)),
)


@pytest.mark.parametrize("state", [new_game(SIEGE), new_game(RELIEF), besieged_khartoum()])
def test_a_state_read_back_has_the_same_bytes(state: State) -> None:
    data = encode(state)
    assert encode(decode(data, State)) == data
    assert decode(data, State) == state


@given(st.lists(UNITS, max_size=30))
def test_any_units_come_back_as_they_were(units: list[Unit]) -> None:
    state = besieged_khartoum()
    state.units = {unit.id: unit for unit in units}
    data = encode(state)
    assert decode(data, State).units == state.units
    assert encode(decode(data, State)) == data


@given(ACTIONS)
def test_an_action_comes_back_as_it_was(action: a.AnyAction) -> None:
    assert decode(encode(action), a.AnyAction) == action  # type: ignore[arg-type]


@given(st.lists(EVENTS, max_size=5))
def test_events_come_back_as_they_were(events: list[e.AnyEvent]) -> None:
    assert decode(encode(events), list[e.AnyEvent]) == events


def test_a_document_that_is_none_is_refused_with_a_reason() -> None:
    for data in (b"", b"{", b"\xff\xfe", b"[1, 2]", b"{}"):
        with pytest.raises(DocumentError, match="not a readable State"):
            decode(data, State)


def test_a_damaged_field_is_named() -> None:
    fields = msgspec.json.decode(encode(besieged_khartoum()))
    fields["month"] = "soon"
    with pytest.raises(DocumentError, match="month"):
        decode(encode(fields), State)


def test_an_action_of_no_known_kind_is_refused() -> None:
    with pytest.raises(DocumentError, match="Fly"):
        decode(b'{"type": "Fly"}', a.AnyAction)  # type: ignore[arg-type]


def test_a_digest_tells_documents_apart() -> None:
    one, other = encode(new_game(SIEGE)), encode(new_game(RELIEF))
    assert digest(one) == digest(bytes(one))
    assert digest(one) != digest(other)
    assert len(digest(one)) == 64


def test_an_old_document_is_brought_up_step_by_step() -> None:
    old = encode({"version": 1, "name": "Khartoum"})
    steps = {
        1: lambda fields: fields | {"title": fields["name"]},
        2: lambda fields: {key: fields[key] for key in fields if key != "name"},
    }
    assert msgspec.json.decode(upgrade(old, 3, steps)) == {"version": 3, "title": "Khartoum"}


def test_a_document_of_this_version_is_left_alone() -> None:
    data = encode({"version": 3, "b": 1, "a": 2})
    assert upgrade(data, 3, {}) == data


def test_a_document_nobody_can_read_any_more_says_so() -> None:
    with pytest.raises(DocumentError, match="version 1 cannot be read any more"):
        upgrade(encode({"version": 1}), 3, {})


def test_a_document_from_a_newer_program_says_so() -> None:
    with pytest.raises(DocumentError, match="version 9 is newer"):
        upgrade(encode({"version": 9}), 3, {})


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"version": "old"}', b"\xff"])
def test_a_document_without_a_version_is_refused(data: bytes) -> None:
    with pytest.raises(DocumentError, match="not a state document"):
        upgrade(data, 3, {})
