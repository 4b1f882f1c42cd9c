"""What each side is after, as data."""

import tomllib
from functools import cache
from importlib.resources import files

import msgspec

from battles.core.reading import shaped
from campaign.rules.map import HexId
from campaign.rules.pieces import Month, Side, month_from_text
from campaign.staff.scene import Scene


class Aim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place to be taken: with how many factors, by the fighters of which theatre.

    `after`: another place has to be theirs first; `since`: not before this month. `lure`: points
    of the way that it is worth. `open`: whoever has nothing better to do joins.
    """

    scenario: str
    side: Side
    place: str
    theatre: str
    want: float = 0
    lure: float = 0
    open: bool = False
    after: str = ""
    since: str = ""

    @property
    def first_month(self) -> Month:
        """The month from which it is an aim; 0 for any."""
        return month_from_text(self.since) if self.since else Month(0)


class Garrison(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place of the Egyptian player that can spare all but `keep` fighters.

    They leave in columns of at most `column` units, their train among them, and of at least
    `least` factors of fire and melee.
    """

    scenario: str
    place: str
    keep: int
    column: int = 6
    least: float = 16


class Caution(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody should know before playing a scenario against these plans, or judging it."""

    scenario: str
    text: str


class Plans(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything the file says."""

    aim: tuple[Aim, ...]
    garrison: tuple[Garrison, ...]
    caution: tuple[Caution, ...] = ()


def caution(scenario: str) -> str:
    """Return what these plans miss in a scenario; empty where nothing is known."""
    return next((one.text for one in plans().caution if one.scenario == scenario), "")


@cache
def aims(scenario: str, side: Side) -> tuple[Aim, ...]:
    """The aims of a side in a scenario, the most wanted first."""
    return tuple(aim for aim in plans().aim if aim.scenario == scenario and aim.side is side)


def garrison_of(scene: Scene, hex_id: HexId) -> Garrison:
    """What stays in this hex and how the others leave it; nothing stays where no plan says so."""
    name = scene.ground.hexes[hex_id].place or ""
    return _garrisons().get((scene.state.scenario, name), NOBODY)


NOBODY = Garrison("", "", keep=0, least=0)


@cache
def _garrisons() -> dict[tuple[str, str], Garrison]:
    return {(one.scenario, one.place): one for one in plans().garrison}


@cache
def plans() -> Plans:
    """Return what the file says."""
    text = (files(__package__) / "plans.toml").read_text(encoding="utf-8")
    return shaped(tomllib.loads(text), Plans)
