"""The books side by side: one battle by each of them and by the campaign's own table."""

import json
from math import sqrt
from pathlib import Path

import msgspec
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

import campaign.tasks  # noqa: F401  a task that is known runs at once in a test
from battles.contract import Brief, Nation, Side, TroopKind
from battles.contract.book import books
from battles.contract.brief_files import find_ready_battle, ready_battles
from battles.core.decoding import encode
from battles.models import Battle
from battles.services import start
from campaign.models import Comparison
from campaign.rules.core.state import COMBAT_TABLE
from campaign.services import comparisons, errors, job_lease
from campaign.services.comparisons import bouts_of
from campaign.simulations import battle_comparison
from campaign.simulations.battle_comparison import (
    ComparedBattle,
    book_and_number,
    book_results,
    bout,
    title_of,
    ways,
)
from tests.people import People, logged_in
from tests.redcoats_commander.armies import FOLDER, meeting, troop


def small() -> Brief:
    return meeting(
        [troop(1, TroopKind.INFANTRY, strength=3), troop(2, TroopKind.INFANTRY, strength=3)],
        [troop(number, TroopKind.SPEARS, Nation.MAHDIST, strength=4) for number in (3, 4, 5)],
        attacker=Side.MAHDIST,
    )


def test_every_book_is_a_way_and_the_table_is_the_last() -> None:
    assert ways() == (*books(), COMBAT_TABLE)
    assert len({title_of(way) for way in ways()}) == len(ways())


@pytest.mark.parametrize("way", ways())
def test_a_battle_comes_out_the_same_by_its_number(way: str) -> None:
    first = bout(small(), way, 7, 1)
    assert first == bout(small(), way, 7, 1)
    assert not first.fault
    assert 0 <= first.egyptian <= 1
    assert 0 <= first.mahdist <= 1


def test_a_book_that_cannot_set_a_battle_out_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_args: object) -> None:
        raise ValueError("There is no room for so many.")

    monkeypatch.setattr(battle_comparison, "_fight_once", refused)
    assert bout(small(), COMBAT_TABLE, 1, 1).fault == "There is no room for so many."
    told = book_results(
        ("combat-table",), [ComparedBattle(fault="There is no room for so many.")] * 2
    )
    assert (told[0].battles, told[0].fault) == (0, "There is no room for so many.")


@pytest.mark.parametrize("tactical", range(-5, 6))
@pytest.mark.parametrize("nation", [Nation.BRITISH, Nation.MAHDIST])
def test_a_leader_of_any_rating_fights_by_the_table(tactical: int, nation: Nation) -> None:
    """The leaders of the book have 0 or 1; a brief may have one from -5 to 5."""
    leader = msgspec.structs.replace(
        troop(6, TroopKind.LEADER, nation), name="Somebody", strength=0, tactical=tactical
    )
    before = small()
    party = before.party(nation.side)
    led = msgspec.structs.replace(party, troops=(*party.troops, leader))
    attacks = before.attacker.side is nation.side
    brief = msgspec.structs.replace(before, **{"attacker" if attacks else "defender": led})
    assert not bout(brief, COMBAT_TABLE, 7, 1).fault


def test_ways_fight_in_turn_and_shares_are_of_each_alone() -> None:
    of = ("redcoats", COMBAT_TABLE)
    assert [book_and_number(place, of) for place in range(4)] == [
        ("redcoats", 1),
        (COMBAT_TABLE, 1),
        ("redcoats", 2),
        (COMBAT_TABLE, 2),
    ]
    bouts = [
        ComparedBattle("egyptian", 0.1, 0.5, 8),
        ComparedBattle("mahdist", 0.9, 0.0),
        ComparedBattle("nobody", 0.3, 0.5, 10),
        ComparedBattle("mahdist", 0.7, 0.0),
    ]
    first, table = book_results(of, bouts)
    assert (first.battles, table.battles) == (2, 2)
    assert [first.won[name].mean for name in ("egyptian", "mahdist", "nobody")] == [0.5, 0, 0.5]
    assert first.lost["egyptian"].mean == pytest.approx(0.2)
    assert first.lost["egyptian"].error == pytest.approx(0.1)
    assert first.turns is not None
    assert first.turns.mean == 9
    assert table.won["mahdist"].mean == 1
    assert table.won["mahdist"].error == pytest.approx(sqrt((4 / 6) * (2 / 6) / 6))
    assert table.turns is None


