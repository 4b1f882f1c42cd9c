"""The three newspapers: their titles, sections and turns of phrase."""

import msgspec

from battles.contract.brief import Side
from campaign.rules.prose.names import side_name
from campaign.rules.prose.phase_report import Topic
from campaign.rules.sight import Onlooker, Viewer

Section = tuple[str, tuple[Topic, ...]]


class Newspaper(msgspec.Struct, frozen=True):
    """A newspaper: its title and motto, its sections, and its turns of phrase.

    `side` is the one it speaks for, None for neither. `troops` is its name for each side's men (all
    in the plural), `sides` its replacements for the despatches' names of the sides.
    """

    whose: Viewer
    side: Side | None
    title: str
    motto: str
    place: str
    troops: dict[Side, str]
    sides: tuple[tuple[str, str], ...]
    own: tuple[tuple[str, str], ...]
    """Replacements in despatches about its own side."""

    sections: tuple[Section, ...]
    quiet: tuple[str, ...]
    """Phrases for a month without a battle or a siege."""
    small: tuple[str, ...]
    """Phrases for a month of one bloodless fight."""

    busy: tuple[str, ...]
    mourning: tuple[str, ...]
    """Phrases before the return of losses if its own side has lost men; for neither side, both."""

    unhurt: tuple[str, ...]
    """Phrases before the return of losses if only the others have lost men."""

    close: tuple[str, ...]


_FIRST_PERSON = (
    ("go over to them", "come over to us"),
    ("goes over to them", "comes over to us"),
    ("serve them now", "serve us now"),
    ("serves them now", "serves us now"),
)

EGYPTIAN = Newspaper(
    whose=Side.EGYPTIAN,
    side=Side.EGYPTIAN,
    title="The Soudan Gazette",
    motto="Published by authority, for the officers of the Government’s service",
    place="Cairo, at the Government press",
    troops={Side.EGYPTIAN: "our troops", Side.MAHDIST: "the Mahdists"},
    sides=((side_name(Side.EGYPTIAN), "the Government"), ("is Egyptian now", "is ours now")),
    own=_FIRST_PERSON,
    sections=(
        ("Telegrams from the front", (Topic.COMBAT, Topic.VICTORY)),
        ("The beleaguered towns", (Topic.SIEGE,)),
        ("Movements of troops", (Topic.ARRIVAL, Topic.MARCH)),
        ("The river and the line", (Topic.RIVER, Topic.RAIL)),
        ("Supply and sickness", (Topic.ATTRITION, Topic.RECOVERY)),
        ("Intelligence", (Topic.SIGHTING,)),
        ("Notices", (Topic.EVENT, Topic.NOTE)),
    ),
    quiet=(
        "The month has passed without an engagement of which we can tell.",
        "We have no action to report this month.",
        "No shot has been fired that need detain our readers.",
    ),
    small=(
        "One affair of outposts apart, the month has been quiet.",
        "There has been little fighting this month.",
    ),
    busy=(
        "The wires have been busy this month.",
        "It has been a month of hard service.",
        "There is much to tell of the month that has ended.",
    ),
    mourning=(
        "We print the return of losses with a heavy heart.",
        "The return of losses is below; many a house will read it in sorrow.",
    ),
    unhurt=(
        "The return of losses is below; no unit of our own stands in it.",
        "We are glad to print a return of losses in which no unit of ours is named.",
    ),
    close=(
        "Officers will communicate this number to their commands.",
        "Correspondence for the front leaves with the next mail.",
    ),
)

MAHDIST = Newspaper(
    whose=Side.MAHDIST,
    side=Side.MAHDIST,
    title="The Camp Letters",
    motto="Copied by the scribes and read aloud before the banners",
    place="From the camp",
    troops={Side.EGYPTIAN: "the Government’s troops", Side.MAHDIST: "our men"},
    sides=(
        (side_name(Side.EGYPTIAN), "the Government"),
        (side_name(Side.MAHDIST), "the Ansar"),
        ("is Mahdist now", "is ours now"),
    ),
    own=_FIRST_PERSON,
    sections=(
        ("Of the fighting", (Topic.COMBAT, Topic.VICTORY)),
        ("Of the towns that are shut in", (Topic.SIEGE,)),
        ("Of those who have come to the banners", (Topic.ARRIVAL,)),
        ("Of the marches", (Topic.MARCH,)),
        ("Of the river and the iron road", (Topic.RIVER, Topic.RAIL)),
        ("Of bread and water", (Topic.ATTRITION, Topic.RECOVERY)),
        ("What the scouts say", (Topic.SIGHTING,)),
        ("Other tidings", (Topic.EVENT, Topic.NOTE)),
    ),
    quiet=(
        "This month the swords have stayed in their scabbards.",
        "There has been no meeting of the lines this month.",
        "The month has gone by in marching and waiting.",
    ),
    small=(
        "The lines have met once this month, and no more.",
        "There has been little fighting since the last moon.",
    ),
    busy=(
        "Let it be read before the banners what this month has brought.",
        "There is news of this month, and every emir shall have it.",
        "Hear what has come to pass since the last moon.",
    ),
    mourning=(
        "These are the losses. May mercy be on the dead.",
        "The scribes have counted the fallen; let prayers be said for them.",
    ),
    unhurt=(
        "The scribes have counted, and of our own none is missing.",
        "Our ranks are full; these are the losses of the others.",
    ),
    close=(
        "Let this letter be copied and sent on by the next rider.",
        "Whoever can read shall read this to those who cannot.",
    ),
)

PUBLIC = Newspaper(
    whose=Onlooker.PUBLIC,
    side=None,
    title="The Overland Mail",
    motto="Telegrams, letters and rumours from Egypt and the Soudan",
    place="London",
    troops={Side.EGYPTIAN: "the Khedive’s troops", Side.MAHDIST: "the Mahdists"},
    sides=(),
    own=(),
    sections=(
        ("The war in the Soudan", (Topic.COMBAT, Topic.VICTORY)),
        ("The sieges", (Topic.SIEGE,)),
        ("From our correspondents", (Topic.ARRIVAL, Topic.MARCH)),
        ("The Nile and the railway", (Topic.RIVER, Topic.RAIL)),
        ("Hardships of the campaign", (Topic.ATTRITION, Topic.RECOVERY)),
        ("Other intelligence", (Topic.EVENT, Topic.NOTE)),
    ),
    quiet=(
        "The mail brings no word of fighting.",
        "From the Soudan there is little this time, and that little is old.",
        "Our letters speak of heat, of dust and of waiting.",
    ),
    small=(
        "The mail tells of one skirmish, and of little else.",
        "Of fighting there is little to tell.",
    ),
    busy=(
        "The mail that has reached us brings grave news from the Soudan.",
        "Letters from the Nile, long delayed, tell of a hard month.",
        "We are now able to lay before our readers what the month has seen.",
    ),
    mourning=(
        "Both sides have their dead to mourn.",
        "Mercy has had little part in this month: both sides have lost men.",
    ),
    unhurt=("The losses, as far as they are known, are given below.",),
    close=(
        "Further particulars are expected by the next mail.",
        "We reserve our comment until the official despatches are to hand.",
    ),
)

NEWSPAPERS: dict[Viewer, Newspaper] = {paper.whose: paper for paper in (EGYPTIAN, MAHDIST, PUBLIC)}
