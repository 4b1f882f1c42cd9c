"""Write the actions of players into the journal of a battle, and verify it by playing it again."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from battles import access, journal, serialization
from battles.contract import Side, conserve
from battles.contract.book import find_book
from battles.contract.engine import MOST_ACTIONS
from battles.core.decoding import encode
from battles.core.dice import ChainedDice, derive_key
from battles.core.game import Outcome
from battles.journal import Damaged, JournalPosition, Refused, Stale
from battles.models import Battle, BattleEntry
from battles.services.record import DRAWN_UP, fight_out, notify_owner, write_report

if TYPE_CHECKING:
    from battles.contract.book import AnyEngine

MOVED_ON = ("head", "document", "document_hash")
COMMANDER, PLAYER, UMPIRE = "commander", "player", "umpire"
KEY_SEPARATOR = "+"
"""The separator between the key of a decision and the number of a further entry."""
MOST_ENTRIES = 200
"""The most entries of one decision."""


class NotYours(Refused):
    """An action that this user may not take; the message says who may."""


class PlannedAction(NamedTuple):
    """An action, and the others that follow it as one decision.

    `following` returns the next action in a state, None when the plan has been carried out: the
    line that moves with a unit, or the answer to a question that leaves no choice.
    """

    action: Any
    following: Callable[[Any], Any]


def act(battle_id: int, user: User, action: Any, *, expected: str, key: str = "") -> Battle:
    """Carry out an action of the user's side, or a PlannedAction, and the computer's answers.

    `expected` is the cursor (branch and number) that the user has seen; `key` is an idempotency
    key. Raises Stale, NotYours, Refused and IllegalAction; then nothing has changed.
    """
    if len(key) > journal.LONGEST_KEY or not key.isprintable():
        raise Refused(f"A key of an action has {journal.LONGEST_KEY} printable characters at most.")
    with transaction.atomic():
        battle = lock_battle(battle_id)
        # Before the check of the cursor: a repeated request still names the old one.
        if key and battle.entries.filter(key=key).exists():
            return battle
        check_cursor(battle, expected)
        run = BattleRun(battle)
        _check_turn(battle, user, run.side)
        _decide(run, action, f"{PLAYER}:{user.get_username()}", key)
        run.go_on()
        run.write()
    return battle


def _decide(run: "BattleRun", action: Any, actor: str, key: str) -> None:
    """Play the action, and those that are planned with it as long as the same side is in turn."""
    first, following = action if isinstance(action, PlannedAction) else (action, lambda _: None)
    side = run.side
    run.play(first, actor, key=key)
    for number in range(2, MOST_ENTRIES + 1):
        planned = following(run.state) if run.side is side else None
        if planned is None:
            return
        run.play(planned, actor, key=_following_key(key, number))


def _following_key(key: str, number: int) -> str:
    """Return the key of a further entry of a decision: `first_key` returns the first one's."""
    return f"{key}{KEY_SEPARATOR}{number}"[: journal.LONGEST_KEY] if key else ""


def first_key(key: str) -> str:
    """Return the key of the first entry of the decision that an entry with this key belongs to."""
    return key.partition(KEY_SEPARATOR)[0]


def lock_battle(battle_id: int) -> Battle:
    """Return the battle, locked until the transaction ends.

    Raises Refused unless players are fighting it, and without its book.
    """
    battle = lock_unreported(battle_id)
    if not access.is_open(battle) or battle.head_id is None:
        raise Refused(f"{battle.title} is not being fought here.")
    if find_book(battle.book) is None:
        raise Refused(access.book_missing(battle))
    return battle


def lock_unreported(battle_id: int) -> Battle:
    """Return the battle, fought or not, locked until the transaction ends.

    Raises Refused for one that is over or has been called off.
    """
    try:
        battle = journal.lock_record(Battle.objects.all(), battle_id)
    except journal.RecordGone as gone:
        raise Refused(f"This battle is not fought any more. {access.CALLED_OFF}") from gone
    if battle.reported:
        raise Refused(f"{battle.title} is over. Look back through its turns.")
    return battle


def entry_dice(key: bytes, branch: int, number: int) -> ChainedDice:
    """Return the dice of one entry of a battle that players fight, from the battle's key."""
    return ChainedDice(derive_key(key, "entry", branch, number))


def check_cursor(battle: Battle, expected: str) -> None:
    """Raise Stale unless the battle's cursor is the one that the user has seen."""
    if expected != serialization.cursor_of(battle):
        raise Stale(
            "Something else has happened in the meantime; nothing was changed. Look at the field "
            "as it stands now, and decide again."
        )