def test_battles_are_the_same_whoever_fights_them() -> None:
    alone = list(battle_comparison.bouts(small(), 2, seed=3))
    assert len(alone) == 2 * len(ways())
    assert list(battle_comparison.bouts(small(), 2, seed=3, workers=2)) == alone


def test_the_command_prints_a_line_to_each_way_and_historys(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    brief, out = FOLDER / "kirbekan.toml", tmp_path / "all.json"
    call_command("compare", str(brief), battles=1, workers=1, json=out)
    told = capsys.readouterr().out
    for way in ways():
        assert title_of(way) in told
    assert "in history" in told
    assert len(json.loads(out.read_text())["battles"]) == len(ways())


@pytest.mark.parametrize(
    ("given", "said"),
    [({"battles": 0}, "give a number from 1"), ({"brief": "nowhere.toml"}, "cannot be read")],
)
def test_the_command_says_what_it_cannot_do(given: dict[str, object], said: str) -> None:
    options = {"brief": str(FOLDER / "kirbekan.toml"), "battles": 1} | given
    with pytest.raises(CommandError, match=said):
        call_command("compare", options.pop("brief"), **options)


def wish(each: int = 2, slug: str = "") -> comparisons.ComparisonTerms:
    return comparisons.ComparisonTerms(small(), each, slug)


@pytest.mark.django_db(transaction=True)
def test_a_comparison_is_fought_from_end_to_end(people: People) -> None:
    comparison = comparisons.request_comparison(people.umpire, wish())
    total = 2 * len(ways())
    assert (comparison.status, comparison.progress, comparison.total) == ("succeeded", total, total)
    assert all(one.battles == 2 for one in book_results(comparison.ways, bouts_of(comparison)))
    again = comparisons.request_comparison(people.umpire, wish())
    assert encode(bouts_of(again)) == encode(bouts_of(comparison))


@pytest.mark.django_db(transaction=True)
def test_it_gives_way_after_a_slice_and_goes_on(
    people: People, no_worker: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_lease, "SLICE", 0)
    comparison, done = comparisons.request_comparison(people.umpire, wish()), 0
    while comparisons.run_comparison(comparison.uuid) is job_lease.Claim.MORE:
        done += 1
        comparison.refresh_from_db()
        assert (comparison.status, comparison.progress) == ("pending", done)
        again = comparisons.run_comparison(comparison.uuid, expected=done - 1)
        assert again is job_lease.Claim.NOTHING
    comparison.refresh_from_db()
    assert comparison.status == "succeeded"


@pytest.mark.django_db(transaction=True)
def test_one_asks_for_one_at_a_time_and_stops_his_own(people: People, no_worker: None) -> None:
    comparison = comparisons.request_comparison(people.umpire, wish())
    with pytest.raises(errors.UnderWay):
        comparisons.request_comparison(people.umpire, wish())
    with pytest.raises(errors.NotAllowed):
        comparisons.stop_comparison(people.egyptian, comparison)
    comparisons.stop_comparison(people.umpire, comparison)
    assert comparisons.run_comparison(comparison.uuid) is job_lease.Claim.NOTHING
    comparisons.request_comparison(people.umpire, wish())


@pytest.mark.django_db(transaction=True)
def test_the_page_stops_nothing_of_others_and_nothing_that_is_over(people: People) -> None:
    history = ready_battles()[0].slug
    comparison = comparisons.request_comparison(people.umpire, wish(slug=history))
    address = reverse("stop-comparison", args=[comparison.uuid])
    assert logged_in(people.egyptian).post(address).status_code == 403
    page = logged_in(people.umpire).post(address, follow=True).content.decode()
    assert "It was over before it could be stopped." in page
    comparison.refresh_from_db()
    assert comparison.status == "succeeded"


@pytest.mark.django_db
@pytest.mark.parametrize("each", [0, 1, 501])
def test_so_few_or_so_many_battles_are_not_fought(people: People, each: int) -> None:
    with pytest.raises(errors.UnfitRequest, match="2 to 500"):
        comparisons.request_comparison(people.umpire, wish(each))


@pytest.mark.django_db(transaction=True)
def test_the_page_has_every_battle_of_history_and_what_was_counted(people: People) -> None:
    past = [one for one in ready_battles() if one.written.history is not None]
    page = Client().get(reverse("compared")).content.decode()
    assert page.count("Not compared yet.") == len(past)
    assert all(one.brief.title in page for one in past)
    comparisons.request_comparison(people.umpire, wish(slug=past[0].slug))
    page = Client().get(reverse("compared")).content.decode()
    assert page.count("Not compared yet.") == len(past) - 1
    assert "in history" in page
    for way in ways():
        assert title_of(way) in page


@pytest.mark.django_db(transaction=True)
def test_a_comparison_of_ones_own_is_ones_own_and_of_history_everybodys(people: People) -> None:
    own = comparisons.request_comparison(people.umpire, wish())
    known = comparisons.request_comparison(people.umpire, wish(slug=ready_battles()[0].slug))
    assert Client().get(reverse("comparison", args=[own.uuid])).status_code == 404
    assert logged_in(people.egyptian).get(reverse("comparison", args=[own.uuid])).status_code == 404
    assert logged_in(people.umpire).get(reverse("comparison", args=[own.uuid])).status_code == 200
    assert Client().get(reverse("comparison", args=[known.uuid])).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_a_battle_is_chosen_and_asked_for(people: People, no_worker: None) -> None:
    client = logged_in(people.umpire)
    sent = {"battle": "kirbekan", "each": "20", "seed": "3"}
    answer = client.post(reverse("compare"), sent)
    comparison = Comparison.objects.get()
    assert answer["Location"] == reverse("comparison", args=[comparison.uuid])
    assert (comparison.offer, comparison.each, comparison.seed) == ("kirbekan", 20, 3)
    page = client.get(answer["Location"]).content.decode()
    assert "it will start shortly" in page
    assert client.post(reverse("compare"), sent).status_code == 400
    stopped = client.post(reverse("stop-comparison", args=[comparison.uuid]), follow=True)
    assert "what was fought is kept" in stopped.content.decode()


@pytest.mark.django_db(transaction=True)
def test_a_brief_of_ones_own_goes_before_the_choice(people: People, no_worker: None) -> None:
    client = logged_in(people.umpire)
    text = (FOLDER / "abu-kru.toml").read_bytes().replace(b"Abu Kru", b"Our own battle")
    own = SimpleUploadedFile("own.toml", text)
    client.post(reverse("compare"), {"battle": "kirbekan", "each": 20, "seed": 1, "brief": own})
    comparison = Comparison.objects.get()
    assert (comparison.title, comparison.offer) == ("Our own battle", "")


@pytest.mark.django_db
@pytest.mark.parametrize("text", [b"title = 3", b"\xff\xfe", b"x" * 300_000])
def test_a_file_that_is_no_brief_is_refused_with_its_reason(people: People, text: bytes) -> None:
    file = SimpleUploadedFile("own.toml", text)
    sent = {"battle": "kirbekan", "each": 20, "seed": 1, "brief": file}
    answer = logged_in(people.umpire).post(reverse("compare"), sent)
    assert answer.status_code == 400
    assert "errorlist" in answer.content.decode()
    assert not Comparison.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_battle_one_sees_can_be_put_through_every_book(people: People, no_worker: None) -> None:
    chosen = find_ready_battle("kirbekan")
    assert chosen is not None
    battle = start(people.umpire, chosen.brief, "redcoats", Battle.Way.TABLETOP)
    address = f"{reverse('compare')}?of={battle.uuid}"
    client = logged_in(people.umpire)
    assert "Kirbekan by every book" in client.get(address).content.decode()
    client.post(address, {"each": 20, "seed": 1})
    assert Comparison.objects.get().title == chosen.brief.title
    assert logged_in(people.egyptian).get(address).status_code == 404
