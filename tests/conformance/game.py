"""One campaign at random, every action tried for all that must hold; what breaks leaves a file."""

import os
import traceback
from pathlib import Path
from random import Random

import msgspec

from battles.core.decoding import decode, digest, encode
from battles.core.dice import ChainedDice, derive_key
from battles.core.game import IllegalAction, Outcome
from campaign import rules
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core.state import State
from campaign.rules.tables.editions import is_known, shipped_edition
from tests.conformance.player import RandomPlayer, refusal_of
from tests.conformance.spoiling import spoilt
from tests.rules.invariants import check_action, check_state

FOLDER = Path(os.environ.get("SIRDAR_CRASHES", "var/crashes"))
MOST_ACTIONS = 60_000
LONGEST_LEG = 60
TELLING = (e.AgendaRecorded, e.CombatBegan, e.Guided, e.Tested, e.CombatEnded)


class Crash(msgspec.Struct):
    """A fault, ready to be repeated: the state, the action, its dice, and the reason."""

    scenario: str
    seed: int
    number: int
    error: str
    state: msgspec.Raw
    action: a.AnyAction | None
    before: list[a.AnyAction]


class Crashed(AssertionError):
    """A campaign has broken what must hold; the message names the file that shows it."""


class Stop:
    """A point where the campaign is stopped: its document, and how far it then goes on."""

    def __init__(self, document: bytes, number: int, length: int) -> None:
        self.document, self.number, self.ends = document, number, number + length


class Game:
    """A campaign of a scenario played at random with the dice and the whims of a seed."""

    def __init__(self, scenario: str, seed: int) -> None:
        self.scenario, self.seed = scenario, seed
        self.state = rules.new_game(scenario)
        self.actions: list[a.AnyAction] = []
        self.refused = self.resumed = 0
        self._player, self._random = RandomPlayer(seed), Random(f"trials {seed}")
        self._seen: set[str] = set()
        self._before_the_dice: set[str] = set()
        self._tried: a.AnyAction | None = None
        self._stop = self._stopped()
        check_state(self.state)

    def play_out(self, most: int = MOST_ACTIONS) -> None:
        """On to the end, or for so many actions. Crashed with a file if anything breaks."""
        while self.state.question is not None and len(self.actions) < most:
            self.step()
        assert self.state.question is None or most < MOST_ACTIONS, "the campaign does not end"

    def step(self) -> None:
        """One action, and every check of it."""
        before = encode(self.state)
        self._tried = None
        try:
            self._try(before)
            self._resume()
        except Exception as error:
            raise Crashed(f"see {self._keep(before)}: {error}") from error

    def _try(self, before: bytes) -> None:
        action = self._tried = self._player.choose(self.state)
        assert encode(self.state) == before, "asking for options changed the state"
        self._tried = spoilt(self._random, self.state, action)
        self.refused += check_refused(self.state, self._tried, before)
        self._tried = action
        outcome = carry_out(self.state, action, self._key())
        check_action(before, self.state, outcome)
        self._check_nothing_undone(outcome)
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

    def _stopped(self) -> Stop:
        length = self._random.randint(1, LONGEST_LEG)
        return Stop(encode(self.state), len(self.actions), length)

    def _resume(self) -> None:
        """Now and then the campaign is read from where it was stopped, and played on to here."""
        number = len(self.actions)
        if number < self._stop.ends and self.state.question is not None:
            return
        state = decode(self._stop.document, State)
        for place in range(self._stop.number, number):
            carry_out(state, read_back(self.actions[place]), action_key(self.seed, place))
        assert encode(state) == encode(self.state), "stopped and resumed, it goes another way"
        self.resumed += 1
        self._stop = self._stopped()

    def _keep(self, before: bytes) -> Path:
        FOLDER.mkdir(parents=True, exist_ok=True)
        file = FOLDER / f"{self.scenario}-{self.seed}-{len(self.actions)}.json"
        crash = Crash(
            self.scenario,
            self.seed,
            len(self.actions),
            traceback.format_exc(),
            msgspec.Raw(before),
            self._tried,
            self.actions,
        )
        file.write_bytes(msgspec.json.format(msgspec.json.encode(crash), indent=1))
        return file


def action_key(seed: int, number: int) -> bytes:
    """Return the key of the dice of one action of a game."""
    return derive_key(b"random play", seed, number)


def carry_out(state: State, action: a.AnyAction, key: bytes) -> Outcome:
    """Return the action carried out in place with the dice of the key."""
    return rules.play(state, action, ChainedDice(key))


def read_back(action: a.AnyAction) -> a.AnyAction:
    """Return the action as it is when it has been stored and read again."""
    again: a.AnyAction = decode(encode(action), a.AnyAction)  # type: ignore[arg-type]
    return again


def check_refused(state: State, action: a.AnyAction, before: bytes) -> bool:
    """Return whether the action is refused; then it is so when played too, and has changed nothing.

    `before` is the state as a document. One that is allowed is not carried out.
    """
    refusal = refusal_of(state, action)
    if refusal is None:
        return False
    assert refusal.clause, f"{action} is refused by no clause"
    assert refusal.reason, f"{action} is refused without a reason"
    try:
        rules.play(state, action, ChainedDice(before[:32]))
    except IllegalAction:
        assert encode(state) == before, f"{action} was refused and has changed the state"
        return True
    raise AssertionError(f"{action} is refused and yet carried out")


def check_resumed(
    before: bytes, action: a.AnyAction, key: bytes, state: State, outcome: Outcome
) -> None:
    """Stopped before the action and read from its document, play goes on to the same bytes."""
    resumed = decode(before, State)
    same = carry_out(resumed, read_back(action), key)
    assert encode(resumed) == encode(state), "stopped and resumed, the campaign goes another way"
    assert encode(same) == encode(outcome), "stopped and resumed, other things happen"


def load(file: Path) -> Crash:
    """Return a crash file read back."""
    return msgspec.json.decode(file.read_bytes(), type=Crash)


def try_again(crash: Crash) -> None:
    """Repeat a fault: raise as it did, or return quietly once it is fixed."""
    state = decode(bytes(crash.state), State)
    if not is_known(state.edition):
        state.edition = shipped_edition().digest
    before = encode(state)
    action = crash.action or RandomPlayer(crash.seed).choose(state)
    key = action_key(crash.seed, crash.number)
    if check_refused(state, action, before):
        return
    outcome = carry_out(state, action, key)
    check_action(before, state, outcome)
    check_resumed(before, action, key, state, outcome)
