"""A rewind is shown to those who play, and what it undid is marked."""

import io
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail as outbox
from django.test import Client
from django.urls import reverse

import campaign.tasks  # noqa: F401  a task that is known runs at once in a test
from battles.contract.brief import Side
from battles.core.decoding import digest, encode
from battles.journal import pack
from battles.models import Battle
from campaign.access import selectors
from campaign.models import Campaign, Entry
from campaign.rules.core.state import TABLETOP, CampaignResult
from campaign.services import battle_reports, mail
from campaign.services.journal import rewind as back
from campaign.services.journal import rewind as rewinds
from campaign.services.journal.campaign_session import set_columns
from campaign.services.transfer import archive
from campaign.services.turns import advance
from tests.campaign.battlefield import before_battle, brief, result
from tests.duel import among_the_books
from tests.people import People, client_of

WHY = "The odds were misread."


def get(client: Client, name: str, *args: object) -> str:
    answer = client.get(reverse(name, args=args))
    assert answer.status_code == 200
    return answer.content.decode()


def rewound(campaign: Campaign, people: People, entry: Entry) -> Campaign:
    back.rewind_to(campaign.pk, people.umpire, entry, reason=WHY)
    campaign.refresh_from_db()
    return campaign


def early(campaign: Campaign) -> Entry:
    return campaign.entries.filter(branch=0)[5]


@pytest.mark.parametrize("who", ["egyptian", "mahdist", "spectator", "umpire"])
def test_everybody_reads_the_rewind_on_the_campaign_page(
    played: Campaign, people: People, who: str
) -> None:
    client = client_of(people, who)
    assert WHY not in get(client, "campaign", played.slug)
    rewound(played, people, early(played))
    page = get(client, "campaign", played.slug)
    assert "The campaign was rewound to February 1884 on " in page
    assert WHY in page
    assert "Rewound to February 1884 on " in get(client, "front")


@pytest.mark.parametrize(("mode", "name"), [("orders", "order-sheet"), ("live", "live")])
def test_the_rewind_stands_where_a_player_plays(
    played: Campaign, people: People, mode: str, name: str
) -> None:
    Campaign.objects.update(mode=mode)
    played.refresh_from_db()
    rewound(played, people, early(played))
    seat = played.seats.get(role="egyptian")
    args = [played.slug, seat.pk] if mode == "orders" else [played.slug]
    client = client_of(people, "egyptian")
    assert WHY in get(client, name, *args)
    if mode == "orders":
        page = get(client, "plain-orders", *args)
        assert WHY in page
        assert "Orders you had sent are drafts again" in page


def test_the_notice_goes_when_two_months_have_been_played(played: Campaign, people: People) -> None:
    on = rewound(played, people, early(played))
    found = rewinds.latest_rewind(on)
    assert found is not None
    assert (found.month, found.reason, found.by) == ("February 1884", WHY, "umpire:umpire")
    on.month += 2
    assert rewinds.latest_rewind(on) is None


def test_a_file_without_its_secret_goes_on_and_nobody_is_told_of_a_rewind(
    played: Campaign, people: People, settings: Any
) -> None:
    settings.SITE_URL = "https://sirdar.example"
    User.objects.filter(pk=people.umpire.pk).update(email="umpire@example.org")
    file = io.BytesIO()
    archive.export_campaign(played, file)
    copy = archive.import_campaign(file, umpire=people.umpire)
    assert copy.branch == 1
    assert rewinds.latest_rewind(copy) is None
    assert "was rewound" not in get(client_of(people, "umpire"), "campaign", copy.slug)
    mail.send_due()
    assert not [one for one in outbox.outbox if "rewound" in one.subject]


@pytest.mark.parametrize("fogged", [True, False])
def test_the_umpire_is_warned_that_the_players_have_read_the_debrief(
    played: Campaign, people: People, fogged: bool
) -> None:
    umpire = client_of(people, "umpire")
    warning = "the players may have seen everything that the fog hid"
    Campaign.objects.update(fog=fogged)
    page = reverse("rewind", args=[played.slug])
    assert warning not in umpire.get(page, {"entry": "0.5"}).content.decode()
    end(played)
    assert (warning in umpire.get(page, {"entry": "0.5"}).content.decode()) is fogged
    umpire.post(page, {"entry": "0.5", "head": played.head_id, "reason": WHY})
    assert ("its debrief was open" in played.umpire_log.get().said) is fogged


def end(campaign: Campaign) -> None:
    """The campaign ends where it stands."""
    campaign.refresh_from_db()
    state = selectors.state_now(campaign)
    state.question, state.result = None, CampaignResult(Side.MAHDIST, "Khartoum has fallen.", "4.1")
    campaign.document, campaign.document_hash = pack(encode(state)), digest(encode(state))
    set_columns(campaign, state)
    campaign.save()


