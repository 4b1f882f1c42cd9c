"""The count of a table becomes a report, and goes to the campaign that waits for it."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

import campaign.tasks  # noqa: F401  a task that is known runs at once in a test
from battles import replay, serialization, services
from battles.contract import Fate, Side
from battles.contract.brief_files import find_ready_battle
from battles.models import Battle
from battles.services.record import MODEL_SCALES
from campaign.models import Campaign
from campaign.rules.core.state import TABLETOP
from campaign.services import battle_reports
from tests.battles_web.field import BOOK, small_brief
from tests.battles_web.forms import forms_of
from tests.campaign.battlefield import before_battle
from tests.people import People


@pytest.fixture
def waiting(people: People) -> Battle:
    return services.start(people.stranger, small_brief(), BOOK, Battle.Way.TABLETOP)


@pytest.fixture
def fred(client: Client, people: People) -> Client:
    client.force_login(people.stranger)
    return client


def filled(battle: Battle, **changes: Any) -> dict[str, Any]:
    """Return the form with everybody as he came, a Dervish rub destroyed and another
    disorganised.
    """
    roll = replay.laid_out(serialization.brief_of(battle), battle.book).roll
    said: dict[str, Any] = {f"left-{line.number}": line.came for line in roll}
    rubs = [line.number for line in roll if line.side is Side.MAHDIST]
    said |= {f"left-{rubs[0]}": 0, f"shaken-{rubs[1]}": "on"}
    return said | {"winner": "egyptian", "turns": 6, "ending": "They went home."} | changes


def address(battle: Battle) -> str:
    return reverse("battle-table", args=[battle.uuid])


def test_it_is_shown_before_it_counts(fred: Client, waiting: Battle) -> None:
    answer = fred.post(address(waiting), filled(waiting))
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "Preview of the result" in page
    assert "eliminated" in page
    waiting.refresh_from_db()
    assert not waiting.reported


def test_it_counts_when_it_is_let_stand(fred: Client, waiting: Battle) -> None:
    answer = fred.post(address(waiting), filled(waiting, confirm="1"))
    assert answer["Location"] == reverse("battle", args=[waiting.uuid])
    waiting.refresh_from_db()
    report = serialization.report_of(waiting)
    assert report is not None
    assert (report.winner, report.turns, report.ending) == (Side.EGYPTIAN, 6, "They went home.")
    assert sorted(report.fates.values()).count(Fate.ELIMINATED) == 1
    assert sorted(report.fates.values()).count(Fate.DISRUPTED) == 1


@pytest.mark.parametrize("winner", ["egyptian", "mahdist", "nobody"])
def test_who_won_is_what_was_said(fred: Client, waiting: Battle, winner: str) -> None:
    fred.post(address(waiting), filled(waiting, winner=winner, confirm="1"))
    report = serialization.report_of(Battle.objects.get(pk=waiting.pk))
    assert report is not None
    assert (report.winner or "nobody") == winner


@pytest.mark.parametrize("field", ["winner", "turns", "left-1"])
def test_what_is_missing_is_asked_for(fred: Client, waiting: Battle, field: str) -> None:
    said = filled(waiting, confirm="1")
    del said[field]
    answer = fred.post(address(waiting), said)
    assert answer.status_code == 400
    waiting.refresh_from_db()
    assert not waiting.reported


def test_more_figures_than_came_are_refused(fred: Client, waiting: Battle) -> None:
    answer = fred.post(address(waiting), filled(waiting, **{"left-1": 5}, confirm="1"))
    assert answer.status_code == 400


def test_a_unit_that_came_weakened_is_counted_by_the_stands_it_came_with(
    fred: Client, people: People
) -> None:
    """Disrupted units come with half their stands in Restless Natives (Shekan)."""
    shekan = find_ready_battle("shekan")
    assert shekan is not None
    battle = services.start(people.stranger, shekan.brief, "restless", Battle.Way.TABLETOP)
    roll = replay.laid_out(shekan.brief, "restless").roll
    weakened = next(line for line in roll if line.left < line.came)
    as_it_comes = next(
        form
        for form in forms_of(fred.get(address(battle)).content.decode())
        if f"left-{weakened.number}" in form.lists
    )
    name = f"left-{weakened.number}"
    assert as_it_comes.lists[name][0] == str(weakened.left)
    sent = as_it_comes.sent() | {"winner": "nobody", "turns": "1"}
    too_many = fred.post(address(battle), sent | {name: str(weakened.came)})
    assert too_many.status_code == 400
    answer = fred.post(address(battle), sent | {"confirm": "1"})
    assert answer.status_code == 302
    report = serialization.report_of(Battle.objects.get(pk=battle.pk))
    assert report is not None
    assert Fate.ELIMINATED not in report.fates.values()
    printed = fred.get(reverse("battle-kit", args=[battle.uuid])).content.decode()
    boxes = re.findall(r'aria-label="(\d+) stands?"', printed)
    assert sum(map(int, boxes)) == sum(line.left for line in roll)


def test_a_battle_that_is_over_is_not_reported_again(fred: Client, waiting: Battle) -> None:
    fred.post(address(waiting), filled(waiting, confirm="1"))
    assert fred.get(address(waiting)).status_code == 404


def test_others_cannot_say_how_it_went(client: Client, people: People, waiting: Battle) -> None:
    Battle.objects.update(public=True)
    assert client.get(address(waiting)).status_code == 302
    client.force_login(people.umpire)
    assert client.get(address(waiting)).status_code == 404
    assert client.post(address(waiting), filled(waiting, confirm="1")).status_code == 404


@pytest.fixture
def by_hand(people: People) -> Campaign:
    return before_battle(people, TABLETOP)


def test_the_umpire_settles_the_battle_of_a_campaign(
    client: Client, people: People, by_hand: Campaign
) -> None:
    battle = Battle.objects.get()
    client.force_login(people.umpire)
    client.post(address(battle), filled(battle, confirm="1"))
    by_hand.refresh_from_db()
    assert by_hand.battle == ""
    battle.refresh_from_db()
    assert battle.winner == "egyptian"


def test_players_settle_it_when_both_have_signed(
    client: Client, people: People, by_hand: Campaign
) -> None:
    battle = Battle.objects.get()
    for player, settled in ((people.egyptian, False), (people.mahdist, True)):
        client.force_login(player)
        answer = client.post(address(battle), filled(battle, confirm="1"), follow=True)
        said = answer.content.decode()
        assert ("counts when the other side" in said) is not settled
        battle.refresh_from_db()
        assert bool(battle.reported) is settled


def test_the_other_side_agrees_to_what_was_reported(
    client: Client, people: People, by_hand: Campaign
) -> None:
    battle = Battle.objects.get()
    client.force_login(people.egyptian)
    client.post(address(battle), filled(battle, confirm="1"))
    assert "reports" not in client.get(address(battle)).content.decode()
    client.force_login(people.mahdist)
    page = client.get(address(battle)).content.decode()
    assert f"{people.egyptian.username} reports" in page
    asked = client.get(reverse("battle", args=[battle.uuid])).content.decode()
    assert f"{people.egyptian.username} has reported" in asked
    [mark] = re.findall(r'name="agree" value="(\w+)"', page)
    stale = client.post(address(battle), {"agree": "0" * len(mark)}, follow=True)
    assert "has changed its report" in stale.content.decode()
    battle.refresh_from_db()
    assert not battle.reported
    client.post(address(battle), {"agree": mark})
    battle.refresh_from_db()
    assert battle.winner == "egyptian"


def test_the_other_side_agrees_on_the_campaigns_page_too(
    client: Client, people: People, by_hand: Campaign
) -> None:
    battle = Battle.objects.get()
    client.force_login(people.egyptian)
    client.post(address(battle), filled(battle, confirm="1"))
    client.force_login(people.mahdist)
    page = reverse("battle-result", args=[by_hand.slug, battle.brief_id])
    [mark] = re.findall(r'name="agree" value="(\w+)"', client.get(page).content.decode())
    refused = client.post(page, {"agree": "0" * len(mark)})
    assert "has changed its report" in refused.content.decode()
    client.post(page, {"agree": mark})
    battle.refresh_from_db()
    assert battle.winner == "egyptian"


def test_the_kit_has_a_qr_code_of_its_page_for_telephones(fred: Client, waiting: Battle) -> None:
    kit = fred.get(reverse("battle-kit", args=[waiting.uuid])).content.decode()
    assert f"QR code of http://testserver{address(waiting)}" in kit
    assert 'class="segno"' in kit


def in_models(battle: Battle, each: int, **changes: Any) -> dict[str, Any]:
    """Return the form of `filled`, counted in models of which some are each figure."""
    said = filled(battle)
    for line in replay.laid_out(serialization.brief_of(battle), battle.book).roll:
        if line.formation not in ("", "afloat"):
            said[f"left-{line.number}"] *= each
    return said | changes


@pytest.mark.parametrize("each", MODEL_SCALES[1:])
def test_models_are_converted_into_figures_exactly(
    fred: Client, waiting: Battle, each: int
) -> None:
    kit = fred.get(reverse("battle-kit", args=[waiting.uuid]), {"models": each}).content.decode()
    assert f"{address(waiting)}?models={each}" in kit
    fred.post(address(waiting), filled(waiting, confirm="1"))
    by_figures = serialization.report_of(Battle.objects.get(pk=waiting.pk))
    Battle.objects.filter(pk=waiting.pk).update(reported=None, report=b"")
    answer = fred.post(f"{address(waiting)}?models={each}", in_models(waiting, each, confirm="1"))
    assert answer.status_code == 302
    assert serialization.report_of(Battle.objects.get(pk=waiting.pk)) == by_figures


def test_models_that_are_no_whole_figures_are_refused_and_then_counted_rightly(
    fred: Client, waiting: Battle
) -> None:
    page = f"{address(waiting)}?models=4"
    for wrong, why in (("7", "has 4 or 8 left"), ("99", "can be left"), ("", "required")):
        answer = fred.post(page, in_models(waiting, 4, **{"left-1": wrong}))
        assert answer.status_code == 400
        assert why in answer.content.decode()
        assert "Preview of the result" not in answer.content.decode()
    right = fred.post(page, in_models(waiting, 4, **{"left-1": "8"})).content.decode()
    assert "Preview of the result" in right


def test_a_scale_that_is_not_offered_is_refused(fred: Client, waiting: Battle) -> None:
    for page in (reverse("battle-kit", args=[waiting.uuid]), address(waiting)):
        answer = fred.get(page, {"models": "5"})
        assert answer.status_code == 400
        assert "can be 1, 2, 3, 4 or 6 models" in answer.content.decode()
        assert fred.get(page, {"models": "6"}).status_code == 200


def test_a_roster_has_a_box_for_every_model(fred: Client, waiting: Battle) -> None:
    kit = reverse("battle-kit", args=[waiting.uuid])
    few, many = (
        fred.get(kit, {"models": each}).content.decode().count('class="box"') for each in (1, 4)
    )
    roll = replay.laid_out(serialization.brief_of(waiting), waiting.book).roll
    men = sum(line.came for line in roll if line.formation not in ("", "afloat"))
    assert many - few == 3 * men


def test_a_signed_result_carries_its_reason_and_its_turns(
    client: Client, people: People, by_hand: Campaign
) -> None:
    battle = Battle.objects.get()
    client.force_login(people.egyptian)
    client.post(address(battle), filled(battle, confirm="1"))
    client.force_login(people.mahdist)
    pages = (address(battle), reverse("battle-result", args=[by_hand.slug, battle.brief_id]))
    for page in pages:
        shown = client.get(page).content.decode()
        assert "It lasted 6 turns. They went home." in shown
    [mark] = re.findall(r'name="agree" value="(\w+)"', client.get(pages[0]).content.decode())
    client.post(address(battle), {"agree": mark})
    battle.refresh_from_db()
    assert (battle.ending, battle.turns) == ("They went home.", 6)


def test_players_need_not_agree_on_the_reason_of_the_result(
    client: Client, people: People, by_hand: Campaign
) -> None:
    battle = Battle.objects.get()
    client.force_login(people.egyptian)
    client.post(address(battle), filled(battle, confirm="1", turns=7))
    client.force_login(people.mahdist)
    client.post(address(battle), filled(battle, confirm="1", ending=""))
    battle.refresh_from_db()
    assert (battle.ending, battle.turns, battle.winner) == ("They went home.", 6, "egyptian")


def test_what_the_campaign_refuses_is_told(
    client: Client, people: People, by_hand: Campaign
) -> None:
    battle = Battle.objects.get()
    client.force_login(people.umpire)
    said = filled(battle, winner="mahdist", confirm="1")
    dervishes = [
        line.number
        for line in replay.laid_out(serialization.brief_of(battle), battle.book).roll
        if line.side is Side.MAHDIST
    ]
    answer = client.post(address(battle), said | {f"left-{one}": 0 for one in dervishes})
    assert answer.status_code == 400
    assert "cannot have won" in answer.content.decode()


def test_a_battle_the_campaign_waits_for_no_more_changes_nothing(
    client: Client, people: People, by_hand: Campaign
) -> None:
    battle = Battle.objects.get()
    battle_reports.choose_method(by_hand.pk, people.umpire, by_hand.battle, "combat-table")
    client.force_login(people.umpire)
    assert client.post(address(battle), filled(battle, confirm="1")).status_code == 404
