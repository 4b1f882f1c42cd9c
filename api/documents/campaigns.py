"""Campaigns, their months and dice as documents."""

from collections.abc import Collection

import msgspec
from django.urls import reverse
from msgspec.structs import replace

from api.documents.battles import BattleArrangement, battle_arrangement
from api.documents.decisions import head_cursor
from api.documents.jobs import job_link
from api.documents.rulebook import table_set_address
from api.documents.scalars import (
    DRAW,
    CampaignStatus,
    Cursor,
    LetterPostName,
    ModeName,
    Moment,
    MonthOrSetUp,
    OutcomeSide,
    PhaseName,
    RoleName,
    SideName,
    StaffLevelName,
)
from api.documents.scenarios import scenario_address
from api.http.rule_json import MonthName, identifier
from battles.access import display_name
from battles.journal import Damaged
from campaign.access import fog_of_war, permissions, selectors
from campaign.access.journal_events import PublicSeal
from campaign.access.selectors import Anybody
from campaign.models import Campaign, Seat
from campaign.rules.core.pieces import Month, month_name, month_slug
from campaign.rules.core.state import RULES, Phase, State
from campaign.services.journal import dice
from campaign.services.journal.creation import NEVER


class CampaignLinks(msgspec.Struct, frozen=True, kw_only=True):
    """The addresses of everything about a campaign; those of its umpire are null for others."""

    self: str
    state: str
    map: str
    despatches: str
    timeline: str
    months: str
    events: str
    stream: str
    papers: str
    dice: str
    proof: str
    table_set: str
    scenario: str
    figures: str
    branches: str
    umpire_log: str
    seats: str
    invitations: str
    decision: str
    battles: str
    deadline: str
    advance: str | None
    worklist: str | None
    rulings: str | None
    rewinds: str | None
    dice_by_hand: str | None
    export: str | None


class CampaignPart(msgspec.Struct, frozen=True, kw_only=True):
    """A campaign in a list, with the current month, side and phase, and your roles in it."""

    slug: str
    title: str
    scenario: str
    public: bool
    umpire: str | None
    umpire_name: str | None
    created_at: Moment
    status: CampaignStatus
    month: MonthName
    month_name: str
    side: SideName
    phase: PhaseName
    waiting_for: str | None
    awaited_side: SideName | None
    outcome_text: str | None
    roles: tuple[RoleName, ...]
    links: CampaignLinks


class CampaignDocument(CampaignPart, frozen=True, kw_only=True):
    """A campaign with its settings and your rights in it."""

    cursor: Cursor | None
    first_month: MonthName
    mode: ModeName
    fog: bool
    adjourned: bool
    dice_by_hand: bool
    staff_level: StaffLevelName
    public_delay_months: int | None
    when_ready: bool
    letter_post: LetterPostName
    battles: BattleArrangement | None
    outcome: OutcomeSide | None
    rules_version: str
    program_rules_version: str
    rules_kept: bool
    rules_pinned: bool
    may_advance: bool
    waits_for_dice: bool
    job: str | None


class DiceSealPart(msgspec.Struct, frozen=True):
    """The sources of a month's dice; complete once the month is closed.

    Hashing the bytes of `chain_link` `chain_position` times by BLAKE2b, to 32 bytes, gives
    `anchor`. `commitments` are the SHA-256 of the bytes of the salts, by side. All are in
    hexadecimal.
    """

    branch: int
    month: MonthOrSetUp
    anchor: str
    chain_position: int
    commitments: dict[str, str]
    salted_by: str
    chain_link: str | None
    salts: dict[str, str] | None


class DiceDocument(msgspec.Struct, frozen=True):
    """The public anchor of a campaign's dice, and the seal of every month so far."""

    campaign: str
    anchor: str
    seals: tuple[DiceSealPart, ...]


class ProofDocument(msgspec.Struct, frozen=True):
    """The result of recomputing the dice of every closed month."""

    verified: bool | None
    fault: str | None
    month_count: int
    roll_count: int
    die_count: int
    sealed_entry_count: int


def campaign_link(slug: str) -> str:
    """Return the address of a campaign."""
    return reverse("api:campaign", args=[slug])


