"""The board that follows a campaign is at each action what a board made afresh would be."""

import gc
import weakref

import pytest

from battles.contract.brief import Side
from battles.core.dice import ChainedDice, derive_key
from campaign.rules import State, new_game, play
from campaign.rules.core.board import Board, board, forget
from campaign.staff import answer
from campaign.staff.scene import StaffScene, scene
from tests.conformance.player import RandomPlayer

INDEXES = ("occupied", "bridged", "invested", "pressed", "guarded")


def _contents(position: Board) -> dict[object, object]:
    """Return all that a board says about its units."""
    contents: dict[object, object] = {name: getattr(position, name) for name in INDEXES}
    contents["units"] = [(unit.id, unit.hex) for unit in position.units]
    for side in Side:
        contents[side] = position.hexes(side)
        for hex_id in position.hexes(side):
            stack = position.stack(side, hex_id)
            contents[side, hex_id] = [(unit.id, unit.disrupted, unit.kind) for unit in stack]
    return contents


def _afresh(state: State) -> Board:
    forget(state)
    return board(state)


@pytest.mark.parametrize("slug", ["siege-of-khartoum", "tokar-and-souakim"])
@pytest.mark.parametrize("asked_every", [1, 3])
def test_the_board_follows_every_event(slug: str, asked_every: int) -> None:
    state, player = new_game(slug), RandomPlayer(asked_every, trusting=True)
    dice = ChainedDice(derive_key(b"board", slug))
    for number in range(600):
        if state.question is None:
            break
        play(state, player.choose(state), dice)
        if number % asked_every == 0:
            follows = board(state)
            told = _contents(follows)
            assert told == _contents(_afresh(state))
            # The one that follows is kept, so that it has to be right for the whole campaign.
            state.__dict__["board"] = follows


def test_forces_that_stand_are_shared_by_the_boards_of_a_march() -> None:
    state, player = new_game("siege-of-khartoum"), RandomPlayer(7, trusting=True)
    dice, shared = ChainedDice(derive_key(b"board", "shared")), 0
    before = board(state)
    for _ in range(200):
        play(state, player.choose(state), dice)
        after = board(state)
        shared += after is not before and any(
            after.forces[side] is before.forces[side] for side in Side
        )
        before = after
    assert shared > 50


def test_a_former_position_is_freed_without_the_garbage_collector() -> None:
    state, dice = new_game("siege-of-khartoum"), ChainedDice(derive_key(b"board", "freed"))
    gc.disable()
    try:
        positions: list[tuple[weakref.ref[Board], weakref.ref[StaffScene]]] = []
        while len(positions) < 20:
            former, seen = board(state), weakref.ref(scene(state, Side.MAHDIST))
            play(state, answer(state), dice)
            if board(state) is not former:
                positions.append((weakref.ref(former), seen))
        del former
        assert not any(position() or seen() for position, seen in positions)
    finally:
        gc.enable()
