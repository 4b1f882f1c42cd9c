"""Seats and invitations as documents."""

import msgspec
from django.urls import reverse

from api.documents.scalars import Moment, RoleName
from campaign.access.selectors import Anybody
from campaign.models import Campaign, Invitation, Seat
from campaign.rules.sight import View
from campaign.services.orders.order_status import office_of
from campaign.web.seats.roster import command_in_words


class SeatPart(msgspec.Struct, frozen=True):
    """A seat: who sits there (null: nobody), what of its side it commands (nothing: the whole).

    `office` is what it is called, `staff`: the computer's staff holds it, and sees through the fog.
    `command` are leaders, by the numbers of their units, and regions, by name; `commands` says the
    same in words. Under fog what the enemy's commanders command is not told: `command` is null.
    """

    number: int
    role: RoleName
    office: str
    holder: str | None
    staff: bool
    vacated: Moment | None
    command: tuple[int | str, ...] | None
    commands: str
    yours: bool
    links: dict[str, str]


class InvitationPart(msgspec.Struct, frozen=True):
    """An invitation whose link still opens something; the link itself is shown once."""

    number: int
    role: RoleName
    office: str
    command: tuple[int | str, ...]
    commands: str
    email: str
    expires: Moment
    links: dict[str, str]


class NewInvitation(msgspec.Struct, frozen=True):
    """An invitation that has just been made: `secret` and `page` are shown this once."""

    number: int
    secret: str
    page: str
    expires: Moment
    links: dict[str, str]


class OfferDocument(msgspec.Struct, frozen=True):
    """What an invitation offers to whoever has its secret."""

    campaign: str
    title: str
    role: RoleName
    office: str
    command: tuple[int | str, ...]
    commands: str
    expires: Moment


def seat_part(campaign: Campaign, seat: Seat, user: Anybody, view: View) -> SeatPart:
    """The seat as whoever has that view may know it."""
    told = not view.fogged or view.viewer == seat.role or not seat.command
    words = command_in_words(view.state, seat.command) if told else "part of the side"
    return SeatPart(
        number=seat.pk,
        role=seat.role,
        office=office_of(seat),
        holder=seat.user.get_username() if seat.user else None,
        staff=seat.staff,
        vacated=seat.vacated,
        command=tuple(seat.command) if told else None,
        commands=words,
        yours=user.is_authenticated and seat.user_id == user.pk,
        links={
            "self": reverse("api:seat", args=[campaign.slug, seat.pk]),
            "campaign": reverse("api:campaign", args=[campaign.slug]),
        },
    )


def invitation_part(campaign: Campaign, one: Invitation, view: View) -> InvitationPart:
    return InvitationPart(
        number=one.pk,
        role=one.role,
        office=office_of(one),
        command=tuple(one.command),
        commands=command_in_words(view.state, one.command),
        email=one.email,
        expires=one.expires,
        links={"self": reverse("api:campaign-invitation", args=[campaign.slug, one.pk])},
    )


def offer_document(one: Invitation, view: View) -> OfferDocument:
    return OfferDocument(
        campaign=one.campaign.slug,
        title=one.campaign.title,
        role=one.role,
        office=office_of(one),
        command=tuple(one.command),
        commands=command_in_words(view.state, one.command),
        expires=one.expires,
    )
