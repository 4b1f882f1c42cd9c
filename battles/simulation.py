"""Fight many battles in memory: summarise them, and measure the commanders of a book.

No database and no framework. The dice and the choices of a battle come from the seed of the run,
the brief, the pairing and the number of the battle alone, so a run is the same whatever the number
of workers.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from math import log, log10, sqrt
from random import Random
from statistics import fmean, median, stdev
from typing import Any, NamedTuple, TypeVar

import msgspec

from battles.contract import Brief, Fate, Report, Side, TroopKind, conserve, fight
from battles.contract.book import AnyBook, book
from battles.contract.brief import Troop
from battles.contract.engine import MOST_ACTIONS, RIVALS
from battles.core.decoding import decode, encode
from battles.core.dice import ChainedDice, derive_key
from battles.core.process_pool import pool_map

A_TASK = 8
"""Battles a worker gets at a time: with one, passing messages costs more than the battle."""


class SimulatedBattle(msgspec.Struct, frozen=True):
    """A battle of a run, by its number."""

    number: int
    report: Report


class BattleEstimate(msgspec.Struct, frozen=True):
    """A mean or a share of all battles with its standard error."""

    mean: float
    error: float


class Losses(msgspec.Struct, frozen=True):
    """The losses of one kind of unit, in units per battle."""

    side: Side
    kind: TroopKind
    units: int
    eliminated: BattleEstimate
    disrupted: BattleEstimate


class BattleSummary(msgspec.Struct, frozen=True):
    """The results of all battles of a run. Shares run from 0 to 1."""

    brief: str
    title: str
    book: str
    seed: int
    battles: int
    won: dict[str, BattleEstimate]
    """Share of battles won, by side, and "nobody" for the drawn."""
    endings: dict[str, int]
    turns: dict[str, float]
    strength_lost: dict[str, BattleEstimate]
    """Share of a side's strength points that was eliminated or captured."""
    losses: tuple[Losses, ...]


def simulate(
    brief: Brief, slug: str, numbers: Sequence[int], *, seed: int, workers: int = 1
) -> Iterator[SimulatedBattle]:
    """Fight the battles of these numbers by that book; yield each when it is over, in order.

    Raises NoSuchBook, and WorkerDied when a worker process dies.
    """
    book(slug)
    fight_battle = partial(_fight_stored, encode(brief), slug, seed)
    yield from pool_map(fight_battle, numbers, workers, at_a_time=A_TASK)


def _fight_stored(brief: bytes, slug: str, seed: int, number: int) -> SimulatedBattle:
    return fight_one(decode(brief, Brief), slug, seed, number)


def fight_one(brief: Brief, slug: str, seed: int, number: int) -> SimulatedBattle:
    """Fight the battle of that number by the commanders of both sides."""
    try:
        return SimulatedBattle(
            number, fight(book(slug).engine, brief, dice_of(brief, seed, number))
        )
    except Exception as failed:
        failed.add_note(f"This happened in battle {number} of seed {seed}.")
        raise


def dice_of(brief: Brief, seed: int, number: int) -> ChainedDice:
    """Return the dice of one battle of a run."""
    return ChainedDice(derive_key(b"fight", brief.id, seed, number))


def summary(brief: Brief, slug: str, seed: int, fought: Sequence[SimulatedBattle]) -> BattleSummary:
    """Return shares won, endings (the commonest first), lengths and losses of the battles."""
    reports = [battle.report for battle in fought]
    turns = [report.turns for report in reports]
    return BattleSummary(
        brief=brief.id,
        title=brief.title,
        book=slug,
        seed=seed,
        battles=len(reports),
        won={
            name: estimate_share(sum(report.winner is side for report in reports), len(reports))
            for name, side in (*((side.value, side) for side in Side), ("nobody", None))
        },
        endings=dict(Counter(report.ending for report in reports).most_common()),
        turns={"shortest": min(turns), "median": median(turns), "longest": max(turns)},
        strength_lost={
            side.value: estimate([strength_lost(brief, report, side) for report in reports])
            for side in Side
        },
        losses=tuple(_losses(brief, reports)),
    )


def strength_lost(brief: Brief, report: Report, side: Side) -> float:
    """Return the share of the side's strength points that did not come back."""
    troops = brief.party(side).troops
    total = sum(troop.strength for troop in troops)
    gone = sum(troop.strength for troop in troops if _is_gone(report, troop))
    return gone / total if total else 0.0


def _is_gone(report: Report, troop: Troop) -> bool:
    return report.fates[troop.id] in (Fate.ELIMINATED, Fate.CAPTURED)


def _losses(brief: Brief, reports: Sequence[Report]) -> Iterator[Losses]:
    for side in Side:
        troops = brief.party(side).troops
        for kind in dict.fromkeys(troop.kind for troop in troops):
            alike = [troop for troop in troops if troop.kind is kind]
            gone = [sum(_is_gone(report, troop) for troop in alike) for report in reports]
            shaken = [
                sum(report.fates[troop.id] is Fate.DISRUPTED for troop in alike)
                for report in reports
            ]
            yield Losses(side, kind, len(alike), estimate(gone), estimate(shaken))


