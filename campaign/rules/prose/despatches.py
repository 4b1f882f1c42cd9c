"""Journal entries as despatches: one entry, or a stretch of the campaign."""

from collections.abc import Iterable, Iterator, Sequence

from battles.contract.brief import Side
from battles.core.dice import Roll
from campaign.rules.core import events as e
from campaign.rules.core.board import board
from campaign.rules.core.evolve import evolve
from campaign.rules.core.state import Phase, State
from campaign.rules.map import HexId, PlaceClass
from campaign.rules.prose.combat import AttritionReport, RecoveryReport
from campaign.rules.prose.marches import MarchReport
from campaign.rules.prose.names import describe_force, describe_hex, name_place, side_name
from campaign.rules.prose.phase_report import (
    HEADLINE,
    NEWS,
    ROUTINE,
    DespatchSentence,
    PhaseReport,
    SentenceDraft,
    Topic,
    day_after,
    moment,
)
from campaign.rules.prose.phrases import capitalise, pick_phrase
from campaign.rules.prose.reinforcements import RandomEventReport, ReinforcementReport, SetUpReport
from campaign.rules.prose.situation import (
    Sightings,
    describe_ending,
    describe_result,
    describe_tally,
    sieges,
)
from campaign.rules.sight import SideKnowledge, learn, learns_of, watch

Entry = tuple[Sequence[e.AnyEvent], Sequence[Roll]]

_TALES: dict[Phase, type[PhaseReport]] = {
    Phase.SET_UP: SetUpReport,
    Phase.EVENT: RandomEventReport,
    Phase.REINFORCEMENT: ReinforcementReport,
    Phase.MARCH: MarchReport,
    Phase.ATTRITION: AttritionReport,
    Phase.RECOVERY: RecoveryReport,
    Phase.OVER: PhaseReport,
}

_TURNS_THE_PAGE = e.PhaseBegan | e.MonthBegan | e.TurnEnded | e.CampaignEnded

_SHUT_IN = (
    "{besiegers} {stand} before {place} and the siege begins. Within: {garrison}.",
    "{besiegers} {close} in. Shut up in {place}: {garrison}.",
    "The roads are cut and {place} is under siege. The garrison: {garrison}.",
)
_RELIEVED = (
    "The siege of {place} is raised.",
    "{besiegers} {have} drawn off from {place}, and the roads are open again.",
    "Nobody stands before {place} any longer.",
)


def sentences(
    state: State, events: Sequence[e.AnyEvent], rolls: Sequence[Roll]
) -> Iterator[DespatchSentence]:
    """Yield the sentences of one entry, and apply its events to `state`."""
    return chronicle(state, [(events, rolls)])


def chronicle(
    state: State, entries: Iterable[Entry], audience: Sequence[SideKnowledge] = ()
) -> Iterator[DespatchSentence]:
    """Yield the sentences of a stretch of entries, joined across entries.

    A march is one sentence, a combat one report, a phase of attrition or recovery a summary,
    however many entries they took. The events are applied to `state`. With an audience, only events
    that all its members learn of are reported, and their knowledge is updated.
    """
    chronicler = Chronicler(state, audience)
    for events, rolls in entries:
        for event in events:
            yield from chronicler.hear(event, [rolls[place] for place in event.rolls])
    yield from chronicler.end()


