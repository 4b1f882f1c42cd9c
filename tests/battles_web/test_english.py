"""The log in sentences: who acts, what comes of it, and what it rests on."""

from typing import Any, get_args

import pytest

from battles.books.redcoats import events as e
from battles.books.redcoats.evolve import evolve
from battles.books.redcoats.field import Aspect, Field, parse_square
from battles.books.redcoats.names import GONE, aim, in_words, muster_roll, name_of
from battles.books.redcoats.pieces import Formation, Heroic, Kind, Troops
from battles.books.redcoats.state import Leader, State, Unit
from battles.books.redcoats.tale import Tale
from battles.contract import Side
from battles.contract.report import BattleResult
from battles.core.dice import Card, Roll, Suit
from battles.prose import HEADLINE, NEWS, ROUTINE, Sentence, agree

FIVE = Card(5, Suit.HEARTS)


def unit(number: int, square: str, **more: Any) -> Unit:
    side = more.pop("side", Side.EGYPTIAN)
    troops = Troops.BRITISH if side is Side.EGYPTIAN else Troops.DERVISH
    known: dict[str, Any] = {"formation": Formation.LINE, "armed": side is Side.EGYPTIAN}
    return Unit(
        number, side, Kind.INFANTRY, troops, 4, 4, parse_square(square), 0, **(known | more)
    )


@pytest.fixture
def state() -> State:
    units = [unit(1, "D5", name="Sussex"), unit(2, "E5"), unit(11, "D2", side=Side.MAHDIST)]
    leader = Leader(4, Side.EGYPTIAN, Troops.BRITISH, parse_square("D5"), "Graham")
    numbered = {one.id: one for one in units}
    strengths = {Side.EGYPTIAN: 2.0, Side.MAHDIST: 1.0}
    return State(1, "A battle", Field(12, 8), numbered, {4: leader}, strengths, 12, cards={1: FIVE})


def told(state: State, *events: Any, rolls: tuple[Roll, ...] = ()) -> list[Sentence]:
    """Return the sentences about these events; the last of them has the throws."""
    tale = Tale(state)
    for event in events:
        tale.hear(event, rolls if event is events[-1] else ())
        evolve(state, event)
    return list(tale.tell())


def activated(number: int = 1) -> e.Activated:
    return e.Activated(units=(number,), points=6, bonus=0)


def test_what_a_unit_does_is_one_sentence_with_its_card(state: State) -> None:
    to = (parse_square("D4"), parse_square("E4"))
    moved = e.Moved(units=(1,), path=to, to=(parse_square("E4"),), facing=1, cost=4)
    fired = e.Fired(unit=1, target=11, hit=False, cost=2)
    [one] = told(state, activated(), moved, fired, e.ActivationEnded())
    assert one.text == (
        "The Sussex (1) moves to E4 by D4 and fires on the Dervish spear rub (11) without effect."
    )
    assert (one.side, one.card, one.units, one.weight) == (Side.EGYPTIAN, FIVE, (1, 11), ROUTINE)


def test_a_hit_is_news_and_what_the_target_suffers_is_strung_together(state: State) -> None:
    state.acting = None
    fired = e.Fired(unit=1, target=11, hit=True, cost=2)
    lost = e.FigureLost(unit=11, cause="fire")
    [one] = told(state, activated(), fired, lost, lost, e.Disorganised(unit=11, cause="fire"))
    assert one.weight == NEWS
    assert one.text == (
        "The Sussex (1) fires on the Dervish spear rub (11) and hits. "
        "The Dervish spear rub (11) loses 1 figure, loses another figure and is disorganised."
    )


def test_a_shot_like_the_last_one_is_fired_again(state: State) -> None:
    missed = e.Fired(unit=1, target=11, hit=False, cost=2)
    turned = e.Moved(units=(1,), path=(), to=(parse_square("D5"),), facing=1, cost=1)
    [one] = told(state, activated(), missed, missed, turned, turned)
    assert one.text == (
        "The Sussex (1) fires on the Dervish spear rub (11) without effect, "
        "fires again without effect, turns and turns again."
    )


def test_a_charge_tells_both_scores(state: State) -> None:
    charged = e.Charged(unit=11, target=1, aspect=Aspect.FRONT)
    judged = e.ChargeJudged(unit=11, target=1, difference=-2, result="falls back")
    rolls = (
        Roll("charge", "Charging 9", (3,), 8, total=7),
        Roll("charged", "Charging 9", (5,), total=9),
    )
    [one] = told(state, activated(11), charged, judged, rolls=rolls)
    assert one.text == (
        "The Dervish spear rub (11) charges the Sussex (1) in the front. "
        "It is 7 against 9: the charge is beaten off."
    )
    assert len(one.rolls) == 2


