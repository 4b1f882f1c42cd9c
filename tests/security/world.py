"""Everybody there is, and one of everything an address may name: twice, ours and other people's."""

from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from accounts.models import Scope
from accounts.tokens import create_token
from api import channel_posting, webhooks
from api.channel_news import picture_url
from battles.contract import Side
from battles.models import Battle
from battles.services import NewFight, begin_fight, record, start
from battles.services.fights import ME, OPEN
from campaign.models import Campaign, PushSubscription, Receipt, Seat
from campaign.services import comparisons, inquiries, mail_messages, order_submission
from campaign.services.journal import creation, own_scenarios, rules_edition
from campaign.services.letters import LetterDraft, send_letter
from campaign.services.pending_battle import owner_of
from campaign.services.transfer import deletion
from campaign.services.turns import advance, advance_jobs
from campaign.services.umpire import invitations
from campaign.web.seat_pages import token_of
from tests import own_tables
from tests.battles_web.field import BOOK, KEY, small_brief
from tests.campaign.battlefield import before_battle
from tests.people import SIEGE, People

NOBODY, STRANGER, KEEPER = "nobody", "a stranger", "the keeper"
OBSERVER, EGYPTIAN, MAHDIST, UMPIRE = "an observer", "the Egyptian", "the Mahdist", "the umpire"
FOREIGNER = "an umpire elsewhere"
GUEST = "guest of nobody"
"""A visitor without an account, whose name begins as those of guests do."""
SEATED = (OBSERVER, EGYPTIAN, MAHDIST, UMPIRE)
EVERYBODY = (NOBODY, GUEST, STRANGER, FOREIGNER, KEEPER, *SEATED)
ORDERS, LIVE, WAR = "orders", "live", "war"
CHANNEL = "https://discord.com/api/webhooks/1/a"
TABLES = {"march": own_tables.halted()}
OTHER_TABLES = {**TABLES, SIEGE: own_tables.brief()}


class Table(NamedTuple):
    """The belongings of one table: its campaigns by kind, and the names in addresses."""

    campaigns: dict[str, Campaign]
    things: dict[str, object]


class World(NamedTuple):
    """The users by what they are; our table, and another that none of ours sits at."""

    users: dict[str, User]
    ours: Table
    theirs: Table
    sessions: dict[str, str]

    def client(self, who: str, **options: Any) -> Client:
        """Return a browser of that person's, logged in unless it is nobody."""
        client = Client(raise_request_exception=False, **options)
        if who != NOBODY:
            client.cookies[settings.SESSION_COOKIE_NAME] = self.sessions[who]
        return client


def world() -> World:
    """It is made in a transaction that the caller takes back."""
    users = {name: User.objects.create_user(name.replace(" ", "-")) for name in EVERYBODY[1:]}
    users[GUEST].username = GUEST
    users[GUEST].save()
    users[KEEPER].is_staff = users[KEEPER].is_superuser = True
    users[KEEPER].save()
    abroad = [User.objects.create_user(f"{name}-elsewhere") for name in ("e", "m", "o")]
    ours = People(*(users[name] for name in (UMPIRE, EGYPTIAN, MAHDIST, OBSERVER, STRANGER)))
    theirs = People(users[FOREIGNER], abroad[0], abroad[1], abroad[2], users[STRANGER])
    sessions = {name: _session(user) for name, user in users.items()}
    tables = _table(ours, "ours", TABLES), _table(theirs, "theirs", OTHER_TABLES)
    return World(users, *tables, sessions)


