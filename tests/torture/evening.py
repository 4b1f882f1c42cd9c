"""An evening at the club: `python -m tests.torture.evening [--campaigns 200] [--minutes 10] ...`.

Three people to a campaign look at pages, write and submit orders, and umpires have months run, on a
site of two web processes and a worker beside PostgreSQL and Redis, all on this machine. Requests
come at their hours whether the last ones are answered or not, and a wait counts from its hour.
"""

import argparse
import json
import os
import random
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from tests.torture.club import Club, Hand, club_of_its_own, until

THREADS = 48
EXPECTED = {200, 302}


@dataclass
class Player:
    """Somebody in a seat, with the revision of his sheet as he knows it."""

    slug: str
    role: str
    about: dict[str, Any]
    revision: int = 0
    submitted: bool = False
    hash: str = ""
    busy: threading.Lock = field(default_factory=threading.Lock)

    @property
    def session(self) -> str:
        return str(self.about["sessions"][self.role])

    @property
    def seat(self) -> int:
        return int(self.about["seats"][self.role])


class Evening:
    """The club's evening: what is asked, what was answered, and what has to be there afterwards."""

    def __init__(self, club: Club, players: list[Player], chance: random.Random) -> None:
        self._club, self._players, self._chance = club, players, chance
        self.waits: dict[str, list[float]] = defaultdict(list)
        self.wrong: Counter[str] = Counter()
        self.skipped = 0

    def request(self, due: float) -> None:
        """Send one request of a player who is due."""
        player = self._chance.choice(self._players)
        kind, path, body = self._wish(player)
        if not player.busy.acquire(blocking=body is None):
            self.skipped += 1
            return
        try:
            self._carry_out(player, kind, path, body, due)
        finally:
            player.busy.release()

    def _carry_out(
        self, player: Player, kind: str, path: str, body: dict[str, Any] | None, due: float
    ) -> None:
        if body is None:
            answer = self._club.get(path, player.session)
        else:
            method = METHODS[kind]
            answer = self._club.change(method, path, body, player.session, player.revision)
        self.waits[kind].append(time.monotonic() - due)
        late = answer.status in (409, 412, 422) and body is not None
        if answer.status not in EXPECTED and not late:
            self.wrong[f"{kind}: {answer.status}"] += 1
        if answer.status == 200 and kind in ("save orders", "submit orders"):
            told = json.loads(answer.data)
            player.revision, player.hash = int(told["version"]), told["receipt"]["hash"]
            player.submitted = kind == "submit orders"

    def _wish(self, player: Player) -> tuple[str, str, dict[str, Any] | None]:
        """Return the player's next request: its name, its address, and its data, if any."""
        here, month = f"/campaigns/{player.slug}/", player.about["name"]
        kind = self._chance.choices(list(KINDS), list(KINDS.values()))[0]
        if kind in ORDERS and player.role == "umpire":
            kind = "campaign"
        if kind in ("save orders", "submit orders") and player.submitted:
            kind = "order sheet"
        desk, hex_id = f"{here}orders/{player.seat}/", self._chance.choice(player.about["hexes"])
        sheet = f"/api/v1{here}seats/{player.seat}/sheets/{month}/"
        addresses = {
            "register": "/",
            "campaign": here,
            "hex": f"{here}{month}/hex/{hex_id}/",
            "papers": f"{here}papers/",
            "receipts": f"{desk}receipts/",
            "order sheet": desk,
            "read orders": f"{sheet}check/",
            "save orders": sheet,
            "submit orders": sheet,
        }
        return kind, addresses[kind], self._sent(player, kind)

    def _sent(self, player: Player, kind: str) -> dict[str, Any] | None:
        if kind not in ("read orders", "save orders", "submit orders"):
            return None
        if kind == "submit orders":
            return {"submitted": True}
        orders = player.about["orders"][player.role]
        some = self._chance.sample(orders, min(len(orders), 4))
        return {"orders": some}


KINDS = {
    "register": 5, "campaign": 30, "hex": 20, "papers": 5, "receipts": 3, "order sheet": 12,
    "read orders": 10, "save orders": 12, "submit orders": 3,
}  # fmt: skip
"""What is asked for, and how often of a hundred times."""
METHODS = {"read orders": "POST", "save orders": "PUT", "submit orders": "PATCH"}
ORDERS = ("receipts", "order sheet", "read orders", "save orders", "submit orders")


