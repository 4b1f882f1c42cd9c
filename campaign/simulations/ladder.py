"""Play every contestant of one side against every contestant of the other, and rate them.

A contestant is a plan of the staff, a level at which a person may play against it, or one of the
simple rivals. Games of the same number have the same dice for all pairs, which makes the difference
between two contestants surer than their shares alone. The table is about one scenario.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from math import log10, sqrt
from pathlib import Path
from typing import NamedTuple

import msgspec

from battles.contract.brief import Side
from battles.core.dice import ChainedDice, derive_key
from battles.core.game import IllegalAction
from battles.core.process_pool import pool_map
from battles.simulation import SCALE, START, bradley_terry
from campaign import rules
from campaign.rules.core.questions import ToFight
from campaign.rules.core.state import State
from campaign.rules.tables.editions import Edition, edition, is_known, named_edition
from campaign.rules.tables.scenario_data import Scenario
from campaign.rules.tables.scenario_document import edition_of_document, read_document
from campaign.simulations.campaign_runs import MOST_ACTIONS, DeadEnd
from campaign.simulations.milestones import Milestones
from campaign.staff import answer, rivals
from campaign.staff.levels import TEXTS, Level, LevelPlayer
from campaign.staff.plans import portfolio, under
from campaign.staff.rivals import Player

DOCUMENT = ".json"
"""The end of the name of a file with an own scenario."""
Make = Callable[[bytes], Player]
"""Return a player for one campaign, from the key of its chances."""


class Contestant(NamedTuple):
    """Somebody on the ladder: a plan, a level or a rival of one side."""

    name: str
    title: str
    side: Side
    kind: str
    make: Make


class LadderGame(msgspec.Struct, frozen=True):
    """One campaign of the ladder. `milestones` are the months of events, by their title."""

    mahdist: str
    egyptian: str
    number: int
    months: int
    winner: Side | None
    reason: str
    milestones: dict[str, int] = {}
    error: str = ""


class WinShare(NamedTuple):
    """A share of campaigns won, with its 95% interval by Wilson's score."""

    won: int
    games: int
    low: float
    high: float

    @property
    def share(self) -> float:
        return self.won / self.games if self.games else 0.0


class LadderCell(NamedTuple):
    """The results of one pair: what each side won; the rest was drawn."""

    mahdist: WinShare
    egyptian: WinShare
    months: float

    @property
    def drawn(self) -> float:
        """Return the share of the games that nobody won."""
        return 1 - self.mahdist.share - self.egyptian.share


class Rating(NamedTuple):
    """A contestant's rating, and the mean score against all it met, draws counting half."""

    contestant: Contestant
    rating: int
    score: float
    games: int


def contestants(scenario: str | Scenario) -> tuple[Contestant, ...]:
    """Return everybody on the ladder of a scenario: plans, then levels, then rivals."""
    of_plans = tuple(
        Contestant(plan.name, plan.title, side, "plan", _by_plan(scenario, plan.name))
        for side in Side
        for plan in portfolio(scenario, side)
    )
    of_plans += tuple(
        Contestant("usual", "The usual plans of the staff", side, "plan", lambda _key: answer)
        for side in Side
        if not portfolio(scenario, side)
    )
    of_levels = tuple(
        Contestant(level.value, text.description, side, "level", partial(LevelPlayer, level, side))
        for side in Side
        for level, text in TEXTS.items()
        if portfolio(scenario, side)
    )
    of_rivals = tuple(
        Contestant(rival.name, rival.title, rival.side, "rival", rival.make)
        for rival in rivals.rivals_in(scenario)
    )
    return of_plans + of_levels + of_rivals


def _by_plan(scenario: str | Scenario, plan: str) -> Make:
    """Return the maker of a player who keeps to one plan."""
    return lambda key: partial(answer, plans=under(scenario, plan))


def find_contestants(scenario: str | Scenario, names: Sequence[str] = ()) -> tuple[Contestant, ...]:
    """Return the contestants of these names; all of them without names.

    A name may be of both sides; `mahdist:random` is of one. Raises ValueError for an unknown name.
    """
    candidates = contestants(scenario)
    if not names:
        return candidates
    selection = []
    for name in names:
        side, _, own = name.rpartition(":")
        matches = [
            contestant
            for contestant in candidates
            if contestant.name == own and side in ("", contestant.side.value)
        ]
        if not matches:
            all_names = ", ".join(dict.fromkeys(contestant.name for contestant in candidates))
            where = scenario if isinstance(scenario, str) else scenario.slug
            raise ValueError(f"There is no contestant {name!r} in {where}: name {all_names}.")
        selection += matches
    return tuple(contestant for contestant in candidates if contestant in selection)


