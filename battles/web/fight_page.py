"""The page of a battle that players fight: the field, the question, and the log."""

from collections.abc import Container, Iterator, Mapping
from functools import cached_property
from itertools import groupby
from math import dist
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from battles import serialization
from battles.contract import Side
from battles.contract.book import book
from battles.core.game import IllegalAction
from battles.drawing import ClickTarget, draw_click_targets, field, spots_of
from battles.models import Battle
from battles.prose import capital
from battles.turn_form import TITLES, Choice, InvalidForm, QuestionKind, TurnForm, per_cent
from battles.web.fight_view import FightView, drawn_way

APART = 34
"""Units of the drawing between two places to go to; the lists have those in between."""
ORDER = tuple(QuestionKind)
ROWS = (QuestionKind.FORM, QuestionKind.TURN, QuestionKind.DONE)
"""Kinds with short labels, whose buttons stand in a row."""
LISTED = (QuestionKind.GO, QuestionKind.TURN)
"""Kinds that are a list where there are more than two choices."""
ROOM, BUTTON, LINE, IN_A_LINE = 240, 24, 20, 34
"""Pixels that the choices may take without a scroll on a screen of 1024 by 768: a question with
more shows its longest groups as lists. A button without its words, each line of these, and the
letters of a line."""
LOOKED_FOR = {
    QuestionKind.GO: "No move",
    QuestionKind.FIRE: "No fire",
    QuestionKind.CHARGE: "No charge",
}
"""Words for what a player misses among the choices."""
NOT_ITS_TURN = "It is not its turn to act."
VERBS = {
    QuestionKind.CHARGE: "Close",
    QuestionKind.TURN: "Turn",
    QuestionKind.AT_ONCE: "Do it",
    QuestionKind.NEXT: "Choose",
    QuestionKind.FORM: "Form",
    QuestionKind.CARD: "Play",
    QuestionKind.OTHER: "Do it",
}
"""Labels of the button beside a list, where the title of its kind is too long."""


class Numbered(NamedTuple):
    """A choice with its number among those of its unit."""

    number: int
    choice: Choice


class ChoiceGroup(NamedTuple):
    """The choices of one kind, shown as buttons or `as_list`."""

    kind: QuestionKind
    title: str
    choices: tuple[Numbered, ...]
    as_list: bool = False

    @property
    def verb(self) -> str:
        """Return the label of the list's button."""
        return VERBS.get(self.kind, self.title)

    @property
    def height(self) -> int:
        """Return about how high the group is on a narrow column, in pixels."""
        if self.as_list or self.kind in ROWS:
            return BUTTON + LINE
        lines = (
            1 + len(choice.label) // IN_A_LINE + bool(choice.detail) for _, choice in self.choices
        )
        return sum(BUTTON + LINE * count for count in lines)

    @property
    def options(self) -> Iterator[tuple[int, str]]:
        """Yield the number and the words of each choice, for a list."""
        for number, choice in self.choices:
            yield number, _as_option(choice)

    @property
    def likeliest(self) -> str:
        """Return the number of the choice that is likeliest to succeed."""
        return str(max(self.choices, key=lambda option: option.choice.chance or 0).number)


class MoveCheck(NamedTuple):
    """A place that was clicked: the move there, or why it is illegal."""

    may: bool
    words: str
    fields: Mapping[str, str]


class UnavailableUnit(NamedTuple):
    """A unit that cannot be chosen now, and why."""

    name: str
    reason: str


