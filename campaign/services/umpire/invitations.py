"""Invite people to seats by links that are used once, expire, can be revoked and are hashed."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.crypto import get_random_string

from battles import journal
from battles.access import display_name, is_guest
from battles.contract.brief import Side, TroopKind
from campaign.access import selectors
from campaign.access.solo import solo_player
from campaign.models import Campaign, Invitation, Seat
from campaign.rules.core.board import board, chart
from campaign.rules.core.state import Unit
from campaign.rules.prose.names import leader_name
from campaign.rules.prose.phrases import join_words
from campaign.rules.sight import Onlooker, Viewer
from campaign.services.attendance import holder_name
from campaign.services.battle_reports import settle_signed_on_commit
from campaign.services.errors import NotAllowed, Refused, UnfitRequest, visible
from campaign.services.letters import pass_on_letters
from campaign.services.order_submission import run_if_ready, withdraw_sheets
from campaign.services.transfer.deletion import delete_campaign
from campaign.services.umpire.seat_control import check_other_seats, give_up_observing

LONGEST = 60  # days
SECRET = 32
"""Letters and digits alone: a secret that begins with a hyphen is an option to a command line."""
WHOLE_SIDE = ""
"""The command of a commander-in-chief, among leaders and regions."""
WITHDRAWN = "This invitation has been withdrawn. Ask the umpire for another."
EDGE = "abyssinia"
"""The region that the printed map has for its edge alone."""


class InvitationSpent(Refused):
    """A link that opens nothing: used, revoked or expired."""


class UnknownInvitation(InvitationSpent):
    """A link that was never made."""


@dataclass(frozen=True)
class SeatOffer:
    """An offered seat: its role, its command (nothing: the whole side), how long it is open."""

    role: str
    name: str = ""
    command: tuple[int | str, ...] = ()
    email: str = ""
    days: int = 14


def invited_viewer(role: str) -> Viewer:
    """Return the viewer for somebody invited, who may see the campaign before accepting."""
    return Side(role) if role in Seat.SIDES else Onlooker.PUBLIC


def offers_of(user: User, campaign: Campaign) -> set[str]:
    """Return the roles the user may invite to: all as umpire, their own as commander-in-chief."""
    seats = campaign.seats.filter(user=user)
    if seats.filter(role=Seat.Role.UMPIRE).exists():
        return set(Seat.Role.values)
    return set(seats.filter(role__in=Seat.SIDES, command=[]).values_list("role", flat=True))


def invite(campaign_id: int, by: User, offer: SeatOffer) -> tuple[Invitation, str]:
    """Create an invitation; return it with the secret of its link, which is not stored.

    Raises NotAllowed, and UnfitRequest for an invalid offer.
    """
    with transaction.atomic():
        campaign = journal.lock_record(Campaign.objects.all(), campaign_id)
        _check_offer(campaign, by, offer)
        secret = get_random_string(SECRET)
        invitation = Invitation.objects.create(
            campaign=campaign,
            role=offer.role,
            name=visible(offer.name, "name of the office", "office"),
            command=list(dict.fromkeys(offer.command)),
            email=offer.email.strip(),
            token_hash=_hash(secret),
            made_by=by,
            expires=timezone.now() + timedelta(days=offer.days),
        )
    return invitation, secret


def _check_offer(campaign: Campaign, by: User, offer: SeatOffer) -> None:
    may = offers_of(by, campaign)
    if offer.role not in may:
        raise NotAllowed(
            "Only the umpire invites to this seat; a commander-in-chief invites subordinates."
        )
    if not offer.command and Seat.Role.UMPIRE not in may:
        message = "Say which leaders or regions the newcomer is to command under you."
        raise UnfitRequest(message, "leader_ids")
    if offer.command and offer.role not in Seat.SIDES:
        raise UnfitRequest("Only a player commands leaders or regions.", _field_of(offer.command))
    if not 1 <= offer.days <= LONGEST:
        raise UnfitRequest(f"An invitation holds for 1 to {LONGEST} days.", "valid_days")
    if offer.command:
        _check_commands(campaign, offer, by_umpire=Seat.Role.UMPIRE in may)
    seat = _holder(campaign, offer.role, offer.command)
    if seat is not None:
        raise Refused(
            f"{holder_name(seat)} holds {'some of that' if offer.command else 'the whole side'} "
            "already. Free that seat first, or offer another."
        )


def leaders_of(campaign: Campaign, side: Side) -> list[Unit]:
    """Return the leaders of the side who are in play."""
    units = board(selectors.state_now(campaign)).units
    return [unit for unit in units if unit.kind is TroopKind.LEADER and unit.side is side]


def regions(campaign: Campaign) -> dict[str, str]:
    """Return the regions that a seat of either side may command, with their titles.

    Those of which the map or the scenario closes all land cannot be given to anybody.
    """
    ground = chart(selectors.state_now(campaign))
    in_play = {hex_.id for hex_ in ground.hexes.values() if not (hex_.sea or hex_.closed)}
    return {
        name: title
        for name, title in ground.regions.items()
        if name != EDGE and not in_play.isdisjoint(ground.region(name))
    }


def _check_commands(campaign: Campaign, offer: SeatOffer, *, by_umpire: bool) -> None:
    """Raise UnfitRequest for leaders of the other side and for anything but a leader or a region.

    Only an umpire is given the other side's leaders by name: under fog a player may not know them.
    """
    side = Side(offer.role)
    lawful = {*(leader.id for leader in leaders_of(campaign, side)), *regions(campaign)}
    wrong = [item for item in offer.command if item not in lawful]
    if not wrong:
        return
    enemies = leaders_of(campaign, side.enemy)
    others: dict[int | str, str] = {enemy.id: leader_name(enemy.name) for enemy in enemies}
    names = [others.get(item, str(item)) if by_umpire else str(item) for item in wrong]
    raise UnfitRequest(
        f"Nobody on the {side.title()} side commands {join_words(names)}. "
        "Name leaders of that side, "
        f"or regions: {', '.join(regions(campaign))}.",
        _field_of(wrong),
    )


def _field_of(command: Sequence[int | str]) -> str:
    """Return the field of a request's body that holds the first of these leaders or regions."""
    return "leader_ids" if isinstance(command[0], int) else "region_names"


