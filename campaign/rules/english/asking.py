"""What the campaign waits for, as sentences."""

from battles.core.handlers import Handlers
from campaign.rules import questions as q
from campaign.rules.board import board
from campaign.rules.english.names import at, leader_name
from campaign.rules.english.words import capital, listed, times
from campaign.rules.pieces import Side
from campaign.rules.state import Phase, State

PHASES = {
    Phase.SET_UP: "set-up",
    Phase.EVENT: "random event",
    Phase.REINFORCEMENT: "reinforcements",
    Phase.MARCH: "marches",
    Phase.ATTRITION: "supply and attrition",
    Phase.RECOVERY: "recovery",
    Phase.OVER: "the campaign is over",
}

_PURPOSES = {
    "khalifa placed": "choose the stack with which the Khalifa takes command",
    "railhead placed": "choose where the railway begins",
    "craft displaced": "choose where its craft draw off to",
    "left ashore": "choose the units that stay ashore at the cataract",
    "units go home": "choose the units that go home",
    "event hex": "choose where the random event takes place",
    "event camp": "choose the stack that the garrison's men go over to",
    "event units": "choose the units that the random event falls on",
}


def side_asked(side: Side) -> str:
    """The side as somebody who answers: `the Mahdist side`."""
    return f"the {_TURNS[side]} side"


_TURNS = {Side.EGYPTIAN: "Egyptian", Side.MAHDIST: "Mahdist"}


def phase_in_words(state: State) -> str:
    """Whose player turn it is and in which phase: `Mahdist turn: marches`."""
    phase = PHASES[state.phase]
    if state.phase in (Phase.SET_UP, Phase.OVER):
        return capital(phase)
    return f"{_TURNS[state.side]} turn: {phase}"


def turn_in_words(state: State, side: Side) -> str:
    """That a side has to act, for those who may not know what is asked of it."""
    return f"{capital(side_asked(side))} is to act: {PHASES[state.phase]}."


def question_in_words(state: State) -> str:
    """What the campaign waits for, and of whom."""
    question = state.question
    if question is None:
        return "The campaign is over."
    asked = _describe(state, question)
    return f"{capital(side_asked(question.side))} is to {asked}."


_describe = Handlers[State, [], str]("questions in words")


@_describe.on(q.ToSetUp)
def _to_set_up(state: State, question: q.ToSetUp) -> str:
    return "set up its units, or leave them where they stand, and say that it is ready"


@_describe.on(q.ToReinforce)
def _to_reinforce(state: State, question: q.ToReinforce) -> str:
    return "place what has arrived, withdraw what is to go, and end the phase"


@_describe.on(q.ToMarch)
def _to_march(state: State, question: q.ToMarch) -> str:
    return "choose the next stack to march, or end the phase"


@_describe.on(q.OnMarch)
def _on_march(state: State, question: q.OnMarch) -> str:
    stack = _marching(state)
    return f"say what {stack} does next: move, attack, drop units off, march again or halt"


def _marching(state: State) -> str:
    if state.march is None:
        return "the marching stack"
    return f"the marching stack {at(state.march.route[-1])}"


@_describe.on(q.ToDisrupt)
def _to_disrupt(state: State, question: q.ToDisrupt) -> str:
    units = times(question.count, "unit")
    return f"choose {units} of {_marching(state)} to fall out"


@_describe.on(q.ToShareLosses)
def _to_share_losses(state: State, question: q.ToShareLosses) -> str:
    out = sum(quota.eliminated for quota in question.quotas)
    hurt = sum(quota.disrupted for quota in question.quotas)
    owed = [f"{times(out, 'unit')} eliminated"] if out else []
    owed += [f"{times(hurt, 'unit')} disrupted"] if hurt else []
    return f"share its losses of the {question.stage}{_of_combat(state)}: {listed(owed)}"


def _of_combat(state: State) -> str:
    return f" {at(state.combat.defender.hex)}" if state.combat is not None else ""


@_describe.on(q.ToLead)
def _to_lead(state: State, question: q.ToLead) -> str:
    leaders = board(state).named(question.leaders)
    names = " or ".join(leader_name(unit.name) for unit in leaders)
    return f"say whether {names} helps in fire or in melee in the combat{_of_combat(state)}"


@_describe.on(q.ToFight)
def _to_fight(state: State, question: q.ToFight) -> str:
    return f"fight its battle out{_of_combat(state)}, or have it fought"


@_describe.on(q.ToRetreat)
def _to_retreat(state: State, question: q.ToRetreat) -> str:
    stay = ", or stand fast" if question.free else ""
    return f"retreat its beaten stack {at(question.hex)}{stay}"


@_describe.on(q.ToSupply)
def _to_supply(state: State, question: q.ToSupply) -> str:
    return f"spend supply on the stack {at(question.hex)}, or let it roll for attrition"


@_describe.on(q.ToShareAttrition)
def _to_share_attrition(state: State, question: q.ToShareAttrition) -> str:
    return f"choose {times(question.affected, 'unit')} {at(question.hex)} to suffer attrition"


@_describe.on(q.ToChooseHex)
def _to_choose_hex(state: State, question: q.ToChooseHex) -> str:
    count = times(len(question.choices), "hex", "hexes")
    return _PURPOSES.get(question.purpose, f"choose one of {count}")


@_describe.on(q.ToChooseUnits)
def _to_choose_units(state: State, question: q.ToChooseUnits) -> str:
    count = times(question.count, "unit")
    return f"{_PURPOSES.get(question.purpose, 'choose among its units')}: {count}"
