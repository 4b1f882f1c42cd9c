"""Battles that players fight: question, actions, commanders, the umpire's powers, and proofs."""

import re
from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from django.contrib.auth.models import User
from django.db import transaction
from django.http import Http404, HttpResponse
from msgspec import UNSET, Meta, UnsetType
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request

from api.documents.battles import BattleProofDocument
from api.documents.fights import (
    FightDocument,
    FightOfferDocument,
    Lead,
    LogDocument,
    UndoableActionsDocument,
    fight_document,
    log_document,
    offer_document,
    undoable_actions_document,
)
from api.documents.scalars import UNIT_KEY
from api.http.authentication import check_umpire_scope
from api.http.encoding import BookSlug, EmptyBody, RequestBody, read_form
from api.http.endpoint import Listed, OpenEndpoint, OwnEndpoint, UmpireEndpoint, operation
from api.http.idempotency import WriteResult
from api.http.preconditions import etag_of, respond_with_version, unless_stale, version_named
from api.http.problems import Problem, invalid_parameters, unfit
from api.openapi.components import BookAction, action_form, check_numbers
from api.resources.reports import AppliedPart
from battles import access, serialization, services
from battles.contract import Side
from battles.contract.book import books
from battles.models import Battle
from battles.turn_form import InvalidForm
from battles.web.fight_page import FightPage
from battles.web.rules_pages import used_in

# Battles that players fight: the question, actions, commanders and the umpire's powers.


NOT_FOUGHT = "Players do not fight this battle (any more)."
LARGEST = 40_000  # bytes of an action
Reason = Annotated[str, Meta(min_length=1, max_length=200)]
Number = Annotated[int, Meta(ge=0, le=10**6)]
Distance = Annotated[float, Meta(ge=-9999, le=9999)]


class ActionBody(RequestBody, frozen=True):
    """An action from `options.legal_actions`, or another that the book allows.

    What `legal_actions` has as `action` is ready to be sent back as it is. Orders (Fuzzy Wuzzy) are
    not among them: put them together from `order_fields`; any number of your units may have one at
    once.
    """

    action: BookAction


class FightBody(RequestBody, frozen=True):
    """The book by which a waiting battle is fought here."""

    book: BookSlug


class FightChange(RequestBody, frozen=True):
    """A change of a battle; what is left out stays as it is.

    A side is led by its own player or by the book's commander: its player says so, and an umpire
    for any side. With `stand_in` the commander stands in for the other side, whose time must be up,
    until its player is back. Only an umpire pauses a battle, or has its rest fought by the book's
    commanders (`finished`).
    """

    egyptian_lead: Lead | UnsetType = UNSET
    mahdist_lead: Lead | UnsetType = UNSET
    stand_in: Literal[True] | UnsetType = UNSET
    paused: bool | UnsetType = UNSET
    finished: Literal[True] | UnsetType = UNSET

    @property
    def requires_umpire(self) -> bool:
        """Return whether only an umpire may make the change."""
        return self.paused is not UNSET or self.finished is not UNSET

    def make(self, battle: Battle, user: User) -> Battle:
        """Make the change and return the battle. Raises NotYours and Refused."""
        leads = {Side.EGYPTIAN: self.egyptian_lead, Side.MAHDIST: self.mahdist_lead}
        with transaction.atomic():
            for side, lead in leads.items():
                if lead is not UNSET:
                    battle = services.lead(battle, user, side, computer=lead == "computer")
            if self.stand_in is not UNSET:
                battle = services.stand_in(battle, user)
            if self.paused is not UNSET:
                battle = services.pause(battle, user, paused=self.paused)
            if self.finished is not UNSET:
                battle = services.finish(battle, user)
        return battle


class FightRewindBody(RequestBody, frozen=True):
    """The last entry to keep, and the reason."""

    entry_number: Annotated[int, Meta(ge=1, le=10**6)]
    reason: Reason


class OnSquare(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="square"):
    """A square of a field of squares, such as `C5`."""

    square: Annotated[str, Meta(min_length=1, max_length=8)]


class OnTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="point"):
    """A point of an open table: its distances from the north-western corner, in its measure."""

    x: Distance
    y: Distance


class CorrectionBody(RequestBody, frozen=True, kw_only=True):
    """A correction of a unit: its figures or stands, its position, and the reason.

    `moved_to` is a square or a point, as the field has it. Fields that are left out stay as they
    are, except `shaken`, which is cleared.
    """

    unit_id: Number
    strength: Number
    moved_to: OnSquare | OnTable | UnsetType = UNSET
    bearing: Annotated[int, Meta(ge=0, le=359)] | UnsetType = UNSET
    shaken: bool = False
    reason: Reason

    def form(self) -> dict[str, str]:
        """Return the fields of the book's form."""
        fields: dict[str, object] = {
            "unit": self.unit_id,
            "left": self.strength,
            "facing": self.bearing,
            "shaken": "yes" if self.shaken else "no",
        }
        if isinstance(self.moved_to, OnSquare):
            fields["place"] = self.moved_to.square
        elif isinstance(self.moved_to, OnTable):
            fields |= {"x": self.moved_to.x, "y": self.moved_to.y}
        return {name: str(value) for name, value in fields.items() if value is not UNSET}