def hold(wanted: argparse.Namespace, club: Club) -> list[str]:
    """Have the evening, and say what came of it; AssertionError where anything was lost."""
    chance, hand = random.Random(1885), Hand(club)
    abouts = {f"war-{n}": hand("populate", slug=f"war-{n}") for n in range(wanted.campaigns)}
    players = [
        Player(slug, role, about) for slug, about in abouts.items() for role in about["sessions"]
    ]
    club.web()
    club.worker()
    evening = Evening(club, players, chance)
    months = chance.sample(sorted(abouts), min(wanted.months, len(abouts)))
    began, load = time.monotonic(), os.getloadavg()[0]
    _let_them(evening, club, wanted, [(slug, abouts[slug]) for slug in months])
    seconds = time.monotonic() - began
    until(lambda: not hand("under_way"), "months are left that no worker takes up", 1800)
    took = time.monotonic() - began
    lost = list(_lost(hand, players, months))
    return [*_table(evening, seconds, load), f"{len(months)} months in {took:.0f} s", *lost]


def _let_them(
    evening: Evening, club: Club, wanted: argparse.Namespace, months: list[tuple[str, Any]]
) -> None:
    """Everything at its hour: requests at random, months evenly from the first tenth on."""
    span, began = wanted.minutes * 60.0, time.monotonic()
    chance = random.Random(wanted.rate)
    hours = sorted(chance.uniform(0, span) for _ in range(int(span * wanted.rate)))
    asked = [span * (0.1 + 0.8 * n / max(len(months), 1)) for n in range(len(months))]
    with ThreadPoolExecutor(THREADS) as threads:
        for due, month in _in_order(hours, list(zip(asked, months, strict=True))):
            time.sleep(max(0.0, began + due - time.monotonic()))
            if month is None:
                threads.submit(evening.request, began + due)
            else:
                threads.submit(_advance, evening, club, month, began + due)


def _in_order(
    hours: list[float], months: list[tuple[float, Any]]
) -> Iterator[tuple[float, Any | None]]:
    yield from sorted([(hour, None) for hour in hours] + months, key=lambda one: one[0])


def _advance(evening: Evening, club: Club, month: tuple[str, Any], due: float) -> None:
    slug, about = month
    sent = {"months": "1", "month": str(about["month"])}
    answer = club.post(f"/campaigns/{slug}/advance/", sent, about["sessions"]["umpire"])
    evening.waits["ask for a month"].append(time.monotonic() - due)
    if answer.status != 302:
        evening.wrong[f"ask for a month: {answer.status}"] += 1


def _lost(hand: Hand, players: list[Player], months: list[str]) -> Iterator[str]:
    """Nothing may be: every month asked for was played, every sheet is there as it was told."""
    for slug in months:
        now = hand("now", slug=slug)
        assert now["played"] == 1, (slug, now)
        hand("whole", slug=slug)
    kept = 0
    for player in players:
        if player.hash:
            there = hand("sheets", slug=player.slug)[f"{player.about['month']}.{player.seat}"]
            assert there == [player.revision, player.hash], (player.slug, player.role)
            kept += 1
    yield f"nothing lost: {len(months)} months played once and whole, {kept} sheets as told"


def _table(evening: Evening, seconds: float, load: float) -> Iterator[str]:
    yield f"{'what':16} {'n':>6} {'p50':>6} {'p95':>6} {'p99':>6} {'max':>6}  (milliseconds)"
    for kind, waits in sorted(evening.waits.items()):
        yield _row(kind, waits)
    yield _row("all", [wait for waits in evening.waits.values() for wait in waits])
    count = sum(map(len, evening.waits.values()))
    yield f"{count} requests in {seconds:.0f} s, {count / seconds:.1f} a second, load {load:.1f}"
    yield f"errors: {dict(evening.wrong) or 'none'}; left out, their player being busy: " + str(
        evening.skipped
    )


def _row(kind: str, waits: list[float]) -> str:
    ordered = sorted(wait * 1000 for wait in waits)
    at = [ordered[min(int(len(ordered) * share), len(ordered) - 1)] for share in (0.5, 0.95, 0.99)]
    return f"{kind:16} {len(ordered):6} " + " ".join(f"{x:6.0f}" for x in (*at, ordered[-1]))


def main() -> None:
    wanted = argparse.ArgumentParser(description=__doc__)
    wanted.add_argument("--campaigns", type=int, default=200, help="with three people each")
    wanted.add_argument("--minutes", type=float, default=10)
    wanted.add_argument("--rate", type=float, default=8, help="requests a second")
    wanted.add_argument("--months", type=int, default=100, help="advanced in the evening")
    chosen = wanted.parse_args()
    with club_of_its_own("evening") as club:
        for line in hold(chosen, club):
            print(line)  # noqa: T201


if __name__ == "__main__":
    main()
