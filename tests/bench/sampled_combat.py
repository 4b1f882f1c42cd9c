"""The reference of exact odds: a combat sampled with numpy, all battles of a batch at once.

Written by itself after clauses 9.4 to 9.8, with nothing of the odds' own code: units are columns,
battles rows. Losses are shared as the book has it; both sides can go back, none has craft or train.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from battles.contract.brief import Quality, TroopKind
from campaign.rules.combat.losses import WORST_FIRST
from campaign.rules.core.state import Unit
from campaign.rules.stacks import fire_factor, gun_factor, melee_factor
from campaign.rules.tables.book import CampaignTables

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]
LOW, HIGH = -30, 45
"""Modified totals there can be."""


class Side(NamedTuple):
    """A side as columns, in the order in which its units are given up: qualities and factors."""

    quality: Numbers
    melee: Floats
    fire: Floats
    guns: Floats
    horse: Flags
    steady: Flags


class Tables(NamedTuple):
    """The combat table: shares eliminated and disrupted, by quality and total; who is first."""

    eliminated: Numbers
    disrupted: Numbers
    order: Numbers


def side(law: CampaignTables, units: Sequence[Unit]) -> Side:
    """These units, none of them disrupted twice, no train and no craft."""
    ranked = sorted(units, key=lambda one: (one.kind is TroopKind.GUN, one.strength, one.id))
    fresh = [1 + one.disrupted for one in ranked]
    return Side(
        np.array([WORST_FIRST.index(one.quality) for one in ranked]),
        np.array([melee_factor(law, one) * f for one, f in zip(ranked, fresh, strict=True)], float),
        np.array([fire_factor(law, one) * f for one, f in zip(ranked, fresh, strict=True)], float),
        np.array([gun_factor(law, one) * f for one, f in zip(ranked, fresh, strict=True)], float),
        np.array([one.kind is TroopKind.CAVALRY for one in ranked]),
        np.array([not one.disrupted for one in ranked]),
    )


def tables(law: CampaignTables) -> Tables:
    """Return the table of that book as arrays."""
    cells = [[law.combat(q, total) for total in range(LOW, HIGH)] for q in WORST_FIRST]
    eliminated = np.array([[cell.eliminated for cell in row] for row in cells])
    disrupted = np.array([[cell.disrupted for cell in row] for row in cells])
    rank = -(eliminated * 1000 + disrupted) * 10 + np.arange(4)[:, None]
    return Tables(eliminated, disrupted, np.argsort(rank, axis=0))


def sample(
    law: CampaignTables, known: Tables, forces: tuple[Side, Side], battles: int, seed: int
) -> tuple[float, float]:
    """Return the shares of so many battles that the attacker won and lost."""
    rng = np.random.default_rng(seed)
    alive = [np.ones((battles, len(one.quality)), bool) for one in forces]
    steady = [a & one.steady for one, a in zip(forces, alive, strict=True)]
    changes = [_fire(law, forces[1 - n], forces[n], battles) for n in (0, 1)]
    shot = [bool(forces[1 - n].fire.any()) for n in (0, 1)]
    for n in (0, 1):
        if shot[n]:
            _suffer(known, forces[n], alive[n], steady[n], _dice(rng, battles) + changes[n])
    weights = [_weights(forces[n], alive[n], steady[n]) for n in (0, 1)]
    changes = [_melee(law, weights[n], weights[1 - n]) for n in (0, 1)]
    meleed = [alive[0].any(1) & alive[1].any(1) & (weights[1 - n][0] > 0) for n in (0, 1)]
    for n in (0, 1):
        totals = np.where(meleed[n], _dice(rng, battles) + changes[n], HIGH - 1)
        _suffer(known, forces[n], alive[n], steady[n], totals)
    beaten = [
        100 * (len(one.quality) - (a & s).sum(1)) >= law.number("combat.lost_at") * len(one.quality)
        for one, a, s in zip(forces, alive, steady, strict=True)
    ]
    won, lost = beaten[1] & ~beaten[0], beaten[0] & ~beaten[1]
    return float(won.mean()), float(lost.mean())


def _dice(rng: np.random.Generator, battles: int) -> Numbers:
    return rng.integers(1, 7, (battles, 2)).sum(1)


def _fire(law: CampaignTables, firers: Side, testers: Side, battles: int) -> Numbers:
    """Return the modifier of the target's test, which is the same in every battle."""
    shooting = firers.fire > 0
    qualities = firers.quality[shooting]
    half = np.where(firers.steady, 1.0, 0.5), np.where(testers.steady, 1.0, 0.5)
    change = 0
    veteran, rabble = WORST_FIRST.index(Quality.VETERAN), (0, 1)
    if shooting.any() and 2 * (qualities == veteran).sum() >= shooting.sum():
        change += law.modifier("fire.veterans").value
    if shooting.any() and 2 * np.isin(qualities, rabble).sum() >= shooting.sum():
        change += law.modifier("fire.rabble").value
    guns, answering = (firers.guns * half[0]).sum(), (testers.guns * half[1]).sum()
    if guns and guns >= law.number("fire.guns") * answering:
        change += law.modifier("fire.guns").value
    fanatic = firers.quality == WORST_FIRST.index(Quality.FANATIC)
    rifles = (firers.fire * half[0])[~fanatic].sum()
    change += law.modifier("fire.volume").value * int(rifles // law.number("fire.volume"))
    return np.full(battles, change)


def _weights(one: Side, alive: Flags, steady: Flags) -> tuple[Floats, Floats, Floats]:
    """Melee factors, the rush of Fanatics in good order, and cavalry, in every battle."""
    factors = one.melee * np.where(steady, 1.0, 0.5) * alive
    fanatic = one.quality == WORST_FIRST.index(Quality.FANATIC)
    rush = (factors * steady * fanatic).sum(1)
    return factors.sum(1), rush, (factors * one.horse).sum(1)


def _melee(law: CampaignTables, mine: tuple[Floats, ...], theirs: tuple[Floats, ...]) -> Numbers:
    rush = (theirs[1] > 0) & (theirs[1] >= mine[0])
    change = law.modifier("melee.fanatics").value * rush
    found = np.zeros(len(mine[0]), bool)
    for key in ("melee.odds4", "melee.odds3", "melee.odds2"):
        holds = ~found & (mine[0] > 0) & (mine[0] >= law.number(key) * theirs[0])
        change = change + law.modifier(key).value * holds
        found |= holds
    horse = (mine[2] > 0) & (mine[2] >= law.number("melee.cavalry") * theirs[2])
    return change + law.modifier("melee.cavalry").value * horse


def _suffer(known: Tables, one: Side, alive: Flags, steady: Flags, totals: Numbers) -> None:
    """Apply those totals in place: the worst affected quality first, up to the most (9.5)."""
    place = np.clip(totals - LOW, 0, HIGH - LOW - 1)
    sizes = np.stack([(alive & (one.quality == q)).sum(1) for q in range(4)])
    lowest = np.argmax(sizes > 0, axis=0)
    size = alive.sum(1)
    room_out = _part(size, known.eliminated[lowest, place])
    room = room_out + _part(size, known.disrupted[lowest, place])
    out, hurt = np.zeros_like(sizes), np.zeros_like(sizes)
    rows = np.arange(len(totals))
    for turn in range(4):
        q = known.order[turn, place]
        number = sizes[q, rows]
        gone = np.minimum(np.minimum(_part(number, known.eliminated[q, place]), room_out), room)
        shaken = np.minimum(_part(number, known.disrupted[q, place]), room - gone)
        out[q, rows], hurt[q, rows] = gone, shaken
        room_out, room = room_out - gone, room - gone - shaken
    for q in range(4):
        mine = one.quality == q
        if mine.any():
            _take(alive, steady, mine, (out[q], hurt[q]))


def _part(size: Numbers, percent: Numbers) -> Numbers:
    return np.where((percent > 0) & (size > 0), np.maximum(1, size * percent // 100), 0)


def _take(alive: Flags, steady: Flags, mine: Flags, owed: tuple[Numbers, Numbers]) -> None:
    """Disrupted units go first; disruptions beyond those in good order eliminate disrupted ones."""
    (out, hurt), shaken = owed, alive & ~steady & mine
    first = shaken & (shaken.cumsum(1, dtype=np.int8) <= out[:, None])
    left = out - first.sum(1)
    fresh = alive & steady & mine
    second = fresh & (fresh.cumsum(1, dtype=np.int8) <= left[:, None])
    alive &= ~(first | second)
    fresh = alive & steady & mine
    newly = fresh & (fresh.cumsum(1, dtype=np.int8) <= hurt[:, None])
    beyond = hurt - newly.sum(1)
    again = alive & ~steady & mine
    alive &= ~(again & (again.cumsum(1, dtype=np.int8) <= beyond[:, None]))
    steady &= ~newly
