"""Seats, invitations and the seats they offer, as documents."""

from collections.abc import Iterable

import msgspec
from django.urls import reverse

from api.documents.campaigns import campaign_link
from api.documents.scalars import Moment, RoleName
from battles.access import display_name
from campaign.access.selectors import Anybody
from campaign.models import Campaign, Invitation, Seat
from campaign.rules.core.pieces import Month, month_slug
from campaign.rules.sight import View
from campaign.services.attendance import office_of, takes_sheets
from campaign.web.roster import command_in_words


class SeatLinks(msgspec.Struct, frozen=True):
    """The addresses of a seat; `sheet` is that of the current month, for its holder alone."""

    self: str
    campaign: str
    sheet: str | None
    receipts: str | None


class SeatDocument(msgspec.Struct, frozen=True):
    """A seat: its holder and its command.

    Without `leader_ids` and `region_names` it commands the whole side. Under fog the enemy's
    commands are hidden: both are null.
    """

    id: int
    role: RoleName
    office: str
    holder: str | None
    holder_name: str | None
    staff: bool
    vacated_at: Moment | None
    leader_ids: tuple[int, ...] | None
    region_names: tuple[str, ...] | None
    command_label: str | None
    is_yours: bool
    may_submit: bool
    links: SeatLinks


class SeatInvitationLinks(msgspec.Struct, frozen=True):
    """The addresses of an invitation."""

    self: str
    campaign: str


class InvitationDocument(msgspec.Struct, frozen=True):
    """An open invitation; its link is shown only when it is created."""

    id: int
    role: RoleName
    office: str
    leader_ids: tuple[int, ...]
    region_names: tuple[str, ...]
    command_label: str | None
    email: str | None
    expires_at: Moment
    links: SeatInvitationLinks


class NewInvitationDocument(InvitationDocument, frozen=True):
    """A new invitation; only this answer has `secret` and `page`.

    They are null where the link was sent by e-mail, and in the answer to a repeated request.
    """

    secret: str | None
    page: str | None


class OfferDocument(msgspec.Struct, frozen=True):
    """The seat that an invitation offers."""

    campaign: str
    title: str
    role: RoleName
    office: str
    leader_ids: tuple[int, ...]
    region_names: tuple[str, ...]
    command_label: str | None
    expires_at: Moment


def seat_document(campaign: Campaign, seat: Seat, user: Anybody, view: View) -> SeatDocument:
    """Return the seat as the view's owner may know it."""
    is_own = user.is_authenticated and seat.user_id == user.pk
    commands = not view.fogged or view.viewer == seat.role or not seat.command
    words = command_in_words(view.state, seat.command) if commands else "part of the side"
    leaders, regions = split_command(seat.command)
    writes_orders = takes_sheets(campaign) and seat.role in Seat.SIDES and not seat.staff
    return SeatDocument(
        id=seat.pk,
        role=seat.role,
        office=office_of(seat),
        holder=seat.user.get_username() if seat.user else None,
        holder_name=display_name(seat.user) if seat.user else None,
        staff=seat.staff,
        vacated_at=seat.vacated,
        leader_ids=leaders if commands else None,
        region_names=regions if commands else None,
        command_label=words or None,
        is_yours=is_own,
        may_submit=is_own and writes_orders,
        links=_seat_links(campaign, seat, is_own),
    )


def _seat_links(campaign: Campaign, seat: Seat, is_own: bool) -> SeatLinks:
    args, month = [campaign.slug, seat.pk], month_slug(Month(campaign.month))
    orders = is_own and seat.role in Seat.SIDES
    return SeatLinks(
        self=reverse("api:seat", args=args),
        campaign=campaign_link(campaign.slug),
        sheet=reverse("api:sheet", args=[*args, month]) if orders else None,
        receipts=reverse("api:seat-receipts", args=args) if orders else None,
    )


def split_command(command: Iterable[int | str]) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return the leaders of a command, by their units, and its regions, by name."""
    parts = tuple(command)
    return (
        tuple(part for part in parts if isinstance(part, int)),
        tuple(part for part in parts if isinstance(part, str)),
    )


def invitation_document(
    campaign: Campaign, invitation: Invitation, view: View
) -> InvitationDocument:
    leaders, regions = split_command(invitation.command)
    return InvitationDocument(
        id=invitation.pk,
        role=invitation.role,
        office=office_of(invitation),
        leader_ids=leaders,
        region_names=regions,
        command_label=command_in_words(view.state, invitation.command) or None,
        email=invitation.email or None,
        expires_at=invitation.expires,
        links=SeatInvitationLinks(
            reverse("api:campaign-invitation", args=[campaign.slug, invitation.pk]),
            campaign_link(campaign.slug),
        ),
    )


def offer_document(invitation: Invitation, view: View) -> OfferDocument:
    leaders, regions = split_command(invitation.command)
    return OfferDocument(
        campaign=invitation.campaign.slug,
        title=invitation.campaign.title,
        role=invitation.role,
        office=office_of(invitation),
        leader_ids=leaders,
        region_names=regions,
        command_label=command_in_words(view.state, invitation.command) or None,
        expires_at=invitation.expires,
    )
