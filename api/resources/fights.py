"""Battles that players fight: what one is asked, acting, who leads, and the umpire's powers."""

from collections.abc import Callable, Collection
from typing import Any, ClassVar

import msgspec
from django.contrib.auth.models import User
from django.http import Http404, HttpResponse
from rest_framework import serializers
from rest_framework.request import Request

from api.documents.fights import (
    FightDocument,
    FightOfferDocument,
    LogDocument,
    fight_document,
    log_document,
    offer_document,
)
from api.http.endpoint import OpenEndpoint, OwnEndpoint, UmpireEndpoint, operation
from api.http.idempotency import WriteResult
from api.http.inputs import Empty, Input, WholeNumber, describe_allowed_words, not_known
from api.http.preconditions import make_etag, unless_stale
from api.http.problems import Problem, invalid
from api.http.responses import ASK_AGAIN_ALONE, EncodedDocument, respond
from api.openapi.battle_actions import ActionField
from battles import services
from battles.access import selectors, viewers
from battles.contract import Side
from battles.contract.registry import books
from battles.core.decoding import convert_to, decoder_for
from battles.history import branches, serialization
from battles.models import Battle
from battles.turn_form.form import Unclear
from battles.web.fight import FightPage

NOT_FOUGHT = "Players do not fight this battle (any more)."
LARGEST = 40_000  # bytes of an action
SENT = (
    "What `asked.choices` has as `action` is ready to be sent back as it is. Orders (Fuzzy Wuzzy) "
    "are not among the choices: put them together from `asked.orders`, whose `sort` is a field of "
    "an order and `values` what may stand there; any number of your units may have one at once."
)


class ActionInput(Input):
    """The action, as `asked.choices` offers it, or another that the book allows."""

    action = ActionField(help_text=SENT)


class LeaderInput(Input):
    """Who leads a side from now on: the book's commander, or its own again."""

    side = serializers.ChoiceField([side.value for side in Side])
    computer = serializers.BooleanField()


class FightPauseInput(Input):
    """Whether the battle is paused."""

    paused = serializers.BooleanField()


class FightRewindInput(Input):
    """After which entry the battle stands again, and why."""

    entry = WholeNumber(min_value=1, max_value=10**6)
    reason = serializers.CharField(max_length=200)


class Correction(Input):
    """A unit set right: what is left of it, figures or stands, and where it stands, and why.

    `place` names a square of a field, such as `C5`; on an open table `x` and `y` count its measure
    from the north-western corner; on another field than its own neither is taken. `facing` is in
    degrees. What is left out stays as it is, but for `shaken`, which is no longer so.
    """

    unit = WholeNumber(min_value=0, max_value=10**6)
    left = WholeNumber(min_value=0, max_value=10**6)
    place = serializers.CharField(max_length=8, required=False)
    x = serializers.FloatField(min_value=-9999, max_value=9999, required=False)
    y = serializers.FloatField(min_value=-9999, max_value=9999, required=False)
    facing = WholeNumber(min_value=0, max_value=359, required=False)
    shaken = serializers.BooleanField(default=False)
    reason = serializers.CharField(max_length=200)


class Begun(Input):
    """By which book a battle that waits is fought here."""

    book = serializers.CharField(max_length=40)


class FightPlace(msgspec.Struct):
    """What of a battle's document its tag is made from, beside a hash of the whole."""

    place: str


class FightEndpoint(OwnEndpoint):
    """Something done in a battle that players fight; the answer is the battle then."""

    largest_body: ClassVar[int] = LARGEST

    def changed(self, uuid: str, do: Callable[[Battle, User], Battle]) -> WriteResult:
        """Do it, and tell of the battle as it was written, never as a later read finds it."""
        battle = selectors.battle_for(self.request.user, uuid)
        try:
            written = unless_stale(lambda: do(battle, self.request.user))
        except services.NotYours as refused:
            raise Problem("not-allowed", str(refused)) from refused
        return WriteResult(200, fight_document(_page_of(self.request, written)), tag=tag)


