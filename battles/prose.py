"""Battles in sentences and tables, for every book: the narrative of events and the roster."""

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import msgspec

from battles.contract import Brief, Fate, Report, Troop, TroopKind
from battles.contract.brief import Side
from battles.core.dice import Card, Roll
from battles.core.rules_engine import Handlers
from battles.core.tables import Source

# The narrative of a battle: sentences drafted while events happen, with their dice and cards.


ROUTINE, NEWS, HEADLINE = 1, 2, 3
COMPASS = (
    *("north", "north-east", "east", "south-east"),
    *("south", "south-west", "west", "north-west"),
)
"""The eight points of the compass, clockwise."""


class Turned(NamedTuple):
    """A card that was turned over, its purpose, and its result."""

    card: Card
    purpose: str
    result: str


class Sentence(NamedTuple):
    """A sentence of the log: a unit's action and its result.

    `card` is the playing card the unit acted on; `units` are the numbers of the units it mentions.
    Weight 3 is a headline, 1 is routine.
    """

    text: str
    side: Side | None
    card: Card | None
    rolls: tuple[Roll, ...]
    turned: tuple[Turned, ...]
    units: tuple[int, ...]
    weight: int


class Draft:
    """A sentence being written: one unit's actions are strung together until another acts.

    `subject` is the unit; `otherwise` is said of the rolls where nothing else mentions them.
    """

    def __init__(self, side: Side | None = None, subject: str = "", card: Card | None = None):
        self.side = side
        self.subject = subject
        self.card = card
        self.weight = ROUTINE
        self.otherwise = ""
        self.rolls: list[Roll] = []
        self.turned: list[Turned] = []
        self.units: dict[int, None] = {}
        self._doing = ""
        self._deeds: list[str] = []
        self._last = ("", "")
        self._said: list[str] = []

    @property
    def is_empty(self) -> bool:
        """Return whether nothing has been said yet."""
        return not self._deeds and not self._said

    @property
    def last(self) -> str:
        """Return the last action; "" at the beginning of a sentence."""
        return self._last[1]

    def does(self, phrase: str, actor: str = "", again: str = "") -> "Draft":
        """Add an action of the subject, such as "fires on the Sussex", or of `actor`.

        `again` replaces the phrase where it follows itself, by default `turns again`.
        """
        actor = actor or self.subject
        if actor != self._doing:
            self._flush()
        self._doing = actor
        repeated = self._last == (actor, phrase)
        self._deeds.append((again or f"{phrase} again") if repeated else phrase)
        self._last = (actor, phrase)
        return self

    def say(self, sentence: str) -> "Draft":
        """Add a full sentence after the actions so far."""
        self._flush()
        self._said.append(sentence)
        return self

    def weigh(self, weight: int) -> "Draft":
        """Raise the sentence's weight to at least this."""
        self.weight = max(self.weight, weight)
        return self

    def about(self, *units: int) -> "Draft":
        """Add units that the sentence mentions."""
        self.units.update(dict.fromkeys(units))
        return self

    def citing(self, rolls: Iterable[Roll]) -> "Draft":
        """Add rolls that the sentence reports."""
        self.rolls.extend(rolls)
        return self

    def finished(self) -> Sentence:
        """Return the draft as a sentence."""
        self._flush()
        return Sentence(
            " ".join(self._said),
            self.side,
            self.card,
            tuple(self.rolls),
            tuple(self.turned),
            tuple(self.units),
            self.weight,
        )

    def _flush(self) -> None:
        if self._deeds:
            deeds = [agree(self._doing, phrase) for phrase in self._deeds]
            self._said.append(f"{capital(self._doing)} {listed(deeds)}.")
        self._doing, self._deeds, self._last = "", [], ("", "")


_PLURAL_NAME = re.compile(
    r"[Tt]he (?!.*\b(?:Corps|Abbas)\b).*?(?:men|(?<!s)(?<!['’])s)(?: \(\d+\))?"
)
_PLURALS = {"is": "are", "has": "have", "lies": "lie", "its": "their", "it": "they"}
_AGREEING = re.compile(
    r"^(?:no longer )?[a-z]+s\b|(?<=\band )(?:comes|destroys|has|hits|leaves|runs|touches)\b"
    r"|(?<=\bbut )fails\b"
    r"|(?<=\bit )(?:is|stands)\b|\bits?\b"
)


