"""Questions of a campaign. Each names the side that must answer."""

from enum import StrEnum
from typing import Annotated

import msgspec

from battles.contract.brief import Brief, Quality, Side
from battles.core.decoding import rest_name
from campaign.rules.core.pieces import UnitId
from campaign.rules.map import HexId


class CombatRound(StrEnum):
    """The rounds of a combat (9.3)."""

    FIRE = "fire"
    MELEE = "melee"


class BaseQuestion(msgspec.Struct, frozen=True, omit_defaults=True, tag=True, tag_field="type"):
    """A question to one side."""

    side: Side


class ToSetUp(BaseQuestion, frozen=True):
    """Move units within their set-up areas, then be ready (2.1)."""


class ToReinforce(BaseQuestion, frozen=True):
    """Place units that have arrived, withdraw units, then finish the phase (3.1)."""


class ToMarch(BaseQuestion, frozen=True):
    """Choose the next stack to march, or end the phase (5.2 III)."""


class OnMarch(BaseQuestion, frozen=True):
    """Move, attack, drop units off, march again or halt with the marching stack (8.3)."""


class ToDisrupt(BaseQuestion, frozen=True):
    """Choose `count` of the marching units, which fall out (8.31)."""

    units: tuple[UnitId, ...]
    count: int


class Quota(msgspec.Struct, frozen=True, array_like=True):
    """Losses of one quality: units eliminated and units disrupted (9.5)."""

    quality: Quality
    eliminated: Annotated[int, rest_name("eliminated_count")]
    disrupted: Annotated[int, rest_name("disrupted_count")]


class ToShareLosses(BaseQuestion, frozen=True):
    """Share the losses of a round among the stack (9.4, 9.5)."""

    combat_round: CombatRound
    quotas: tuple[Quota, ...]


class ToLead(BaseQuestion, frozen=True):
    """Name the leader who guides the stack, and in which round (7.3)."""

    leaders: tuple[UnitId, ...]


class ToFight(BaseQuestion, frozen=True):
    """Fight the battle, or have it fought, by the `resolution` chosen for it (9.4)."""

    brief: Brief
    resolution: str


class ToRetreat(BaseQuestion, frozen=True):
    """Retreat a beaten stack (9.8); `free` when it may also stand fast."""

    hex: HexId
    units: tuple[UnitId, ...]
    points: int
    free: bool = False
    back_along: tuple[HexId, ...] = ()


class SupplyChoice(msgspec.Struct, frozen=True):
    """A stack that may draw supply: its hex, and the supply units of which it would use up one."""

    hex: HexId
    sources: tuple[UnitId, ...]


class ToSupply(BaseQuestion, frozen=True):
    """Use up a supply unit for these stacks, or let all that have none roll for attrition (10.1).

    The question is repeated after each supply unit, while a stack may draw on another.
    """

    choices: Annotated[tuple[SupplyChoice, ...], rest_name("supplies")] = ()


class ToShareAttrition(BaseQuestion, frozen=True):
    """Choose the `affected` units of the stack in `hex` that attrition hits (10.3)."""

    hex: HexId
    affected: Annotated[int, rest_name("affected_count")]


class ToChooseHex(BaseQuestion, frozen=True):
    """Choose one of `choices`; the step `purpose` then runs with `args` and the hex."""

    purpose: str
    clause: str
    choices: tuple[HexId, ...]
    args: tuple[str | int, ...] = ()


class ToChooseUnits(BaseQuestion, frozen=True):
    """Choose `count` of `units`; the step `purpose` then runs with `args` and the units."""

    purpose: str
    clause: str
    units: tuple[UnitId, ...]
    count: int
    args: tuple[str | int, ...] = ()


Question = (
    ToSetUp
    | ToReinforce
    | ToMarch
    | OnMarch
    | ToDisrupt
    | ToShareLosses
    | ToLead
    | ToFight
    | ToRetreat
    | ToSupply
    | ToShareAttrition
    | ToChooseHex
    | ToChooseUnits
)
