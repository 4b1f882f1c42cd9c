"""A campaign as the owner of its battles: who may see and report them, and their links."""

from collections.abc import Iterable, Mapping

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.urls import reverse

from battles import access, journal
from battles.access import Anybody, OwnerLink, SignedReport
from battles.contract import Report, Side
from battles.core.game import IllegalAction
from campaign.access import fog_of_war, permissions, selectors
from campaign.models import Campaign, Seat
from campaign.rules.core.pieces import month_from_text, month_name
from campaign.services import battle_reports, battle_signatures
from campaign.services.journal import rewind as rewinds
from campaign.services.journal.dice import DiceAwaited
from campaign.services.pending_battle import OWNER

REPORTERS = (Seat.Role.UMPIRE, Seat.Role.EGYPTIAN, Seat.Role.MAHDIST)
SETTLED = "The campaign has the result and goes on."
SIGNED = "You have signed this result. It counts when the other side has signed the same."


class CampaignBattles:
    """The keeper of campaigns' battles: users who see a campaign's stacks see its battles."""

    def owners_for(self, user: Anybody) -> Iterable[str]:
        seen = selectors.campaigns_for(user)
        return [f"{OWNER}:{one.slug}" for one in seen if _sees_battles(user, one)]

    def shows(self, owner: str, user: Anybody) -> bool:
        found = selectors.campaigns_for(user).filter(slug=_slug(owner)).first()
        return found is not None and _sees_battles(user, found)

    def place(self, owner: str) -> OwnerLink:
        campaign = _campaign(owner)
        return OwnerLink(campaign.title, reverse("campaign", args=[campaign.slug]))

    def despatch(self, owner: str, month: str) -> OwnerLink | None:
        campaign = _campaign(owner)
        when = month_from_text(month)
        if not campaign.first_month <= when <= campaign.month:
            return None
        address = reverse("month", args=[campaign.slug, month])
        return OwnerLink(f"The despatches of {month_name(when)}", f"{address}#despatches")

    def may_report(self, owner: str, user: Anybody) -> bool:
        seats = Seat.objects.filter(campaign__slug=_slug(owner), role__in=REPORTERS)
        return user.is_authenticated and seats.filter(user=user).exists()

    def report(self, owner: str, user: User, report: Report) -> str:
        """Enter the result, now or with the awaited dice, and return a message. Raises Refused."""
        try:
            entry = battle_reports.enter_result(_campaign(owner).pk, user, report)
        except IllegalAction as illegal:
            raise journal.Refused(str(illegal)) from illegal
        except DiceAwaited as waits:
            return str(waits)
        return SETTLED if entry else SIGNED

    def signed(self, owner: str, brief_id: str, user: Anybody) -> tuple[SignedReport, ...]:
        """Return what the other side has reported; nothing for a user without a say in it."""
        if not isinstance(user, User) or not self.may_report(owner, user):
            return ()
        return tuple(battle_signatures.signed_by_others(_campaign(owner), user, brief_id))

    def commanded(self, owner: str) -> frozenset[Side]:
        seats = Seat.objects.filter(campaign__slug=_slug(owner), staff=False)
        return _sides(seats.exclude(user=None))

    def commands(self, owner: str, user: Anybody) -> frozenset[Side]:
        return _sides(Seat.objects.filter(campaign__slug=_slug(owner), user=user.pk))

    def is_umpire(self, owner: str, user: Anybody) -> bool:
        return permissions.may_advance(user, _campaign(owner))

    def key(self, owner: str, brief_id: str) -> bytes:
        return battle_reports.key_of_battle(Campaign.objects.get(slug=_slug(owner)), brief_id)

    def abandoned(self, owner: str, brief_ids: Iterable[str]) -> Mapping[str, str]:
        found = rewinds.undone_battles(_campaign(owner), brief_ids)
        return {battle: rewind.mark for battle, rewind in found.items()}


def _sides(seats: QuerySet[Seat]) -> frozenset[Side]:
    held = set(seats.values_list("role", flat=True))
    return frozenset(side for side in Side if side.value in held)


def _sees_battles(user: Anybody, campaign: Campaign) -> bool:
    """Return whether the user plays in the campaign, or it has no fog."""
    return fog_of_war.sees_any(campaign, fog_of_war.viewer_of(user, campaign))


def _campaign(owner: str) -> Campaign:
    """Return the campaign. Raises BattleNotVisible for one that has just been deleted."""
    try:
        return Campaign.objects.defer("document", "secret_seed").get(slug=_slug(owner))
    except Campaign.DoesNotExist as gone:
        raise access.BattleNotVisible(access.JUST_CALLED_OFF) from gone


def _slug(owner: str) -> str:
    return owner.partition(":")[2]


access.register_keeper(OWNER, CampaignBattles())