class FightPage(FightView):
    """The page of a battle in progress, for one viewer.

    `parameters` are those of the URL (the selected unit, the clicked place), or those of the
    form if it was refused.
    """

    @property
    def waits_for(self) -> str:
        """Return a sentence about the side that the battle waits for."""
        if self.battle.paused:
            return f"{self.battle.paused} has paused the battle."
        if self.side is None:
            return "The battle is over."
        if self.turn_form is not None:
            return "Your turn."
        return f"The battle waits for the {self.words.side(self.side)} side."

    @cached_property
    def repeatable(self) -> bool:
        """Return whether last turn's orders can be given again."""
        asks = self.turn_form is not None and self.turn_form.ordering is not None
        return asks and repeat_orders(self.battle, self.state) is not None

    @cached_property
    def turn_form(self) -> TurnForm | None:
        """Return the form of the user's turn; None when it is not their turn."""
        side = self.side
        led = {Side(command.side) for command in self._commands if command.computer}
        if side is None or side not in self.own_sides or side in led or self.battle.paused:
            return None
        return self.book.turn_forms.form(
            self.state, side, _number_in_url(self._parameters.get("unit"))
        )

    @cached_property
    def choices_at_place(self) -> tuple[ChoiceGroup, ...]:
        """Return the choices at the place that was clicked, grouped by kind."""
        place = self._parameters.get("place", "")
        return _grouped(
            [option for option in self._numbered if place and option.choice.place == place]
        )

    @property
    def looks_at_place(self) -> bool:
        """Return whether the page shows what can be done at a place instead of everything."""
        return bool(self.choices_at_place) or self.move_check is not None

    @property
    def chosen_place(self) -> str:
        """Return the place that was clicked, or else where a unit to be placed stands now."""
        placing = self.turn_form.placing if self.turn_form else None
        return self._parameters.get("place", "") or (placing.place if placing else "")

    @property
    def facing(self) -> str:
        """Return the facing of a unit to be placed; after a refusal, the form's."""
        placing = self.turn_form.placing if self.turn_form else None
        return self._parameters.get("facing") or (placing.facing if placing else "")

    @property
    def form_values(self) -> Mapping[str, str]:
        """Return the fields of a refused form, so that nothing has to be given twice."""
        return self._parameters

    @property
    def order(self) -> str:
        """Return the orders chosen for the unit; after a refusal, the form's."""
        ordering = self.turn_form.ordering if self.turn_form else None
        return self._parameters.get("order") or (ordering.given if ordering else "")

    @cached_property
    def groups(self) -> tuple[ChoiceGroup, ...]:
        """Return the choices by kind, without those that finish."""
        room = ROOM - 2 * LINE * len(self.refusals)
        going_on = [
            option for option in self._numbered if option.choice.kind is not QuestionKind.DONE
        ]
        return _grouped(going_on, room)

    @cached_property
    def finish(self) -> ChoiceGroup | None:
        """Return the choices that finish the turn, the unit's or the phase."""
        done = [option for option in self._numbered if option.choice.kind is QuestionKind.DONE]
        return next(iter(_grouped(done)), None)

    @cached_property
    def _numbered(self) -> tuple[Numbered, ...]:
        return tuple(map(Numbered, range(1000), self.turn_form.choices)) if self.turn_form else ()

    @cached_property
    def move_check(self) -> MoveCheck | None:
        """Return the move to the place that was clicked, legal or not; None without one."""
        if self.turn_form is None or self.turn_form.free is None or "x" not in self._parameters:
            return None
        if self.turn_form.zone:
            return None
        names = ("unit", "x", "y", "via", "facing", "formation")
        fields = {name: self._parameters[name] for name in names if name in self._parameters}
        try:
            action = self.book.turn_forms.read_action(self.state, fields)
            self.engine.check(self.state, action)
        except (InvalidForm, IllegalAction) as wrong:
            return MoveCheck(False, str(wrong), fields)
        where = f"{float(fields['x']):g} by {float(fields['y']):g} {self.turn_form.free.measure}"
        where += f", by way of {fields['via']}" if fields.get("via", "").strip(" ,") else ""
        return MoveCheck(True, f"{self.turn_form.free.words} to {where}", fields)

    @cached_property
    def refusals(self) -> tuple[str, ...]:
        """Return why the unit of the question cannot do more, in the engine's own words."""
        form = self.turn_form
        if form is None or form.zone or self.looks_at_place:
            return ()
        offered = {choice.kind for choice in form.choices}
        offered |= {QuestionKind.GO} if form.free or form.placing else set()
        return tuple(
            f"{LOOKED_FOR[kind]}: {reason}"
            for kind, reason in self._refusals(form.side, form.unit, set(LOOKED_FOR) - offered)
        )

    @cached_property
    def unavailable_unit(self) -> UnavailableUnit | None:
        """Return the unit that was touched if it is the viewer's and is not offered, with why."""
        form, number = self.turn_form, _number_in_url(self._parameters.get("unit"))
        if form is None or number in (0, form.unit, *form.together):
            return None
        if any(number == option.choice.target for option in self._numbered):
            return None
        for army in self.armies:
            for line in army.lines:
                if line.number == number and army.side is form.side and line.formation:
                    reason = next(
                        (reason for _, reason in self._refusals(form.side, number)), NOT_ITS_TURN
                    )
                    return UnavailableUnit(capital(line.name), reason)
        return None

    def _refusals(
        self, side: Side, unit: int, kinds: Container[QuestionKind] = ORDER
    ) -> Iterator[tuple[QuestionKind, str]]:
        """Yield why the unit cannot do what a player looks for, of these kinds."""
        for kind, action in self.book.turn_forms.list_attempts(self.known, side, unit):
            try:
                if kind in kinds:
                    self.engine.check(self.state, action)
            except IllegalAction as refusal:
                yield kind, str(refusal)

    @property
    def drawing(self) -> SafeString:
        """Return the field with its click targets, as an SVG element."""
        label = f"The field, {self.title}. Lists beside and below it say the same in words."
        form = self.turn_form
        numbers = (form.unit, *form.together) if form else ()
        # Units of one square share a ring; the first place is that of the unit itself.
        acting = tuple(
            dict.fromkeys(self._spots[number] for number in numbers if number in self._spots)
        )
        free, tried = form.free if form else None, self.move_check
        way = drawn_way(tried.fields, free.scale) if tried and free else ()
        reach = free.reach if free else 0
        over = draw_click_targets(self.marks, acting, reach, form.zone, way) if form else ""
        return mark_safe(field(self.scene, label, over, self.steps))  # noqa: S308

    @cached_property
    def marks(self) -> tuple[ClickTarget, ...]:
        """Return the click targets on the field; the lists repeat them all."""
        return tuple(self._marks(self.turn_form)) if self.turn_form else ()

    @cached_property
    def _spots(self) -> Mapping[int, tuple[int, int]]:
        return spots_of(self.scene)

    def _marks(self, form: TurnForm) -> Iterator[ClickTarget]:
        """Yield targets for units to select, places to go to, and enemies to attack."""
        spots = self._spots
        for pick in form.units:
            if pick.unit in spots and pick.unit != form.unit:
                link = self._link(unit=pick.unit)
                yield ClickTarget(
                    spots[pick.unit], "look", link, pick.name, ring=True, unit=pick.unit
                )
        yield from self._placings(form)
        start = spots.get(form.unit, (0, 0))
        ranked = sorted(self._numbered, key=lambda option: option.choice.place)
        placed = groupby(ranked, key=lambda option: option.choice.place)
        groups = [(place, list(options)) for place, options in placed if place]
        # The furthest places come first: of those that would cover each other they are kept.
        groups.sort(key=lambda group: -dist(group[1][0].choice.spot or start, start))
        kept: list[tuple[int, int]] = []
        for place, options in groups:
            spot, ring = options[0].choice.spot, bool(options[0].choice.target)
            if spot is None or (not ring and any(dist(spot, other) < APART for other in kept)):
                continue
            if not ring:
                kept.append(spot)
            only = options[0].number if len(options) == 1 else None
            yield self._mark(form.unit, place, [option.choice for option in options], only)

    def _placings(self, form: TurnForm) -> Iterator[ClickTarget]:
        if form.placing is None or form.zone:
            return
        for value, name, spot in form.placing.places:
            link = self._link(unit=form.unit, place=value)
            chosen = value == self.chosen_place
            yield ClickTarget(spot, "go", link, f"{form.placing.verb} {name}", chosen=chosen)

    def _mark(self, unit: int, place: str, choices: list[Choice], only: int | None) -> ClickTarget:
        first = min(choices, key=lambda choice: ORDER.index(choice.kind))
        words = "; ".join(dict.fromkeys(_choice_in_words(choice) for choice in choices[:3]))
        suffix = f" and {len(choices) - 3} more" if len(choices) > 3 else ""
        return ClickTarget(
            first.spot or (0, 0),
            first.kind,
            self._link(unit=unit, place=place),
            words + suffix,
            ring=bool(first.target),
            chosen=place == self.chosen_place,
            # Fire and charges show their odds before they are confirmed.
            choice=only if first.kind is QuestionKind.NEXT else None,
            unit=first.target or None,
        )

    def _link(self, **parameters: object) -> str:
        return f"{address(self.battle)}?{urlencode(parameters)}#turn-form"


