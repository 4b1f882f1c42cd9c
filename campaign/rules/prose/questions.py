"""Questions and actions of a campaign as sentences."""

from collections.abc import Iterable

from battles.contract.brief import Brief, Side, TroopKind
from battles.core.rules_engine import Handlers
from campaign.rules.core import actions as a
from campaign.rules.core import questions as q
from campaign.rules.core.board import board
from campaign.rules.core.pieces import UnitId, month_from_text, month_name
from campaign.rules.core.questions import ToSupply
from campaign.rules.core.state import Phase, State, Unit
from campaign.rules.prose.names import (
    at_hex,
    describe_hex,
    describe_led_force,
    describe_stack,
    describe_units,
    is_plural,
    leader_name,
    side_name,
)
from campaign.rules.prose.phrases import (
    capitalise,
    count_noun,
    describe_battle_method,
    join_words,
    ordinal,
)
from campaign.rules.set_up import may_choose_hexes

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
    "event camp": "choose the stack that the garrison’s men go over to",
    "event units": "choose the units that the random event falls on",
}


def side_asked(side: Side) -> str:
    """Return the name of the side that answers: `the Mahdist side`."""
    return f"the {_TURNS[side]} side"


_TURNS = {Side.EGYPTIAN: "Egyptian", Side.MAHDIST: "Mahdist"}


def describe_phase(state: State) -> str:
    """Return player turn and phase: `Mahdist turn: marches`."""
    phase = PHASES[state.phase]
    if state.phase in (Phase.SET_UP, Phase.OVER):
        return capitalise(phase)
    return f"{_TURNS[state.side]} turn: {phase}"


def describe_turn(state: State, side: Side) -> str:
    """Return the sentence that a side has to act, for viewers who may not see the question."""
    return f"{capitalise(side_asked(side))} has to act: {PHASES[state.phase]}."


def describe_question(state: State, attack: int = 1) -> str:
    """Return the open question as a sentence, with the side that answers.

    A battle that is handed over is no side's to answer. `attack` counts those on its place this
    month: of a later one it is said that it is not the battle that has been fought already.
    """
    question = state.question
    if question is None:
        return "The campaign is over."
    waits = f"{capitalise(side_asked(question.side))} has"
    if isinstance(question, q.ToFight):
        name = _name_attack(question.brief.title, attack)
        waits = name if attack == 1 else f"Another attack: {name[:1].lower()}{name[1:]} this month"
        waits = f"{waits} is"
    return f"{waits} to {_describe(state, question)}."


def name_battle(brief: Brief, attack: int) -> str:
    """Return the title of a battle: `The second battle of Tokar in March 1884`.

    `attack` counts those on its place in the month; the first has neither number nor month.
    """
    name = _name_attack(brief.title, attack)
    return name if attack == 1 else f"{name} in {month_name(month_from_text(brief.month))}"


def _name_attack(title: str, attack: int) -> str:
    number, battle = _LATER.get(attack, ordinal(attack)), title.removeprefix("The ")
    return title if attack == 1 else f"The {number} {battle}"


_LATER = {2: "second", 3: "third", 4: "fourth", 5: "fifth"}


_describe = Handlers[State, [], str]("questions in words")


@_describe.on(q.ToSetUp)
def _to_set_up(state: State, question: q.ToSetUp) -> str:
    if not may_choose_hexes(state, question.side):
        return "say that it is ready; the scenario fixes where its units stand"
    return "set up its units, or leave them as they stand, and say that it is ready"


@_describe.on(q.ToReinforce)
def _to_reinforce(state: State, question: q.ToReinforce) -> str:
    return "place reinforcements, withdraw the units that leave, and end the phase"


@_describe.on(q.ToMarch)
def _to_march(state: State, question: q.ToMarch) -> str:
    return "choose the next stack to march, or end the phase"


@_describe.on(q.OnMarch)
def _on_march(state: State, question: q.OnMarch) -> str:
    stack = _name_marching_stack(state)
    return f"say what {stack} does next: move, attack, drop units off, march again or halt"


def _name_marching_stack(state: State) -> str:
    if state.march is None:
        return "the marching stack"
    return f"the marching stack {at_hex(state.march.route[-1])}"


@_describe.on(q.ToDisrupt)
def _to_disrupt(state: State, question: q.ToDisrupt) -> str:
    units = count_noun(question.count, "unit")
    return f"choose {units} of {_name_marching_stack(state)} to fall out"


@_describe.on(q.ToShareLosses)
def _to_share_losses(state: State, question: q.ToShareLosses) -> str:
    out = sum(quota.eliminated for quota in question.quotas)
    hurt = sum(quota.disrupted for quota in question.quotas)
    owed = [f"{count_noun(out, 'unit')} eliminated"] if out else []
    owed += [f"{count_noun(hurt, 'unit')} disrupted"] if hurt else []
    return f"share its losses of the {question.combat_round}{_of_combat(state)}: {join_words(owed)}"


