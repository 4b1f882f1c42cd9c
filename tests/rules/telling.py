"""The despatches about real and invented events, for their tests."""

from collections.abc import Iterable, Sequence

from battles.contract.brief import Side
from battles.core.decoding import decode, encode
from battles.core.dice import Roll
from battles.core.game import Outcome
from campaign.rules.core import events as e
from campaign.rules.core.state import Phase, State
from campaign.rules.prose.despatches import chronicle, sentences
from campaign.rules.prose.phase_report import DespatchSentence

Told = list[DespatchSentence]


def copy(state: State) -> State:
    return decode(encode(state), State)


def told(before: State, *outcomes: Outcome) -> Told:
    return list(chronicle(before, [(one.events, one.rolls) for one in outcomes]))


def tell(state: State, *events: e.AnyEvent, rolls: Sequence[Roll] = ()) -> Told:
    """Return the despatch about these invented events."""
    return list(sentences(copy(state), events, rolls))


def only(found: Iterable[DespatchSentence]) -> DespatchSentence:
    (sentence,) = found
    return sentence


def phase(state: State, side: Side, new: Phase) -> e.PhaseBegan:
    return e.PhaseBegan(side, new)
