"""Rules of Dervish, the campaign game, and the public interface of this package.

A player of the game needs these names only: `new_game` begins a campaign, `options` returns the
legal answers to the open question, `check`, `apply` and `play` carry an action out, `play_trusted`
one that the program itself has made, `view` returns the state as a side may know it, `fold` replays
stored events; `reach`, `reach_of_all` and `voyages` return where stacks can go.
"""

from campaign.rules.core.options import Options, options
from campaign.rules.core.play import apply, check, fold, play, play_trusted
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
    "play_trusted",
    "reach",
    "reach_of_all",
    "view",
    "voyages",
]
