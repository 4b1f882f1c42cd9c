"""A campaign by order sheets in the fog as a file: the same elsewhere, but for the people."""

import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from battles import journal
from battles.contract.brief import Side
from battles.core.decoding import decode, digest, encode
from battles.journal import pack, unpack
from campaign import serialization
from campaign.access import letters as access
from campaign.access import selectors
from campaign.models import Campaign, Knowledge, OrderSheet, Receipt, Seat, UmpireLogEntry
from campaign.models.seats import LONGEST_NOTE
from campaign.orders.order_sheet import MarchProgress
from campaign.rules.core.actions import Done, Ruled
from campaign.rules.map import sudan
from campaign.rules.umpire_rulings import end
from campaign.services import letters
from campaign.services.journal import audit, campaign_session, creation, dice, rewind
from campaign.services.order_sheets import StoredProgress
from campaign.services.transfer import archive, bundle
from campaign.services.turns import advance
from campaign.services.umpire import rulings
from campaign.services.umpire.invitations import SeatOffer, invite
from campaign.services.umpire.rulings import throw_by_hand, type_in
from tests.campaign.orders.conftest import orders_campaign
from tests.campaign.orders.test_months import marches, run, seat_of, submit
from tests.campaign.test_archive import changed, exported, journal_hashes, parts_of, refused, zipped
from tests.people import People
from tests.played_once import play_once

POLICY = {"zone": "Africa/Khartoum", "days": 14, "no_show": "staff"}
PLAYERS = ("egyptian", "mahdist", "umpire")
SHEET = (
    "branch",
    "month",
    "revision",
    "submitted",
    "ready",
    "withdrawn",
    "salt",
    "salt_chosen",
    "updated",
    "begun",
    "by_staff",
    "document",
)


@pytest.fixture
def foggy(people: People) -> Campaign:
    """One month played by the sheets of both sides, and the next one ordered by the Egyptian's."""
    return play_once("foggy", lambda: play_by_sheets(people))


def play_by_sheets(people: People) -> Campaign:
    campaign = orders_campaign(
        people, fog=True, when_ready=True, deadline_policy=POLICY, public_delay=6
    )
    Seat.objects.create(
        campaign=campaign, role="mahdist", name="Emir of the East", command=["x", 7]
    )
    Seat.objects.create(
        campaign=campaign, role="egyptian", name="The navy", command=[9], staff=True
    )
    for side in Side:
        submit(campaign, side, marches(campaign, side))
    campaign = run(campaign)
    submit(campaign, Side.EGYPTIAN, marches(campaign, Side.EGYPTIAN), salt="5a" * 20)
    UmpireLogEntry.objects.create(campaign=campaign, by="clock", said="It was late.", month=3)
    return campaign


def elsewhere(campaign: Campaign, *, with_secret: bool = True) -> Campaign:
    return archive.import_campaign(exported(campaign, with_secret=with_secret), slug="copy")


def seats(campaign: Campaign) -> list[tuple[object, ...]]:
    sides = campaign.seats.filter(role__in=list(Side)).order_by("pk")
    return list(sides.values_list("role", "name", "staff", "command"))


def sheets(campaign: Campaign) -> list[tuple[object, ...]]:
    return list(campaign.sheets.order_by("pk").values_list(*SHEET, "seat__name", "seat__role"))


def receipts(campaign: Campaign) -> list[tuple[object, ...]]:
    rows = Receipt.objects.filter(sheet__campaign=campaign).order_by("pk")
    return list(rows.values_list("kind", "revision", "hash", "reading", "carried", "created"))


def known(campaign: Campaign) -> list[tuple[object, ...]]:
    rows = campaign.knowledge.values_list("branch", "month", "side", "document")
    return [(*row, unpack(document)) for *row, document in rows]


def umpire_log(campaign: Campaign) -> list[tuple[object, ...]]:
    return list(campaign.umpire_log.values_list("by", "said", "month", "created"))


