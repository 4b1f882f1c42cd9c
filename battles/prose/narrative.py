"""What the tales of all books have in common: sentences drafted while events are heard."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Generic, TypeVar

from battles.contract.troops import Side
from battles.core.cards import Card
from battles.core.dice import Roll
from battles.core.handlers import Handlers
from battles.prose.sentence import Draft, Sentence, capital, throw_in_words

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
        """All there is to say, in the order in which it happened."""
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
        """Whose a unit is."""

    def _said(self) -> Iterable[Draft]:
        return self._drafts

    def _of_throws(self, rolls: list[Roll]) -> str:
        """Say what was thrown where no event has said anything of it."""
        return " ".join(f"{capital(one.reason)}: {throw_in_words(one)} thrown." for one in rolls)

    def _begin(self, number: int, card: Card | None = None) -> Draft:
        """A new sentence whose subject is that unit."""
        draft = Draft(self._side(number), self._name(number), card).about(number)
        self._drafts.append(draft)
        self._open, self._acting = draft, (number,)
        return draft

    def _aside(self, side: Side | None = None) -> Draft:
        """A new sentence that nothing will be added to."""
        draft = Draft(side)
        self._drafts.append(draft)
        self._open = None
        return draft

    def _now(self) -> Draft:
        """The sentence that is being written; a new one where there is none."""
        return self._aside() if self._open is None else self._open

    def _of(self, number: int) -> Draft:
        """The sentence being written where that unit acts in it; a new one otherwise."""
        if self._open is not None and number in self._acting:
            return self._open
        return self._begin(number)

    def _does(self, number: int, deed: str) -> Draft:
        """What a unit does, in the sentence of which it is the subject."""
        return self._of(number).does(deed, self._name(number))

    def _say(self, number: int, deed: str) -> Draft:
        """What befalls a unit, in the sentence that is being written."""
        return self._now().does(deed, self._name(number)).about(number)