class Chronicler:
    """Collector of events that writes the despatches of each phase at its end."""

    def __init__(self, state: State, audience: Sequence[SideKnowledge] = ()) -> None:
        self._state = state
        self._audience = audience
        self._sightings = Sightings(audience[0]) if len(audience) == 1 else None
        self._tale = _TALES[state.phase](state)
        self._sieges = sieges(state)
        self._counts: list[DespatchSentence] = []

    def hear(self, event: e.AnyEvent, rolls: list[Roll]) -> Iterator[DespatchSentence]:
        """Apply the event; yield the sentences of a phase or campaign that ends with it."""
        if isinstance(event, e.AgendaRecorded | e.PhaseBegan | e.CampaignEnded) and self._open():
            self._tale.leftover(rolls)
        if isinstance(event, _TURNS_THE_PAGE):
            yield from self.end()
            yield from self._turn_the_page(event, rolls)
            self._happens(event)
            self._tale = _TALES[self._state.phase](self._state)
        else:
            if isinstance(event, e.Tallied):
                self._count(event, rolls)
            elif all(learns_of(knowledge, self._state, event) for knowledge in self._audience):
                self._tale.hear(event, rolls)
            self._happens(event)

    def _count(self, event: e.Tallied, rolls: list[Roll]) -> None:
        """Keep a count towards victory until the phase is told: points come amid a combat."""
        text = describe_tally(self._state, event.name, event.count)
        if text:
            draft = self._draft(Topic.NOTE, rolls).weigh(NEWS).tell_players(text)
            self._counts.append(draft.finished())

    def _open(self) -> bool:
        """Return whether the audience may see the rolls of the side to move."""
        return all(knowledge.side is self._state.side for knowledge in self._audience)

    def _happens(self, event: e.AnyEvent) -> None:
        evolve(self._state, event)
        for knowledge in self._audience:
            learn(knowledge, self._state, event)

    def end(self) -> Iterator[DespatchSentence]:
        """Yield the sentences gathered so far."""
        yield from self._tale.tell()
        if self._sightings is not None:
            yield from self._sightings.tell(self._state, self._today)
        yield from self._counts
        self._counts.clear()
        fights = self._tale.fights
        self._tale = _TALES[self._state.phase](self._state)
        self._tale.fights = fights

    @property
    def _today(self) -> int:
        return day_after(moment(self._state), self._tale.fights)

    def _turn_the_page(self, event: e.AnyEvent, rolls: list[Roll]) -> Iterator[DespatchSentence]:
        if self._state.phase is Phase.MARCH:
            yield from self._changed_sieges()
        if isinstance(event, e.CampaignEnded):
            draft = self._draft(Topic.VICTORY, rolls).about(side=event.result.winner)
            draft.weigh(HEADLINE).tell_players(describe_result(event.result, event.score))
            reason = f"{event.result.reason.rstrip('.')}."
            yield draft.print(describe_ending(event.result, event.score), reason).finished()

    def _draft(self, topic: Topic, rolls: Iterable[Roll] = ()) -> SentenceDraft:
        return SentenceDraft(topic, moment(self._state), self._today).citing(rolls)

    def _changed_sieges(self) -> Iterator[DespatchSentence]:
        before, self._sieges = self._sieges, sieges(self._state)
        for hex_id, side in self._sieges.items():
            if before.get(hex_id) is not side and self._matters(hex_id, side):
                yield self._siege(hex_id, side, _SHUT_IN)
        for hex_id, side in before.items():
            over = hex_id not in self._sieges and board(self._state).land(side, hex_id)
            if over and self._matters(hex_id, side):
                yield self._siege(hex_id, side, _RELIEVED)

    def _matters(self, hex_id: HexId, side: Side) -> bool:
        """Return whether a siege is reported: of a town, or of any Egyptian garrison."""
        return side is Side.EGYPTIAN or board(self._state).in_town(hex_id, PlaceClass.TOWN)

    def _siege(self, hex_id: HexId, side: Side, lines: Sequence[str]) -> DespatchSentence:
        draft = self._draft(Topic.SIEGE).about(hex_id=hex_id, side=side)
        town = board(self._state).in_town(hex_id, PlaceClass.TOWN)
        draft.weigh(NEWS if town else ROUTINE)
        is_singular = side.enemy is Side.EGYPTIAN
        text = pick_phrase(lines, hex_id, self._state.month).format(
            besiegers=capitalise(side_name(side.enemy)),
            stand="stands" if is_singular else "stand",
            close="closes" if is_singular else "close",
            have="has" if is_singular else "have",
            place=name_place(hex_id) if town else describe_hex(hex_id),
            garrison=self._garrison(hex_id, side),
        )
        return draft.say(text).finished()

    def _garrison(self, hex_id: HexId, side: Side) -> str:
        """Return the besieged force; besiegers in disorder do not see who is within."""
        for knowledge in self._audience:
            if side is not knowledge.side and hex_id not in watch(self._state, knowledge.side).near:
                return "a force that nobody has counted"
        return describe_force(board(self._state).land(side, hex_id))
