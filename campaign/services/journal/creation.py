"""New campaigns, and going back to an earlier entry."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.text import slugify

from battles.contract.brief import Side
from battles.core.decoding import digest, encode
from battles.history import journal
from campaign import rules, serialization
from campaign.access import selectors
from campaign.models import Branch, Campaign, Entry, Seat, TableSet
from campaign.rules.core.state import TABLE, State
from campaign.rules.tables.editions import edition, shipped
from campaign.rules.tables.scenario_data import Scenario
from campaign.rules.tables.scenario_loader import UnknownScenario, scenario
from campaign.services.battles import pending_battle
from campaign.services.errors import NameTaken, Refused, UnderWay, Unfit, visible
from campaign.services.journal import dice, side_knowledge
from campaign.services.journal.campaign_session import WRITTEN, set_columns, snapshot
from campaign.services.journal.rules_edition import keep_tables
from campaign.services.turns import timetable

LONGEST_SLUG = 50


@dataclass(frozen=True)
class NewCampaignTerms:
    """What a new campaign shall be: title and slug come from the scenario if not given."""

    scenario: str
    title: str = ""
    slug: str = ""
    public: bool = False
    seats: Mapping[str, User] = field(default_factory=dict)
    """Who sits where, by the role's name."""
    tables: TableSet | None = None
    """What it is played by, if not by the tables as they are shipped."""
    battles: str = TABLE
    """By what its battles are fought: the table, "by hand", or a book."""
    mode: str = Campaign.Mode.STAFF
    staff: Collection[str] = ()
    """The roles of the sides that the computer's staff plays, where people play at all."""
    fog: bool = False
    dice_by_hand: bool = False
    when_ready: bool = False
    deadline_policy: Mapping[str, Any] = field(default_factory=dict)
    public_delay: int = 3
    """All of these as the columns of the campaign have them."""
    seed: bytes = b""
    """The secret seed of its dice, for a campaign that is to begin alike each time; else drawn."""


def create_campaign(wanted: NewCampaignTerms, *, by: str = "server") -> Campaign:
    """Return a campaign as its scenario begins, its dice sealed. Unfit for what cannot be used."""
    played_by = serialization.edition_of(wanted.tables.digest) if wanted.tables else shipped()
    here = played_by.scenario(known_scenario(wanted.scenario).slug)
    state = rules.new_game(here.slug, played_by, pending_battle.battle_arrangement(wanted.battles))
    return begin_at(state, replace(wanted, title=wanted.title or here.title), by=by)


def begin_at(
    state: State,
    wanted: NewCampaignTerms,
    *,
    reason: str = "The campaign begins.",
    by: str = "server",
) -> Campaign:
    """Return a campaign that begins as this state stands, its dice sealed; Unfit as above."""
    with transaction.atomic():
        campaign = blank_campaign(wanted, state, wanted.seed or dice.new_seed())
        campaign.title = visible(wanted.title, "title")
        campaign.slug = free_slug(wanted.slug, campaign.title)
        campaign.save()
        seat(campaign, wanted.seats)
        _seat_the_rest(campaign, wanted)
        snapshot(state, campaign.pk, state.month).save()
        dice.open_branch(campaign, reason=reason, by=by)
        if state.result is None:
            dice.open_month(campaign, state.month)
        side_knowledge.begin(campaign, state)
        timetable.keep(campaign)
    return campaign


def _seat_the_rest(campaign: Campaign, wanted: NewCampaignTerms) -> None:
    """Where people play, a side that nobody has taken has a seat too: the staff's, or a vacant one.

    Unfit for a side that is no side.
    """
    if unknown := set(wanted.staff) - {side.value for side in Side}:
        raise Unfit(f"The staff plays sides; {', '.join(sorted(unknown))} is none.")
    if campaign.mode == Campaign.Mode.STAFF:
        return
    for side in Side:
        if side.value not in wanted.seats:
            held = side.value in wanted.staff
            Seat.objects.create(campaign=campaign, role=side.value, staff=held)


def known_scenario(slug: str) -> Scenario:
    try:
        return scenario(slug)
    except UnknownScenario as error:
        raise Unfit(str(error)) from error


