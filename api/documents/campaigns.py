"""Campaigns, their months, dice and jobs as documents."""

from typing import Self

import msgspec
from django.urls import reverse

from api.documents.rulebook import MonthPart, month_part
from api.documents.scalars import (
    ModeName,
    Moment,
    MonthOrSetUp,
    PhaseName,
    RoleName,
    SideName,
)
from campaign.access import fog_of_war
from campaign.access.selectors import PublicSeal
from campaign.models import Campaign


class CampaignLine(msgspec.Struct, frozen=True):
    """A campaign in a list, with the current month, side and phase.

    `waiting_for` and `outcome`, in words, are null if it waits for nobody, or is not over. `roles`
    are yours.
    """

    slug: str
    title: str
    scenario: str
    public: bool
    umpire: str | None
    created: Moment
    month: MonthPart
    side: SideName
    phase: PhaseName
    waiting_for: str | None
    finished: bool
    outcome: str | None
    roles: list[RoleName]
    links: dict[str, str]

    @classmethod
    def of(cls, campaign: Campaign, roles: set[str], **more: object) -> Self:
        """Return the line of a campaign for a user with these roles.

        `more` are the fields of a longer document.
        """
        return cls(
            slug=campaign.slug,
            title=campaign.title,
            scenario=campaign.scenario,
            public=campaign.public,
            umpire=campaign.umpire.get_username() if campaign.umpire else None,
            created=campaign.created,
            month=month_part(campaign.month),
            side=campaign.side,
            phase=campaign.phase,
            waiting_for=fog_of_war.waiting_for(campaign, fog_of_war.viewer_of_roles(roles)) or None,
            finished=campaign.finished,
            outcome=campaign.outcome or None,
            roles=sorted(roles),
            links=campaign_links(campaign.slug),
            **more,
        )


class CampaignDocument(CampaignLine, frozen=True):
    """A campaign with what you may do in it; `job` is the address of the running one.

    With `when_ready`, a month runs as soon as every seat is ready; with `dice_by_hand`, the umpire
    types in the dice; while `adjourned`, nothing runs.
    """

    first: MonthPart = msgspec.field(name="first_month")
    may_advance: bool
    mode: ModeName
    fog: bool
    adjourned: bool
    dice_by_hand: bool
    when_ready: bool
    job: str | None


class SealDocument(msgspec.Struct, frozen=True):
    """The origin of a month's dice; complete once the month is closed.

    Hashing `link` `place` times gives `anchor`; the salts, by side, hash to `commitments`. All
    hashes are SHA-256, in hexadecimal. `link` and `salts` are null until the month is closed.
    """

    branch: int
    month: MonthOrSetUp
    anchor: str
    place: int
    commitments: dict[str, str]
    salted_by: str
    link: str | None
    salts: dict[str, str] | None


class DiceDocument(msgspec.Struct, frozen=True):
    """The public anchor of a campaign's dice, and the seal of every month so far."""

    campaign: str
    anchor: str
    seals: tuple[SealDocument, ...]


class ProofDocument(msgspec.Struct, frozen=True):
    """The result of recomputing the dice of every closed month.

    `holds`: all were reproduced; otherwise `wrong` names the first that was not. It is null while
    the fog of war hides throws from you. `sealed_entries` cannot be checked until their month is
    closed.
    """

    holds: bool | None
    wrong: str
    months: int = 0
    rolls: int = 0
    dice: int = 0
    sealed_entries: int = 0


def campaign_links(slug: str) -> dict[str, str]:
    """Return the addresses of everything about a campaign."""
    names = (
        "timeline", "months", "events", "stream", "papers", "dice", "proof", "figures", "branches",
        "umpire-log", "seats", "decision", "battles", "deadline", "advance",
    )  # fmt: skip
    found = {name: reverse(f"api:campaign-{name}", args=[slug]) for name in names}
    current = [slug, "current"]
    return {
        "self": reverse("api:campaign", args=[slug]),
        "state": reverse("api:month-state", args=current),
        **found,
    }


def umpire_links(slug: str) -> dict[str, str]:
    """Return the addresses of the umpire's powers."""
    names = (
        "worklist", "entries", "invitations", "umpires", "rulings", "rewinds",
        "dice-by-hand", "rules-version", "adjournment", "ending", "export",
    )  # fmt: skip
    return {name: reverse(f"api:campaign-{name}", args=[slug]) for name in names}


def dice_document(campaign: Campaign, seals: list[PublicSeal]) -> DiceDocument:
    return DiceDocument(campaign.slug, campaign.public_anchor, tuple(_seal(seal) for seal in seals))


def _seal(seal: PublicSeal) -> SealDocument:
    return SealDocument(
        branch=seal.branch,
        month=month_part(seal.month).month,
        anchor=seal.anchor,
        place=seal.place,
        commitments=seal.commitments,
        salted_by=seal.salted_by,
        link=seal.link,
        salts=seal.salts,
    )
