"""The risks of an order, each in a sentence: throws, the river, combats, attrition, what is staked.

They speak of what is to come, so that none reads as if it had happened.
"""

from collections.abc import Iterator

from campaign.odds.combat import Toll, mean_of
from campaign.odds.march import MarchOdds
from campaign.odds.thirst import Thirst
from campaign.odds.voyage import REACH, VoyageOdds
from campaign.orders.document import MarchOrder
from campaign.orders.findings import Finding, Part, Verdict
from campaign.orders.marching import towards
from campaign.orders.progress import Marching
from campaign.orders.rehearsal import Fight, NoWayBack
from campaign.orders.stakes import Stake
from campaign.orders.ways import destination
from campaign.rules.board import board
from campaign.rules.combat.afloat import is_afloat
from campaign.rules.english.names import at, where
from campaign.rules.english.words import listed, percent, times
from campaign.rules.map import HexId
from campaign.rules.pieces import Side
from campaign.rules.state import State

CERTAIN = 0.9995
"""A chance from here on is spoken of as certain."""


def risk(number: int, said: str, clause: str = "", remedy: str = "", *, hex_id: HexId) -> Finding:
    """Return a finding that the order is risky."""
    return Finding(Part.ORDER, number, Verdict.RISKY, said, clause, remedy, hex_id)


def note(number: int, said: str, clause: str = "", *, hex_id: HexId) -> Finding:
    """Return a finding that is worth knowing, and no risk by itself."""
    return Finding(Part.ORDER, number, Verdict.NOTE, said, clause, "", hex_id)


def of_marches(number: int, order: MarchOrder, odds: MarchOdds | None) -> Iterator[Finding]:
    """The chance that every throw for a march lets the stack go on (8.31)."""
    if odds is None or odds.whole >= CERTAIN:
        return
    made, whole = odds.made(odds.wanted), percent(odds.whole)
    one = odds.wanted == 1
    if made >= CERTAIN:
        said = (
            f"It is certain to make {'the march' if one else 'the marches'} it needs; "
            f"the chance that nobody falls out on the way is {whole}."
        )
        yield note(number, said, "8.31", hex_id=order.hex)
        return
    said = (
        f"It needs {times(odds.wanted, 'march', 'marches')}: the chance to make "
        f"{'it' if one else 'them'} is {percent(made)}, and {whole} that nobody falls out."
    )
    yield risk(number, said, "8.31", hex_id=order.hex)


def of_stopping(
    state: State, number: int, order: MarchOrder, halt: Marching | None, odds: MarchOdds | None
) -> Finding:
    """A stack that cannot come to where it is ordered: how far it gets at best, and why (8.3)."""
    here = _end(state, order)
    goal = towards(state, destination(order.legs[-1]))
    if halt is not None and halt.reason:
        said = f"It gets no further than {where(here)}. {halt.reason}"
    else:
        said = (
            f"It cannot come {goal} this month: even with the best throws it gets no further than "
            f"{where(here)}."
        )
    if odds is not None and odds.made(odds.wanted) < CERTAIN:
        said += f" The chance to get so far is {percent(odds.made(odds.wanted))}."
    clause = halt.clause if halt is not None and halt.clause else "8.3"
    remedy = halt.remedy if halt is not None else ""
    return risk(number, said, clause, remedy, hex_id=order.hex)


def _end(state: State, order: MarchOrder) -> HexId:
    """Where the stack stands in the end, units left behind aside."""
    stayed = {unit for drop in order.drops for unit in drop.units}
    left = board(state).named(unit for unit in order.units if unit not in stayed)
    return (left or board(state).named(order.units))[0].hex


def of_voyage(number: int, order: MarchOrder, odds: VoyageOdds | None) -> Iterator[Finding]:
    """The chance that craft are wrecked on the way, and that it comes to its end (8.23)."""
    if odds is None:
        return
    said = []
    if odds.wreck:
        said.append(f"{_passes(odds)}: {wrecks_in_words(odds)}.")
    if odds.arrives < CERTAIN:
        said.append(f"The chance to come by river to {where(odds.to)} is {percent(odds.arrives)}.")
    if said:
        yield risk(number, " ".join(said), "8.23", hex_id=order.hex)