def _of_combat(state: State) -> str:
    return f" {at_hex(state.combat.defender.hex)}" if state.combat is not None else ""


@_describe.on(q.ToLead)
def _to_lead(state: State, question: q.ToLead) -> str:
    leaders = board(state).named(question.leaders)
    names = join_words([leader_name(unit.name) for unit in leaders], "or")
    return f"say whether {names} helps in fire or in melee in the combat{_of_combat(state)}"


@_describe.on(q.ToFight)
def _to_fight(state: State, question: q.ToFight) -> str:
    return "be fought"


@_describe.on(q.ToRetreat)
def _to_retreat(state: State, question: q.ToRetreat) -> str:
    stay = ", or stand fast" if question.free else ""
    return f"retreat its beaten stack {at_hex(question.hex)}{stay}"


@_describe.on(q.ToSupply)
def _to_supply(state: State, question: q.ToSupply) -> str:
    if not question.choices:
        return "let its stacks without supply roll for attrition"
    places = join_words([at_hex(choice.hex) for choice in question.choices])
    stacks, pronoun = ("stack", "it") if len(question.choices) == 1 else ("stacks", "them")
    return f"spend supply on the {stacks} {places}, or let {pronoun} roll for attrition"


@_describe.on(q.ToShareAttrition)
def _to_share_attrition(state: State, question: q.ToShareAttrition) -> str:
    return (
        f"choose {count_noun(question.affected, 'unit')} {at_hex(question.hex)} to suffer attrition"
    )


@_describe.on(q.ToChooseHex)
def _to_choose_hex(state: State, question: q.ToChooseHex) -> str:
    count = count_noun(len(question.choices), "hex", "hexes")
    return _PURPOSES.get(question.purpose, f"choose one of {count}")


@_describe.on(q.ToChooseUnits)
def _to_choose_units(state: State, question: q.ToChooseUnits) -> str:
    count = count_noun(question.count, "unit")
    return f"{_PURPOSES.get(question.purpose, 'choose among its units')}: {count}"


def describe_action(state: State, action: a.AnyAction) -> str:
    """Return the action as a sentence; `state` is the state before it."""
    return f"{capitalise(_describe_acting(state, action))}."


def _answerer(state: State) -> str:
    return side_asked(state.side if state.question is None else state.question.side)


def _who(units: list[Unit], singular: str, plural: str) -> str:
    """Return `General Graham's stack marches`, or the units themselves without a leader."""
    leaders = [unit for unit in units if unit.kind is TroopKind.LEADER]
    if leaders and len(units) > 1:
        return f"{leader_name(leaders[0].name)}’s stack {singular}"
    return f"{describe_stack(units)} {plural if is_plural(units) else singular}"


def _units_named(state: State, ids: Iterable[UnitId]) -> list[Unit]:
    return board(state).named(ids)


def _marchers(state: State) -> list[Unit]:
    return _units_named(state, state.march.units) if state.march is not None else []


def _at(units: list[Unit]) -> str:
    return at_hex(units[0].hex) if units else "nowhere"


def _from(units: list[Unit]) -> str:
    return describe_hex(units[0].hex) if units else "nowhere"


_describe_acting = Handlers[State, [], str]("actions in words")


@_describe_acting.on(a.Deploy)
def _deploy(state: State, action: a.Deploy) -> str:
    units = _units_named(state, action.units)
    return f"{_who(units, 'is', 'are')} set up {at_hex(action.hex)}"


@_describe_acting.on(a.Place)
def _place(state: State, action: a.Place) -> str:
    due = state.due[action.group] if 0 <= action.group < len(state.due) else None
    units = [] if due is None else list(due.units)
    chosen = [unit for unit in units if not action.units or unit.id in action.units]
    return f"{_who(chosen, 'arrives', 'arrive')} {at_hex(action.hex)}"


@_describe_acting.on(a.Withdraw)
def _withdraw(state: State, action: a.Withdraw) -> str:
    units = _units_named(state, action.units)
    return f"{_who(units, 'is', 'are')} withdrawn from {_from(units)}"


@_describe_acting.on(a.Dismount)
def _dismount(state: State, action: a.Dismount) -> str:
    units = _units_named(state, action.units)
    return f"{_who(units, 'dismounts', 'dismount')} {_at(units)}"


@_describe_acting.on(a.Done)
def _done(state: State, action: a.Done) -> str:
    if state.phase is Phase.SET_UP:
        return f"{_answerer(state)} is ready"
    return f"{_answerer(state)} has finished its {PHASES[state.phase]}"


