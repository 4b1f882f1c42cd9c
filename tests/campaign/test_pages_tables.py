"""The pages of tables: taken by anybody, changed and kept by their owner, refused with the line."""

import re
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from campaign.models import Campaign, OwnTables
from campaign.rules.tables.book import book
from campaign.rules.tables.editions import shipped_edition
from campaign.serialization import edition_of
from campaign.services.journal import creation, rules_edition
from tests.own_tables import SIEGE, halted, text
from tests.people import People

HOLE = ("low = 3\nhigh = 3", "low = 4\nhigh = 4")
NAMES = (*book().names, "relief-of-el-obeid", SIEGE)


@pytest.fixture
def umpire(people: People, client: Client) -> Client:
    client.force_login(people.umpire)
    return client


@pytest.fixture
def own(people: People) -> OwnTables:
    texts = {"march": halted(), SIEGE: text(SIEGE, ("count = 5 }", "count = 7 }"))}
    return rules_edition.name_tables(people.umpire, "Halted", texts)


def words(response: Any) -> str:
    """Return the page's text without its tags."""
    plain = re.sub(r"<[^>]*>", "", response.content.decode())
    return re.sub(r"\s+", " ", unescape(plain))


def fields(response: Any) -> list[str]:
    """Return the contents of the fields for texts."""
    found = re.findall(r"<textarea[^>]*>\n(.*?)</textarea>", response.content.decode(), re.DOTALL)
    return [unescape(one) for one in found]


def upload(name: str, said: str | bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, said.encode() if isinstance(said, str) else said)


def keep(client: Client, **form: object) -> HttpResponse:
    response = client.post(reverse("new-tables"), {"name": "Mine", **form})
    assert isinstance(response, HttpResponse)
    return response


@pytest.mark.parametrize("name", NAMES)
def test_anybody_downloads_every_table_and_scenario(db: None, client: Client, name: str) -> None:
    response = client.get(reverse("shipped-file", args=[name]))
    assert response.content.decode() == shipped_edition().text(name)
    assert response["Content-Disposition"] == f'attachment; filename="{name}.toml"'


def test_every_table_has_its_link_on_the_rules_page_and_in_the_list(
    db: None, client: Client
) -> None:
    rules, tables = (client.get(reverse(name)).content.decode() for name in ("rules", "tables"))
    for name in NAMES:
        address = f'href="{reverse("shipped-file", args=[name])}"'
        assert address in tables
        assert (address in rules) == (name in book().names)


@pytest.mark.parametrize("name", ["weather", "__init__"])
def test_there_is_no_other_file(db: None, client: Client, name: str) -> None:
    response = client.get(reverse("shipped-file", args=[name]))
    assert response.status_code == 404
    assert "no table" in words(response)


@pytest.mark.parametrize("name", ["own-tables", "own-file", "delete-tables"])
@pytest.mark.parametrize("who", ["egyptian", "stranger", "nobody"])
def test_a_set_is_its_owners_alone(
    people: People, own: OwnTables, client: Client, who: str, name: str
) -> None:
    if who != "nobody":
        client.force_login(getattr(people, who))
    address = reverse(name, args=[own.pk, *(["march"] if name == "own-file" else [])])
    response = client.post(address) if name == "delete-tables" else client.get(address)
    assert response.status_code == (302 if who == "nobody" else 404)
    assert own.name not in client.get(reverse("tables")).content.decode()
    assert OwnTables.objects.filter(pk=own.pk).exists()


def test_a_changed_table_is_uploaded_and_kept(umpire: Client) -> None:
    response = keep(umpire, files=[upload("march (1).toml", halted())])
    own = OwnTables.objects.get()
    assert (own.name, own.owner.username) == ("Mine", "umpire")
    assert response["Location"] == reverse("own-tables", args=[own.pk])
    page = words(umpire.get(response["Location"]))
    assert "March table umpire" in page
    assert "march, 50% no march" in page


def test_several_tables_are_uploaded_at_once_and_others_written_here(umpire: Client) -> None:
    files = [upload("a.toml", halted()), upload("b.toml", text("terrain", ("= 2", "= 3")))]
    written = text("numbers", ("number = 11", "number = 10"))
    keep(umpire, files=files, file=["numbers.toml"], text=[written])
    page = words(umpire.get(reverse("tables")))
    assert "March table, Numbers of the rules" in page or "Movement points to enter a hex" in page
    edition = edition_of(OwnTables.objects.get().tables.digest)
    assert edition.text("numbers") == written