def test_settings_seats_sheets_receipts_and_umpire_log_come_back(foggy: Campaign) -> None:
    copy = elsewhere(foggy)
    for name in bundle.SettingsPart.__struct_fields__:
        assert getattr(copy, name) == getattr(foggy, name)
    assert copy.fog
    assert copy.deadline_policy == POLICY
    assert seats(copy) == seats(foggy)
    assert len(seats(copy)) == 4
    assert sheets(copy) == sheets(foggy)
    assert receipts(copy) == receipts(foggy)
    assert {kind for kind, *_ in receipts(copy)} == {"saved", "submitted", "carried out"}
    assert umpire_log(copy) == umpire_log(foggy)
    assert audit.replay_check(copy).entries == foggy.entries.count()
    assert audit.verify_dice(copy) == audit.verify_dice(foggy)


def test_what_each_side_knows_in_the_fog_comes_back_on_every_branch(foggy: Campaign) -> None:
    entry = foggy.entries.filter(month=foggy.first_month)[20]
    creation.branch_from(foggy.pk, entry, reason="A slip.", by="umpire:umpire")
    foggy = run(Campaign.objects.get(pk=foggy.pk))
    copy = elsewhere(foggy)
    assert known(copy) == known(foggy)
    assert {branch for branch, *_ in known(copy)} == {0, 1}
    audit.replay_check(copy)
    audit.verify_dice(copy)


def test_with_its_secret_the_month_that_was_ordered_runs_the_same(foggy: Campaign) -> None:
    copy = elsewhere(foggy)
    assert journal_hashes(run(foggy)) == journal_hashes(run(copy))
    assert receipts(copy)[-1][4] == receipts(foggy)[-1][4]
    audit.verify_dice(copy)


def test_a_campaign_that_was_rewound_to_its_end_comes_back(foggy: Campaign, people: People) -> None:
    state = selectors.state_now(foggy)
    ruling = Ruled("Peace.", end(state, None, "Peace."))
    ended = rulings.rule(foggy.pk, people.umpire, ruling)
    before = foggy.entries.get(branch=0, number=ended.number - 1)
    rewind.rewind_to(foggy.pk, people.umpire, before, reason="The war goes on.")
    foggy = Campaign.objects.get(pk=foggy.pk)
    submit(foggy, Side.EGYPTIAN, marches(foggy, Side.EGYPTIAN))
    rewind.rewind_to(foggy.pk, people.umpire, ended, reason="Peace after all.")
    foggy = Campaign.objects.get(pk=foggy.pk)
    copy = elsewhere(foggy)
    assert copy.finished
    assert sheets(copy) == sheets(foggy)


def test_no_person_is_in_the_file_and_all_seats_are_vacant(foggy: Campaign, people: People) -> None:
    holder = User.objects.create_user("xenophon", email="xenophon@example.org")
    Seat.objects.filter(campaign=foggy, name="Emir of the East").update(user=holder)
    OrderSheet.objects.filter(campaign=foggy).update(by=holder)
    offer = SeatOffer("mahdist", command=("gezira",), email="asked@example.org")
    invitation, _ = invite(foggy.pk, people.umpire, offer)
    text = b"".join(parts_of(exported(foggy, with_secret=True)).values()).decode()
    for word in ("xenophon", "asked@example.org", invitation.token_hash):
        assert word not in text
    copy = elsewhere(foggy)
    assert set(copy.seats.values_list("user", flat=True)) == {None}
    assert not copy.invitations.exists()
    assert set(copy.sheets.values_list("by", flat=True)) == {None}


def test_without_the_secret_no_sheet_of_an_open_month_is_told(foggy: Campaign) -> None:
    text = b"".join(parts_of(exported(foggy)).values()).decode()
    ahead = foggy.sheets.get(month=foggy.month)
    assert ahead.salt not in text
    assert all(receipt.hash not in text for receipt in ahead.receipts.all())
    copy = elsewhere(foggy, with_secret=False)
    assert set(copy.sheets.values_list("month", flat=True)) == {foggy.first_month}
    assert copy.branch == 1
    on = run(copy)
    audit.verify_dice(on)
    audit.replay_check(on)


def test_without_the_secret_no_sheet_that_a_rewind_has_copied_is_told(
    foggy: Campaign, people: People
) -> None:
    """The dice of the month that was abandoned are public; its orders are those of the new one."""
    foggy.refresh_from_db()
    beginning = foggy.head
    assert beginning is not None
    advance.run_phase(foggy.pk)
    rewind.rewind_to(foggy.pk, people.umpire, beginning, reason="A slip.")
    foggy.refresh_from_db()
    assert foggy.seals.get(branch=0, month=foggy.month).link
    told = parts_of(exported(foggy))[bundle.SHEETS].splitlines()
    assert {json.loads(line)["month"] for line in told} == {foggy.first_month}
    with_secret = parts_of(exported(foggy, with_secret=True))[bundle.SHEETS].splitlines()
    assert len(with_secret) == foggy.sheets.count()


