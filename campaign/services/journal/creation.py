"""Create campaigns, and open a branch at an earlier entry."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, NamedTuple, TypedDict, Unpack

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils.text import slugify

from battles import journal
from battles.contract.brief import Side
from battles.core.decoding import digest, encode
from campaign import rules, serialization
from campaign.access import selectors
from campaign.models import Branch, Campaign, Entry, Seat, TableSet
from campaign.rules.core.state import COMBAT_TABLE, State
from campaign.rules.tables.editions import (
    Edition,
    UnknownName,
    edition,
    named_edition,
    shipped_edition,
)
from campaign.rules.tables.scenario_data import Scenario
from campaign.rules.tables.scenario_loader import UnknownScenario, scenario
from campaign.services import pending_battle
from campaign.services.errors import NameTaken, Refused, UnderWay, UnfitRequest, visible
from campaign.services.journal import campaign_session, dice
from campaign.services.journal.campaign_session import WRITTEN, set_columns, snapshot
from campaign.services.journal.rules_edition import keep_tables
from campaign.services.turns import timetable
from campaign.staff.levels import Level

LONGEST_TITLE, LONGEST_SLUG = 100, 50
DELAYS = (1, 2, 3, 4, 6, 12)
"""The delays in months, after which the public may learn of a month."""
NEVER = 99
"""The delay that hides every month until the campaign is over."""


@dataclass(frozen=True)
class NewCampaignTerms:
    """The choices for a new campaign; title and slug come from the scenario if not given.

    A title from the scenario gets a number for people who have a campaign called so already.
    """

    scenario: str
    title: str = ""
    slug: str = ""
    public: bool = False
    seats: Mapping[str, User] = field(default_factory=dict)
    """The users by the role they take."""
    tables: TableSet | None = None
    """The set of tables it is played by; None for those of the edition."""
    edition: str = ""
    """The named edition it is played by; empty for the shipped one."""
    battles: str = COMBAT_TABLE
    """The way its battles are fought: "combat-table", "tabletop", or a book."""
    battle_book: str = ""
    """The book by which people fight its battles, unless they choose another."""
    mode: str = Campaign.Mode.STAFF
    staff: Collection[str] = ()
    """The roles of the sides that the computer's staff plays against people."""
    fog: bool = False
    dice_by_hand: bool = False
    staff_level: str = Level.CLUB.value
    when_ready: bool = False
    deadline_policy: Mapping[str, Any] = field(default_factory=dict)
    public_delay: int = 2
    """This and the fields above that have no description are columns of Campaign."""
    seed: bytes = b""
    """The secret seed of its dice, for a reproducible beginning; empty: drawn at random."""


class BattleChoice(NamedTuple):
    """The arrangement of battles: their resolution, and the book by which people fight."""

    resolution: str
    book: str = ""


class SoloOptions(TypedDict, total=False):
    """The terms of a campaign alone that have defaults."""

    edition: str
    staff_level: str


BY_TABLE = BattleChoice(COMBAT_TABLE)


def create_campaign(terms: NewCampaignTerms, *, by: str = "server") -> Campaign:
    """Create a campaign at the start of its scenario, its dice sealed. Raises UnfitRequest."""
    played_by = _edition_of(terms)
    try:
        scenario = played_by.scenario(terms.scenario)
    except UnknownScenario as error:
        raise UnfitRequest(str(error), "scenario") from error
    handed_over = pending_battle.battle_arrangement(terms.battles, terms.battle_book)
    state = rules.new_game(scenario.slug, played_by, handed_over)
    title = terms.title.strip() or free_title(scenario.title, terms.seats.values())
    return begin_at(state, replace(terms, title=title), by=by)


def create_solo_campaign(
    user: User,
    side: Side,
    scenario_slug: str,
    *,
    battles: BattleChoice = BY_TABLE,
    **options: Unpack[SoloOptions],
) -> Campaign:
    """Create a campaign that the user plays alone, by order sheets and in a fog of war.

    The staff plays the other side, and nobody is the umpire: the user sees what their side sees
    until the campaign is over, and says how its battles are fought. Its months run as soon as the
    user is ready. Raises UnfitRequest.
    """
    (other,) = set(Side) - {side}
    terms = NewCampaignTerms(
        scenario_slug,
        seats={side.value: user},
        staff=[other.value],
        mode=Campaign.Mode.ORDERS,
        fog=True,
        when_ready=True,
        battles=battles.resolution,
        battle_book=battles.book,
        **options,
    )
    return create_campaign(terms, by=f"player:{user.get_username()}")


