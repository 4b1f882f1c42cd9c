"""Guests: visitors who play without an account, and what they are allowed to leave on the site.

A guest is a user without a password, known by the cookie of the session alone. Registering gives
the same user a name and a password, so that everything of theirs stays. Their number, their age and
what they may keep are limited; a periodic task deletes those who have had their time.
"""

import secrets
from datetime import timedelta
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from battles.access import viewers
from battles.access.viewers import GUEST, is_guest
from battles.models import Battle, Command
from campaign.models import Campaign, Job, OrderSheet, Seat
from campaign.services.errors import Busy, Refused
from campaign.web import visitor

MOST_CAMPAIGNS = 2
MOST_BATTLES = 4
"""The most campaigns and battles of a guest; beginning another deletes the oldest."""
BACKEND = "django.contrib.auth.backends.ModelBackend"
CLOSED = "This site admits no guests. Register, and play: a name and a password are enough."
FULL = (
    "As many guests are playing as this site takes. Register, and play: a name and a password are "
    "enough."
)
TOO_MANY = "Much has been begun from here of late. Go on with what you have begun, or come back."


class GuestTerms(NamedTuple):
    """The limits for guests that pages tell them."""

    days: int
    campaigns: int = MOST_CAMPAIGNS
    battles: int = MOST_BATTLES


def guest_terms() -> GuestTerms:
    return GuestTerms(settings.GUEST_DAYS)


def guests() -> QuerySet[User]:
    return User.objects.filter(username__startswith=GUEST)


def are_admitted() -> bool:
    """Return whether the site admits guests at all."""
    return settings.MOST_GUESTS > 0


def player_at_door(request: HttpRequest) -> User:
    """Return the user who begins to play: the one logged in, or a new guest, who is logged in.

    Raises Busy beyond the rates for guests and doors, and Refused if no guest can be admitted.
    """
    if isinstance(request.user, User):
        _count(request, ("door", str(request.user.pk)))
        return request.user
    if not are_admitted():
        raise Refused(CLOSED)
    if guests().count() >= settings.MOST_GUESTS:
        forget_guests()
        if guests().count() >= settings.MOST_GUESTS:
            raise Refused(FULL)
    _count(request, ("guest", visitor.address_of(request)), ("guest-all", visitor.EVERYBODY))
    guest = User(username=f"{GUEST}{secrets.token_hex(6)}", first_name="Guest")
    guest.set_unusable_password()
    guest.save()
    login(request, guest, backend=BACKEND)
    request.session.set_expiry(timedelta(days=settings.GUEST_DAYS))
    return guest


def _count(request: HttpRequest, *counts: tuple[str, str]) -> None:
    if seconds := visitor.seconds_to_wait(request, *counts):
        raise Busy(TOO_MANY, seconds)


def make_room_for_campaign(user: User) -> None:
    """Delete a guest's oldest campaigns, so that one more may be begun."""
    if is_guest(user):
        for campaign in _campaigns_of(user).order_by("-pk")[MOST_CAMPAIGNS - 1 :]:
            campaign.delete()


def make_room_for_battle(user: User) -> None:
    """Delete a guest's oldest battles, so that one more may be begun."""
    if is_guest(user):
        for battle in _battles_of(user).order_by("-pk")[MOST_BATTLES - 1 :]:
            battle.delete()


@transaction.atomic
def hand_over(guest: User, user: User) -> int:
    """Pass what the guest has begun to the user, and delete the guest; return how many games.

    A guest has a seat only in campaigns that they play alone, so no game gets one person twice.
    """
    locked = User.objects.select_for_update().filter(pk=guest.pk).first()
    if locked is None or not is_guest(locked) or is_guest(user):
        return 0
    campaigns, battles = _campaigns_of(guest), _battles_of(guest)
    count = campaigns.count() + battles.count()
    Seat.objects.filter(user=guest).update(user=user)
    OrderSheet.objects.filter(by=guest).update(by=user)
    Command.objects.filter(user=guest).update(user=user)
    Battle.objects.filter(asked_by=guest).update(asked_by=user)
    Job.objects.filter(asked_by=guest).update(asked_by=user)
    battles.update(owner=viewers.person(user))
    guest.delete()
    return count


def forget_guests() -> int:
    """Delete the guests who have had their time, with all that is theirs; return how many."""
    until = timezone.now() - timedelta(days=settings.GUEST_DAYS)
    past = list(guests().filter(date_joined__lt=until))
    for guest in past:
        with transaction.atomic():
            _campaigns_of(guest).delete()
            _battles_of(guest).delete()
            guest.delete()
    return len(past)


def _campaigns_of(guest: User) -> QuerySet[Campaign]:
    """Return the campaigns that the guest plays alone; a guest has a seat in no others."""
    return Campaign.objects.filter(seats__user=guest, umpire=None)


def _battles_of(guest: User) -> QuerySet[Battle]:
    return Battle.objects.filter(owner=viewers.person(guest))
