"""Combat and attrition in words: attacks, losses, retreats, thirst and hunger."""

from collections.abc import Iterable, Iterator, Sequence

from battles.contract.brief import UNCOUNTED, Side, TroopKind
from battles.core.dice import Roll
from campaign.rules.combat.retreat import river_behind
from campaign.rules.core import events as e
from campaign.rules.core.board import board, chart
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import State, Unit, current_combat
from campaign.rules.map import GroundClass, HexId, PlaceClass
from campaign.rules.prose.names import (
    Casualties,
    describe_by_place,
    describe_hex,
    describe_led_force,
    describe_own_units,
    describe_places,
    describe_stack,
    is_led_plural,
    is_plural,
    leader_name,
    name_place,
    near_hex,
    side_adjective,
    side_name,
    side_with_verb,
)
from campaign.rules.prose.phase_report import HEADLINE, NEWS, PhaseReport, SentenceDraft, Topic
from campaign.rules.prose.phrases import (
    article_or_count,
    capitalise,
    count_noun,
    full_stop,
    join_words,
    pick_phrase,
)

# Despatches of the attrition and recovery phases (10.1 to 10.3, 5.2 V).


BESIEGED = "besieged"
_GREAT_LOSS = 3

_WANTS = {
    BESIEGED: (
        "Rations are cut again; {toll}.",
        "Food runs low behind the works; {toll}.",
        "Hunger thins the garrison; {toll}.",
    ),
    GroundClass.DESERT: ("Thirst takes its toll; {toll}.", "The wells give out; {toll}."),
    GroundClass.CLEAR: ("Water is scarce; {toll}.", "Want and heat tell on the men; {toll}."),
    GroundClass.CULTIVATED: ("Fever spreads by the river; {toll}.", "Sickness is about; {toll}."),
}
_CAMPS = (
    "Want of food and water breaks the order of the Mahdists {places}.",
    "Hunger scatters the Mahdists {places}.",
    "Supplies fail the Mahdists {places}.",
)

_HOLD_OUT = (
    (", though besieged, has enough to eat", ", though besieged, have enough to eat"),
    (" holds out and is not starved yet", " hold out and are not starved yet"),
    (" still has food behind its works", " still have food behind their works"),
)