def estimate(values: Sequence[float]) -> BattleEstimate:
    """Return the mean of one value or more, and its standard error."""
    spread = stdev(values) if len(values) > 1 else 0.0
    return BattleEstimate(fmean(values), spread / sqrt(len(values)))


def estimate_share(count: int, total: int) -> BattleEstimate:
    """Return the share `count` of `total`, at least one, and its standard error."""
    return BattleEstimate(count / total, error_of_share(count, total))


def error_of_share(count: int, total: int) -> float:
    """Return the standard error of a share, with two more successes and two more failures added.

    Without them what has always happened, or never, would seem to be certain.
    """
    share = (count + 2) / (total + 4)
    return sqrt(share * (1 - share) / (total + 4))


COMMANDER = "commander"
LATE = 3
"""A battle without a winner in whose last third nobody attacked is one in which both waited."""
WILSON_Z = 1.96
"""Standard deviations of an interval that holds the true share 95 times in 100."""
LADDER_TASK = 4
"""Battles a worker gets at a time."""


class Pairing(NamedTuple):
    """The players of the two sides, by name: the commander or one of `RIVALS`."""

    egyptian: str
    mahdist: str

    def player(self, side: Side) -> str:
        """Return the name of the player of a side."""
        return self.egyptian if side is Side.EGYPTIAN else self.mahdist

    def __str__(self) -> str:
        return f"{self.egyptian} v. {self.mahdist}"


def pairings(rivals: Sequence[str]) -> tuple[Pairing, ...]:
    """Return the commander against himself, and against each of these on either side."""
    pairs = [Pairing(COMMANDER, COMMANDER)]
    for name in rivals:
        pairs += [Pairing(COMMANDER, name), Pairing(name, COMMANDER)]
    return tuple(pairs)


class LadderBattle(msgspec.Struct, frozen=True):
    """The result of one battle of a ladder."""

    number: int
    winner: Side | None
    ending: str
    turns: int
    waited: bool = False
    """Nobody won, and in the last third of the turns nobody attacked."""


class Ladder(msgspec.Struct, frozen=True):
    """A run: each brief is fought `battles` times in each pairing by a book."""

    slug: str
    briefs: tuple[Brief, ...]
    pairings: tuple[Pairing, ...]
    battles: int
    seed: int

    @property
    def total(self) -> int:
        """Return the number of battles."""
        return len(self.briefs) * len(self.pairings) * self.battles

    def of(self, number: int) -> tuple[Brief, Pairing, int]:
        """Return the brief, the pairing and the repetition of battle `number`, counted from 1."""
        cell, repetition = divmod(number - 1, self.battles)
        brief, pairing = divmod(cell, len(self.pairings))
        return self.briefs[brief], self.pairings[pairing], repetition + 1


def fight_ladder(
    ladder: Ladder, numbers: Sequence[int], *, workers: int = 1
) -> Iterator[LadderBattle]:
    """Fight the battles of these numbers and yield each when it is over, in order.

    Raises NoSuchBook, and WorkerDied when a worker process dies.
    """
    book(ladder.slug)
    fought = partial(_fight_stored_pairing, encode(ladder))
    yield from pool_map(fought, numbers, workers, at_a_time=LADDER_TASK)


def _fight_stored_pairing(ladder: bytes, number: int) -> LadderBattle:
    return fight_pairing(decode(ladder, Ladder), number)


def fight_pairing(ladder: Ladder, number: int) -> LadderBattle:
    """Fight the battle of that number. Raises RuntimeError when it comes to no end."""
    brief, pairing, repetition = ladder.of(number)
    rules = book(ladder.slug)
    key = derive_key(b"ladder", brief.id, ladder.seed, repetition)
    dice, engine = ChainedDice(key), rules.engine
    # Choices of players, no dice of the game: they need no cryptography.
    chance = Random(int.from_bytes(derive_key(key, *pairing)[:8], "big"))  # noqa: S311
    state, _ = engine.new_game(brief, dice)
    last_attack = 0
    for _ in range(MOST_ACTIONS):
        if state.question is None:
            break
        action = _answer(rules, pairing.player(state.question.side), state, chance)
        if isinstance(action, rules.sampling.attacks):
            last_attack = state.turn
        engine.play(state, action, dice)
    else:
        raise RuntimeError(f"Battle {number} of seed {ladder.seed} has come to no end.")
    report = engine.report(state)
    conserve(brief, report)
    waited = report.winner is None and LATE * (state.turn - last_attack) > state.turn
    return LadderBattle(number, report.winner, report.ending, report.turns, waited)


def _answer(rules: AnyBook, player: str, state: Any, chance: Random) -> Any:
    if player == COMMANDER:
        return rules.engine.answer(state)
    return RIVALS[player](rules.sampling, state, chance)