def agree(subject: str, phrase: str) -> str:
    """Return an action in the form its subject asks for: `the Rifles (4)`, `fires` gives `fire`.

    A name is plural if it looks so: `Fusiliers` and `spearmen`, but not `Camel Corps` or `Sussex`.
    """
    if not _PLURAL_NAME.fullmatch(subject):
        return phrase
    return _AGREEING.sub(lambda match: _plural(match[0]), phrase)


def _plural(word: str) -> str:
    if word in _PLURALS:
        return _PLURALS[word]
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word.removesuffix("es") if re.search("(ss|sh|ch|x|zz|o)es$", word) else word[:-1]


def listed(words: list[str], before_last: str = "and") -> str:
    """Return the words as `a`, `a and b`, or `a, b and c`."""
    *most, last = words
    return f"{', '.join(most)} {before_last} {last}" if most else last


def throw_in_words(roll: Roll) -> str:
    """Return the dice and their modifiers: `4`, `2 and 5`, `3, 3 and 6, less 1`."""
    dice = listed([str(face) for face in roll.dice])
    plus = sum(modifier.value for modifier in roll.modifiers)
    return f"{dice}, {'plus' if plus > 0 else 'less'} {abs(plus)}" if plus else dice


def capital(words: str) -> str:
    """Return the words with a capital at the beginning, the rest unchanged."""
    return words[:1].upper() + words[1:]


S = TypeVar("S")
Hearing = Handlers[Any, [], None]
"""The methods of a narrative by the events they describe."""


class Narrative(ABC, Generic[S]):
    """The sentences between two pictures; it hears every event just before it happens.

    `hears` is the book's own table; an event without a handler adds no sentence.
    """

    hears: ClassVar[Hearing]

    def __init__(self, state: S) -> None:
        self.state = state
        self._drafts: list[Draft] = []
        self._open: Draft | None = None
        self._acting: tuple[int, ...] = ()
        self._cited: list[Roll] = []

    def hear(self, event: Any, rolls: Iterable[Roll]) -> None:
        """Add an event that is about to happen to the state; `rolls` are the rolls behind it."""
        self._cited = list(rolls)
        if type(event) in self.hears:
            self.hears(self, event)
        # A handler that has cited the rolls itself has emptied the list.
        if self._cited:
            self._now().citing(self._cited)

    def tell(self) -> Iterator[Sentence]:
        """Yield every sentence, in the order of events."""
        for draft in self._said():
            if draft.is_empty and draft.rolls:
                draft.say(draft.otherwise or self._of_throws(draft.rolls))
            if not draft.is_empty:
                yield draft.finished()

    def note(self, rolls: Iterable[Roll]) -> None:
        """Add rolls without an effect, after all other sentences."""
        self._aside().citing(rolls)

    @abstractmethod
    def _name(self, number: int) -> str:
        """Return a unit's name in a sentence."""

    @abstractmethod
    def _side(self, number: int) -> Side | None:
        """Return a unit's side."""

    def _said(self) -> Iterable[Draft]:
        return self._drafts

    def _of_throws(self, rolls: list[Roll]) -> str:
        """Describe rolls that no event has mentioned."""
        return " ".join(f"{capital(roll.reason)}: {throw_in_words(roll)} thrown." for roll in rolls)

    def _begin(self, number: int, card: Card | None = None) -> Draft:
        """Return a new sentence about that unit."""
        draft = Draft(self._side(number), self._name(number), card).about(number)
        self._drafts.append(draft)
        self._open, self._acting = draft, (number,)
        return draft

    def _aside(self, side: Side | None = None) -> Draft:
        """Return a new sentence that nothing will be added to."""
        draft = Draft(side)
        self._drafts.append(draft)
        self._open = None
        return draft

    def _now(self) -> Draft:
        """Return the sentence being written, or a new one."""
        return self._aside() if self._open is None else self._open

    def _of(self, number: int) -> Draft:
        """Return the sentence being written if that unit acts in it, else a new one."""
        if self._open is not None and number in self._acting:
            return self._open
        return self._begin(number)

    def _does(self, number: int, phrase: str, again: str = "") -> Draft:
        """Add an action to the sentence about the unit, or to a new one."""
        return self._of(number).does(phrase, self._name(number), again)

    def _say(self, number: int, phrase: str, again: str = "") -> Draft:
        """Add an effect on a unit to the sentence being written."""
        return self._now().does(phrase, self._name(number), again).about(number)

    def _correct(self, number: int, side: Side, now: str) -> None:
        """Add a correction by the umpire; `now` describes the unit, and is "" if it is gone."""
        name = self._name(number)
        words = f"sets {name} right: {now}" if now else f"takes {name} from the field"
        self._aside(side).say(f"The umpire {words}.").about(number).weigh(NEWS)