class AttritionReport(PhaseReport):
    """Losses of an attrition phase by place; places without losses together."""

    hears = PhaseReport.hears.extended()

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self._tolls: dict[HexId, Casualties] = {}
        self._lines: dict[HexId, str] = {}
        self._rolls: dict[HexId, list[Roll]] = {}
        self._used: list[Unit] = []

    @hears.on(e.Thirsted)
    def _thirsted(self, event: e.Thirsted, rolls: list[Roll]) -> None:
        self._rolls.setdefault(event.hex, []).extend(rolls)
        self._lines[event.hex] = event.line

    @hears.on(e.Disrupted)
    def _disrupted(self, event: e.Disrupted, rolls: list[Roll]) -> None:
        units = self.units(event.units)
        self._toll(units[0].hex).hurt_too(units)

    def _toll(self, hex_id: HexId) -> Casualties:
        return self._tolls.setdefault(hex_id, Casualties())

    @hears.on(e.Removed)
    def removed(self, event: e.Removed, rolls: list[Roll]) -> None:
        units = self.units(event.units)
        if event.cause == "used":
            self._used += units
        elif event.cause == "attrition":
            self._toll(units[0].hex).lose(units)
        super().removed(event, rolls)

    def close(self) -> None:
        suffering = [hex_id for hex_id, toll in self._tolls.items() if toll]
        if self.when.turn is Side.MAHDIST:
            self._tell_camps(suffering)
        else:
            for hex_id in suffering:
                self._tell_losses(hex_id)
        self._tell_quiet([hex_id for hex_id in self._rolls if hex_id not in suffering])
        self._tell_used()

    def _tell_losses(self, hex_id: HexId) -> None:
        besieged = board(self.state).besieged(Side.EGYPTIAN, hex_id)
        line = self._lines.get(hex_id, BESIEGED if besieged else GroundClass.CLEAR)
        lost = self._tolls[hex_id].lost
        are = "are" if is_plural(lost) else "is"
        phrase = pick_phrase(_WANTS.get(line, _WANTS[GroundClass.CLEAR]), hex_id, self.when.month)
        topic = Topic.SIEGE if line == BESIEGED else Topic.ATTRITION
        great = len(lost) >= _GREAT_LOSS
        draft = self.draft(topic, self._rolls.get(hex_id, [])).weigh(HEADLINE if great else NEWS)
        draft.about(hex_id=hex_id, side=Side.EGYPTIAN)
        draft.say(phrase.format(toll=f"{describe_own_units(lost)} {are} lost"))

    def _tell_camps(self, hexes: list[HexId]) -> None:
        if not hexes:
            return
        rolls = [roll for hex_id in hexes for roll in self._rolls.get(hex_id, [])]
        draft = self.draft(Topic.ATTRITION, rolls).about(side=Side.MAHDIST)
        if len(hexes) == 1:
            draft.about(hex_id=hexes[0])
        places = describe_places(hexes)
        draft.say(
            pick_phrase(_CAMPS, self.when.month).format(places=places), *self._camp_losses(hexes)
        )

    def _camp_losses(self, hexes: list[HexId]) -> list[str]:
        hurt = [unit for hex_id in hexes for unit in self._tolls[hex_id].hurt]
        lost = [unit for hex_id in hexes for unit in self._tolls[hex_id].lost]
        sentences = []
        if hurt:
            are = "are" if is_plural(hurt) else "is"
            sentences.append(capitalise(f"{describe_stack(hurt)} {are} thrown into disorder."))
        if lost:
            disperse = "disperse" if is_plural(lost) else "disperses"
            sentences.append(capitalise(f"{describe_stack(lost)} {disperse} for good."))
        return sentences

    def _tell_quiet(self, hexes: list[HexId]) -> None:
        if not hexes:
            return
        rolls = [roll for hex_id in hexes for roll in self._rolls[hex_id]]
        besieged_hexes = [hex_id for hex_id in hexes if self._lines[hex_id] == BESIEGED]
        draft = self.draft(Topic.ATTRITION, rolls).about(side=self.when.turn)
        if besieged_hexes and self.when.turn is Side.EGYPTIAN:
            names = join_words([near_hex(hex_id) for hex_id in besieged_hexes])
            number = len(besieged_hexes)
            line = pick_phrase(_HOLD_OUT, self.when.month, number)[number > 1]
            draft.say(f"{capitalise(names)}{line}.")
        others = len(hexes) - len(besieged_hexes) if draft.parts else len(hexes)
        if others:
            draft.tell_players(self._stand_it(others, len(hexes)))

    def _stand_it(self, others: int, quiet: int) -> str:
        everybody = not any(self._tolls.values()) and others == quiet
        stacks = count_noun(others, "stack" if everybody else "other stack")
        suffers = "none of them suffers" if others > 1 else "it does not suffer"
        have = capitalise(side_with_verb(self.when.turn, "has", "have"))
        return f"{have} {stacks} out of supply; {suffers}."

    def _tell_used(self) -> None:
        if self._used:
            draft = self.draft(Topic.ATTRITION).about(side=self._used[0].side)
            are = "are" if len(self._used) > 1 else "is"
            places = describe_places(list(dict.fromkeys(unit.hex for unit in self._used)))
            draft.say(f"{capitalise(describe_stack(self._used))} {are} used up {places}.")


_RALLIES = (
    ("{found} is in good order again.", "{found} are in good order again."),
    ("{found} rallies.", "{found} rally."),
    ("{found} has re-formed.", "{found} have re-formed."),
)


class RecoveryReport(PhaseReport):
    """Results of a recovery phase: one sentence for units that rally, one for those lost."""

    hears = PhaseReport.hears.extended()

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self._rallied: list[Unit] = []
        self._gone: list[Unit] = []
        self._rolls: list[Roll] = []

    @hears.on(e.Recovered)
    def _recovered(self, event: e.Recovered, rolls: list[Roll]) -> None:
        self._rolls += rolls
        self._rallied += self.units(event.units)

    @hears.on(e.Removed)
    def removed(self, event: e.Removed, rolls: list[Roll]) -> None:
        if event.cause == "recovery":
            self._gone += self.units(event.units)
        super().removed(event, rolls)

    def close(self) -> None:
        if not self._rolls and not self._rallied:
            return
        draft = self.draft(Topic.RECOVERY, self._rolls).about(side=self.when.turn)
        if self._rallied:
            singular, plural = pick_phrase(_RALLIES, self.when.month, len(self._rallied))
            line = plural if is_plural(self._rallied) else singular
            draft.say(line.format(found=capitalise(describe_by_place(self._rallied))))
        if self._gone:
            melt = "melt" if is_plural(self._gone) else "melts"
            draft.say(f"{capitalise(describe_by_place(self._gone))} {melt} away.")
        if not draft.parts:
            draft.tell_players(f"None of the disrupted units of {side_name(self.when.turn)} rally.")


