"""The state of a battle in progress as one viewer sees it: sides, tally, log and commanders."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from itertools import compress, groupby
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.crypto import get_random_string
from django.utils.text import Truncator

from battles import access, serialization, services
from battles.access import Anybody, BattleNotVisible, BattleViewer, OwnerLink
from battles.contract import Side
from battles.contract.book import AnyEngine, AnyScene, Words, book, find_book, words_of
from battles.drawing.scene import TableScene
from battles.models import Battle, Command
from battles.prose import ROUTINE, BookTerm
from battles.replay import BattleLog, LogEntry, RewindNote, battle_log, rewinds_of
from battles.web.battle import ArmyRoster, armies

OVER = "over"
AT_ONCE = 40
"""Entries of the log on the page at first."""
LATEST = 24
"""Entries shown as the last result."""


class SideCommander(NamedTuple):
    """A side and its commander."""

    side: Side
    title: str
    by: str
    command: Command
    is_own: bool
    is_awaited: bool


class AwaitedSide(NamedTuple):
    """The player the battle waits for, until when, and what that is to the reader of the page."""

    who: str
    by: str
    side: str
    is_reader: bool
    reader_waits: bool
    due: datetime
    late: bool
    may_stand_in: bool


class SideTally(NamedTuple):
    """A side's figures that are on the field of those that came, and its units that are lost."""

    side: Side
    title: str
    left: int
    came: int
    units_lost: int

    @property
    def per_cent(self) -> int:
        """Return the figures left, in per cent of those that came."""
        return round(100 * self.left / self.came) if self.came else 0


class UndoableDecision(NamedTuple):
    """A decision that can be taken back: its entry, its turn, and its first words in the log."""

    number: int
    turn: str
    words: str


class LogChapter(NamedTuple):
    """A turn of the log, the earliest entry first."""

    title: str
    entries: tuple[LogEntry, ...]