def test_those_who_do_nothing_are_told_of_together(state: State) -> None:
    [one] = told(state, activated(1), e.ActivationEnded(), activated(2), e.ActivationEnded())
    assert one.text == "The Sussex (1) and the British infantry (2) stand."
    assert one.units == (1, 2)


def test_a_card_that_was_turned_stands_behind_the_sentence(state: State) -> None:
    spade = Card(9, Suit.SPADES)
    state.pack = [spade]
    turned = e.CardTurned(card=spade, purpose="cover", unit=11, result="saved")
    fired = e.Fired(unit=1, target=11, hit=True, cost=2)
    [one] = told(state, activated(), fired, turned)
    assert one.text.endswith("The cover takes the hit.")
    assert one.turned == ((spade, "cover", "saved"),)


def test_a_heroic_card_names_for_whom_it_is_played(state: State) -> None:
    state.hands[Side.EGYPTIAN] = [Heroic.RECOVER]
    played = e.HeroicPlayed(side=Side.EGYPTIAN, card=Heroic.RECOVER, unit=1)
    recovered = e.Recovered(unit=1, cause="leader")
    [one] = told(state, activated(), played, recovered)
    assert one.text == "“Recover!” is played for the Sussex (1). The Sussex (1) recovers its order."


def test_attempts_that_fail_name_the_unit(state: State) -> None:
    rolls = (Roll("recovery", "Disorganisation 7", (6,)),)
    [one] = told(state, e.RecoveryFailed(unit=1), rolls=rolls)
    assert one.text == "The Sussex (1) tries to recover its order but fails."
    assert one.rolls == rolls


def test_the_words_for_one_unit_of_many_agree_with_its_name(state: State) -> None:
    state.units[1].name = "Irish Fusiliers"
    [one] = told(state, activated(1), e.ActivationEnded())
    assert one.text == "The Irish Fusiliers (1) stand."
    judged = e.CombatJudged(charger=11, charged=1, loser=11, difference=-2)
    rolls = (Roll("charger", "", (3,), total=7), Roll("charged", "", (5,), total=9))
    [one] = told(state, judged, rolls=rolls)
    assert one.text.endswith("It is 7 against 9: the Irish Fusiliers (1) have the upper hand.")


def test_a_unit_that_is_lost_after_it_stood_is_not_said_to_stand(state: State) -> None:
    lost = e.Lost(unit=2, cause="charge")
    stood = [activated(2), e.ActivationEnded()]
    charged = e.Charged(unit=11, target=2, aspect=Aspect.FRONT)
    [one] = told(state, *stood, activated(11), charged, lost, e.ActivationEnded())
    assert one.text == (
        "The Dervish spear rub (11) charges the British infantry (2) in the front. "
        "The British infantry (2) is destroyed."
    )


def test_a_leader_names_once_whom_he_leads(state: State) -> None:
    led = e.Coordinated(leader=4, units=(1, 2))
    shaken = e.Disorganised(unit=2, cause="fire")
    fewer = e.Coordinated(leader=4, units=(1,))
    fired = e.Fired(unit=11, target=2, hit=True, cost=2)
    sentences = told(state, led, activated(11), fired, shaken, fewer)
    assert [one.text for one in sentences] == [
        "Graham (4) leads the Sussex (1) and the British infantry (2) on one card.",
        (
            "The Dervish spear rub (11) fires on the British infantry (2) and hits. "
            "The British infantry (2) is disorganised."
        ),
    ]


def test_a_unit_without_room_to_fall_back_is_one_clause(state: State) -> None:
    back = e.FellBack(unit=11, path=(), facing=0, blocked=True)
    [one] = told(state, activated(11), back, e.FigureLost(unit=11, cause="blocked"))
    assert one.text == ("The Dervish spear rub (11) has no room to fall back and loses 1 figure.")


def test_small_units_count_in_quarters(state: State) -> None:
    broke = e.BrokeOff(side=Side.MAHDIST, out=1.25, of=2.5)
    [one] = told(state, broke)
    assert one.text == (
        "The Dervish side breaks off the battle: 1¼ of its 2½ units are disorganised or lost."
    )


def test_the_aim_says_how_near_each_side_is_to_breaking_off(state: State) -> None:
    state.units[2].disorganised = True
    told_of = " ".join(aim(state))
    assert (
        "The Anglo-Egyptian side has 1 of 2 units disorganised or lost, and breaks off at 1."
        in told_of
    )
    assert "The Dervish side has 0 of 1 units disorganised or lost, and breaks off at ½." in told_of
    state.breaking_off = [Side.EGYPTIAN]
    assert "The Anglo-Egyptian side is breaking off." in aim(state)
    state.result = BattleResult(Side.MAHDIST, "nightfall", "Night has fallen.")
    assert not any("breaking off" in sentence for sentence in aim(state))


