"""Despatches of the march phase: marches, combats, places taken, craft driven off."""

from collections.abc import Iterable

from battles.contract.brief import UNCOUNTED, TroopKind
from battles.core.dice import Roll
from campaign.rules.core import events as e
from campaign.rules.core.state import State, Unit, current_march
from campaign.rules.map import HexId
from campaign.rules.prose.combat import CombatReport
from campaign.rules.prose.names import (
    Casualties,
    at_hex,
    describe_hex,
    describe_led_force,
    describe_places,
    describe_stack,
    describe_units,
    is_led_plural,
    is_plural,
    is_uniform,
    near_hex,
)
from campaign.rules.prose.phase_report import NEWS, PhaseReport, SentenceDraft, Topic
from campaign.rules.prose.phrases import capitalise, join_words, pick_phrase, spell_number

FOOT, RAIL, RIVER, SEA = "on foot", "by rail", "by river", "by sea"

_BY_FOOT = ("march~ from {a} to {b}", "leave~ {a} and march~ to {b}", "move~ from {a} to {b}")
_BY_RIVER = ("go~ by river from {a} to {b}", "make~ the passage from {a} to {b}")
_MIXED = ("go~ {modes} from {a} to {b}",)
_IN_BY_FOOT = ("march~ in from {a}", "come~ up from {a}", "arrive~ from {a}")
_IN_MIXED = ("arrive~ {modes} from {a}", "come~ {modes} from {a}")
LARGE = 6