def _holder(campaign: Campaign, role: str, command: Sequence[int | str]) -> Seat | None:
    """Return the taken seat that commands the whole side already, or a part of the offer."""
    if role not in Seat.SIDES:
        return None
    for seat in campaign.seats.filter(role=role).exclude(user=None).select_related("user"):
        alike = bool(seat.command) == bool(command)
        if alike and (not command or set(seat.command) & set(command)):
            return seat
    return None


def commands_held(campaign: Campaign) -> dict[str, set[int | str]]:
    """Return what people command, by side: leaders and regions, and "" for the whole side."""
    held: dict[str, set[int | str]] = {side: set() for side in Seat.SIDES}
    for seat in campaign.seats.filter(role__in=Seat.SIDES).exclude(user=None):
        held[seat.role].update(seat.command or [WHOLE_SIDE])
    return held


def rivals(invitation: Invitation) -> bool:
    """Return whether another open link offers the same seat, or a part of it."""
    if invitation.role not in Seat.SIDES:
        return False
    others = open_invitations(invitation.campaign).filter(role=invitation.role)
    command = set(invitation.command)
    return any(
        command & set(other.command) or not (command or other.command)
        for other in others.exclude(pk=invitation.pk)
    )


def revoke(campaign_id: int, by: User, invitation_id: int) -> None:
    """Revoke the invitation.

    Raises UnknownInvitation unless the user may revoke it, and InvitationSpent when it is used up.
    """
    campaign = Campaign.objects.get(pk=campaign_id)
    invitations = campaign.invitations.filter(pk=invitation_id, role__in=offers_of(by, campaign))
    if not invitations.exists():
        raise UnknownInvitation("There is no such invitation that you may revoke.")
    if not (invitations & open_invitations(campaign)).update(revoked=timezone.now()):
        raise InvitationSpent("This invitation was used, was revoked or has expired.")
    forget_addresses()


def forget_addresses() -> int:
    """Delete the e-mail addresses of spent invitations; return how many."""
    spent = ~Q(used=None) | ~Q(revoked=None) | Q(expires__lte=timezone.now())
    return Invitation.objects.exclude(email="").filter(spent).update(email="")


def open_invitations(campaign: Campaign) -> QuerySet[Invitation]:
    """Return the invitations that can still be used, the latest first."""
    return campaign.invitations.filter(used=None, revoked=None, expires__gt=timezone.now())


def invitation_of(secret: str) -> Invitation:
    """Return the invitation behind a link. Raises InvitationSpent and UnknownInvitation."""
    invitation = (
        Invitation.objects.filter(token_hash=_hash(secret)).select_related("campaign").first()
    )
    if invitation is None:
        raise UnknownInvitation("This link is not known here: check that it was copied completely.")
    if invitation.revoked:
        raise InvitationSpent(WITHDRAWN)
    if invitation.used:
        raise InvitationSpent("This invitation has been used: a link admits one person once.")
    if invitation.expires <= timezone.now():
        raise InvitationSpent("This invitation has expired. Ask the umpire for another.")
    return invitation


def take_seat(secret: str, user: User) -> Seat:
    """Give the user the offered seat and use up the link. Raises InvitationSpent and Refused."""
    with transaction.atomic():
        campaign = journal.lock_record(Campaign.objects.all(), invitation_of(secret).campaign_id)
        # Read again under the lock: the link may have been used meanwhile.
        invitation = invitation_of(secret)
        _check_taker(campaign, user, invitation)
        if _holder(campaign, invitation.role, invitation.command) is not None:
            maker = invitation.made_by
            inviter = display_name(maker) if maker else "the umpire"
            raise Refused(
                "Somebody else has taken this seat since you were invited. Ask "
                f"{inviter} for a link to another."
            )
        seat = _free_seat(campaign, invitation) or Seat(campaign=campaign, role=invitation.role)
        seat.user, seat.staff, seat.vacated = user, False, None
        seat.name, seat.command = invitation.name or seat.name, invitation.command
        seat.save()
        if seat.role == Seat.Role.UMPIRE:
            give_up_observing(seat)
        spent = open_invitations(campaign).filter(pk=invitation.pk)
        if not spent.update(used=timezone.now(), used_by=user):
            raise InvitationSpent(WITHDRAWN)
        forget_addresses()
    return seat


