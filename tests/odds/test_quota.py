"""A person's question holds nothing up but the same person's next one, whatever it takes."""

import json
import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from battles.models import Battle
from battles.services import quota
from battles.services.quota import AT_ONCE, limit_cpu
from campaign.models import Campaign, Seat
from campaign.rules.core.pieces import Month, month_slug
from campaign.services.order_sheets import MOST_AT_ONCE
from tests.odds.test_pages import POST, attack, logged_in, orders_in_json, posted
from tests.people import People

ROOT = Path(__file__).parents[2]
HOLDER = """
import sys, django
django.setup()
from django.contrib.auth.models import User
from battles.services.quota import limit_cpu
with limit_cpu(User(pk=int(sys.argv[1]))):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def addresses(campaign: Campaign) -> dict[str, list[str]]:
    """Return the addresses for the odds of a sheet: by REST and on the page."""
    month = month_slug(Month(campaign.month))
    return {
        seat.role: [
            f"/api/v1/campaigns/{campaign.slug}/seats/{seat.pk}/sheets/{month}/odds/",
            f"/campaigns/{campaign.slug}/orders/{seat.pk}/odds/",
        ]
        for seat in Seat.objects.filter(campaign=campaign, role__in=("egyptian", "mahdist"))
    }


def asked(client: Client, address: str) -> int:
    by_rest = address.startswith("/api/")
    answer = posted(client, address, orders_in_json(attack())) if by_rest else client.get(address)
    if answer.status_code == 429:
        assert int(answer["Retry-After"]) > 0
    return answer.status_code


def test_a_second_question_of_the_same_person_is_refused_while_the_first_is_worked_out(
    people: People, addresses: dict[str, list[str]]
) -> None:
    mahdist, egyptian = logged_in("mahdist"), logged_in("egyptian")
    with limit_cpu(people.mahdist):
        assert [asked(mahdist, one) for one in addresses["mahdist"]] == [429, 429]
        assert [asked(egyptian, one) for one in addresses["egyptian"]] == [200, 200]
        assert mahdist.get("/about/").status_code == 200
        refused = posted(mahdist, addresses["mahdist"][0], {}).json()
        assert refused["detail"] == quota.OWN
    assert [asked(mahdist, one) for one in addresses["mahdist"]] == [200, 200]


def long_sheet(orders: int = MOST_AT_ONCE + 1) -> dict[str, object]:
    """Return a sheet of so many orders, the first of which attacks."""
    first = attack()["orders"][0]  # type: ignore[index]
    return {"orders": [first, *({"type": "stay", "hex": POST} for _ in range(orders - 1))]}


def put(client: Client, address: str, sheet: object) -> Any:
    """Return the answer to a sheet that is sent to be stored."""
    body, headers = json.dumps(orders_in_json(sheet)), {"If-Match": "*"}
    return client.put(address, body, content_type="application/json", headers=headers)


def test_a_long_sheet_is_checked_when_its_player_has_nothing_else_worked_at(
    people: People, addresses: dict[str, list[str]]
) -> None:
    player, page = logged_in("mahdist"), addresses["mahdist"][1].removesuffix("odds/")
    sheet = addresses["mahdist"][0].removesuffix("odds/")
    check, sent = f"{sheet}check/", orders_in_json(long_sheet())
    with limit_cpu(people.mahdist):
        refused = posted(player, check, sent)
        assert (refused.status_code, refused.json()["detail"]) == (429, quota.OWN)
        assert int(refused["Retry-After"]) > 0
        less = orders_in_json(long_sheet(MOST_AT_ONCE))
        assert posted(player, check, less).status_code == 200
        kept = put(player, sheet, long_sheet()).json()
        assert kept["receipt"], "what was written is kept all the same"
        assert len(kept["order_texts"]) == MOST_AT_ONCE + 1
        assert quota.OWN in player.get(f"{page}plain/").content.decode().replace("&#x27;", "'")
        assert player.get(page).status_code == 200
    assert posted(player, check, sent).json()["findings"]


def test_an_umpire_looks_at_long_sheets_and_brings_campaigns_in_one_at_a_time(
    people: People, addresses: dict[str, list[str]], campaign: Campaign
) -> None:
    sheet = addresses["mahdist"][0].removesuffix("odds/")
    assert put(logged_in("mahdist"), sheet, long_sheet()).status_code == 200
    umpire = logged_in("umpire")
    ask = (
        lambda: umpire.get(f"/api/v1/campaigns/{campaign.slug}/worklist/"),
        lambda: umpire.get(f"/campaigns/{campaign.slug}/console/"),
        lambda: umpire.post(
            "/api/v1/imports/", b"no file", content_type="application/octet-stream"
        ),
        lambda: umpire.post(
            "/import-campaign/", {"file": SimpleUploadedFile("a.sirdar", b"no file"), "slug": ""}
        ),
    )
    with limit_cpu(people.umpire):
        answers = [one() for one in ask]
        assert [one.status_code for one in answers] == [429, 429, 429, 400]
        assert quota.OWN in answers[1].content.decode()
        assert quota.OWN in answers[3].content.decode()
    assert [one().status_code for one in ask][:2] == [200, 200]


def test_a_person_has_one_battle_begun_at_a_time(people: People) -> None:
    client = logged_in("mahdist")
    battle, book = "first-el-teb", "redcoats"
    wanted = {"type": "offer", "offer": battle, "book": book}
    with limit_cpu(people.mahdist):
        assert posted(client, "/api/v1/battles/", wanted).status_code == 429
        page = client.post("/battles/new/", {"battle": battle, "book": book, "way": "staff"})
        assert (page.status_code, Battle.objects.count()) == (400, 0)
        assert posted(logged_in("egyptian"), "/api/v1/battles/", wanted).status_code == 201
    assert posted(client, "/api/v1/battles/", wanted).status_code == 201


def test_a_process_works_out_so_many_questions_and_keeps_its_other_threads_for_pages(
    people: People, addresses: dict[str, list[str]]
) -> None:
    with ExitStack() as others:
        for number in range(AT_ONCE):
            others.enter_context(limit_cpu(User(pk=10_000 + number)))
        refused = posted(logged_in("mahdist"), addresses["mahdist"][0], orders_in_json(attack()))
        assert (refused.status_code, refused.json()["detail"]) == (429, quota.OTHERS)
    assert asked(logged_in("mahdist"), addresses["mahdist"][0]) == 200


def test_a_question_whose_process_is_killed_leaves_nobody_waiting(
    people: People, addresses: dict[str, list[str]]
) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(people.mahdist.pk)],
        env=os.environ
        | {"DJANGO_SETTINGS_MODULE": "sirdar.settings", "SIRDAR_DATA": str(settings.DATA)},
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        assert asked(logged_in("mahdist"), addresses["mahdist"][0]) == 429
    finally:
        holder.send_signal(signal.SIGKILL)
        holder.communicate()
    assert asked(logged_in("mahdist"), addresses["mahdist"][0]) == 200


def test_what_takes_too_long_is_given_up_with_what_to_do_instead(
    monkeypatch: pytest.MonkeyPatch, people: People, addresses: dict[str, list[str]]
) -> None:
    by_rest, on_the_page = addresses["mahdist"]
    assert put(logged_in("mahdist"), by_rest.removesuffix("odds/"), attack()).status_code == 200
    monkeypatch.setattr(quota, "MOST_SECONDS", 0.0)
    refused = posted(logged_in("mahdist"), by_rest, orders_in_json(attack()))
    assert (refused.status_code, refused.json()["detail"]) == (422, quota.TOO_LONG)
    refused = logged_in("mahdist").get(on_the_page)
    assert (refused.status_code, refused.content.decode()) == (422, quota.TOO_LONG)
    monkeypatch.undo()
    assert asked(logged_in("mahdist"), by_rest) == 200
