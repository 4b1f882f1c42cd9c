"""`manage.py demo`: create the demo users and campaigns; run again, it only prints them.

Some campaigns wait for their players, and some are over. A scenario lists them in its file
`demo.toml`. They are played under fog of war by order sheets, as people play them: each month both
sides submit a sheet that the staff has drafted, and the month is run. Seeds and salts are fixed, so
the campaigns are the same everywhere.
"""

import secrets
from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Annotated, Any, cast

import msgspec
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import CommandError
from django.db import transaction

from battles.contract.brief import Side
from battles.core.decoding import decode, decoder_for, encode
from campaign import staff
from campaign.management.base import SirdarCommand
from campaign.models import Campaign, Seat
from campaign.orders.dry_run import GOOD, MOST_ACTIONS, FixedDice, open_phase
from campaign.orders.order_sheet import (
    ContactPolicy,
    FootLeg,
    Hex,
    Leg,
    MarchOrder,
    MonthOrders,
    Order,
    RailLeg,
    RiverLeg,
    Units,
    sheet_to_builtins,
)
from campaign.rules import scenario_files
from campaign.rules.core import actions as a
from campaign.rules.core.board import board
from campaign.rules.core.play import play
from campaign.rules.core.state import Phase, State, current_march
from campaign.rules.tables.scenario_loader import scenarios
from campaign.services import order_submission
from campaign.services.journal import creation
from campaign.services.order_sheets import known_state
from campaign.services.turns import advance


class Command(SirdarCommand):
    help = "Make the demo campaigns and their people if they are missing; print the passwords."

    def handle(self, *_args: Any, **_options: Any) -> None:
        path = settings.DATA / "demo.json"
        passwords = kept_passwords(path)
        usernames = {*passwords, *User.objects.values_list("username", flat=True)}
        passwords |= {name: secrets.token_urlsafe(9) for name in PEOPLE if name not in usernames}
        # Stored before the users are created, so that a start killed in between can be repeated.
        keep(path, passwords)
        people = {name: person(name, passwords) for name in PEOPLE}
        campaigns = [make_demo(demo, people) for demo in demos()]
        waiting = " and ".join(
            repr(campaign.title) for campaign in campaigns if not campaign.finished
        )
        self.stdout.write(f"The demo campaign is {waiting}. Log in as")
        for name in PEOPLE:
            self.stdout.write(f"  {name:<10} {passwords.get(name, '(password as you set it)')}")
        for over in (campaign for campaign in campaigns if campaign.finished):
            self.stdout.write(f"{over.title!r} is over: look through its debrief and gazettes.")


def kept_passwords(path: Path) -> dict[str, str]:
    """Return the stored passwords of the demo users who were created here."""
    if not path.exists():
        return {}
    try:
        passwords: dict[str, str] = decoder_for(dict[str, str]).decode(path.read_bytes())
    except msgspec.DecodeError as error:
        raise CommandError(f"{path} is damaged ({error}); delete it.") from error
    return passwords


def keep(path: Path, passwords: dict[str, str]) -> None:
    """Write the passwords, readable by the file's owner only."""
    path.touch(mode=0o600)
    path.write_bytes(msgspec.json.encode(passwords))


def person(name: str, passwords: dict[str, str]) -> User:
    """Return the user of that name, created with the stored password if there is none yet."""
    user = User.objects.filter(username=name).first()
    return user or User.objects.create_user(name, password=passwords[name])


PEOPLE = {"umpire": Seat.Role.UMPIRE, "egyptian": Seat.Role.EGYPTIAN, "mahdist": Seat.Role.MAHDIST}
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
    all_demos = [
        msgspec.structs.replace(demo, scenario=scenario.slug)
        for scenario in scenarios()
        if (source := scenario_files.optional_source(scenario.slug, scenario_files.DEMO))
        for demo in source.convert(source.document(), _DemoFile).campaign
    ]
    return tuple(sorted(all_demos, key=lambda demo: not demo.is_open))


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
    campaigns = Campaign.objects.filter(slug__startswith=demo.slug, mode=Campaign.Mode.ORDERS)
    return campaigns.filter(seats__user=people["egyptian"]).first()


