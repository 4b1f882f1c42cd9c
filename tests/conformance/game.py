"""One campaign at random, every action tried for all that must hold; what breaks leaves a file."""

import os
import traceback
from pathlib import Path

import msgspec

from battles.core.dice import ChainedDice, derive_key
from battles.core.document import decode, digest, encode
from battles.core.game import IllegalAction, Outcome
from campaign import rules
from campaign.rules import actions as a
from campaign.rules import events as e
from campaign.rules.state import State
from tests.conformance.player import RandomPlayer
from tests.rules.invariants import check_action, check_state

FOLDER = Path(os.environ.get("SIRDAR_CRASHES", "var/crashes"))
MOST_ACTIONS = 60_000
TELLING = (e.Stands, e.CombatBegan, e.Guided, e.Tested, e.CombatEnded)


class Crash(msgspec.Struct):
    """What is needed to see it again: the state, what was then tried, with which dice, and why."""

    scenario: str
    seed: int
    number: int
    error: str
    state: msgspec.Raw
    action: a.AnyAction | None
    before: list[a.AnyAction]


class Crashed(AssertionError):
    """A campaign has broken what must hold; the message names the file that shows it."""


class Game:
    """A campaign of a scenario played at random with the dice and the whims of a seed."""

    def __init__(self, scenario: str, seed: int) -> None:
        self.scenario, self.seed = scenario, seed
        self.state = rules.new_game(scenario)
        self.actions: list[a.AnyAction] = []
        self._player = RandomPlayer(seed)
        self._seen: set[str] = set()
        self._before_the_dice: set[str] = set()
        check_state(self.state)

    def play_out(self, most: int = MOST_ACTIONS) -> None:
        """On to the end, or for so many actions. Crashed with a file if anything breaks."""
        while self.state.question is not None and len(self.actions) < most:
            self.step()
        assert self.state.question is None or most < MOST_ACTIONS, "the campaign does not end"

    def step(self) -> None:
        """One action, and every check of it."""
        before, action = encode(self.state), None
        try:
            action = self._player.choose(self.state)
            assert encode(self.state) == before, "asking for options changed the state"
            outcome = carry_out(self.state, action, self._key())
            check_action(before, self.state, outcome)
            check_resumed(before, action, self._key(), self.state, outcome)
            self._check_nothing_undone(outcome)
        except Exception as error:
            raise Crashed(f"see {self._keep(before, action)}: {error}") from error
        self.actions.append(action)

    def _key(self) -> bytes:
        return action_key(self.seed, len(self.actions))

    def _check_nothing_undone(self, outcome: Outcome) -> None:
        """A state that a throw of dice has changed never comes back.

        A combat without effect may be fought again and again; that undoes nothing.
        """
        now = digest(encode(self.state))
        if outcome.rolls and not all(isinstance(event, TELLING) for event in outcome.events):
            self._before_the_dice |= self._seen
            self._seen.clear()
        assert now not in self._before_the_dice, "a throw of dice has been undone"
        self._seen.add(now)

    def _keep(self, before: bytes, action: a.AnyAction | None) -> Path:
        FOLDER.mkdir(parents=True, exist_ok=True)
        file = FOLDER / f"{self.scenario}-{self.seed}-{len(self.actions)}.json"
        crash = Crash(
            self.scenario,
            self.seed,
            len(self.actions),
            traceback.format_exc(),
            msgspec.Raw(before),
            action,
            self.actions,
        )
        file.write_bytes(msgspec.json.format(msgspec.json.encode(crash), indent=1))
        return file


def action_key(seed: int, number: int) -> bytes:
    """The key of the dice of one action of a game."""
    return derive_key(b"random play", seed, number)


def carry_out(state: State, action: a.AnyAction, key: bytes) -> Outcome:
    """The action carried out in place with the dice of the key."""
    return rules.play(state, action, ChainedDice(key))


def check_resumed(
    before: bytes, action: a.AnyAction, key: bytes, state: State, outcome: Outcome
) -> None:
    """Stopped before the action and read from its document, play goes on to the same bytes."""
    resumed = decode(before, State)
    again: a.AnyAction = decode(encode(action), a.AnyAction)  # type: ignore[arg-type]
    same = carry_out(resumed, again, key)
    assert encode(resumed) == encode(state), "stopped and resumed, the campaign goes another way"
    assert encode(same) == encode(outcome), "stopped and resumed, other things happen"


def load(file: Path) -> Crash:
    """A crash file read back."""
    return msgspec.json.decode(file.read_bytes(), type=Crash)


def try_again(crash: Crash) -> None:
    """What broke, once more: raises as it did, or comes back quietly when it is mended."""
    before = encode(decode(bytes(crash.state), State))
    state = decode(before, State)
    action = crash.action or RandomPlayer(crash.seed).choose(state)
    key = action_key(crash.seed, crash.number)
    try:
        outcome = carry_out(state, action, key)
    except IllegalAction:
        return
    check_action(before, state, outcome)
    check_resumed(before, action, key, state, outcome)
