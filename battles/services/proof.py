"""A battle is fought again from its brief and its key, and laid beside what is written."""

from typing import NamedTuple

from battles import stored
from battles.journal import Damaged
from battles.models import Battle
from battles.services.record import fight_out


class Proof(NamedTuple):
    """What was found to be as it is written."""

    entries: int
    rolls: int
    dice: int


def verify_battle(battle: Battle) -> Proof:
    """How much was thrown again and came out the same. Damaged where it did not."""
    engine = stored.engine_of(battle)
    again = fight_out(engine, stored.brief_of(battle), bytes(battle.key))
    written = list(battle.entries.all())
    for one, other in zip(written, again.lines, strict=False):
        if one.hash != other.hash:
            raise Damaged(
                f"Entry {one.number}, in turn {one.turn}, comes out otherwise: the journal has "
                "been changed, or the battle was fought by an earlier version of the rules."
            )
    if len(written) != len(again.lines):
        raise Damaged(f"{len(written)} entries are written, {len(again.lines)} come out.")
    rolls = [roll for entry in written for roll in stored.rolls_of(entry)]
    return Proof(len(written), len(rolls), sum(len(roll.dice) for roll in rolls))
