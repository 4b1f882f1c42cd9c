"""The attrition phase: who goes hungry or thirsty, and what it costs (10.1 to 10.3)."""

from battles.core.dice import Roll
from campaign.rules import events as e
from campaign.rules.english.names import does, near, places_in_words
from campaign.rules.english.sentence import NEWS, Topic
from campaign.rules.english.stacks import several, stack_in_words
from campaign.rules.english.tale import Tale
from campaign.rules.english.toll import Toll, own_words
from campaign.rules.english.words import capital, listed, pick, times
from campaign.rules.map import Ground, HexId
from campaign.rules.pieces import Side
from campaign.rules.state import State, Unit

BESIEGED = "besieged"

_WANTS = {
    BESIEGED: (
        "Rations are cut again; {toll}.",
        "Food runs low behind the works; {toll}.",
        "Hunger thins the garrison; {toll}.",
    ),
    Ground.DESERT: ("Thirst takes its toll; {toll}.", "The wells give out; {toll}."),
    Ground.CLEAR: ("Water is scarce; {toll}.", "Want and heat tell on the men; {toll}."),
    Ground.CULTIVATED: ("Fever spreads by the river; {toll}.", "Sickness is about; {toll}."),
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


class Hardships(Tale):
    """Losses by place; the quiet ones together."""

    hears = Tale.hears.extended()

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self._tolls: dict[HexId, Toll] = {}
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

    def _toll(self, hex_id: HexId) -> Toll:
        return self._tolls.setdefault(hex_id, Toll())

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
        line = self._lines.get(hex_id, Ground.CLEAR)
        lost = self._tolls[hex_id].lost
        are = "are" if several(lost) else "is"
        phrase = pick(_WANTS.get(line, _WANTS[Ground.CLEAR]), hex_id, self.when.month)
        topic = Topic.SIEGE if line == BESIEGED else Topic.ATTRITION
        draft = self.draft(topic, self._rolls.get(hex_id, [])).weigh(NEWS)
        draft.about(hex_id=hex_id, side=Side.EGYPTIAN)
        draft.say(phrase.format(toll=f"{own_words(lost)} {are} lost"))

    def _tell_camps(self, hexes: list[HexId]) -> None:
        if not hexes:
            return
        rolls = [roll for hex_id in hexes for roll in self._rolls.get(hex_id, [])]
        draft = self.draft(Topic.ATTRITION, rolls).about(side=Side.MAHDIST)
        if len(hexes) == 1:
            draft.about(hex_id=hexes[0])
        places = places_in_words(hexes)
        draft.say(pick(_CAMPS, self.when.month).format(places=places), *self._camp_losses(hexes))

    def _camp_losses(self, hexes: list[HexId]) -> list[str]:
        hurt = [unit for hex_id in hexes for unit in self._tolls[hex_id].hurt]
        lost = [unit for hex_id in hexes for unit in self._tolls[hex_id].lost]
        told = []
        if hurt:
            are = "are" if several(hurt) else "is"
            told.append(capital(f"{stack_in_words(hurt)} {are} disrupted."))
        if lost:
            told.append(capital(f"{stack_in_words(lost)} {_disperse(lost)} for good."))
        return told

    def _tell_quiet(self, hexes: list[HexId]) -> None:
        if not hexes:
            return
        rolls = [roll for hex_id in hexes for roll in self._rolls[hex_id]]
        held = [hex_id for hex_id in hexes if self._lines[hex_id] == BESIEGED]
        draft = self.draft(Topic.ATTRITION, rolls).about(side=self.when.turn)
        if held and self.when.turn is Side.EGYPTIAN:
            names = listed([near(hex_id) for hex_id in held])
            line = pick(_HOLD_OUT, self.when.month, len(held))[len(held) > 1]
            draft.say(f"{capital(names)}{line}.")
        others = len(hexes) - len(held) if draft.parts else len(hexes)
        if others:
            draft.tell_players(self._stand_it(others, len(hexes)))

    def _stand_it(self, others: int, quiet: int) -> str:
        everybody = not any(self._tolls.values()) and others == quiet
        stacks = times(others, "stack" if everybody else "other stack")
        suffers = "none of them suffers" if others > 1 else "it does not suffer"
        have = capital(does(self.when.turn, "has", "have"))
        return f"{have} {stacks} out of supply; {suffers}."

    def _tell_used(self) -> None:
        if self._used:
            draft = self.draft(Topic.ATTRITION).about(side=self._used[0].side)
            are = "are" if len(self._used) > 1 else "is"
            hexes = list(dict.fromkeys(unit.hex for unit in self._used))
            places = places_in_words(hexes)
            draft.say(f"{capital(stack_in_words(self._used))} {are} used up {places}.")


def _disperse(units: list[Unit]) -> str:
    return "disperse" if several(units) else "disperses"