def blank_campaign(wanted: NewCampaignTerms, state: State, seed: bytes) -> Campaign:
    """Return a campaign in that state, not saved, without title and slug; its tables are kept."""
    document = encode(state)
    campaign = Campaign(
        scenario=state.scenario,
        rules=state.rules,
        tables=keep_tables(edition(state.book)),
        public=wanted.public,
        umpire=wanted.seats.get(Seat.Role.UMPIRE),
        secret_seed=seed,
        public_anchor=dice.anchor(seed),
        first_month=state.month,
        document=journal.pack(document),
        document_hash=digest(document),
        mode=_known_mode(wanted.mode),
        fog=wanted.fog,
        dice_by_hand=wanted.dice_by_hand,
        when_ready=wanted.when_ready,
        deadline_policy=dict(wanted.deadline_policy),
        public_delay=wanted.public_delay,
    )
    set_columns(campaign, state)
    return campaign


def _known_mode(mode: str) -> str:
    if mode not in Campaign.Mode.values:
        raise Unfit(f"A campaign is played by {', '.join(Campaign.Mode.values)}, not by {mode!r}.")
    return mode


def seat(campaign: Campaign, seats: Mapping[str, User]) -> None:
    """Give the people their seats; Unfit for a role that does not exist."""
    for role, user in seats.items():
        if role not in Seat.Role.values:
            raise Unfit(f"There is no seat {role!r}; there are {', '.join(Seat.Role.values)}.")
        Seat.objects.create(campaign=campaign, user=user, role=role)


def free_slug(wanted: str, title: str) -> str:
    """Return the slug wanted, or one from the title that no campaign has;

    Unfit when it is taken.
    """
    if wanted:
        return _unused(wanted)
    base = slugify(title)[:LONGEST_SLUG] or "campaign"
    taken = set(Campaign.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    names = (base if number == 1 else f"{base}-{number}" for number in range(1, len(taken) + 2))
    return next(name for name in names if name not in taken)


def _unused(wanted: str) -> str:
    if slugify(wanted) != wanted or len(wanted) > LONGEST_SLUG:
        raise Unfit(
            f"{wanted!r} cannot be the campaign's short name: use small letters, digits and "
            f"hyphens, at most {LONGEST_SLUG}."
        )
    if Campaign.objects.filter(slug=wanted).exists():
        raise NameTaken(f"There is a campaign {wanted!r} already; choose another short name.")
    return wanted


def branch_from(campaign_id: int, entry: Entry, *, reason: str, by: str) -> Branch:
    """Go back to where `entry` was the last; what came after stays in sight on its branch.

    The new branch throws dice of a chain of its own. The month the old branch leaves open is
    closed, so that its dice can be checked too. Raises UnderWay while a job is, and Unfit for
    an entry of another campaign or without a reason.
    """
    if not reason.strip():
        raise Unfit("Give the reason for going back: everybody can read it.")
    with transaction.atomic():
        campaign = journal.locked(Campaign.objects.all(), campaign_id)
        _check_rewind(campaign, entry)
        if not campaign.finished:
            dice.close_month(campaign, campaign.month)
        campaign.head = entry
        branch = dice.open_branch(campaign, reason=reason.strip(), by=by)
        begin_branch(campaign, selectors.state_after(campaign, entry))
    return branch


def _check_rewind(campaign: Campaign, entry: Entry) -> None:
    if entry.campaign_id != campaign.pk:
        raise Unfit("That entry belongs to another campaign.")
    if entry.pk == campaign.head_id:
        raise Refused("The campaign stands there already; there is nothing to go back over.")
    if selectors.job_under_way(campaign):
        raise UnderWay("The month is being advanced; wait until that is done, then go back.")


def begin_branch(campaign: Campaign, state: State) -> None:
    """The campaign stands in that state on a new branch, its dice sealed anew."""
    save_position(campaign, state)
    if state.result is None:
        dice.open_month(campaign, state.month)


def save_position(campaign: Campaign, state: State) -> None:
    """Save the campaign, its head and branch, as standing in that state."""
    document = encode(state)
    campaign.document, campaign.document_hash = journal.pack(document), digest(document)
    set_columns(campaign, state)
    pending_battle.update_battle_clock(campaign, state)
    campaign.save(update_fields=WRITTEN)
    timetable.keep(campaign)
