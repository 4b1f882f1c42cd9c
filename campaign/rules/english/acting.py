"""What a side does, as a sentence, told before it is carried out."""

from collections.abc import Iterable

from battles.core.handlers import Handlers
from campaign.rules import actions as a
from campaign.rules.board import board
from campaign.rules.english.asking import PHASES, side_asked
from campaign.rules.english.names import at, leader_name, side_name, where
from campaign.rules.english.stacks import bare, led_in_words, several, stack_in_words
from campaign.rules.english.words import by_what, capital, listed
from campaign.rules.pieces import Kind, UnitId
from campaign.rules.questions import ToSupply
from campaign.rules.state import Phase, State, Unit


def action_in_words(state: State, action: a.AnyAction) -> str:
    """The action as a sentence; `state` is that in which it is about to be carried out."""
    return f"{capital(_describe(state, action))}."


def _answerer(state: State) -> str:
    return side_asked(state.side if state.question is None else state.question.side)


def _who(units: list[Unit], one: str, many: str) -> str:
    """`General Graham's stack marches`, or the units themselves when no leader is with them."""
    leaders = [unit for unit in units if unit.kind is Kind.LEADER]
    if leaders and len(units) > 1:
        return f"{leader_name(leaders[0].name)}'s stack {one}"
    return f"{stack_in_words(units)} {many if several(units) else one}"


def _named(state: State, ids: Iterable[UnitId]) -> list[Unit]:
    return board(state).named(ids)


def _marchers(state: State) -> list[Unit]:
    return _named(state, state.march.units) if state.march is not None else []


def _at(units: list[Unit]) -> str:
    return at(units[0].hex) if units else "nowhere"


def _from(units: list[Unit]) -> str:
    return where(units[0].hex) if units else "nowhere"


_describe = Handlers[State, [], str]("actions in words")


@_describe.on(a.Deploy)
def _deploy(state: State, action: a.Deploy) -> str:
    units = _named(state, action.units)
    return f"{_who(units, 'is', 'are')} set up {at(action.hex)}"


@_describe.on(a.Place)
def _place(state: State, action: a.Place) -> str:
    due = state.due[action.group] if 0 <= action.group < len(state.due) else None
    units = [] if due is None else list(due.units)
    chosen = [unit for unit in units if not action.units or unit.id in action.units]
    return f"{_who(chosen, 'arrives', 'arrive')} {at(action.hex)}"


@_describe.on(a.Withdraw)
def _withdraw(state: State, action: a.Withdraw) -> str:
    units = _named(state, action.units)
    return f"{_who(units, 'is', 'are')} withdrawn from {_from(units)}"


@_describe.on(a.Dismount)
def _dismount(state: State, action: a.Dismount) -> str:
    units = _named(state, action.units)
    return f"{_who(units, 'dismounts', 'dismount')} {_at(units)}"


@_describe.on(a.Done)
def _done(state: State, action: a.Done) -> str:
    if state.phase is Phase.SET_UP:
        return f"{_answerer(state)} is ready"
    return f"{_answerer(state)} has finished its {PHASES[state.phase]}"


@_describe.on(a.March)
def _march(state: State, action: a.March) -> str:
    units = _named(state, action.units)
    return f"{_who(units, 'prepares', 'prepare')} to march from {_from(units)}"


@_describe.on(a.Rail)
def _rail(state: State, action: a.Rail) -> str:
    units = _named(state, action.units)
    return f"{_who(units, 'goes', 'go')} by rail from {_from(units)} to {where(action.hex)}"


@_describe.on(a.Sail)
def _sail(state: State, action: a.Sail) -> str:
    units = _named(state, action.units)
    towards = where(action.path[-1]) if action.path else "nowhere"
    return f"{_who(units, 'goes', 'go')} by river from {_from(units)} towards {towards}"


@_describe.on(a.Move)
def _move(state: State, action: a.Move) -> str:
    units = _marchers(state)
    towards = where(action.path[-1]) if action.path else "nowhere"
    return f"{_who(units, 'marches', 'march')} from {_from(units)} towards {towards}"


@_describe.on(a.Attack)
def _attack(state: State, action: a.Attack) -> str:
    enemy = led_in_words(board(state).stack(state.side.enemy, action.hex)).rstrip(",")
    return f"{_who(_marchers(state), 'attacks', 'attack')} {enemy} {at(action.hex)}"


@_describe.on(a.DropOff)
def _drop_off(state: State, action: a.DropOff) -> str:
    units = _named(state, action.units)
    return f"{_who(units, 'stays', 'stay')} behind {_at(units)}"


@_describe.on(a.Halt)
def _halt(state: State, action: a.Halt) -> str:
    units = _marchers(state)
    return f"{_who(units, 'halts', 'halt')} {_at(units)}"


@_describe.on(a.Pick)
def _pick(state: State, action: a.Pick) -> str:
    return f"{_answerer(state)} chooses {stack_in_words(_named(state, action.units))}"


@_describe.on(a.Share)
def _share(state: State, action: a.Share) -> str:
    out, hurt = _named(state, action.eliminated), _named(state, action.disrupted)
    parts = [f"{bare(out)} eliminated"] if out else []
    parts += [f"{bare(hurt)} disrupted"] if hurt else []
    return f"{_answerer(state)} shares its losses: {listed(parts) or 'none'}"


@_describe.on(a.Lead)
def _lead(state: State, action: a.Lead) -> str:
    leader = state.units.get(action.leader)
    if leader is None:
        return f"no leader of {_answerer(state)} takes a hand in the combat"
    return f"{leader_name(leader.name)} helps his stack in {action.stage}"


@_describe.on(a.Fight)
def _fight(state: State, action: a.Fight) -> str:
    return f"the battle is to be fought {by_what(action.by)}"


@_describe.on(a.Reported)
def _reported(state: State, action: a.Reported) -> str:
    book = by_what(action.report.book)
    if action.report.winner is None:
        return f"the battle, fought {book}, is reported drawn"
    return f"the battle, fought {book}, is reported won by {side_name(action.report.winner)}"


@_describe.on(a.HandOver)
def _hand_over(state: State, action: a.HandOver) -> str:
    return f"battles are fought {by_what(action.way)} from now on"


@_describe.on(a.Ruled)
def _ruled(state: State, action: a.Ruled) -> str:
    return f"the umpire rules: {action.reason.strip().rstrip('.')}"


@_describe.on(a.Retreat)
def _retreat(state: State, action: a.Retreat) -> str:
    stack = f"the beaten stack of {_answerer(state)}"
    if not action.path:
        return f"{stack} stands fast"
    return f"{stack} goes back to {where(action.path[-1])}"


@_describe.on(a.Supply)
def _supply(state: State, action: a.Supply) -> str:
    question, source = state.question, state.units.get(action.source)
    place = f" {at(question.hex)}" if isinstance(question, ToSupply) else ""
    if source is None:
        return f"the stack{place} rolls for attrition"
    return f"the stack{place} draws on the supply {at(source.hex)}"


@_describe.on(a.Choose)
def _choose(state: State, action: a.Choose) -> str:
    return f"{_answerer(state)} chooses {where(action.hex)}"
