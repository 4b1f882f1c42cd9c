"""Charts of odds: bars and histograms to draw, with the same figures in words."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from battles.contract.brief import Side
from campaign.access import fog_of_war
from campaign.models import Campaign
from campaign.odds.assault import AssaultOdds
from campaign.odds.combat import CombatOdds, combat_odds
from campaign.odds.march import MarchOdds, MarchOutcome, ThirstOdds
from campaign.odds.meeting import combat_setup_of
from campaign.odds.random_event import event_to_come
from campaign.odds.voyage import VoyageOdds
from campaign.orders.checks import OrderChances
from campaign.orders.dry_run import ExpectedCombat
from campaign.orders.risks import describe_perils, describe_way_behind
from campaign.rules.core.board import laws
from campaign.rules.core.state import State
from campaign.rules.effects_in_force import CLAUSES
from campaign.rules.map import HexId
from campaign.rules.prose.names import describe_hex
from campaign.rules.prose.phrases import capitalise, count_noun, format_percent, spell_number
from campaign.rules.sight import Viewer

_SPOILS = " Guns and rifles captured in one attack (9.9) are not counted in the next."
WIDTH, HEIGHT = 300, 40
"""Width of a bar and height of a histogram, in units of the drawing."""
STEP = 14
"""Units from one column to the next."""
SMALLEST = 0.005
"""Smaller chances are drawn, but not put in words."""
Chance = float | Fraction


class Segment(NamedTuple):
    """A part of a bar: its class, words, start, length and chance."""

    name: str
    words: str
    start: float
    length: float
    chance: str


class HistogramColumn(NamedTuple):
    """A column of a histogram: its label, place, height and chance."""

    label: str
    x: float
    y: float
    height: float
    chance: str


class Spread(NamedTuple):
    """A distribution over numbers of units, drawn and in words."""

    title: str
    side: str
    width: float
    columns: tuple[HistogramColumn, ...]
    words: str


class CombatShown(NamedTuple):
    """A combat's odds for the page."""

    where: str
    bar: tuple[Segment, ...]
    spreads: tuple[Spread, ...]
    known: bool
    brief: str
    at_bay: str = ""


class MarchShown(NamedTuple):
    """The marches of an order: chances for each number of them, and of no stragglers."""

    bar: tuple[Segment, ...]
    whole: str
    words: str


class ThirstShown(NamedTuple):
    """The attrition that a stack risks where it ends."""

    where: str
    line: str
    spread: Spread | None
    mean: str
    supply: str


class VoyageShown(NamedTuple):
    """The wrecks that a voyage risks, and the chance that it arrives."""

    where: str
    perils: str
    spread: Spread
    arrives: str


class OrderShown(NamedTuple):
    """The odds of one order of a sheet, and its stakes."""

    number: int
    marches: MarchShown | None
    voyage: VoyageShown | None
    fights: tuple[CombatShown, ...]
    thirst: ThirstShown | None
    stakes: tuple[str, ...]


def order_shown(state: State, side: Side, of: OrderChances) -> OrderShown:
    """Return the odds of one order, by the state that the side knows."""
    return OrderShown(
        of.number + 1,
        march_shown(of.marches) if of.marches else None,
        voyage_shown(of.voyage, side) if of.voyage else None,
        tuple(fight_shown(side, fight) for fight in of.fights),
        thirst_shown(of.thirst, side) if of.thirst else None,
        tuple(f"{stake.said} ({stake.clause})" for stake in of.stakes),
    )


def voyage_shown(odds: VoyageOdds, side: Side) -> VoyageShown:
    """Return the odds of a voyage: craft wrecked, and the chance to arrive (8.23)."""
    title = f"Wrecked, of {count_noun(odds.hulls, 'craft', 'craft')} (8.23)"
    return VoyageShown(
        capitalise(describe_hex(odds.to)),
        describe_perils(odds),
        distribution(title, side, odds.wrecked),
        format_percent(odds.arrives),
    )


def event_in_words(state: State, side: Side) -> str:
    """Return how the month's random event enters the odds of that side's sheet."""
    first = side is Side.EGYPTIAN
    if not event_to_come(state, side):
        after = " The other side’s comes after your marches." if first else ""
        return f"Your random event has been thrown for: these figures have it.{after}"
    before = "" if first else " What the Egyptian turn before it changes is not foreseen."
    return (
        "Your random event comes before your marches: chances of marches, combats and attrition "
        f"are weighed by all it may bring ({CLAUSES[side]}), those in the findings beside each "
        f"order are not.{before}"
    )


def fight_shown(side: Side, fight: ExpectedCombat) -> CombatShown:
    """Return the odds of a combat that an order leads to."""
    brief = fight.brief.id if fight.brief else ""
    place, toll = capitalise(describe_hex(fight.hex)), fight.odds.attacker if fight.odds else None
    at_bay = describe_way_behind(fight.behind, toll) if fight.behind else ""
    if fight.odds is None:
        return CombatShown(place, (), (), known=False, brief="", at_bay=at_bay)
    shown = combat_shown(fight.odds, side)
    return shown._replace(where=place, brief=brief, at_bay=at_bay)


def combat_shown(odds: CombatOdds, attacker: Side) -> CombatShown:
    """Return the odds of a combat in which that side attacks."""
    sides = attacker, attacker.enemy
    return CombatShown(
        "",
        bar(
            (sides[0].value, f"won by the attacker ({sides[0].capitalize()})", odds.win),
            ("drawn", "drawn", odds.draw),
            (sides[1].value, f"won by the defender ({sides[1].capitalize()})", odds.lose),
        ),
        tuple(
            distribution(
                f"{side.capitalize()}: {label} of {count_noun(toll.units, 'unit')}", side, chances
            )
            for side, toll in zip(sides, (odds.attacker, odds.defender), strict=True)
            for label, chances in (("lost", toll.gone), ("newly disrupted", toll.shaken))
        )
        + tuple(_afterwards(odds, attacker)),
        known=True,
        brief="",
    )


