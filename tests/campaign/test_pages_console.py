"""The umpire's console: everything on it does what it says, and nobody else has it."""

import html
import re
from dataclasses import replace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from campaign.models import Campaign, OrderSheet
from campaign.services.journal import creation
from campaign.services.transfer import archive
from campaign.services.turns import timetable
from campaign.web.console.umpire_actions import _DOES
from tests.people import SIEGE, People, client_of

HARMLESS = {"own dice", "dice by hand", "take up", "no deadlines"}
"""Buttons of forms that hold nothing but the button."""
GUNS = {"do": "add", "here": "2042", "kind": "gun", "nation": "british"}
MONTH_BEGINS = '[{"type": "MonthBegan", "month": 3}]'


def do(client: Client, campaign: Campaign, what: str, **given: object) -> str:
    """Press a button of the console; what the page says then."""
    where = reverse("command", args=[campaign.slug])
    return client.post(where, {**given, "do": what}, follow=True).content.decode()


PAGES = ("console", "ruling", "rewind", "branches", "umpire-log")


@pytest.mark.parametrize("name", PAGES)
def test_every_page_of_the_umpire_opens(played: Campaign, umpire: Client, name: str) -> None:
    answer = umpire.get(reverse(name, args=[played.slug]))
    assert answer.status_code == 200
    assert played.title in answer.content.decode()


@pytest.mark.parametrize(
    ("no_show", "says"), [("hold", "stay where they are."), ("staff", "staff plays for a seat")]
)
def test_the_console_says_what_a_seat_without_orders_does(
    campaign: Campaign, umpire: Client, no_show: str, says: str
) -> None:
    campaign.mode = Campaign.Mode.ORDERS
    campaign.deadline_policy = {**campaign.deadline_policy, "no_show": no_show}
    campaign.save()
    page = umpire.get(reverse("console", args=[campaign.slug])).content.decode()
    assert "Every submitted sheet is carried out." in page
    assert says in page


@pytest.mark.parametrize("what", sorted(_DOES))
@pytest.mark.parametrize("who", ["egyptian", "stranger"])
def test_nobody_else_has_the_umpires_powers(
    campaign: Campaign, people: People, what: str, who: str
) -> None:
    before = campaign.document_hash
    answer = client_of(people, who).post(
        reverse("command", args=[campaign.slug]),
        {"do": what, "reason": "Mine!", "seat": "1", "month": campaign.month},
    )
    assert answer.status_code in (403, 404)
    campaign.refresh_from_db()
    assert campaign.document_hash == before
    assert not campaign.umpire_log.exists()
    assert not campaign.jobs.exists()


@pytest.mark.parametrize("what", ["", "dance", *sorted(_DOES)])
def test_a_form_with_nothing_in_it_is_answered_in_words(
    campaign: Campaign, umpire: Client, what: str
) -> None:
    """Whatever is missing is said; nothing ever breaks."""
    where = reverse("command", args=[campaign.slug])
    answer = umpire.post(where, {"do": what}, follow=True)
    assert answer.status_code == (200 if what in HARMLESS else 400)
    assert 'class="error"' in answer.content.decode() or what in HARMLESS


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"do": "deadlines", "days": "5", "zone": "Khartoom"}, 'name="zone" value="Khartoom"'),
        ({"do": "second umpire", "username": "nobdy"}, 'value="nobdy"'),
        ({"do": "name", "title": " ", "public": "yes"}, '<option value="yes" selected>'),
        ({"do": "end", "winner": "mahdist", "reason": " "}, '<option value="mahdist" selected>'),
    ],
)
def test_a_refused_form_stays_open_as_it_was_filled_in(
    campaign: Campaign, umpire: Client, given: dict[str, str], kept: str
) -> None:
    Campaign.objects.update(mode="orders")
    page = do(umpire, campaign, given["do"], **given)
    assert kept in page
    assert page.count('<details class="coming" open>') == 1


