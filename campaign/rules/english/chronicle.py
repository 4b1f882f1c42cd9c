"""Entries of the journal as despatches: one entry, or a whole stretch of the campaign."""

from collections.abc import Iterable, Iterator, Sequence

from battles.core.dice import Roll
from campaign.rules import events as e
from campaign.rules.board import board
from campaign.rules.english.arrivals import Arrivals, SetUp
from campaign.rules.english.chances import Chances
from campaign.rules.english.hardship import Hardships
from campaign.rules.english.marches import Marches
from campaign.rules.english.names import stack_in_words
from campaign.rules.english.rallies import Rallies
from campaign.rules.english.sentence import HEADLINE, NEWS, ROUTINE, Draft, Sentence, Topic, moment
from campaign.rules.english.sieges import sieges
from campaign.rules.english.standing import result_in_words, tally_in_words
from campaign.rules.english.tale import Tale
from campaign.rules.english.words import pick
from campaign.rules.evolve import evolve
from campaign.rules.map import HexId, PlaceClass
from campaign.rules.pieces import Side
from campaign.rules.state import Phase, State

Entry = tuple[Sequence[e.AnyEvent], Sequence[Roll]]

_TALES: dict[Phase, type[Tale]] = {
    Phase.SET_UP: SetUp,
    Phase.EVENT: Chances,
    Phase.REINFORCEMENT: Arrivals,
    Phase.MARCH: Marches,
    Phase.ATTRITION: Hardships,
    Phase.RECOVERY: Rallies,
    Phase.OVER: Tale,
}

_TURNS_THE_PAGE = e.PhaseBegan | e.MonthBegan | e.TurnEnded | e.Tallied | e.CampaignEnded

_SHUT_IN = (
    "The enemy is before the place and the siege begins. Within: {garrison}.",
    "The enemy closes in on the place. Shut up in it: {garrison}.",
    "The roads are cut and the place is under siege. The garrison: {garrison}.",
)
_RELIEVED = (
    "The siege is raised.",
    "The enemy has drawn off; the roads are open again.",
    "No enemy stands before the place any longer.",
)


def sentences(
    state: State, events: Sequence[e.AnyEvent], rolls: Sequence[Roll]
) -> Iterator[Sentence]:
    """What one entry tells a reader; the events happen to `state` as it is told."""
    return chronicle(state, [(events, rolls)])


def chronicle(state: State, entries: Iterable[Entry]) -> Iterator[Sentence]:
    """What a stretch of entries tells: what belongs together is joined across them.

    The events happen to `state` as they are told. A march is one sentence, a combat one report, a
    phase of attrition or recovery a summary, whatever number of entries they took.
    """
    chronicler = Chronicler(state)
    for events, rolls in entries:
        for event in events:
            yield from chronicler.hear(event, [rolls[place] for place in event.rolls])
    yield from chronicler.end()


class Chronicler:
    """Hears events one by one and tells each phase when it is over."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._tale = _TALES[state.phase](state)
        self._sieges = sieges(state)

    def hear(self, event: e.AnyEvent, rolls: list[Roll]) -> Iterator[Sentence]:
        """The event happens; what is told when a phase ends with it, or the campaign."""
        if isinstance(event, _TURNS_THE_PAGE):
            yield from self.end()
            yield from self._loose(event, rolls)
            evolve(self._state, event)
            self._tale = _TALES[self._state.phase](self._state)
        else:
            self._tale.hear(event, rolls)
            evolve(self._state, event)

    def end(self) -> Iterator[Sentence]:
        """All that has been gathered so far."""
        yield from self._tale.tell()
        self._tale = _TALES[self._state.phase](self._state)

    def _loose(self, event: e.AnyEvent, rolls: list[Roll]) -> Iterator[Sentence]:
        if isinstance(event, e.PhaseBegan) and self._state.phase is not Phase.SET_UP:
            yield from self._changed_sieges()
        if isinstance(event, e.CampaignEnded):
            draft = self._draft(Topic.VICTORY, rolls).about(side=event.result.winner)
            yield draft.weigh(HEADLINE).say(result_in_words(event.result)).finished()
        if isinstance(event, e.Tallied):
            text = tally_in_words(self._state, event.name, event.count)
            if text:
                yield self._draft(Topic.NOTE, rolls).weigh(NEWS).say(text).finished()

    def _draft(self, topic: Topic, rolls: Iterable[Roll] = ()) -> Draft:
        return Draft(topic, moment(self._state)).citing(rolls)

    def _changed_sieges(self) -> Iterator[Sentence]:
        before, self._sieges = self._sieges, sieges(self._state)
        for hex_id, side in self._sieges.items():
            if before.get(hex_id) is not side:
                yield self._shut_in(hex_id, side)
        for hex_id, side in before.items():
            if hex_id not in self._sieges and board(self._state).land(side, hex_id):
                yield self._relieved(hex_id, side)

    def _shut_in(self, hex_id: HexId, side: Side) -> Sentence:
        garrison = stack_in_words(board(self._state).land(side, hex_id))
        text = pick(_SHUT_IN, hex_id, self._state.month).format(garrison=garrison)
        return self._siege(hex_id, side, text)

    def _relieved(self, hex_id: HexId, side: Side) -> Sentence:
        return self._siege(hex_id, side, pick(_RELIEVED, hex_id, self._state.month))

    def _siege(self, hex_id: HexId, side: Side, text: str) -> Sentence:
        town = board(self._state).in_town(hex_id, PlaceClass.TOWN)
        draft = self._draft(Topic.SIEGE).about(hex_id=hex_id, side=side)
        return draft.weigh(NEWS if town else ROUTINE).say(text).finished()
