"""The server's answers as structs, named as in the schema; unknown fields are ignored.

A hex is named as printed, "1734", except where a docstring says that it is a number. A month is
written "1884-03".
"""

from datetime import datetime
from typing import Any

import msgspec


class MonthPart(msgspec.Struct, frozen=True):
    """A month, in the form of addresses and in words."""

    month: str
    name: str


class SpotPart(msgspec.Struct, frozen=True):
    """A hex, its place if there is one, and its location in words."""

    hex: str
    place: str | None
    where: str


class NewToken(msgspec.Struct, frozen=True):
    """A new token; its secret is shown only once."""

    token: str
    user: str
    name: str
    scopes: list[str]
    campaign: str | None
    expires_at: datetime | None


class TokenLine(msgspec.Struct, frozen=True):
    """A token of yours, without its secret."""

    id: int
    name: str
    scopes: list[str]
    campaign: str | None
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None


class ScenarioDocument(msgspec.Struct, frozen=True):
    """A scenario that can be played."""

    slug: str
    title: str
    clause: str
    description: str
    first: MonthPart
    last: MonthPart


class HexPart(msgspec.Struct, frozen=True):
    """A hex of the map; `at` is the longitude and latitude of its centre."""

    hex: str
    q: int
    r: int
    at: tuple[float, float]
    ground: str
    relief: str
    coast: bool
    closed: bool
    places: list[str]
    regions: list[str]


class PlacePart(msgspec.Struct, frozen=True):
    """A named place of the map."""

    name: str
    kind: str
    hex: str
    at: tuple[float, float]
    river: str | None
    port: bool


class MapDocument(msgspec.Struct, frozen=True):
    """A map: its hexes and places as structs; rivers, tracks and roads as plain dictionaries."""

    name: str
    digest: str
    hexes: list[HexPart]
    places: list[PlacePart]
    rivers: list[dict[str, Any]]
    tracks: list[dict[str, Any]]
    roads: list[dict[str, Any]]


class AccountDocument(msgspec.Struct, frozen=True):
    """Your account; `tokens` is the number of your tokens."""

    username: str
    email: str
    tokens: int


class TableLine(msgspec.Struct, frozen=True):
    """A table in a list; `provenance` is its source."""

    id: str
    title: str
    clause: str
    provenance: str


class TableDocument(msgspec.Struct, frozen=True):
    """A table: as it is printed, as the values behind it (`data`), and as its file."""

    id: str
    title: str
    clause: str
    provenance: str
    note: str
    columns: list[str]
    rows: list[list[str]]
    data: list[dict[str, Any]]
    toml: str


class CampaignLine(msgspec.Struct, frozen=True):
    """A campaign in a list."""

    slug: str
    title: str
    scenario: str
    public: bool
    umpire: str | None
    created: datetime
    month: MonthPart
    side: str
    phase: str
    waiting_for: str | None
    finished: bool
    outcome: str | None
    roles: list[str]
    links: dict[str, str]


class CampaignDocument(CampaignLine, frozen=True):
    """A campaign with what you may do in it; `job` is the address of the running one."""

    first: MonthPart = msgspec.field(name="first_month")
    may_advance: bool
    mode: str
    fog: bool
    adjourned: bool
    dice_by_hand: bool
    when_ready: bool
    job: str | None


class MonthDocument(msgspec.Struct, frozen=True):
    """A month of a campaign; the one before the first is "set-up"."""

    month: str
    name: str
    entries: int | None
    current: bool


class UnitPart(msgspec.Struct, frozen=True):
    """A counter; `hex` is None while it is off the map."""

    id: int
    kind: str
    nation: str
    side: str
    quality: str
    strength: int
    disrupted: bool
    hex: str | None
    place: str | None
    name: str
    words: str


class StackPart(msgspec.Struct, frozen=True):
    """All units of a side in a hex; `strength` is their sum."""

    at: SpotPart
    side: str
    units: list[int]
    strength: int
    disrupted: int
    words: str


class SightingPart(msgspec.Struct, frozen=True):
    """An enemy stack of which only the size is known, as seen in `month`."""

    at: SpotPart
    side: str
    size: str
    month: str
    now: bool
    words: str


class ControlPart(msgspec.Struct, frozen=True):
    """A place and the side that was the last to occupy it (3.2)."""

    at: SpotPart
    side: str