class OneFight(OpenEndpoint):
    """A battle that players fight."""

    parameters: ClassVar[frozenset[str]] = frozenset({"unit"})

    @operation(FightDocument)
    def get(self, request: Request, uuid: str) -> HttpResponse:
        """What your side is asked and may answer, with chances, and all you know of the field."""
        document = EncodedDocument(_told(request, uuid))
        document.etag = tag(document.body)
        return respond(request, document, ASK_AGAIN_ALONE)


class Log(OpenEndpoint):
    """What has happened in a battle that players fight."""

    parameters: ClassVar[frozenset[str]] = frozenset({"after"})

    @operation(LogDocument)
    def get(self, request: Request, uuid: str) -> HttpResponse:
        """Return the log as you may read it, from after an entry on, with the dice behind it."""
        after = request.query_params.get("after", "0")
        if not (after.isascii() and after.isdigit() and len(after) < 7):
            raise invalid(after="Give the number of an entry.")
        return self.tell(log_document(_page(request, uuid), int(after)))


class Actions(FightEndpoint):
    """Acting in a battle."""

    @operation(
        FightDocument, takes=ActionInput, once=True, match=True, problems=("illegal-action",)
    )
    def post(self, request: Request, uuid: str) -> WriteResult:
        """Do something for your side; the book's commanders answer at once where they lead.

        The actions are those of the book by which the battle is fought. Each of `asked.choices` is
        ready to be sent back. Orders (Fuzzy Wuzzy) are put together from `asked.orders`, and places
        (a `Deploy`, `Enter`, `Unload` or `Move`) from `asked.places`, or freely where it is `free`.
        """
        given = ActionInput.read(request)["action"]
        place = _place_named(request)

        def act(battle: Battle, user: User) -> Battle:
            action = _action(battle, given)
            return services.act(
                battle.pk, user, action, expected=place or branches.place_of(battle)
            )

        return self.changed(uuid, act)


class LeadOfSide(FightEndpoint):
    """Who leads a side."""

    @operation(FightDocument, takes=LeaderInput, once=True)
    def put(self, request: Request, uuid: str) -> WriteResult:
        """Leave your side to the book's commander, or lead it again; the umpire any side."""
        given = LeaderInput.read(request)
        side, computer = Side(given["side"]), given["computer"]
        return self.changed(
            uuid, lambda battle, user: services.lead(battle, user, side, computer=computer)
        )


class StandInOfSide(FightEndpoint):
    """A side that is late, led for."""

    @operation(FightDocument, takes=Empty, once=True)
    def post(self, request: Request, uuid: str) -> WriteResult:
        """Leave the other side, whose time is up, to the book's commander until it is back."""
        Empty.read(request)
        return self.changed(uuid, services.stand_in)


class PauseOfFight(FightEndpoint, UmpireEndpoint):
    """A pause."""

    @operation(FightDocument, takes=FightPauseInput, once=True)
    def put(self, request: Request, uuid: str) -> WriteResult:
        """Pause the battle, or let it go on (umpire)."""
        paused = FightPauseInput.read(request)["paused"]
        return self.changed(uuid, lambda battle, user: services.pause(battle, user, paused=paused))


class FinishOfFight(FightEndpoint, UmpireEndpoint):
    """The rest of a battle fought by the computer."""

    @operation(FightDocument, takes=Empty, once=True)
    def post(self, request: Request, uuid: str) -> WriteResult:
        """Have the book's commanders fight it out from here (umpire)."""
        Empty.read(request)
        return self.changed(uuid, services.finish)


class RewindsOfFight(FightEndpoint, UmpireEndpoint):
    """Going back."""

    @operation(FightDocument, takes=FightRewindInput, once=True)
    def post(self, request: Request, uuid: str) -> WriteResult:
        """Go back to after an entry, on a branch with dice of its own, and pause (umpire)."""
        given = FightRewindInput.read(request)
        return self.changed(
            uuid,
            lambda battle, user: services.take_back(battle, user, given["entry"], given["reason"]),
        )