def campaign_links(campaign: Campaign, roles: Collection[str]) -> CampaignLinks:
    """Return the addresses of everything about a campaign, for a user with these roles."""

    def link(name: str) -> str:
        return reverse(f"api:campaign-{name}", args=[campaign.slug])

    def current(name: str) -> str:
        return reverse(f"api:month-{name}", args=[campaign.slug, _month(campaign)])

    umpires = Seat.Role.UMPIRE in roles
    return CampaignLinks(
        self=campaign_link(campaign.slug),
        state=current("state"),
        map=current("map"),
        despatches=current("despatches"),
        timeline=link("timeline"),
        months=link("months"),
        events=link("events"),
        stream=link("stream"),
        papers=link("papers"),
        dice=link("dice"),
        proof=link("proof"),
        table_set=table_set_address(campaign.tables_id),
        scenario=scenario_address(campaign.scenario, campaign.tables_id),
        figures=link("figures"),
        branches=link("branches"),
        umpire_log=link("umpire-log"),
        seats=link("seats"),
        invitations=link("invitations"),
        decision=link("decision"),
        battles=link("battles"),
        deadline=link("deadline"),
        advance=link("advance") if umpires else None,
        worklist=link("worklist") if umpires else None,
        rulings=link("rulings") if umpires else None,
        rewinds=link("rewinds") if umpires else None,
        dice_by_hand=link("dice-by-hand") if umpires else None,
        export=link("export") if umpires else None,
    )


def campaign_part(campaign: Campaign, roles: Collection[str]) -> CampaignPart:
    """Return the campaign as it is listed for a user with these roles."""
    viewer = fog_of_war.viewer_of_roles({*roles})
    return CampaignPart(
        slug=campaign.slug,
        title=campaign.title,
        scenario=campaign.scenario,
        public=campaign.public,
        umpire=campaign.umpire.get_username() if campaign.umpire else None,
        umpire_name=display_name(campaign.umpire) if campaign.umpire else None,
        created_at=campaign.created,
        status=status_of(campaign),
        month=_month(campaign),
        month_name=month_name(Month(campaign.month)),
        side=campaign.side,
        phase=identifier(campaign.phase),
        waiting_for=fog_of_war.waiting_for(campaign, viewer) or None,
        awaited_side=fog_of_war.awaited_side(campaign, viewer),
        outcome_text=campaign.outcome or None,
        roles=tuple(sorted(roles)),
        links=campaign_links(campaign, roles),
    )


def campaign_document(campaign: Campaign, user: Anybody) -> CampaignDocument:
    """Return the campaign with its settings, and the rights of the user in it."""
    state, job = _readable_state(campaign), selectors.job_under_way(campaign)
    roles = selectors.role_of(user, campaign)
    viewer = fog_of_war.viewer_of_roles(roles)
    awaited = dice.waiting_throw(campaign) is not None
    part = campaign_part(campaign, roles)
    may_restart = campaign.umpire_id is None and permissions.may_restart(user, campaign)
    if may_restart:
        advance = reverse("api:campaign-advance", args=[campaign.slug])
        part = replace(part, links=replace(part.links, advance=advance))
    return CampaignDocument(
        **msgspec.structs.asdict(part),
        cursor=head_cursor(campaign),
        first_month=month_slug(Month(campaign.first_month)),
        mode=campaign.mode,
        fog=campaign.fog,
        adjourned=campaign.adjourned,
        dice_by_hand=campaign.dice_by_hand,
        staff_level=campaign.staff_level,
        public_delay_months=None if campaign.public_delay == NEVER else campaign.public_delay,
        when_ready=campaign.when_ready,
        letter_post=campaign.letter_post,
        battles=battle_arrangement(state) if state else None,
        outcome=(state.result.winner or DRAW) if state and state.result else None,
        rules_version=campaign.rules,
        program_rules_version=RULES,
        rules_kept=bool(campaign.rules_kept),
        rules_pinned=campaign.rules_pinned,
        may_advance=may_restart or (Seat.Role.UMPIRE in roles and not campaign.finished),
        waits_for_dice=awaited and fog_of_war.sees_all(campaign, viewer),
        job=job_link(job) if job else None,
    )


def _month(campaign: Campaign) -> str:
    return month_slug(Month(campaign.month))


def status_of(campaign: Campaign) -> str:
    """Return whether the campaign is set up, runs or is over."""
    if campaign.finished:
        return "over"
    return "set_up" if campaign.phase == Phase.SET_UP else "running"


def _readable_state(campaign: Campaign) -> State | None:
    """Return the state; None for a damaged one, so that the rest can still be read."""
    try:
        return selectors.state_now(campaign)
    except Damaged:
        return None


def dice_document(campaign: Campaign, seals: list[PublicSeal]) -> DiceDocument:
    return DiceDocument(campaign.slug, campaign.public_anchor, tuple(_seal(seal) for seal in seals))


def _seal(seal: PublicSeal) -> DiceSealPart:
    return DiceSealPart(
        branch=seal.branch,
        month=month_slug(seal.month),
        anchor=seal.anchor,
        chain_position=seal.place,
        commitments=seal.commitments,
        salted_by=seal.salted_by,
        chain_link=seal.link,
        salts=seal.salts,
    )
