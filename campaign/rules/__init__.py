"""Dervish: the campaign game, chapter by chapter. This is its front door.

Nothing else of the package is imported to play: `new_game` begins a campaign, `options` says what
may be done now, `check`, `apply` and `play` carry an action out, `view` is what a side may know,
`fold` makes stored events happen again; `reach`, `reach_of_all` and `voyages` say how far.
"""

from campaign.rules.core.options import Options, options
from campaign.rules.core.play import apply, check, fold, play
from campaign.rules.core.state import State
from campaign.rules.march.reach import reach, reach_of_all
from campaign.rules.march.river import voyages
from campaign.rules.set_up import new_game
from campaign.rules.sight import view

__all__ = [
    "Options",
    "State",
    "apply",
    "check",
    "fold",
    "new_game",
    "options",
    "play",
    "reach",
    "reach_of_all",
    "view",
    "voyages",
]
