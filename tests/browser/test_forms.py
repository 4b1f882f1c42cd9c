"""Long forms lose nothing to a log-in, a reload or an error, and are sent once."""

from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import Page, expect

from campaign.access import saved_work
from campaign.models import CampaignLetter, OwnTables
from campaign.rules.tables.editions import changed_names, shipped_edition
from campaign.services.journal import rules_edition
from tests.browser.camp import Camp
from tests.people import PASSWORD

TEXT = "Sir, the wells of Gakdul are dry. " * 20
ATTRITION = shipped_edition().text("attrition")
DRY, WET = (ATTRITION.replace("[0, 0, 2, 4, 6, 8]", f"[0, {n}, 2, 4, 6, 8]") for n in (1, 2))


@pytest.fixture
def writer(camp: Camp, page: Page) -> Page:
    """The Egyptian commander, who has written a letter and not sent it."""
    camp.log_in(page, camp.people.egyptian)
    page.goto(camp.page + "letters/")
    write_letter(page)
    return page


def write_letter(page: Page) -> None:
    page.get_by_label("Mahdist commander-in-chief (mahdist)").check()
    page.get_by_label("Letter", exact=True).fill(TEXT)
    page.get_by_label("Places on the map").fill("Khartoum")


def expect_written(page: Page) -> None:
    """Wait until the letter stands in the form again, marked as kept."""
    expect(page.locator(".kept-back")).to_contain_text("What you had written here is back.")
    expect(page.get_by_label("Letter", exact=True)).to_have_value(TEXT)
    expect(page.get_by_label("Places on the map")).to_have_value("Khartoum")
    expect(page.get_by_label("Mahdist commander-in-chief (mahdist)")).to_be_checked()
    expect(page.get_by_label("Attach my orders")).not_to_be_checked()


def log_in(page: Page, user: User, password: str = PASSWORD) -> None:
    page.get_by_label("Name").fill(user.username)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()


def forget_session(page: Page) -> None:
    page.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)


def test_a_letter_is_there_again_after_the_log_in_that_its_sending_needed(
    camp: Camp, writer: Page
) -> None:
    forget_session(writer)
    writer.get_by_role("button", name="Send the letter").click()
    said = writer.get_by_text("What you have written is kept in this tab.")
    expect(said).to_be_visible()
    log_in(writer, camp.people.egyptian, "wrong")
    expect(writer.get_by_text("Wrong name or password.")).to_be_visible()
    expect(said).to_be_visible()
    log_in(writer, camp.people.egyptian)
    expect_written(writer)

    writer.get_by_role("button", name="Send the letter").click()
    expect(writer.get_by_text("Your letter is sent.")).to_be_visible()
    expect(writer.get_by_label("Letter", exact=True)).to_have_value("")
    assert CampaignLetter.objects.get().text == TEXT.strip()
    writer.reload()
    expect(writer.get_by_label("Letter", exact=True)).to_have_value("")


def test_a_letter_outlives_a_reload_and_an_expired_form_until_it_is_put_away(
    camp: Camp, writer: Page
) -> None:
    writer.goto(camp.page)
    writer.goto(camp.page + "letters/")
    expect_written(writer)
    writer.context.clear_cookies(name=settings.CSRF_COOKIE_NAME)
    writer.get_by_role("button", name="Send the letter").click()
    expect(writer.get_by_role("heading", name="This form has expired")).to_be_visible()
    writer.goto(camp.page + "letters/")
    expect_written(writer)
    writer.get_by_role("button", name="Start afresh").click()
    expect(writer.get_by_label("Letter", exact=True)).to_have_value("")
    writer.reload()
    expect(writer.get_by_label("Letter", exact=True)).to_have_value("")


def test_nobody_else_who_logs_in_reads_what_was_written(camp: Camp, writer: Page) -> None:
    forget_session(writer)
    writer.get_by_role("button", name="Send the letter").click()
    log_in(writer, camp.people.mahdist)
    expect(writer.get_by_role("heading", name="Letters", exact=True)).to_be_visible()
    expect(writer.get_by_label("Letter", exact=True)).to_have_value("")