def test_a_campaign_is_renamed_and_shown_to_everyone_on_the_console(
    campaign: Campaign, umpire: Client
) -> None:
    assert not campaign.public
    page = html.unescape(do(umpire, campaign, "name", title=" The club’s winter ", public="yes"))
    assert "The campaign is called “The club’s winter”, and anyone may watch it." in page
    assert "only its players" in do(umpire, campaign, "name", title="The club’s winter")
    campaign.refresh_from_db()
    assert (campaign.title, campaign.public) == ("The club’s winter", False)
    assert campaign.umpire_log.count() == 3


def test_the_staffs_level_is_changed_on_the_console(campaign: Campaign, umpire: Client) -> None:
    page = umpire.get(reverse("console", args=[campaign.slug])).content.decode()
    assert '<option value="club" selected>Club player</option>' in page
    page = do(umpire, campaign, "staff level", level="strong")
    assert '<option value="strong" selected>Strong</option>' in page
    campaign.refresh_from_db()
    assert campaign.staff_level == "strong"
    assert campaign.umpire_log.get().said.endswith("staff plays as: strong.")
    assert "The staff plays at level" in do(umpire, campaign, "staff level", level="genius")
    campaign.refresh_from_db()
    assert campaign.staff_level == "strong"


def test_a_refused_change_of_a_seat_stays_with_its_seat(campaign: Campaign, umpire: Client) -> None:
    seat = campaign.seats.get(role="mahdist")
    page = do(umpire, campaign, "replace", seat=seat.pk, username="nobdy", reason="Moved away.")
    assert "There is no account" in html.unescape(page)
    form = page.split(f'id="seat-{seat.pk}"')[1].split("</section>")[0]
    assert 'value="nobdy"' in form
    assert page.count('value="Moved away."') == 1
    assert 'value="Moved away."' in form


def test_a_month_that_is_run_on_the_console_ends_there(campaign: Campaign, umpire: Client) -> None:
    Campaign.objects.update(mode="staff")
    do(umpire, campaign, "phase", month=campaign.month)
    job = campaign.jobs.get()
    where = reverse("job", args=[campaign.slug, job.uuid])
    assert f'hx-get="{where}?console=1"' in do(umpire, campaign, "take up")
    job.status = "succeeded"
    job.save()
    asked = {"HX-Request": "true"}
    ended = umpire.get(where, {"console": "1"}, headers=asked)
    assert ended["HX-Redirect"] == reverse("console", args=[campaign.slug])
    ended = umpire.get(where, headers=asked)
    assert ended["HX-Redirect"] == reverse("campaign", args=[campaign.slug])
    there = f"http://testserver{reverse('campaign', args=[campaign.slug])}#despatches"
    ended = umpire.get(where, headers={**asked, "HX-Current-URL": there})
    assert ended["HX-Refresh"] == "true"  # a redirect to its own address would lose its place
    assert "HX-Redirect" not in ended


def test_the_worklist_names_who_has_sent_nothing(campaign: Campaign, umpire: Client) -> None:
    Campaign.objects.update(mode="orders")
    page = umpire.get(reverse("console", args=[campaign.slug])).content.decode()
    assert "The Egyptian commander-in-chief (egyptian) has written nothing yet." in page
    assert "The Mahdist commander-in-chief (mahdist) has written nothing yet." in page


def test_the_worklist_shows_each_stack_on_the_map(played: Campaign, umpire: Client) -> None:
    Campaign.objects.update(mode="orders")
    page = umpire.get(reverse("console", args=[played.slug])).content.decode()
    assert 'class="to-hex"' in page
    assert "Stacks without orders" in page


def test_new_deadlines_leave_that_of_the_month_where_it_is(
    campaign: Campaign, umpire: Client
) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(mode=Campaign.Mode.ORDERS)
    policy = {"hour": 20, "zone": "UTC", "reminder_hours": 0, "grace_hours": 0}
    policy |= {"extension_ceiling_hours": 96, "no_show": "hold"}
    do(umpire, campaign, "deadlines", days=7, **policy)
    campaign.refresh_from_db()
    due = timetable.due_in_words(campaign)
    page = do(umpire, campaign, "deadlines", days=3, **policy)
    assert f"Orders are due every 3 days at 20:00 (UTC). This month is {due}." in page


