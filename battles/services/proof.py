"""Verify a battle: play it again from its brief and its key, and compare with the journal."""

from collections.abc import Sequence
from typing import NamedTuple

from battles.core.decoding import encode
from battles.history import journal, serialization
from battles.history.journal import Damaged
from battles.models import Battle, BattleEntry
from battles.services.act import UMPIRE, entry_dice
from battles.services.record import fight_out


class BattleProof(NamedTuple):
    """The numbers of entries, rolls and dice that were verified."""

    entries: int
    rolls: int
    dice: int


def verify_battle(battle: Battle) -> BattleProof:
    """Throw all dice of the battle again. Raises Damaged where the journal differs."""
    written = list(serialization.entries_of(battle))
    if battle.way == Battle.Way.PLAYERS:
        _play_again(battle, written)
    else:
        _fight_again(battle, written)
    rolls = [roll for entry in written for roll in serialization.rolls_of(entry)]
    return BattleProof(len(written), len(rolls), sum(len(roll.dice) for roll in rolls))


def _fight_again(battle: Battle, written: Sequence[BattleEntry]) -> None:
    """Fight the battle again by its commanders with the same dice."""
    again = fight_out(
        serialization.engine_of(battle), serialization.brief_of(battle), bytes(battle.key)
    )
    for entry, other in zip(written, again.lines, strict=False):
        if entry.hash != other.hash:
            raise _differs(entry)
    if len(written) != len(again.lines):
        raise Damaged(f"{len(written)} entries are written, {len(again.lines)} come out.")


def _play_again(battle: Battle, written: Sequence[BattleEntry]) -> None:
    """Repeat the players' actions, each with the dice of its entry."""
    engine, state = serialization.engine_of(battle), None
    for entry, _ in zip(written, journal.verify(written), strict=True):
        # An umpire's correction has no dice: take its events as they are written.
        if state is not None and entry.actor.startswith(f"{UMPIRE}:"):
            engine.fold(state, serialization.events_of(entry, engine))
            continue
        dice = entry_dice(bytes(battle.key), entry.branch, entry.number)
        if state is None:
            state, outcome = engine.new_game(serialization.brief_of(battle), dice)
        else:
            outcome = engine.play(state, serialization.action_of(entry, engine), dice)
        result = encode(outcome.events), encode(outcome.rolls)
        if result != (journal.unpack(entry.events), journal.unpack(entry.rolls)):
            raise _differs(entry)


def _differs(entry: BattleEntry) -> Damaged:
    return Damaged(
        f"Entry {entry.number}, in turn {entry.turn}, gives another result: the journal has "
        "been changed, or the battle was fought by an earlier version of the rules."
    )