def _edition_of(terms: NewCampaignTerms) -> Edition:
    if terms.tables and terms.edition:
        raise UnfitRequest("Choose an edition or a set of tables, not both.", "edition")
    if terms.tables:
        return serialization.edition_of(terms.tables.digest)
    try:
        return named_edition(terms.edition).edition if terms.edition else shipped_edition()
    except UnknownName as error:
        raise UnfitRequest(str(error), "edition") from error


def begin_at(
    state: State,
    terms: NewCampaignTerms,
    *,
    reason: str = "The campaign begins.",
    by: str = "server",
) -> Campaign:
    """Create a campaign that begins in this state, its dice sealed. Raises UnfitRequest."""
    with transaction.atomic():
        campaign = blank_campaign(terms, state, terms.seed or dice.new_seed())
        campaign.title = checked_title(terms.title)
        save_under_free_slug(campaign, terms.slug, campaign.title)
        seat(campaign, terms.seats)
        _seat_the_rest(campaign, terms)
        snapshot(state, campaign.pk, state.month).save()
        dice.open_branch(campaign, reason=reason, by=by)
        if state.result is None:
            dice.open_month(campaign, state.month)
        campaign_session.begin_knowledge(campaign, state)
        pending_battle.update_battle_clock(campaign, state)
        campaign.save(update_fields=["battle", "battle_due"])
        timetable.open_deadline(campaign)
    return campaign


def _seat_the_rest(campaign: Campaign, terms: NewCampaignTerms) -> None:
    """Create a seat, vacant or the staff's, for each side nobody has taken, where people play.

    Raises UnfitRequest for a role in `staff` that is no side.
    """
    if unknown := set(terms.staff).difference(Seat.SIDES):
        raise UnfitRequest(f"The staff plays sides; {', '.join(sorted(unknown))} is none.")
    if campaign.mode == Campaign.Mode.STAFF:
        return
    for side in Side:
        if side.value not in terms.seats:
            by_staff = side.value in terms.staff
            Seat.objects.create(campaign=campaign, role=side.value, staff=by_staff)


def known_scenario(slug: str) -> Scenario:
    try:
        return scenario(slug)
    except UnknownScenario as error:
        raise UnfitRequest(str(error), "scenario") from error


def blank_campaign(terms: NewCampaignTerms, state: State, seed: bytes) -> Campaign:
    """Return an unsaved campaign in that state, without title and slug; its tables are stored."""
    document = encode(state)
    campaign = Campaign(
        scenario=state.scenario,
        rules=state.rules,
        tables=keep_tables(edition(state.edition)),
        public=terms.public,
        umpire=terms.seats.get(Seat.Role.UMPIRE),
        secret_seed=seed,
        public_anchor=dice.anchor(seed),
        first_month=state.month,
        document=journal.pack(document),
        document_hash=digest(document),
        mode=_known_mode(terms.mode),
        fog=terms.fog,
        dice_by_hand=terms.dice_by_hand,
        staff_level=known_level(terms.staff_level),
        when_ready=terms.when_ready,
        deadline_policy=dict(terms.deadline_policy),
        public_delay=known_delay(terms.public_delay),
    )
    set_columns(campaign, state)
    return campaign


def known_level(level: str) -> str:
    """Return the level of the staff. Raises UnfitRequest for one that there is not."""
    if level not in list(Level):
        raise UnfitRequest(f"The staff plays at level {', '.join(Level)}, not {level!r}.")
    return level


def known_delay(months: int) -> int:
    """Return the delay after which the public learns of a month. Raises UnfitRequest."""
    if months not in (*DELAYS, NEVER):
        listed = ", ".join(map(str, DELAYS))
        message = f"The delay is one of {listed} months, or none: until the campaign is over."
        raise UnfitRequest(message, "public_delay_months")
    return months


def _known_mode(mode: str) -> str:
    if mode not in Campaign.Mode.values:
        raise UnfitRequest(
            f"A campaign is played by {', '.join(Campaign.Mode.values)}, not by {mode!r}."
        )
    return mode


def seat(campaign: Campaign, seats: Mapping[str, User]) -> None:
    """Give the users their seats. Raises UnfitRequest for a role that does not exist."""
    for role, user in seats.items():
        if role not in Seat.Role.values:
            raise UnfitRequest(
                f"There is no seat {role!r}; there are {', '.join(Seat.Role.values)}."
            )
        Seat.objects.create(campaign=campaign, user=user, role=role)


