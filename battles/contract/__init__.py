"""The contract between a campaign and the books of its battles: briefs, engines and reports."""

from battles.contract.brief import Bearing, Brief, Ground, Kind, Nation, Party, Quality, Side, Troop
from battles.contract.engine import Engine, Move, fight, moves
from battles.contract.report import Fate, Report, Standing, Unfit, conserve

__all__ = [
    "Bearing",
    "Brief",
    "Engine",
    "Fate",
    "Ground",
    "Kind",
    "Move",
    "Nation",
    "Party",
    "Quality",
    "Report",
    "Side",
    "Standing",
    "Troop",
    "Unfit",
    "conserve",
    "fight",
    "moves",
]