def test_an_adjourned_campaign_stays_adjourned_and_its_new_deadline_stands_still(
    foggy: Campaign,
) -> None:
    Campaign.objects.filter(pk=foggy.pk).update(adjourned=True)
    copy = elsewhere(foggy)
    assert copy.adjourned
    deadline = copy.deadlines.get(done=None)
    assert deadline.paused is not None
    assert deadline.due > timezone.now()


def test_a_march_half_carried_out_goes_on_under_the_same_seat(foggy: Campaign) -> None:
    seat = seat_of(foggy, Side.EGYPTIAN)
    kept = pack(encode(StoredProgress(marching=MarchProgress(seat.pk, 2, leg=1))))
    foggy.sheets.filter(seat=seat, month=foggy.month).update(progress=kept)
    copy = elsewhere(foggy)
    there = copy.sheets.get(month=copy.month)
    marching = decode(unpack(there.progress), StoredProgress).marching
    assert marching is not None
    assert (marching.seat, marching.order, marching.leg) == (there.seat_id, 2, 1)
    assert there.seat_id != seat.pk


def by_thrown_dice(people: People) -> Campaign:
    """Return a campaign that waits for the two dice of its first random event."""
    campaign = orders_campaign(people)
    throw_by_hand(campaign.pk, people.umpire, yes=True)
    campaign_session.perform(campaign.pk, "umpire", Done())
    with pytest.raises(dice.DiceAwaited):
        campaign_session.perform(campaign.pk, "umpire", Done(), key="once")
    return Campaign.objects.get(pk=campaign.pk)


def test_an_action_that_waits_for_dice_waits_for_the_same(people: People) -> None:
    campaign = by_thrown_dice(people)
    file = exported(campaign, with_secret=True)
    copy = archive.import_campaign(file, slug="copy", umpire=people.umpire)
    here, there = dice.waiting_throw(campaign), dice.waiting_throw(copy)
    assert here is not None
    assert there is not None
    names = ("actor", "key", "faces", "count", "sides", "reason", "clause")
    assert [getattr(there, name) for name in names] == [getattr(here, name) for name in names]
    assert serialization.action_in(there.action) == Done()
    assert dice.waiting_throw(elsewhere_without_secret(campaign)) is None
    for one in (campaign, copy):
        assert type_in(one.pk, people.umpire, (6, 5)) is None
    assert journal_hashes(copy) == journal_hashes(campaign)


def elsewhere_without_secret(campaign: Campaign) -> Campaign:
    return archive.import_campaign(exported(campaign), slug="without")


def with_lines(file: io.BytesIO, name: str, change: Callable[[list[Any]], None]) -> io.BytesIO:
    """Return the file with other lines in that part, and the manifest's hash of it put right."""
    parts = parts_of(file)
    found = [json.loads(line) for line in parts[name].splitlines()]
    change(found)
    lines = b"".join(json.dumps(one, separators=(",", ":")).encode() + b"\n" for one in found)
    manifest = json.loads(parts[bundle.MANIFEST])
    manifest["sha256"][name] = digest(lines)
    return zipped(parts | {name: lines, bundle.MANIFEST: json.dumps(manifest).encode()})


def _first(**fields: object) -> Callable[[list[Any]], None]:
    return lambda lines: lines[0].update(fields)


