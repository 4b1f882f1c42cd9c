"""8.24: camels, and the corps that rides them."""

from campaign.rules.core import actions as a
from campaign.rules.core import questions as q
from tests.positions import position
from tests.rules.helpers import count, go, ids, march, offered, play, refused


def test_8_24_a_camel_carries_supply_through_the_whole_march():
    state = position("0641: supply, camel")
    march(state, "0641")
    go(state, *(f"{hex_id:04d}" for hex_id in range(640, 632, -1)))
    assert len(ids(state, "0633")) == 2


def test_8_24_two_camel_corps_units_become_two_infantry_units_and_a_camel():
    state = position("0641: 2 camel corps british 2V", phase="reinforcement", month="1885-01")
    riders = ids(state, "0641")
    play(state, a.Dismount(riders))
    assert count(state, "0641", "infantry british 2V") == 2
    assert count(state, "0641", "camel") == 1
    assert {state.units[unit].strength for unit in riders} == {2}


def test_8_24_two_of_one_quality_dismount_each_as_what_it_is():
    state = position(
        "0641: camel corps british 2V disrupted, camel corps british 1V", phase="reinforcement"
    )
    play(state, a.Dismount(ids(state, "0641")))
    assert count(state, "0641", "infantry british 2V disrupted") == 1
    assert count(state, "0641", "infantry british 1V") == 1
    assert count(state, "0641", "camel") == 1


def test_8_24_two_of_different_quality_do_not():
    state = position("0641: camel corps british 2V, 2 camel corps egyptian", phase="reinforcement")
    first, *others = ids(state, "0641")
    assert offered(state).riders == (tuple(others),)
    refused(state, a.Dismount((first, others[0])), "8.24")


def test_8_24_camel_corps_dismount_in_the_march_phase_and_their_camel_carries_at_once():
    state = position("0641: 2 camel corps british 2V, supply")
    play(state, a.Dismount(ids(state, "0641", "2 camel corps british 2V")))
    assert isinstance(state.question, q.ToMarch)
    march(state, "0641", "supply, camel")
    assert state.march.points == 8


def test_8_24_who_has_marched_does_not_dismount():
    state = position("0641: 2 camel corps british 2V")
    march(state, "0641")
    refused(state, a.Dismount(ids(state, "0641")), "5.0")
    play(state, a.Halt())
    refused(state, a.Dismount(ids(state, "0641")), "8.24")


def test_8_24_one_alone_or_two_of_different_stacks_do_not_dismount():
    state = position(
        "0641: camel corps british 2V", "0640: camel corps british 2V", phase="reinforcement"
    )
    refused(state, a.Dismount(ids(state, "0641")), "8.24")
    refused(state, a.Dismount((*ids(state, "0641"), *ids(state, "0640"))), "8.24")


def test_8_24_options_name_the_camel_corps_that_may_dismount():
    state = position(
        "0641: 3 camel corps british 2V", "0640: camel corps british 2V", "0638: camel"
    )
    assert offered(state).riders == (ids(state, "0641"),)
    play(state, a.Dismount(ids(state, "0641")[:2]))
    assert offered(state).riders == ()


def test_8_24_who_has_dismounted_never_mounts_again():
    state = position("0641: 2 camel corps british 2V", phase="reinforcement", month="1885-01")
    play(state, a.Dismount(ids(state, "0641")))
    refused(state, a.Dismount(ids(state, "0641", "2 infantry british 2V")), "8.24")
