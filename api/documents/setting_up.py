"""The set-up before the first month as a document."""

import msgspec
from django.urls import reverse

from api.documents.maps import printed
from api.documents.scalars import HexName, SideName
from api.documents.state import SpotPart, spot
from campaign.access import selectors
from campaign.models import Campaign
from campaign.rules.core.board import board
from campaign.rules.core.questions import ToSetUp
from campaign.rules.core.state import State
from campaign.rules.prose.names import label
from campaign.services.turns.initial_deployment import NOTHING, Choices, may_set_up


class MovablePart(msgspec.Struct, frozen=True):
    """A unit that may stand elsewhere at the start, and in which hexes (2.1)."""

    id: int
    words: str
    at: SpotPart
    hexes: tuple[HexName, ...]


class SetUpDocument(msgspec.Struct, frozen=True):
    """Which side is to set up (null: the set-up is over); `movable` where it is yours to do.

    `head` goes back with what is done: what comes too late does nothing.
    """

    campaign: str
    side: SideName | None
    head: int
    yours: bool
    movable: tuple[MovablePart, ...]
    links: dict[str, str]


def set_up_document(campaign: Campaign, user: selectors.Anybody) -> SetUpDocument:
    """How far the set-up is, to that user."""
    state = selectors.state_now(campaign)
    side = state.question.side if isinstance(state.question, ToSetUp) else None
    may = may_set_up(campaign, user, state)
    names = ("set-up", "deployments", "set-up-readiness")
    args = [campaign.slug]
    return SetUpDocument(
        campaign=campaign.slug,
        side=side,
        head=campaign.head_id or 0,
        yours=may is not NOTHING,
        movable=_movable(state, may.choices),
        links={name: reverse(f"api:campaign-{name}", args=args) for name in names},
    )


def _movable(state: State, may: Choices) -> tuple[MovablePart, ...]:
    return tuple(
        MovablePart(
            unit.id, label(unit), spot(state, unit.hex), tuple(map(printed, sorted(may[unit.id])))
        )
        for unit in board(state).units
        if unit.id in may
    )
