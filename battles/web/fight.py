"""The page of a battle that players fight: the field, the question, and the log."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from itertools import compress, groupby
from math import dist
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.crypto import get_random_string
from django.utils.safestring import SafeString, mark_safe

from battles import services
from battles.access import selectors, viewers
from battles.access.viewers import Anybody, BattleViewer, OwnerLink
from battles.contract import Side
from battles.contract.book import AnyScene, Words
from battles.contract.registry import AnyEngine, book, words_of
from battles.core.game import IllegalAction
from battles.drawing import field
from battles.drawing.click_targets import ClickTarget, draw_click_targets, spots_of
from battles.drawing.scene import TableScene
from battles.history import serialization
from battles.history.log import BattleLog, LogEntry, RewindNote, battle_log, rewinds_of
from battles.models import Battle, Command
from battles.prose import ROUTINE, BookTerm
from battles.turn_form import TITLES, Choice, InvalidForm, QuestionKind, TurnForm
from battles.web.battle import ArmyRoster, armies

AT_ONCE = 40
"""Entries of the log on the page at first."""
APART = 34
"""Units of the drawing between two places to go to; the lists have those in between."""
LATEST = 24
"""Entries shown as the last result."""
ORDER = tuple(QuestionKind)
OVER = '"over"'


class Numbered(NamedTuple):
    """A choice with its number among those of its unit."""

    number: int
    choice: Choice


class ChoiceGroup(NamedTuple):
    """The choices of one kind, shown as buttons or as a list."""

    kind: QuestionKind
    title: str
    choices: tuple[Numbered, ...]

    @property
    def as_list(self) -> bool:
        """Return whether the choices are shown as a list, because there are many."""
        return self.kind in (QuestionKind.GO, QuestionKind.TURN) and len(self.choices) > 2


class SideCommander(NamedTuple):
    """A side and its commander."""

    side: Side
    title: str
    by: str
    command: Command
    mine: bool
    asked: bool


class AwaitedSide(NamedTuple):
    """The player the battle waits for, until when, and whether the reader may replace them."""

    who: str
    by: str
    side: str
    due: datetime
    late: bool
    may_stand_in: bool


class Tried(NamedTuple):
    """A place that was clicked: the move there, or why it is illegal."""

    may: bool
    words: str
    fields: Mapping[str, str]


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


class TakenBack(NamedTuple):
    """A decision that can be taken back: its entry, its turn, and its first words in the log."""

    number: int
    turn: str
    words: str


class LogChapter(NamedTuple):
    """A turn of the log, the earliest entry first."""

    title: str
    told: tuple[LogEntry, ...]


class FightPage:
    """The page of a battle in progress, for one viewer.

    `asked` are the parameters of the URL (the selected unit, the clicked place), or those of the
    form if it was refused.
    """

    def __init__(self, battle: Battle, user: Anybody, asked: Mapping[str, str]) -> None:
        self.battle = battle
        self.user = user
        self._asked = asked
        self.engine: AnyEngine = serialization.engine_of(battle)
        self.state = serialization.state_of(battle)
        self.side: Side | None = self.state.question.side if self.state.question else None
        # Read once: the tag is made of what the page shows, never of what a later read finds.
        self.mine = viewers.commands(battle, user)
        self.umpires = viewers.is_umpire(battle, user)
        self.eye = viewers.battle_viewer_of(self.mine, self.side, umpires=self.umpires)
        self.late = viewers.is_late(battle)
        self._commands: list[Command] = list(battle.commands.select_related("user"))
        self.book = book(battle.book)
        self.number = serialization.head_of(battle).number
        self.place = f"{battle.branch}.{self.number}"
        self.key = get_random_string(24)

    @property
    def words(self) -> Words:
        """Return the book's words for the sides and the figures."""
        return words_of(self.battle.book)

    @property
    def tag(self) -> str:
        """Return the ETag of the page: it changes with everything the page shows."""
        led = [(one.side, one.computer, one.user_id, one.invitation) for one in self._commands]
        battle = self.battle.paused, self.battle.due, self.battle.title, self.late
        shown = repr((battle, led, sorted(self.mine), self.umpires, self.eye))
        return f'"{self.place}-{sha256(shown.encode()).hexdigest()[:16]}"'

    # Knowledge of the viewer

    @cached_property
    def known(self) -> Any:
        """Return the state as far as the viewer may know it."""
        return (
            self.state
            if self.eye is BattleViewer.UMPIRE
            else self.engine.view(self.state, self.eye.side)
        )

    @cached_property
    def chronicle(self) -> BattleLog:
        return battle_log(self.battle, self.eye)

    @cached_property
    def scene(self) -> AnyScene:
        """Return the field with the marks of this turn, and of what has happened since."""
        scene = self.book.drawing.scene(self.known, self.chronicle.marks)
        first = min(self.chronicle.turn_began, self.result_began)
        return scene._replace(
            tracks=tuple(one for one in scene.tracks if one.step >= first),
            shots=tuple(one for one in scene.shots if one.step >= first),
            losses=tuple(one for one in scene.losses if one.step >= first),
        )

    @cached_property
    def steps(self) -> Mapping[int, int]:
        """Return the numbers of the steps of the last result, by their entries."""
        scene = self.scene
        seen = {one.step for one in scene.tracks}
        seen |= {one.step for one in scene.shots} | {one.step for one in scene.losses}
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
        seen = tuple(Side) if self.eye is BattleViewer.UMPIRE else (self.eye.side,)
        found = (
            (self.words.side(side), self.book.turn_forms.hand(self.state, side))
            for side in seen
            if side
        )
        return tuple((name, cards) for name, cards in found if cards)

    @cached_property
    def tally(self) -> tuple[SideTally, ...]:
        """Return what is left of each side, as far as the viewer may know it."""
        return tuple(
            SideTally(
                army.side,
                army.title,
                army.present,
                army.came,
                army.units_lost,
            )
            for army in self.armies
        )

    @property
    def terms(self) -> tuple[BookTerm, ...]:
        """Return the book's own words, which the page explains."""
        return self.book.pages.terms()

    @property
    def alone(self) -> bool:
        """Return whether the viewer fights a battle of their own against the computer."""
        return isinstance(self.user, User) and viewers.is_alone(self.battle, self.user)

    @property
    def aim(self) -> tuple[str, ...]:
        """Return sentences on how the battle is won, and when it ends."""
        return self.book.prose.aim(self.state)

    # The log

    @cached_property
    def log(self) -> tuple[LogChapter, ...]:
        """Return the latest entries of the log by turn, the latest turn first."""
        told = [one for one in self.chronicle.told if one.sentences][-AT_ONCE:]
        return tuple(self._chapters(iter(told)))[::-1]

    @cached_property
    def latest(self) -> tuple[LogEntry, ...]:
        """Return the viewer's last action and what has happened since, without routine."""
        first = self.result_began
        told = self.chronicle.since(first - 1)
        shown = (one.number == first or one.number in self.steps or _is_news(one) for one in told)
        return tuple(compress(told, shown))[-LATEST:]

    @cached_property
    def result_began(self) -> int:
        """Return the number of the viewer's last action since which the log tells something.

        Orders are secret until they are carried out: the result before them stays.
        """
        told = self.chronicle.told
        last = next((one.number for one in reversed(told) if one.sentences), 0)
        return next((one for one in reversed(self._own) if one <= last), self.new_after)

    @cached_property
    def decisions(self) -> tuple[TakenBack, ...]:
        """Return the decisions that the viewer may take back, if the page is asked for them."""
        if "decisions" not in self._asked:
            return ()
        told = {one.number: one for one in self.chronicle.told}
        return tuple(
            TakenBack(one.first.number, self.book.turn_title(one.first.turn, before="Before"), said)
            for one in services.decisions(self.battle, self.user)
            if (said := _first_words(told.get(one.first.number))) or not one.first.turn
        )

    @property
    def may_undo(self) -> bool:
        """Return whether the viewer may take the last decision back."""
        return services.may_undo(self.battle, self.user)

    @cached_property
    def repeatable(self) -> bool:
        """Return whether last turn's orders can be given again."""
        asks = self.turn_form is not None and self.turn_form.ordering is not None
        return asks and repeated(self.battle, self.state) is not None

    def _chapters(self, told: Iterator[LogEntry]) -> Iterator[LogChapter]:
        for turn, them in groupby(told, key=lambda one: one.turn):
            yield LogChapter(self.book.turn_title(turn, before="Before the battle"), tuple(them))

    @cached_property
    def new_after(self) -> int:
        """Return the number of the last entry by the user's side; later ones are news."""
        return self._own[-1] if self._own else self.number

    @cached_property
    def _own(self) -> list[int]:
        told = self.chronicle.told
        return [one.number for one in told if one.side and one.side in self.mine]

    @property
    def backs(self) -> tuple[RewindNote, ...]:
        """Return the umpire's rewinds with their reasons."""
        return tuple(rewinds_of(self.battle))

    # Commanders

    @property
    def led(self) -> tuple[SideCommander, ...]:
        """Return both sides with their commanders."""
        return tuple(
            SideCommander(
                Side(one.side),
                self.words.side(Side(one.side)),
                _leader(one, self.battle),
                one,
                Side(one.side) in self.mine,
                Side(one.side) is self.side,
            )
            for one in self._commands
        )

    @property
    def waits_for(self) -> str:
        """Return a sentence about the side that the battle waits for."""
        if self.battle.paused:
            return f"{self.battle.paused} has paused the battle."
        if self.side is None:
            return "The battle is over."
        if self.turn_form is not None:
            return "Your turn."
        return f"The battle waits for the {self.words.side(self.side)} side."

    @cached_property
    def awaited(self) -> AwaitedSide | None:
        """Return the player that the battle waits for; None without a time limit."""
        if self.battle.due is None or self.side is None:
            return None
        found = {Side(one.side): one.user for one in self._commands}
        return AwaitedSide(
            _name_of(found[self.side]),
            _name_of(found[self.side.enemy]),
            self.words.side(self.side),
            self.battle.due,
            self.late,
            self.late and self.mine == {self.side.enemy},
        )

    @property
    def origin(self) -> OwnerLink | None:
        """Return a link to the battle's owner; None for a user's own battle."""
        keeper = viewers.keeper_of(self.battle.owner)
        return keeper.place(self.battle.owner) if keeper else None

    @cached_property
    def invitations(self) -> tuple[tuple[str, str], ...]:
        """Return the free sides with their links; empty unless the user began it."""
        number = self.battle.uuid
        return tuple(
            (self.words.side(Side(one.side)), reverse("fight-join", args=[number, one.invitation]))
            for one in selectors.free_sides(self.battle, self.user)
        )

    # The question

    @cached_property
    def turn_form(self) -> TurnForm | None:
        """Return the form of the user's turn; None when it is not their turn."""
        side = self.side
        led = {Side(one.side) for one in self._commands if one.computer}
        if side is None or side not in self.mine or side in led or self.battle.paused:
            return None
        return self.book.turn_forms.form(self.state, side, _whole(self._asked.get("unit")))

    @cached_property
    def picked(self) -> tuple[Numbered, ...]:
        """Return the choices at the place that was clicked."""
        place = self._asked.get("place", "")
        return tuple(one for one in self._numbered if place and one.choice.place == place)

    @property
    def pressed(self) -> str:
        """Return the place that was clicked, or else where a unit to be placed stands now."""
        placing = self.turn_form.placing if self.turn_form else None
        return self._asked.get("place", "") or (placing.place if placing else "")

    @property
    def facing(self) -> str:
        """Return the facing of a unit to be placed; after a refusal, the form's."""
        placing = self.turn_form.placing if self.turn_form else None
        return self._asked.get("facing") or (placing.facing if placing else "")

    @property
    def typed(self) -> Mapping[str, str]:
        """Return the fields of a refused form, so that nothing has to be given twice."""
        return self._asked

    @property
    def order(self) -> str:
        """Return the orders chosen for the unit; after a refusal, the form's."""
        ordering = self.turn_form.ordering if self.turn_form else None
        return self._asked.get("order") or (ordering.given if ordering else "")

    @property
    def groups(self) -> tuple[ChoiceGroup, ...]:
        """Return all choices, grouped by kind."""
        ranked = sorted(self._numbered, key=lambda one: ORDER.index(one.choice.kind))
        return tuple(
            ChoiceGroup(kind, TITLES[kind], tuple(them))
            for kind, them in groupby(ranked, key=lambda one: one.choice.kind)
        )

    @property
    def has_ways(self) -> bool:
        """Return whether any choice is a move."""
        return any(one.choice.kind is QuestionKind.GO for one in self._numbered)

    @cached_property
    def _numbered(self) -> tuple[Numbered, ...]:
        return tuple(map(Numbered, range(1000), self.turn_form.choices)) if self.turn_form else ()

    @cached_property
    def tried(self) -> Tried | None:
        """Return the move to the place that was clicked, legal or not; None without one."""
        if self.turn_form is None or self.turn_form.free is None or "x" not in self._asked:
            return None
        if self.turn_form.zone:
            return None
        names = ("unit", "x", "y", "via", "facing", "formation")
        fields = {name: self._asked[name] for name in names if name in self._asked}
        try:
            action = self.book.turn_forms.composed(self.state, fields)
            self.engine.check(self.state, action)
        except (InvalidForm, IllegalAction) as wrong:
            return Tried(False, str(wrong), fields)
        where = f"{float(fields['x']):g} by {float(fields['y']):g} {self.turn_form.free.measure}"
        where += f", by way of {fields['via']}" if fields.get("via", "").strip(" ,") else ""
        return Tried(True, f"{self.turn_form.free.words} to {where}", fields)

    @property
    def drawing(self) -> SafeString:
        """Return the field with its click targets, as an SVG element."""
        label = f"The field, {self.title}. Lists beside and below it say the same in words."
        form = self.turn_form
        whose = (form.unit, *form.together) if form else ()
        # Units of one square share a ring; the first place is that of the unit itself.
        acting = tuple(dict.fromkeys(self._spots[one] for one in whose if one in self._spots))
        free = self.turn_form.free if self.turn_form else None
        over = (
            draw_click_targets(self.marks, acting, free.reach if free else 0, self.turn_form.zone)
            if self.turn_form
            else ""
        )
        return mark_safe(field(self.scene, label, over, self.steps))  # noqa: S308

    @cached_property
    def marks(self) -> tuple[ClickTarget, ...]:
        """Return the click targets on the field; the lists repeat them all."""
        return tuple(self._marks())

    @cached_property
    def _spots(self) -> Mapping[int, tuple[int, int]]:
        return spots_of(self.scene)

    def _marks(self) -> Iterator[ClickTarget]:
        """Yield targets for units to select, places to go to, and enemies to attack."""
        if self.turn_form is None:
            return
        spots = self._spots
        for pick in self.turn_form.units:
            if pick.unit in spots and pick.unit != self.turn_form.unit:
                link = self._link(unit=pick.unit)
                yield ClickTarget(spots[pick.unit], "look", link, pick.name, ring=True)
        yield from self._placings()
        start = spots.get(self.turn_form.unit, (0, 0))
        ranked = sorted(self._numbered, key=lambda one: one.choice.place)
        placed = groupby(ranked, key=lambda one: one.choice.place)
        groups = [(place, list(them)) for place, them in placed if place]
        # The furthest places come first: of those that would cover each other they are kept.
        groups.sort(key=lambda one: -dist(one[1][0].choice.spot or start, start))
        kept: list[tuple[int, int]] = []
        for place, found in groups:
            at, ring = found[0].choice.spot, bool(found[0].choice.target)
            if at is None or (not ring and any(dist(at, one) < APART for one in kept)):
                continue
            if not ring:
                kept.append(at)
            only = found[0].number if len(found) == 1 else None
            yield self._mark(place, [one.choice for one in found], only)

    def _placings(self) -> Iterator[ClickTarget]:
        placing = self.turn_form.placing if self.turn_form else None
        if placing is None or (self.turn_form and self.turn_form.zone):
            return
        for value, name, spot in placing.places:
            link = self._link(unit=self.turn_form.unit if self.turn_form else 0, place=value)
            chosen = value == self.pressed
            yield ClickTarget(spot, "go", link, f"{placing.verb} {name}", chosen=chosen)

    def _mark(self, place: str, choices: list[Choice], only: int | None) -> ClickTarget:
        first = min(choices, key=lambda one: ORDER.index(one.kind))
        words = "; ".join(dict.fromkeys(_said(one) for one in choices[:3]))
        more = f" and {len(choices) - 3} more" if len(choices) > 3 else ""
        unit = self.turn_form.unit if self.turn_form else 0
        return ClickTarget(
            first.spot or (0, 0),
            first.kind,
            self._link(unit=unit, place=place),
            words + more,
            ring=bool(first.target),
            chosen=place == self.pressed,
            # Fire and charges show their odds before they are confirmed.
            choice=only if first.kind is QuestionKind.NEXT else None,
        )

    def _link(self, **asked: object) -> str:
        return f"{address(self.battle)}?{urlencode(asked)}#turn-form"


