"""What scouts and townsfolk report of the enemy: stacks of which no more than the size is known."""

from collections.abc import Iterator

from campaign.rules.english.names import about, side_adjective
from campaign.rules.english.sentence import NEWS, ROUTINE, Draft, Sentence, Topic, moment
from campaign.rules.english.stacks import force_in_words
from campaign.rules.english.words import capital, pick
from campaign.rules.map import HexId
from campaign.rules.pieces import Month, month_name
from campaign.rules.sight import Knowledge, Sighting, Size
from campaign.rules.state import State

_SEEN = (
    "Scouts report {size} of the enemy{place}.",
    "The enemy is seen{place}: {size}.",
    "Word comes in of {size} of the enemy{place}.",
)
_COUNTED = (
    "The enemy can be counted{place}: {size}.",
    "The enemy stands close by{place}: {size}.",
)

_PASSING = (
    "Scouts have seen {size} of the enemy pass{place}.",
    "The enemy has passed{place}: {size}.",
)


class Sightings:
    """Hears of the enemy what one side sees, and tells at the end of a phase what is new."""

    def __init__(self, known: Knowledge) -> None:
        self._known = known
        self._told = self._seen()

    def tell(self, state: State) -> Iterator[Sentence]:
        """The stacks that were not there, or not of that size, when it was last told."""
        before, self._told = self._told, self._seen()
        for place, size in sorted(self._told.items()):
            if before.get(place) is not size:
                hex_id, passing = place
                seen = self._known.passed if passing else self._known.sightings
                yield self._sentence(state, seen[hex_id])

    def _seen(self) -> dict[tuple[HexId, bool], Size]:
        there = (*self._known.sightings.values(), *self._known.passed.values())
        return {(seen.hex, seen.passing): seen.size for seen in there}

    def _sentence(self, state: State, seen: Sighting) -> Sentence:
        large = seen.size in (Size.FORCE, Size.HOST)
        draft = Draft(Topic.SIGHTING, moment(state)).about(hex_id=seen.hex, side=seen.side)
        draft.weigh(NEWS if large else ROUTINE)
        line = pick(_lines(seen), seen.hex, seen.month)
        size = force_in_words(seen.units) if seen.units else f"{seen.size} ({seen.size.words})"
        place = "" if large else f" {about(seen.hex)}"
        return draft.say(line.format(size=size, place=place)).finished()


def _lines(seen: Sighting) -> tuple[str, ...]:
    if seen.passing:
        return _PASSING
    return _COUNTED if seen.units else _SEEN


def marker_in_words(seen: Sighting, now: Month) -> str:
    """A stack that is known by its size: `a body (4 to 9 units) of Mahdist troops near Shendy`.

    One that was seen in an earlier month says when.
    """
    words = f"{seen.size} ({seen.size.words}) of {side_adjective(seen.side)} troops"
    when = "" if seen.month == now else f", last seen in {month_name(seen.month)}"
    when = f", seen passing in {month_name(seen.month)}" if seen.passing else when
    return f"{capital(words)} {about(seen.hex)}{when}"
