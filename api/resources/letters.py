"""Letters between the seats of a campaign: list, write, read them, and route those on their way."""

from typing import Annotated, Any, ClassVar, Literal, cast

import msgspec
from django.http import HttpResponse
from django.urls import reverse
from msgspec import Meta
from rest_framework.request import Request

from api.documents.scalars import HexName, Moment, MonthName
from api.http.encoding import RequestBody, read_as
from api.http.endpoint import Listed, OwnEndpoint, operation
from api.http.idempotency import WriteResult
from api.http.problems import Problem, unfit
from api.http.throttles import LetterThrottle
from campaign.access import letters, selectors
from campaign.access.letters import ReadableLetter
from campaign.models import Campaign, LetterCopy
from campaign.rules.core.pieces import Month, month_slug
from campaign.rules.map import HexId
from campaign.services import letters as post
from campaign.services.attendance import office_of


class LetterReader(msgspec.Struct, frozen=True, kw_only=True):
    """A seat to which a letter goes.

    Where letters go by courier, the sender knows when a letter is due and nothing of its fate.
    """

    seat_id: Annotated[int, Meta(description="the seat")]
    office: Annotated[str, Meta(description="the office of the seat")]
    arrives_in: Annotated[MonthName, Meta(description="the campaign's month of its arrival")]
    arrived: Annotated[bool, Meta(description="true once it has reached the seat")]
    lost_on_way: Annotated[bool, Meta(description="true if it was lost on its way")]
    read_at: Annotated[Moment | None, Meta(description="when it was read; null until then")]


class LetterLinks(msgspec.Struct, frozen=True):
    """The addresses of a letter."""

    self: Annotated[str, Meta(description="the letter")]
    campaign: Annotated[str, Meta(description="its campaign")]


class LetterDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A letter, with those of its readers whom you may know of."""

    id: Annotated[int, Meta(description="its number")]
    sender_id: Annotated[int, Meta(description="the seat that wrote it")]
    sender_office: Annotated[str, Meta(description="the office of that seat")]
    month: Annotated[MonthName, Meta(description="the campaign's month in which it was written")]
    text: Annotated[str, Meta(description="the letter itself")]
    hexes: Annotated[tuple[HexName, ...], Meta(description="the places it points at")]
    order_texts: Annotated[
        tuple[str, ...], Meta(description="the sender's orders, in sentences, if attached")
    ]
    readers: Annotated[tuple[LetterReader, ...], Meta(description="the seats it goes to")]
    unread: Annotated[bool, Meta(description="true if it has reached you and is not read")]
    created_at: Annotated[Moment, Meta(description="when it was sent")]
    links: LetterLinks


class NewLetter(RequestBody, frozen=True):
    """A letter from one of your seats (`sender_id`) to others."""

    sender_id: Annotated[int, Meta(description="your seat, from which you write")]
    reader_ids: Annotated[
        tuple[int, ...], Meta(min_length=1, max_length=50, description="the seats that read it")
    ]
    text: Annotated[str, Meta(min_length=1, max_length=post.LONGEST, pattern="^[^\\x00]*$")]
    hexes: Annotated[tuple[HexName, ...], Meta(max_length=post.MOST_HEXES)] = ()
    attach_orders: Annotated[
        bool, Meta(description="true to attach the orders of your sheet for this month.")
    ] = False


class LetterRead(RequestBody, frozen=True, tag="read"):
    """The letter is read."""


class LetterRoute(RequestBody, frozen=True, tag="route"):
    """The umpire hurries, delays or loses the copy for one seat, where letters go by courier."""

    seat_id: int
    fate: Annotated[
        Literal["deliver", "delay", "lose"],
        Meta(description="deliver: at once; delay: by a month; lose: it never arrives"),
    ]


class Letters(OwnEndpoint):
    """The letters of a campaign."""

    throttle_classes: ClassVar[list[Any]] = [*OwnEndpoint.throttle_classes, LetterThrottle]

    @operation(Listed[LetterDocument])
    def get(self, request: Request, slug: str) -> HttpResponse:
        """List the letters that you may read, the newest first.

        These are your own and those that have reached you. Umpires read all where letters go by
        courier, and everyone who sees the campaign does once it is over.
        """
        campaign = selectors.campaign_for(request.user, slug)
        readable_letters = letters.letters_for(campaign, request.user)
        return self.answer_list(_document(campaign, letter) for letter in readable_letters)

    @operation(LetterDocument, status=201, takes=NewLetter, once=True)
    def post(self, request: Request, slug: str) -> WriteResult:
        """Write a letter to the holders of other seats.

        It arrives at once, or with the next month where letters go by courier. With
        `attach_orders` it has the orders of the sender's sheet for this month.
        """
        campaign, body = selectors.campaign_for(request.user, slug), NewLetter.read(request)
        draft = post.LetterDraft(
            body.sender_id,
            body.reader_ids,
            body.text,
            tuple(HexId(int(hex_name)) for hex_name in body.hexes),
            body.attach_orders,
        )
        letter = post.send_letter(campaign.pk, cast("Any", request.user), draft)
        document = _document(campaign, _letter(request, campaign, letter.pk))
        return WriteResult(201, document, document.links.self)


class OneLetter(OwnEndpoint):
    """A letter of a campaign."""

    @operation(LetterDocument)
    def get(self, request: Request, slug: str, id: int) -> HttpResponse:
        """Retrieve a letter. It stays unread until you say that it is read."""
        campaign = selectors.campaign_for(request.user, slug)
        return self.answer(_document(campaign, _letter(request, campaign, id)))

    @operation(LetterDocument, takes=LetterRead | LetterRoute, once=True)
    def patch(self, request: Request, slug: str, id: int) -> WriteResult:
        """Say that a letter is read or, as an umpire, route a copy that is on its way."""
        campaign = selectors.campaign_for(request.user, slug)
        readable_letter = _letter(request, campaign, id)
        change = read_as(LetterRead | LetterRoute, request.data)
        if isinstance(change, LetterRead):
            post.mark_read(campaign, cast("Any", request.user), readable_letter)
        else:
            copy = readable_letter.letter.copies.filter(seat=change.seat_id).first()
            if copy is None:
                raise unfit(seat_id="The letter does not go to that seat.")
            post.route_copy(campaign.pk, cast("Any", request.user), copy.pk, to=change.fate)
        return WriteResult(200, _document(campaign, _letter(request, campaign, id)))


def _letter(request: Request, campaign: Campaign, number: int) -> ReadableLetter:
    letter = letters.letter_for(campaign, request.user, number)
    if letter is None:
        raise Problem("not-found", f"There is no letter {number} that you may read.")
    return letter


def _document(campaign: Campaign, readable_letter: ReadableLetter) -> LetterDocument:
    letter = readable_letter.letter
    return LetterDocument(
        id=letter.pk,
        sender_id=letter.sender_id,
        sender_office=office_of(letter.sender),
        month=month_slug(Month(letter.month)),
        text=letter.text,
        hexes=tuple(f"{hex_id:04d}" for hex_id in letter.hexes),
        order_texts=tuple(letter.orders),
        readers=tuple(_reader(campaign, readable_letter, copy) for copy in readable_letter.copies),
        unread=readable_letter.unread,
        created_at=letter.created,
        links=LetterLinks(
            reverse("api:campaign-letter", args=[campaign.slug, letter.pk]),
            reverse("api:campaign", args=[campaign.slug]),
        ),
    )


def _reader(campaign: Campaign, readable_letter: ReadableLetter, copy: LetterCopy) -> LetterReader:
    fate = letters.fate_of(campaign, readable_letter, copy)
    return LetterReader(
        seat_id=copy.seat_id,
        office=office_of(copy.seat),
        arrives_in=month_slug(Month(fate.arrival_month)),
        arrived=fate.arrived,
        lost_on_way=fate.lost,
        read_at=fate.read,
    )
