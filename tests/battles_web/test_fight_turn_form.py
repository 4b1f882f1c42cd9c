"""The page of a fight: whatever it offers is accepted, and a refusal loses nothing."""

from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from battles import serialization
from battles.models import Battle
from battles.turn_form import InvalidForm, read_facing, read_point
from battles.web.fight_page import FightPage
from tests.battles_web.fights import BOOKS, asked, begun, player, step
from tests.battles_web.forms import Form, forms_of
from tests.people import People

STEPS = 48
EACH = 12
"""Actions after which everything that the page offers is tried."""


@pytest.fixture
def client() -> Client:
    return Client()


def address(battle: Battle, name: str = "fight") -> str:
    return reverse(name, args=[battle.uuid])


def seen_by_whoever_is_asked(client: Client, people: People, battle: Battle, unit: str = "") -> str:
    side = asked(battle)
    assert side is not None
    client.force_login(player(people, side))
    page = client.get(address(battle), {"unit": unit} if unit else {})
    return page.content.decode()


def ways_to_act(client: Client, people: People, battle: Battle) -> list[dict[str, Any]]:
    """Return every way to send a form that carries an action, once each.

    The pages of several units share most of their forms, which differ in the CSRF token and the
    idempotency key alone.
    """
    found: dict[str, dict[str, Any]] = {}
    for form in turn_forms_of(client, people, battle):
        form.filled.pop("csrfmiddlewaretoken")
        for said in form.ways():
            found.setdefault(repr(said | {"key": ""}), said)
    return list(found.values())


def turn_forms_of(client: Client, people: People, battle: Battle) -> list[Form]:
    """Return the forms that carry an action, of every unit that the page lets one look at."""
    page = seen_by_whoever_is_asked(client, people, battle)
    units = [form.lists["unit"] for form in forms_of(page, address(battle)) if "unit" in form.lists]
    found = forms_of(page, address(battle, "fight-act"))
    for unit in units[0][:4] if units else ():
        page = seen_by_whoever_is_asked(client, people, battle, unit)
        found += forms_of(page, address(battle, "fight-act"))
    return found


def sent(client: Client, battle: Battle, said: dict[str, Any]) -> Any:
    """Return the answer to the action, which is taken back."""
    with transaction.atomic():
        answer = client.post(address(battle, "fight-act"), said)
        transaction.set_rollback(True)
    return answer


@pytest.mark.parametrize("book", BOOKS)
def test_every_way_to_send_a_turn_form_is_accepted(
    client: Client, people: People, book: str
) -> None:
    battle, tried = begun(people, book), 0
    for number in range(STEPS):
        if number % EACH == 0:
            for said in ways_to_act(client, people, battle):
                answer = sent(client, battle, said)
                assert answer.status_code == 302, (said, answer.context["why"])
                tried += 1
        step(people, battle)
    assert tried >= STEPS // EACH


def refused(client: Client, people: People, book: str, **said: Any) -> tuple[Battle, Any]:
    """Return the answer to such a form at the beginning of a battle."""
    battle = begun(people, book)
    side = asked(battle)
    assert side is not None
    client.force_login(player(people, side))
    place = {"at": serialization.cursor_of(battle), "form": "1"}
    return battle, client.post(address(battle, "fight-act"), {**place, **said})


def form_with(page: Any, battle: Battle, name: str) -> Form:
    """Return the turn form that has such a field."""
    forms = forms_of(page.content.decode(), address(battle, "fight-act"))
    return next(form for form in forms if name in form.filled or name in form.lists)


def test_a_refusal_leaves_the_address_as_it_is(client: Client, people: People) -> None:
    battle, answer = refused(client, people, "redcoats")
    assert answer.status_code == 400
    assert answer["HX-Push-Url"] == "false"
    assert f'hx-get="{address(battle)}"' in answer.content.decode()
    assert "HX-Push-Url" not in client.get(address(battle))


def test_nobody_ticked_is_refused_and_stays_unticked(client: Client, people: People) -> None:
    battle, answer = refused(client, people, "redcoats")
    assert "Tick units to share the card" in answer.context["why"]
    page = answer.content.decode()
    assert 'name="several"' in page
    assert not any("several" in form.filled for form in forms_of(page))
    fresh = client.get(address(battle)).content.decode()
    assert any("several" in form.filled for form in forms_of(fresh))