class StackMarchReport:
    """One march of a stack: units, start, way, and losses, from the first roll to the halt."""

    def __init__(self, draft: SentenceDraft, units: Iterable[Unit], start: HexId) -> None:
        self.draft = draft
        self.units = list(units)
        self.start = self.here = start
        self.modes: list[str] = []
        self.refused = False
        self.toll = Casualties()
        self._marching = {unit.id for unit in self.units}
        self._left: list[str] = []
        self._subject = set(self._marching)

    def rolled(self, points: int, rolls: Iterable[Roll]) -> None:
        """Record the result of the march table; 0 points are no march."""
        self.refused = not points and not self.modes
        self.draft.citing(rolls)

    def go(self, mode: str, to: HexId, rolls: Iterable[Roll]) -> None:
        """Record the stack's arrival in this hex."""
        self.draft.citing(rolls)
        self.here = to
        if mode not in self.modes:
            self.modes.append(mode)

    def leave(self, units: list[Unit]) -> None:
        """Record units that stay behind; when all of them do, the stack has halted."""
        self._marching -= {unit.id for unit in units}
        if not self._marching:
            return
        self.part_with(unit for unit in units if unit.kind is TroopKind.LEADER)
        behind = "behind" if self.here == self.start else at_hex(self.here)
        self._left.append(f"{self._part(units)} {behind}")

    def part_with(self, units: Iterable[Unit]) -> None:
        """Leave out of the sentence's subject leaders who stay behind, and wrecked craft."""
        self._subject -= {unit.id for unit in units}

    @property
    def moved(self) -> bool:
        """Return whether the stack has come to another hex."""
        return self.here != self.start

    @property
    def is_told(self) -> bool:
        """Return whether the march is worth a sentence: it has moved or lost units."""
        return self.moved or bool(self.toll)

    @property
    def troops(self) -> list[Unit]:
        """Return the units that count for its size."""
        return [unit for unit in self.units if unit.kind not in UNCOUNTED]

    @property
    def left(self) -> list[Unit]:
        """Return the units that the march has not cost; all of them when it has cost the troops."""
        left = [
            unit for unit in self.units if unit not in self.toll.lost and unit.id in self._subject
        ]
        return left if left and self._survives(left) else self.units

    def write(self, draft: SentenceDraft) -> None:
        """Write the march into this draft: its own, or one shared by marches to a place."""
        draft.about(hex_id=self.here, side=self.units[0].side)
        if draft is not self.draft:
            draft.citing(self.draft.rolls)
        led = any(unit.kind is TroopKind.LEADER for unit in self.units)
        if self.moved and (len(self.troops) >= LARGE or (led and self.troops)):
            draft.weigh(NEWS)
        subject = capitalise(describe_led_force(self.left))
        text = self._falls_in() if self._only_falls_out else f"{subject} {self._fares(draft)}"
        draft.say(f"{text}.")

    @property
    def _only_falls_out(self) -> bool:
        """Return whether a part falls out before the stack has moved, and nothing is lost."""
        some = 0 < len(self._fallen_out) < len(self._troops_left)
        return some and not (self.moved or self.toll.lost or self._left)

    def _falls_in(self) -> str:
        led = self._agree("fall~ in")
        part = self._part(self._fallen_out)
        is_singular = len(self._fallen_out) == 1 and not is_plural(self._fallen_out)
        falls = "falls" if is_singular else "fall"
        subject = describe_led_force(self.left)
        return f"As {subject} {led} to march {at_hex(self.here)}, {part} {falls} out"

    def _survives(self, units: list[Unit]) -> bool:
        """Return whether troops of the stack are among these units, if it had any."""
        return not self.troops or any(unit.kind not in UNCOUNTED for unit in units)

    def _fares(self, draft: SentenceDraft) -> str:
        """Return the words for what the stack does, and what the march costs it."""
        if self.left is self.units and self.toll.lost:
            lost = (
                f"{'are' if is_led_plural(self.units) else 'is'} lost on the march "
                f"{at_hex(self.here)}"
            )
            set_out = self._agree(f"set~ out from {describe_hex(self.start)} and ")
            return f"{set_out if self.moved else ''}{lost}"
        if self.moved:
            return f"{self._goes(draft)}{self._extras()}"
        if self._fallen_out and len(self._fallen_out) == len(self._troops_left):
            return f"{self._agree('fall~ out as the march begins')} {at_hex(self.here)}"
        return f"{self._agree('fall~ in')} to march {at_hex(self.here)}{self._extras()}"

    @property
    def _troops_left(self) -> list[Unit]:
        return [unit for unit in self.left if unit.kind not in UNCOUNTED]

    @property
    def _fallen_out(self) -> list[Unit]:
        return [unit for unit in self.toll.hurt if unit not in self.toll.lost]

    def _goes(self, draft: SentenceDraft) -> str:
        """Return the words for start and goal.

        A despatch that begins with the place leaves out the goal.
        """
        a, b = near_hex(self.start), near_hex(self.here)
        if a in b or b in a:
            a, b = describe_hex(self.start), describe_hex(self.here)
        lines = [line for line in self._lines(draft) if _fits(line, a)]
        line = pick_phrase(lines, self.here, draft.when.month, len(draft.parts))
        return self._agree(line).format(a=a, b=b, modes=join_words(self.modes))

    def _lines(self, draft: SentenceDraft) -> tuple[str, ...]:
        on_foot = self.modes == [FOOT]
        if draft.weight >= NEWS:
            return _IN_BY_FOOT if on_foot else _IN_MIXED
        if on_foot:
            return _BY_FOOT
        return _BY_RIVER if self.modes == [RIVER] else _MIXED

    def _agree(self, line: str) -> str:
        """Return the line with its verbs in singular or plural."""
        if is_led_plural(self.left):
            return line.replace("~", "")
        return line.replace("go~", "goes").replace("march~", "marches").replace("~", "s")

    def _extras(self) -> str:
        extras = []
        way = " on the way" if self.moved else ""
        if self._fallen_out and len(self._fallen_out) == len(self._troops_left):
            extras.append("in disorder")
        elif self._fallen_out:
            extras.append(f"{self._part(self._fallen_out)} falling out{way}")
        if self.toll.lost:
            extras.append(f"having lost {describe_units(self.toll.lost)}{way}")
        if self._left:
            extras.append(f"leaving {join_words(self._left)}")
        return "".join(f", {extra}" for extra in extras)

    def _part(self, units: list[Unit]) -> str:
        """Return words for some of the stack: `two of them`, or `a battalion and a gun`."""
        led = any(unit.kind is TroopKind.LEADER for unit in units)
        alike = not led and is_uniform([*self._troops_left, *units])
        if alike and len(units) < len(self.units):
            return f"{spell_number(len(units))} of them"
        return describe_units(units)


