"""In a fog of war the staff answers from what its side may know, and from nothing else."""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import msgspec
import pytest

from battles.contract.brief import Side
from battles.core.decoding import decode, encode
from battles.core.dice import ChainedDice, derive_key
from campaign import staff
from campaign.odds import forecast
from campaign.orders import headquarters
from campaign.orders.headquarters import known_from_now, proposal, staff_answer
from campaign.orders.standing_instructions import is_lawful
from campaign.rules import new_game, play
from campaign.rules.core import actions as a
from campaign.rules.core.board import board, chart, forget, is_land
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import Phase, State, Unit
from campaign.rules.map import HexId
from campaign.rules.sight import SideKnowledge, View, learn, observe, visible_campaign, watch
from campaign.services.journal import creation
from campaign.services.turns import advance
from campaign.staff import levels
from campaign.staff.levels import Level, StaffMonth, plans_for
from campaign.staff.plans import Plans

KEY = b"test"
SLUGS = ("siege-of-khartoum", "relief-of-el-obeid")


def in_the_fog(slug: str, answers: int) -> Iterator[tuple[State, SideKnowledge]]:
    """Play by the staff in the fog; yield each question's state, and what the side asked knows."""
    state, dice = new_game(slug), ChainedDice(derive_key(b"fog", slug))
    known = known_from_now(state)
    for _ in range(answers):
        if state.question is None:
            return
        yield state, known[state.question.side]
        for event in play(state, staff_answer(state, known, KEY), dice).events:
            for one in known.values():
                learn(one, state, event)


def otherwise_hidden(state: State, side: Side) -> State:
    """Return the campaign with all that the side cannot see changed."""
    copy = decode(encode(state), State)
    seeing = watch(state, side)
    asked = encode(state.question)
    hidden = [
        unit
        for unit in board(copy).units
        if unit.side is not side
        and unit.hex not in seeing.seen
        and f"{unit.id}".encode() not in asked
    ]
    away = [
        hex_id
        for hex_id, field in chart(state).hexes.items()
        if not field.sea and not field.closed and hex_id not in seeing.seen
    ]
    for number, unit in enumerate(hidden):
        if number % 3:
            unit.disrupted = not unit.disrupted
            unit.hex = HexId(away[(unit.id * 37) % len(away)])
        else:
            del copy.units[unit.id]
    for number, unit in enumerate(hidden[:20]):
        fresh = UnitId(copy.next_unit + number)
        copy.units[fresh] = msgspec.structs.replace(unit, id=fresh, hex=away[number * 11])
    copy.next_unit += 25
    copy.due = [due for due in copy.due if all(unit.side is side for unit in due.units)]
    copy.in_force = [effect for effect in copy.in_force if effect.side is side]
    copy.agenda = copy.agenda[:1]
    if side is Side.EGYPTIAN:
        copy.pool, copy.box = {}, {}
    for place in list(copy.control):
        if place not in seeing.seen and copy.control[place] is not side:
            copy.control[place] = side.enemy
    forget(copy)
    return copy


def same_knowledge(known: SideKnowledge) -> SideKnowledge:
    return decode(encode(known), SideKnowledge)


@pytest.mark.parametrize("slug", SLUGS)
def test_all_that_is_hidden_may_be_otherwise_and_the_decision_is_the_same(slug: str) -> None:
    compared = 0
    for state, known in in_the_fog(slug, 400):
        other = otherwise_hidden(state, known.side)
        one, two = same_knowledge(known), same_knowledge(known)
        assert encode(visible_campaign(state, known.side, one)) == encode(
            visible_campaign(other, known.side, two)
        )
        assert proposal(state, one, KEY) == proposal(other, two, KEY)
        compared += encode(state.units) != encode(other.units)
    assert compared > 100


