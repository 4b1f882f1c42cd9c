"""Access to battles: a campaign's for those who see the campaign, one's own for oneself."""

import re

import pytest
from django.template.loader import render_to_string
from django.urls import reverse

import campaign.tasks  # noqa: F401  a task that is known runs at once in a test
from battles import services
from battles.models import Battle
from campaign import serialization
from campaign.models import Campaign
from campaign.rules.prose.despatches import chronicle
from campaign.services import battle_reports
from campaign.services.journal import creation
from tests.battles_web.field import BOOK, small_brief
from tests.campaign.battlefield import before_battle
from tests.people import People, client_of

SEATED = ("umpire", "egyptian", "mahdist")
OUTSIDE = ("stranger", "nobody")
PAGES = ("battle", "battle-kit")


@pytest.fixture
def warred(people: People) -> Campaign:
    """A campaign whose first battle has been fought out by the book."""
    campaign = before_battle(people, BOOK)
    battle_reports.fight_out(campaign.pk)
    campaign.refresh_from_db()
    return campaign


@pytest.fixture
def battle(warred: Campaign) -> Battle:
    return Battle.objects.get()


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("role", SEATED)
def test_whoever_sits_in_the_campaign_sees_it(
    battle: Battle, people: People, role: str, page: str
) -> None:
    answer = client_of(people, role).get(reverse(page, args=[battle.uuid]))
    assert answer.status_code == 200
    assert battle.title in answer.content.decode()


@pytest.mark.parametrize("page", [*PAGES, "battle-table"])
@pytest.mark.parametrize("role", OUTSIDE)
def test_others_are_not_told_that_there_is_such_a_battle(
    battle: Battle, people: People, role: str, page: str
) -> None:
    client = client_of(people, role)
    unknown = "00000000-0000-4000-8000-000000000000"
    refused = client.get(reverse(page, args=[battle.uuid]))
    nowhere = client.get(reverse(page, args=[unknown]))
    assert refused.status_code == nowhere.status_code
    assert refused.status_code in (302, 404)
    assert said(refused.content).replace(str(battle.uuid), unknown) == said(nowhere.content)


def said(page: bytes) -> str:
    """Return the page without the mark of its forms, which is another every time."""
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page.decode())


@pytest.mark.parametrize("role", OUTSIDE)
def test_those_of_a_public_campaign_are_seen_by_everybody(
    battle: Battle, warred: Campaign, people: People, role: str
) -> None:
    Campaign.objects.filter(pk=warred.pk).update(public=True)
    client = client_of(people, role)
    assert client.get(reverse("battle", args=[battle.uuid])).status_code == 200
    assert str(battle.uuid) in client.get(reverse("battles")).content.decode()


@pytest.mark.parametrize("role", [*SEATED, *OUTSIDE])
def test_the_list_has_what_one_may_see(battle: Battle, people: People, role: str) -> None:
    page = client_of(people, role).get(reverse("battles")).content.decode()
    assert (str(battle.uuid) in page) == (role in SEATED)


@pytest.mark.parametrize("role", [*SEATED, *OUTSIDE])
def test_ones_own_battle_is_ones_own(people: People, role: str) -> None:
    own = services.start(people.stranger, small_brief(), BOOK, Battle.Way.TABLETOP)
    client = client_of(people, role)
    seen = client.get(reverse("battle", args=[own.uuid])).status_code == 200
    assert seen == (role == "stranger")
    assert (str(own.uuid) in client.get(reverse("battles")).content.decode()) == seen


def despatch(campaign: Campaign) -> str:
    """Return the despatch of the battle as the campaign's page prints it."""
    beginning = campaign.snapshots.get(entry=None)
    state = serialization.state_of(beginning.document, beginning.document_hash)
    entries = campaign.entries.order_by("number")
    happened = [(serialization.events_of(one), serialization.rolls_of(one)) for one in entries]
    [told] = [one for one in chronicle(state, happened) if one.battle]
    shown = {"slug": "1884-02", "rules": reverse("rules")}
    about = {"sentence": told, "campaign": campaign, "chart": shown}
    return render_to_string("campaign/_sentence.html", about)


def test_the_despatch_leads_to_the_battle_and_the_battle_back(
    battle: Battle, warred: Campaign, people: People
) -> None:
    client = client_of(people, "umpire")
    [link] = re.findall(r'class="to-battle" href="([^"]+)"', despatch(warred))
    answer = client.get(link)
    assert answer["Location"] == reverse("battle", args=[battle.uuid])
    told = client.get(answer["Location"]).content.decode()
    assert f'href="{reverse("campaign", args=[warred.slug])}"' in told
    back = re.search(r'href="([^"]+)#despatches"', told)
    assert back is not None
    assert client.get(back[1]).status_code == 200


@pytest.mark.parametrize("role", OUTSIDE)
def test_the_way_from_the_despatch_is_closed_to_others(
    battle: Battle, warred: Campaign, people: People, role: str
) -> None:
    own = battle.brief_id.rpartition("-")[0]
    link = reverse("campaign-battle", args=[warred.slug, own])
    assert client_of(people, role).get(link).status_code == 404
    assert client_of(people, "umpire").get(link).status_code == 302


def test_after_going_back_the_despatch_leads_to_the_battle_of_the_new_line(
    battle: Battle, warred: Campaign, people: People
) -> None:
    before = warred.entries.order_by("number")[1]
    creation.branch_from(warred.pk, before, reason="Once more.", by="umpire:umpire")
    battle_reports.fight_out(warred.pk)
    assert Battle.objects.count() == 2
    own = battle.brief_id.rpartition("-")[0]
    answer = client_of(people, "umpire").get(reverse("campaign-battle", args=[warred.slug, own]))
    newest = Battle.objects.order_by("-pk")[0]
    assert newest != battle
    assert answer["Location"] == reverse("battle", args=[newest.uuid])


def test_the_keeper_reads_battles_and_their_entries(battle: Battle, people: People) -> None:
    people.umpire.is_staff = people.umpire.is_superuser = True
    people.umpire.save()
    client = client_of(people, "umpire")
    for name, pk in (("battle", battle.pk), ("battleentry", battle.head_id)):
        assert client.get(reverse(f"admin:battles_{name}_changelist")).status_code == 200
        assert client.get(reverse(f"admin:battles_{name}_change", args=[pk])).status_code == 200
        assert client.get(reverse(f"admin:battles_{name}_add")).status_code == 403