def _fits(line: str, start: str) -> bool:
    """Return whether the line fits such a start: nobody leaves `near Shendy`."""
    return not (line.startswith("leave") and start.startswith("near"))


FOUGHT = frozenset({"combat", "no retreat"})
PRIZES = "9.9"

_REFUSALS = (
    "No march is made {places}.",
    "The order to march is not carried out {places}.",
    "Ordered to march, the men stay where they are {places}.",
)


class MarchReport(PhaseReport):
    """Marches of a phase; marches to one place are reported together, and so are refusals."""

    hears = PhaseReport.hears.extended()

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self._journey: StackMarchReport | None = None
        self._battle: CombatReport | None = None
        self._stayed: dict[HexId, list[Roll]] = {}
        self._made: dict[str, list[StackMarchReport]] = {}
        self._attacked: set[HexId] = set()

    def leftover(self, rolls: Iterable[Roll]) -> None:
        if self._journey is not None:
            self._journey.draft.citing(rolls)

    def close(self) -> None:
        self._finish_journey()
        self._finish_battle()
        for journeys in self._made.values():
            self._tell_journeys(journeys)
        if self._stayed:
            self._tell_refusals(self._stayed)

    def _tell_journeys(self, journeys: list[StackMarchReport]) -> None:
        """Write marches to one place: together if they are a large force, else one by one."""
        together = sum(len(journey.troops) for journey in journeys) >= LARGE
        shared = journeys[0].draft
        if together and journeys[0].moved:
            shared.weigh(NEWS)
        for journey in journeys:
            journey.write(shared if together else journey.draft)

    def _tell_refusals(self, stayed: dict[HexId, list[Roll]]) -> None:
        rolls = [roll for thrown in stayed.values() for roll in thrown]
        places = describe_places(stayed)
        draft = self.draft(Topic.MARCH, rolls).about(side=self.state.side)
        draft.say(pick_phrase(_REFUSALS, len(stayed), self.when.month).format(places=places))
        if len(stayed) == 1:
            draft.about(hex_id=next(iter(stayed)))

    @hears.on(e.MarchBegan)
    def _begins(self, event: e.MarchBegan, rolls: list[Roll]) -> None:
        self._finish_battle()
        march = event.march
        draft = self.draft(Topic.MARCH, rolls)
        self._journey = StackMarchReport(draft, self.units(march.units), march.route[-1])

    def _now(self) -> StackMarchReport:
        """Return the march under way, or a new leg of it when a part has been told."""
        if self._journey is None:
            march = current_march(self.state)
            draft = self.draft(Topic.MARCH)
            self._journey = StackMarchReport(draft, self.units(march.units), march.route[-1])
        return self._journey

    @hears.on(e.MarchRolled)
    def _rolled(self, event: e.MarchRolled, rolls: list[Roll]) -> None:
        self._now().rolled(event.points, rolls)

    @hears.on(e.Moved)
    def _moved(self, event: e.Moved, rolls: list[Roll]) -> None:
        self._now().go(FOOT if event.cost else SEA, event.path[-1], rolls)

    @hears.on(e.WentByRail)
    def _went_by_rail(self, event: e.WentByRail, rolls: list[Roll]) -> None:
        self._now().go(RAIL, event.path[-1], rolls)

    @hears.on(e.Sailed)
    def _sailed(self, event: e.Sailed, rolls: list[Roll]) -> None:
        journey = self._now()
        journey.go(RIVER, event.path[-1] if event.path else journey.here, rolls)

    @hears.on(e.Wrecked)
    def wrecked(self, event: e.Wrecked, rolls: list[Roll]) -> None:
        if self._journey is not None:
            self._journey.part_with(self.units(event.units))
        super().wrecked(event, rolls)

    @hears.on(e.DroppedOff)
    def _dropped_off(self, event: e.DroppedOff, rolls: list[Roll]) -> None:
        self._now().leave(self.units(event.units))

    @hears.on(e.MarchEnded)
    def _ends(self, event: e.MarchEnded, rolls: list[Roll]) -> None:
        self._finish_journey()

    def _finish_journey(self) -> None:
        journey, self._journey = self._journey, None
        if journey is None:
            return
        if journey.refused:
            self._stayed.setdefault(journey.here, []).extend(journey.draft.rolls)
        elif journey.is_told:
            place = near_hex(journey.here) if journey.moved else str(journey.here)
            self._made.setdefault(place, []).append(journey)

    @hears.on(e.Disrupted)
    def _disrupted(self, event: e.Disrupted, rolls: list[Roll]) -> None:
        units = self.units(event.units)
        if event.cause in FOUGHT:
            self._fight().suffers(units, event.cause, lost=False)
        elif event.cause == "march":
            self._now().toll.hurt_too(units)

    @hears.on(e.Removed)
    def removed(self, event: e.Removed, rolls: list[Roll]) -> None:
        units = self.units(event.units)
        if event.cause in FOUGHT:
            self._fight().suffers(units, event.cause, lost=True)
        elif event.cause == "march":
            self._now().toll.lose(units)
        elif event.cause == "harbour lost":
            self.draft(Topic.RIVER).say(f"{capitalise(describe_stack(units))} puts to sea.")
        super().removed(event, rolls)

    def _fight(self) -> CombatReport:
        if self._battle is None:
            self._battle = CombatReport(self.draft(Topic.COMBAT), self.state)
        return self._battle

    @hears.on(e.CombatBegan)
    def _attacks(self, event: e.CombatBegan, rolls: list[Roll]) -> None:
        before = self._journey
        self._finish_journey()
        last = self._battle
        self._finish_battle()
        if last is not None and last.hexes == (event.attacker, event.defender):
            self._battle = battle = CombatReport(last.draft, self.state)
            battle.hexes = last.hexes
            battle.begins_again()
        else:
            battle = self._fight()
            battle.begins(event, in_their_turn=event.defender in self._attacked)
        self._attacked.add(event.defender)
        if before is not None and not before.is_told:
            battle.draft.citing(before.draft.rolls)

    @hears.on(e.Guided)
    def _guided(self, event: e.Guided, rolls: list[Roll]) -> None:
        self._fight().guided(self.units([event.leader]), event.combat_round)

    @hears.on(e.Tested)
    def _tested(self, event: e.Tested, rolls: list[Roll]) -> None:
        self._fight().tested(event.side, event.combat_round, rolls)

    @hears.on(e.Fought)
    def _fought(self, event: e.Fought, rolls: list[Roll]) -> None:
        self._fight().fought(event)

    @hears.on(e.CombatEnded)
    def _decided(self, event: e.CombatEnded, rolls: list[Roll]) -> None:
        self._fight().decided(event, rolls)

    @hears.on(e.Retreated)
    def _retreated(self, event: e.Retreated, rolls: list[Roll]) -> None:
        self._fight().retreats(self.units(event.units), near_hex(event.path[-1]))

    @hears.on(e.Captured)
    def _captured(self, event: e.Captured, rolls: list[Roll]) -> None:
        thrown_for = bool(rolls) and rolls[-1].clause == PRIZES
        if thrown_for or (self._battle is not None and self._battle.counts_prizes):
            self._fight().captured(event.names, rolls)

    def _finish_battle(self) -> None:
        battle, self._battle = self._battle, None
        if battle is not None:
            battle.write()