def test_a_letter_of_which_something_is_wrong_stays_as_the_server_shows_it(
    camp: Camp, writer: Page
) -> None:
    writer.get_by_label("Places on the map").fill("Nowhere")
    writer.get_by_role("button", name="Send the letter").click()
    expect(writer.get_by_text("There is no place “Nowhere” on the map.")).to_be_visible()
    expect(writer.locator(".kept-back")).to_have_count(0)
    writer.get_by_label("Places on the map").fill("el-obeid; Berber")
    writer.get_by_role("button", name="Send the letter").click()
    expect(writer.get_by_text("Your letter is sent.")).to_be_visible()
    assert len(CampaignLetter.objects.get().hexes) == 2


def test_two_presses_send_one_letter(writer: Page) -> None:
    writer.get_by_role("button", name="Send the letter").dblclick()
    expect(writer.get_by_text("Your letter is sent.")).to_be_visible()
    writer.reload()
    expect(writer.locator(".letter")).to_have_count(1)
    assert CampaignLetter.objects.count() == 1


def test_tables_that_were_added_to_the_form_are_there_again(camp: Camp, page: Page) -> None:
    camp.log_in(page, camp.people.umpire)
    page.goto(camp.at(f"{reverse('new-tables')}?table=march"))
    page.get_by_label("Or a table as shipped").select_option("attrition")
    page.get_by_role("button", name="Add it").click()
    texts = page.locator("textarea")
    expect(texts).to_have_count(2)
    text = texts.nth(1).input_value().replace("[0, 0, 2, 4, 6, 8]", "[0, 1, 2, 4, 6, 8]")
    texts.nth(1).fill(text)
    page.get_by_label("Name of the set").fill("Dry")
    forget_session(page)
    page.get_by_role("button", name="Check and save").click()
    log_in(page, camp.people.umpire)
    expect(texts).to_have_count(2)
    expect(texts.nth(1)).to_have_value(text)
    expect(page.get_by_label("Name of the set")).to_have_value("Dry")
    page.get_by_role("button", name="Check and save").click()
    expect(page.get_by_text("Dry is saved.")).to_be_visible()
    assert OwnTables.objects.get().name == "Dry"


def write_tables(camp: Camp, page: Page) -> None:
    """Open the march and attrition tables as a new set, empty the first and change the second."""
    camp.log_in(page, camp.people.umpire)
    page.goto(camp.at(f"{reverse('new-tables')}?table=march&table=attrition"))
    page.get_by_label("March table, as TOML").fill("")
    page.get_by_label("Attrition table, as TOML").fill(DRY)


def test_a_table_that_is_emptied_is_left_out(camp: Camp, page: Page) -> None:
    write_tables(camp, page)
    page.get_by_label("Or a table as shipped").select_option("leaders")
    page.get_by_role("button", name="Add it").click()
    titles = page.locator("legend")
    expect(titles).to_have_text(["Attrition table", "Leaders"])
    expect(page.get_by_label("Attrition table, as TOML")).to_have_value(DRY)
    expect(page.locator(".kept-back")).to_have_count(0)

    page.goto(camp.at(reverse("tables")))
    page.go_back()
    page.reload()
    expect(titles).to_have_text(["Attrition table", "Leaders"])
    page.goto(camp.at(f"{reverse('new-tables')}?table=march&table=attrition"))
    expect(page.locator(".kept-back")).to_be_visible()
    expect(page.get_by_label("Attrition table, as TOML")).to_have_value(DRY)
    page.get_by_role("button", name="Start afresh").click()
    expect(titles).to_have_text(["March table", "Attrition table"])
    expect(page.get_by_label("Attrition table, as TOML")).not_to_have_value(DRY)


def test_an_uploaded_table_replaces_the_one_that_was_written(
    camp: Camp, page: Page, tmp_path: Path
) -> None:
    write_tables(camp, page)
    file = tmp_path / "attrition.toml"
    file.write_text(WET, encoding="utf-8")
    page.get_by_label("More files").set_input_files(file)
    page.get_by_role("button", name="Add it").click()
    expect(page.locator("legend")).to_have_text(["Attrition table", "What the pieces can do"])
    expect(page.get_by_label("Attrition table, as TOML")).to_have_value(WET)


