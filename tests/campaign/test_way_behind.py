"""Live play warns of a blocked way behind an attack (9.8), on the page and by REST."""

import pytest

from api.documents.odds import BlockedRetreatPart, blocked_retreat_part
from battles.contract.brief import Side
from campaign.rules.combat.retreat import way_behind
from campaign.rules.core.state import State
from campaign.rules.map import HexId, sudan
from campaign.web.live_page import panel
from tests.positions import hex_of, position
from tests.rules.helpers import go, march

KHARTOUM = hex_of("Khartoum")
RING = [near for near in sudan().neighbours[HexId(2043)] if near != KHARTOUM]


def before_khartoum(start: str, *others: str) -> State:
    state = position(
        f"{start}: 6 spears", "Khartoum: 6 infantry egyptian L", *others, side=Side.MAHDIST
    )
    march(state, start, "6 spears")
    if start != "2043":
        go(state, "2043")
    return state


@pytest.mark.parametrize(
    ("start", "others", "said"),
    [
        ("2043", [f"{near}: infantry egyptian L" for near in RING], "The enemy stands all round"),
        ("2143", [], "The Blue Nile is at its back: beaten, it goes back over it"),
        ("2143", ["2143: boat mahdist"], ""),
        ("2043", [], ""),
        ("2044", [], ""),
    ],
)
def test_9_8_live_play_says_what_is_behind_an_attack(
    start: str, others: list[str], said: str
) -> None:
    shown = panel(before_khartoum(start, *others))
    assert shown is not None
    assert shown.options.targets
    assert shown.behind.startswith(said)
    assert bool(shown.behind) is bool(said)


def test_9_8_rest_warns_only_of_attackers_who_could_not_retreat() -> None:
    ring = (f"{near}: infantry egyptian L" for near in RING)
    surrounded = way_behind(before_khartoum("2043", *ring))
    assert blocked_retreat_part(surrounded) == BlockedRetreatPart(None, from_start=True)
    for start in ("2043", "2143", "2044"):
        assert blocked_retreat_part(way_behind(before_khartoum(start))) is None