DEEP = {"marching": {"seat": 0, "order": -1}}
MAD_SHEETS: dict[str, tuple[Callable[[list[Any]], None], str]] = {
    "an unknown seat": (_first(seat=9), "of seat 9, which is not in it"),
    "a month that never was": (_first(month=900_000), "to which branch 0 never came"),
    "an unknown branch": (_first(branch=4), "to which branch 4 never came"),
    "another document": (_first(document={"orders": []}), "not the sheet that its receipts seal"),
    "another salt": (_first(salt="00" * 16), "not the sheet that its receipts seal"),
    "a salt that is none": (_first(salt="xyz"), "sheets.jsonl, line 1 in the file cannot be read"),
    "no sheet": (_first(document=[1]), "This is no order sheet"),
    "no order": (_first(document={"orders": [{"type": "fly"}]}), "This is no order sheet"),
    "an order before the first": (_first(progress=DEEP), "marches by an order that is not in it"),
    "a field too many": (_first(by="somebody"), "unknown field `by`"),
    "a day without a zone": (_first(submitted="1884-03-01T00:00:00"), "sheets.jsonl, line 1"),
    "a day before all days": (_first(begun="0001-01-01T00:00:00+14:00"), "in no time of ours"),
    "the same sheet twice": (lambda lines: lines.append(lines[0]), "do not fit together"),
    "a receipt of another kind": (
        lambda lines: lines[0]["receipts"][0].update(kind="lost"),
        "sheets.jsonl, line 1",
    ),
    "a fate that is none": (
        lambda lines: lines[0]["receipts"][-1]["carried"][0].update(outcome="perhaps"),
        "sheets.jsonl, line 1",
    ),
}


def stored() -> list[int]:
    """Return how many rows there are of each kind that an archive brings."""
    kinds = (Seat, OrderSheet, Receipt, UmpireLogEntry, Knowledge)
    return [kind.objects.count() for kind in kinds]


def refused_whole(file: io.BytesIO, told: str) -> None:
    before = [
        kind.objects.count() for kind in (Seat, OrderSheet, Receipt, UmpireLogEntry, Knowledge)
    ]
    refused(file, told)
    after = [
        kind.objects.count() for kind in (Seat, OrderSheet, Receipt, UmpireLogEntry, Knowledge)
    ]
    assert after == before


def test_mad_sheets_are_refused_and_nothing_is_kept(foggy: Campaign) -> None:
    file = exported(foggy, with_secret=True)
    for change, told in MAD_SHEETS.values():
        refused_whole(with_lines(file, bundle.SHEETS, change), told)


def _settings(**fields: object) -> Callable[[Any], None]:
    return lambda manifest: manifest["settings"].update(fields)


MAD_MANIFESTS: dict[str, tuple[Callable[[Any], None], str]] = {
    "an unknown mode": (_settings(mode="chess"), "not by 'chess'"),
    "deadlines nobody can keep": (
        _settings(deadline_policy={"days": 0}),
        "`days` must be at least 1",
    ),
    "a zone that is none": (_settings(deadline_policy={"zone": "Moon"}), "no time zone 'Moon'"),
    "a policy of more": (_settings(deadline_policy={"bribes": 1}), "deadlines of the campaign"),
    "a delay without end": (_settings(public_delay=10**12), "public_delay"),
    "a seat for an umpire": (lambda m: m["seats"][0].update(role="umpire"), "campaign.json"),
    "a name without end": (lambda m: m["seats"][0].update(name="x" * 61), "campaign.json"),
    "a name with a zero": (lambda m: m["seats"][0].update(name="a\0b"), "campaign.json"),
    "no seats": (lambda m: m.update(seats=[]), "which is not in it"),
    "a throw for nothing": (
        lambda m: m.update(throw={"actor": "x", "action": {"type": "fly"}, "faces": []}),
        "cannot be read",
    ),
    "a format to come": (lambda m: m.update(format=5, more=1), "of format 5, this program reads"),
    "a way of letters that is none": (_settings(letter_post="by bird"), "letter_post"),
}


def test_a_mad_manifest_is_refused_and_nothing_is_kept(foggy: Campaign) -> None:
    file = exported(foggy, with_secret=True)
    for change, told in MAD_MANIFESTS.values():
        refused_whole(changed(file, change), told)


LETTER = (
    "branch", "month", "text", "hexes", "orders", "created", "sender__role", "sender__name",
    "copies__seat__role", "copies__seat__name", "copies__arrival_month", "copies__arrived",
    "copies__read", "copies__lost",
)  # fmt: skip


