"""Create the demo campaigns: some that wait for their players, and some that are over.

A scenario lists them in its file `demo.toml`. They are played under fog of war by order sheets, as
people play them: each month both sides submit a sheet and the month is run. Seeds and salts are
fixed, so the campaigns are the same everywhere.
"""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import count
from typing import Annotated, cast

import msgspec
from django.contrib.auth.models import User
from django.db import transaction

from battles.contract.brief import Side
from campaign.models import Campaign, Seat
from campaign.orders.order_sheet import sheet_to_builtins
from campaign.orders.staff_draft import draft_by_staff
from campaign.rules import scenario_files
from campaign.rules.tables.scenario_loader import scenarios
from campaign.services.journal import creation
from campaign.services.orders import submission
from campaign.services.orders.sheets import known_state
from campaign.services.turns import advance

PEOPLE = {
    "umpire": Seat.Role.UMPIRE,
    "egyptian": Seat.Role.EGYPTIAN,
    "mahdist": Seat.Role.MAHDIST,
}
"""The demo users by name, with their seats."""
LONGEST = 60  # months
Slug = Annotated[str, msgspec.Meta(pattern="^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)]


class Demo(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A campaign of the demo; all of its months are played unless a number is given."""

    slug: Slug
    title: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    seed: int
    months: Annotated[int, msgspec.Meta(ge=0, le=LONGEST)] = LONGEST
    scenario: str = ""

    @property
    def is_open(self) -> bool:
        """Return whether the campaign waits for its players rather than being over."""
        return self.months < LONGEST


class _DemoFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    campaign: tuple[Demo, ...]


def demos() -> tuple[Demo, ...]:
    """Return the campaigns of the demo in the order of the scenarios, open ones first.

    Raises TableError with file and line of an invalid one.
    """
    found = [
        msgspec.structs.replace(one, scenario=scenario.slug)
        for scenario in scenarios()
        if (source := scenario_files.optional_source(scenario.slug, scenario_files.DEMO))
        for one in source.convert(source.document(), _DemoFile).campaign
    ]
    return tuple(sorted(found, key=lambda demo: not demo.is_open))


def make_demo(demo: Demo, people: Mapping[str, User]) -> Campaign:
    """Return the campaign of the demo, created and played first if there is none yet.

    It is one transaction: an interruption leaves nothing behind.
    """
    with transaction.atomic():
        return _find_demo(demo, people) or next(_played_to_its_month(demo, people))


def _find_demo(demo: Demo, people: Mapping[str, User]) -> Campaign | None:
    """Return the demo campaign if it exists.

    An older program's demo has the same slug but no order sheets, and does not count.
    """
    found = Campaign.objects.filter(slug__startswith=demo.slug, mode=Campaign.Mode.ORDERS)
    return found.filter(seats__user=people["egyptian"]).first()


def _played_to_its_month(demo: Demo, people: Mapping[str, User]) -> Iterator[Campaign]:
    """Yield the campaign, played with one seed after the other until it is open if it should be."""
    for seed in map(str, count(demo.seed)):
        campaign = _play_months(_begin_demo(demo, people, seed), demo.months, seed)
        if campaign.finished and demo.is_open:
            campaign.delete()
        else:
            yield campaign


def _begin_demo(demo: Demo, people: Mapping[str, User], seed: str) -> Campaign:
    taken = Campaign.objects.filter(slug=demo.slug).exists()
    wanted = creation.NewCampaignTerms(
        demo.scenario,
        demo.title,
        slug="" if taken else demo.slug,
        public=True,
        seats={role.value: people[name] for name, role in PEOPLE.items()},
        mode=Campaign.Mode.ORDERS,
        fog=True,
        seed=sha256(seed.encode()).digest(),
    )
    return creation.create_campaign(wanted, by="demo")


def _play_months(campaign: Campaign, months: int, seed: str) -> Campaign:
    """Play so many months by submitted sheets, and leave drafts for the month after them."""
    for _ in range(months):
        _write_sheets(campaign, seed)
        campaign = advance.run_month(campaign.pk, until=campaign.month + 1)
        if campaign.finished:
            return campaign
    _write_sheets(campaign)
    return campaign


def _write_sheets(campaign: Campaign, seed: str = "") -> None:
    """Write each side's sheet as its staff would; submit it if a seed is given for its salt."""
    for seat in campaign.seats.filter(role__in=[*Side]).select_related("user").order_by("pk"):
        orders = sheet_to_builtins(draft_by_staff(known_state(campaign, seat), Side(seat.role)))
        at = campaign.pk, cast("User", seat.user), seat.pk
        if seed:
            salt = sha256(f"{seed} {campaign.month} {seat.role}".encode()).hexdigest()
            submission.save_sheet(*at, orders, salt=salt)
            submission.submit(*at)
        else:
            submission.save_sheet(*at, orders)