def test_a_player_is_replaced_on_the_page(
    campaign: Campaign, people: People, umpire: Client
) -> None:
    seat = campaign.seats.get(role="mahdist")
    OrderSheet.objects.create(campaign=campaign, seat=seat, branch=0, month=campaign.month)
    page = do(umpire, campaign, "replace", seat=seat.pk, username="stranger", reason="Gone.")
    assert "stranger sits as the Mahdist commander" in page
    newcomer = client_of(people, "stranger")
    brief = newcomer.get(reverse("brief", args=[campaign.slug, "mahdist"])).content.decode()
    assert "Brief of the Mahdist side" in brief
    assert "orders for this month are not carried out" in brief
    old = client_of(people, "mahdist")
    assert old.get(reverse("brief", args=[campaign.slug, "mahdist"])).status_code == 404


def test_a_brief_is_for_its_own_side(campaign: Campaign, people: People, umpire: Client) -> None:
    mahdist = client_of(people, "mahdist")
    assert mahdist.get(reverse("brief", args=[campaign.slug, "mahdist"])).status_code == 200
    assert mahdist.get(reverse("brief", args=[campaign.slug, "egyptian"])).status_code == 404
    assert umpire.get(reverse("brief", args=[campaign.slug, "egyptian"])).status_code == 200
    assert mahdist.get(reverse("brief", args=[campaign.slug, "neither"])).status_code == 404


def test_the_umpire_log_is_for_everybody(
    campaign: Campaign, people: People, umpire: Client
) -> None:
    do(umpire, campaign, "adjourn", reason="The hall is let.")
    page = client_of(people, "egyptian").get(reverse("umpire-log", args=[campaign.slug]))
    assert "The campaign is adjourned. The hall is let." in page.content.decode()
    assert re.search(r"\d\d:\d\d UTC</time> The campaign is adjourned", page.content.decode())


def test_adjourned_nothing_runs(campaign: Campaign, umpire: Client) -> None:
    do(umpire, campaign, "adjourn", reason="The hall is let.")
    page = do(umpire, campaign, "advance", month=campaign.month)
    assert "adjourned" in page
    assert not campaign.jobs.exists()
    assert (
        "Run the month"
        not in umpire.get(reverse("campaign", args=[campaign.slug])).content.decode()
    )


def test_the_umpire_ends_the_campaign(campaign: Campaign, umpire: Client) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(mode=Campaign.Mode.ORDERS)
    page = do(umpire, campaign, "end", winner="mahdist", reason="Conceded.")
    campaign.refresh_from_db()
    assert campaign.finished
    assert "The campaign is over." in page
    assert "no deadline is running" in page
    assert "Months run when you say so" not in page
    assert "nothing yet" not in page


def test_a_file_taken_away_is_brought_in_again(played: Campaign, umpire: Client) -> None:
    answer = umpire.get(reverse("export", args=[played.slug]))
    file = SimpleUploadedFile("siege.sirdar", answer.getvalue())
    page = umpire.post(reverse("import"), {"file": file, "slug": "copy"}, follow=True)
    assert "is here. You are its umpire." in page.content.decode()
    copy = Campaign.objects.exclude(pk=played.pk).get()
    assert copy.document_hash == played.document_hash
    assert bytes(copy.secret_seed) != bytes(played.secret_seed)


def test_a_copy_of_a_campaign_has_a_title_of_its_own(
    played: Campaign, people: People, umpire: Client
) -> None:
    export = reverse("export", args=[played.slug])
    for copy in ("copy", "third"):
        file = SimpleUploadedFile("siege.sirdar", umpire.get(export).getvalue())
        umpire.post(reverse("import"), {"file": file, "slug": copy})
        export = reverse("export", args=[copy])
    titles = [played.title, f"{played.title} (2)", f"{played.title} (3)"]
    assert [one.title for one in Campaign.objects.order_by("pk")] == titles
    page = umpire.get(reverse("front")).content.decode()
    assert all(title in page for title in titles)
    assert creation.free_title(titles[0], [people.stranger]) == titles[0]


def test_a_second_campaign_of_a_scenario_has_a_title_of_its_own_unless_it_is_given(
    people: People,
) -> None:
    terms = creation.NewCampaignTerms(SIEGE, seats={"umpire": people.umpire})
    first, second = (creation.create_campaign(terms).title for _ in range(2))
    assert second == f"{first} (2)"
    assert creation.create_campaign(replace(terms, title=first)).title == first
    assert creation.create_campaign(replace(terms, seats={})).title == first