@_describe_acting.on(a.March)
def _march(state: State, action: a.March) -> str:
    units = _units_named(state, action.units)
    return f"{_who(units, 'prepares', 'prepare')} to march from {_from(units)}"


@_describe_acting.on(a.Rail)
def _rail(state: State, action: a.Rail) -> str:
    units = _units_named(state, action.units)
    return f"{_who(units, 'goes', 'go')} by rail from {_from(units)} to {describe_hex(action.hex)}"


@_describe_acting.on(a.Sail)
def _sail(state: State, action: a.Sail) -> str:
    units = _units_named(state, action.units)
    towards = describe_hex(action.path[-1]) if action.path else "nowhere"
    return f"{_who(units, 'goes', 'go')} by river from {_from(units)} towards {towards}"


@_describe_acting.on(a.Move)
def _move(state: State, action: a.Move) -> str:
    units = _marchers(state)
    towards = describe_hex(action.path[-1]) if action.path else "nowhere"
    return f"{_who(units, 'marches', 'march')} from {_from(units)} towards {towards}"


@_describe_acting.on(a.Attack)
def _attack(state: State, action: a.Attack) -> str:
    enemy = describe_led_force(board(state).stack(state.side.enemy, action.hex)).rstrip(",")
    return f"{_who(_marchers(state), 'attacks', 'attack')} {enemy} {at_hex(action.hex)}"


@_describe_acting.on(a.DropOff)
def _drop_off(state: State, action: a.DropOff) -> str:
    units = _units_named(state, action.units)
    return f"{_who(units, 'stays', 'stay')} behind {_at(units)}"


@_describe_acting.on(a.Halt)
def _halt(state: State, action: a.Halt) -> str:
    units = _marchers(state)
    return f"{_who(units, 'halts', 'halt')} {_at(units)}"


@_describe_acting.on(a.Pick)
def _pick(state: State, action: a.Pick) -> str:
    return f"{_answerer(state)} chooses {describe_stack(_units_named(state, action.units))}"


@_describe_acting.on(a.Share)
def _share(state: State, action: a.Share) -> str:
    out, hurt = _units_named(state, action.eliminated), _units_named(state, action.disrupted)
    parts = [f"{describe_units(out)} eliminated"] if out else []
    parts += [f"{describe_units(hurt)} disrupted"] if hurt else []
    return f"{_answerer(state)} shares its losses: {join_words(parts) or 'none'}"


@_describe_acting.on(a.Lead)
def _lead(state: State, action: a.Lead) -> str:
    leader = state.units.get(action.leader)
    if leader is None:
        return f"no leader of {_answerer(state)} takes a hand in the combat"
    return f"{leader_name(leader.name)} helps his stack in {action.combat_round}"


@_describe_acting.on(a.Fight)
def _fight(state: State, action: a.Fight) -> str:
    return f"the battle is to be fought {describe_battle_method(action.resolution)}"


@_describe_acting.on(a.Reported)
def _report_in_words(state: State, action: a.Reported) -> str:
    book = describe_battle_method(action.report.book)
    if action.report.winner is None:
        return f"the battle, fought {book}, is reported drawn"
    return f"the battle, fought {book}, is reported won by {side_name(action.report.winner)}"


@_describe_acting.on(a.HandOver)
def _hand_over(state: State, action: a.HandOver) -> str:
    return f"battles are fought {describe_battle_method(action.resolution)} from now on"


@_describe_acting.on(a.Ruled)
def _ruling_in_words(state: State, action: a.Ruled) -> str:
    return f"the umpire rules: {action.reason.strip().rstrip('.')}"


@_describe_acting.on(a.Retreat)
def _retreat(state: State, action: a.Retreat) -> str:
    stack = f"the beaten stack of {_answerer(state)}"
    if not action.path:
        return f"{stack} stands fast"
    return f"{stack} goes back to {describe_hex(action.path[-1])}"


@_describe_acting.on(a.Supply)
def _supply(state: State, action: a.Supply) -> str:
    question, source = state.question, state.units.get(action.source)
    choices = question.choices if isinstance(question, ToSupply) else ()
    if source is not None:
        choices = tuple(choice for choice in choices if source.id in choice.sources)
    places = join_words([at_hex(choice.hex) for choice in choices])
    several = len(choices) > 1
    stack = f"the {'stacks' if several else 'stack'} {places}".rstrip()
    if source is None:
        return f"{stack} {'roll' if several else 'rolls'} for attrition"
    return f"{stack} {'draw' if several else 'draws'} on the supply {at_hex(source.hex)}"


@_describe_acting.on(a.Choose)
def _choose(state: State, action: a.Choose) -> str:
    return f"{_answerer(state)} chooses {describe_hex(action.hex)}"
