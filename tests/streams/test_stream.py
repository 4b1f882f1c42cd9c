"""Followers of a real server: told as it happens, without a thread or a database for each."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from django.db import connections

from accounts.models import Scope, Token
from accounts.tokens import create_token
from campaign.access.letters import letter_for
from campaign.models import Campaign
from campaign.services import letters
from campaign.services.journal import creation
from campaign.services.turns import advance
from tests.patience import PATIENCE
from tests.people import People
from tests.streams.served import PAGES, Message, Served, following, run, served

FOLLOWERS = 500
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def tokens(people: People) -> dict[str, str]:
    return {
        name: create_token(user, "test", Scope.values)[1] for name, user in people._asdict().items()
    }


@pytest.fixture
def war(people: People) -> Campaign:
    seats = {name: getattr(people, name) for name in ("umpire", "egyptian", "mahdist")}
    wanted = creation.NewCampaignTerms("siege-of-khartoum", slug="war", seats=seats, fog=True)
    return creation.create_campaign(wanted)


@pytest.fixture
def server(war: Campaign, tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path) as found:
        yield found


async def elsewhere(work: Any, *told: Any, **more: Any) -> Any:
    """Return the work done on a thread, whose connections to the database are closed behind it."""

    def done() -> Any:
        try:
            return work(*told, **more)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as thread:
        return await asyncio.get_running_loop().run_in_executor(thread, done)


def play(campaign: Campaign, months: int = 1) -> Any:
    campaign.refresh_from_db()
    return elsewhere(advance.run_month, campaign.pk, until=campaign.month + months)


def happened(told: list[Message]) -> list[tuple[str, Any]]:
    return [(one.id, one.data) for one in told if not one.kind]


async def through(reader: Any, month: str) -> list[Message]:
    """Return the messages until the campaign is said to stand in that month."""
    told: list[Message] = []
    while not (told and told[-1].kind == "status" and told[-1].data["month"] == month):
        told.append(await reader.message())
    return told


def test_a_follower_is_told_as_it_happens_and_goes_on_after_a_break(
    war: Campaign, server: Served, tokens: dict[str, str]
) -> None:
    run(follow_with_breaks(server, war, tokens["egyptian"]))


def test_a_server_of_pages_answers_with_what_there_is_and_ends(
    war: Campaign, tokens: dict[str, str], tmp_path: Path
) -> None:
    async def go(server: Served) -> None:
        join = partial(following, server.port, "war", tokens["egyptian"])
        async with join(since="") as first:
            told = await first.until("status")
            assert await first.ended()
        await play(war)
        # A browser comes back to the address that it asked first, with the last id if any.
        async with join(since="", last=told[-1].id) as again:
            assert happened(await through(again, "1884-03"))
            assert await again.ended()

    with served(tmp_path, *PAGES) as server:
        run(go(server))


async def follow_with_breaks(server: Served, war: Campaign, token: str) -> None:
    join = partial(following, server.port, "war", token)
    async with join() as first:
        assert b" 200 " in first.head.splitlines()[0]
        assert b"text/event-stream" in first.head
        assert b"nosniff" in first.head
        before = await first.until("status")
        assert happened(before) == []
        await play(war)
        told = [await first.message() for _ in range(10)]
    await play(war)
    async with join(last=told[-1].id) as again:
        told += await through(again, "1884-04")
    async with join(since="") as whole:
        assert happened(await through(whole, "1884-04")) == happened(told)
    assert len(happened(told)) > 20


def test_a_letter_is_streamed_to_its_readers_alone(
    war: Campaign, server: Served, tokens: dict[str, str], people: People
) -> None:
    seats = {seat.role: seat.pk for seat in war.seats.all()}

    def send(by: str, to: str) -> int:
        draft = letters.LetterDraft(seats[by], [seats[to]], "Hold the river.")
        return letters.send_letter(war.pk, getattr(people, by), draft).pk

    def read(number: int) -> None:
        found = letter_for(war, people.mahdist, number)
        assert found is not None
        letters.mark_read(war, people.mahdist, found)

    async def go() -> None:
        async with (
            following(server.port, "war", tokens["egyptian"]) as egyptian,
            following(server.port, "war", tokens["mahdist"]) as mahdist,
            following(server.port, "war", tokens["umpire"]) as umpire,
        ):
            for one in (egyptian, mahdist, umpire):
                assert [told.kind for told in await one.until("status")] == ["status"]
            first = await elsewhere(send, "egyptian", "umpire")
            told = await umpire.until("letters")
            assert told[-1].data == {"unread_count": 1, "newest_id": first}
            second = await elsewhere(send, "umpire", "mahdist")
            told = await mahdist.until("letters")
            assert [one.data for one in told] == [{"unread_count": 1, "newest_id": second}]
            await elsewhere(read, second)
            assert (await mahdist.until("letters"))[-1].data["unread_count"] == 0
            await elsewhere(
                letters.set_letter_post, war.pk, people.umpire, Campaign.LetterPost.BY_COURIER
            )
            await elsewhere(send, "mahdist", "egyptian")
            await play(war)
            # The courier rides with the month: the letter is announced among its events or later.
            told = await through(egyptian, "1884-03")
            if "letters" not in {one.kind for one in told}:
                told += await egyptian.until("letters")
            assert told[0].kind != "letters"
            assert {one.kind for one in told} == {"", "status", "letters"}

    run(go())


def test_each_side_is_streamed_its_own_and_loses_the_line_with_its_seat(
    war: Campaign, server: Served, tokens: dict[str, str], people: People
) -> None:
    async def go() -> None:
        async with (
            following(server.port, "war", tokens["egyptian"]) as egyptian,
            following(server.port, "war", tokens["mahdist"]) as mahdist,
            following(server.port, "war", tokens["umpire"]) as umpire,
        ):
            for one in (egyptian, mahdist, umpire):
                await one.until("status")
            await play(war)
            told = [happened(await through(one, "1884-03")) for one in (egyptian, mahdist, umpire)]
            assert told[0] != told[1]
            hidden = {place for place, _ in told[2]} - {place for place, _ in told[0]}
            assert hidden
            await elsewhere(war.seats.filter(user=people.egyptian).delete)
            await elsewhere(Token.objects.filter(user=people.mahdist).delete)
            await play(war)
            assert await egyptian.ended()
            assert await mahdist.ended()
            assert await through(umpire, "1884-04")

    run(go())


@pytest.mark.long
def test_five_hundred_follow_on_one_process_and_it_still_answers(
    war: Campaign, server: Served, tokens: dict[str, str]
) -> None:
    async def go() -> None:
        names = ["umpire", "egyptian", "mahdist"]
        lines = [following(server.port, "war", tokens[names[n % 3]]) for n in range(FOLLOWERS)]
        everybody = []
        for start in range(0, FOLLOWERS, 50):
            some = lines[start : start + 50]
            everybody += await asyncio.gather(*(line.__aenter__() for line in some))
        await asyncio.gather(*(one.until("status") for one in everybody))
        assert server.threads() < 20
        assert server.descriptors() < FOLLOWERS + 50
        await play(war)
        told = await asyncio.gather(*(through(one, "1884-03") for one in everybody))
        for name in range(3):
            heard = [happened(one) for one in told[name::3]]
            assert len(heard[0]) > 10
            assert all(one == heard[0] for one in heard)
        address = f"http://127.0.0.1:{server.port}/api/v1/maps/"
        with await elsewhere(urlopen, address, timeout=PATIENCE) as answer:
            assert answer.status == 200
        await asyncio.gather(*(line.__aexit__(None, None, None) for line in lines))

    run(go())