def test_a_number_leaves_a_long_title_within_its_limit(people: People) -> None:
    long = "x" * creation.LONGEST_TITLE
    terms = creation.NewCampaignTerms(SIEGE, title=long, seats={"umpire": people.umpire})
    creation.create_campaign(terms)
    assert creation.free_title(long, [people.umpire]) == f"{'x' * 93} (2)"


def test_with_its_secret_a_file_goes_on_with_the_same_dice(
    played: Campaign, umpire: Client
) -> None:
    answer = umpire.get(reverse("export", args=[played.slug]), {"secret": "1"})
    file = SimpleUploadedFile("siege.sirdar", answer.getvalue())
    umpire.post(reverse("import"), {"file": file, "slug": "copy"})
    copy = Campaign.objects.exclude(pk=played.pk).get()
    assert bytes(copy.secret_seed) == bytes(played.secret_seed)


def test_players_read_in_the_umpire_log_that_the_secret_was_exported(
    played: Campaign, umpire: Client, people: People
) -> None:
    address = reverse("export", args=[played.slug])
    umpire.get(address).getvalue()
    assert not played.umpire_log.exists()
    umpire.get(address, {"secret": "1"}).getvalue()
    page = (
        client_of(people, "mahdist").get(reverse("umpire-log", args=[played.slug])).content.decode()
    )
    assert archive.EXPORT_NOTE in page
    assert played.umpire_log.get().by == "umpire:umpire"
    assert client_of(people, "mahdist").get(address, {"secret": "1"}).status_code == 403
    assert played.umpire_log.count() == 1


def test_a_name_that_is_taken_is_answered_in_words(played: Campaign, umpire: Client) -> None:
    answer = umpire.get(reverse("export", args=[played.slug]))
    file = SimpleUploadedFile("siege.sirdar", answer.getvalue())
    answer = umpire.post(reverse("import"), {"file": file, "slug": played.slug})
    (said,) = answer.context["form"].errors["slug"]
    assert "choose another short name" in said
    assert Campaign.objects.count() == 1


def test_what_is_no_campaign_is_not_brought_in(umpire: Client) -> None:
    file = SimpleUploadedFile("letter.txt", b"Dear Sirdar")
    answer = umpire.post(reverse("import"), {"file": file})
    assert answer.status_code == 400
    assert "errorlist" in answer.content.decode()


def test_the_page_to_rewind_begins_with_the_last_month_that_has_entries(
    played: Campaign, umpire: Client
) -> None:
    page = umpire.get(reverse("rewind", args=[played.slug])).content.decode()
    assert played.head is not None
    assert f"entry=0.{played.head.number - 1}" in page


def test_the_umpire_goes_back_on_the_page(played: Campaign, umpire: Client) -> None:
    where = reverse("rewind", args=[played.slug])
    page = umpire.get(where, {"entry": "0.5"}).content.decode()
    assert "would be abandoned" in page
    sent = {"entry": "0.5", "head": played.head_id, "reason": "Wrong odds were read."}
    page = umpire.post(where, sent, follow=True).content.decode()
    assert "Rewound." in page
    played.refresh_from_db()
    assert played.head == played.entries.get(branch=0, number=5)
    assert played.branch == 1
    left = umpire.get(reverse("branch", args=[played.slug, 0])).content.decode()
    assert "was abandoned in" in left


@pytest.mark.parametrize("entry", ["", "x", "0.99999", "7.1", "0.5.6"])
def test_an_entry_that_there_is_not_is_answered_in_words(
    played: Campaign, umpire: Client, entry: str
) -> None:
    sent = {"entry": entry, "reason": "Why not?"}
    assert umpire.post(reverse("rewind", args=[played.slug]), sent).status_code == 404