def _played_to_its_month(demo: Demo, people: Mapping[str, User]) -> Iterator[Campaign]:
    """Yield the campaign, played with one seed after the other until it is open if it should be."""
    for seed in map(str, count(demo.seed)):
        campaign = _play_months(_begin_demo(demo, people, seed), demo.months, seed)
        if campaign.finished and demo.is_open:
            campaign.delete()
        else:
            yield campaign


def _begin_demo(demo: Demo, people: Mapping[str, User], seed: str) -> Campaign:
    is_taken = Campaign.objects.filter(slug=demo.slug).exists()
    terms = creation.NewCampaignTerms(
        demo.scenario,
        demo.title,
        slug="" if is_taken else demo.slug,
        public=True,
        seats={role.value: people[name] for name, role in PEOPLE.items()},
        mode=Campaign.Mode.ORDERS,
        fog=True,
        seed=sha256(seed.encode()).digest(),
    )
    return creation.create_campaign(terms, by="demo")


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
        sheet_key = campaign.pk, cast("User", seat.user), seat.pk
        if seed:
            salt = sha256(f"{seed} {campaign.month} {seat.role}".encode()).hexdigest()
            order_submission.save_sheet(*sheet_key, orders, salt=salt)
            order_submission.submit(*sheet_key)
        else:
            order_submission.save_sheet(*sheet_key, orders)


def draft_by_staff(state: State, side: Side) -> MonthOrders:
    """Return the orders by which the side's staff would march this month, from what it knows.

    Throws succeed as well as they can and nothing is fought, as in a dry run: an order says where a
    stack is meant to go, and whether it attacks there.
    """
    copy = decode(encode(state), State)
    open_phase(copy, state, side, Phase.MARCH)
    orders: list[Order] = []
    for _ in range(MOST_ACTIONS):
        if copy.question is None:
            break
        action = staff.answer(copy)
        if isinstance(action, a.Done):
            break
        _note(orders, copy, action)
        play(copy, a.Halt() if isinstance(action, a.Attack) else action, FixedDice(GOOD))
    moving = (order for order in orders if isinstance(order, MarchOrder) and order.legs)
    return MonthOrders(orders=tuple(moving))


def _note(orders: list[Order], state: State, action: a.AnyAction) -> None:
    """Write the action into the order of the stack that acts, or into a new order."""
    if isinstance(action, a.March | a.Rail | a.Sail):
        start = board(state).named(action.units)[0].hex
        last = orders[-1] if orders else None
        again = isinstance(last, MarchOrder) and set(action.units) <= set(last.units)
        if not again or not isinstance(action, a.March):
            orders.append(_order_of_march(start, action))
    elif isinstance(action, a.Move | a.Attack):
        _lead_on(orders, state, action)


def _order_of_march(start: Hex, action: a.March | a.Rail | a.Sail) -> MarchOrder:
    legs: tuple[Leg, ...] = ()
    if isinstance(action, a.Rail):
        legs = (RailLeg(action.hex),)
    elif isinstance(action, a.Sail):
        legs = (RiverLeg(action.path[-1]),)
    units: Units = tuple(action.units)
    return MarchOrder(start, units, legs)


def _lead_on(orders: list[Order], state: State, action: a.Move | a.Attack) -> None:
    """Make the order of the stack on the march end where the action takes it."""
    last = orders[-1] if orders else None
    if isinstance(last, MarchOrder) and set(current_march(state).units) <= set(last.units):
        target, contact = (
            (action.hex, ContactPolicy.ATTACK)
            if isinstance(action, a.Attack)
            else (action.path[-1], last.contact)
        )
        orders[-1] = msgspec.structs.replace(last, legs=(FootLeg(target),), contact=contact)
