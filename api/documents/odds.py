"""Odds, and the results of rehearsals, trials and forecasts, as documents."""

from collections.abc import Mapping

import msgspec

from api.documents.maps import printed
from api.documents.scalars import HexName, SideName
from campaign.odds.assault import AssaultOdds
from campaign.odds.combat import CombatOdds, LossOdds
from campaign.odds.march import MarchOdds
from campaign.odds.thirst import ThirstOdds
from campaign.odds.voyage import VoyageOdds
from campaign.orders.checks import OrderChances
from campaign.orders.dry_run import ExpectedCombat
from campaign.rules.map import HexId


class TollPart(msgspec.Struct, frozen=True):
    """A side's losses: of `units`, the chances that 0, 1, 2 and so on are lost, or disrupted.

    `wiped_out` is the chance that none of its units is left on land, `destroyed` that none is left
    that keeps a stack alive (4.2), which leaders, civilians and craft do not. `no_way_back` is the
    chance that it is beaten and cannot retreat, so that each of its units is disrupted once more
    (9.8).
    """

    units: int
    lost: tuple[float, ...]
    disrupted: tuple[float, ...]
    mean_lost: float
    mean_disrupted: float
    wiped_out: float
    destroyed: float
    no_way_back: float


class CombatPart(msgspec.Struct, frozen=True):
    """The exact odds of a combat by the campaign's own table, from the attacker's side.

    `captured` has the chances that the Mahdists capture 0, 1, 2 and so on of the guns and rifles
    they destroy, `wrecked` that so many of the attacker's craft are wrecked on the way back.
    """

    win: float
    lose: float
    draw: float
    attacker: TollPart
    defender: TollPart
    captured: tuple[float, ...]
    wrecked: tuple[float, ...]


class NoWayBackPart(msgspec.Struct, frozen=True):
    """A warning that the attackers could not retreat if beaten (9.8).

    `river` is the name of the river they crossed to attack, empty for none; `from_start` says that
    they attack from the hex they set out from. The odds have its chance.
    """

    river: str
    from_start: bool


class FightPart(msgspec.Struct, frozen=True):
    """A combat that an order leads to; `odds` is null if the enemy's strength is unknown.

    `battle` is its number if it would be handed off to a book; `no_way_back` is null if a beaten
    attacker can retreat.
    """

    hex: HexName
    odds: CombatPart | None
    battle: str
    no_way_back: NoWayBackPart | None


class VoyagePart(msgspec.Struct, frozen=True):
    """The voyage of an order by river to `to` (8.23).

    `wrecked` has the chances that 0, 1, 2 and so on of its craft are wrecked, `arrives` is the
    chance that at least one arrives; `perils` names the cataracts and unnavigable water on the way.
    """

    to: HexName
    craft: int
    perils: tuple[str, ...]
    wrecked: tuple[float, ...]
    arrives: float


class StakePart(msgspec.Struct, frozen=True):
    """A risk of an order: `winner` wins the campaign if it comes about.

    `winner` is null if the order risks a victory of its own side. `chance` is that of the order's
    own attack, null if it makes none with known odds.
    """

    winner: SideName | None
    said: str
    clause: str
    chance: float | None


class MadePart(msgspec.Struct, frozen=True):
    """A result and its chance: marches made, units newly disrupted, and units lost."""

    marches: int
    disrupted: int
    lost: int
    chance: float


class MarchesPart(msgspec.Struct, frozen=True):
    """The marches that an order needs. `made` has the chances of at least one, two and so on.

    `whole` is the chance that all are made and nobody falls out.
    """

    wanted: int
    made: tuple[float, ...]
    whole: float
    results: tuple[MadePart, ...]


