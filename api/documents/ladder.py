"""The results of a ladder as a document: players with their ratings, and every pair."""

from typing import Annotated

import msgspec
from msgspec import Meta

from api.documents.scalars import SideName
from campaign.models import Bench
from campaign.services.jobs.comparisons import games_of, players_of
from campaign.simulations import ladder


class WonSharePart(msgspec.Struct, frozen=True):
    """A share of the games that a side has won, with its 95% interval."""

    won_share: float
    low: float
    high: float


class LadderPairPart(msgspec.Struct, frozen=True):
    """A pair on the ladder, by the names of its players; the rest of its games was drawn."""

    mahdist: str
    egyptian: str
    games: int
    mahdist_won: WonSharePart
    egyptian_won: WonSharePart
    mean_months: float


class LadderPlayerPart(msgspec.Struct, frozen=True):
    """A player on the ladder: a plan, a level or a rival, with its rating.

    400 points are odds of ten to one. `score` is the mean over all games, a draw counting half.
    """

    side: SideName
    name: str
    title: str
    player_kind: Annotated[str, Meta(extra_json_schema={"enum": ["plan", "level", "rival"]})]
    rating: int
    score: float
    games: int


class LadderResult(msgspec.Struct, frozen=True, tag_field="type", tag="ladder"):
    """The plans of a scenario's staff played against each other, the best players first.

    `faults` are games that came to no end, which count for nobody.
    """

    scenario: str
    players: tuple[LadderPlayerPart, ...]
    pairs: tuple[LadderPairPart, ...]
    faults: tuple[str, ...]


def ladder_result(bench: Bench) -> LadderResult:
    """Return the results of a ladder so far."""
    games = games_of(bench)
    return LadderResult(
        bench.scenario,
        tuple(
            LadderPlayerPart(
                one.contestant.side,
                one.contestant.name,
                one.contestant.title,
                one.contestant.kind,
                one.rating,
                one.score,
                one.games,
            )
            for one in ladder.ratings(players_of(bench), games)
        ),
        tuple(
            LadderPairPart(
                *pair,
                cell.mahdist.games,
                _won_share_part(cell.mahdist),
                _won_share_part(cell.egyptian),
                cell.months,
            )
            for pair, cell in ladder.cells(games).items()
        ),
        tuple(game.error for game in games if game.error),
    )


def _won_share_part(of: ladder.WinShare) -> WonSharePart:
    return WonSharePart(of.share, of.low, of.high)
