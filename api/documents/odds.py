"""Odds, and the results of rehearsals, trials and forecasts, as documents."""

from collections.abc import Iterable, Mapping
from uuid import UUID

import msgspec
from django.urls import reverse

from api.documents.campaigns import ProgressPart, work_links
from api.documents.maps import printed
from api.documents.scalars import HexName, InquiryKind, Moment, SideName, StatusName
from battles.contract import Side
from battles.core.decoding import decode
from battles.simulation import BattleEstimate
from campaign.models import Inquiry
from campaign.odds.assault import AssaultOdds
from campaign.odds.combat import CombatOdds, LossOdds
from campaign.odds.forecast import AHEAD, Playout, PlayoutEnding, endings, error_of, presence
from campaign.odds.march import MarchOdds
from campaign.odds.thirst import ThirstOdds
from campaign.odds.voyage import VoyageOdds
from campaign.orders.checks import OrderChances
from campaign.orders.dry_run import ExpectedCombat
from campaign.orders.monte_carlo import MonthRun, summarise_runs
from campaign.rules.map import HexId
from campaign.services.jobs.inquiries import inquiry_progress, runs_of
from campaign.simulations.battle_comparison import NOBODY, ComparedBattle, book_results


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


class SharePart(msgspec.Struct, frozen=True):
    """A share of all runs, or a mean over them, with its standard error."""

    mean: float
    error: float


class BattleOddsResult(msgspec.Struct, frozen=True):
    """The result of a battle by a book over `battles` runs: shares won, by side and `nobody`.

    `lost` has the share of its strength that each side lost; `fault` says why the book cannot fight
    it, else it is empty.
    """

    battles: int
    won: dict[str, SharePart]
    lost: dict[str, SharePart]
    fault: str


class EndingPart(msgspec.Struct, frozen=True):
    """A possible ending of the campaign; `winner` is null for a draw."""

    winner: SideName | None
    reason: str
    clause: str
    share: SharePart


class OrderResult(msgspec.Struct, frozen=True):
    """The outcome of an order (from 0), in shares of all runs: complete, in part, not at all.

    `fights` is its mean number of combats, `won` of those it won. `spoils` is the share of runs in
    which it was the first order of the sheet to fail, and `why` the most frequent reason.
    """

    order: int
    done: float
    partly: float
    failed: float
    fights: float
    won: float
    spoils: float
    why: str


class RehearsalResult(msgspec.Struct, frozen=True):
    """The result of a rehearsal. `spoiler` is the order that most often fails first.

    `whole` is the share of runs in which every order was carried out. `lost` has the chances that
    0, 1, 2 and so on of the side's counters are lost in the month; `thirst` (lost by attrition),
    `no_way_back` (lost because a beaten stack could not retreat), `disrupted`, `enemy_lost` and
    `wrecked` (the side's craft) are means in counters. `endings` are the ways in which the campaign
    ended in the month, each with its share of the runs.
    """

    runs: int
    whole: float
    spoiler: int | None
    orders: tuple[OrderResult, ...]
    lost: tuple[float, ...]
    thirst: float
    no_way_back: float
    disrupted: float
    enemy_lost: float
    wrecked: float
    endings: tuple[EndingPart, ...]


class StandPart(msgspec.Struct, frozen=True):
    """The chances that each side stands in a hex after `months`, by side and hex."""

    months: int
    hexes: dict[str, dict[str, float]]


class ForecastResult(msgspec.Struct, frozen=True):
    """The result of a forecast: the number of playouts, and their mean length in months."""

    playouts: int
    months: float
    endings: tuple[EndingPart, ...]
    stands: tuple[StandPart, ...]


class InquiryDocument(msgspec.Struct, frozen=True):
    """A battle, month or campaign that is played many times, and its results so far.

    `kind` says which of `battle`, `rehearsal` and `forecast` has the result; the others are null.
    """

    uuid: UUID
    kind: InquiryKind
    title: str
    way: str
    status: StatusName
    progress: ProgressPart
    message: str
    created: Moment
    battle: BattleOddsResult | None
    rehearsal: RehearsalResult | None
    forecast: ForecastResult | None
    links: dict[str, str]


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


def inquiry_document(inquiry: Inquiry) -> InquiryDocument:
    """Return the inquiry with its progress and its results so far."""
    far, runs = inquiry_progress(inquiry), [bytes(run) for run in runs_of(inquiry)]
    kind = Inquiry.Kind(inquiry.kind) if runs else None
    here = [inquiry.campaign.slug, inquiry.uuid]
    return InquiryDocument(
        uuid=inquiry.uuid,
        kind=inquiry.kind,
        title=inquiry.title,
        way=inquiry.way,
        status=far.status,
        progress=ProgressPart(far.progress, far.total),
        message=far.message,
        created=inquiry.created,
        battle=_battle(inquiry.way, runs) if kind is Inquiry.Kind.BATTLE else None,
        rehearsal=_rehearsal(runs) if kind is Inquiry.Kind.REHEARSAL else None,
        forecast=_forecast(runs) if kind is Inquiry.Kind.FORECAST else None,
        links=work_links(reverse("api:inquiry", args=here), inquiry.uuid),
    )


def _battle(way: str, runs: list[bytes]) -> BattleOddsResult:
    column = book_results([way], [decode(run, ComparedBattle) for run in runs])[0]
    return BattleOddsResult(column.battles, _shares(column.won), _shares(column.lost), column.fault)


def _shares(of: Mapping[str, BattleEstimate]) -> dict[str, SharePart]:
    order = (*(side.value for side in Side), NOBODY)
    return {name: SharePart(of[name].mean, of[name].error) for name in order if name in of}


def _rehearsal(runs: list[bytes]) -> RehearsalResult:
    of = summarise_runs([decode(run, MonthRun) for run in runs])
    orders = tuple(
        OrderResult(
            one.number, one.done, one.partly, one.failed, one.fights, one.won, one.spoils, one.why
        )
        for one in of.orders
    )
    spoiler = of.spoiler.number if of.spoiler else None
    return RehearsalResult(
        runs=of.runs,
        whole=of.whole,
        spoiler=spoiler,
        orders=orders,
        lost=of.lost,
        thirst=of.thirst,
        no_way_back=of.cornered,
        disrupted=of.shaken,
        enemy_lost=of.enemy_lost,
        wrecked=of.wrecked,
        endings=_endings(of.endings, of.runs),
    )


def _endings(found: Iterable[PlayoutEnding], number: int) -> tuple[EndingPart, ...]:
    """Return the endings, with their shares of `number` runs."""
    return tuple(
        EndingPart(
            one.result.winner,
            one.result.reason,
            one.result.clause,
            SharePart(one.times / number, error_of(one.times, number)),
        )
        for one in found
    )


def _forecast(runs: list[bytes]) -> ForecastResult:
    playouts = [decode(run, Playout) for run in runs]
    number = len(playouts)
    ends = _endings(endings(one.result for one in playouts), number)
    stands = tuple(
        _stand(playouts, ahead) for ahead in AHEAD if any(ahead in one.stands for one in playouts)
    )
    return ForecastResult(number, sum(one.months for one in playouts) / number, ends, stands)


def _stand(playouts: list[Playout], ahead: int) -> StandPart:
    found = presence(playouts, ahead)
    return StandPart(
        ahead,
        {
            side.value: {printed(hex_id): chance for hex_id, chance in hexes.items()}
            for side, hexes in found.items()
        },
    )
