"""Web processes that die while people write, and everybody asking for the same month at once."""

import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from tests.torture.club import Club, Hand, kill, until

ANSWERS = {0, 200, 202, 409, 412, 503}
"""What somebody may hear whose server is being killed; 0 is no answer at all."""


class Player(threading.Thread):
    """Somebody who writes one sheet after another, and remembers which the server said it has."""

    def __init__(self, club: Club, slug: str, who: dict[str, Any], role: str) -> None:
        super().__init__(daemon=True)
        self._club, self._session = club, who["sessions"][role]
        here = f"/api/v1/campaigns/{slug}/seats/{who['seats'][role]}"
        self._path = f"{here}/sheets/{who['name']}/"
        self._over = threading.Event()
        self.slug, self.month, self.seat = slug, who["month"], who["seats"][role]
        self.revision, self.known = 0, {(0, "")}
        self.answers: Counter[int] = Counter()

    def run(self) -> None:
        while not self._over.wait(0.05):
            self._write()

    def _write(self) -> None:
        """Write once; where no answer came, look which of the two sheets is there now."""
        wanted = {"orders": [], "salt": random.randbytes(16).hex()}
        answer = self._club.change("PUT", self._path, wanted, self._session, self.revision)
        self.answers[answer.status] += 1
        if answer.status == 200:
            told = json.loads(answer.data)
            self.revision = int(told["version"])
            self.known.add((self.revision, told["receipt"]["hash"]))
        else:
            self._look()

    def _look(self) -> None:
        """Come to know the revision that stands, which is the last one known or one more."""
        answer = self._club.get(self._path, self._session)
        if answer.status == 200:
            revision = int(json.loads(answer.data)["version"])
            assert revision in (self.revision, self.revision + 1)
            self.revision = revision

    def end(self) -> None:
        """Write no more, and know what stands."""
        self._over.set()
        self.join(120)
        assert not self.is_alive()


@pytest.mark.torture
@pytest.mark.parametrize("kills", [100])
def test_a_web_process_killed_while_people_write_loses_no_sheet_it_has_taken(
    club: Club, hand: Hand, kills: int, tell: Callable[[str], None]
) -> None:
    chance, began = random.Random(kills), time.monotonic()
    players = []
    for number in range(2):
        slug = f"war-{number}"
        who = hand("begin", slug=slug)
        players += [Player(club, slug, who, role) for role in ("egyptian", "mahdist")]
    web = club.web()
    for player in players:
        player.start()
    for _ in range(kills):
        time.sleep(chance.uniform(0.2, 1.0))
        kill(web)
        web = club.web()
    for player in players:
        player.end()
    answers = sum((player.answers for player in players), Counter[int]())
    assert set(answers) <= ANSWERS, answers
    assert answers[200] >= kills
    for player in players:
        revision, hash_ = hand("sheets", slug=player.slug)[f"{player.month}.{player.seat}"]
        last, told = max(player.known)
        assert (revision, hash_) == (last, told) or revision == last + 1
        hand("whole", slug=player.slug)
    tell(
        f"web server killed: {kills} times under {answers.total()} writings, of which "
        f"{answers[200]} were told kept, {answers[0]} without an answer; "
        f"{time.monotonic() - began:.0f} s"
    )


@pytest.mark.torture
@pytest.mark.parametrize("times", [50])
def test_the_same_advance_asked_for_fifty_times_at_once_plays_one_month(
    club: Club, hand: Hand, times: int
) -> None:
    """Half of them through the web processes, half by other processes of the site."""
    who = hand("begin", slug="war")
    hand("order", slug="war")
    others = [Hand(club) for _ in range(2)]
    club.web()
    asked = {"months": "1", "month": str(who["month"])}

    def ask(_number: int) -> int:
        path, umpire = "/campaigns/war/advance/", who["sessions"]["umpire"]
        return club.post(path, asked, umpire).status

    with ThreadPoolExecutor(times // 2) as threads:
        heard = threads.map(ask, range(times // 2))
        for number in range(times // 2):
            others[number % 2].tell("ask", slug="war", expected=who["month"])
        jobs = {others[number % 2].hear()["job"] for number in range(times // 2)}
        assert set(heard) == {302}
    assert len(jobs) == 1
    for name in ("worker-1", "worker-2"):
        club.worker(name=name)
    until(lambda: hand("now", slug="war")["status"] == "succeeded", "the month is not played")
    assert hand("now", slug="war")["jobs"] == hand("now", slug="war")["played"] == 1
    assert hand("whole", slug="war", by_rules=True)["sheets"] == 2


@pytest.mark.torture
def test_an_advance_sent_again_until_it_is_answered_is_asked_for_once(
    club: Club, hand: Hand
) -> None:
    """By REST, with one key, from a server that is killed meanwhile."""
    who = hand("begin", slug="war")
    club.worker()
    web, answers = club.web(), Counter[int]()

    def ask(month: str) -> bool:
        told = {"months": 1}
        answer = club.post(
            "/api/v1/campaigns/war/advance/", told, token=who["tokens"]["umpire"], key=month
        )
        answers[answer.status] += 1
        return answer.status == 202

    for turn in range(5):
        month = hand("now", slug="war")["name"]
        with ThreadPoolExecutor(4) as threads:
            sent = [threads.submit(until, partial(ask, month), "no answer") for _ in range(4)]
            kill(web)
            web = club.web()
            for one in sent:
                one.result()
        until(lambda: hand("now", slug="war")["status"] == "succeeded", "the month is not played")
        assert hand("now", slug="war")["jobs"] == turn + 1
    assert set(answers) <= ANSWERS, answers
    assert hand("now", slug="war")["played"] == 5
    hand("whole", slug="war", by_rules=True)
