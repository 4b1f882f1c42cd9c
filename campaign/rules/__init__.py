"""Dervish: the campaign game, chapter by chapter. This is its front door.

Nothing else of the package is imported to play: `new_game` begins a campaign, `options` says what
may be done now, `check`, `apply` and `play` carry an action out, `view` is what a side may know,
`fold` makes stored events happen again.
"""

from campaign.rules.options import Options, options
from campaign.rules.play import apply, check, fold, play
from campaign.rules.set_up import new_game
from campaign.rules.sight import view
from campaign.rules.state import State

__all__ = ["Options", "State", "apply", "check", "fold", "new_game", "options", "play", "view"]