class FightView:
    """A battle in progress, as far as one viewer may know it.

    `parameters` are the parameters of the URL. Raises BattleNotVisible without the battle's book.
    """

    def __init__(self, battle: Battle, user: Anybody, parameters: Mapping[str, str]) -> None:
        if find_book(battle.book) is None:
            raise BattleNotVisible(access.book_missing(battle))
        serialization.read_ahead(battle)
        self.battle = battle
        self.user = user
        self._parameters = parameters
        self.engine: AnyEngine = serialization.engine_of(battle)
        self.state = serialization.state_of(battle)
        self.side: Side | None = self.state.question.side if self.state.question else None
        # Read once: the tag is made of what the page shows, never of what a later read finds.
        self.own_sides = access.commands(battle, user)
        self.umpires = access.is_umpire(battle, user)
        self.viewer = access.battle_viewer_of(self.own_sides, self.side, umpires=self.umpires)
        self.late = access.is_late(battle)
        self._commands: list[Command] = list(battle.commands.all())
        self.book = book(battle.book)
        self.number = serialization.head_of(battle).number
        self.place = f"{battle.branch}.{self.number}"
        self.key = get_random_string(24)

    @property
    def words(self) -> Words:
        """Return the book's words for the sides and the figures."""
        return words_of(self.battle.book)

    @property
    def version(self) -> str:
        """Return the version of the page: it changes with everything the page shows.

        It is OVER once the battle is over, when the page changes no more.
        """
        if not access.is_open(self.battle):
            return OVER
        led = [
            (command.side, command.computer, command.user_id, command.invitation)
            for command in self._commands
        ]
        battle = self.battle.paused, self.battle.due, self.battle.title, self.late
        shown = repr((battle, led, sorted(self.own_sides), self.umpires, self.viewer))
        return f"{self.place}-{sha256(shown.encode()).hexdigest()[:16]}"

    # Knowledge of the viewer

    @cached_property
    def known(self) -> Any:
        """Return the state as far as the viewer may know it."""
        return (
            self.state
            if self.viewer is BattleViewer.UMPIRE
            else self.engine.view(self.state, self.viewer.side)
        )

    @cached_property
    def battle_log(self) -> BattleLog:
        return battle_log(self.battle, self.viewer)

    @cached_property
    def scene(self) -> AnyScene:
        """Return the field with the marks of this turn, and of what has happened since."""
        scene = self.book.drawing.scene(self.known, self.battle_log.marks)
        first = min(self.battle_log.turn_began, self.result_began)
        return scene._replace(
            tracks=tuple(track for track in scene.tracks if track.step >= first),
            shots=tuple(shot for shot in scene.shots if shot.step >= first),
            losses=tuple(loss for loss in scene.losses if loss.step >= first),
        )

    @cached_property
    def steps(self) -> Mapping[int, int]:
        """Return the numbers of the steps of the last result, by their entries."""
        scene = self.scene
        seen = {track.step for track in scene.tracks}
        seen |= {shot.step for shot in scene.shots} | {loss.step for loss in scene.losses}
        news = sorted(step for step in seen if step > self.result_began)
        return {step: number for number, step in enumerate(news, 1)}

    @property
    def on_table(self) -> bool:
        """Return whether the field is an open table rather than squares."""
        return isinstance(self.scene, TableScene)

    @cached_property
    def armies(self) -> tuple[ArmyRoster, ...]:
        """Return the rosters of both sides, as far as the viewer may know them."""
        roll = self.book.prose.muster_roll(self.known)
        return armies(roll, self.words)

    @property
    def title(self) -> str:
        """Return the title of the current turn."""
        return self.book.turn_title(self.state.turn, before="Before the battle")

    @property
    def length(self) -> str:
        """Return how long the battle lasts at most, to follow its turn: " of 20"."""
        last = getattr(self.state, "turns", 0)
        if not self.state.turn:
            return ""
        return f" of {last}" if last else self.words.until

    @cached_property
    def hands(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Return the cards of the viewer's side; of both sides for the umpire."""
        seen = tuple(Side) if self.viewer is BattleViewer.UMPIRE else (self.viewer.side,)
        pairs = (
            (self.words.side(side), self.book.turn_forms.hand(self.state, side))
            for side in seen
            if side
        )
        return tuple((name, cards) for name, cards in pairs if cards)

    @cached_property
    def tally(self) -> tuple[SideTally, ...]:
        """Return what is left of each side, as far as the viewer may know it."""
        return tuple(
            SideTally(army.side, army.title, army.present, army.came, army.units_lost)
            for army in self.armies
        )

    @property
    def terms(self) -> tuple[BookTerm, ...]:
        """Return the book's own words, which the page explains."""
        return self.book.pages.terms()

    @property
    def alone(self) -> bool:
        """Return whether the viewer fights a battle of their own against the computer."""
        return isinstance(self.user, User) and access.is_alone(self.battle, self.user)

    @property
    def unopposed(self) -> bool:
        """Return whether the viewer commands, and no other person does or may."""
        return bool(self.own_sides) and access.sides_of_people(self.battle) <= self.own_sides

    @property
    def aim(self) -> tuple[str, ...]:
        """Return sentences on how the battle is won, and when it ends."""
        return self.book.prose.aim(self.state)

    # The log

    @cached_property
    def log(self) -> tuple[LogChapter, ...]:
        """Return the latest entries of the log by turn, the latest turn first."""
        entries = [entry for entry in self.battle_log.entries if entry.sentences][-AT_ONCE:]
        return tuple(self._chapters(iter(entries)))[::-1]

    @cached_property
    def latest(self) -> tuple[LogEntry, ...]:
        """Return the viewer's last action and what has happened since, without routine."""
        first = self.result_began
        entries = self.battle_log.since(first - 1)
        shown = (
            entry.number == first or entry.number in self.steps or _is_news(entry)
            for entry in entries
        )
        return tuple(compress(entries, shown))[-LATEST:]

    @cached_property
    def result_began(self) -> int:
        """Return the number of the viewer's last action since which the log tells something.

        Orders are secret until they are carried out: the result before them stays.
        """
        entries = self.battle_log.entries
        last = next((entry.number for entry in reversed(entries) if entry.sentences), 0)
        return next((number for number in reversed(self._own) if number <= last), self.new_after)

    @cached_property
    def decisions(self) -> tuple[UndoableDecision, ...]:
        """Return the decisions that the viewer may take back, if the page is asked for them."""
        if "decisions" not in self._parameters:
            return ()
        entries = {entry.number: entry for entry in self.battle_log.entries}
        return tuple(
            UndoableDecision(
                decision.first.number,
                self.book.turn_title(decision.first.turn, before="Before"),
                words,
            )
            for decision in services.decisions(self.battle, self.user)
            if (words := _first_words(entries.get(decision.first.number)))
            or not decision.first.turn
        )

    @cached_property
    def may_undo(self) -> bool:
        """Return whether the viewer may take the last decision back."""
        return services.may_undo(self.battle, self.user)

    def _chapters(self, log_entries: Iterator[LogEntry]) -> Iterator[LogChapter]:
        for turn, entries in groupby(log_entries, key=lambda entry: entry.turn):
            yield LogChapter(self.book.turn_title(turn, before="Before the battle"), tuple(entries))

    @cached_property
    def new_after(self) -> int:
        """Return the number of the last entry by the user's side; later ones are news."""
        return self._own[-1] if self._own else self.number

    @cached_property
    def _own(self) -> list[int]:
        entries = self.battle_log.entries
        return [entry.number for entry in entries if entry.side and entry.side in self.own_sides]

    @property
    def backs(self) -> tuple[RewindNote, ...]:
        """Return the umpire's rewinds with their reasons."""
        return tuple(rewinds_of(self.battle))

    @property
    def earlier_entries(self) -> Iterator[tuple[int, str]]:
        """Yield what an umpire can go back to, the latest first: an entry and its first words.

        Of a turn that is not among the latest entries it is the first.
        """
        entries = [entry for entry in self.battle_log.entries if entry.sentences]
        began = {entry.turn: entry.number for entry in reversed(entries)}.values()
        latest = {entry.number for entry in entries[-AT_ONCE:]}
        for entry in reversed(entries):
            if entry.number < self.number and (entry.number in latest or entry.number in began):
                turn = self.book.turn_title(entry.turn, before="Before")
                words = f"{turn}, {entry.number}: {_first_words(entry)}"
                yield entry.number, Truncator(words).chars(70)

    @property
    def correctable(self) -> Iterator[tuple[int, str]]:
        """Yield the units on the field that an umpire can correct, in words."""
        for army in self.armies:
            for line in army.lines:
                if line.formation and line.fate == "on the field":
                    where = f", {line.where}" if line.where else ""
                    words = f"{line.number}. {line.name}, {line.left} of {line.came}{where}"
                    yield line.number, words

    # Commanders

    @property
    def led(self) -> tuple[SideCommander, ...]:
        """Return both sides with their commanders."""
        return tuple(
            SideCommander(
                Side(command.side),
                self.words.side(Side(command.side)),
                _leader(command, self.battle),
                command,
                Side(command.side) in self.own_sides,
                Side(command.side) is self.side,
            )
            for command in self._commands
        )

    @cached_property
    def awaited(self) -> AwaitedSide | None:
        """Return the player that the battle waits for; None without a time limit."""
        if self.battle.due is None or self.side is None:
            return None
        users = {Side(command.side): command.user for command in self._commands}
        return AwaitedSide(
            _name_of(users[self.side]),
            _name_of(users[self.side.enemy]),
            self.words.side(self.side),
            self.own_sides == {self.side},
            self.own_sides == {self.side.enemy},
            self.battle.due,
            self.late,
            self.late and self.own_sides == {self.side.enemy},
        )

    @property
    def origin(self) -> OwnerLink | None:
        """Return a link to the battle's owner; None for a user's own battle."""
        keeper = access.keeper_of(self.battle.owner)
        return keeper.place(self.battle.owner) if keeper else None

    @cached_property
    def invitations(self) -> tuple[tuple[str, str], ...]:
        """Return the free sides with their links; empty unless the user began it."""
        number = self.battle.uuid
        return tuple(
            (
                self.words.side(Side(command.side)),
                reverse("fight-join", args=[number, command.invitation]),
            )
            for command in access.free_sides(self.battle, self.user)
        )


def drawn_way(fields: Mapping[str, str], scale: float) -> tuple[tuple[int, int], ...]:
    """Return the points on the drawing that the form of a free move names."""
    points = [*fields.get("via", "").split(","), f"{fields.get('x', '')} {fields.get('y', '')}"]
    try:
        pairs = [[float(number) for number in point.split()] for point in points if point.strip()]
        return tuple((round(x * scale), round(y * scale)) for x, y in pairs)
    except (ValueError, OverflowError):
        return ()


def _is_news(entry: LogEntry) -> bool:
    return any(sentence.weight > ROUTINE for sentence in entry.sentences)


def _leader(command: Command, battle: Battle) -> str:
    if command.away:
        return f"the computer, while {_name_of(command.user)} is away"
    if command.computer:
        return "the computer"
    if command.user is not None:
        return access.display_name(command.user)
    return "its players" if access.keeper_of(battle.owner) else "nobody yet"


def _name_of(user: User | None) -> str:
    return access.display_name(user) if user else "nobody"


def _first_words(entry: LogEntry | None) -> str:
    """Return the first sentence of an entry of the log; "" for one that tells nothing."""
    return entry.sentences[0].text if entry and entry.sentences else ""