@pytest.mark.parametrize(
    ("change", "line", "reason"),
    [
        (HOLE, 27, "nothing covers 3"),
        (("low = 4\n", "low = 3\n"), 34, "3 is covered by this row and by the one before"),
        (('mahdist = "march, 50%"', 'mahdist = "run"'), 16, "'run' is not known as `mahdist`"),
        (("high = 0", "high = = 0"), 8, "this is not TOML"),
    ],
)
def test_a_wrong_table_is_refused_with_line_and_reason_and_stays_in_the_form(
    umpire: Client, change: tuple[str, str], line: int, reason: str
) -> None:
    said = text("march", change)
    response = keep(umpire, files=[upload("march.toml", said)])
    assert response.status_code == 400
    assert f"march.toml, line {line}: {reason}" in words(response)
    assert fields(response) == [said]
    assert 'value="Mine"' in response.content.decode()
    assert not OwnTables.objects.exists()
    again = keep(
        umpire, file=["march.toml"], text=[text("march", ("high = 0", "high = 0 # mended"))]
    )
    assert "differs" in words(again)
    assert keep(umpire, file=["march.toml"], text=[halted()]).status_code == 302


def test_an_unknown_effect_is_refused_with_its_line(umpire: Client) -> None:
    said = text("events_mahdist", ('type = "lose"', 'type = "rain"'))
    line = 1 + said.splitlines().index(next(row for row in said.splitlines() if '"rain"' in row))
    page = words(keep(umpire, files=[upload("events.toml", said)]))
    assert f"events.toml, line {line}: 'rain' is not known as `type`" in page


def test_a_file_uploaded_again_takes_the_place_of_the_wrong_one(umpire: Client) -> None:
    wrong = text("march", HOLE)
    response = keep(
        umpire, file=["march.toml"], text=[wrong], files=[upload("mended.toml", halted())]
    )
    assert response.status_code == 302


def test_windows_line_ends_and_a_byte_order_mark_do_no_harm(umpire: Client) -> None:
    said = "\ufeff" + halted().replace("\n", "\r\n")
    assert keep(umpire, files=[upload("march.toml", said)]).status_code == 302


@pytest.mark.parametrize(
    ("file", "told"),
    [
        (upload("notes.toml", "nothing = 1"), "does not say which table it is"),
        (upload("march.toml", b"\xff\xfe\x00"), "march.toml is not a text in UTF-8"),
        (upload("march.toml", "#" * 70_000), "march.toml is larger than 64 KB"),
        (upload("march.toml", 'id = "march"\nx = ' + "[" * 9000), "larger or deeper"),
        (upload("march.toml", 'id = "march"\nx = ' + "9" * 9000), "larger or deeper"),
    ],
)
def test_a_file_that_is_no_table_is_refused_and_the_others_stay(
    umpire: Client, file: SimpleUploadedFile, told: str
) -> None:
    response = keep(umpire, file=["march.toml"], text=[halted()], files=[file])
    assert response.status_code == 400
    assert told in words(response)
    assert "march" in "".join(fields(response))
    assert not OwnTables.objects.exists()


def test_tables_that_do_not_agree_with_each_other_are_refused(umpire: Client) -> None:
    said = text("leaders", ('name = "Wolseley"', 'name = "Roberts"'))
    response = keep(umpire, files=[upload("leaders.toml", said)])
    assert "These tables do not work together. siege-of-khartoum/scenario.toml, line" in words(
        response
    )
    assert fields(response) == [said]


def test_a_set_without_a_name_is_refused_and_stays_in_the_form(umpire: Client) -> None:
    response = keep(umpire, name=" ", file=["march.toml"], text=[halted()])
    assert "Give the set a name" in words(response)
    assert fields(response) == [halted()]


def test_a_table_is_laid_beside_the_others_as_shipped(umpire: Client) -> None:
    wrong = text("march", HOLE)
    form = {"file": ["march.toml"], "text": [wrong], "table": "terrain", "lay": "yes"}
    response = keep(umpire, **form)
    assert response.status_code == 200
    assert fields(response) == [wrong, shipped_edition().text("terrain")]


def test_a_set_is_changed_further(umpire: Client, own: OwnTables) -> None:
    response = umpire.get(reverse("new-tables"), {"like": own.pk})
    assert fields(response) == [halted(), text(SIEGE, ("count = 5 }", "count = 7 }"))]


@pytest.mark.parametrize("query", ["?like=999999999999999999999", "?like=7", "?like=x", "?table=x"])
def test_a_strange_address_is_no_failure(umpire: Client, query: str) -> None:
    assert umpire.get(reverse("new-tables") + query).status_code in (200, 404)


