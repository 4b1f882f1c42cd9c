"""Battles that players fight: the question, actions, commanders and the umpire's powers."""

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
from api.http.bodies import Body, read_form
from api.http.endpoint import OpenEndpoint, OwnEndpoint, UmpireEndpoint, operation
from api.http.idempotency import WriteResult
from api.http.inputs import Empty, Input, WholeNumber
from api.http.preconditions import make_etag, unless_stale
from api.http.problems import Problem, invalid, invalid_parameters
from api.http.responses import ASK_AGAIN_ALONE, EncodedDocument, respond
from api.openapi.battle_actions import BookAction, action_form, check_numbers
from battles import services
from battles.access import selectors, viewers
from battles.contract import Side
from battles.contract.registry import books
from battles.core.decoding import decoder_for
from battles.history import branches, serialization
from battles.models import Battle
from battles.turn_form.form import InvalidForm
from battles.web.fight import FightPage

NOT_FOUGHT = "Players do not fight this battle (any more)."
LARGEST = 40_000  # bytes of an action


class ActionBody(Body, frozen=True):
    """An action from `asked.choices`, or another that the book allows.

    What `asked.choices` has as `action` is ready to be sent back as it is. Orders (Fuzzy Wuzzy) are
    not among the choices: put them together from `asked.orders`, whose `sort` is a field of an
    order and `values` what may stand there; any number of your units may have one at once.
    """

    action: BookAction


class LeaderInput(Input):
    """The commander of a side from now on: the computer, or its own player."""

    side = serializers.ChoiceField([side.value for side in Side])
    computer = serializers.BooleanField()


class FightPauseInput(Input):
    """The state of the pause."""

    paused = serializers.BooleanField()


class FightRewindInput(Input):
    """The last entry to keep, and the reason."""

    entry = WholeNumber(min_value=1, max_value=10**6)
    reason = serializers.CharField(max_length=200)


class Correction(Input):
    """A correction of a unit: its figures or stands, its position, and the reason.

    `place` names a square, such as `C5`; on an open table, `x` and `y` are the distances from the
    north-western corner in its measure. Give the form that the field uses. `facing` is in degrees.
    Fields that are left out stay as they are, except `shaken`, which is cleared.
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
    """The book by which a waiting battle is fought here."""

    book = serializers.CharField(max_length=40)


class FightPlace(msgspec.Struct):
    """The field of a battle's document that its ETag is made from, besides a hash of the whole."""

    place: str


class FightEndpoint(OwnEndpoint):
    """A write in a battle that players fight; the answer is the battle afterwards."""

    largest_body: ClassVar[int] = LARGEST

    def changed(self, uuid: str, do: Callable[[Battle, User], Battle]) -> WriteResult:
        """Apply `do` and return the battle as it was written, not as a later read finds it."""
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
        """Retrieve a battle as your side sees it.

        The answer has the question put to your side, its legal answers with their chances, and the
        field.
        """
        document = EncodedDocument(_told(request, uuid))
        document.etag = tag(document.body)
        return respond(request, document, ASK_AGAIN_ALONE)


class Log(OpenEndpoint):
    """The log of a battle that players fight."""

    parameters: ClassVar[frozenset[str]] = frozenset({"after"})

    @operation(LogDocument)
    def get(self, request: Request, uuid: str) -> HttpResponse:
        """List the log of a battle that players fight.

        The entries are those that you may read, after the entry `after`, with the dice behind them.
        """
        after = request.query_params.get("after", "0")
        if not (after.isascii() and after.isdigit() and len(after) < 7):
            raise invalid_parameters(after="Give the number of an entry.")
        return self.tell(log_document(_page(request, uuid), int(after)))


class Actions(FightEndpoint):
    """Actions in a battle."""

    @operation(FightDocument, takes=ActionBody, once=True, match=True, problems=("illegal-action",))
    def post(self, request: Request, uuid: str) -> WriteResult:
        """Act for your side.

        The actions are those of the battle's book; its commanders answer at once for the sides they
        command. Each of `asked.choices` is ready to be sent back. Build orders (Fuzzy Wuzzy) from
        `asked.orders`, and places (a `Deploy`, `Enter`, `Unload` or `Move`) from `asked.places`, or
        freely where `free` is set.
        """
        given = ActionBody.read(request).action
        place = _place_named(request)

        def act(battle: Battle, user: User) -> Battle:
            action = _action(battle, given)
            return services.act(
                battle.pk, user, action, expected=place or branches.cursor_of(battle)
            )

        return self.changed(uuid, act)


class LeadOfSide(FightEndpoint):
    """The commander of a side."""

    @operation(FightDocument, takes=LeaderInput, once=True)
    def put(self, request: Request, uuid: str) -> WriteResult:
        """Hand your side to the book's commander, or take it back.

        An umpire may do so for any side.
        """
        given = LeaderInput.read(request)
        side, computer = Side(given["side"]), given["computer"]
        return self.changed(
            uuid, lambda battle, user: services.lead(battle, user, side, computer=computer)
        )


class StandInOfSide(FightEndpoint):
    """A stand-in for a player who is late."""

    @operation(FightDocument, takes=Empty, once=True)
    def post(self, request: Request, uuid: str) -> WriteResult:
        """Let the book's commander stand in for the other side.

        Its time must be up; it takes over again when it is back.
        """
        Empty.read(request)
        return self.changed(uuid, services.stand_in)


