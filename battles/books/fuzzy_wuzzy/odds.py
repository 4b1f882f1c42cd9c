"""The odds beside the choices of a turn form: casualties of shots and of close combat."""

from typing import Any

from battles.books.fuzzy_wuzzy import actions as a
from battles.books.fuzzy_wuzzy import board, close_combat, firing
from battles.books.fuzzy_wuzzy.book import style_of
from battles.books.fuzzy_wuzzy.firing import Shot
from battles.books.fuzzy_wuzzy.movement import Contact
from battles.books.fuzzy_wuzzy.options import Options
from battles.books.fuzzy_wuzzy.pieces import Purpose
from battles.books.fuzzy_wuzzy.state import State, Unit
from battles.tabletop.geometry import (
    in_contact,
)
from battles.turn_form import (
    chances_of_sums,
    mean,
    per_cent,
)


def likeliest_shot(state: State, offered: Options) -> a.Fire | None:
    """Return the shot of the first unit that can fire, at its likeliest target."""
    shots = offered.shots_of_first()
    if not shots:
        return None
    best = max(shots, key=lambda shot: mean(casualty_chances(state.units[shot.unit], shot)))
    return a.Fire(best.unit, best.target)


def melee(state: State, unit: Unit, enemy: Unit, found: Contact) -> tuple[str, float]:
    """Return the expected casualties of both in the first round, and the chance to cause more.

    They are known only as far as the side knows the enemy.
    """
    ours, theirs = board.stands_at(unit, found.at, found.facing), board.stands_of(enemy)
    pairs = in_contact(ours, theirs)
    mine = sum(board.fit(unit, place) for place in {one for one, _ in pairs})
    its = sum(board.fit(enemy, place) for place in {other for _, other in pairs})
    shelter = firing.defence_grading(close_combat.grading_of(state, unit, enemy))
    caused = _bout(unit, mine, shelter)
    suffered = _bout(enemy, its, firing.defence_grading())
    more = sum(
        chance * too
        for one, chance in caused.items()
        for other, too in suffered.items()
        if one > other
    )
    detail = (
        f"{per_cent(more)} to cause more casualties than it suffers; average "
        f"{mean(caused):.1f} against {mean(suffered):.1f}"
    )
    return detail, more


def _bout(unit: Unit, figures: int, defence: Any) -> dict[int, float]:
    style = style_of(unit.troops, Purpose.CLOSE_COMBAT)
    faces = firing.FACES_OF[Purpose.CLOSE_COMBAT][style]
    return chances_of_sums(
        (close_combat.casualties(style, defence, face) for face in faces), figures
    )


def casualty_chances(unit: Unit, shot: Shot) -> dict[int, float]:
    """Return the chance of every number of casualties, with each stand at its own range."""
    style = style_of(unit.troops, Purpose.FIRE)
    faces = firing.FACES_OF[Purpose.FIRE][style]
    attack, defence = (
        firing.attack_grading(unit.weapon),
        firing.defence_grading(shot.where),
    )
    sums = {0: 1.0}
    for place, band in zip(shot.stands, shot.bands, strict=True):
        less = firing.adjustment(unit.weapon, band)
        each = [firing.casualties(style, attack, defence, face + less) for face in faces]
        dice = firing.dice_of(unit.arm, board.fit(unit, place))
        after: dict[int, float] = {}
        for total, chance in sums.items():
            for more, too in chances_of_sums(each, dice).items():
                after[total + more] = after.get(total + more, 0.0) + chance * too
        sums = after
    return sums
