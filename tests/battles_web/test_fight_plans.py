"""One press for a whole line: plans that follow a choice, undone as one decision, and shown."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from battles import serialization, services
from battles.contract import Side
from battles.contract.brief_files import find_ready_battle
from battles.models import Battle
from battles.services.fights import COMPUTER, ME
from battles.turn_form import QuestionKind
from battles.web.fight_page import FightPage
from tests.battles_web.fights import BOOKS, EL_TEB, fight_as_drawn_up
from tests.battles_web.forms import forms_of
from tests.people import People

STEPS = 40


@pytest.fixture
def client(people: People) -> Client:
    found = Client()
    found.force_login(people.umpire)
    return found


def alone(people: People, book: str, name: str = EL_TEB) -> Battle:
    """Return a battle against the computer, at its first decision."""
    chosen = find_ready_battle(name)
    assert chosen is not None
    sides = {Side.EGYPTIAN: ME, Side.MAHDIST: COMPUTER}
    battle = services.begin_fight(people.umpire, chosen.brief, services.NewFight(book, sides))
    fight_as_drawn_up(battle, dict.fromkeys(Side, people.umpire))
    return now(battle)


def now(battle: Battle) -> Battle:
    return Battle.objects.get(pk=battle.pk)


def shown(people: People, battle: Battle, **asked: str) -> FightPage:
    return FightPage(now(battle), people.umpire, asked)


def press(client: Client, battle: Battle, **said: Any) -> None:
    """Send a form of the page as it stands."""
    at = serialization.cursor_of(now(battle))
    address = reverse("fight-act", args=[battle.uuid])
    answer = client.post(address, {"at": at, "key": f"key-of-{at}", **said})
    assert answer.status_code == 302, answer.context["why"]


def choose(client: Client, people: People, battle: Battle, *kinds: QuestionKind) -> bool:
    """Press the first choice of one of these kinds, if there is any."""
    form = shown(people, battle).turn_form
    assert form is not None
    for number, choice in enumerate(form.choices):
        if choice.kind in kinds:
            press(client, battle, choice=str(number), unit=str(form.unit))
            return True
    return False


def order_all(client: Client, people: People, battle: Battle, words: str) -> None:
    form = shown(people, battle).turn_form
    assert form is not None
    press(client, battle, unit=str(form.unit), order=words, every="1")


def at_who_acts_next(client: Client, people: People) -> Battle:
    """Return a battle at the question which of the led units acts next."""
    battle = alone(people, "redcoats")
    asked = shown(people, battle).turn_form
    assert asked is not None
    assert asked.several is not None
    # Two faces of the brigade Square act each by itself; led together, all of it would act as one.
    faces = [str(one.unit) for one in asked.several.units if "square" in one.detail][:2]
    press(client, battle, form="1", several=faces)
    for _ in range(STEPS):
        form = shown(people, battle).turn_form
        assert form is not None
        if form.title == "Who acts next?":
            return battle
        choose(client, people, battle, QuestionKind.DONE)
    pytest.fail("The led units were not asked for in time.")


def test_a_whole_line_marches_by_one_press_and_back_by_one_undo(
    client: Client, people: People
) -> None:
    battle = alone(people, "fuzzy-wuzzy")
    order_all(client, people, battle, "march")
    assert choose(client, people, battle, QuestionKind.DONE)
    before = bytes(now(battle).document)
    number = serialization.head_of(now(battle)).number
    assert choose(client, people, battle, QuestionKind.ALL)
    assert serialization.head_of(now(battle)).number > number + 4
    assert len(shown(people, battle).scene.tracks) > 4
    press(client, battle, undo="0")
    assert bytes(now(battle).document) == before


def test_orders_are_given_again_as_last_turn(client: Client, people: People) -> None:
    battle = alone(people, "fuzzy-wuzzy")
    assert not shown(people, battle).repeatable
    order_all(client, people, battle, "march")
    given = len(shown(people, battle).state.orders)
    for _ in range(STEPS):
        page = shown(people, battle)
        if page.repeatable:
            break
        assert choose(client, people, battle, QuestionKind.ALL, QuestionKind.DONE)
    press(client, battle, repeat="1")
    again = shown(people, battle).state.orders
    assert len(again) > given / 2
    assert {order.movement for order in again.values()} == {"march"}
    assert not shown(people, battle).repeatable


def test_led_units_come_up_in_their_order_until_the_player_chooses(
    client: Client, people: People
) -> None:
    battle = at_who_acts_next(client, people)
    assert choose(client, people, battle, QuestionKind.NEXT)  # "In this order"
    seen = []
    for _ in range(4):
        form = shown(people, battle).turn_form
        assert form is not None
        seen.append(form.title)
        choose(client, people, battle, QuestionKind.DONE)
    assert "Who acts next?" not in seen
    words, page = "Choose the order yourself", ""
    for _ in range(STEPS):
        form = shown(people, battle).turn_form
        assert form is not None
        page = client.get(reverse("fight", args=[battle.uuid])).content.decode()
        assert (words in page) is (form.several is None)  # where nobody is led yet, no order counts
        if form.several is not None:
            break
        choose(client, people, battle, QuestionKind.DONE)
    client.post(reverse("fight-act", args=[battle.uuid]), {"end-plan": "1"})
    page = client.get(reverse("fight", args=[battle.uuid])).content.decode()
    assert words not in page


def test_an_order_that_was_refused_does_not_hold(client: Client, people: People) -> None:
    battle = at_who_acts_next(client, people)
    address = reverse("fight-act", args=[battle.uuid])
    form = shown(people, battle).turn_form
    assert form is not None
    said = {"at": "0.1", "key": "late", "choice": "0", "unit": str(form.unit)}
    assert client.post(address, said).status_code == 409
    page = client.get(reverse("fight", args=[battle.uuid])).content.decode()
    assert "They act in their order." not in page


def test_undoing_the_order_of_the_led_units_ends_it(client: Client, people: People) -> None:
    battle = at_who_acts_next(client, people)
    assert choose(client, people, battle, QuestionKind.NEXT)  # "In this order"
    press(client, battle, undo="0")
    page = client.get(reverse("fight", args=[battle.uuid])).content.decode()
    assert "Who acts next?" in page
    assert "They act in their order." not in page


def test_a_unit_marches_towards_a_place_before_its_dice_are_thrown(
    client: Client, people: People
) -> None:
    battle = alone(people, "restless")
    free = None
    for _ in range(STEPS):
        form = shown(people, battle).turn_form
        assert form is not None
        free = form.free
        if free is not None:
            break
        choose(client, people, battle, QuestionKind.NEXT)
    assert free is not None
    assert free.then
    goal = {"x": f"{free.x - 20:.2f}", "y": f"{free.y:.2f}", "unit": str(free.unit)}
    tried = shown(people, battle, **goal).move_check
    assert tried is not None
    assert tried.may
    drawing = shown(people, battle, **goal, via=f"{free.x} {free.y}").drawing
    assert drawing.count('class="tried"') == drawing.count('class="tried cross"') == 1
    assert 'class="tried' not in shown(people, battle, **(goal | {"x": "nowhere"})).drawing
    press(client, battle, form="1", **goal)
    moved = shown(people, battle).state.units[free.unit]
    assert moved.at.x < 100 * free.x
    assert abs(moved.at.y - 100 * free.y) < 100


def test_a_unit_is_chosen_and_acts_by_one_press(client: Client, people: People) -> None:
    """Each offer of Restless Natives is taken; a press ends the unit's turn or asks about it."""
    battle, done = alone(people, "restless"), set()
    for _ in range(STEPS):
        if now(battle).reported:
            break
        form = shown(people, battle).turn_form
        assert form is not None
        offers = [one for one in form.choices if one.kind is QuestionKind.AT_ONCE]
        if not offers:
            assert form.unit or choose(client, people, battle, QuestionKind.NEXT)
            press(client, battle, staff="1")
            continue
        fresh = [one for one in offers if one.then.partition(":")[0] not in done]
        wanted = (fresh or offers)[0]
        done.add(wanted.then.partition(":")[0])
        before = serialization.head_of(now(battle)).number
        press(client, battle, choice=str(form.choices.index(wanted)), unit=str(form.unit))
        assert serialization.head_of(now(battle)).number > before + 1
    assert {"ahead", "fire"} <= done


