"""An open order sheet says what its umpire does meanwhile: nobody writes on in vain."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from campaign.models import Campaign
from campaign.services.journal import rewind
from campaign.services.turns import advance, deadlines
from campaign.services.turns.timetable import Policy
from campaign.services.umpire import seat_control
from tests.browser.camp import Camp, begin_order, march_to

BERBER, SHENDY = "3127", "2635"


def look(page: Page) -> None:
    """Let the page look at its sheet, as it does when somebody comes back to its tab."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def egyptian_seat(camp: Camp) -> int:
    return camp.seat("egyptian").pk


def adjourn(camp: Camp) -> None:
    seat_control.adjourn(camp.campaign.pk, camp.people.umpire, reason="Dinner.")


def hand_over(camp: Camp) -> None:
    seat_control.hand_to_staff(
        camp.campaign.pk, camp.people.umpire, egyptian_seat(camp), reason="Away."
    )


@pytest.mark.parametrize(
    ("change", "words"),
    [(adjourn, "The campaign is adjourned"), (hand_over, "The computer’s staff plays this seat")],
)
def test_an_open_desk_says_that_it_is_held_up_and_when_it_goes_on(
    camp: Camp, egyptian: Page, change: Callable[[Camp], None], words: str
) -> None:
    march_to(egyptian, SHENDY, "Berber")
    hold = egyptian.locator("#hold")
    expect(hold).to_be_hidden()
    change(camp)
    look(egyptian)
    expect(hold).to_contain_text(words)
    expect(hold).to_be_in_viewport()
    expect(egyptian.locator("#said")).to_contain_text(words)
    seat_control.take_up(camp.campaign.pk, camp.people.umpire)
    seat_control.take_back_from_staff(camp.campaign.pk, camp.people.umpire, egyptian_seat(camp))
    look(egyptian)
    expect(hold).to_be_hidden()
    march_to(egyptian, BERBER, "Abou Hamed")


def test_an_open_desk_says_that_it_is_held_up_while_a_change_is_not_kept(
    camp: Camp, egyptian: Page
) -> None:
    hand_over(camp)
    begin_order(egyptian, SHENDY)
    egyptian.locator("#legs input[name=to]").fill("Berber")
    egyptian.get_by_role("button", name="Add this order").click()
    expect(egyptian.locator("#kept")).to_contain_text("Not kept.")
    expect(egyptian.locator("#hold")).to_contain_text("The computer’s staff plays this seat")
    expect(egyptian.locator(".order")).to_have_count(1)


def test_an_open_desk_shows_when_its_orders_are_due_now(camp: Camp, egyptian: Page) -> None:
    deadlines.set_policy(camp.campaign.pk, camp.people.umpire, Policy())
    look(egyptian)
    due = egyptian.locator("#due-date")
    expect(due).to_have_text(re.compile(r"^Due on \w+, \d+ \w+ \d{4}, \d\d:\d\d UTC\.$"))
    shown_first = due.inner_text()
    deadlines.extend(camp.campaign.pk, camp.people.umpire, 24, seen=0, reason="A wedding.")
    look(egyptian)
    expect(due).not_to_have_text(shown_first)
    expect(due.locator("time")).to_contain_text("UTC")
    adjourn(camp)
    look(egyptian)
    expect(due).to_have_text("The clock is stopped.")


@pytest.mark.parametrize("public", [False, True])
def test_an_open_desk_whose_seat_is_taken_away_says_so(
    camp: Camp, egyptian: Page, *, public: bool
) -> None:
    march_to(egyptian, SHENDY, "Berber")
    Campaign.objects.update(public=public)
    egyptian.context.set_offline(True)  # no look of the page falls into the removal
    seat_control.remove_player(
        camp.campaign.pk, camp.people.umpire, egyptian_seat(camp), reason="Gone."
    )
    egyptian.context.set_offline(False)
    look(egyptian)
    trouble = egyptian.locator("#trouble")
    expect(trouble).to_contain_text(
        "You no longer hold this seat" if public else "You can no longer see this campaign"
    )
    expect(trouble).to_be_in_viewport()
    expect(egyptian.locator("#state button:visible")).to_have_count(0)
    trouble.get_by_role("link").click()
    expect(egyptian).to_have_url(camp.page if public else f"{camp.url}/")


def test_a_seat_that_is_taken_away_is_told_when_a_change_is_refused(
    camp: Camp, egyptian: Page
) -> None:
    Campaign.objects.update(public=True)
    begin_order(egyptian, SHENDY)
    egyptian.locator("#legs input[name=to]").fill("Berber")
    # The news has not come yet.
    for news in ("gone-on", "look-again"):
        egyptian.evaluate(
            "(news) => addEventListener(news, (it) => it.stopImmediatePropagation(), true)", news
        )
    seat_control.remove_player(
        camp.campaign.pk, camp.people.umpire, egyptian_seat(camp), reason="Gone."
    )
    egyptian.get_by_role("button", name="Add this order").click()
    expect(egyptian.locator("#trouble")).to_contain_text("You no longer hold this seat")


@pytest.mark.parametrize("months", [1, 2])
def test_an_open_desk_says_that_its_month_was_rewound_and_not_run(
    camp: Camp, egyptian: Page, months: int
) -> None:
    head = Campaign.objects.get(pk=camp.campaign.pk).head
    assert head is not None
    advance.run_month(camp.campaign.pk, until=camp.campaign.month + months)
    camp.open(egyptian, camp.orders())
    expect(egyptian.locator("#state-words")).to_contain_text("Nothing is written yet")
    rewind.rewind_to(camp.campaign.pk, camp.people.umpire, head, reason="A mistake.")
    look(egyptian)
    expect(egyptian.locator("#trouble")).to_contain_text("The umpire has rewound the campaign.")
