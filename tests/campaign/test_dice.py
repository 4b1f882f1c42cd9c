"""Nobody can doubt the dice, and nobody foresee them."""

import pytest
from msgspec.structs import replace

from battles.core.decoding import encode
from battles.core.dice import chain_link, derive_key, month_key
from battles.journal import Damaged, pack
from campaign import serialization
from campaign.access import journal_events, selectors
from campaign.models import Campaign, Entry, MonthSeal
from campaign.services.journal import audit, campaign_session, creation, dice
from campaign.services.turns import advance
from campaign.staff import answer


def seal(campaign: Campaign, month: int, branch: int = 0) -> MonthSeal:
    return MonthSeal.objects.get(campaign=campaign, branch=branch, month=month)


def thrown(campaign: Campaign) -> Entry:
    """Return an entry of the first month with dice in it."""
    entries = campaign.entries.filter(month=campaign.first_month)
    return next(entry for entry in entries if serialization.rolls_of(entry))


def test_the_anchor_is_public_before_the_first_die(campaign: Campaign) -> None:
    assert chain_link(bytes(campaign.secret_seed), dice.CHAIN).hex() == campaign.public_anchor


def test_a_month_is_sealed_before_its_first_entry_and_published_when_closed(
    campaign: Campaign,
) -> None:
    sealed = seal(campaign, campaign.first_month)
    assert sealed.link is None
    assert set(sealed.commitments) == {"egyptian", "mahdist"}
    advance.run_month(campaign.pk, until=campaign.month + 1)
    opened = seal(campaign, campaign.first_month)
    assert opened.link is not None
    assert opened.commitments == sealed.commitments
    assert chain_link(bytes.fromhex(opened.link), 1).hex() == campaign.public_anchor


def test_the_month_under_way_publishes_neither_link_nor_salts(played: Campaign) -> None:
    now = next(one for one in journal_events.seals_of(played) if one.month == played.month)
    assert (now.link, now.salts) == (None, None)
    assert now.commitments


def test_what_is_published_does_not_give_the_next_link(played: Campaign) -> None:
    last = seal(played, played.month - 1)
    coming = dice.link(played, played.month)
    assert chain_link(coming, 1).hex() == last.link
    assert chain_link(bytes.fromhex(last.link or ""), 1) != coming


def test_the_dice_depend_on_the_salts_of_both_sides() -> None:
    link, salts = b"l" * 32, [b"a" * 16, b"b" * 16]
    keys = {month_key(link, salts), month_key(link, salts[::-1]), month_key(link, salts[:1])}
    assert len(keys) == 3


def test_every_closed_month_is_recomputed(played: Campaign) -> None:
    campaign_session.perform(played.pk, "player:egyptian", answer(selectors.state_now(played)))
    proof = audit.verify_dice(played)
    faces = sum(
        len(roll.dice)
        for entry in played.entries.filter(month__lt=played.month)
        for roll in serialization.rolls_of(entry)
    )
    assert (proof.months, proof.dice, proof.sealed_entries) == (2, faces, 1)
    assert faces > 0


def test_a_changed_die_is_found_and_named(played: Campaign) -> None:
    entry = thrown(played)
    first, *others = serialization.rolls_of(entry)
    face = first.dice[0] % first.sides + 1
    lie = replace(first, dice=(face, *first.dice[1:]))
    entry.rolls = pack(encode((lie, *others)))
    entry.save()
    told = f"entry {entry.number} of branch 0 .*die 1 of the throw for {first.reason}.*as {face};"
    with pytest.raises(Damaged, match=told):
        audit.verify_dice(played)


def test_a_salt_chosen_afterwards_is_found(played: Campaign) -> None:
    opened = seal(played, played.first_month)
    opened.salts["mahdist"] = "00" * 16
    opened.save()
    with pytest.raises(Damaged, match="mahdist salt of February 1884"):
        audit.verify_dice(played)


def test_a_link_of_another_chain_is_found(played: Campaign) -> None:
    opened = seal(played, played.first_month)
    opened.link = derive_key(b"another").hex()
    opened.save()
    with pytest.raises(Damaged, match="does not lead to the anchor"):
        audit.verify_dice(played)


def test_entries_without_a_seal_are_found(played: Campaign) -> None:
    seal(played, played.first_month).delete()
    with pytest.raises(Damaged, match="February 1884, branch 0, were never sealed"):
        audit.verify_dice(played)


def test_months_abandoned_by_going_back_are_published_too(played: Campaign) -> None:
    campaign_session.perform(played.pk, "player:egyptian", answer(selectors.state_now(played)))
    entry = played.entries.get(number=5)
    creation.branch_from(played.pk, entry, reason="A slip of the pen.", by="umpire:umpire")
    proof = audit.verify_dice(played)
    assert (proof.months, proof.sealed_entries) == (3, 0)