class CorrectionsOfFight(FightEndpoint, UmpireEndpoint):
    """A unit set right."""

    @operation(FightDocument, takes=Correction, once=True)
    def post(self, request: Request, uuid: str) -> WriteResult:
        """Set a unit right: what is left of it, and where it stands (umpire)."""
        said = Correction.read(request)
        reason = said.pop("reason")
        form = {name: str(value) for name, value in said.items() if value is not False}

        def correct(battle: Battle, user: User) -> Battle:
            _check_measure(_page(request, uuid), said)
            try:
                return services.correct(battle, user, form, reason)
            except Unclear as unclear:
                raise invalid(unit=str(unclear)) from unclear

        return self.changed(uuid, correct)


class InvitationToFight(OwnEndpoint):
    """A side of a battle that is offered to whoever has its invitation."""

    @operation(FightOfferDocument)
    def get(self, request: Request, uuid: str, invitation: str) -> HttpResponse:
        """What the invitation offers: a side of which battle, by which book."""
        return self.tell(offer_document(selectors.side_offered(uuid, invitation)))

    @operation(FightDocument, takes=Empty, once=True)
    def post(self, request: Request, uuid: str, invitation: str) -> WriteResult:
        """Take the side it offers; tells of the battle, which you may see from now on."""
        Empty.read(request)
        offered = selectors.side_offered(uuid, invitation)
        services.accept(offered.battle, request.user, invitation)
        return WriteResult(200, _told(request, uuid), tag=tag)


class BeginningOfFight(FightEndpoint):
    """A battle that waits, fought here."""

    @operation(FightDocument, takes=Begun, once=True)
    def post(self, request: Request, uuid: str) -> WriteResult:
        """Take the field by a book, in a battle that a campaign has handed over."""
        book = Begun.read(request)["book"]
        if book not in books():
            raise invalid(book=f"Name one of {', '.join(books())}.")
        return self.changed(uuid, lambda battle, user: services.take_up(battle, user, book))


def tag(body: bytes) -> str:
    """Return the tag of a battle's document: its place, and what else is told of it there."""
    return make_etag(decoder_for(FightPlace).decode(body).place, body)


def _page(request: Request, uuid: str) -> FightPage:
    """Return the battle as whoever asks sees it, the one that is over too.

    Http404 for any other.
    """
    return _page_of(request, selectors.battle_for(request.user, uuid))


def _page_of(request: Request, battle: Battle) -> FightPage:
    if battle.way != Battle.Way.PLAYERS or battle.head_id is None:
        raise Http404(NOT_FOUGHT)
    return FightPage(battle, request.user, request.query_params.dict())


def _told(request: Request, uuid: str) -> FightDocument:
    return fight_document(_page(request, uuid))


def _check_measure(page: FightPage, said: Collection[str]) -> None:
    """Problem `invalid` where a place is named in what does not count on that field."""
    others, ours = (("place",), "x and y") if page.on_table else (("x", "y"), "place")
    wrong = [name for name in others if name in said]
    if wrong:
        words = f"This field has no such measure: name a place on it by {ours}."
        raise invalid(**dict.fromkeys(wrong, words))


def _place_named(request: Request) -> str:
    """Return the place that If-Match names; "" for `*`, which is any."""
    named = request.headers.get("If-Match", "").strip()
    if not named:
        raise Problem(
            "precondition-required",
            "Send `If-Match` with the ETag of the battle as you have read it, or `*` for any.",
        )
    return "" if named == "*" else ".".join(named.removeprefix("W/").strip('"').split(".")[:2])


def _action(battle: Battle, given: dict[str, Any]) -> Any:
    """Return the action as the book has it. Problem `invalid` for what is none."""
    engine = serialization.engine_of(battle)
    if not viewers.is_open(battle):
        raise Problem("refused", NOT_FOUGHT)
    try:
        found = convert_to(given, engine.actions)
    except (msgspec.ValidationError, RecursionError) as error:
        raise invalid(
            action=f"{error}.{describe_allowed_words(engine.actions, str(error))}"
        ) from error
    if unknown := " ".join(not_known(given, found)):
        raise invalid(action=unknown)
    return found