def quick_to_play(scenario: Scenario) -> tuple[Contestant, ...]:
    """Return the contestants that choose no plan by playing it out, which takes minutes a game."""
    return tuple(
        contestant
        for contestant in contestants(scenario)
        if (contestant.kind, contestant.name) != ("level", Level.STRONG)
    )


def contestant_names(contestants: Sequence[Contestant]) -> list[str]:
    """Return the names of contestants with their sides, by which `find_contestants` finds them."""
    return [f"{contestant.side}:{contestant.name}" for contestant in contestants]


def pairs(contestants: Sequence[Contestant]) -> list[tuple[Contestant, Contestant]]:
    """Return every pair of a Mahdist and an Egyptian contestant, but for two simple rivals."""
    return [
        (mahdist, egyptian)
        for mahdist in contestants
        if mahdist.side is Side.MAHDIST
        for egyptian in contestants
        if egyptian.side is Side.EGYPTIAN and not mahdist.kind == egyptian.kind == "rival"
    ]


class LadderTerms(NamedTuple):
    """The scenario, the seed of the dice, and the edition.

    `edition` is the slug of a named one, the digest of one known to this process, "" for the
    shipped, or the file of an own scenario.
    """

    scenario: str
    seed: int
    edition: str = ""

    @property
    def played(self) -> str | Scenario:
        """Return the scenario as its edition has it; of the shipped edition its slug."""
        edition = _edition(self.edition)
        return edition.scenario(self.scenario) if edition else self.scenario


def play_ladder(
    terms: LadderTerms, names: Sequence[str], places: Sequence[int], *, workers: int = 1
) -> Iterator[LadderGame]:
    """Play the games of these places, counted from 1; yield each in order when it is finished.

    All pairs play their first game before any plays its second. Raises WorkerDied.
    """
    yield from pool_map(partial(play_place, terms, tuple(names)), places, workers)


