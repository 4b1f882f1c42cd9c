"""The scalar types of documents (words, hexes, months, times), with their descriptions."""

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from accounts.models import Scope
from api.http import rule_json
from api.http.rule_json import identifier, snake_case
from battles.access import BattleViewer
from battles.contract import Fate
from battles.contract.book import books
from battles.contract.brief import Nation, Quality, Side, TroopKind
from battles.core.tables import Provenance
from battles.models import Battle
from battles.tabletop.field import TableTerrain
from battles.turn_form import QuestionKind as Sort
from campaign.models import Bench, Campaign, Job, Receipt, Seat
from campaign.orders.findings import Severity, SheetSection
from campaign.orders.order_sheet import OrderOutcome
from campaign.rules.core.state import COMBAT_TABLE, TABLETOP, Phase
from campaign.rules.map.grid import GroundClass, Nav, PlaceClass, Relief
from campaign.rules.prose.phase_report import Topic
from campaign.rules.sight.knowledge import StackSize
from campaign.services.attendance import OrderStatus
from campaign.services.turns.live import ANSWERS
from campaign.services.turns.timetable import Stage
from campaign.staff.levels import Level


def _one_of(words: Iterable[str], description: str) -> Meta:
    """Return the schema of an identifier from a list, with the meaning of the words."""
    return Meta(extra_json_schema={"enum": [*map(identifier, words)], "description": description})


def _like(pattern: str, description: str) -> Meta:
    """Return the schema of a word with a pattern, with its meaning."""
    return Meta(extra_json_schema={"pattern": pattern, "description": description})


Moment = Annotated[datetime, Meta(tz=True)]
"""A point in time: RFC 3339, in UTC."""

HexName = rule_json.HexName
MonthName = rule_json.MonthName
MonthOrSetUp = Annotated[
    str,
    _like(
        "^([0-9]{4}-[0-9]{2}|set-up)$",
        "a month, such as 1884-03, or set-up: the time before the first",
    ),
]
UNIT_KEY = "^(0|[1-9][0-9]{0,5})$"
UnitKey = Annotated[
    str,
    Meta(
        pattern=UNIT_KEY,
        description="the id of a unit, in digits",
        extra={"in_words": "the id of a unit, in digits"},
    ),
]
"""A unit as the key of a JSON object; keys are strings."""

Cursor = Annotated[
    str, _like("^[0-9]+\\.[0-9]+$", "an entry of the journal, by branch and number, such as 0.42")
]

SideName = Annotated[str, _one_of(Side, "a side")]
RoleName = Annotated[
    str, _one_of(Seat.Role.values, "the role of a seat: umpire, commander of a side, observer")
]
ScopeName = Annotated[str, _one_of(Scope.values, "a scope of a token")]
PerspectiveName = Annotated[
    str, _one_of(BattleViewer, "the viewer: a side, the public, or an umpire, who sees everything")
]
PhaseName = Annotated[
    str,
    _one_of(
        Phase,
        "a phase of a player turn (5.2, 5.3), in the order of play; set_up comes before the first "
        "month, over is the end",
    ),
]
STATUSES = ("set_up", "running", "over")
CampaignStatus = Annotated[
    str, _one_of(STATUSES, "whether the campaign is being set up, is running or is over")
]
DRAW = "draw"
OutcomeSide = Annotated[str, _one_of((*Side, DRAW), "the side that has won, or draw")]
StaffLevelName = Annotated[
    str, _one_of([level.value for level in Level], "the strength of the computer's staff")
]
ModeName = Annotated[
    str,
    _one_of(
        Campaign.Mode.values,
        "the mode of play; staff: the computer plays both sides; orders: by order sheets; live: "
        "each side answers in its own turn",
    ),
]
LetterPostName = Annotated[
    str,
    _one_of(
        Campaign.LetterPost.values,
        "how letters travel; by_courier: they arrive with the next month, through the umpire",
    ),
]
StatusName = Annotated[
    str,
    _one_of(
        Bench.Status.values,
        "pending: it waits for a worker; running; succeeded; failed: see `message`",
    ),
]
JobKindName = Annotated[
    str,
    _one_of(
        Job.Kind.values,
        "advance: it plays months; phase: one phase of a month; battle: a battle that stopped one",
    ),
]

