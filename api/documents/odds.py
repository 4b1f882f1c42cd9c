"""The odds of sheets and of battles, as documents."""

from collections.abc import Mapping

import msgspec

from api.documents.maps import printed_number
from api.documents.scalars import HexName, SideName
from campaign.odds.assault import AssaultOdds
from campaign.odds.combat import CombatOdds, LossOdds
from campaign.odds.march import MarchOdds, ThirstOdds
from campaign.odds.voyage import VoyageOdds
from campaign.orders.checks import OrderChances
from campaign.orders.dry_run import ExpectedCombat
from campaign.rules.combat.retreat import WayBehind
from campaign.rules.map import HexId


class LossOddsPart(msgspec.Struct, frozen=True):
    """A side's losses: the chances that 0, 1, 2 and so on of its units are lost, or disrupted.

    `survival_loss_chance` is the chance that none is left that keeps a stack alive (4.2), which
    leaders, civilians and craft do not. `no_retreat_chance` is the chance that it is beaten and
    cannot retreat, so that each of its units is disrupted once more (9.8).
    """

    unit_count: int
    lost_chances: tuple[float, ...]
    disrupted_chances: tuple[float, ...]
    mean_lost: float
    mean_disrupted: float
    wiped_out_chance: float
    survival_loss_chance: float
    no_retreat_chance: float


class CombatOddsDocument(msgspec.Struct, frozen=True):
    """The exact odds of a combat by the campaign's combat table, from the attacker's side.

    `captured_chances` are those that the Mahdists capture 0, 1, 2 and so on of the guns and rifles
    they destroy, `wrecked_chances` that so many of the attacker's craft are wrecked on the way
    back.
    """

    win_chance: float
    loss_chance: float
    draw_chance: float
    attacker_losses: LossOddsPart
    defender_losses: LossOddsPart
    captured_chances: tuple[float, ...]
    wrecked_chances: tuple[float, ...]


class BlockedRetreatPart(msgspec.Struct, frozen=True):
    """A warning that the attackers could not retreat if beaten (9.8).

    `river_name` is the river they crossed to attack, if the enemy bars that. `from_start`: they
    attack from where they set out, with the enemy all round them.
    """

    river_name: str | None
    from_start: bool


class ExpectedCombatPart(msgspec.Struct, frozen=True):
    """A combat that an order leads to; `odds` is null if the enemy's strength is unknown.

    `battle` is null unless it would be handed off to a book; `blocked_retreat` is null if a beaten
    attacker can retreat.
    """

    hex: HexName
    odds: CombatOddsDocument | None
    battle: str | None
    blocked_retreat: BlockedRetreatPart | None


class VoyageOddsPart(msgspec.Struct, frozen=True):
    """The voyage of an order by river (8.23)."""

    to_hex: HexName
    craft_count: int
    perils: tuple[str, ...]
    wrecked_chances: tuple[float, ...]
    arrival_chance: float


class StakePart(msgspec.Struct, frozen=True):
    """A risk of an order: `winner` wins the campaign if it comes about.

    `winner` is null if the order risks a victory of its own side. `chance` is that of the order's
    own attack, null if it makes none with known odds.
    """

    winner: SideName | None
    text: str
    clause: str
    chance: float | None


class MarchResultPart(msgspec.Struct, frozen=True):
    """A result of marches and its chance: marches made, units newly disrupted, and units lost."""

    march_count: int
    disrupted_count: int
    lost_count: int
    chance: float


class MarchOddsPart(msgspec.Struct, frozen=True):
    """The marches that an order needs, and the chances to make at least one, two and so on.

    `whole_chance` is the chance that all are made and nobody falls out.
    """

    wanted_count: int
    made_chances: tuple[float, ...]
    whole_chance: float
    march_results: tuple[MarchResultPart, ...]


class AttritionResultPart(msgspec.Struct, frozen=True):
    """A result of attrition and its chance: units newly disrupted, and units lost."""

    disrupted_count: int
    lost_count: int
    chance: float


class AttritionOddsPart(msgspec.Struct, frozen=True):
    """The attrition of the stack where it ends, without supply.

    A stack that `has_supply`, a supply unit to draw on, loses nothing.
    """

    hex: HexName
    table_line: str
    unit_count: int
    attrition_results: tuple[AttritionResultPart, ...]
    mean_lost: float
    mean_disrupted: float
    has_supply: bool


