"""A sentence of the log, with every die and card behind it, and the draft it is written from.

What the tales of all books have in common: sentences drafted while events are heard.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from battles.contract.brief import Side
from battles.core.cards import Card
from battles.core.dice import Roll
from battles.core.handlers import Handlers

ROUTINE, NEWS, HEADLINE = 1, 2, 3


class Turned(NamedTuple):
    """A card turned over, what for, and what it meant."""

    card: Card
    purpose: str
    result: str


class Sentence(NamedTuple):
    """What somebody did and what came of it.

    `card` is the playing card it was done on; `units` are the numbers of those it speaks of.
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
    """A sentence being written: what one does, or suffers, is strung together until another acts.

    `subject` is who the sentence is about; `otherwise` is what is said of its throws where nothing
    else is.
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
        """Whether nothing has been said yet."""
        return not self._deeds and not self._said

    @property
    def last(self) -> str:
        """What was done last; nothing at the beginning of a sentence."""
        return self._last[1]

    def does(self, deed: str, who: str = "") -> "Draft":
        """The subject does this as well, or suffers it: "fires on the Sussex"; or `who` does."""
        who = who or self.subject
        if who != self._doing:
            self._flush()
        self._doing = who
        self._deeds.append("another" if self._last == (who, deed) else deed)
        self._last = (who, deed)
        return self

    def say(self, sentence: str) -> "Draft":
        """Return a sentence of its own, after what has been done so far."""
        self._flush()
        self._said.append(sentence)
        return self

    def weigh(self, weight: int) -> "Draft":
        """Count for at least this much."""
        self.weight = max(self.weight, weight)
        return self

    def about(self, *units: int) -> "Draft":
        """Speaks of these units."""
        self.units.update(dict.fromkeys(units))
        return self

    def citing(self, rolls: Iterable[Roll]) -> "Draft":
        """Rests on these throws too."""
        self.rolls.extend(rolls)
        return self

    def finished(self) -> Sentence:
        """Return the sentence as it stands."""
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
            self._said.append(f"{capital(self._doing)} {listed(self._deeds)}.")
        self._doing, self._deeds, self._last = "", [], ("", "")


def listed(words: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def throw_in_words(roll: Roll) -> str:
    """`4`, `2 and 5`, `3, 3 and 6, less 1`: the dice, and what is added to them."""
    dice = listed([str(face) for face in roll.dice])
    plus = sum(one.value for one in roll.modifiers)
    if not plus:
        return dice
    return f"{dice}, {'plus' if plus > 0 else 'less'} {abs(plus)}"


def capital(words: str) -> str:
    """With a capital at the beginning, the rest as it is."""
    return words[:1].upper() + words[1:]


S = TypeVar("S")
Hearing = Handlers[Any, [], None]
"""The methods of a tale by the events they tell."""


class Narrative(ABC, Generic[S]):
    """What happens between two pictures. It hears every event just before it happens.

    `hears` is a book's own; of events without a handler nothing is said.
    """

    hears: ClassVar[Hearing]

    def __init__(self, state: S) -> None:
        self.state = state
        self._drafts: list[Draft] = []
        self._open: Draft | None = None
        self._acting: tuple[int, ...] = ()
        self._cited: list[Roll] = []

    def hear(self, event: Any, rolls: Iterable[Roll]) -> None:
        """The event is about to happen to the state; `rolls` are the throws behind it."""
        self._cited = list(rolls)
        if type(event) in self.hears:
            self.hears(self, event)
        if self._cited:
            self._now().citing(self._cited)

    def tell(self) -> Iterator[Sentence]:
        """Yield all there is to say, in the order in which it happened."""
        for draft in self._said():
            if draft.is_empty and draft.rolls:
                draft.say(draft.otherwise or self._of_throws(draft.rolls))
            if not draft.is_empty:
                yield draft.finished()

    def note(self, rolls: Iterable[Roll]) -> None:
        """Throws that came to nothing, at the end of all there is to say."""
        self._aside().citing(rolls)

    @abstractmethod
    def _name(self, number: int) -> str:
        """What a unit is called in a sentence."""

    @abstractmethod
    def _side(self, number: int) -> Side | None:
        """Return whose a unit is."""

    def _said(self) -> Iterable[Draft]:
        return self._drafts

    def _of_throws(self, rolls: list[Roll]) -> str:
        """Say what was thrown where no event has said anything of it."""
        return " ".join(f"{capital(one.reason)}: {throw_in_words(one)} thrown." for one in rolls)

    def _begin(self, number: int, card: Card | None = None) -> Draft:
        """Return a new sentence whose subject is that unit."""
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
        """Return the sentence that is being written; a new one where there is none."""
        return self._aside() if self._open is None else self._open

    def _of(self, number: int) -> Draft:
        """Return the sentence being written where that unit acts in it; a new one otherwise."""
        if self._open is not None and number in self._acting:
            return self._open
        return self._begin(number)

    def _does(self, number: int, deed: str) -> Draft:
        """What a unit does, in the sentence of which it is the subject."""
        return self._of(number).does(deed, self._name(number))

    def _say(self, number: int, deed: str) -> Draft:
        """What befalls a unit, in the sentence that is being written."""
        return self._now().does(deed, self._name(number)).about(number)