class ThirstPart(msgspec.Struct, frozen=True):
    """The attrition of the stack where it ends, without supply: units hit and their chances.

    `line` is the row of the attrition table, `units` the number that may suffer (`marches` of its
    results is 0). With `supplied`, there is a supply unit to draw on, and it loses nothing.
    """

    hex: HexName
    line: str
    units: int
    results: tuple[MadePart, ...]
    mean_lost: float
    mean_disrupted: float
    supplied: bool


class OrderOdds(msgspec.Struct, frozen=True):
    """The odds of one order to march; `order` counts from 0.

    `voyage` is null for an order without a river; `stakes` say how losing its stack, or leaving its
    place, may end the campaign.
    """

    order: int
    marches: MarchesPart | None
    voyage: VoyagePart | None
    fights: tuple[FightPart, ...]
    thirst: ThirstPart | None
    stakes: tuple[StakePart, ...]


class AssaultPart(msgspec.Struct, frozen=True):
    """Several attacks on one hex in turn, sampled: the chance that the defender is beaten.

    `error` is its standard error; `by_attack` has the chances that the first, the second and so on
    succeeds. `mean_lost` are the defender's units, `samples` is the number of samples.
    """

    hex: HexName
    falls: float
    error: float
    by_attack: tuple[float, ...]
    mean_lost: float
    samples: int


class SheetOdds(msgspec.Struct, frozen=True):
    """The odds of every order to march on a sheet, by what the seat's side knows."""

    orders: tuple[OrderOdds, ...]
    assaults: tuple[AssaultPart, ...]


def sheet_odds(found: tuple[OrderChances, ...], several: Mapping[HexId, AssaultOdds]) -> SheetOdds:
    together = tuple(
        AssaultPart(printed(hex_id), of.falls, of.error, of.by_wave, of.mean_lost, of.samples)
        for hex_id, of in several.items()
    )
    return SheetOdds(tuple(map(_order, found)), together)


def _order(of: OrderChances) -> OrderOdds:
    return OrderOdds(
        of.number,
        _marches(of.marches) if of.marches else None,
        _voyage(of.voyage) if of.voyage else None,
        tuple(map(_fight, of.fights)),
        _thirst(of.thirst) if of.thirst else None,
        tuple(StakePart(one.winner, one.said, one.clause, one.chance) for one in of.stakes),
    )


def _voyage(of: VoyageOdds) -> VoyagePart:
    return VoyagePart(printed(of.to), of.hulls, of.perils, of.wrecked, of.arrives)


def _fight(of: ExpectedCombat) -> FightPart:
    odds = combat_part(of.odds) if of.odds else None
    shut = NoWayBackPart(of.no_way_back.river, of.no_way_back.set_out) if of.no_way_back else None
    return FightPart(printed(of.hex), odds, of.brief.id if of.brief else "", shut)


def combat_part(of: CombatOdds) -> CombatPart:
    """Return the odds of a combat."""
    mine, theirs = _toll(of.attacker), _toll(of.defender)
    return CombatPart(of.win, of.lose, of.draw, mine, theirs, of.taken, of.wrecked)


def _toll(of: LossOdds) -> TollPart:
    return TollPart(
        of.units,
        of.gone,
        of.shaken,
        of.mean_gone,
        of.mean_shaken,
        of.wiped,
        of.destroyed,
        of.at_bay,
    )


def _marches(of: MarchOdds) -> MarchesPart:
    return MarchesPart(
        of.wanted,
        tuple(float(of.made(number)) for number in range(1, of.wanted + 1)),
        float(of.whole),
        tuple(
            MadePart(one.marches, one.shaken, one.gone, float(chance))
            for one, chance in sorted(of.results.items())
        ),
    )


def _thirst(of: ThirstOdds) -> ThirstPart:
    return ThirstPart(
        printed(of.hex),
        str(of.line),
        of.size,
        tuple(
            MadePart(0, one.shaken, one.gone, float(chance))
            for one, chance in sorted(of.results.items())
        ),
        float(of.gone),
        float(of.shaken),
        bool(of.sources),
    )