@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize("slug", SLUGS)
def test_the_plan_of_a_level_is_the_same_whatever_is_hidden(
    slug: str, level: Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Every plan of the portfolio is played out once, for a month: more of it takes half a minute.
    monkeypatch.setattr(levels, "PLAYOUTS", 5)
    monkeypatch.setattr(levels, "MONTHS", 1)
    compared, asked = 0, set()
    for state, known in in_the_fog(slug, 500):
        occasion = StaffMonth(known.side, KEY, state.month)
        if occasion in asked or state.phase is Phase.SET_UP:
            continue
        asked.add(occasion)
        other = otherwise_hidden(state, known.side)
        if encode(state.units) == encode(other.units):
            continue
        views = [
            visible_campaign(true, known.side, observed(true, known)) for true in (state, other)
        ]
        plans = [
            plans_for(level, occasion, true, partial(drawn_from, view))
            for true, view in zip((state, other), views, strict=True)
        ]
        assert plans[0] == plans[1]
        compared += 1
        if compared == 6:
            return
    pytest.fail("The campaign was over before so many plans had been compared.")


def observed(state: State, known: SideKnowledge) -> SideKnowledge:
    mine = same_knowledge(known)
    observe(mine, state)
    return mine


def drawn_from(view: View, number: int) -> State:
    return forecast.sample_state(view, derive_key(KEY, "position", number))


def test_the_staff_never_receives_the_campaign_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    received: list[State] = []
    real = staff.answer

    def answer(state: State, plans: Plans | None = None) -> a.AnyAction:
        received.append(state)
        return real(state, plans)

    monkeypatch.setattr(staff, "answer", answer)
    hidden = 0
    for state, known in in_the_fog("siege-of-khartoum", 60):
        received.clear()
        staff_answer(state, {known.side: known}, KEY)
        near = watch(state, known.side).near
        unseen = {
            unit.id: unit
            for unit in board(state).units
            if unit.side is not known.side and unit.hex not in near
        }
        for drawn in received:
            assert drawn is not state
            assert all(one is not two for one in drawn.units.values() for two in unseen.values())
        hidden += len(unseen)
    assert hidden


@pytest.mark.django_db
@pytest.mark.parametrize("mode", ["staff", "orders", "live"])
def test_a_campaign_gives_its_staff_positions_drawn_and_never_its_own(
    mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    received: list[State] = []
    drawn: list[State] = []
    real = staff.answer

    def answer(state: State, plans: Plans | None = None) -> a.AnyAction:
        received.append(state)
        return real(state, plans)

    def sample_state(view: View, key: bytes) -> State:
        drawn.append(forecast.sample_state(view, key))
        return drawn[-1]

    monkeypatch.setattr(staff, "answer", answer)
    monkeypatch.setattr(headquarters, "sample_state", sample_state)
    campaign = creation.create_campaign(
        creation.NewCampaignTerms(
            "siege-of-khartoum", mode=mode, fog=True, staff=["egyptian", "mahdist"]
        )
    )
    advance.run_month(campaign.pk, until=campaign.first_month + 1)
    campaign.refresh_from_db()
    assert campaign.month > campaign.first_month
    assert len(received) > 20
    assert all(one is two for one, two in zip(received, drawn, strict=True))


def test_no_service_asks_the_staff_past_the_fog() -> None:
    """Only games in memory on an open map, and what passes through the fog, may ask it itself."""
    rooms = [Path("campaign") / room for room in ("services", "web", "access")]
    asking = [
        str(path)
        for path in (*(p for room in rooms for p in room.rglob("*.py")), *Path("api").rglob("*.py"))
        if re.search(
            r"from campaign\.staff import .*answer|from campaign import staff", path.read_text()
        )
    ]
    assert asking == []


@pytest.mark.parametrize("slug", SLUGS)
def test_the_answer_is_lawful_though_somebody_unseen_bars_the_way(slug: str) -> None:
    for state, known in in_the_fog(slug, 150):
        copy = decode(encode(state), State)
        barring = otherwise_hidden(copy, known.side)
        assert is_lawful(barring, staff_answer(barring, {known.side: same_knowledge(known)}, KEY))


def test_a_column_goes_as_far_as_an_enemy_whom_nobody_has_seen() -> None:
    for state, known in in_the_fog("siege-of-khartoum", 400):
        wanted = proposal(state, same_knowledge(known), KEY)
        seen = watch(state, known.side).seen
        if not isinstance(wanted, a.Move) or len(wanted.path) < 4 or wanted.path[3] in seen:
            continue
        barred = decode(encode(state), State)
        enemy = next(
            unit for unit in board(state).units if unit.side is not known.side and is_land(unit)
        )
        ambush = UnitId(state.next_unit)
        barred.units[ambush] = Unit(
            ambush, enemy.kind, enemy.nation, enemy.quality, 1, wanted.path[3], disrupted=True
        )
        barred.next_unit += 1
        forget(barred)
        answer = staff_answer(barred, {known.side: same_knowledge(known)}, KEY)
        assert answer == a.Move(wanted.path[:3])
        return
    pytest.fail("Nobody went so far.")


def test_on_an_open_map_the_staff_answers_as_it_always_did() -> None:
    state = new_game("siege-of-khartoum")
    assert staff_answer(state, None) == staff.answer(state)