def check_not_paused(battle: Battle) -> None:
    """Raise Refused while the umpire has paused the battle."""
    if battle.paused:
        raise Refused(f"{battle.paused} has paused the battle; it waits until it goes on.")


def _check_turn(battle: Battle, user: User, side: Side | None) -> None:
    if side not in access.commands(battle, user):
        raise NotYours("The battle does not wait for you, or you do not command here.")
    check_not_paused(battle)
    if side in access.computer_sides(battle):
        raise Refused("The computer plays your side: take it over again first.")


class BattleRun:
    """A run of entries of one battle, gathered in memory and written at once."""

    def __init__(self, battle: Battle, state: Any = None) -> None:
        self.battle = battle
        self.engine: AnyEngine = serialization.engine_of(battle)
        self.state = serialization.state_of(battle) if state is None else state
        self._expected = battle.head_id
        self._entries: list[BattleEntry] = []
        self._at = serialization.head_of(battle)

    @property
    def side(self) -> Side | None:
        """Return the side in turn; None when the battle is over."""
        question = self.state.question
        return None if question is None else question.side

    def dice(self) -> ChainedDice:
        """Return the dice of the next entry."""
        return entry_dice(bytes(self.battle.key), self.battle.branch, self._at.number + 1)

    def play(self, action: Any, actor: str, *, key: str = "") -> None:
        """Carry out the action. Raises IllegalAction, and then nothing has changed."""
        turn, side = self.state.turn, str(self.side or "")
        outcome = self.engine.play(self.state, action, self.dice())
        self.enter(encode(action), outcome, actor, about=(turn, side, key))

    def go_on(self, *, everywhere: bool = False) -> None:
        """Let the computer answer until a person is in turn; `everywhere`, for people too."""
        led = frozenset(Side) if everywhere else access.computer_sides(self.battle)
        for _ in range(MOST_ACTIONS):
            side = self.side
            if side is None or side not in led or (self.battle.paused and not everywhere):
                return
            self.play(self.engine.answer(self.state), f"{COMMANDER}:{side}")
        raise RuntimeError(f"A battle by {self.engine.title} has come to no end.")

    def enter(
        self, action: bytes, outcome: Outcome, actor: str, *, about: tuple[int, str, str]
    ) -> None:
        """Add an entry; `about` is its turn, its side and its idempotency key."""
        turn, side, key = about
        entry = BattleEntry(
            battle=self.battle,
            branch=self.battle.branch,
            turn=turn,
            side=side,
            actor=actor[: journal.LONGEST_ACTOR],
            rules=self.engine.slug,
            action=journal.pack(action),
            events=journal.pack(encode(outcome.events)),
            rolls=journal.pack(encode(outcome.rolls)),
            key=key or None,
            created=timezone.now(),
        )
        self._entries.append(journal.follow(self._at, entry))
        self._at = JournalPosition(entry.number, entry.hash)

    def write(self) -> None:
        """Write the entries to the journal, set the clock, report a finished battle.

        The clock restarts with each entry. Where nothing was played it goes on as it ran, so that
        nobody gets more time by taking a side that they have.
        """
        if self._entries:
            journal.append(self.battle, self._entries, encode(self.state), expected=self._expected)
            self.battle.save(update_fields=MOVED_ON)
        until = due(self.battle, self.side)
        if self._entries or until is None or self.battle.due is None:
            self.battle.due = until
            self.battle.save(update_fields=["due"])
        if self.side is None:
            report = self.engine.report(self.state)
            conserve(serialization.brief_of(self.battle), report)
            write_report(self.battle, report, Battle.Way.PLAYERS)
            notify_owner(self.battle)


def due(battle: Battle, side_in_turn: Side | None) -> datetime | None:
    """Return the time until which the battle waits for the side in turn; None without a limit."""
    if not battle.patience or battle.paused or access.awaited_command(battle, side_in_turn) is None:
        return None
    return timezone.now() + timedelta(days=battle.patience)


def draw_up(battle: Battle, key: bytes, book_slug: str) -> None:
    """Draw up the locked battle by that book, and let the computer play where it is in turn.

    Raises ValueError for a brief whose armies the book cannot set out.
    """
    battle.book, battle.key, battle.way = book_slug, key, Battle.Way.PLAYERS
    engine, brief = serialization.engine_of(battle), serialization.brief_of(battle)
    battle.beginning = journal.pack(encode(engine.drawn_up(brief)))
    state, opening = engine.new_game(brief, entry_dice(key, 0, 1))
    battle.save(update_fields=("book", "key", "way", "beginning"))
    run = BattleRun(battle, state)
    run.enter(DRAWN_UP, opening, "field", about=(0, "", ""))
    run.go_on()
    run.write()


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
