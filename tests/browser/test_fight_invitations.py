"""The links that invite people to a battle: copied, kept in sight, and followed."""

import pytest
from playwright.sync_api import Browser, expect

from battles import services
from battles.contract import Side
from battles.contract.brief_files import find_ready_battle
from battles.services.fights import OPEN
from tests.battles_web.fights import EL_TEB
from tests.browser.test_fight import Field, ground

__all__ = ["ground"]

NO_CLIPBOARD = "navigator.clipboard.writeText = () => Promise.reject(new Error('not over http'))"


@pytest.mark.parametrize("script", ["", NO_CLIPBOARD], ids=["https", "http"])
def test_a_link_is_copied_and_stays_so_while_the_page_is_exchanged(
    ground: Field, browser: Browser, script: str
) -> None:
    chosen = find_ready_battle(EL_TEB)
    assert chosen is not None
    sides = services.NewFight("redcoats", dict.fromkeys(Side, OPEN))
    battle = services.begin_fight(ground.people.umpire, chosen.brief, sides)
    host = ground.session(browser, ground.people.umpire)
    host.context.grant_permissions(["clipboard-read", "clipboard-write"])
    host.add_init_script(script)
    host.goto(ground.of(battle))
    offered = host.locator(".invited")
    expect(offered).to_have_count(2)
    egyptian = offered.filter(has_text="The Anglo-Egyptian side waits")
    egyptian.get_by_role("button", name="Copy the link").click()
    expect(egyptian.locator(".copied")).to_have_text("Copied.")
    expect(host.locator("#said")).to_have_text("Copied.")
    copied = host.evaluate("navigator.clipboard.readText()")
    assert copied == egyptian.get_by_role("link").inner_text()
    mahdist = battle.commands.get(side=Side.MAHDIST).invitation
    services.accept(battle, ground.people.mahdist, mahdist)
    host.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(offered).to_have_count(1)
    expect(egyptian.locator(".copied")).to_have_text("Copied.")
    expect(egyptian.get_by_role("button", name="Copy the link")).to_be_visible()
    guest = ground.session(browser, ground.people.egyptian)
    guest.goto(copied)
    guest.get_by_role("button", name="Take the Anglo-Egyptian side").click()
    expect(guest).to_have_url(ground.of(battle))
    host.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(offered).to_have_count(0)
    host.context.close()
    guest.context.close()
