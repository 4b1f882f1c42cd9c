"""Battles that players fight: the one writer of their journals.

Every action is one transaction on the locked row. Whoever acts names the place at which he has
seen the battle; when something has happened since, nothing is done and he is told. The book's
commanders answer for the sides they command as soon as they are asked, in the same transaction.
"""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from battles.access import viewers
from battles.contract import Side, conserve
from battles.contract.engine import MOST_ACTIONS
from battles.core.decoding import encode
from battles.core.dice import ChainedDice, derive_key
from battles.core.game import Outcome
from battles.history import branches, journal, serialization
from battles.history.journal import JournalPosition, Refused, Stale
from battles.models import Battle, BattleEntry
from battles.services.record import DRAWN_UP, tell, write_report

if TYPE_CHECKING:
    from battles.contract.registry import AnyEngine

MOVED_ON = ("head", "document", "document_hash")
COMMANDER, PLAYER, UMPIRE = "commander", "player", "umpire"


class NotYours(Refused):
    """Somebody who may not do that; the message says who may."""


def act(battle_id: int, user: User, action: Any, *, expected: str, key: str = "") -> Battle:
    """Return the action of the user's side, and whatever the book's commanders answer to it.

    `expected` is the place (branch and number) that the user has seen; `key` makes the same
    action that is sent twice one. Raises Stale, NotYours, Refused and IllegalAction; then nothing
    has changed.
    """
    if len(key) > journal.LONGEST_KEY:
        raise Refused(f"A key of an action has {journal.LONGEST_KEY} characters at most.")
    with transaction.atomic():
        battle = locked(battle_id)
        if key and battle.entries.filter(key=key).exists():
            return battle
        _check_place(battle, expected)
        run = BattleRun(battle)
        _check_turn(battle, user, run.side)
        run.play(action, f"{PLAYER}:{user.get_username()}", key=key)
        run.go_on()
        run.write()
    return battle


def locked(battle_id: int) -> Battle:
    """Return the battle, which nobody else can write;

    Refused when players do not fight it (any more).
    """
    battle = journal.locked(Battle.objects.all(), battle_id)
    if battle.reported:
        raise Refused(f"{battle.title} is over. Look back through its turns.")
    if not viewers.is_open(battle) or battle.head_id is None:
        raise Refused(f"{battle.title} is not being fought here.")
    return battle


def entry_dice(key: bytes, branch: int, number: int) -> ChainedDice:
    """Return the dice of one entry of a battle that players fight, from the battle's key."""
    return ChainedDice(derive_key(key, "entry", branch, number))


def _check_place(battle: Battle, expected: str) -> None:
    if expected != branches.place_of(battle):
        raise Stale(
            "Something else has happened in the meantime; nothing was changed. Look at the field "
            "as it stands now, and decide again."
        )


def _check_turn(battle: Battle, user: User, side: Side | None) -> None:
    if side not in viewers.commands(battle, user):
        raise NotYours("The battle does not wait for you, or you do not command here.")
    if battle.paused:
        raise Refused(f"{battle.paused} has paused the battle; it waits until it goes on.")
    if side in viewers.staffed(battle):
        raise Refused("The book’s commander leads your side: take it over again first.")


class BattleRun:
    """A stretch of a battle being played on: entries gathered in memory, written at once."""

    def __init__(self, battle: Battle, state: Any = None) -> None:
        self.battle = battle
        self.engine: AnyEngine = serialization.engine_of(battle)
        self.state = serialization.state_of(battle) if state is None else state
        self._expected = battle.head_id
        self._entries: list[BattleEntry] = []
        self._at = branches.head_of(battle)

    @property
    def side(self) -> Side | None:
        """Return the side that is asked; None when the battle is over."""
        question = self.state.question
        return None if question is None else question.side

    def dice(self) -> ChainedDice:
        """Return the dice of the next entry."""
        return entry_dice(bytes(self.battle.key), self.battle.branch, self._at.number + 1)

    def play(self, action: Any, actor: str, *, key: str = "") -> None:
        """The action is carried out. Raises IllegalAction, and then nothing has changed."""
        turn, side = self.state.turn, str(self.side or "")
        outcome = self.engine.play(self.state, action, self.dice())
        self.enter(encode(action), outcome, actor, about=(turn, side, key))

    def go_on(self, *, everywhere: bool = False) -> None:
        """The book's commanders answer until a person is asked; `everywhere`, for people too."""
        led = frozenset(Side) if everywhere else viewers.staffed(self.battle)
        for _ in range(MOST_ACTIONS):
            side = self.side
            if side is None or side not in led or (self.battle.paused and not everywhere):
                return
            self.play(self.engine.answer(self.state), f"{COMMANDER}:{side}")
        raise RuntimeError(f"A battle by {self.engine.title} has come to no end.")

    def enter(
        self, action: bytes, outcome: Outcome, actor: str, *, about: tuple[int, str, str]
    ) -> None:
        """One more entry: in that turn, by that side, under that key."""
        turn, side, key = about
        entry = BattleEntry(
            battle=self.battle,
            branch=self.battle.branch,
            turn=turn,
            side=side,
            actor=actor[:80],
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
        """What was played stands in the journal, and the clock begins anew.

        A battle that is over is reported.
        """
        if self._entries:
            journal.append(self.battle, self._entries, encode(self.state), expected=self._expected)
            self.battle.save(update_fields=MOVED_ON)
        self.battle.due = due(self.battle, self.side)
        self.battle.save(update_fields=["due"])
        if self.side is None:
            report = self.engine.report(self.state)
            conserve(serialization.brief_of(self.battle), report)
            write_report(self.battle, report, Battle.Way.PLAYERS)
            tell(self.battle)


def due(battle: Battle, asked: Side | None) -> datetime | None:
    """Until when the battle waits, from now on, for the one who is asked; None for any time."""
    if not battle.patience or battle.paused or viewers.waited_for(battle, asked) is None:
        return None
    return timezone.now() + timedelta(days=battle.patience)


def draw_up(battle: Battle, key: bytes, book_slug: str) -> None:
    """The locked battle, which nobody has begun, is drawn up by that book and goes on.

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
