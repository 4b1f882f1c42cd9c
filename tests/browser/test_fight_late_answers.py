"""A field that is pressed faster than a bad line answers."""

import re
from functools import partial

from playwright.sync_api import Page, Position, Route, expect

from tests.browser.test_fight import Field, alone, at_a_move, ground, moved_on, place

__all__ = ["alone", "ground"]

SHARES = (0.7, 0.5, 0.3)
"""Of the way to a place on offer, until one of them can be gone to."""


def test_two_touches_of_a_place_do_not_do_what_was_tried_at_another(
    ground: Field, alone: Page
) -> None:
    """The answer to the first touch is late, then lost: the page still shows the place before."""
    battle = ground.against_the_computer("restless")
    alone.goto(ground.of(battle))
    before = at_a_move(alone, battle)
    do_it = alone.locator("#tried .urgent")
    try_a_place(alone)
    held: list[Route] = []
    asked = re.compile(r"/fight/\?.*\bx=")
    alone.route(asked, partial(list.append, held))
    elsewhere = Position(x=60, y=60)
    drawing = alone.locator("#field svg")
    drawing.click(position=elsewhere)
    drawing.click(position=elsewhere)
    alone.wait_for_timeout(300)
    held[-1].abort()
    expect(alone.locator("#offline")).to_contain_text("No connection.")
    drawing.click(position=elsewhere)
    alone.wait_for_timeout(300)
    assert place(battle) == before
    expect(do_it).to_be_visible()

    cross = alone.locator("#field .offers .tried.cross").bounding_box()
    assert cross is not None
    alone.mouse.click(cross["x"] + cross["width"] / 2 + 4, cross["y"] + cross["height"] / 2 + 4)
    moved_on(alone, before)


def try_a_place(page: Page) -> None:
    """Touch ground to which the acting unit can go."""
    offer, unit = (
        page.locator(one).first.bounding_box()
        for one in ("#field .offer.go .shape", "#field .offers .acting")
    )
    assert offer is not None
    assert unit is not None
    (east, south), (to_east, to_south) = (
        (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in (unit, offer)
    )
    answered = page.locator("#tried:not([data-old])")
    for share in SHARES:
        page.evaluate("document.querySelector('#tried')?.setAttribute('data-old', '')")
        page.mouse.click(east + share * (to_east - east), south + share * (to_south - south))
        expect(page.locator("#fight")).not_to_have_attribute("aria-busy", "true")
        answered.or_(page.locator("#touched, #picked")).first.wait_for()
        if answered.locator(".urgent").count():
            return
    raise AssertionError("No place between the unit and one on offer can be gone to.")