def _session(user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def _table(people: People, name: str, own: dict[str, str]) -> Table:
    campaigns = {
        ORDERS: _by_orders(people, f"{name}-orders"),
        LIVE: _campaign(people, f"{name}-live", Campaign.Mode.LIVE),
        WAR: _at_war(people),
    }
    return Table(campaigns, {**_owned(people.umpire, own), **_within(campaigns, people)})


def _campaign(people: People, slug: str, mode: str = Campaign.Mode.STAFF) -> Campaign:
    sitting = {
        Seat.Role.UMPIRE.value: people.umpire,
        Seat.Role.EGYPTIAN.value: people.egyptian,
        Seat.Role.MAHDIST.value: people.mahdist,
        Seat.Role.OBSERVER.value: people.spectator,
    }
    about: Any = {"title": f"The table of {slug}", "slug": slug, "seats": sitting}
    return creation.create_campaign(creation.NewCampaignTerms(SIEGE, mode=mode, **about))


def _by_orders(people: People, slug: str) -> Campaign:
    """Return a month on, its end played a second time, with a sheet that is begun."""
    campaign = _campaign(people, slug)
    first = campaign.month
    advance.run_month(campaign.pk, until=first + 1)
    before = campaign.entries.order_by("-number")[1]
    creation.branch_from(campaign.pk, before, reason="Once more.", by="umpire:umpire")
    advance.run_month(campaign.pk, until=first + 1)
    Campaign.objects.filter(pk=campaign.pk).update(mode=Campaign.Mode.ORDERS)
    campaign.refresh_from_db()
    seat = campaign.seats.get(role=Seat.Role.EGYPTIAN)
    order_submission.save_sheet(campaign.pk, people.egyptian, seat.pk, {}, expected_revision=0)
    return campaign


def _at_war(people: People) -> Campaign:
    campaign = before_battle(people, "tabletop")
    campaign.seats.create(role=Seat.Role.OBSERVER, user=people.spectator)
    fought = small_brief(f"{campaign.battle}-{campaign.branch}")
    record(owner_of(campaign), fought, BOOK, KEY)
    return campaign


def _owned(owner: User, texts: dict[str, str]) -> dict[str, object]:
    """Return the values for addresses of a person's own things."""
    tables = rules_edition.name_tables(owner, "Nobody marches", texts)
    trial = comparisons.BenchTerms(SIEGE, 2, after=tables)
    sides = {Side.EGYPTIAN: ME, Side.MAHDIST: OPEN}
    fight = begin_fight(owner, small_brief(), NewFight(BOOK, sides))
    comparison = comparisons.request_comparison(
        owner, comparisons.ComparisonTerms(small_brief(), 2)
    )
    own, _ = own_scenarios.save_scenario(owner, own_scenarios.blank_document())
    own_scenarios.share_scenario(owner, own, shared=True)
    unwanted, _ = own_scenarios.save_scenario(owner, own_scenarios.blank_document())
    own_scenarios.delete_scenario(owner, unwanted)
    seats = {Seat.Role.UMPIRE.value: owner}
    mistaken = creation.create_campaign(creation.NewCampaignTerms(SIEGE, seats=seats))
    return {
        "deleted campaign": deletion.delete_campaign(mistaken.pk, owner).pk,
        "own scenario": own.pk,
        "deleted scenario": unwanted.pk,
        "shared link": own.link,
        "tables": tables.pk,
        "table set": tables.tables_id,
        "bench": comparisons.request_bench(owner, trial).uuid,
        "comparison": comparison.uuid,
        "battle": start(owner, small_brief(), BOOK, Battle.Way.TABLETOP).uuid,
        "fight": fight.uuid,
        "join": fight.commands.get(side=Side.MAHDIST).invitation,
        "hook": webhooks.create_webhook(owner, "https://club.example/told").pk,
        "browser": PushSubscription.objects.create(
            user=owner, endpoint=f"https://push.example/{owner.pk}", browser="Firefox on Linux"
        ).pk,
        "token": create_token(owner, "a program", Scope.values)[0].pk,
        "mail": mail_messages.mailing_of(owner).token,
        "calendar": token_of(owner),
    }


def _within(campaigns: dict[str, Campaign], people: People) -> dict[str, object]:
    """Return the values for addresses of a campaign."""
    orders = campaigns[ORDERS]
    offer = invitations.SeatOffer(Seat.Role.OBSERVER.value, "Correspondent")
    invitation, secret = invitations.invite(orders.pk, people.umpire, offer)
    return {
        "seat": orders.seats.get(role=Seat.Role.EGYPTIAN).pk,
        "receipt": Receipt.objects.get(sheet__campaign=orders).pk,
        "invitation": invitation.pk,
        "secret": secret,
        "job": advance_jobs.request_advance(orders.pk, people.umpire).uuid,
        "awaited": campaigns[WAR].battle,
        "inquiry": inquiries.forecast_campaign(orders, people.umpire).uuid,
        "branch": 1,
        "letter": _letter(orders, people),
        "channel": channel_posting.connect_channel(people.umpire, orders, CHANNEL).pk,
        "picture": picture_url(orders, orders.first_month).split("/")[-1].removesuffix(".png"),
    }


def _letter(orders: Campaign, people: People) -> int:
    """Return the number of a letter from the Egyptian commander to the umpire."""
    seats = dict(orders.seats.filter(role__in=("egyptian", "umpire")).values_list("role", "pk"))
    draft = LetterDraft(seats["egyptian"], [seats["umpire"]], "Hold the river.")
    return send_letter(orders.pk, people.egyptian, draft).pk