def test_a_refused_order_stays_chosen_for_its_unit(client: Client, people: People) -> None:
    battle, answer = refused(client, people, "fuzzy-wuzzy", unit="3", order="march", at="0.99")
    assert answer.status_code == 409
    form = form_with(answer, battle, "order")
    assert (form.filled["unit"], form.chosen["order"]) == (["3"], "march")


def test_orders_that_do_not_go_together_are_not_offered_and_refused(
    client: Client, people: People
) -> None:
    battle, answer = refused(client, people, "fuzzy-wuzzy", unit="1", order="charge, square")
    assert answer.status_code == 400
    offered = form_with(answer, battle, "order").lists["order"]
    assert {"march, square", "stands", "charge"} <= set(offered)
    assert not [one for one in offered if "square" in one and ("charge" in one or "close" in one)]


def test_the_umpires_refused_form_keeps_what_was_filled_in(client: Client, people: People) -> None:
    battle = begun(people, "redcoats")
    client.force_login(people.umpire)
    said = {"do": "correct", "unit": "2", "left": "99", "reason": "Miscounted.", "place": "E5"}
    answer = client.post(address(battle, "fight-umpire"), said)
    assert answer.status_code == 400
    page = answer.content.decode()
    assert '<details class="umpire in-words" id="umpire" open>' in page
    [form] = [one for one in forms_of(page) if "left" in one.filled]
    assert form.sent(("do", "correct")) == {
        **form.filled,
        "unit": "2",
        "left": ["99"],
        "reason": ["Miscounted."],
        "place": ["E5"],
        "shaken": "",
        "do": "correct",
    }


@pytest.mark.parametrize(
    ("fields", "label"),
    [
        ({"x": "", "y": "1"}, "East"),
        ({"x": "1", "y": "here"}, "South"),
        ({"x": "1", "y": "-99999"}, "South"),
        ({"x": "1", "y": "1", "facing": "north"}, "Facing"),
    ],
)
def test_a_wrong_field_is_called_as_its_form_calls_it(fields: dict[str, str], label: str) -> None:
    with pytest.raises(InvalidForm, match=f"“{label}”"):
        read_point(fields), read_facing(fields, 0)


SOME = 25
"""Decisions of a battle at which every unit is touched."""
REASONS = {
    "redcoats": "has no firearms.",
    "restless": "inches away.",
    "fuzzy-wuzzy": "has nothing left to move with. Order it to move in the order phase.",
}
"""Words in which the engine of each book refuses something that is not offered."""


@pytest.mark.parametrize("book", BOOKS)
def test_of_every_unit_that_is_not_offered_the_page_says_why(people: People, book: str) -> None:
    battle = begun(people, book)
    said: set[str] = set()
    for _ in range(SOME):
        user = player(people, side) if (side := asked(battle)) else people.umpire
        page = FightPage(battle, user, {})
        form = page.turn_form
        if form is None:
            break
        said.update(page.refusals)
        offered = {one.unit for one in form.units} | {one.target for one in form.choices}
        offered |= {form.unit, *form.together}
        for line in (line for army in page.armies for line in army.lines if line.formation):
            touched = FightPage(battle, user, {"unit": str(line.number)}).unavailable_unit
            assert (touched is None) is (line.number in offered or line.side is not form.side)
            said.update([touched.reason] if touched else [])
        battle = step(people, battle)
    assert any(REASONS[book] in one for one in said), said


def test_an_action_reads_the_battle_no_more_than_it_needs(
    client: Client, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A unit is kept selected only while units are placed, which no choice asks about."""
    battle = begun(people, "redcoats")
    side = asked(battle)
    assert side is not None
    client.force_login(player(people, side))
    said = {"at": serialization.cursor_of(battle), "choice": "0"}
    client.post(address(battle, "fight-act"), said)  # warm
    read: list[int | None] = []
    state_of = serialization.state_of

    def noted(found: Battle) -> Any:
        read.append(found.head_id)
        return state_of(found)

    monkeypatch.setattr(serialization, "state_of", noted)
    said = {"at": serialization.cursor_of(Battle.objects.get(pk=battle.pk)), "choice": "0"}
    client.force_login(player(people, asked(battle) or side))
    read.clear()
    answer = client.post(address(battle, "fight-act"), said)
    assert answer.status_code == 302
    after = Battle.objects.get(pk=battle.pk).head_id
    assert after not in read