def _afterwards(odds: CombatOdds, attacker: Side) -> Iterator[Spread]:
    """Yield the Mahdists' captures and the wrecks of a retreat, where they are possible."""
    if len(odds.taken) > 1:
        yield distribution("Guns and rifles the Mahdists capture (9.9)", Side.MAHDIST, odds.taken)
    if len(odds.wrecked) > 1:
        title = f"{attacker.capitalize()}: craft wrecked on the way back (8.23)"
        yield distribution(title, attacker, odds.wrecked)


def awaited_shown(campaign: Campaign, viewer: Viewer) -> CombatShown | None:
    """Return the odds of the pending battle by the campaign's own table, as the viewer knows it."""
    state = fog_of_war.state_of_combat(campaign, viewer)
    if state is None or state.combat is None:
        return None
    odds = combat_odds(laws(state), combat_setup_of(state))
    return combat_shown(odds, state.combat.attacker.side)


class AssaultShown(NamedTuple):
    """Several attacks on one hex in turn."""

    where: str
    bar: tuple[Segment, ...]
    words: str


def assault_shown(hex_id: HexId, odds: AssaultOdds, side: Side) -> AssaultShown:
    """Return the odds of successive attacks on that hex."""
    words = (
        f"{count_noun(len(odds.by_wave), 'attack')} one after the other: the defender is beaten in "
        f"{format_percent(odds.falls)} (± {odds.error:.1%}, {odds.samples} samples), and loses "
        f"{odds.mean_lost:.1f} units on average.{_SPOILS if side is Side.EGYPTIAN else ''}"
    )
    parts = bar((side.value, "beaten", odds.falls), (side.enemy.value, "holds out", 1 - odds.falls))
    return AssaultShown(capitalise(describe_hex(hex_id)), parts, words)


def march_shown(odds: MarchOdds) -> MarchShown:
    """Return the chances for each number of marches that an order makes."""
    parts = [
        (f"made-{number}", _so_many(number, odds.wanted), odds.made(number) - odds.made(number + 1))
        for number in range(odds.wanted, -1, -1)
    ]
    fallen = _losses_in_words(odds.results)
    return MarchShown(bar(*(part for part in parts if part[2])), format_percent(odds.whole), fallen)


def _so_many(number: int, total: int) -> str:
    if number == total:
        every = {1: "the march", 2: "both marches"}.get(total, f"all {spell_number(total)} marches")
        return f"{every} made"
    return "no march" if not number else f"{count_noun(number, 'march', 'marches')} made"


def _losses_in_words(results: Mapping[MarchOutcome, Fraction]) -> str:
    shaken = sum(outcome.shaken * chance for outcome, chance in results.items())
    gone = sum(outcome.gone * chance for outcome, chance in results.items())
    if all(outcome.shaken + outcome.gone <= 1 for outcome in results):
        return (
            f"{format_percent(shaken)} that a unit is disrupted and "
            f"{format_percent(gone)} that one is lost"
        )
    return f"{float(shaken):.1f} units disrupted and {float(gone):.1f} lost on the way, on average"


def thirst_shown(odds: ThirstOdds, side: Side) -> ThirstShown:
    """Return the attrition that a stack risks where it ends, with and without supply."""
    place = capitalise(describe_hex(odds.hex))
    if odds.safe:
        return ThirstShown(place, str(odds.line), None, "", "")
    hit = [Fraction(0)] * (odds.size + 1)
    for losses, chance in odds.results.items():
        hit[losses.gone + losses.shaken] += chance
    effect = "lost" if side is Side.EGYPTIAN else "disrupted, or lost if they were so"
    mean = float(odds.gone + odds.shaken)
    return ThirstShown(
        place,
        str(odds.line),
        distribution(f"{effect.capitalize()}, of {count_noun(odds.size, 'unit')}", side, hit),
        f"{mean:.1f} units on average",
        _supply(odds, side),
    )


def _supply(odds: ThirstOdds, side: Side) -> str:
    if side is Side.MAHDIST:
        return ""
    if odds.sources:
        return "If it draws supply it loses nothing, and one supply unit is used up."
    return "No supply reaches it."


def bar(*parts: tuple[str, str, Chance]) -> tuple[Segment, ...]:
    """Return segments end to end for chances that add up to one."""
    segments, start = [], 0.0
    for name, words, chance in parts:
        length = WIDTH * float(chance)
        drawn = round(start, 1), round(length, 1)
        segments.append(Segment(name, words, *drawn, format_percent(chance)))
        start += length
    return tuple(segments)


def distribution(title: str, side: str, chances: Sequence[Chance]) -> Spread:
    """Return a distribution over 0, 1, 2 and so on, up to the last possible number."""
    last = max((n for n, chance in enumerate(chances) if chance), default=0)
    most = max(float(chance) for chance in chances) or 1.0
    columns = tuple(_column(number, float(chances[number]), most) for number in range(last + 1))
    phrases = [
        f"{column.label}: {column.chance}"
        for column, it in zip(columns, chances, strict=False)
        if it > SMALLEST
    ]
    return Spread(title, str(side), STEP * (last + 1), columns, "; ".join(phrases))


def _column(number: int, chance: float, most: float) -> HistogramColumn:
    height = round(HEIGHT * chance / most, 1)
    return HistogramColumn(
        str(number), STEP * number + 2, round(HEIGHT - height, 1), height, format_percent(chance)
    )