@pytest.mark.parametrize("head", ["", "9" * 5000])
def test_without_a_reason_nobody_goes_back(played: Campaign, umpire: Client, head: str) -> None:
    sent = {"entry": "0.5", "reason": " ", "head": head}
    answer = umpire.post(reverse("rewind", args=[played.slug]), sent)
    assert answer.status_code == 400
    assert "Give the reason" in answer.content.decode()
    played.refresh_from_db()
    assert played.branch == 0


def test_a_ruling_is_seen_before_it_is_given(played: Campaign, umpire: Client) -> None:
    where = reverse("ruling", args=[played.slug])
    page = umpire.get(where, {"hex": "Khartoum"}).content.decode()
    unit = re.findall(r'name="unit" value="(\d+)"', page)[0]
    before = played.document_hash
    answer = umpire.post(where, {"do": "disrupt", "here": "2042", "unit": unit, "events": "[]"})
    page = answer.content.decode()
    assert "is disrupted at Khartoum." in page
    assert 'class="ring"' in page
    played.refresh_from_db()
    assert played.document_hash == before
    events = html.unescape(re.findall(r'name="events" value="([^"]*)"', page)[0])
    sent = {"do": "rule", "events": events, "reason": "Fever.", "to": ["egyptian"]}
    page = umpire.post(where, sent, follow=True).content.decode()
    assert "The ruling is given" in page
    played.refresh_from_db()
    assert played.document_hash != before


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"do": "look", "hex": "Atlantis"}, "Atlantis"),
        ({"do": "move", "here": "2042", "to-hex": "Berber"}, "Tick some units first"),
        ({"do": "add", "here": "2042", "kind": "dragon", "count": "1"}, "kind of unit"),
        (GUNS | {"count": "many"}, "in figures"),
        (GUNS | {"count": "21"}, "1 to 20 units"),
        ({"do": "remove", "here": "2042", "unit": "99999"}, "no unit 99999"),
        ({"do": "hand", "here": "0641", "holder": "mahdist"}, "no place"),
        ({"do": "rails", "track": "moon", "rails": "3"}, "no railway"),
        ({"do": "rule", "events": "[", "reason": "x"}, "cannot be read"),
        ({"do": "rule", "events": "[]", "reason": "x"}, "changes nothing"),
        ({"do": "rule", "events": MONTH_BEGINS, "reason": "x"}, "nothing an umpire"),
        ({"do": "rule", "events": "[]", "reason": "x", "event": "moon:1"}, "from the list"),
        ({"do": "rule", "events": "[]", "reason": "x", "dice": "2", "fallen": "9 9"}, "1 to 6"),
    ],
)  # fmt: skip
def test_a_ruling_that_cannot_be_is_refused_in_words(
    played: Campaign, umpire: Client, given: dict[str, str], said: str
) -> None:
    answer = umpire.post(reverse("ruling", args=[played.slug]), given)
    assert answer.status_code == 400
    assert said in html.unescape(answer.content.decode())
    played.refresh_from_db()
    assert played.branch == 0


def test_a_new_campaign_by_order_sheets_with_everything(people: People, umpire: Client) -> None:
    sent = {
        "scenario": "siege-of-khartoum",
        "title": "Club night",
        "mode": "orders",
        "egyptian": "player",
        "mahdist": "staff",
        "when_ready": "on",
        "fog": "on",
        "dice_by_hand": "on",
        "with_deadlines": "on",
        "due-days": "14",
        "due-hour": "21",
        "due-zone": "Africa/Khartoum",
        "due-reminder_hours": "48",
        "due-grace_hours": "12",
        "due-extension_ceiling_hours": "24",
        "due-no_show": "staff",
    }
    answer = umpire.post(reverse("new"), sent)
    campaign = Campaign.objects.get()
    assert answer["Location"] == reverse("seats", args=[campaign.slug])
    assert (campaign.mode, campaign.fog, campaign.dice_by_hand) == ("orders", True, True)
    assert campaign.when_ready
    assert campaign.deadline_policy["zone"] == "Africa/Khartoum"
    assert campaign.deadline_policy["no_show"] == "staff"
    seats = {seat.role: (seat.user, seat.staff) for seat in campaign.seats.all()}
    assert seats == {
        "umpire": (people.umpire, False),
        "egyptian": (None, False),
        "mahdist": (None, True),
    }
    assert campaign.deadlines.get().done is None