def _check_taker(campaign: Campaign, user: User, invitation: Invitation) -> None:
    if invitation.role in selectors.role_of(user, campaign):
        raise Refused(
            f"You have a seat as {invitation.role} in this campaign already; the invitation "
            "is still good for somebody else."
        )
    check_other_seats(campaign, user, invitation.role)


def _free_seat(campaign: Campaign, invitation: Invitation) -> Seat | None:
    """Return the seat of that role and command that no person holds, if any."""
    empty = campaign.seats.filter(role=invitation.role, user=None)
    same = (seat for seat in empty if set(seat.command) == set(invitation.command))
    return next(same, None)


def leave(campaign_id: int, user: User, seat_id: int) -> Seat:
    """Vacate the user's seat and withdraw its orders that are not carried out yet.

    A campaign that they play alone is deleted, because nobody could see it again; a user with an
    account can restore it for a time. Raises NotAllowed when it is not their seat, UnfitRequest for
    the only umpire, and UnderWay while workers play a campaign that would be deleted.
    """
    with transaction.atomic():
        campaign = journal.lock_record(Campaign.objects.all(), campaign_id)
        seat = campaign.seats.filter(pk=seat_id, user=user).first()
        if seat is None:
            raise NotAllowed("That is not your seat.")
        others = campaign.seats.filter(role=Seat.Role.UMPIRE).filter(~Q(user=user), ~Q(user=None))
        if seat.role == Seat.Role.UMPIRE and not others.exists():
            raise UnfitRequest("A campaign needs an umpire: invite a second one first.")
        if not _is_last(campaign, seat):
            _give_up(campaign, seat)
        elif is_guest(user):
            campaign.delete()
        else:
            delete_campaign(campaign.pk, user)
    return seat


@transaction.atomic
def vacate_seats_of(user: User) -> None:
    """Vacate the seats of a user whose account is being deleted, as if they had left them.

    The seat of an only umpire stays, vacant, with the letters of the campaign's players. A campaign
    that the user plays alone is deleted.
    """
    for seat in user.seats.order_by("pk"):
        campaign = journal.lock_record(Campaign.objects.all(), seat.campaign_id)
        if _is_last(campaign, seat):
            campaign.delete()
        else:
            _give_up(campaign, seat)


def campaigns_left_without_umpire(users: Collection[User]) -> QuerySet[Campaign]:
    """Return the unfinished campaigns of which these users are the only umpires and others play.

    Accounts that are deactivated count for nobody.
    """
    others = Seat.objects.filter(campaign=OuterRef("pk"), user__is_active=True)
    others = others.exclude(user__in=users)
    umpired = Campaign.objects.filter(
        finished=False, seats__user__in=users, seats__role=Seat.Role.UMPIRE
    )
    left = umpired.exclude(Exists(others.filter(role=Seat.Role.UMPIRE)))
    return left.filter(Exists(others.filter(role__in=Seat.SIDES))).distinct()


def _is_last(campaign: Campaign, seat: Seat) -> bool:
    """Return whether the seat is the only one of the user who plays the campaign alone."""
    is_only = not campaign.seats.exclude(pk=seat.pk).exclude(user=None).exists()
    return is_only and solo_player(campaign) == seat.user_id


def _give_up(campaign: Campaign, seat: Seat) -> None:
    """Vacate a player's seat and withdraw its orders; delete that of an umpire or observer.

    Another umpire succeeds the first, and the letters of an umpire pass to another, so that players
    keep what was written to them. Without another the umpire's seat becomes vacant. If no orders
    are awaited any more and the campaign is set up so, the month runs.
    """
    is_umpire = seat.role == Seat.Role.UMPIRE
    umpires = campaign.seats.filter(role=Seat.Role.UMPIRE).exclude(user=None).exclude(pk=seat.pk)
    heir = umpires.order_by("pk").first() if is_umpire else None
    if is_umpire and campaign.umpire_id == seat.user_id:
        campaign.umpire = heir.user if heir else None
        campaign.save(update_fields=["umpire"])
    if seat.role in Seat.SIDES or (is_umpire and heir is None):
        seat.user, seat.vacated = None, timezone.now()
        seat.save(update_fields=["user", "vacated"])
        withdraw_sheets(seat)
    else:
        if heir is not None:
            pass_on_letters(seat, heir)
        seat.delete()
    settle_signed_on_commit(campaign.pk)
    run_if_ready(campaign)


def _hash(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()