class FightEndpoint(OwnEndpoint):
    """A write in a battle that players fight; the answer is the battle afterwards."""

    largest_body: ClassVar[int] = LARGEST

    def changed(self, uuid: str, do: Callable[[Battle, User], Battle]) -> WriteResult:
        """Apply `do` and return the battle as it was written, not as a later read finds it."""
        battle = access.battle_for(self.request.user, uuid)
        try:
            written = unless_stale(lambda: do(battle, self.request.user))
        except services.NotYours as refused:
            raise Problem("not-allowed", str(refused)) from refused
        return WriteResult(200, fight_document(_page_of(self.request, written)), tag=etag_of)


class OneFight(FightEndpoint):
    """A battle that players fight."""

    parameters: ClassVar[frozenset[str]] = frozenset({"unit"})
    permission_classes = [IsAuthenticatedOrReadOnly]

    @operation(FightDocument)
    def get(self, request: Request, id: str) -> HttpResponse:
        """Retrieve a battle as your side sees it.

        The answer has the question put to your side, its legal actions with their chances, and the
        field.
        """
        return respond_with_version(request, fight_document(_page(request, id)))

    @operation(FightDocument, takes=FightBody, once=True)
    def put(self, request: Request, id: str) -> WriteResult:
        """Begin a battle that a campaign has handed off, by a book.

        A battle that has begun stays as it is.
        """
        book = FightBody.read(request).book
        if book not in books():
            raise unfit(book=f"Name one of {', '.join(books())}.")
        return self.changed(id, lambda battle, user: services.take_up(battle, user, book))

    @operation(FightDocument, takes=FightChange, once=True)
    def patch(self, request: Request, id: str) -> WriteResult:
        """Say who leads a side, pause the battle, or have it finished."""
        change = FightChange.read(request)
        if change.requires_umpire:
            check_umpire_scope(request)
        return self.changed(id, change.make)


class Log(OpenEndpoint):
    """The log of a battle that players fight."""

    parameters: ClassVar[frozenset[str]] = frozenset({"after"})

    @operation(LogDocument)
    def get(self, request: Request, id: str) -> HttpResponse:
        """List the log of a battle that players fight.

        The entries are those that you may read, after the entry `after`, with the dice behind them.
        """
        after = request.query_params.get("after", "0")
        if not (after.isascii() and after.isdigit() and len(after) < 7):
            raise invalid_parameters(after="Give the number of an entry.")
        return self.answer(log_document(_page(request, id), int(after)))


class Actions(FightEndpoint):
    """Actions in a battle."""

    @operation(UndoableActionsDocument)
    def get(self, request: Request, id: str) -> HttpResponse:
        """List the decisions of yours that you may take back, the latest first.

        Alone against the computer these are the last 40. Against another player it is your last
        one at most: only while no die was thrown, nothing hidden was seen, and nobody has acted.
        """
        battle = _page(request, id).battle
        decisions = services.decisions(battle, request.user)
        return respond_with_version(request, undoable_actions_document(battle, decisions))

    @operation(FightDocument, takes=ActionBody, once=True, match=True, problems=("illegal-action",))
    def post(self, request: Request, id: str) -> WriteResult:
        """Act for your side.

        The actions are those of the battle's book; its commanders answer at once for the sides they
        command. Each of `legal_actions` is ready to be sent back. Build orders (Fuzzy Wuzzy) from
        `order_fields`, and places (of a deployment, an entry, a move) from `place_numbers`, or
        freely where the unit `may_go_anywhere`.
        """
        sent_action = ActionBody.read(request).action
        version = version_named(request)

        def act(battle: Battle, user: User) -> Battle:
            action = _action(battle, sent_action)
            return services.act(
                battle.pk, user, action, expected=version or serialization.cursor_of(battle)
            )

        return self.changed(id, act)


class OneAction(FightEndpoint):
    """An action in a battle."""

    @operation(FightDocument, once=True, match=True)
    def delete(self, request: Request, id: str, entry_number: int) -> WriteResult:
        """Take back a decision of yours, with all that came after it.

        It is one of those that `actions/` lists. The battle goes on from before it, on a new branch
        with new dice.
        """
        version = version_named(request)

        def undo(battle: Battle, user: User) -> Battle:
            expected = version or serialization.cursor_of(battle)
            return services.undo(battle.pk, user, expected=expected, to=entry_number)

        return self.changed(id, undo)