@pytest.mark.parametrize("book", BOOKS)
def test_the_other_sides_steps_are_numbered_and_losses_marked(
    client: Client, people: People, book: str
) -> None:
    battle, most, fallen = alone(people, book), 0, 0
    for _ in range(STEPS):
        page = shown(people, battle)
        if page.side is None:
            break
        most = max(most, len(page.steps))
        assert sorted(page.steps.values()) == list(range(1, len(page.steps) + 1))
        assert all(step > page.result_began for step in page.steps)
        fallen += len(page.scene.losses)
        for number in page.steps.values():
            assert f">{number}</" in page.drawing
        press(client, battle, staff="1")
        if now(battle).reported:
            break
    assert most
    assert fallen or book != "restless"


def test_alone_one_goes_back_to_any_decision(client: Client, people: People) -> None:
    battle = alone(people, "redcoats")
    documents = {}
    for _ in range(6):
        documents[serialization.head_of(now(battle)).number + 1] = bytes(now(battle).document)
        press(client, battle, staff="1")
    page = client.get(reverse("fight", args=[battle.uuid]), {"decisions": "1"}).content.decode()
    [form] = [one for one in forms_of(page) if len(one.buttons) > 2 and one.buttons[0][0] == "undo"]
    offered = {int(value) for _, value in form.buttons}
    number = sorted(offered & set(documents))[1]
    press(client, battle, undo=str(number))
    assert bytes(now(battle).document) == documents[number]


