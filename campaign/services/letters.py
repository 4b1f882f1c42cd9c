"""Write, read and route the letters of a campaign.

Letters are not a part of the journal: they change no state and no die, and a rewind leaves them
where they are.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import OuterRef, Subquery
from django.utils import timezone

from battles import journal
from campaign.access import letters
from campaign.access.letters import DELAY, ReadableLetter
from campaign.models import Campaign, CampaignLetter, LetterCopy, Seat
from campaign.rules.map import HexId, sudan
from campaign.services import order_sheets
from campaign.services.errors import NotAllowed, UnfitRequest, visible
from campaign.services.umpire.rulings import change_setting, lock_as_umpire

LONGEST = 4_000
MOST_HEXES = 12
MOST_IN_A_MONTH = 200
"""Letters from one seat in one month of the campaign, so that nobody floods a site."""
POST_IN_WORDS = {
    Campaign.LetterPost.AT_ONCE: "arrive at once",
    Campaign.LetterPost.BY_COURIER: "go by courier: they arrive with the next month, and the "
    "umpire may read, hurry, delay or lose them",
}


@dataclass(frozen=True)
class LetterDraft:
    """A letter to be sent: from a seat of the user to others, with places and the month's orders.

    `with_orders` adds the sentences of the sender's own order sheet as it stands.
    """

    sender: int
    recipients: Collection[int]
    text: str
    hexes: Sequence[HexId] = ()
    with_orders: bool = False


@transaction.atomic
def send_letter(campaign_id: int, user: User, draft: LetterDraft) -> CampaignLetter:
    """Send a letter, and return it.

    Raises NotAllowed for a user who neither plays nor umpires, and UnfitRequest for the seat of
    another, an empty or overlong text, unknown recipients or hexes, missing orders, or too many
    letters in one month.
    """
    campaign = journal.lock_record(Campaign.objects.all(), campaign_id)
    own = letters.seats_of(campaign, user)
    if not own:
        raise NotAllowed("Only a player or an umpire of this campaign writes letters.")
    sender = next((seat for seat in own if seat.pk == draft.sender), None)
    if sender is None:
        message = "The sender of a letter is one of your own seats in this campaign."
        raise UnfitRequest(message, "sender_id")
    text = visible(draft.text.replace("\r\n", "\n"), "letter", "text")
    if not 1 <= len(text) <= LONGEST:
        message = f"A letter has 1 to {LONGEST:,} characters; yours has {len(text):,}."
        raise UnfitRequest(message, "text")
    readers = [
        seat for seat in letters.correspondents(campaign, user) if seat.pk in draft.recipients
    ]
    if not readers or len(readers) < len(set(draft.recipients)):
        message = "Choose who receives the letter: one of the seats in the list, or more."
        raise UnfitRequest(message, "reader_ids")
    _check_hexes(draft.hexes)
    written = campaign.letters.filter(sender=sender, month=campaign.month).count()
    if written >= MOST_IN_A_MONTH:
        raise UnfitRequest(f"A seat writes {MOST_IN_A_MONTH} letters a month at most.")
    letter = CampaignLetter.objects.create(
        campaign=campaign,
        sender=sender,
        branch=campaign.branch,
        month=campaign.month,
        text=text,
        hexes=list(draft.hexes),
        orders=_orders_of(campaign, sender) if draft.with_orders else [],
    )
    by_courier = campaign.letter_post == Campaign.LetterPost.BY_COURIER and not campaign.finished
    arrival = campaign.month + (DELAY if by_courier else 0)
    LetterCopy.objects.bulk_create(
        LetterCopy(
            letter=letter,
            seat=seat,
            # Letters to an umpire always arrive at once.
            arrival_month=campaign.month if seat.role == Seat.Role.UMPIRE else arrival,
        )
        for seat in readers
    )
    return letter


def _check_hexes(hexes: Sequence[HexId]) -> None:
    if len(hexes) > MOST_HEXES:
        raise UnfitRequest(f"A letter names {MOST_HEXES} places at most.", "hexes")
    for place, hex_id in enumerate(hexes):
        if hex_id not in sudan().hexes:
            raise UnfitRequest(f"There is no hex {hex_id:04d} on the map.", f"hexes/{place}")


def _orders_of(campaign: Campaign, seat: Seat) -> list[str]:
    playing = seat.role in Seat.SIDES
    sheet = order_sheets.sheet_of(campaign, seat, campaign.month) if playing else None
    if sheet is None or not sheet.revision:
        message = "You have written no orders for this month that could be attached."
        raise UnfitRequest(message, "attach_orders")
    orders = order_sheets.document_of(sheet)
    return list(order_sheets.describe(campaign, seat, orders, sheet).sentences)


def keep_arrived(campaign: Campaign) -> None:
    """Note that the copies which have reached their seats have arrived; call it before a rewind.

    In an earlier month they would be on their way again. The time is that of the letter, so that
    nobody is mailed about an old one.
    """
    written = CampaignLetter.objects.filter(pk=OuterRef("letter")).values("created")
    copies = letters.arrived_copies(campaign.pk).filter(arrived=None)
    copies.update(arrived=Subquery(written))


@transaction.atomic
def mark_read(campaign: Campaign, user: User, letter: ReadableLetter) -> None:
    """Note that the user has read the copies of the letter that have reached them."""
    own = {seat.pk for seat in letters.seats_of(campaign, user)}
    now = timezone.now()
    for copy in letter.copies:
        if copy.seat_id in own and copy.read is None and letters.has_arrived(campaign, copy):
            copy.read = now
            copy.arrived = copy.arrived or now
            copy.save(update_fields=["read", "arrived"])


def pass_on_letters(seat: Seat, heir: Seat) -> None:
    """Pass the letters that a seat has written and received to another seat.

    They would be deleted with the seat, for their other readers too.
    """
    seat.letters_sent.update(sender=heir)
    known = LetterCopy.objects.filter(seat=heir).values_list("letter", flat=True)
    seat.letters.exclude(letter__in=list(known)).update(seat=heir)


@transaction.atomic
def route_copy(campaign_id: int, user: User, copy_id: int, *, to: str) -> LetterCopy:
    """Hurry, delay or lose a copy that is on its way; `to` is "deliver", "delay" or "lose".

    Raises NotAllowed unless the user is an umpire of a campaign whose letters go by courier, and
    UnfitRequest for a copy that has arrived already.
    """
    campaign = journal.lock_record(Campaign.objects.all(), campaign_id)
    if not letters.is_postmaster(campaign, user):
        raise NotAllowed("Only an umpire routes letters, where they go by courier.")
    copy = LetterCopy.objects.filter(letter__campaign=campaign, pk=copy_id).first()
    if copy is None or letters.has_arrived(campaign, copy):
        raise UnfitRequest("That letter is not on its way any more.")
    if to == "deliver":
        copy.lost, copy.arrived = False, timezone.now()
    elif to == "delay":
        copy.lost, copy.arrival_month = False, max(copy.arrival_month, campaign.month) + DELAY
    elif to == "lose":
        copy.lost = True
    else:
        raise UnfitRequest(f"A letter cannot be sent to {to!r}: deliver, delay or lose it.")
    copy.save(update_fields=["lost", "arrived", "arrival_month"])
    return copy


@transaction.atomic
def set_letter_post(campaign_id: int, user: User, post: str) -> Campaign:
    """Choose how letters travel from now on, and note it in the umpire log. Raises NotAllowed."""
    campaign, actor = lock_as_umpire(campaign_id, user)
    if post not in Campaign.LetterPost.values:
        raise UnfitRequest("Letters arrive at once or go by courier: choose one of these.")
    note = f"From now on letters {POST_IN_WORDS[Campaign.LetterPost(post)]}."
    change_setting(campaign, actor, "letter_post", post, note)
    return campaign
