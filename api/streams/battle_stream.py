"""The streams of battles that players fight, filtered for each follower.

Every log entry that the follower may read is a message; the battle's status follows when there is
nothing more to send.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from uuid import UUID

import msgspec

from api.documents.battles import status_of
from api.documents.fights import entry_part
from api.documents.scalars import BattleStatus, Cursor, SideName
from api.http.encoding import encode
from api.streams.followers import (
    Follower,
    Head,
    MessageBatch,
    News,
    as_place,
    message,
    news_of,
    person,
    rewound,
)
from battles import access, serialization
from battles.models import Battle, Command
from battles.web.fight_page import FightPage

_TOLD = "head_id", "document_hash", "branch", "paused", "public", "reported"


class FightStatusDocument(msgspec.Struct, frozen=True):
    """The status of a battle that players fight; `cursor` is its place in the journal.

    `version` changes whenever there is anything new to see: also when a battle is paused, a side
    changes hands or a player is late, which leave the cursor as it is.
    """

    uuid: UUID
    version: str
    cursor: Cursor
    turn: int
    awaited_side: SideName | None
    paused_by: str | None
    status: BattleStatus


class BattleFeed:
    """All battles that players fight or have fought, by primary key."""

    def heads(self, numbers: Collection[int]) -> Mapping[int, Head]:
        led: dict[int, list[Head]] = defaultdict(list)
        commands = Command.objects.filter(battle__in=numbers).order_by("pk")
        for battle, *command in commands.values_list("battle", "side", "user", "computer"):
            led[battle].append(tuple(command))
        rows = Battle.objects.filter(pk__in=numbers).values_list("pk", *_TOLD)
        return {row[0]: (*row[1:], *led[row[0]]) for row in rows}

    def readers(self, numbers: Collection[int]) -> Mapping[int, "BattleReader"]:
        battles = Battle.objects.in_bulk(list(numbers))
        return {number: BattleReader(battle) for number, battle in battles.items()}


class BattleReader:
    """A battle at one moment, as it is read to its followers."""

    def __init__(self, battle: Battle) -> None:
        self._battle = battle
        self._pages: dict[int | None, FightPage | None] = {}

    def news(self, follower: Follower) -> News | None:
        """Return the follower's news; None if they may not see the battle."""
        page = self._page(follower.who.user)
        if page is None:
            return None
        batch = messages_since(page, follower.place)
        return news_of(follower, batch, lambda: (status_message(page),))

    def _page(self, number: int | None) -> FightPage | None:
        if number not in self._pages:
            self._pages[number] = self._made_for(number)
        return self._pages[number]

    def _made_for(self, number: int | None) -> FightPage | None:
        user = person(number)
        if not access.may_see(self._battle, user):
            return None
        try:
            return FightPage(self._battle, user, {})
        except access.BattleNotVisible:
            return None


def messages_since(page: FightPage, place: str) -> MessageBatch:
    """Return the messages since the place, as far as the viewer may know of them.

    After a rewind the first message is `rewound`; its id is the place to go on from.
    """
    battle, (branch, number) = page.battle, place_of(place)
    shared = serialization.last_shared_number(battle, branch, number)
    if shared < number:
        return rewound(f"{battle.branch}.{shared}", "The umpire has gone back to there.")
    entries = [entry for entry in page.battle_log.since(number) if entry.number <= page.number]
    messages = (
        message(encode(entry_part(entry)), f"{battle.branch}.{entry.number}") for entry in entries
    )
    return MessageBatch(b"".join(messages), page.place, more=False)


def status_message(page: FightPage) -> bytes:
    """Return the message with the battle's status."""
    part = FightStatusDocument(
        uuid=page.battle.uuid,
        version=page.version,
        cursor=page.place,
        turn=page.state.turn,
        awaited_side=page.side,
        paused_by=page.battle.paused or None,
        status=status_of(page.battle),
    )
    return message(encode(part), page.place, kind="status")


def is_place(battle: Battle, place: str) -> bool:
    """Return whether it is a place in this battle's journal, on any branch."""
    parts = as_place(place) if place else (0, 0)
    return (
        parts is not None
        and len(parts) == 2
        and (not place or serialization.has_cursor(battle, *parts))
    )


def place_of(text: str) -> tuple[int, int]:
    """Return branch and number of a place; the beginning for ""."""
    branch, _, number = (text or "0.0").partition(".")
    return int(branch), int(number)


FIGHTS = BattleFeed()