def _is_news(entry: LogEntry) -> bool:
    return any(sentence.weight > ROUTINE for sentence in entry.sentences)


def _said(choice: Choice) -> str:
    return f"{choice.label}, {choice.detail}" if choice.detail else choice.label


def _leader(command: Command, battle: Battle) -> str:
    if command.away:
        return f"the computer, while {_name_of(command.user)} is away"
    if command.computer:
        return "the computer"
    if command.user is not None:
        return viewers.display_name(command.user)
    return "its players" if viewers.keeper_of(battle.owner) else "nobody yet"


def _name_of(user: User | None) -> str:
    return viewers.display_name(user) if user else "nobody"


def _whole(text: str | None) -> int:
    """Return a number of the URL; 0 without one."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 7 else 0


def _first_words(entry: LogEntry | None) -> str:
    """Return the first sentence of an entry of the log; "" for one that tells nothing."""
    return entry.sentences[0].text if entry and entry.sentences else ""


def lasting_plan(battle: Battle) -> str:
    """Return the name under which a session keeps the plan that goes on in a battle."""
    return f"plan of {battle.uuid}"


def repeated(battle: Battle, state: Any) -> Any:
    """Return the action that gives last turn's orders again; None where that is impossible."""
    if state.question is None:
        return None
    engine = serialization.engine_of(battle)
    before = serialization.entries_of(battle).filter(turn=state.turn - 1, side=state.question.side)
    actions = (serialization.action_of(one, engine) for one in before.defer("events", "rolls"))
    return book(battle.book).turn_forms.repeated(state, actions)


def tag_of(battle: Battle, user: Anybody) -> str:
    """Return the ETag of the battle's page for that user; OVER when it is over."""
    return FightPage(battle, user, {}).tag if viewers.is_open(battle) else OVER


def address(battle: Battle) -> str:
    """Return the URL of the battle's page."""
    return reverse("fight", args=[battle.uuid])