class RailheadPart(msgspec.Struct, frozen=True):
    """The built part of a railway line: `built` hexes of `length`, the last of them `at`."""

    line: str
    words: str
    hexes: list[str]
    built: int
    length: int
    at: SpotPart


class SiegePart(msgspec.Struct, frozen=True):
    """A place with troops in it and the enemy next to it (9.12); `side` is besieged."""

    at: SpotPart
    side: str


class DuePart(msgspec.Struct, frozen=True):
    """Units that are still to arrive: their month, and the hexes they may enter."""

    month: str
    side: str
    reason: str
    at: list[SpotPart]
    units: list[str]
    words: str


class ResultPart(msgspec.Struct, frozen=True):
    """The end of the campaign; `winner` is None for a draw."""

    winner: str | None
    reason: str
    clause: str


class StateDocument(msgspec.Struct, frozen=True):
    """The position as far as you may know it; `fogged` if the fog of war hides something."""

    campaign: str
    scenario: str
    month: str
    month_name: str
    current: bool
    cursor: str | None
    side: str
    phase: str
    result: ResultPart | None
    situation: list[str]
    units: list[UnitPart]
    stacks: list[StackPart]
    control: list[ControlPart]
    railheads: list[RailheadPart]
    sieges: list[SiegePart]
    due: list[DuePart]
    fogged: bool
    sightings: list[SightingPart]
    links: dict[str, str]


class RollPart(msgspec.Struct, frozen=True):
    """A roll: the dice as they fell, and the result of the table."""

    reason: str
    clause: str
    table: str
    side: str
    sides: int
    dice: list[int]
    total: int
    result: str
    words: str


class EventPart(msgspec.Struct, frozen=True):
    """An event as the journal stores it: `event["is"]` names its kind, hexes are numbers."""

    cursor: str
    month: str
    side: str
    actor: str
    event: dict[str, Any]
    rolls: list[RollPart]


class SentencePart(msgspec.Struct, frozen=True):
    """A sentence; `weight` 3 is a headline, 1 routine; `side` is its subject."""

    text: str
    kind: str
    side: str | None
    hex: str | None
    where: str | None
    weight: int
    rolls: list[RollPart]


class DespatchPart(msgspec.Struct, frozen=True):
    """The events of one phase of one side's turn, in sentences."""

    month: str
    month_name: str
    side: str
    phase: str
    sentences: list[SentencePart]


class EventsDocument(msgspec.Struct, frozen=True):
    """Events in order, and the despatches of the phases that ended with them."""

    campaign: str
    results: list[EventPart]
    despatches: list[DespatchPart]
    cursor: str
    next: str


class DespatchesDocument(msgspec.Struct, frozen=True):
    """A month's despatches, phase by phase."""

    campaign: str
    month: str
    month_name: str
    results: list[DespatchPart]


class ProgressPart(msgspec.Struct, frozen=True):
    """The phases done, and their total."""

    done: int
    of: int


class JobDocument(msgspec.Struct, frozen=True):
    """A job for a worker. `status`: asked, running, done or failed."""

    id: str
    kind: str
    campaign: str
    status: str
    months: int
    until: MonthPart
    progress: ProgressPart
    message: str
    created: datetime
    started: datetime | None
    finished: datetime | None
    links: dict[str, str]


class SeatPart(msgspec.Struct, frozen=True):
    """A seat: its holder (None: nobody), and its command."""

    number: int
    role: str
    office: str
    holder: str | None
    staff: bool
    vacated: datetime | None
    command: list[int | str] | None
    commands: str
    yours: bool


class NewInvitation(msgspec.Struct, frozen=True):
    """A new invitation; `secret` and `page` are shown only once."""

    number: int
    secret: str
    page: str
    expires: datetime


class InvitationPart(msgspec.Struct, frozen=True):
    """An open invitation, without its link."""

    number: int
    role: str
    office: str
    command: list[int | str]
    commands: str
    email: str
    expires: datetime


class RulesDocument(msgspec.Struct, frozen=True):
    """The rules version of a campaign, and that of the server (`program`).

    `differs` names the first of its entries that comes out differently there.
    """

    campaign: str
    version: str
    program: str
    kept: bool
    pinned: bool
    entries: int
    differs: str | None
    damaged: str | None
    ways: list[str]