class LadderShare(msgspec.Struct, frozen=True):
    """A share of `of` battles with its 95% interval by Wilson, from 0 to 1."""

    count: int
    of: int
    low: float
    high: float


def wilson(count: int, total: int) -> LadderShare:
    """Return the share `count` of `total`, at least one, with its 95% interval."""
    share, z2 = count / total, WILSON_Z**2
    middle = (share + z2 / (2 * total)) / (1 + z2 / total)
    spread = (
        WILSON_Z * sqrt(share * (1 - share) / total + z2 / (4 * total * total)) / (1 + z2 / total)
    )
    return LadderShare(count, total, max(0.0, middle - spread), min(1.0, middle + spread))


START, SCALE, ROUNDS = 1500, 400, 200
PRIOR = 1.0
"""Drawn games that everybody is taken to have played against a player of the mean rating."""
K = TypeVar("K", bound=Hashable)


def bradley_terry(games: Iterable[tuple[K, K, float]]) -> dict[K, float]:
    """Return the strengths that make the scores of these games likeliest, found by minorisation.

    A game is two players and the score of the first: 1, 0, or half for a draw.
    """
    met: dict[K, list[tuple[K, float]]] = {}
    for player, other, score in games:
        met.setdefault(player, []).append((other, score))
        met.setdefault(other, []).append((player, 1 - score))
    strengths = dict.fromkeys(met, 1.0)
    for _ in range(ROUNDS):
        strengths |= {
            player: _strength(strengths, player, played) for player, played in met.items()
        }
    return strengths


def _strength(strengths: Mapping[K, float], player: K, played: Sequence[tuple[K, float]]) -> float:
    strength = strengths[player]
    score = PRIOR / 2 + sum(points for _, points in played)
    share = PRIOR / (strength + 1) + sum(1 / (strength + strengths[other]) for other, _ in played)
    return score / share


class BattleRating(msgspec.Struct, frozen=True):
    """An Elo-like rating of a player on one side, and half the width of its 95% interval."""

    side: Side
    player: str
    rating: int
    within: int
    battles: int


def ladder_ratings(ladder: Ladder, fought: Sequence[LadderBattle]) -> list[BattleRating]:
    """Return the ratings of all players on either side, the best first.

    400 points are odds of ten to one; a battle that nobody won counts half. The interval takes the
    ratings of the others as known.
    """
    games = []
    for battle in fought:
        _, pairing, _ = ladder.of(battle.number)
        score = 0.5 if battle.winner is None else float(battle.winner is Side.EGYPTIAN)
        games.append(((Side.EGYPTIAN, pairing.egyptian), (Side.MAHDIST, pairing.mahdist), score))
    strengths = bradley_terry(games)
    rows = []
    for player, strength in strengths.items():
        others = [
            strengths[other if player == first else first]
            for first, other, _ in games
            if player in (first, other)
        ]
        knowledge = PRIOR * strength / (strength + 1) ** 2
        knowledge += sum(strength * other / (strength + other) ** 2 for other in others)
        within = round(WILSON_Z * SCALE / log(10) / sqrt(knowledge))
        rows.append(
            BattleRating(*player, START + round(SCALE * log10(strength)), within, len(others))
        )
    return sorted(rows, key=lambda rating: (-rating.rating, rating.side, rating.player))


class LadderRow(msgspec.Struct, frozen=True):
    """The results of one pairing, over all briefs or one of them."""

    egyptian: str
    mahdist: str
    brief: str
    won: Mapping[str, LadderShare]
    """Shares of battles won, by side, and "nobody"."""
    waited: LadderShare
    """Share of battles that nobody won because both sides waited."""


def ladder_table(ladder: Ladder, fought: Sequence[LadderBattle]) -> Iterator[LadderRow]:
    """Yield a row for each pairing over all briefs, then one for each pairing and brief."""
    everywhere: tuple[Brief | None, ...] = (None,)
    one_by_one = ladder.briefs if len(ladder.briefs) > 1 else ()
    by_cell: dict[tuple[Pairing, str], list[LadderBattle]] = {}
    for battle in fought:
        brief, pairing, _ = ladder.of(battle.number)
        for name in ("", brief.id):
            by_cell.setdefault((pairing, name), []).append(battle)
    for within, pairing in product((everywhere, one_by_one), ladder.pairings):
        for brief_of in within:
            name = "" if brief_of is None else brief_of.id
            battles = by_cell.get((pairing, name))
            if battles:
                yield _row(pairing, name, battles)


def _row(pairing: Pairing, brief: str, battles: Sequence[LadderBattle]) -> LadderRow:
    total = len(battles)
    won = {side.value: sum(battle.winner is side for battle in battles) for side in Side}
    won["nobody"] = sum(battle.winner is None for battle in battles)
    return LadderRow(
        pairing.egyptian,
        pairing.mahdist,
        brief,
        {name: wilson(count, total) for name, count in won.items()},
        wilson(sum(battle.waited for battle in battles), total),
    )