class OrderOddsPart(msgspec.Struct, frozen=True):
    """The odds of one order to march; the order is named by its index.

    `voyage` is null for an order without a river; `stakes` say how losing its stack, or leaving its
    place, may end the campaign.
    """

    order_index: int
    march_odds: MarchOddsPart | None
    voyage: VoyageOddsPart | None
    expected_combats: tuple[ExpectedCombatPart, ...]
    attrition: AttritionOddsPart | None
    stakes: tuple[StakePart, ...]


class AssaultOddsPart(msgspec.Struct, frozen=True):
    """Several attacks on one hex in turn, sampled: the chance that the defender is beaten.

    `attack_chances` are those that the first, the second and so on succeeds; `mean_lost` are the
    defender's units.
    """

    hex: HexName
    success_chance: float
    error: float
    attack_chances: tuple[float, ...]
    mean_lost: float
    sample_count: int


class SheetOddsDocument(msgspec.Struct, frozen=True):
    """The odds of every order to march on a sheet, by what the seat's side knows."""

    order_odds: tuple[OrderOddsPart, ...]
    assaults: tuple[AssaultOddsPart, ...]


def sheet_odds(
    order_chances: tuple[OrderChances, ...], several: Mapping[HexId, AssaultOdds]
) -> SheetOddsDocument:
    assaults = tuple(
        AssaultOddsPart(
            printed_number(hex_id),
            odds.falls,
            odds.error,
            odds.by_wave,
            odds.mean_lost,
            odds.samples,
        )
        for hex_id, odds in several.items()
    )
    return SheetOddsDocument(tuple(map(_order, order_chances)), assaults)


def _order(chances: OrderChances) -> OrderOddsPart:
    return OrderOddsPart(
        order_index=chances.number,
        march_odds=_marches(chances.marches) if chances.marches else None,
        voyage=_voyage(chances.voyage) if chances.voyage else None,
        expected_combats=tuple(map(_combat, chances.fights)),
        attrition=_attrition(chances.thirst) if chances.thirst else None,
        stakes=tuple(
            StakePart(stake.winner, stake.said, stake.clause, stake.chance)
            for stake in chances.stakes
        ),
    )


def _voyage(odds: VoyageOdds) -> VoyageOddsPart:
    return VoyageOddsPart(
        printed_number(odds.to), odds.hulls, odds.perils, odds.wrecked, odds.arrives
    )


def _combat(expected: ExpectedCombat) -> ExpectedCombatPart:
    return ExpectedCombatPart(
        hex=printed_number(expected.hex),
        odds=combat_odds_document(expected.odds) if expected.odds else None,
        battle=expected.brief.id if expected.brief else None,
        blocked_retreat=blocked_retreat_part(expected.behind) if expected.behind else None,
    )


def blocked_retreat_part(behind: WayBehind) -> BlockedRetreatPart | None:
    """Return the warning, or None when a beaten attacker can retreat."""
    if not behind.blocked:
        return None
    return BlockedRetreatPart(behind.river or None, behind.set_out)


def combat_odds_document(odds: CombatOdds) -> CombatOddsDocument:
    attacker, defender = _losses(odds.attacker), _losses(odds.defender)
    return CombatOddsDocument(
        odds.win, odds.lose, odds.draw, attacker, defender, odds.taken, odds.wrecked
    )


def _losses(odds: LossOdds) -> LossOddsPart:
    return LossOddsPart(
        unit_count=odds.units,
        lost_chances=odds.gone,
        disrupted_chances=odds.shaken,
        mean_lost=odds.mean_gone,
        mean_disrupted=odds.mean_shaken,
        wiped_out_chance=odds.wiped,
        survival_loss_chance=odds.destroyed,
        no_retreat_chance=odds.at_bay,
    )


def _marches(odds: MarchOdds) -> MarchOddsPart:
    return MarchOddsPart(
        wanted_count=odds.wanted,
        made_chances=tuple(float(odds.made(number)) for number in range(1, odds.wanted + 1)),
        whole_chance=float(odds.whole),
        march_results=tuple(
            MarchResultPart(result.marches, result.shaken, result.gone, float(chance))
            for result, chance in sorted(odds.results.items())
        ),
    )


def _attrition(odds: ThirstOdds) -> AttritionOddsPart:
    return AttritionOddsPart(
        hex=printed_number(odds.hex),
        table_line=str(odds.line),
        unit_count=odds.size,
        attrition_results=tuple(
            AttritionResultPart(result.shaken, result.gone, float(chance))
            for result, chance in sorted(odds.results.items())
        ),
        mean_lost=float(odds.gone),
        mean_disrupted=float(odds.shaken),
        has_supply=bool(odds.sources),
    )