class OfferDocument(msgspec.Struct, frozen=True):
    """The seat that an invitation offers."""

    campaign: str
    title: str
    role: str
    office: str
    command: list[int | str]
    commands: str
    expires: datetime


class FindingPart(msgspec.Struct, frozen=True):
    """A finding about a part of a sheet: its order `number`, counted from 0."""

    part: str
    number: int
    verdict: str
    said: str
    clause: str
    remedy: str
    hex: str | None


class CheckedSheet(msgspec.Struct, frozen=True):
    """A sheet read back in sentences, and its faults by what the side knows."""

    orders: list[str]
    reinforcements: list[str]
    standing: list[str]
    findings: list[FindingPart]


class ReceiptDocument(msgspec.Struct, frozen=True):
    """A sheet as received and as read; once carried out, the outcome of each order."""

    number: int
    kind: str
    month: str
    revision: int
    hash: str
    created: datetime
    reading: list[str]
    carried: list[Any]


class OddsPart(msgspec.Struct, frozen=True):
    """The chances of one, two and three marches in a row; `whole`: nobody falls out."""

    column: str
    marches: tuple[float, float, float]
    whole: float


class ReachedPart(msgspec.Struct, frozen=True):
    """A hex within reach: in which march, at what cost in points, and from where.

    `thirst` is the mean share of the stack lost to attrition there.
    """

    hex: str
    march: int
    points: int
    before: str
    thirst: float


class ProspectsDocument(msgspec.Struct, frozen=True):
    """The hexes that three marches may reach, with chances, and those by rail and boat."""

    start: str
    points: int
    odds: OddsPart | None
    reached: list[ReachedPart]
    rail: list[str]
    river: dict[str, list[str]]
    sea: list[str]


class ReachPart(msgspec.Struct, frozen=True):
    """A hex within reach of the marching stack, its cost and the path; hexes are numbers."""

    hex: int
    place: str
    points: int
    path: list[int]


class StackChoice(msgspec.Struct, frozen=True):
    """A stack that may march: its units, the leaders who may help, the hulls that may sail."""

    hex: int
    units: list[int]
    leaders: list[int]
    hulls: list[int]


class ArrivalChoice(msgspec.Struct, frozen=True):
    """A group to be placed: its number, its units, and the hexes it may enter."""

    group: int
    units: list[int]
    hexes: list[int]


class ChoicesPart(msgspec.Struct, frozen=True):
    """The legal answers to the question; hexes are numbers here."""

    asks: str
    answers: list[str]
    done: bool
    may_march: bool
    count: int
    stacks: list[StackChoice]
    arrivals: list[ArrivalChoice]
    deployments: dict[str, list[int]]
    units: list[int]
    leaders: list[int]
    targets: list[int]
    stations: list[int]
    hexes: list[int]
    back_along: list[int]
    eliminated: list[int]
    disrupted: list[int]
    sources: list[int]
    withdraw: list[int]
    riders: list[list[int]]
    reach: list[ReachPart]
    labels: dict[str, str]


class DecisionDocument(msgspec.Struct, frozen=True):
    """The open question; if it is `yours` to answer, `choices` are the legal answers.

    `waits_for_dice`: an answer has been given, and the umpire has yet to type in its dice.
    """

    campaign: str
    mode: str
    month: str
    phase: str
    side: str
    head: int
    waiting_for: str | None
    yours: bool
    staff: bool
    waits_for_dice: bool
    question: dict[str, Any] | None
    choices: ChoicesPart | None


class AnsweredDocument(msgspec.Struct, frozen=True):
    """An accepted answer and its dice; `waits_for_dice`: the umpire types them in."""

    head: int
    cursor: str | None
    waits_for_dice: bool
    said: str
    rolls: list[RollPart]


class PaperLine(msgspec.Struct, frozen=True):
    """An issue of a newspaper that you may read."""

    month: str
    month_name: str
    whose: str
    title: str


class BattleLine(msgspec.Struct, frozen=True):
    """A battle in a list; `reported` is None while it waits."""

    uuid: str
    title: str
    month: str
    book: str
    way: str
    winner: str | None
    ending: str
    turns: int
    created: datetime
    reported: datetime | None