def test_the_enter_key_saves_a_set_of_tables(camp: Camp, page: Page) -> None:
    write_tables(camp, page)
    page.get_by_label("Name of the set").fill("Dry")
    page.get_by_label("Name of the set").press("Enter")
    expect(page.get_by_text("Dry is saved.")).to_be_visible()
    edition = saved_work.edition_of(OwnTables.objects.get())
    assert list(changed_names(edition)) == ["attrition"]


def test_what_cannot_be_undone_is_asked_about(camp: Camp, page: Page) -> None:
    owner = camp.people.umpire
    text = shipped_edition().text("march").replace("march, 50%", "march, 25%")
    rules_edition.name_tables(owner, "Quick", {"march": text})
    own = OwnTables.objects.get()
    camp.log_in(page, owner)
    page.goto(camp.at(reverse("own-tables", args=[own.pk])))
    page.get_by_role("button", name="Delete this set").click()
    asked = page.get_by_role("dialog")
    expect(asked).to_contain_text("Delete “Quick”? It cannot be brought back.")
    asked.get_by_role("button", name="Cancel").click()
    expect(asked).to_have_count(0)
    assert OwnTables.objects.exists()
    page.get_by_role("button", name="Delete this set").click()
    page.keyboard.press("Escape")
    expect(asked).to_have_count(0)
    assert OwnTables.objects.exists()
    page.get_by_role("button", name="Delete this set").click()
    asked.get_by_role("button", name="Delete this set").click()
    expect(page.get_by_text("Quick is deleted.")).to_be_visible()
    assert not OwnTables.objects.exists()


def test_a_reason_on_the_console_outlives_the_log_in_and_other_forms(
    camp: Camp, page: Page
) -> None:
    camp.log_in(page, camp.people.umpire)
    page.goto(camp.page + "console/")
    page.get_by_text("Adjourn the campaign").click()
    page.locator("#adjourn-reason").fill("Half the club is at Salute.")
    page.get_by_text("End the campaign").click()
    page.locator("#end-reason").fill("The Mahdi has made peace.")
    forget_session(page)
    page.get_by_role("button", name="Adjourn it").click()
    expect(page.get_by_text("What you have written is kept in this tab.")).to_be_visible()
    log_in(page, camp.people.umpire)
    expect(page.locator("#adjourn-reason")).to_have_value("Half the club is at Salute.")
    expect(page.locator("#end-reason")).to_have_value("The Mahdi has made peace.")
    page.get_by_role("button", name="Adjourn it").click()
    expect(page.locator(".notices")).to_contain_text("The campaign is adjourned")
    page.get_by_role("button", name="Resume it").click()
    page.get_by_text("Adjourn the campaign").click()
    expect(page.locator("#adjourn-reason")).to_have_value("")
    expect(page.locator("#end-reason")).to_have_value("The Mahdi has made peace.")


def test_a_refused_reason_is_mended_and_not_brought_back_later(camp: Camp, page: Page) -> None:
    camp.log_in(page, camp.people.umpire)
    page.goto(camp.page + "console/")
    seat = page.locator(f"#change-{camp.seat('mahdist').pk}")
    page.get_by_text("Change who plays the Mahdist commander").click()
    seat.get_by_label("Reason").fill("Away until spring.")
    seat.get_by_label("Newcomer’s account").fill("nobody-at-all")
    seat.get_by_role("button", name="Replace with the newcomer").click()
    expect(page.locator(".notices .error")).to_be_visible()
    expect(page.locator(".kept-back")).to_have_count(0)
    seat.get_by_label("Newcomer’s account").fill(camp.people.stranger.username)
    seat.get_by_role("button", name="Replace with the newcomer").click()
    expect(page.locator(".notices")).to_contain_text("sits as")
    expect(page.locator(".kept-back")).to_have_count(0)
    expect(seat.get_by_label("Reason")).to_have_value("")