def checked_title(title: str) -> str:
    """Return the title, stripped. Raises UnfitRequest where it is empty, overlong or unreadable."""
    title = visible(title, "title")
    if not 1 <= len(title) <= LONGEST_TITLE:
        raise UnfitRequest(f"A title has 1 to {LONGEST_TITLE} letters.", "title")
    return title


def free_title(title: str, people: Iterable[User]) -> str:
    """Return the title, with a number if one of the people has a seat in a campaign called so.

    A title that is too long for a campaign is cut off.
    """
    title = title[:LONGEST_TITLE].rstrip()
    seats = Seat.objects.filter(user__in={user.pk for user in people})
    used = set(
        Campaign.objects.filter(pk__in=seats.values("campaign")).values_list("title", flat=True)
    )
    if title not in used:
        return title
    base = re.sub(r" \(\d+\)$", "", title)[: LONGEST_TITLE - len(" (1000)")]
    return next(name for number in count(2) if (name := f"{base} ({number})") not in used)


def save_under_free_slug(campaign: Campaign, slug: str, title: str) -> None:
    """Save a new campaign under the slug wanted, or an unused one made from the title.

    Raises UnfitRequest for an invalid slug and NameTaken for one in use.
    """
    while campaign._state.adding:
        campaign.slug = _free_slug(slug, title)
        try:
            with transaction.atomic():
                campaign.save()
        except IntegrityError:
            # Another campaign has taken the slug since it was looked for.
            if not Campaign.objects.filter(slug=campaign.slug).exists():
                raise


def _free_slug(slug: str, title: str) -> str:
    if slug:
        return _check_slug(slug)
    first = _cut_slug(slugify(title), LONGEST_SLUG) or "campaign"
    base = _cut_slug(first, LONGEST_SLUG - len("-1000"))
    used_slugs = set(Campaign.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    names = (first if number == 1 else f"{base}-{number}" for number in count(1))
    return next(name for name in names if name not in used_slugs)


def _cut_slug(slug: str, length: int) -> str:
    return slug[:length].rstrip("-_")


def _check_slug(slug: str) -> str:
    if slugify(slug) != slug or len(slug) > LONGEST_SLUG:
        raise UnfitRequest(
            f"“{slug}” cannot be the campaign’s short name: use small letters, digits and "
            f"hyphens, at most {LONGEST_SLUG}.",
            "slug",
        )
    if Campaign.objects.filter(slug=slug).exists():
        raise NameTaken(f"There is a campaign “{slug}” already; choose another short name.", "slug")
    return slug


def branch_from(campaign_id: int, entry: Entry, *, reason: str, by: str) -> Branch:
    """Open a branch from `entry`; the entries after it stay visible on the old branch.

    The new branch throws dice of its own chain. The month that the old branch leaves open is
    closed, so that its dice can be verified too. Raises UnderWay while a job is running, and
    UnfitRequest for an entry of another campaign or without a reason.
    """
    if not reason.strip():
        raise UnfitRequest("Give the reason for going back: everybody can read it.")
    with transaction.atomic():
        campaign = journal.lock_record(Campaign.objects.all(), campaign_id)
        _check_rewind(campaign, entry)
        if not campaign.finished:
            dice.close_month(campaign, campaign.month)
        campaign.head = entry
        branch = dice.open_branch(campaign, reason=reason.strip(), by=by)
        begin_branch(campaign, selectors.state_after(campaign, entry))
    return branch


def _check_rewind(campaign: Campaign, entry: Entry) -> None:
    if entry.campaign_id != campaign.pk:
        raise UnfitRequest("That entry belongs to another campaign.")
    if entry.pk == campaign.head_id:
        raise Refused("The campaign is already at that point: there is nothing to undo.")
    if selectors.job_under_way(campaign):
        raise UnderWay("The month is being advanced; wait until that is done, then go back.")


def begin_branch(campaign: Campaign, state: State) -> None:
    """Save the campaign in that state on its new branch, and seal new dice for the month."""
    save_position(campaign, state)
    if state.result is None:
        dice.open_month(campaign, state.month)


def save_position(campaign: Campaign, state: State) -> None:
    """Save the campaign, with its head and branch, in that state."""
    document = encode(state)
    campaign.document, campaign.document_hash = journal.pack(document), digest(document)
    set_columns(campaign, state)
    pending_battle.update_battle_clock(campaign, state)
    campaign.save(update_fields=WRITTEN)
    timetable.open_deadline(campaign)