def test_a_zone_that_there_is_not_opens_no_campaign(umpire: Client) -> None:
    sent = {
        "scenario": "siege-of-khartoum", "mode": "orders", "with_deadlines": "on",
        "due-days": "7", "due-hour": "20", "due-zone": "Moon/Copernicus",
        "due-reminder_hours": "24", "due-grace_hours": "24",
        "due-extension_ceiling_hours": "96", "due-no_show": "hold",
    }  # fmt: skip
    answer = umpire.post(reverse("new"), sent)
    assert answer.status_code == 400
    assert "There is no time zone" in answer.content.decode()
    assert not Campaign.objects.exists()


def test_somebody_plays_alone_against_the_staff(people: People, umpire: Client) -> None:
    sent = {"scenario": "siege-of-khartoum", "mode": "live", "egyptian": "me", "mahdist": "staff"}
    answer = umpire.post(reverse("new"), sent)
    campaign = Campaign.objects.get()
    assert answer["Location"] == reverse("campaign", args=[campaign.slug])
    assert campaign.seats.get(role="egyptian").user == people.umpire
    assert campaign.seats.get(role="mahdist").staff


def test_a_seat_goes_to_the_staff_and_back_by_the_pages_own_buttons(
    campaign: Campaign, umpire: Client
) -> None:
    seat = campaign.seats.get(role="mahdist")
    for label, staff in (("Let the computer play", True), ("Return to the player", False)):
        page = umpire.get(reverse("console", args=[campaign.slug])).content.decode()
        form = page.partition(f'name="seat" value="{seat.pk}"')[2].partition("</form>")[0]
        button = re.search(f'name="do" value="([^"]*)">{label}<', form)
        assert button, label
        do(umpire, campaign, button[1], seat=seat.pk, reason="His holidays.")
        seat.refresh_from_db()
        assert seat.staff is staff
        sheet = reverse("order-sheet", args=[campaign.slug, seat.pk])
        Campaign.objects.update(mode=Campaign.Mode.ORDERS)
        assert seat.user
        holder = Client()
        holder.force_login(seat.user)
        told = "staff plays this seat" in holder.get(sheet).content.decode()
        assert told is staff


def test_an_observer_is_removed_with_a_reason(campaign: Campaign, umpire: Client) -> None:
    seat = campaign.seats.get(role="observer")
    assert "is no longer an observer" not in do(umpire, campaign, "remove", seat=seat.pk)
    assert campaign.seats.filter(pk=seat.pk).exists()
    page = do(umpire, campaign, "remove", seat=seat.pk, reason="He told the other side.")
    assert "Spectator is no longer an observer." in page
    assert "He told the other side." in page
    assert not campaign.seats.filter(pk=seat.pk).exists()


def test_a_brief_in_the_fog_counts_nobody_but_its_own(campaign: Campaign, people: People) -> None:
    Campaign.objects.update(fog=True)
    address = reverse("brief", args=[campaign.slug, "egyptian"])
    page = client_of(people, "egyptian").get(address).content.decode()
    assert re.search(r"The Egyptian side has \d+ units on the map", page)
    assert "The Mahdists have" not in page


def test_an_adjourned_campaign_awaits_its_umpire_and_nobody_else(
    campaign: Campaign, people: People
) -> None:
    Campaign.objects.update(mode=Campaign.Mode.ORDERS, adjourned=True)
    client, seat = client_of(people, "egyptian"), campaign.seats.get(role="egyptian")
    page = client.get(reverse("campaign", args=[campaign.slug])).content.decode()
    assert "The campaign is adjourned until its umpire resumes it." in page
    assert "Not ready yet" not in page
    sheet = client.get(reverse("order-sheet", args=[campaign.slug, seat.pk])).content.decode()
    assert "What you write meanwhile is kept." in sheet
    assert "Not ready yet" not in sheet


def test_in_the_fog_the_other_side_is_told_that_one_sets_up(
    campaign: Campaign, people: People
) -> None:
    Campaign.objects.update(fog=True)
    page = client_of(people, "mahdist").get(reverse("campaign", args=[campaign.slug]))
    assert "The Egyptian side has to set up its units" in page.content.decode()
