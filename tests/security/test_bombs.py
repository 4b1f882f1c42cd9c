"""Little that would become much: zips, deep and long JSON, sheets and forms without end."""

import json
import tracemalloc
import zipfile
from hashlib import sha256
from io import BytesIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from campaign.access import selectors
from campaign.models import Branch, Campaign
from campaign.services.errors import UnfitRequest
from campaign.services.journal import audit
from campaign.services.transfer import bundle
from tests.people import People
from tests.security.mutations import packed
from tests.security.test_spoilt import SHEET, SheetClient, exported, played

__all__ = ["played"]

DEEP = b"[" * 100_000
PARTS = (bundle.MANIFEST, bundle.START, bundle.TABLES, bundle.ENTRIES, bundle.SHEETS)


def parts_of(campaign: Campaign) -> dict[str, bytes]:
    with zipfile.ZipFile(BytesIO(exported(campaign, with_secret=False))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def with_hash(parts: dict[str, bytes], name: str, data: bytes) -> bytes:
    """Return the file with that part in it, as if it had been exported so."""
    parts[name] = data
    if name != bundle.MANIFEST:
        manifest = json.loads(parts[bundle.MANIFEST])
        manifest["sha256"][name] = sha256(data).hexdigest()
        parts[bundle.MANIFEST] = json.dumps(manifest).encode()
    return packed(parts)


def bomb(parts: dict[str, bytes], name: str, fill: bytes) -> bytes:
    """Return the file with a part that is a thousand times longer unpacked."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for other, data in parts.items():
            if other != name:
                archive.writestr(other, data)
        with archive.open(name, "w", force_zip64=True) as part:
            for _ in range(2 * bundle.LARGEST_PARTS[name] // 1_000_000):
                part.write(fill * 1000)
    return file.getvalue()


LONG = pytest.mark.long


@pytest.mark.parametrize(
    "name",
    [*PARTS[:3], pytest.param(bundle.ENTRIES, marks=LONG), pytest.param(bundle.SHEETS, marks=LONG)],
)
def test_a_zip_bomb_is_not_unpacked(campaign: Campaign, name: str) -> None:
    file = bomb(parts_of(campaign), name, b" " * 1000)
    assert len(file) < 1_000_000
    tracemalloc.start()
    with pytest.raises(UnfitRequest, match="not unpacked"):
        bundle.read_bundle(BytesIO(file))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 3 * bundle.LARGEST_PARTS[name] + 20_000_000


@pytest.mark.parametrize("fill", [b"\n", b"{}\n", b'""\n'])
def test_lines_without_end_are_refused_at_the_first(campaign: Campaign, fill: bytes) -> None:
    long = fill * bundle.MOST_LINES[bundle.ENTRIES]
    file = with_hash(parts_of(campaign), bundle.ENTRIES, long)
    tracemalloc.start()
    with pytest.raises(UnfitRequest, match="line 1"):
        bundle.read_bundle(BytesIO(file))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 4 * len(long) + 1_000_000


def lines_of(parts: dict[str, bytes], name: str) -> list[Any]:
    return [json.loads(line) for line in parts[name].splitlines()]


def as_lines(lines: list[Any]) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def test_a_file_of_more_branches_than_anybody_goes_back_is_refused(campaign: Campaign) -> None:
    parts = parts_of(campaign)
    manifest = json.loads(parts[bundle.MANIFEST])
    first = manifest["branches"][0]
    many = range(bundle.MOST_BRANCHES + 1)
    manifest["branches"] = [{**first, "number": number} for number in many]
    file = with_hash(parts, bundle.MANIFEST, json.dumps(manifest).encode())
    with pytest.raises(UnfitRequest, match=r"branches"):
        bundle.read_bundle(BytesIO(file))


def test_a_file_of_more_receipts_than_anybody_writes_is_refused(played: Campaign) -> None:
    parts = parts_of(played)
    sheets = lines_of(parts, bundle.SHEETS)
    sheets[0]["receipts"] = [sheets[0]["receipts"][0]] * (bundle.MOST_RECEIPTS + 1)
    with pytest.raises(UnfitRequest, match="receipts"):
        bundle.read_bundle(BytesIO(with_hash(parts, bundle.SHEETS, as_lines(sheets))))


@pytest.mark.parametrize("name", bundle.MOST_LINES)
def test_a_file_of_more_lines_than_any_campaign_has_is_refused(
    campaign: Campaign, name: str
) -> None:
    long = b"{}\n" * (bundle.MOST_LINES[name] + 1)
    with pytest.raises(UnfitRequest, match=f"{name} in the file has more than"):
        bundle.read_bundle(BytesIO(with_hash(parts_of(campaign), name, long)))


def test_the_line_of_a_campaign_is_found_by_as_many_queries_with_many_branches_as_with_few(
    played: Campaign, django_assert_num_queries: Any
) -> None:
    entry = played.entries.order_by("number").first()
    first = played.branches.count()
    played.branches.bulk_create(
        Branch(campaign=played, number=number, parent=entry, anchor="0" * 64,
               reason="Once more.", by="umpire:umpire", created=timezone.now())
        for number in range(first, first + 20)
    )  # fmt: skip
    with django_assert_num_queries(1):
        assert len(selectors.line_of(played, entry)) == 1


@pytest.mark.parametrize("name", PARTS)
def test_json_as_deep_as_a_well_is_refused_in_words(
    campaign: Campaign, people: People, name: str
) -> None:
    file = with_hash(parts_of(campaign), name, DEEP)
    client = Client()
    client.force_login(people.stranger)
    sent = SimpleUploadedFile("deep.sirdar", file)
    answer = client.post("/import-campaign/", {"file": sent})
    assert answer.status_code == 400
    assert Campaign.objects.count() == 1


@pytest.mark.parametrize("way", range(2))
@pytest.mark.parametrize(
    "body",
    [
        DEEP,
        b'{"orders": ' + DEEP,
        b'{"orders": ' + b"[" * 900 + b"]" * 900 + b"}",
        b'{"orders": [{"type": "stay", "hex": "2042", "unit_ids": [' + b"9" * 5000 + b"]}]}",
        b"\xff\xfe",
        b"",
        b"null",
    ],
    ids=["deep", "deep sheet", "deep orders", "long number", "bytes", "empty", "null"],
)
def test_no_sheet_breaks_the_door_it_is_sent_to(
    campaign: Campaign, people: People, body: bytes, way: int
) -> None:
    sheets = SheetClient(campaign, people)
    told = sheets.send(body, way).status_code
    checks_nothing = way == 1 and not body
    assert told == (200 if checks_nothing else 400), "nothing at all must not empty a sheet"


@pytest.mark.parametrize("way", range(2))
def test_a_huge_sheet_is_refused_by_its_length(
    campaign: Campaign, people: People, way: int
) -> None:
    sheets = SheetClient(campaign, people)
    long = {"orders": SHEET["orders"] * 8_000}
    answer = sheets.send(json.dumps(long).encode(), way)
    assert answer.status_code in (400, 413)


@pytest.mark.parametrize("way", range(2))
def test_the_longest_sheet_there_may_be_is_read(
    campaign: Campaign, people: People, way: int
) -> None:
    sheets = SheetClient(campaign, people)
    sheet = {"orders": [*SHEET["orders"]] * 300}
    assert sheets.send(json.dumps(sheet).encode(), way).status_code == 200
    more = {"orders": [*SHEET["orders"]] * 301}
    assert sheets.send(json.dumps(more).encode(), way).status_code == 400


def test_a_form_of_too_many_fields_is_refused(people: People) -> None:
    client = Client()
    client.force_login(people.umpire)
    fields = "&".join(f"f{number}=1" for number in range(5_000))
    kind = "application/x-www-form-urlencoded"
    assert client.post("/new-campaign/", fields, content_type=kind).status_code == 400


def test_a_form_longer_than_any_is_refused(people: People) -> None:
    client = Client()
    client.force_login(people.umpire)
    answer = client.post(
        "/new-campaign/",
        "title=" + "a" * 3_000_000,
        content_type="application/x-www-form-urlencoded",
    )
    assert answer.status_code in (400, 413)


@pytest.mark.parametrize(
    ("page", "fields"),
    [
        ("console/do/", {"do": "advance", "months": "9" * 5000, "month": "1"}),
        ("console/do/", {"do": "advance", "months": "1", "month": "٣" * 5000}),
        ("console/do/", {"do": "extend", "hours": "9" * 400, "seen": "0", "reason": "x"}),
        ("console/rewind/", {"entry": "0.1", "head": "9" * 5000, "reason": "x"}),
        ("console/rewind/", {"entry": "٣.٣", "head": "1", "reason": "x"}),
        ("console/ruling/", {"reason": "x", "head": "9" * 5000, "toss": "9" * 5000}),
        ("advance/", {"month": "9" * 5000, "months": "9" * 5000}),
        ("advance/", {"month": "²"}),
        ("seats/", {"role": "egyptian", "days": "9" * 400, "command": "9" * 5000}),
        ("live/act/", {"type": "Move", "to": "9" * 5000, "head": "9" * 5000}),
        ("set-up/arrange/", {"unit": "9" * 5000, "hex": "9" * 5000, "head": "²"}),
    ],
)
@pytest.mark.parametrize("mode", ["staff", "live"])
def test_no_number_in_a_form_is_too_long(
    campaign: Campaign, people: People, page: str, fields: dict[str, str], mode: str
) -> None:
    Campaign.objects.update(mode=mode)
    for who in (people.umpire, people.egyptian):
        client = Client(raise_request_exception=False)
        client.force_login(who)
        told = client.post(f"/campaigns/{campaign.slug}/{page}", fields)
        assert told.status_code < 500
    audit.replay_check(campaign)