def test_a_set_is_struck_off(umpire: Client, own: OwnTables) -> None:
    response = umpire.post(reverse("delete-tables", args=[own.pk]), follow=True)
    assert "Halted is deleted" in words(response)
    assert not OwnTables.objects.exists()


def test_a_campaign_is_begun_by_a_set(umpire: Client, own: OwnTables) -> None:
    page = umpire.get(reverse("new"), {"tables": own.pk}).content.decode()
    assert f'<option value="{own.pk}" selected>Halted</option>' in page
    umpire.post(reverse("new"), {"scenario": SIEGE, "title": "Slow", "tables": own.pk})
    assert Campaign.objects.get().tables == own.tables


def test_nobody_plays_by_the_set_of_another(people: People, client: Client, own: OwnTables) -> None:
    client.force_login(people.egyptian)
    assert "Halted" not in client.get(reverse("new")).content.decode()
    response = client.post(reverse("new"), {"scenario": SIEGE, "tables": own.pk})
    assert response.status_code == 400
    assert not Campaign.objects.exists()


def test_a_campaigns_rules_are_its_own(people: People, client: Client, own: OwnTables) -> None:
    seats = {"umpire": people.umpire, "egyptian": people.egyptian}
    wanted = creation.NewCampaignTerms(SIEGE, tables=own.tables, seats=seats)
    campaign = creation.create_campaign(wanted)
    client.force_login(people.egyptian)
    page = client.get(reverse("campaign-rules", args=[campaign.slug]))
    assert "What the umpire has changed" in words(page)
    assert "march, 50% no march" in words(page)
    march = page.content.decode().partition('id="table-march"')[2].partition("</caption>")[0]
    assert 'class="source of-umpire"' in march
    file = client.get(reverse("campaign-file", args=[campaign.slug, "march"]))
    assert file.content.decode() == halted()
    assert (
        reverse("campaign-rules", args=[campaign.slug])
        in client.get(reverse("campaign", args=[campaign.slug])).content.decode()
    )
    client.force_login(people.stranger)
    for name, more in (("campaign-rules", ()), ("campaign-file", ("march",))):
        assert client.get(reverse(name, args=[campaign.slug, *more])).status_code == 404


def test_a_clause_of_no_chapter_is_shown_with_those_of_the_whole_book(
    people: People, client: Client
) -> None:
    said = text("march", ('clause = "8.31"', 'clause = "99²"'))
    own = rules_edition.name_tables(people.umpire, "Odd", {"march": said})
    campaign = creation.create_campaign(
        creation.NewCampaignTerms(SIEGE, tables=own.tables, seats={"umpire": people.umpire})
    )
    client.force_login(people.umpire)
    page = client.get(reverse("campaign-rules", args=[campaign.slug]))
    assert page.status_code == 200
    assert "clause 99²" in words(page)


def test_anybody_reads_what_a_named_edition_changes(db: None, client: Client) -> None:
    page = client.get(reverse("named-edition", args=["harsh-desert"]))
    assert page.status_code == 200
    assert "What the pieces can do" in words(page)
    assert "umpire" not in words(page).lower()
    file = client.get(reverse("named-edition-file", args=["harsh-desert", "pieces"]))
    assert "movement = 4" in file.content.decode()
    assert client.get(reverse("named-edition", args=["mild-desert"])).status_code == 404
    assert "Harsh desert" in words(client.get(reverse("tables")))


def test_an_umpire_begins_a_campaign_by_a_named_edition(umpire: Client) -> None:
    form = umpire.get(reverse("new") + "?edition=harsh-desert")
    assert re.search(r'value="harsh-desert" checked', form.content.decode())
    umpire.post(reverse("new"), {"scenario": SIEGE, "edition": "harsh-desert", "mode": "staff"})
    campaign = Campaign.objects.get()
    rules = words(umpire.get(reverse("campaign-rules", args=[campaign.slug])))
    assert "Harsh desert: what differs" in rules
    assert "What the umpire has changed" not in rules


def test_an_edition_and_a_set_of_ones_own_exclude_each_other(
    umpire: Client, own: OwnTables
) -> None:
    chosen = {"scenario": SIEGE, "edition": "harsh-desert", "tables": own.pk, "mode": "staff"}
    refused = umpire.post(reverse("new"), chosen)
    assert "Choose an edition or a set of tables, not both." in words(refused)
    assert not Campaign.objects.exists()
