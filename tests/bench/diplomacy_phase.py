"""The neighbour: movement phases of the `diplomacy` engine with random lawful orders."""

import random
from collections.abc import Callable

from diplomacy import Game

from tests.bench.measure import seconds


def seconds_a_phase(wanted: int) -> Callable[[], float]:
    """Return how long the engine takes to process a movement phase, on average over so many."""

    def once() -> float:
        chance, game, spent, phases = random.Random(1), Game(), 0.0, 0
        while phases < wanted:
            if game.is_game_done:
                game = Game()
            movement = game.phase_type == "M"
            _give_orders(game, chance)
            taken = seconds(game.process)
            if movement:
                spent, phases = spent + taken, phases + 1
        return spent / phases

    return once


def _give_orders(game: Game, chance: random.Random) -> None:
    possible = game.get_all_possible_orders()
    for power in game.powers:
        places = game.get_orderable_locations(power)
        game.set_orders(power, [chance.choice(possible[at]) for at in places if possible[at]])