def _grouped(choices: list[Numbered], room: int = ROOM) -> tuple[ChoiceGroup, ...]:
    """Return the choices by kind; where they take more than the room, the longest as lists."""
    ranked = sorted(choices, key=lambda option: ORDER.index(option.choice.kind))
    groups = [
        ChoiceGroup(kind, TITLES[kind], options, kind in LISTED and len(options) > 2)
        for kind, group in groupby(ranked, key=lambda option: option.choice.kind)
        if (options := tuple(group))
    ]
    while sum(group.height for group in groups) > room:
        longest = max(groups, key=lambda group: group.height)
        if longest.as_list or len(longest.choices) < 2:
            break
        groups[groups.index(longest)] = longest._replace(as_list=True)
    return tuple(groups)


def _as_option(choice: Choice) -> str:
    """Return a choice as an option, the chance first and once: a narrow list cuts off the end."""
    words, detail = choice.label, choice.detail
    if choice.chance is not None:
        chance = per_cent(choice.chance)
        detail = detail.removeprefix(f"{chance} ")
        words = f"{chance}: {capital(words.removeprefix('Fire at ').removeprefix('Charge '))}"
    return f"{words} ({detail})" if detail else words


def _choice_in_words(choice: Choice) -> str:
    return f"{choice.label}, {choice.detail}" if choice.detail else choice.label


def _number_in_url(text: str | None) -> int:
    """Return a number of the URL; 0 without one."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 7 else 0


def lasting_plan(battle: Battle) -> str:
    """Return the name under which a session keeps the plan that goes on in a battle.

    The plan is kept with the key of the entry that began it.
    """
    return f"lasting plan of {battle.uuid}"


def repeat_orders(battle: Battle, state: Any) -> Any:
    """Return the action that gives last turn's orders again; None where that is impossible."""
    if state.question is None:
        return None
    engine = serialization.engine_of(battle)
    before = serialization.entries_of(battle).filter(turn=state.turn - 1, side=state.question.side)
    actions = (serialization.action_of(entry, engine) for entry in before.defer("events", "rolls"))
    return book(battle.book).turn_forms.repeat_orders(state, actions)


def address(battle: Battle) -> str:
    """Return the URL of the battle's page."""
    return reverse("fight", args=[battle.uuid])
