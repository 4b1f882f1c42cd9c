"""Begin a random campaign of any kind, by the page or by REST, or before a battle."""

from typing import Any

from django.urls import reverse

from campaign.models import Campaign, Seat
from campaign.rules.tables.editions import shipped_edition
from campaign.rules.tables.scenario_loader import scenarios
from campaign.services.journal import own_scenarios
from campaign.services.umpire.invitations import regions
from tests.campaign.battlefield import before_battle
from tests.people import People
from tests.random_users.club import Club

SHORT = 4
"""The weight of a short scenario, where a printed one has 1."""
PRINTED = ("siege-of-khartoum", "relief-of-el-obeid")
PLAYERS = {"egyptian": ("eve", "emil"), "mahdist": ("mary", "mark")}
METHODS = ("combat-table", "tabletop", "tabletop", "redcoats", "restless", "fuzzy-wuzzy")


def begin(club: Club) -> None:
    """Begin a campaign, and let its players take their seats."""
    if club.chance.random() < 0.25:
        _begin_before_battle(club)
        return
    solo = club.chance.random() < 0.25
    body = {**_scenario(club, "eve" if solo else "umpire"), **_settings(club), **_battles(club)}
    body |= _alone(club) if solo else _with_umpire(club)
    answer = club.rest("eve" if solo else "umpire", "post", reverse("api:campaigns"), body)
    if answer.status_code != 201:
        raise club.fault(f"{body} is refused: {answer.content!r}")
    club.number = Campaign.objects.get(slug=answer.json()["slug"]).pk
    if not solo:
        _seat_players(club, [side for side in Seat.SIDES if body[side] == "player"])


def _scenario(club: Club, owner: str) -> dict[str, Any]:
    slugs = [scenario.slug for scenario in scenarios()]
    weights = [1 if slug in PRINTED else SHORT for slug in slugs]
    (slug,) = club.chance.choices(slugs, weights)
    if club.chance.random() < 0.9:
        return {"scenario": slug}
    document = own_scenarios.document_from_scenario(slug, shipped_edition())
    own, _ = own_scenarios.save_scenario(club.users[owner], document)
    return {"scenario": own.slug, "own_scenario_id": own.pk}


def _settings(club: Club) -> dict[str, Any]:
    def chance(share: float) -> bool:
        return club.chance.random() < share

    return {
        "mode": club.chance.choices(("orders", "live", "staff"), (5, 4, 1))[0],
        "fog": chance(0.5),
        "dice_by_hand": chance(0.35),
        "when_ready": chance(0.5),
        "public": chance(0.4),
        "staff_level": club.chance.choice(("learner", "club")),
    }


def _battles(club: Club) -> dict[str, Any]:
    return {
        "battles": {
            "resolution": club.chance.choice(METHODS),
            "signed": club.chance.random() < 0.5,
            "timeout_days": club.chance.choice((0, 3, 14)),
            "fallback": club.chance.choice(("combat-table", "redcoats")),
        }
    }


def _alone(club: Club) -> dict[str, Any]:
    sides = club.chance.sample(("me", "staff"), 2)
    played = dict(zip(Seat.SIDES, sides, strict=True))
    same = {"mode": "orders", "umpire": "nobody", "when_ready": True, "dice_by_hand": False}
    return {**same, **played, "fog": True}


def _with_umpire(club: Club) -> dict[str, Any]:
    body: dict[str, Any] = {
        side: club.chance.choices(("player", "staff"), (3, 1))[0] for side in Seat.SIDES
    }
    if club.chance.random() < 0.3:
        no_show = club.chance.choice(("hold", "staff"))
        body |= {"mode": "orders", "deadline_policy": {"days": 7, "no_show": no_show}}
    return body


def _seat_players(club: Club, sides: list[str]) -> None:
    for side in sides:
        commander, subordinate = PLAYERS[side]
        if club.chance.random() < 0.9:
            offer_seat(club, "umpire", side, [], commander)
        if club.chance.random() < 0.4:
            region = club.chance.choice(sorted(regions(club.campaign)))
            offer_seat(club, "umpire", side, [region], subordinate)
    if club.chance.random() < 0.4:
        offer_seat(club, "umpire", "observer", [], "olga")


def offer_seat(club: Club, by: str, role: str, command: list[str], taker: str) -> None:
    """Invite somebody by a link, which the taker opens and uses."""
    body = {"role": role, **({"region_names": command} if command else {})}
    answer = club.rest(by, "post", club.address("api:campaign-invitations"), body)
    if answer.status_code == 201:
        club.links.append(reverse("invitation", args=[answer.json()["secret"]]))
        open_link(club, taker, club.links[-1])


def open_link(club: Club, name: str, link: str) -> None:
    """Let somebody open a link to a seat, and take the seat."""
    club.get(name, link)
    club.post(name, link, {})


def _begin_before_battle(club: Club) -> None:
    """Begin a campaign that stands before a battle, with an umpire or without one."""
    users, chance = club.users, club.chance
    people = People(users["umpire"], users["eve"], users["mary"], users["olga"], users["stranger"])
    days, fallback = chance.choice((0, 14)), chance.choice(("combat-table", "redcoats"))
    agreed = {"signed": chance.random() < 0.5, "timeout_days": days, "fallback": fallback}
    campaign = before_battle(people, chance.choice(METHODS[1:]), **agreed)
    club.number = campaign.pk
    campaign.mode = chance.choice(("orders", "live"))
    campaign.when_ready = chance.random() < 0.5
    campaign.dice_by_hand = chance.random() < 0.35
    vacant = campaign.seats.filter(role=chance.choice(Seat.SIDES))
    if campaign.mode == "orders" and chance.random() < 0.4:
        campaign.umpire, campaign.when_ready, campaign.dice_by_hand = None, True, False
        campaign.battle_due = None
        campaign.seats.filter(role=Seat.Role.UMPIRE).delete()
        vacant.update(user=None, staff=True)
    elif chance.random() < 0.3:
        vacant.update(user=None, staff=chance.random() < 0.7)
    campaign.save()
