"""What several attacks one after the other can do to a garrison (9.1, 9.8).

A garrison in a town or village need not retreat, so it has to be destroyed, wave by wave.
"""

from functools import lru_cache

from campaign.rules.book import Book
from campaign.staff.odds import Force, Host, after_fire, after_melee, fate_share

_BRANCHES = 12
"""So many states of the garrison, the weak and the strong, are followed from wave to wave."""


@lru_cache(maxsize=400)
def storm(law: Book, waves: tuple[Force, ...], garrison: Force) -> float:
    """The chance that these waves, one after the other, leave nobody of the garrison."""
    left: dict[Host, float] = {garrison.host: 1.0}
    fallen = 0.0
    for wave in waves:
        left = _after(law, wave, garrison, _sampled(left)) if left else {}
        fallen += left.pop((), 0.0)
    return fallen


def _sampled(left: dict[Host, float]) -> dict[Host, float]:
    """A few states for all: of each part, from the weakest to the strongest, the likeliest."""
    parts: dict[int, list[tuple[Host, float]]] = {}
    share, passed = sum(left.values()) / _BRANCHES, 0.0
    for one, weight in sorted(left.items(), key=lambda item: (_strength(item[0]), item[0])):
        parts.setdefault(int(passed / share), []).append((one, weight))
        passed += weight
    return {
        max(part, key=lambda item: item[1])[0]: sum(weight for _, weight in part)
        for part in parts.values()
    }


def _strength(host: Host) -> float:
    return sum(troops.worth for troops in host)


def _after(law: Book, wave: Force, garrison: Force, left: dict[Host, float]) -> dict[Host, float]:
    """What is left of the garrison after this wave, which attacks again where it has won."""
    found: dict[Host, float] = {}
    for now, weight in left.items():
        for won, then, chance in onslaught(law, wave, garrison._replace(host=now)):
            if won and then:
                for _, last, again in onslaught(law, _spent(wave), garrison._replace(host=then)):
                    found[last] = found.get(last, 0) + weight * chance * again
            else:
                found[then] = found.get(then, 0) + weight * chance
    return found


def _spent(wave: Force) -> Force:
    """The wave after an attack that it won: a quarter of it is disrupted."""
    host = tuple(
        troops._replace(
            steady=troops.steady - troops.steady // 4, shaken=troops.shaken + troops.steady // 4
        )
        for troops in wave.host
    )
    return wave._replace(host=host)


@lru_cache(maxsize=400)
def onslaught(law: Book, attacker: Force, defender: Force) -> tuple[tuple[bool, Host, float], ...]:
    """One attack: whether it is won, what it leaves of the defender, and how often."""
    found: dict[tuple[bool, Host], float] = {}
    for ours, often in after_fire(law, attacker, defender).items():
        for foes, as_often in after_fire(law, defender, attacker).items():
            us, them = attacker._replace(host=ours), defender._replace(host=foes)
            hold = 1 - fate_share(law, us, them, attacker.host)
            for left, chance in after_melee(law, them, us).items():
                weight = often * as_often * chance
                if not left or _is_beaten(law, left, defender.host):
                    _add(found, (True, left), weight * hold)
                    _add(found, (False, left), weight * (1 - hold))
                else:
                    _add(found, (False, left), weight)
    return tuple((won, left, weight) for (won, left), weight in sorted(found.items()))


def _is_beaten(law: Book, left: Host, came: Host) -> bool:
    size = sum(troops.size for troops in came)
    bad = size - sum(troops.steady for troops in left)
    return bad * 100 >= size * law.number("combat.lost_at")


def _add(found: dict[tuple[bool, Host], float], key: tuple[bool, Host], weight: float) -> None:
    if weight:
        found[key] = found.get(key, 0) + weight