class RewindsOfFight(FightEndpoint, UmpireEndpoint):
    """Rewinds of a battle."""

    @operation(FightDocument, takes=FightRewindBody, once=True, match=True)
    def post(self, request: Request, id: str) -> WriteResult:
        """Rewind the battle to an entry (umpire).

        It goes on from there on a new branch with new dice, and is paused.
        """
        body, version = FightRewindBody.read(request), version_named(request) or ""

        def rewind(battle: Battle, user: User) -> Battle:
            return services.rewind(battle, user, body.entry_number, body.reason, expected=version)

        return self.changed(id, rewind)


class CorrectionsOfFight(FightEndpoint, UmpireEndpoint):
    """Corrections of units."""

    @operation(FightDocument, takes=CorrectionBody, once=True, match=True)
    def post(self, request: Request, id: str) -> WriteResult:
        """Correct a unit's strength or position (umpire)."""
        body, version = CorrectionBody.read(request), version_named(request) or ""

        def correct(battle: Battle, user: User) -> Battle:
            _check_measure(_page(request, id), body)
            try:
                return services.correct(battle, user, body.form(), body.reason, expected=version)
            except InvalidForm as unclear:
                raise unfit(unit_id=str(unclear)) from unclear

        return self.changed(id, correct)


class InvitationToFight(OwnEndpoint):
    """An invitation to a side of a battle."""

    @operation(FightOfferDocument)
    def get(self, request: Request, id: str, invitation: str) -> HttpResponse:
        """Retrieve an invitation to a battle.

        It names the battle, the side and the book.
        """
        return self.answer(offer_document(access.side_offered(id, invitation)))

    @operation(FightDocument, takes=EmptyBody, once=True)
    def post(self, request: Request, id: str, invitation: str) -> WriteResult:
        """Accept an invitation to a battle.

        You take the side. The answer is the battle, which you may now see.
        """
        EmptyBody.read(request)
        offered = access.side_offered(id, invitation)
        services.accept(offered.battle, request.user, invitation)
        return WriteResult(200, fight_document(_page(request, id)), tag=etag_of)


def _page(request: Request, uuid: str) -> FightPage:
    """Return the battle as the caller sees it; Http404 if players do not fight it."""
    return _page_of(request, access.battle_for(request.user, uuid))


def _page_of(request: Request, battle: Battle) -> FightPage:
    if battle.way != Battle.Way.PLAYERS or battle.head_id is None:
        raise Http404(NOT_FOUGHT)
    unit = request.query_params.get("unit")
    if unit is not None and not re.fullmatch(UNIT_KEY, unit):
        raise invalid_parameters(unit=f"{unit!r} is no unit: name one of yours by its id.")
    return FightPage(battle, request.user, request.query_params.dict())


def _check_measure(page: FightPage, correction: CorrectionBody) -> None:
    """Raise the problem `unfit` if a position is given in the wrong form for the field."""
    kind = OnTable if page.on_table else OnSquare
    if correction.moved_to is not UNSET and not isinstance(correction.moved_to, kind):
        form = "point" if page.on_table else "square"
        raise unfit(moved_to=f"This field has no such measure: name a {form} of it.")


def _action(battle: Battle, sent_action: dict[str, Any]) -> Any:
    """Return the action decoded as the book requires; the problem `unfit` if that fails."""
    engine = serialization.engine_of(battle)
    if not access.is_open(battle):
        raise Problem("refused", NOT_FOUGHT)
    check_numbers(sent_action)
    try:
        return read_form(action_form(engine.slug), sent_action, "/action")
    except Problem as wrong:  # the schema allows the actions of every book
        raise Problem("unfit", wrong.detail, errors=wrong.members["errors"]) from wrong


# Battles checked against their journal and book: the dice replayed, the clauses applied.


class ProofOfBattle(OpenEndpoint):
    """A check of a battle's dice."""

    @operation(BattleProofDocument)
    def get(self, request: Request, id: str) -> HttpResponse:
        """Verify a battle's dice.

        The battle is replayed with its own dice, and every entry compared.
        """
        battle = access.whole_battle_for(request.user, id)
        if battle.head_id is None:
            return self.answer(BattleProofDocument(None, None, None))
        key = bytes(battle.key).hex()
        try:
            proof = services.verify_battle(battle)
        except services.Damaged as damaged:
            return self.answer(BattleProofDocument(False, str(damaged), key))
        return self.answer(
            BattleProofDocument(True, None, key, proof.entries, proof.rolls, proof.dice)
        )


class TraceOfBattle(OpenEndpoint):
    """The clauses that a battle has applied."""

    @operation(Listed[AppliedPart])
    def get(self, request: Request, id: str) -> HttpResponse:
        """List the clauses that a battle has applied, with counts.

        They are in the order of the book.
        """
        battle = access.whole_battle_for(request.user, id)
        used = [line for chapter in used_in(battle) for line in chapter.lines if line.times]
        return self.answer_list(AppliedPart(line.traced.clause.number, line.times) for line in used)