# A combat as a report of a few sentences: attack, losses of each round, result.


FIRE, MELEE, FIELD = "fire", "melee", "battle"

_STAGES = {
    FIRE: ("Under fire {losses}.", "In the exchange of fire {losses}."),
    MELEE: ("In the melee {losses}.", "Hand to hand {losses}."),
    FIELD: ("In the battle {losses}.", "On the field {losses}."),
}
_HARMLESS = {
    FIRE: ("The firing does no harm.", "Fire has no effect on either side."),
    MELEE: ("The melee decides nothing.", "Hand to hand neither side gives way."),
    FIELD: ("The battle costs neither side a unit.", "The battle ends without a unit lost."),
}
_STEADIES = ("{} steadies his men.", "{} keeps his men together.")
_WON = ("The attack succeeds.", "The defence is broken.", "The attackers have the better of it.")
_BEATEN_OFF = ("The attack is beaten off.", "The attackers are thrown back.", "The attack fails.")
_DRAWN = ("Neither side has the better of it.", "The fight is drawn.", "Nothing is decided.")
_AGAIN = ("The attack is renewed.", "A second attack follows.", "They come on again.")
_LARGE = 10


class CombatReport:
    """Report of one combat, complete or as far as its events are known."""

    def __init__(self, draft: SentenceDraft, state: State) -> None:
        self.draft = draft
        self.hexes: tuple[HexId, HexId] | None = None
        self._state = state
        self._opening = ""
        self._stage = FIRE
        self._tolls: dict[str, dict[Side, Casualties]] = {}
        self._beaten, self._bar = Casualties(), ""
        self._leaders: dict[str, list[str]] = {}
        self._ending = ""
        self._outcome: list[str] = []
        self._back: list[str] = []
        self._prizes: list[str] = []
        if state.combat is not None:
            self.draft.about(hex_id=state.combat.defender.hex, side=state.side).weigh(NEWS)

    def begins_again(self) -> None:
        """Open the report of a second combat between the same stacks."""
        self._opening = pick_phrase(_AGAIN, self.draft.hex or 0)

    def begins(self, event: e.CombatBegan, *, in_their_turn: bool = False) -> None:
        """Open the report; `in_their_turn`: the defenders were attacked before."""
        self.hexes = (event.attacker, event.defender)
        attackers, defenders = self._units(event.attacking), self._units(event.defending)
        self.draft.about(hex_id=event.defender, side=event.side).weigh(NEWS)
        if self._is_great([*attackers, *defenders], event):
            self.draft.weigh(HEADLINE)
        sallies = is_led_plural(attackers)
        verb = "attack" if sallies else "attacks"
        if event.sortie and not in_their_turn:
            verb = (
                f"{'sally' if sallies else 'sallies'} from {describe_hex(event.attacker)} against"
            )
        target = "there too" if in_their_turn else self._target(defenders, event)
        self._opening = f"{capitalise(describe_led_force(attackers))} {verb} {target}."

    def _units(self, ids: Sequence[UnitId]) -> list[Unit]:
        return board(self._state).named(ids)

    def _is_great(self, units: Sequence[Unit], event: e.CombatBegan) -> bool:
        count = sum(unit.kind not in UNCOUNTED for unit in units)
        led = any(unit.kind is TroopKind.LEADER for unit in units)
        town = board(self._state).in_town(event.defender, PlaceClass.TOWN)
        return led or town or count >= _LARGE

    def _target(self, defenders: Sequence[Unit], event: e.CombatBegan) -> str:
        stack = describe_led_force(defenders).rstrip(",")
        place = chart(self._state).hexes[event.defender].place
        return f"{name_place(event.defender)}, held by {stack}" if place else stack

    def guided(self, leaders: Iterable[Unit], stage: str) -> None:
        """Record the leaders who help their stack in a round."""
        line = pick_phrase(_STEADIES, self.draft.hex or 0, self.draft.when.month)
        sentences = [line.format(capitalise(leader_name(leader.name))) for leader in leaders]
        self._leaders.setdefault(stage, []).extend(sentences)

    def tested(self, side: Side, stage: str, rolls: Iterable[Roll]) -> None:
        """Record a stack's roll in a round."""
        self._stage = stage
        self._tolls.setdefault(stage, {}).setdefault(side, Casualties())
        self.draft.citing(rolls)

    def fought(self, event: e.Fought) -> None:
        """Record the result of a battle that was handed over."""
        self._stage, self.draft.battle = FIELD, event.battle
        self._tolls.setdefault(FIELD, {side: Casualties() for side in Side})
        ending = event.ending.strip()
        self._ending = full_stop(capitalise(ending)) if ending else ""

    @property
    def counts_prizes(self) -> bool:
        """Return whether counters captured now belong to the report of the battle."""
        return FIELD in self._tolls and bool(self._outcome) and not self._back

    def suffers(self, units: list[Unit], cause: str, *, lost: bool) -> None:
        """Record units eliminated or disrupted, in the last round or for lack of retreat."""
        if cause != "combat" and not self._beaten:
            self._bar = self._river_behind(units[0].side)
        for side in {unit.side for unit in units}:
            toll = self._beaten if cause != "combat" else self._toll(side)
            own_units = [unit for unit in units if unit.side is side]
            (toll.lose if lost else toll.hurt_too)(own_units)

    def _river_behind(self, side: Side) -> str:
        """Return the river that bars a marching stack's way back; empty for none."""
        marching = self._state.march is not None and side is self._state.side
        return river_behind(self._state) if marching else ""

    def _toll(self, side: Side) -> Casualties:
        return self._tolls.setdefault(self._stage, {}).setdefault(side, Casualties())

    def decided(self, event: e.CombatEnded, rolls: Iterable[Roll]) -> None:
        """Record the end of the combat."""
        self.draft.citing(rolls)
        combat = current_combat(self._state)
        gone = [
            force.side
            for force in (combat.attacker, combat.defender)
            if force.destroyed and not self._units(force.units)
        ]
        lines = _DRAWN if event.winner is None else _BEATEN_OFF
        if event.winner is combat.attacker.side:
            lines = _WON
        if event.winner is not None or not gone:
            self._outcome.append(pick_phrase(lines, event.defender, self._state.month))
        if len(gone) > 1:
            self._outcome.append("Nothing is left of either force.")
        elif gone:
            self._outcome.append(f"Nothing is left of the {side_adjective(gone[0])} force.")

    def retreats(self, units: Sequence[Unit], to: str) -> None:
        """Record the retreat of the beaten stack."""
        falls = "fall" if is_led_plural(units) else "falls"
        self._back.append(f"{capitalise(describe_led_force(units))} {falls} back to {to}.")

    def captured(self, names: Iterable[str], rolls: Iterable[Roll]) -> None:
        """Record guns and rifles captured by the Mahdists (9.9)."""
        self._prizes += names
        self.draft.citing(rolls)

    def write(self) -> None:
        """Write the known part of the combat into the draft."""
        self.draft.say(self._opening, *self._rounds(), self._ending)
        self.draft.say(*self._outcome, *self._cornered(), *self._back, self._taken())

    def _rounds(self) -> Iterator[str]:
        for stage, tolls in self._tolls.items():
            seeds = (self.draft.hex or 0, self.draft.when.month)
            yield from self._leaders.get(stage, ())
            if not any(tolls.values()):
                yield pick_phrase(_HARMLESS[stage], *seeds)
                continue
            losses = "; ".join(toll.of_side(side) for side, toll in tolls.items())
            yield pick_phrase(_STAGES[stage], *seeds).format(losses=losses)

    def _cornered(self) -> Iterator[str]:
        units = [*self._beaten.lost, *self._beaten.hurt]
        if units:
            opening = f"With the {self._bar} barred behind them and " if self._bar else "With "
            yield f"{opening}no way back {self._beaten.of_side(units[0].side)}."

    def _taken(self) -> str:
        guns = sum("gun" in name for name in self._prizes)
        rifles = len(self._prizes) - guns
        prizes = [article_or_count(guns, "gun", "guns")] if guns else []
        prizes += (
            [f"the rifles of {article_or_count(rifles, 'battalion', 'battalions')}"]
            if rifles
            else []
        )
        return f"The Mahdists take {join_words(prizes)}." if prizes else ""