@pytest.mark.parametrize("ended", [False, True])
def test_an_umpire_always_finds_the_console(played: Campaign, people: People, ended: bool) -> None:
    if ended:
        end(played)
    console, rewind = (reverse(name, args=[played.slug]) for name in ("console", "rewind"))
    page = get(client_of(people, "umpire"), "campaign", played.slug)
    assert f'href="{console}"' in page
    assert (f'href="{rewind}"' in page) is ended
    players = get(client_of(people, "egyptian"), "campaign", played.slug)
    assert console not in players
    assert rewind not in players


@pytest.mark.parametrize(("mode", "name"), [("orders", "order-sheet"), ("live", "live")])
def test_an_umpire_who_plays_finds_the_rewind_where_he_plays(
    played: Campaign, people: People, mode: str, name: str
) -> None:
    Campaign.objects.update(mode=mode)
    seat = played.seats.get(role="egyptian")
    seat.user = people.umpire
    seat.save()
    end(played)
    args = [played.slug, seat.pk] if mode == "orders" else [played.slug]
    # The order sheet of a campaign that is over leads to the campaign's page.
    answer = client_of(people, "umpire").get(reverse(name, args=args), follow=True)
    page = answer.content.decode()
    assert reverse("console", args=[played.slug]) in page
    assert reverse("rewind", args=[played.slug]) in page


def test_a_letter_tells_of_the_rewind_once(played: Campaign, people: People, settings: Any) -> None:
    settings.SITE_URL = "https://sirdar.example"
    for user in people:
        user.email = f"{user.username}@example.org"
        user.save()
    rewound(played, people, early(played))
    mail.send_due()
    told = [one for one in outbox.outbox if "rewound to February 1884" in one.subject]
    assert sorted(one.to[0].partition("@")[0] for one in told) == [
        "egyptian",
        "mahdist",
        "spectator",
    ]
    assert all(WHY in one.body for one in told)
    outbox.outbox.clear()
    mail.send_due()
    assert not outbox.outbox


@pytest.fixture
def fought(people: People, monkeypatch: pytest.MonkeyPatch) -> tuple[Campaign, Battle, Entry]:
    """A campaign with a battle whose result has been brought in, and the entry before that."""
    among_the_books(monkeypatch)
    campaign = before_battle(people, TABLETOP)
    before, battle = campaign.head, brief(campaign).id
    assert before is not None
    battle_reports.enter_result(campaign.pk, people.umpire, result(campaign))
    campaign.refresh_from_db()
    return campaign, Battle.objects.get(brief_id=battle), before


def test_a_battle_that_was_rewound_over_is_marked_everywhere(
    fought: tuple[Campaign, Battle, Entry], people: People
) -> None:
    campaign, battle, before = fought
    client = client_of(people, "egyptian")
    pages = (("campaign-battles", campaign.slug), ("battle", battle.uuid))
    assert not any("Abandoned by the rewind" in get(client, *page) for page in pages)
    assert "</a>, February 1884" in get(client, *pages[0])
    rewound(campaign, people, before)
    for page in pages:
        text = get(client, *page)
        assert "Abandoned by the rewind of " in text
        assert WHY in text
    assert "abandoned by a rewind" in get(client, "battles")
    of_campaign = client.get(reverse("api:campaign-battles", args=[campaign.slug])).json()
    listed = client.get(reverse("api:battles")).json()["results"]
    alone = client.get(reverse("api:battle", args=[battle.uuid])).json()
    mine = [
        one
        for one in (*of_campaign["past_battles"], *listed, alone)
        if one["uuid"] == str(battle.uuid)
    ]
    assert len(mine) == 3
    assert all(one["undone_by"].startswith("Abandoned by the rewind of ") for one in mine)


def test_a_battle_before_the_point_gone_back_to_still_counts(
    fought: tuple[Campaign, Battle, Entry], people: People
) -> None:
    campaign, battle, _ = fought
    settled = campaign.entries.get(key=f"battle:{battle.brief_id}")
    later = campaign.entries.filter(branch=0, number__gt=settled.number).first()
    advance.run_month(campaign.pk, until=campaign.month + 1)
    campaign.refresh_from_db()
    rewound(campaign, people, later or settled)
    assert rewinds.undone_battles(campaign, [battle.brief_id]) == {}


def test_a_battle_comes_back_with_the_line_it_was_fought_on(
    fought: tuple[Campaign, Battle, Entry], people: People
) -> None:
    campaign, battle, before = fought
    settled = campaign.entries.get(key=f"battle:{battle.brief_id}")
    rewound(campaign, people, before)
    (undone,) = rewinds.undone_battles(campaign, [battle.brief_id]).values()
    assert undone.branch == 1
    rewound(campaign, people, settled)
    assert rewinds.undone_battles(campaign, [battle.brief_id]) == {}


def test_a_battle_that_waited_when_the_campaign_was_rewound_is_marked(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    among_the_books(monkeypatch)
    campaign = before_battle(people, TABLETOP)
    battle = brief(campaign).id
    assert rewinds.undone_battles(campaign, [battle]) == {}
    first = campaign.entries.filter(branch=0)[0]
    rewound(campaign, people, first)
    assert list(rewinds.undone_battles(campaign, [battle])) == [battle]