def test_a_term_opens_its_meaning(client: Client, people: People) -> None:
    battle = alone(people, "redcoats")
    press(client, battle, staff="1")
    for _ in range(STEPS):
        page = client.get(reverse("fight", args=[battle.uuid])).content.decode()
        if 'popovertarget="term-action-points"' in page:
            break
        press(client, battle, staff="1")
    assert 'popovertarget="term-action-points"' in page
    assert 'id="term-action-points"' in page
    assert page.count('id="term-rub"') == 1


def test_all_on_a_card_go_to_the_way_chosen_from_a_list(client: Client, people: People) -> None:
    battle = alone(people, "redcoats", "kirbekan")
    form = None
    for _ in range(STEPS):
        form = shown(people, battle).turn_form
        assert form is not None
        ways = [one for one in form.choices if one.kind is QuestionKind.GO]
        listed = [one for one in ways if sum(one.place == other.place for other in ways) > 2]
        if form.line and listed:
            break
        assert choose(client, people, battle, QuestionKind.NEXT) or choose(
            client, people, battle, QuestionKind.DONE
        )
    assert form is not None
    asked = {"unit": str(form.unit), "place": listed[0].place}
    page = client.get(reverse("fight", args=[battle.uuid]), asked).content.decode()
    [of_all] = [one for one in forms_of(page) if any(name == "all" for name, _ in one.buttons)]
    there = [one for one in ways if one.place == listed[0].place]
    last = of_all.lists["choice"][-1]
    assert form.choices[int(last)] == there[-1]
    [button] = [one for one in of_all.buttons if one[0] == "all"]
    sent = of_all.sent(button, choice=last)
    press(client, battle, choice=sent["choice"], all=sent["all"], unit=str(form.unit))
    moved = shown(people, battle).state.units[form.unit]
    assert moved.facing == there[-1].action.facing