def post_letters(campaign: Campaign, people: People) -> None:
    """Write one letter with orders and a place that is read, and one by courier that is lost."""
    own = {role: campaign.seats.get(role=role, user__isnull=False) for role in PLAYERS}
    egyptian, mahdist, umpire = (own[role].pk for role in PLAYERS)
    khartoum = sudan().place("Khartoum").hex
    read = letters.LetterDraft(
        egyptian, [umpire, mahdist], "Hold.\nThe river falls.", [khartoum], with_orders=True
    )
    letters.send_letter(campaign.pk, people.egyptian, read)
    for one in access.letters_for(campaign, people.mahdist):
        letters.mark_read(campaign, people.mahdist, one)
    letters.set_letter_post(campaign.pk, people.umpire, Campaign.LetterPost.BY_COURIER)
    lost = letters.LetterDraft(mahdist, [egyptian], "Yield, and go free.")
    copy = letters.send_letter(campaign.pk, people.mahdist, lost).copies.get()
    letters.route_copy(campaign.pk, people.umpire, copy.pk, to="lose")
    campaign.refresh_from_db()


def posted(campaign: Campaign) -> list[tuple[object, ...]]:
    return list(campaign.letters.order_by("pk", "copies__pk").values_list(*LETTER))


def test_letters_come_back_with_the_secret_or_after_the_end(
    foggy: Campaign, people: People
) -> None:
    post_letters(foggy, people)
    copy = elsewhere(foggy)
    assert posted(copy) == posted(foggy)
    assert len(posted(copy)) == 3
    assert copy.letter_post == Campaign.LetterPost.BY_COURIER
    assert copy.seats.get(role="umpire").user is None
    file = exported(foggy, with_secret=True)
    mine = archive.import_campaign(file, slug="mine", umpire=people.umpire)
    assert mine.seats.get(role="umpire").user == people.umpire
    assert not posted(archive.import_campaign(exported(foggy), slug="without"))
    Campaign.objects.filter(pk=foggy.pk).update(finished=True)
    assert len(parts_of(exported(foggy))[bundle.LETTERS].splitlines()) == 2


def test_mad_letters_are_refused_and_nothing_is_kept(foggy: Campaign, people: People) -> None:
    post_letters(foggy, people)
    file = exported(foggy, with_secret=True)
    for change, told in {
        "an unknown sender": (_first(sender=9), "names a seat that is not in it"),
        "an unknown reader": (
            lambda lines: lines[0]["copies"][0].update(seat=9),
            "names a seat that is not in it",
        ),
        "an unknown branch": (_first(branch=7), "names no branch or hex"),
        "a hex off the map": (_first(hexes=[9_999]), "names no branch or hex"),
        "too many places": (_first(hexes=[2042] * 13), "letters.jsonl, line 1"),
        "an unseen character": (_first(text="a\0b"), "letters.jsonl, line 1"),
    }.values():
        refused_whole(with_lines(file, bundle.LETTERS, change), told)


@pytest.mark.parametrize("field", range(4, 46, 2))
def test_a_mad_table_of_contents_is_refused_or_harmless(campaign: Campaign, field: int) -> None:
    """Every field of the zip file's own entry for its first part, one after another."""
    data = bytearray(exported(campaign).getvalue())
    at = data.index(b"PK\x01\x02") + field
    data[at : at + 2] = b"\xd3\xd3"
    try:
        copy = archive.import_campaign(io.BytesIO(data), slug="copy")
    except journal.Refused:
        assert Campaign.objects.count() == 1
    else:
        assert copy.document_hash == campaign.document_hash


def test_mad_log_entries_are_refused(foggy: Campaign) -> None:
    file = exported(foggy)
    refused_whole(
        with_lines(file, bundle.UMPIRE_LOG, _first(said="x" * (LONGEST_NOTE + 1))),
        "umpire_log.jsonl, line 1",
    )


@pytest.mark.parametrize("name", [bundle.SHEETS, bundle.UMPIRE_LOG])
def test_sheets_and_umpire_log_are_parts_that_must_be_there(foggy: Campaign, name: str) -> None:
    parts = parts_of(exported(foggy))
    refused_whole(zipped({one: data for one, data in parts.items() if one != name}), name)
    refused_whole(
        zipped(parts | {name: parts[name] + b"{}\n"}), f"{name} in the file has been altered"
    )


def test_an_action_that_wants_no_dice_does_not_wait(people: People) -> None:
    file = exported(by_thrown_dice(people), with_secret=True)
    for faces, told in (
        ([6] * 500, "wants others than there are"),
        ([77], "wants others than there are"),
        ([77, 1], "cannot be"),
    ):
        refused(changed(file, _faces(faces)), told)


def _faces(faces: list[int]) -> Callable[[Any], None]:
    return lambda manifest: manifest["throw"].update(faces=faces)
