"""Two people at once: results, rulings, rewinds, months, deadlines, edits, on both databases."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.torture.club import Club, Failed, Hand

ROUNDS = 6
EDITS = {"/api/v1/campaigns/war/": 4 * ROUNDS, "/api/v1/account/": 2}
"""The number of edits by four at once of each; an account may be changed ten times a minute."""
REFUSED = {
    "Stale",
    "UnderWay",
    "NotAwaited",
    "Refused",
    "UnfitRequest",
    "IllegalAction",
    "CampaignOver",
}
"""What one of two may be told who does what the other has made impossible."""
Deed = tuple[str, dict[str, Any]]
RACES: dict[str, tuple[Deed, ...]] = {
    "rewind and ruling": (("go_back", {"number": 5}), ("rule", {})),
    "rewind and month": (("go_back", {"number": 5}), ("advance", {})),
    "ruling and month": (("rule", {}), ("advance", {})),
    "sweep and month": (("sweep", {}), ("advance", {}), ("sweep", {})),
    "sweep, rewind and ruling": (("sweep", {}), ("go_back", {"number": 5}), ("rule", {})),
}
RESULTS: tuple[Deed, ...] = (
    ("enter", {"role": "umpire", "winner": "egyptian"}),
    ("enter", {"role": "egyptian", "winner": "mahdist"}),
    ("leave_to_table", {}),
)


@pytest.fixture(params=["postgresql", "sqlite"])
def hands(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[list[Hand]]:
    """Four processes at the same database."""
    if request.param == "sqlite":
        site = Club(tmp_path, f"sqlite:///{tmp_path / 'sirdar.sqlite3'}", "")
        site.manage("migrate", "-v0")
    else:
        postgres, redis = map(request.getfixturevalue, ("postgres", "redis_server"))
        migrated = request.getfixturevalue("migrated")
        site = Club(tmp_path, postgres.fresh("torture_races", migrated), redis.fresh())
    yield [Hand(site) for _ in range(4)]
    site.end()


def _heard(hand: Hand) -> str:
    """Return whether it was done, only signed, or why it was refused.

    Raises Failed for other failures.
    """
    try:
        return "signed" if hand.hear() == "" else "done"
    except Failed as failed:
        why = str(failed).partition(":")[0]
        if why not in REFUSED:
            raise
        return why


def at_once(hands: list[Hand], deeds: tuple[Deed, ...], slug: str) -> Counter[str]:
    """Have each of them do one of the deeds at the same moment; what came of each."""
    said: Counter[str] = Counter()
    for hand, (do, about) in zip(hands, deeds, strict=False):
        hand.tell(do, **(about if do == "sweep" else {"slug": slug, **about}))
    for hand, (do, _) in zip(hands, deeds, strict=False):
        said[f"{do}: {_heard(hand)}"] += 1
    return said


@pytest.mark.torture
@pytest.mark.parametrize("race", RACES)
def test_two_who_do_something_at_once_leave_a_whole_campaign(
    hands: list[Hand], race: str, tell: Callable[[str], None]
) -> None:
    said: Counter[str] = Counter()
    judge = hands[-1]
    policy = {"zone": "UTC", "hour": 18, "days": 1}
    for number in range(ROUNDS):
        slug = f"war-{number}"
        judge("begin", slug=slug, deadline_policy=policy)
        judge("order", slug=slug)
        judge("advance", slug=slug)
        judge("order", slug=slug)
        judge("set_due", slug=slug, seconds=-1)
        said += at_once(hands, RACES[race], slug)
        judge("sound", slug=slug)
        judge("advance", slug=slug)
        judge("sound", slug=slug)
    tell(f"{race}, {ROUNDS} times: {dict(said)}")


@pytest.mark.torture
def test_of_several_results_of_a_battle_one_counts(
    hands: list[Hand], tell: Callable[[str], None]
) -> None:
    said: Counter[str] = Counter()
    for number in range(2 * ROUNDS):
        slug = hands[-1]("before_table", name=f"table-{number}")
        came = at_once(hands, RESULTS[number % 3 :] + RESULTS[: number % 3], slug)
        counted = sum(came[f"{do}: done"] for do, _ in RESULTS[1:])
        assert counted == 1, came
        assert hands[-1]("sound", slug=slug) == came["enter: done"]
        said += came
    tell(f"three results at once, {2 * ROUNDS} times: {dict(said)}")


@pytest.mark.torture
@pytest.mark.parametrize("address", EDITS)
def test_of_four_edits_of_the_same_version_one_succeeds(
    hands: list[Hand], address: str, tell: Callable[[str], None]
) -> None:
    token = hands[-1]("begin", slug="war")["tokens"]["umpire"]
    field = "title" if "campaigns" in address else "display_name"
    said: Counter[int] = Counter()
    for number in range(EDITS[address]):
        tag = hands[-1]("read", address=address, token=token)["tag"]
        values = [f"Edit {number} by {hand}" for hand in range(len(hands))]
        for hand, value in zip(hands, values, strict=True):
            hand.tell("edit", address=address, token=token, tag=tag, change={field: value})
        statuses = [hand.hear() for hand in hands]
        assert sorted(statuses) == [200, 412, 412, 412]
        found = hands[-1]("read", address=address, token=token)
        assert found["content"][field] == values[statuses.index(200)]
        said.update(statuses)
    tell(f"four edits of one version at {address}, {EDITS[address]} times: {dict(said)}")
