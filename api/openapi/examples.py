"""Examples for the schema, by operation: bodies with titles, and recorded answers.

`python -m tests.api.answers` records the answers from the running program.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

from campaign.rules.tables.scenario_loader import scenarios

_SCENARIOS = [scenario.slug for scenario in scenarios()]
_TOKAR = {
    "format": 1,
    "scenario": {
        "slug": "a-month-at-tokar",
        "title": "A month at Tokar",
        "start": "1884-02",
        "end": "1884-02",
        "description": "Can a garrison of four battalions hold Tokar for a month?",
        "map": {"regions": ["souakim_extension"]},
        "events": {"egyptian": ["events_egyptian_relief"], "mahdist": ["events_mahdist"]},
        "replaced": {"at": ["Souakim"]},
        "stack": [
            {
                "id": "tokar",
                "at": ["Tokar"],
                "posts": [
                    {
                        "nearest": "Tokar",
                        "units": [{"kind": "infantry", "nation": "egyptian", "count": 4}],
                    }
                ],
            },
            {
                "id": "el-teb",
                "at": ["El Teb"],
                "posts": [
                    {
                        "nearest": "El Teb",
                        "units": [{"kind": "spears", "nation": "mahdist", "count": 6}],
                    }
                ],
            },
        ],
        "victory": [
            {
                "kind": "survive until",
                "winner": "egyptian",
                "until": "1884-02",
                "places": ["Tokar"],
                "text": "Tokar is held at the end of the month.",
            }
        ],
    },
}
ANSWERS = Path(__file__).with_name("answers.json")

_BECAUSE = {"reason": "Agreed with both players by letter."}
_ORDERS = {
    "orders": [
        {
            "type": "march",
            "hex": "1734",
            "unit_ids": [101, 102],
            "legs": [{"type": "foot", "to_hex": "1831"}],
            "contact": "stop",
        }
    ]
}

_VICTORY = {
    "fates": {"101": "good_order", "102": "disrupted", "201": "eliminated"},
    "winner": "egyptian",
    "ending": "The last of them broke at noon.",
}

_BOATS = """\
id = "town_entry"
title = "Boats found in towns"
clause = "3.2"
provenance = "umpire"

[[row]]
place = "Berber"
boats = 1

[[row]]
place = "Abou Hamed"
boats = 1

[[row]]
place = "Dongola"
boats = 1

[[row]]
place = "Khartoum"
boats = 3
"""

_BRIEF = """\
title = "At the wells"
month = "1884-03"

[attacker]
side = "mahdist"
troops = [{ kind = "spears", nation = "mahdist", quality = "F", strength = 3, count = 6 }]

