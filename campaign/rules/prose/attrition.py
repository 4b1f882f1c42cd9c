"""Despatches of the attrition and recovery phases (10.1 to 10.3, 5.2 V)."""

from battles.contract.brief import Side
from battles.core.dice import Roll
from campaign.rules.core import events as e
from campaign.rules.core.state import State, Unit
from campaign.rules.map import GroundClass, HexId
from campaign.rules.prose.names import (
    Casualties,
    describe_by_place,
    describe_own_units,
    describe_places,
    describe_stack,
    is_plural,
    near_hex,
    side_name,
    side_with_verb,
)
from campaign.rules.prose.phase_report import NEWS, PhaseReport, Topic
from campaign.rules.prose.phrases import capitalise, count_noun, join_words, pick_phrase

BESIEGED = "besieged"

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
        line = self._lines.get(hex_id, GroundClass.CLEAR)
        lost = self._tolls[hex_id].lost
        are = "are" if is_plural(lost) else "is"
        phrase = pick_phrase(_WANTS.get(line, _WANTS[GroundClass.CLEAR]), hex_id, self.when.month)
        topic = Topic.SIEGE if line == BESIEGED else Topic.ATTRITION
        draft = self.draft(topic, self._rolls.get(hex_id, [])).weigh(NEWS)
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
        told = []
        if hurt:
            are = "are" if is_plural(hurt) else "is"
            told.append(capitalise(f"{describe_stack(hurt)} {are} disrupted."))
        if lost:
            told.append(capitalise(f"{describe_stack(lost)} {_disperse(lost)} for good."))
        return told

    def _tell_quiet(self, hexes: list[HexId]) -> None:
        if not hexes:
            return
        rolls = [roll for hex_id in hexes for roll in self._rolls[hex_id]]
        held = [hex_id for hex_id in hexes if self._lines[hex_id] == BESIEGED]
        draft = self.draft(Topic.ATTRITION, rolls).about(side=self.when.turn)
        if held and self.when.turn is Side.EGYPTIAN:
            names = join_words([near_hex(hex_id) for hex_id in held])
            line = pick_phrase(_HOLD_OUT, self.when.month, len(held))[len(held) > 1]
            draft.say(f"{capitalise(names)}{line}.")
        others = len(hexes) - len(held) if draft.parts else len(hexes)
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
            hexes = list(dict.fromkeys(unit.hex for unit in self._used))
            places = describe_places(hexes)
            draft.say(f"{capitalise(describe_stack(self._used))} {are} used up {places}.")


def _disperse(units: list[Unit]) -> str:
    return "disperse" if is_plural(units) else "disperses"


_RALLIES = (
    "In good order again: {found}.",
    "Rallied: {found}.",
    "Order is restored: {found}.",
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
            line = pick_phrase(_RALLIES, self.when.month, len(self._rallied))
            draft.say(line.format(found=describe_by_place(self._rallied)))
        if self._gone:
            melt = "melt" if is_plural(self._gone) else "melts"
            draft.say(f"{capitalise(describe_by_place(self._gone))} {melt} away.")
        if not draft.parts:
            draft.tell_players(f"None of the disrupted units of {side_name(self.when.turn)} rally.")