# Units in tables: the roster of a field, the casualty return and the play sheets.


class RosterLine(NamedTuple):
    """A unit or a leader, on the field or off it. `came` and `left` count figures."""

    number: int
    side: Side
    name: str
    what: str
    where: str
    facing: str
    formation: str
    came: int
    left: int
    state: str
    fate: str

    @property
    def lost(self) -> int:
        """Return the figures lost; all of a destroyed unit."""
        return self.came - self.left


def describe_ending(report: Report, turn: str) -> str:
    """Return after how many turns a battle was over, and why; "" if nobody has said.

    `turn` is the book's word for a turn.
    """
    lasted = f"It lasted {report.turns} {turn}{'s' * (report.turns != 1)}." if report.turns else ""
    return " ".join(part for part in (lasted, report.ending) if part)


class Returned(NamedTuple):
    """Equal units of the campaign, as they came to the battle and as they go back."""

    side: Side
    many: int
    name: str
    came: str
    fate: Fate


class Brought(NamedTuple):
    """Equal units of the campaign, as they were brought to the battle."""

    side: Side
    many: int
    name: str
    disrupted: bool


def order_of_battle(brief: Brief) -> tuple[Brought, ...]:
    """Return both sides' units, equal ones counted together."""
    counts = Counter(
        (troop.nation.side, troop_name(troop), troop.disrupted) for troop in brief.troops()
    )
    return tuple(Brought(key[0], count, *key[1:]) for key, count in counts.items())


def units_returned(brief: Brief, report: Report) -> tuple[Returned, ...]:
    """Return the units that go back to the campaign, equal ones counted together."""
    counts: Counter[tuple[Side, str, str, Fate]] = Counter()
    for troop in brief.troops():
        condition = "disrupted" if troop.disrupted else "good order"
        key = troop.nation.side, troop_name(troop), condition, report.fates[troop.id]
        counts[key] += 1
    return tuple(Returned(key[0], count, *key[1:]) for key, count in counts.items())


def troop_name(troop: Troop) -> str:
    """Return a troop's name: `Egyptian infantry 2R`, `Graham`, `Sussex, British infantry 3V`."""
    if troop.kind is TroopKind.LEADER and troop.name:
        return troop.name
    value = f"{troop.strength or ''}{troop.quality}"
    description = f"{troop.nation.title()} {troop.kind} {value}".strip()
    return f"{troop.name}, {description}" if troop.name else description


class Extract(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Some columns of a table."""

    name: str
    columns: tuple[str, ...]


class PlaySheetSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A section of the play sheet: lines to read, and tables of the book."""

    title: str
    lines: tuple[str, ...] = ()
    tables: tuple[Extract, ...] = ()


class BookTerm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A word of a book, and what it means."""

    word: str
    means: str

    @property
    def slug(self) -> str:
        """Return the word as the end of an anchor."""
        return self.word.lower().replace(" ", "-")


class PlaySheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The play sheet of a book: its sections, and its terms in the order of the file."""

    section: tuple[PlaySheetSection, ...]
    term: tuple[BookTerm, ...] = ()


@cache
def play_sheet(package: str) -> PlaySheet:
    """Read a package's play sheet. Raises TableError when the file is damaged."""
    text = (files(package) / "play_sheet.toml").read_text(encoding="utf-8")
    source = Source("play_sheet.toml", text)
    return source.convert(source.document(), PlaySheet)
