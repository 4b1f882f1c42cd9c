"""The contract between a campaign and the books of its battles: briefs, engines and reports."""

from battles.contract.brief import (
    Bearing,
    Brief,
    BriefGround,
    Nation,
    Party,
    Quality,
    Side,
    Troop,
    TroopKind,
)
from battles.contract.engine import ChosenMove, Engine, fight, moves
from battles.contract.report import Fate, Report, SideResult, Unfit, conserve

__all__ = [
    "Bearing",
    "Brief",
    "BriefGround",
    "ChosenMove",
    "Engine",
    "Fate",
    "Nation",
    "Party",
    "Quality",
    "Report",
    "Side",
    "SideResult",
    "Troop",
    "TroopKind",
    "Unfit",
    "conserve",
    "fight",
    "moves",
]