def test_a_leader_who_has_left_the_field_stays_on_the_muster_roll(state: State) -> None:
    evolve(state, e.Left(unit=4, cause="broke off"))
    assert name_of(state, 4) == "Graham (4)"
    assert [line.fate for line in muster_roll(state) if line.number == 4] == [GONE]


def test_the_end_is_a_headline(state: State) -> None:
    broke = e.BrokeOff(side=Side.MAHDIST, out=3, of=6)
    ended = e.BattleEnded(result=BattleResult(Side.EGYPTIAN, "broke off", "They are gone."))
    first, second = told(state, broke, ended)
    assert first.text == (
        "The Dervish side breaks off the battle: 3 of its 6 units are disorganised or lost."
    )
    assert (second.text, second.weight, second.side) == ("They are gone.", HEADLINE, Side.EGYPTIAN)


def test_a_leader_who_falls_is_a_headline(state: State) -> None:
    fell = e.LeaderFell(leader=4, cause="killed")
    [one] = told(state, activated(11), fell)
    assert one.text == "Graham (4) is killed."
    assert one.weight == HEADLINE


def test_a_brigade_square_is_one_that_acts(state: State) -> None:
    both = e.Activated(units=(1, 2), points=3, bonus=0, leader=4)
    path = (parse_square("D4"),)
    moved = e.Moved(
        units=(1, 2), path=path, to=(parse_square("D4"), parse_square("E4")), facing=0, cost=2
    )
    [one] = told(state, both, moved, e.Fired(unit=2, target=11, hit=False, cost=2))
    assert one.text == (
        "The brigade Square (1, 2) marches to D4–E4. The British infantry (2) fires on the "
        "Dervish spear rub (11) without effect."
    )


def test_a_unit_in_words_for_the_field(state: State) -> None:
    assert in_words(state.units[1]) == (
        "Sussex: British infantry, line facing north at D5, 4 of 4 figures"
    )


def test_every_kind_of_event_has_an_ear_or_says_nothing_of_its_own() -> None:
    """A silent event is described by the next one, or is only the program's bookkeeping."""
    silent = {
        *(
            e.AgendaRecorded,
            e.HeroicShuffled,
            e.TurnBegan,
            e.Repacked,
            e.Dealt,
            e.Calmed,
            e.CardTaken,
            e.Declared,
            e.CarriedOut,
        ),
        *(e.Queued, e.CombatBegan, e.CombatEnded),
    }
    tale = Tale(State(1, "", Field(1, 1), {}, {}, {}, 1))
    assert set(tale.hears) == set(get_args(e.AnyEvent)) - silent


def test_a_throw_for_action_points_is_told_with_what_it_gives(state: State) -> None:
    roll = Roll("action points", "Action points 1", (6,), total=6)
    [one] = told(state, activated(), rolls=(roll,))
    assert one.text == "The Sussex (1) throws 6: 6 action points."
    assert one.rolls == (roll,)


def test_a_leader_who_has_left_the_field_keeps_his_name(state: State) -> None:
    alone = e.Activated(units=(4,), points=3, leader=4)
    gone = e.Left(unit=4, cause="broke off")
    said = [one.text for one in told(state, alone, e.ActivationEnded(), gone)]
    assert said == ["Graham (4) breaks off and leaves the field."]


@pytest.mark.parametrize(
    ("subject", "deed", "written"),
    [
        (
            "the Rifles (4)",
            "fires on the Yorks and Lancs (2) and hits",
            "fire on the Yorks and Lancs (2) and hit",
        ),
        ("the Native spearmen (11)", "rallies and comes back at 3", "rally and come back at 3"),
        (
            "the Gordon Highlanders (2)",
            "is cut down where it stands",
            "are cut down where they stand",
        ),
        ("the Machine guns (3)", "goes aboard the Abbas (7)", "go aboard the Abbas (7)"),
        (
            "the Irish Fusiliers (3)",
            "must retreat until it is rallied",
            "must retreat until they are rallied",
        ),
        ("the Naval machine guns (5)", "loses its last figure", "lose their last figure"),
        ("the 19th Hussars", "lies alongside", "lie alongside"),
        (
            "the 19th Hussars (1)",
            "tries to recover its order but fails",
            "try to recover their order but fail",
        ),
        ("the Rifles (4)", "no longer charges the Abbas (7)", "no longer charge the Abbas (7)"),
        ("the Sussex (1)", "marches on", "marches on"),
        ("the Heavy Camel Corps (6)", "has 2 casualties", "has 2 casualties"),
        ("the Duke of Cornwall's (6)", "forms square", "forms square"),
        ("Hicks (3)", "is killed", "is killed"),
    ],
)
def test_the_verb_agrees_with_the_name(subject: str, deed: str, written: str) -> None:
    assert agree(subject, deed) == written