def test_the_reason_of_a_rewind_outlives_the_log_in(camp: Camp, page: Page) -> None:
    camp.log_in(page, camp.people.umpire)
    page.goto(camp.page + "console/rewind/?entry=0.1")
    page.get_by_label("Reason").fill("We set up by the wrong sheet.")
    forget_session(page)
    page.get_by_role("button", name="Rewind to here").click()
    log_in(page, camp.people.umpire)
    expect(page.get_by_label("Reason")).to_have_value("We set up by the wrong sheet.")
    page.get_by_role("button", name="Rewind to here").click()
    expect(page.locator(".notices")).to_contain_text("Rewound.")


def come_back(page: Page) -> None:
    """Let the browser show the page from its memory.

    The browser of the tests keeps no page there, so the event is sent that such a page receives.
    """
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")


def test_a_page_that_the_browser_remembers_is_not_shown_after_logging_out(
    camp: Camp, page: Page
) -> None:
    camp.log_in(page, camp.people.egyptian)
    page.goto(camp.page)
    page.evaluate("document.documentElement.dataset.remembered = 'yes'")
    come_back(page)
    expect(page.locator("html[data-remembered]")).to_have_count(1)
    other = page.context.new_page()
    other.goto(camp.at("/help/"))
    other.get_by_role("button", name="Log out").click()
    expect(other.get_by_text("You are logged out")).to_be_visible()
    come_back(page)
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    expect(page.locator("html[data-remembered]")).to_have_count(0)


def test_an_invitation_is_there_again_after_the_log_in_and_gone_once_it_is_made(
    camp: Camp, page: Page
) -> None:
    camp.log_in(page, camp.people.umpire)
    page.goto(camp.page + "seats/")
    page.get_by_label("Seat", exact=True).select_option("mahdist")
    page.get_by_label("Office").fill("Emir محمد 🐪")
    page.get_by_label("For whom").fill("emir@example.org")
    page.get_by_label("Valid for").fill("9")
    page.get_by_label("The Mahdi").check()
    forget_session(page)
    page.get_by_role("button", name="Make a link").click()
    expect(page.get_by_text("What you have written is kept in this tab.")).to_be_visible()
    log_in(page, camp.people.umpire)
    expect(page.locator(".kept-back")).to_be_visible()
    expect(page.get_by_label("Seat", exact=True)).to_have_value("mahdist")
    expect(page.get_by_label("Office")).to_have_value("Emir محمد 🐪")
    expect(page.get_by_label("For whom")).to_have_value("emir@example.org")
    expect(page.get_by_label("Valid for")).to_have_value("9")
    expect(page.get_by_label("The Mahdi")).to_be_checked()
    page.get_by_role("button", name="Make a link").click()
    expect(page.get_by_role("heading", name="The link to pass on")).to_be_visible()
    page.goto(camp.page + "seats/")
    expect(page.get_by_role("cell", name="emir@example.org")).to_be_visible()
    expect(page.locator(".kept-back")).to_have_count(0)
    expect(page.get_by_label("Office")).to_have_value("")


def test_the_keyboard_is_led_to_what_the_server_refuses(camp: Camp, page: Page) -> None:
    page.goto(camp.at("/accounts/login/"))
    log_in(page, camp.people.umpire, "wrong")
    expect(page.get_by_text("Wrong name or password.")).to_be_focused()
    log_in(page, camp.people.umpire)
    page.goto(camp.page + "seats/")
    page.locator("form.invite").evaluate("(form) => (form.noValidate = true)")
    days = page.get_by_label("Valid for")
    days.fill("99")
    page.get_by_role("button", name="Make a link").click()
    expect(days).to_be_focused()
    expect(days).to_have_value("99")
    days.fill("9")
    page.get_by_role("button", name="Make a link").click()
    expect(page.get_by_role("heading", name="The link to pass on")).to_be_visible()
    expect(page.locator("[aria-invalid]")).to_have_count(0)
