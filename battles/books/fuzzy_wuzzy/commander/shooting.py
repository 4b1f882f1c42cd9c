"""The choice of targets: the most expected casualties, enemies that still fight first."""

from functools import cache

from battles.books.fuzzy_wuzzy import actions as a
from battles.books.fuzzy_wuzzy import fire_combat
from battles.books.fuzzy_wuzzy.commander.scene import Scene, fights
from battles.books.fuzzy_wuzzy.dice import AVERAGE
from battles.books.fuzzy_wuzzy.fire_combat import casualties, defence_grading
from battles.books.fuzzy_wuzzy.firing import Shot
from battles.books.fuzzy_wuzzy.pieces import Band, Grading, Purpose, Style, Weapon
from battles.books.fuzzy_wuzzy.troop_types import style_of

_D6 = (1, 2, 3, 4, 5, 6)


def fire(scene: Scene) -> a.Fire | a.Done:
    """Return the best shot of the first unit that has one."""
    shots = scene.options.shots_of_first()
    if not shots:
        return a.Done()
    best = max(shots, key=lambda shot: (_worth(scene, shot), -shot.target))
    return a.Fire(best.unit, best.target)


@cache
def expected(style: Style, weapon: Weapon, band: Band, defence: Grading) -> int:
    """Return casualties of six dice that show each of their faces once."""
    faces = AVERAGE if style is Style.REGULAR else _D6
    attack, less = fire_combat.attack_grading(weapon), fire_combat.adjustment(weapon, band)
    return sum(casualties(style, attack, defence, face + less) for face in faces)


def _worth(scene: Scene, shot: Shot) -> int:
    """Return the value of a shot; an enemy that still fights counts double."""
    unit, target = scene.state.units[shot.unit], scene.state.units[shot.target]
    style = style_of(unit.troops, Purpose.FIRE)
    each = expected(style, unit.weapon, shot.band, defence_grading(shot.where))
    return (each * shot.dice + 1) * (2 if fights(target) else 1)