def play_place(terms: LadderTerms, names: Sequence[str], place: int) -> LadderGame:
    """Play the game of that place."""
    every = pairs(find_contestants(terms.played, names))
    mahdist, egyptian = every[(place - 1) % len(every)]
    return play_game(terms, mahdist, egyptian, (place - 1) // len(every) + 1)


@cache
def _edition(name: str) -> Edition | None:
    if name.endswith(DOCUMENT):
        return edition_of_document(read_document(Path(name).read_bytes()))
    if is_known(name):
        return edition(name)
    return named_edition(name).edition if name else None


def play_game(
    terms: LadderTerms, mahdist: Contestant, egyptian: Contestant, number: int
) -> LadderGame:
    """Play one campaign between the two to its end."""
    state = rules.new_game(terms.scenario, _edition(terms.edition))
    key = derive_key(b"ladder", terms.scenario, terms.seed, number)
    players = {
        contestant.side: contestant.make(derive_key(key, contestant.side, contestant.name))
        for contestant in (mahdist, egyptian)
    }
    milestones, first, error = Milestones(state), state.month, ""
    try:
        for _ in _months(state, players, ChainedDice(derive_key(key, "dice")), milestones):
            milestones.note(state)
    except (DeadEnd, IllegalAction) as stopped:
        error = f"{mahdist.name} against {egyptian.name}, game {number}: {stopped}"
    milestones.note(state)
    result = state.result
    return LadderGame(
        mahdist.name,
        egyptian.name,
        number,
        state.month - first + 1,
        result.winner if result else None,
        result.reason if result else "",
        milestones.months,
        error,
    )


def _months(
    state: State, players: Mapping[Side, Player], dice: ChainedDice, milestones: Milestones
) -> Iterator[int]:
    """Play on, and let `milestones` see each outcome; yield each month when it is over."""
    planners = [player for player in players.values() if isinstance(player, LevelPlayer)]
    month, answer_count = state.month - 1, 0
    while state.question is not None:
        if state.month != month:
            yield month
            month, answer_count = state.month, 0
            for planner in planners:
                planner.begin_month(state)
        answer_count += 1
        if answer_count > MOST_ACTIONS:
            raise DeadEnd(f"no end of the {state.phase} phase of the {state.side} side")
        fight = isinstance(state.question, ToFight)
        player = answer if fight else players[state.question.side]
        milestones.watch(state, rules.play_trusted(state, player(state), dice).events)


def win_share(won: int, games: int) -> WinShare:
    """Return the share with its 95% interval by Wilson's score, which holds for few games too."""
    if not games:
        return WinShare(0, 0, 0.0, 1.0)
    z, share = 1.96, won / games
    middle = share + z * z / (2 * games)
    spread = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    divisor = 1 + z * z / games
    return WinShare(
        won, games, max(0.0, (middle - spread) / divisor), min(1.0, (middle + spread) / divisor)
    )


def cells(games: Sequence[LadderGame]) -> dict[tuple[str, str], LadderCell]:
    """Return the results by pair of names, the Mahdist first; broken-off games are left out."""
    by_pair: dict[tuple[str, str], list[LadderGame]] = {}
    for game in games:
        if not game.error:
            by_pair.setdefault((game.mahdist, game.egyptian), []).append(game)
    return {pair: _cell(played) for pair, played in by_pair.items()}


def _cell(played: Sequence[LadderGame]) -> LadderCell:
    winners = Counter(game.winner for game in played)
    return LadderCell(
        win_share(winners[Side.MAHDIST], len(played)),
        win_share(winners[Side.EGYPTIAN], len(played)),
        sum(game.months for game in played) / len(played),
    )


def ratings(contestants: Sequence[Contestant], games: Sequence[LadderGame]) -> list[Rating]:
    """Return Elo-like ratings of all who have played, the best first.

    They are the Bradley-Terry strengths that make the scores likeliest, found by minorisation; a
    draw is half a game won. 400 points are odds of ten to one. The two sides never play their own
    kind, so a rating of one side means something beside the other's only through their games.
    """
    names = {(contestant.side, contestant.name) for contestant in contestants}
    met: list[tuple[tuple[Side, str], tuple[Side, str], float]] = []
    for game in games:
        first, other = (Side.MAHDIST, game.mahdist), (Side.EGYPTIAN, game.egyptian)
        score = 0.5 if game.winner is None else float(game.winner is Side.MAHDIST)
        if not game.error and first in names and other in names:
            met.append((first, other, score))
    strengths = bradley_terry(met)
    results = []
    for player in contestants:
        key = player.side, player.name
        scores = [
            score if key == first else 1 - score
            for first, other, score in met
            if key in (first, other)
        ]
        if scores:
            rating = START + round(SCALE * log10(strengths[key]))
            results.append(Rating(player, rating, sum(scores) / len(scores), len(scores)))
    return sorted(results, key=lambda entry: (-entry.rating, entry.contestant.name))


def serious_milestones(
    contestants: Sequence[Contestant], games: Sequence[LadderGame]
) -> list[dict[str, int]]:
    """Return the milestones of the games between plans and levels, without simple rivals."""
    rivals = _simple_rivals(contestants)
    return [
        game.milestones
        for game in games
        if (Side.MAHDIST, game.mahdist) not in rivals
        and (Side.EGYPTIAN, game.egyptian) not in rivals
        and not game.error
    ]


def _simple_rivals(contestants: Sequence[Contestant]) -> set[tuple[Side, str]]:
    return {
        (contestant.side, contestant.name)
        for contestant in contestants
        if contestant.kind == "rival"
    }


class PerilousRival(NamedTuple):
    """A simple rival that wins too often against a plan or level."""

    rival: str
    against: str
    share: WinShare


def perilous_rivals(
    contestants: Sequence[Contestant], games: Sequence[LadderGame], most: float
) -> list[PerilousRival]:
    """Return the rivals that win more than that share against a plan or level, worst first."""
    rivals = _simple_rivals(contestants)
    found = []
    for (mahdist, egyptian), cell in cells(games).items():
        simple = (Side.MAHDIST, mahdist) in rivals, (Side.EGYPTIAN, egyptian) in rivals
        if simple == (True, False) and cell.mahdist.share > most:
            found.append(PerilousRival(mahdist, egyptian, cell.mahdist))
        if simple == (False, True) and cell.egyptian.share > most:
            found.append(PerilousRival(egyptian, mahdist, cell.egyptian))
    return sorted(found, key=lambda rival: -rival.share.share)