KindName = Annotated[str, _one_of(TroopKind, "the kind of a counter")]
NationName = Annotated[str, _one_of(Nation, "the nation of a counter")]
QualityName = Annotated[
    str, _one_of(filter(None, Quality), "V veteran, L line, R rabble, F fanatic; null for none")
]
SizeName = Annotated[
    str,
    _one_of(
        StackSize,
        "; ".join(f"{identifier(size)}: {size.words}" for size in StackSize)
        + ", leaders not counted",
    ),
]

GroundName = Annotated[
    str, _one_of(GroundClass, "the fertility of the land (8.21); nothing enters the sea")
]
ReliefName = Annotated[str, _one_of(Relief, "the steepness of the land (8.21)")]
NavName = Annotated[
    str, _one_of(Nav, "the class of a river (8.23); seasonal: navigable from November to February")
]
PlaceClassName = Annotated[str, _one_of(PlaceClass, "the kind of a place")]

VerdictName = Annotated[
    str,
    _one_of(
        Severity,
        "impossible: it will not be carried out; pointless: it will have no effect; "
        "uncertain: it may fail; note: worth knowing, not a fault",
    ),
]
PartName = Annotated[
    str,
    _one_of(
        SheetSection, "the part of the sheet: an order, one for reinforcements, or the whole sheet"
    ),
]
OutcomeName = Annotated[
    str, _one_of(OrderOutcome, "whether it was carried out: done, partly, or not at all")
]
ReceiptKind = Annotated[str, _one_of(Receipt.Kind.values, "the occasion of the receipt")]
OrderStatusName = Annotated[
    str, _one_of(OrderStatus, "the status of a seat's orders; the_staff: the computer writes them")
]
StageName = Annotated[
    str,
    _one_of(
        [stage.value for stage in Stage],
        "open; near: the reminder is due; grace: past due, in the grace period; over; paused",
    ),
]
TopicName = Annotated[str, _one_of(Topic, "the subject of the sentence")]
ProvenanceName = Annotated[
    str,
    _one_of(
        Provenance,
        "book, tables_sheet: printed there; ruling: decided by us; reconstructed: worked out "
        "by us; umpire: changed by an umpire",
    ),
]

Perspective = Annotated[
    str,
    _one_of(
        [*Side, "public", "umpire"],
        "the viewer: a side, the public, or the umpire, who sees everything",
    ),
]
FateName = Annotated[
    str,
    _one_of(Fate, "good_order, disrupted, eliminated; captured: eliminated, its arms taken (9.9)"),
]
TerrainName = Annotated[str, _one_of(TableTerrain, "the terrain of a feature of an open table")]
FoughtBy = Annotated[
    str,
    _one_of(
        Battle.Way.values,
        "who fights it: the commanders of a book; people at a real table, who report it; "
        "players, action by action",
    ),
]
AnswerType = Annotated[
    str, _one_of((snake_case(kind.__name__) for kind in ANSWERS), "a kind of answer, by its `type`")
]
ChoiceSort = Annotated[
    str,
    _one_of(
        (sort for sort in Sort if sort not in (Sort.ALL, Sort.AT_ONCE)),  # plans of the page
        "the kind of action",
    ),
]

if TYPE_CHECKING:
    Resolution = str
    ResolutionAtOnce = str
    InstalledBook = str
else:
    Resolution = Annotated[
        Literal[(COMBAT_TABLE, *books(), TABLETOP)],
        Meta(
            description="How a battle of a campaign is fought: by the campaign's own combat table, "
            "by the commanders of a book, or by people at a real table (or here), who report it."
        ),
    ]
    ResolutionAtOnce = Annotated[
        Literal[(COMBAT_TABLE, *books())],
        Meta(description="How a battle is fought at once: by the combat table, or by a book."),
    ]
    InstalledBook = Annotated[Literal[books()], Meta(description="A battle book, by its slug.")]

BattleStatus = Literal["waiting", "fighting", "reported"]
