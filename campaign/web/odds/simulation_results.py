"""Prepare the results of simulated battles, months and campaigns for their pages."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from django.utils.safestring import SafeString, mark_safe

from battles.contract import Side
from battles.core.decoding import decode
from battles.simulation import error_of_share
from campaign import cartography
from campaign.models import Inquiry
from campaign.odds.forecast import AHEAD, Playout, PlayoutEnding, endings, presence
from campaign.orders.monte_carlo import MonthRun, OrderShare, Rehearsal, summarise_runs
from campaign.orders.sheet_prose import describe_sheet
from campaign.rules.map import map_in_play
from campaign.rules.prose.names import describe_hex, side_with_verb
from campaign.rules.prose.phrases import capitalise, count_noun, format_percent, judge_risk
from campaign.services.inquiries import MonthInquiry, rehearsed_month, runs_of
from campaign.simulations.battle_comparison import NOBODY, ComparedBattle, book_results
from campaign.web.map import printed_map
from campaign.web.odds.odds_charts import WIDTH, Segment, Spread, bar, distribution

TENTHS = 10
MOST_NAMED = 12
NEARLY = 0.999
"""The greatest chance that runs can show."""


class BattleResults(NamedTuple):
    """The results of a battle by one book."""

    title: str
    battles: int
    bar: tuple[Segment, ...] = ()
    errors: str = ""
    spreads: tuple[Spread, ...] = ()
    lost: tuple[str, ...] = ()
    fault: str = ""


class OrderResults(NamedTuple):
    """The results of an order over all runs, with the sentence that it reads as."""

    number: int
    sentence: str
    bar: tuple[Segment, ...]
    fights: str
    won: str
    spoils: str
    why: str


class Spoiler(NamedTuple):
    """The order that spoils the plan most often."""

    number: int
    share: str
    why: str


class RehearsalResults(NamedTuple):
    """The results of a rehearsal."""

    runs: int
    spoiler: Spoiler | None
    orders: tuple[OrderResults, ...]
    lost: Spread
    costs: tuple[str, ...]
    stakes: tuple[str, ...]


class EndingResults(NamedTuple):
    """A possible ending of the campaign, with its chance."""

    words: str
    side: str
    length: float
    chance: str
    error: str


class MapResults(NamedTuple):
    """The likely positions after so many months, drawn and in words."""

    words: str
    drawing: SafeString
    seen: int
    hexes: tuple[str, ...]


class ForecastResults(NamedTuple):
    """The results of a forecast."""

    runs: int
    months: str
    endings: tuple[EndingResults, ...]
    maps: tuple[MapResults, ...]


def describe_results(inquiry: Inquiry) -> object:
    """Return the results so far for the page; None without any."""
    runs = runs_of(inquiry)
    if not runs:
        return None
    if inquiry.kind == Inquiry.Kind.BATTLE:
        return _battle(inquiry, _decode_runs(runs, ComparedBattle))
    if inquiry.kind == Inquiry.Kind.REHEARSAL:
        return _rehearsal(_decode_runs(runs, MonthRun), rehearsed_month(inquiry))
    return _forecast(_decode_runs(runs, Playout))


def _decode_runs(runs: Sequence[msgspec.Raw], kind: type[Any]) -> list[Any]:
    return [decode(bytes(run), kind) for run in runs]


def _battle(inquiry: Inquiry, bouts: Sequence[ComparedBattle]) -> BattleResults:
    column = book_results([inquiry.way], bouts)[0]
    if column.fault:
        return BattleResults(column.title, 0, fault=column.fault)
    names = ((Side.EGYPTIAN.value, "Egyptian victory"), (NOBODY, "drawn"))
    parts = [*names, (Side.MAHDIST.value, "Mahdist victory")]
    errors = [f"{words} ± {column.won[name].error:.1%}" for name, words in parts]
    lost = [(side, column.lost[side.value]) for side in Side]
    return BattleResults(
        column.title,
        column.battles,
        bar(*((_colour(name), words, column.won[name].mean) for name, words in parts)),
        "; ".join(errors),
        tuple(_tenths(side, bouts) for side in Side),
        tuple(
            f"{side.capitalize()}: {loss.mean:.0%} of its strength on average, ± {loss.error:.1%}."
            for side, loss in lost
        ),
    )


def _colour(name: str) -> str:
    return "drawn" if name == NOBODY else name


def _tenths(side: Side, bouts: Sequence[ComparedBattle]) -> Spread:
    """Return how often a side lost each tenth of its strength."""
    counts = [0] * (TENTHS + 1)
    for bout in bouts:
        counts[int(getattr(bout, side.value) * TENTHS)] += 1
    shares = [count / len(bouts) for count in counts]
    return distribution(f"{side.capitalize()}, tenths lost", side.value, shares)


def _rehearsal(runs: Sequence[MonthRun], inquiry: MonthInquiry) -> RehearsalResults:
    summary = summarise_runs(runs)
    worst = summary.spoiler
    sentences = describe_sheet(inquiry.state, inquiry.seats[0].sheet).orders
    costs = (
        f"{summary.thirst:.1f} of them by attrition, on average.",
        *(
            [f"{summary.cornered:.1f} of them for want of a way back, on average."]
            if summary.cornered
            else ()
        ),
        f"{summary.shaken:.1f} units newly disrupted at the end of the month, on average.",
        f"The enemy loses {summary.enemy_lost:.1f} units on average.",
        (
            f"Your stacks are attacked {summary.attacked:.1f} times on average, "
            f"and hold {summary.held:.1f}."
        ),
        f"The whole sheet is carried out in {format_percent(summary.whole)} of the runs.",
    )
    return RehearsalResults(
        summary.runs,
        Spoiler(worst.number + 1, format_percent(worst.spoils), worst.why) if worst else None,
        tuple(_order(order, sentences[order.number]) for order in summary.orders),
        distribution("Counters lost in the month", "", summary.lost),
        costs,
        tuple(rehearsal_stakes(summary, inquiry.side)),
    )


def rehearsal_stakes(of: Rehearsal, side: Side) -> Iterator[str]:
    """Yield what may end the campaign or cost a force, each with its share of the runs (4.1)."""
    for ending in of.endings:
        yield _ending_in_words(ending, of.runs, side)
    if not of.endings:
        yield "The campaign ends in none of the runs."
    for setback, share in of.setbacks:
        yield f"In {format_percent(share)} of the runs {setback}"
    perils = (
        (of.wreck_share, "A wreck", f"craft are wrecked, {of.wrecked:.1f} on average", "8.23"),
        (
            of.cornered_share,
            "A defeat without a way back",
            f"units are lost for want of a way back, {of.cornered:.1f} on average",
            "9.8",
        ),
        (of.thirst_share, "Thirst", f"units suffer by it, {of.thirsted:.1f} on average", "10.3"),
    )
    for share, subject, suffered, clause in perils:
        if share:
            yield (
                f"{_judge_share(share, subject)}: in {format_percent(share)} of the runs "
                f"{suffered} ({clause})."
            )


def _ending_in_words(ending: PlayoutEnding, runs: int, side: Side) -> str:
    """Return how likely the campaign ends with this result, and the share of the runs."""
    result, share = ending.result, ending.times / runs
    subject = "Winning the campaign" if result.winner is side else "Losing the campaign"
    if result.winner is None:
        subject = "A drawn campaign"
    return (
        f"{_judge_share(share, subject)}: {format_percent(share)} of the runs end so. "
        f"{result.reason.rstrip('.')} ({result.clause})."
    )


def _judge_share(share: float, subject: str) -> str:
    """Return how likely something is by its share of the runs, which proves nothing certain."""
    return judge_risk(min(share, NEARLY), subject)


def _order(of: OrderShare, sentence: str) -> OrderResults:
    parts = bar(
        ("done", "done", of.done), ("partly", "in part", of.partly), ("failed", "not", of.failed)
    )
    return OrderResults(
        of.number + 1,
        sentence,
        parts,
        f"{of.fights:.1f}",
        f"{of.won:.1f}",
        format_percent(of.spoils),
        of.why,
    )


def _forecast(playouts: Sequence[Playout]) -> ForecastResults:
    number = len(playouts)
    results = tuple(
        EndingResults(
            winner_and_reason(ending.result.winner, ending.result.reason),
            str(ending.result.winner or "none"),
            round(WIDTH * ending.times / number, 1),
            format_percent(ending.times / number),
            f"{error_of_share(ending.times, number):.1%}",
        )
        for ending in endings(playout.result for playout in playouts)
    )
    months = sum(playout.months for playout in playouts) / number
    seen = {ahead: sum(ahead in playout.stands for playout in playouts) for ahead in AHEAD}
    maps = tuple(_map(playouts, ahead, count) for ahead, count in seen.items() if count)
    return ForecastResults(number, f"{months:.1f}", results, maps)


def winner_and_reason(winner: Side | None, reason: str) -> str:
    """Return how a campaign ends, and for whom: both sides may win for the same reason."""
    wins = f"{capitalise(side_with_verb(winner, 'wins', 'win'))}. " if winner else ""
    return wins + reason


def _map(playouts: Sequence[Playout], ahead: int, seen: int) -> MapResults:
    chances_by_side = presence(playouts, ahead)
    hexes = []
    for side, chances_of in chances_by_side.items():
        likeliest = sorted(chances_of.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_NAMED]
        text = "; ".join(
            f"{describe_hex(hex_id)} {format_percent(chance)}" for hex_id, chance in likeliest
        )
        hexes.append(f"{capitalise(side.value)}: {text}.")
    drawing = mark_safe(cartography.likely(map_in_play(), chances_by_side, printed_map.address()))  # noqa: S308 - ours
    return MapResults(f"after {count_noun(ahead, 'month')}", drawing, seen, tuple(hexes))