class PauseOfFight(FightEndpoint, UmpireEndpoint):
    """The pause of a battle."""

    @operation(FightDocument, takes=FightPauseInput, once=True)
    def put(self, request: Request, uuid: str) -> WriteResult:
        """Pause or resume the battle (umpire)."""
        paused = FightPauseInput.read(request)["paused"]
        return self.changed(uuid, lambda battle, user: services.pause(battle, user, paused=paused))


class FinishOfFight(FightEndpoint, UmpireEndpoint):
    """The rest of a battle, fought by the computer."""

    @operation(FightDocument, takes=Empty, once=True)
    def post(self, request: Request, uuid: str) -> WriteResult:
        """Let the book's commanders fight the battle to its end (umpire)."""
        Empty.read(request)
        return self.changed(uuid, services.finish)


class RewindsOfFight(FightEndpoint, UmpireEndpoint):
    """Rewinds of a battle."""

    @operation(FightDocument, takes=FightRewindInput, once=True)
    def post(self, request: Request, uuid: str) -> WriteResult:
        """Rewind the battle to an entry (umpire).

        It goes on from there on a new branch with new dice, and is paused.
        """
        given = FightRewindInput.read(request)
        return self.changed(
            uuid,
            lambda battle, user: services.rewind(battle, user, given["entry"], given["reason"]),
        )


class CorrectionsOfFight(FightEndpoint, UmpireEndpoint):
    """Corrections of units."""

    @operation(FightDocument, takes=Correction, once=True)
    def post(self, request: Request, uuid: str) -> WriteResult:
        """Correct a unit's strength or position (umpire)."""
        said = Correction.read(request)
        reason = said.pop("reason")
        form = {name: str(value) for name, value in said.items() if value is not False}

        def correct(battle: Battle, user: User) -> Battle:
            _check_measure(_page(request, uuid), said)
            try:
                return services.correct(battle, user, form, reason)
            except InvalidForm as unclear:
                raise invalid_parameters(unit=str(unclear)) from unclear

        return self.changed(uuid, correct)


class InvitationToFight(OwnEndpoint):
    """An invitation to a side of a battle."""

    @operation(FightOfferDocument)
    def get(self, request: Request, uuid: str, invitation: str) -> HttpResponse:
        """Retrieve an invitation to a battle.

        It names the battle, the side and the book.
        """
        return self.tell(offer_document(selectors.side_offered(uuid, invitation)))

    @operation(FightDocument, takes=Empty, once=True)
    def post(self, request: Request, uuid: str, invitation: str) -> WriteResult:
        """Accept an invitation to a battle.

        You take the side. The answer is the battle, which you may now see.
        """
        Empty.read(request)
        offered = selectors.side_offered(uuid, invitation)
        services.accept(offered.battle, request.user, invitation)
        return WriteResult(200, _told(request, uuid), tag=tag)


class BeginningOfFight(FightEndpoint):
    """The beginning of a waiting battle."""

    @operation(FightDocument, takes=Begun, once=True)
    def post(self, request: Request, uuid: str) -> WriteResult:
        """Begin a battle that a campaign has handed off, by a book."""
        book = Begun.read(request)["book"]
        if book not in books():
            raise invalid(book=f"Name one of {', '.join(books())}.")
        return self.changed(uuid, lambda battle, user: services.take_up(battle, user, book))


def tag(body: bytes) -> str:
    """Return the ETag of a battle's document: its place in the journal, and a hash of the whole."""
    return make_etag(decoder_for(FightPlace).decode(body).place, body)


def _page(request: Request, uuid: str) -> FightPage:
    """Return the battle as the caller sees it; Http404 if players do not fight it."""
    return _page_of(request, selectors.battle_for(request.user, uuid))


def _page_of(request: Request, battle: Battle) -> FightPage:
    if battle.way != Battle.Way.PLAYERS or battle.head_id is None:
        raise Http404(NOT_FOUGHT)
    return FightPage(battle, request.user, request.query_params.dict())


def _told(request: Request, uuid: str) -> FightDocument:
    return fight_document(_page(request, uuid))


def _check_measure(page: FightPage, said: Collection[str]) -> None:
    """Raise the problem `invalid` if a position is given in the wrong form for the field."""
    others, ours = (("place",), "x and y") if page.on_table else (("x", "y"), "place")
    wrong = [name for name in others if name in said]
    if wrong:
        words = f"This field has no such measure: name a place on it by {ours}."
        raise invalid(**dict.fromkeys(wrong, words))


def _place_named(request: Request) -> str:
    """Return the place in the journal that If-Match names; "" for `*`, which is any."""
    named = request.headers.get("If-Match", "").strip()
    if not named:
        raise Problem(
            "precondition-required",
            "Send `If-Match` with the ETag of the battle as you have read it, or `*` for any.",
        )
    return "" if named == "*" else ".".join(named.removeprefix("W/").strip('"').split(".")[:2])


def _action(battle: Battle, given: dict[str, Any]) -> Any:
    """Return the action decoded as the book requires; the problem `invalid` if that fails."""
    engine = serialization.engine_of(battle)
    if not viewers.is_open(battle):
        raise Problem("refused", NOT_FOUGHT)
    check_numbers(given)
    return read_form(action_form(engine.slug), given, "/action")
