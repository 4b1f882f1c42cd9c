"""Grouping campaign units into bodies, and sharing out what the bodies have lost."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battles.contract import Brief, Fate, Nation, Party, Quality, Side, Troop, TroopKind
from battles.contract.muster import (
    Aftermath,
    Body,
    beaten,
    explain_winner,
    muster,
    share_out,
    weight,
    winner_by_losses,
)

KINDS = [
    (Nation.BRITISH, TroopKind.INFANTRY, Quality.VETERAN),
    (Nation.EGYPTIAN, TroopKind.CAVALRY, Quality.RABBLE),
    (Nation.EGYPTIAN, TroopKind.SUPPLY, Quality.NONE),
    (Nation.MAHDIST, TroopKind.SPEARS, Quality.FANATIC),
]


def spears(number: int, strength: int = 1, *, disrupted: bool = False) -> Troop:
    return Troop(
        number,
        TroopKind.SPEARS,
        Nation.MAHDIST,
        Quality.FANATIC,
        strength=strength,
        disrupted=disrupted,
    )


def of(points: int):
    return lambda troop: points


@st.composite
def hosts(draw) -> list[Troop]:
    units = draw(
        st.lists(
            st.tuples(st.sampled_from(KINDS), st.integers(0, 6), st.booleans()),
            min_size=1,
            max_size=20,
        )
    )
    return [
        Troop(number, kind, nation, quality, strength=strength, disrupted=disrupted)
        for number, ((nation, kind, quality), strength, disrupted) in enumerate(units, 1)
    ]


shares = st.fractions(0, 1, max_denominator=8)


@st.composite
def battles(draw) -> list[tuple[Body, Aftermath]]:
    bodies = muster(draw(hosts()), of(draw(st.integers(1, 6))))
    return [(body, Aftermath(draw(shares), draw(st.booleans()))) for body in bodies]


@settings(max_examples=60)
@given(hosts(), st.integers(1, 6))
def test_every_unit_stands_in_one_body_of_its_sort_that_is_no_larger_than_full(host, full):
    bodies = muster(host, of(full))
    assert sorted(member.id for body in bodies for member in body.members) == sorted(
        troop.id for troop in host
    )
    for body in bodies:
        assert {(one.nation, one.kind, one.quality) for one in body.members} == {body.sort}
        assert len({member.disrupted for member in body.members}) == 1
        assert body.strength <= full or len(body.members) == 1


def test_points_make_full_bodies_and_the_odd_ones_are_left_small():
    bodies = muster([spears(number) for number in range(1, 9)], of(3))
    assert [body.strength for body in bodies] == [3, 3, 2]


def test_a_unit_stronger_than_a_full_body_is_one_alone():
    bodies = muster([spears(1, 5), spears(2, 1)], of(3))
    assert [[member.id for member in body.members] for body in bodies] == [[1], [2]]


def test_a_full_body_without_strength_is_refused():
    with pytest.raises(ValueError, match="a strength point at least"):
        muster([spears(1)], of(0))


@settings(max_examples=100)
@given(battles())
def test_nothing_is_created_and_nobody_forgotten(ends):
    fates = share_out(ends)
    members = [member for body, _ in ends for member in body.members]
    assert sorted(fates) == sorted(member.id for member in members)
    assert all(fates[one.id] is not Fate.GOOD for one in members if one.disrupted)
    assert Fate.CAPTURED not in fates.values()


@settings(max_examples=100)
@given(battles())
def test_whole_units_pay_what_the_figures_owe_until_no_unit_is_small_enough(ends):
    calm = [(body, Aftermath(after.lost)) for body, after in ends]
    fates = share_out(calm)
    for sort in {body.sort for body, _ in calm}:
        alike = [(body, after) for body, after in calm if body.sort == sort]
        owed = sum((after.lost * body.strength for body, after in alike), Fraction(0))
        again = {
            member.id
            for body, after in alike
            for member in body.members
            if member.disrupted and after.lost > Fraction(1, 2)
        }
        members = [member for body, _ in alike for member in body.members]
        dead = [one for one in members if fates[one.id] is Fate.ELIMINATED]
        paid = sum(weight(one) for one in dead if one.id not in again)
        assert paid <= owed
        left = owed - sum(map(weight, dead))
        assert all(weight(one) > left for one in members if one not in dead)


@settings(max_examples=60)
@given(battles())
def test_a_body_that_is_wiped_out_leaves_nobody_and_an_unhurt_army_loses_nobody(ends):
    gone = share_out([(body, Aftermath(Fraction(1))) for body, _ in ends])
    assert set(gone.values()) == {Fate.ELIMINATED}
    unhurt = share_out([(body, Aftermath(Fraction(0))) for body, _ in ends])
    assert Fate.ELIMINATED not in unhurt.values()


def test_losses_are_carried_on_to_the_next_body_of_the_sort():
    first, second = muster([spears(1, 2), spears(2, 2)], of(2))
    half = Aftermath(Fraction(1, 2))
    fates = share_out([(first, half), (second, half)])
    assert fates == {1: Fate.GOOD, 2: Fate.ELIMINATED}


def test_losses_are_not_carried_on_to_another_sort():
    rifles = Troop(2, TroopKind.INFANTRY, Nation.MAHDIST, Quality.LINE, strength=1)
    bodies = muster([spears(1, 2), rifles], of(2))
    fates = share_out([(body, Aftermath(Fraction(1, 2))) for body in bodies])
    assert fates == {1: Fate.GOOD, 2: Fate.GOOD}


def test_a_body_that_ends_shaken_or_under_half_strength_comes_back_disrupted():
    first, second, third = muster([spears(1, 4), spears(2, 4), spears(3, 4)], of(4))
    fates = share_out(
        [
            (first, Aftermath(Fraction(0), shaken=True)),
            (second, Aftermath(Fraction(5, 8))),
            (third, Aftermath(Fraction(0))),
        ]
    )
    assert fates == {1: Fate.DISRUPTED, 2: Fate.DISRUPTED, 3: Fate.GOOD}


def test_9_7_disrupted_again_is_eliminated():
    (body,) = muster([spears(1, disrupted=True), spears(2, disrupted=True)], of(3))
    shaken = share_out([(body, Aftermath(Fraction(0), shaken=True))])
    steady = share_out([(body, Aftermath(Fraction(0)))])
    assert set(shaken.values()) == {Fate.ELIMINATED}
    assert set(steady.values()) == {Fate.DISRUPTED}


def test_a_body_cannot_lose_more_than_it_has():
    (body,) = muster([spears(1)], of(3))
    with pytest.raises(ValueError, match="cannot lose"):
        share_out([(body, Aftermath(Fraction(3, 2)))])


def test_9_8_half_its_units_disrupted_or_gone_and_a_side_is_beaten():
    party = Party(Side.MAHDIST, (spears(1), spears(2), Troop(3, TroopKind.LEADER, Nation.MAHDIST)))
    assert beaten(party, {1: Fate.GOOD, 2: Fate.DISRUPTED, 3: Fate.GOOD})
    assert not beaten(party, {1: Fate.GOOD, 2: Fate.GOOD, 3: Fate.ELIMINATED})


def meeting() -> Brief:
    """Return a battalion with its train against a band."""
    battalion = Troop(1, TroopKind.INFANTRY, Nation.BRITISH, Quality.VETERAN, strength=3)
    train = Troop(2, TroopKind.SUPPLY, Nation.BRITISH)
    egyptian = Party(Side.EGYPTIAN, (battalion, train))
    return Brief("meeting", "A meeting", Party(Side.MAHDIST, (spears(3),)), egyptian)


def test_9_8_who_alone_is_left_has_won():
    fates = {1: Fate.DISRUPTED, 2: Fate.GOOD, 3: Fate.ELIMINATED}
    assert winner_by_losses(meeting(), fates, [Side.EGYPTIAN, Side.MAHDIST]) is Side.EGYPTIAN


def test_9_8_whose_enemy_alone_has_lost_has_won():
    fates = {1: Fate.GOOD, 2: Fate.GOOD, 3: Fate.DISRUPTED}
    assert winner_by_losses(meeting(), fates, [Side.MAHDIST]) is Side.EGYPTIAN
    assert winner_by_losses(meeting(), fates, [Side.EGYPTIAN, Side.MAHDIST]) is None


DRIVEN_OFF, HURT = {1: Fate.GOOD, 3: Fate.DISRUPTED}, {1: Fate.DISRUPTED, 3: Fate.DISRUPTED}


@pytest.mark.parametrize(
    ("fates", "winner", "by_the_book", "because"),
    [
        (DRIVEN_OFF, Side.EGYPTIAN, Side.EGYPTIAN, ""),
        (DRIVEN_OFF, Side.EGYPTIAN, None, "Of the losers alone half the units or more"),
        (HURT, None, Side.EGYPTIAN, "half the units or more of the other side are lost or dis"),
        (HURT | {3: Fate.ELIMINATED}, Side.EGYPTIAN, None, "The losers have no unit left."),
        (
            {1: Fate.GOOD, 3: Fate.GOOD},
            None,
            Side.MAHDIST,
            "neither side has half its units or more",
        ),
    ],
)
def test_9_8_a_result_that_is_not_the_book_s_says_why(fates, winner, by_the_book, because):
    told = explain_winner(meeting(), fates | {2: Fate.GOOD}, winner, by_the_book)
    assert because in told
    assert bool(told) == bool(because)


def test_9_4_the_book_s_winner_of_whom_only_trains_are_left_has_not_won_and_is_told_why() -> None:
    trains = [Troop(number, TroopKind.SUPPLY, Nation.BRITISH) for number in (1, 2)]
    battalion = Troop(4, TroopKind.INFANTRY, Nation.BRITISH)
    egyptian = Party(Side.EGYPTIAN, (*trains, battalion))
    brief = Brief("trains", "Trains", Party(Side.MAHDIST, (spears(3),)), egyptian)
    fates = {1: Fate.GOOD, 2: Fate.GOOD, 4: Fate.ELIMINATED, 3: Fate.DISRUPTED}
    assert winner_by_losses(brief, fates, [Side.MAHDIST]) is None
    assert "nobody left who can hold" in explain_winner(brief, fates, None, Side.EGYPTIAN)


def test_9_4_a_side_of_which_only_the_train_is_left_has_not_won():
    fates = {1: Fate.ELIMINATED, 2: Fate.GOOD, 3: Fate.ELIMINATED}
    assert winner_by_losses(meeting(), fates, [Side.MAHDIST]) is None