[defender]
side = "egyptian"
troops = [
    { kind = "infantry", nation = "british", quality = "V", strength = 3, count = 2 },
    { kind = "gun", nation = "british", quality = "V" },
]
"""

EXAMPLES: dict[str, dict[str, Any]] = {
    "post-tokens": {
        "A token that reads": {
            "username": "gordon",
            "password": "correct horse",
            "name": "My map",
            "scopes": ["read"],
            "days": 365,
        },
        "A bot of one campaign": {
            "username": "gordon",
            "password": "correct horse",
            "name": "My bot",
            "scopes": ["read", "orders"],
            "days": 90,
            "campaign": "winter-at-the-club",
        },
    },
    "post-push-subscriptions": {
        "A browser": {
            "endpoint": "https://push.example.org/send/6f1d",
            "keys": {"p256dh": "BDKz...", "auth": "q2n0..."},
            "browser": "Firefox on Linux",
        }
    },
    "post-webhooks": {
        "A program of a campaign": {
            "url": "https://bot.example.org/sirdar",
            "campaign": "winter-at-the-club",
            "events": ["campaign.month_started", "campaign.finished"],
        }
    },
    "patch-webhook": {
        "Other events": {"events": ["campaign.turn_started"]},
        "Nothing for now": {"enabled": False},
    },
    "post-campaign-channels": {
        "A channel in Discord": {
            "url": "https://discord.com/api/webhooks/1200000000000000000/aBcD",
            "topics": ["headline", "turn"],
        }
    },
    "post-campaign-letters": {
        "To the umpire": {
            "sender_id": 2,
            "reader_ids": [1],
            "text": "I will hold Berber as long as the river rises.",
            "hexes": ["2442"],
        }
    },
    "patch-campaign-letter": {
        "It is read": {"type": "read"},
        "A copy arrives at once": {"type": "route", "seat_id": 3, "fate": "deliver"},
    },
    "patch-campaign-channel": {
        "Headlines alone": {"topics": ["headline"]},
        "Nothing for now": {"enabled": False},
    },
    "post-campaigns": {
        "By order sheets in the fog": {
            "scenario": _SCENARIOS[-1],
            "title": "Winter at the club",
            "mode": "orders",
            "fog": True,
            "deadline_policy": {"zone": "Europe/London", "hour": 20, "days": 7},
        },
        "You against the staff, live": {
            "scenario": _SCENARIOS[0],
            "mode": "live",
            "egyptian": "me",
            "mahdist": "staff",
        },
    },
    "patch-campaign": {
        "Another title": {"title": "Winter at the club"},
        "Over the holidays": {"adjourned": True, "reason": "Over the holidays."},
        "Battles at a real table": {
            "battles": {"resolution": "tabletop", "fallback": "combat-table", "timeout_days": 14}
        },
        "Given up": {"outcome": "mahdist", "reason": "Khartoum is given up."},
    },
    "post-campaign-advance": {"A month": {"months": 1}, "A phase": {"one_phase": True}},
    "post-campaign-seats": {"A second umpire": {"holder": "wingate"}},
    "patch-seat": {
        "The staff plays": {"staff": True, "reason": "He is away until March."},
        "A new commander": {"holder": "graham", **_BECAUSE},
        "You leave": {"holder": None},
    },
    "put-sheet": {"A march": _ORDERS},
    "patch-sheet": {"Submitted": {"submitted": True}, "Ready": {"ready": True}},
    "post-sheet-check": {"A march": _ORDERS},
    "post-sheet-odds": {"A march": _ORDERS},
    "post-simulations": {
        "A month by a draft sheet": {
            "type": "rehearsal",
            "campaign": "winter-at-the-club",
            "seat_id": 2,
            "draft": _ORDERS,
            "runs": 200,
        },
        "The waiting battle by Redcoats": {
            "type": "battle",
            "campaign": "winter-at-the-club",
            "battle": "1884-06-march-2042-1",
            "resolution": "redcoats",
        },
        "A forecast": {"type": "forecast", "campaign": "winter-at-the-club", "runs": 200},
        "My tables against the shipped": {
            "type": "bench",
            "scenario": _SCENARIOS[-1],
            "campaigns": 100,
            "after_table_set_id": 3,
        },
        "The plans of a scenario on the ladder": {
            "type": "ladder",
            "scenario": _SCENARIOS[-1],
            "games_each": 5,
        },
        "A battle of history by every book": {
            "type": "comparison",
            "offer": "abu-klea",
            "battles_each": 100,
        },
    },
    "post-campaign-invitations": {
        "The whole side": {"role": "mahdist", "valid_days": 14},
        "A governor, by e-mail": {
            "role": "egyptian",
            "office": "Governor of Kordofan",
            "region_names": ["kordofan"],
            "email": "slatin@example.org",
        },
    },
    "post-campaign-answers": {
        "Two units set up at Berber": {"type": "deploy", "unit_ids": [101, 102], "hex": "1734"},
        "A march": {"type": "march", "unit_ids": [101, 102]},
        "Through these hexes": {"type": "move", "path": ["1733", "1732"]},
        "Nothing more": {"type": "done"},
        "The staff's turn": {"type": "staff"},
    },
    "patch-campaign-deadline": {
        "Every Sunday": {"policy": {"zone": "Africa/Khartoum", "hour": 20, "days": 7}},
        "A day more": {"extended_hours": 24, **_BECAUSE},
        "A pause": {"paused": True, **_BECAUSE},
    },
    "post-campaign-dice-by-hand": {"Two dice": {"faces": [3, 5]}},
    "post-campaign-rulings": {
        "A stack moved": {
            "effects": [{"type": "move", "unit_ids": [101], "hex": "1734"}],
            **_BECAUSE,
        },
        "Dice thrown": {
            "toss": {"count": 1, "face_count": 6},
            "reason": "Does the messenger get through?",
        },
    },
    "post-campaign-rewinds": {"Back to an entry": {"cursor": "0.42", **_BECAUSE}},
    "post-battles": {
        "Abu Klea by commanders": {"type": "offer", "offer": "abu-klea", "book": "redcoats"},
        "One of your own on a table": {
            "type": "brief",
            "toml": _BRIEF,
            "book": "restless",
            "fought_by": "tabletop",
        },
    },
    "post-battle-throws": {"Against the computer": {"book": "restless"}},
    "put-fight": {"By Redcoats": {"book": "redcoats"}},
    "patch-fight": {
        "Left to the computer": {"mahdist_lead": "computer"},
        "A pause": {"paused": True},
        "A stand-in for the one who is late": {"stand_in": True},
        "Fought to its end": {"finished": True},
    },
    "post-fight-actions": {
        "An activation ended": {"action": {"type": "redcoats_done"}},
        "A unit fires (Redcoats)": {"action": {"type": "redcoats_fire", "target": 23}},
        "A unit goes straight to a place (Restless)": {
            "action": {"type": "restless_move", "waypoints": [{"x": 1240, "y": 880}], "facing": 90}
        },
        "Orders for two units (Fuzzy Wuzzy)": {
            "action": {
                "type": "fuzzy_wuzzy_order",
                "orders": [
                    {"unit": 1, "movement": "march", "combat": "fire"},
                    {"unit": 2, "change": "square"},
                ],
            }
        },
    },
    "post-fight-rewinds": {
        "Back to an entry": {"entry_number": 12, "reason": "A card was misread."}
    },
    "post-fight-corrections": {
        "Two stands fewer": {"unit_id": 7, "strength": 3, "reason": "Two were never there."},
        "Moved on a field of squares": {
            "unit_id": 7,
            "strength": 12,
            "moved_to": {"type": "square", "square": "C5"},
            "bearing": 90,
            "reason": "It was set down one square too far.",
        },
        "Moved on an open table": {
            "unit_id": 7,
            "strength": 4,
            "moved_to": {"type": "point", "x": 12.5, "y": 8},
            "reason": "It was set down too far.",
        },
    },
    "patch-campaign-battle": {
        "By a book": {"type": "resolution", "resolution": "redcoats"},
        "Declined": {"type": "declined"},
    },
    "post-campaign-battle-report": {"A victory": _VICTORY},
    "post-battle-report": {"A victory": {**_VICTORY, "turns": 9}},
    "post-battle-count": {
        "A victory": {
            "remainders": {"1": {"figures": 4}, "2": {"figures": 2, "shaken": True}},
            "winner": "egyptian",
            "ending": "The last of them broke at noon.",
            "turns": 9,
        }
    },
    "post-table-sets": {
        "More boats at Khartoum": {"name": "More boats", "files": {"town_entry.toml": _BOATS}}
    },
    "post-own-scenarios": {
        "A scenario to go on with": {"type": "document", "document": _TOKAR},
        "What if from here": {"type": "campaign", "campaign": "the-siege-of-khartoum"},
    },
    "patch-own-scenario": {
        "The scenario as it is now": {"document": _TOKAR},
        "Share it by its link": {"shared": True},
    },
    "post-accounts": {
        "Somebody new": {
            "username": "gordon",
            "password": "four camels at noon",
            "email": "gordon@example.org",
        }
    },
    "put-account-password": {
        "Tokens go on": {
            "password": "four camels at noon",
            "new_password": "five camels at dusk",
            "revoke_tokens": False,
        }
    },
    "patch-account": {
        "Another address": {"email": "wood@example.org", "password": "four camels at noon"}
    },
    "post-password-resets": {"A forgotten password": {"email": "gordon@example.org"}},
    "post-password-reset": {"Another password": {"new_password": "five camels at dusk"}},
    "patch-account-notifications": {"Only when it is my turn": {"on_gazette": False}},
}


@cache
def recorded_answers() -> dict[str, Any]:
    """Return the recorded answers, shortened, by operation and status; files excepted."""
    answers: dict[str, Any] = json.loads(ANSWERS.read_text(encoding="utf-8"))
    return answers