def _passes(odds: VoyageOdds) -> str:
    return f"By river it passes {perils_in_words(odds)}"


def perils_in_words(odds: VoyageOdds) -> str:
    """Return the dangers of a voyage: `the Fifth Cataract, the cataract of Dal and so on`."""
    return listed(list(map(_peril, odds.perils)))


def _peril(name: str) -> str:
    if name == REACH:
        return name
    return f"the {name}" if " " in name else f"the cataract of {name}"


def wrecks_in_words(odds: VoyageOdds) -> str:
    """Return the chance of a wreck: `the chance that one or more of its five craft ... is 40%`."""
    if odds.hulls == 1:
        return f"the chance that its craft is wrecked is {percent(odds.wreck)}"
    craft = times(odds.hulls, "craft", "craft")
    return (
        f"the chance that one or more of its {craft} are wrecked is {percent(odds.wreck)}, "
        f"{mean_of(odds.wrecked):.1f} on average"
    )


def of_fight(state: State, side: Side, number: int, fight: Fight) -> Iterator[Finding]:
    """What an attack may bring, and that a beaten stack has no way back (9.6, 9.8)."""
    enemies = board(state).stack(side.enemy, fight.hex)
    if is_afloat(enemies):
        said = f"Its gunboats attack the craft {at(fight.hex)}, which answer with theirs."
        yield risk(number, said, "6.1", hex_id=fight.hex)
    elif fight.odds is None:
        said = f"It attacks {at(fight.hex)}, where the enemy's strength is not known."
        yield risk(number, said, "9.6", hex_id=fight.hex)
    else:
        odds = fight.odds
        said = (
            f"It attacks {at(fight.hex)}: the chance to win is {percent(odds.win)}, to lose "
            f"{percent(odds.lose)}; of its {times(odds.attacker.units, 'unit')} "
            f"{_pays(odds.attacker)}, of the enemy’s {times(odds.defender.units, 'unit')} "
            f"{_pays(odds.defender)}, on average."
        )
        yield risk(number, said, "9.6", hex_id=fight.hex)
    if fight.no_way_back is not None and (fight.odds is None or fight.odds.attacker.at_bay):
        said = at_bay_in_words(fight.no_way_back, fight.odds.attacker if fight.odds else None)
        remedy = "Attack from a hex that it can go back from."
        yield risk(number, said, "9.8", remedy, hex_id=fight.hex)


def at_bay_in_words(shut: NoWayBack, toll: Toll | None) -> str:
    """Return that a beaten stack has no way back, why, and the chance of it where it is known."""
    why = "It attacks from where it sets out" if shut.set_out else "There is no way back"
    if shut.river:
        why = f"The {shut.river} is at its back"
    said = (
        f"{why}: beaten, it has no way back; its units that are disrupted by then are destroyed, "
        "and the others disrupted."
    )
    if toll is not None:
        said += (
            f" The chance of that is {percent(toll.at_bay)}, and that the whole stack is "
            f"destroyed {percent(toll.destroyed)}."
        )
    return said


def _pays(toll: Toll) -> str:
    return f"{toll.mean_gone:.1f} are lost and {toll.mean_shaken:.1f} disrupted"


def of_thirst(number: int, found: Thirst | None) -> Iterator[Finding]:
    """What thirst may cost the stack where it ends, if no supply is spent (10.3)."""
    if found is None or found.safe:
        return
    most = max(one.gone + one.shaken for one in found.results)
    expected = float(found.gone + found.shaken)
    said = (
        f"Thirst may cost the {times(found.size, 'unit')} {at(found.hex)} up to "
        f"{times(most, 'unit')}, {expected:.1f} on average, if no supply is spent."
    )
    yield risk(number, said, "10.3", hex_id=found.hex)


def of_stake(number: int, order: MarchOrder, stake: Stake) -> Finding:
    """What the order puts at stake: a risk where its own attack may bring it about."""
    tell = risk if stake.chance else note
    return tell(number, stake.said, stake.clause, hex_id=order.hex)
