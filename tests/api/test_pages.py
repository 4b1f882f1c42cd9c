"""Every page, beside the operations by which a program has what it has, or the reason why not."""

import json
from pathlib import Path

from api.openapi.info import SCHEMA_FILE
from tests.fog.walking import routes

C = "campaigns/<slug:slug>/"
O = f"{C}orders/<int:number>/"  # noqa: E741
FIGHT = "battles/<uuid:number>/fight/"
NOT_PAGES = ("api/v1/", "admin/", "health/", "metrics")
"""The interface itself, and what is for the keeper of the site alone."""

FOR_EYES = "It is drawn for the eye; a program draws from "
SESSION = "A session is the browser's; a program has "
HELP = "It helps people; a program has docs/api.md and the schema."
FILE = "It is a file for programs already, as TOML or JSON."

PAGES: dict[str, tuple[str, ...] | str] = {
    "": ("get-campaigns", "get-scenarios"),
    "campaigns/": ("get-campaigns", "get-scenarios"),
    "new-campaign/": ("post-campaigns",),
    "import-campaign/": ("post-imports", "get-deleted-campaigns"),
    "import-campaign/<int:number>/restore/": ("post-deleted-campaign",),
    "rules/": ("get-table-set", "get-table", "get-rulings"),
    "rules/trace/": "It tells readers of the book where each clause is held; nothing to be played.",
    "rules/cases/": "It leads to the case book as JSON, which is a file of its own.",
    "rules/cases.json": FILE,
    "rules/cases/<str:number>/": FOR_EYES + "the case book as JSON.",
    "rules/<slug:name>.toml": ("get-table", "get-scenario"),
    "tables/": ("get-table-sets", "get-table-set", "get-scenarios"),
    "tables/new/": ("post-table-sets",),
    "tables/<int:number>/": ("get-table-set",),
    "tables/<int:number>/<slug:name>.toml": ("get-table-set",),
    "tables/editions/<slug:slug>/": ("get-table-set",),
    "tables/editions/<slug:slug>/<slug:name>.toml": ("get-table-set",),
    "tables/<int:number>/delete/": ("delete-table-set",),
    "workshop/": (
        "get-own-scenarios",
        "post-own-scenarios",
        "get-deleted-own-scenarios",
        "post-deleted-own-scenario",
    ),
    "workshop/drawing/": FOR_EYES + "the units of the document.",
    "workshop/shared/<uuid:link>/": ("post-own-scenarios",),
    "workshop/<int:number>/": ("get-own-scenario", "patch-own-scenario"),
    "workshop/<int:number>/file/": ("get-own-scenario",),
    "workshop/<int:number>/copy/": ("post-own-scenarios",),
    "workshop/<int:number>/delete/": ("delete-own-scenario",),
    "campaigns/<slug:slug>/what-if/": ("post-own-scenarios",),
    "battles/<uuid:number>/picture.svg": FOR_EYES + "get-battle.",
    "battles/<uuid:number>/picture.png": FOR_EYES + "get-battle.",
    "battles/<uuid:number>/fight/again/": ("get-battle", "post-battles"),
    "ladder/": ("get-simulations", "post-simulations"),
    "bench/": ("get-simulations", "post-simulations"),
    "bench/<uuid:number>/": ("get-simulation",),
    "bench/<uuid:number>/stop/": ("delete-simulation",),
    "mail/": ("get-account-notifications", "patch-account-notifications"),
    "mail/<slug:token>/": "It is the link in a letter; there is patch-account-notifications too.",
    "about/": "It thanks and names sources.",
    "help/": HELP,
    "help/players/": HELP,
    "help/umpires/": HELP,
    "help/glossary/": HELP,
    "help/keys/": HELP,
    "rules/clauses/<slug:clause>/": "It says in words what the case book as JSON shows.",
    "play/battle/": ("get-battle-offers", "post-battles"),
    "play/campaign/": ("post-campaigns",),
    "your-turn/": ("get-campaigns",),
    "accounts/notifications/": ("get-push-subscriptions", "post-push-subscriptions"),
    "service-worker.js": "It is a script that browsers load, the same for everybody.",
    "accounts/name/": ("get-account", "patch-account"),
    "calendar/": ("get-campaign-deadline",),
    "calendar/<slug:token>.ics": "It is a file for calendar programs; then get-campaign-deadline.",
    f"{C}guide/": "It keeps in a browser's session how far somebody has followed the guide.",
    "accounts/register/": ("post-accounts",),
    "accounts/": ("get-tokens", "post-tokens"),
    "accounts/tokens/<int:number>/revoke/": ("delete-token",),
    "accounts/login/": SESSION + "post-tokens.",
    "accounts/logout/": SESSION + "delete-tokens.",
    "accounts/password/": ("put-account-password",),
    "accounts/password/forgotten/": ("post-password-resets",),
    "accounts/password/<slug:uidb64>/<slug:token>/": ("post-password-reset",),
    "accounts/email/": ("get-account", "patch-account"),
    "accounts/email/<str:token>/": ("post-email-confirmation",),
    "accounts/webhooks/": ("get-webhooks", "post-webhooks"),
    "accounts/webhooks/<int:number>/": ("get-webhook", "patch-webhook", "get-webhook-deliveries"),
    "accounts/webhooks/<int:number>/test/": ("post-webhook-deliveries",),
    "accounts/webhooks/<int:number>/enable/": ("patch-webhook",),
    "accounts/webhooks/<int:number>/secret/": ("post-webhook-secret",),
    "accounts/webhooks/<int:number>/delete/": ("delete-webhook",),
    "channels/pictures/<str:token>.png": FOR_EYES + "get-month-map.",
    "invitations/<slug:secret>/": ("get-invitation", "post-invitation"),
    "map/<slug:digest>.svg": FOR_EYES + "get-map-geojson.",
    "api/": ("get-schema",),
    "api/operations/<str:name>/": ("get-schema",),
    "api/components/<str:name>/": ("get-schema",),
    C: ("get-campaign", "get-month-state", "get-month-map", "get-month-despatches"),
    f"{C}set-up/arrange/": ("get-campaign-decision", "post-campaign-answers"),
    f"{C}advance/": ("post-campaign-advance", "delete-job"),
    f"{C}jobs/<uuid:number>/": ("get-job",),
    f"{C}battles/": ("get-campaign-battles", "patch-campaign"),
    f"{C}battles/<slug:battle>/": ("get-campaign-battle", "patch-campaign-battle"),
    f"{C}battles/<slug:battle>/result/": ("post-campaign-battle-report", "patch-campaign-battle"),
    f"{C}battles/<slug:battle>/odds/": ("get-campaign-battle-odds", "post-simulations"),
    f"{C}orders/": ("get-campaign-seats",),
    O: ("get-sheet",),
    f"{O}plain/": ("get-sheet", "put-sheet", "patch-sheet"),
    f"{O}outlook/": ("get-seat-reach",),
    f"{O}receipts/": ("get-seat-receipts",),
    f"{O}receipts/<int:receipt>/": ("get-seat-receipt",),
    f"{O}odds/": ("post-sheet-odds",),
    f"{O}odds/<int:order>/": ("post-sheet-odds", "post-simulations"),
    f"{O}rehearse/": ("post-simulations",),
    f"{C}odds/": ("get-simulation",),
    f"{C}odds/forecast/": ("post-simulations",),
    f"{C}odds/<uuid:number>/": ("get-simulation",),
    f"{C}odds/<uuid:number>/stop/": ("delete-simulation",),
    f"{C}live/": ("get-campaign-decision",),
    f"{C}live/act/": ("post-campaign-answers",),
    f"{C}live/staff/": ("post-campaign-answers",),
    f"{C}walk/": ("get-month-state",),
    f"{C}walk/find/": ("get-map",),
    f"{C}walk/<slug:number>/": ("get-month-hex",),
    f"{C}seats/": ("get-campaign-seats", "get-campaign-invitations", "post-campaign-invitations"),
    f"{C}seats/<int:number>/leave/": ("patch-seat",),
    f"{C}invitations/<int:number>/revoke/": ("delete-campaign-invitation",),
    f"{C}letters/": ("get-campaign-letters", "post-campaign-letters"),
    f"{C}letters/post/": ("patch-campaign", "patch-campaign-letter"),
    f"{C}letters/<int:number>/read/": ("get-campaign-letter", "patch-campaign-letter"),
    f"{C}papers/": ("get-campaign-papers",),
    f"{C}papers/<slug:month>/<slug:whose>/": ("get-month-paper",),
    f"{C}papers/<slug:month>/<slug:whose>/map.svg": FOR_EYES + "get-month-map.",
    f"{C}figures/": ("get-campaign-figures",),
    f"{C}debrief/": ("get-campaign-debrief",),
    f"{C}debrief/<slug:month>/": ("get-campaign-debrief",),
    f"{C}console/": ("get-campaign-worklist", "get-campaign-deadline", "get-campaign-dice-by-hand"),
    f"{C}console/do/": (
        "patch-campaign",
        "patch-campaign-deadline",
        "post-campaign-dice-by-hand",
        "patch-seat",
        "post-campaign-seats",
    ),
    f"{C}console/ruling/": ("post-campaign-rulings",),
    f"{C}console/rewind/": ("get-campaign-branch-entries", "post-campaign-rewinds"),
    f"{C}console/version/": ("get-campaign", "patch-campaign"),
    f"{C}console/channels/": ("get-campaign-channels", "post-campaign-channels"),
    f"{C}console/channels/<int:number>/": (
        "patch-campaign-channel",
        "delete-campaign-channel",
        "get-campaign-channel-deliveries",
        "post-campaign-channel-deliveries",
    ),
    f"{C}console/export/": ("get-campaign-export",),
    f"{C}console/delete/": ("delete-campaign",),
    f"{C}branches/": ("get-campaign-branches",),
    f"{C}branches/<int:number>/": ("get-campaign-branch",),
    f"{C}umpire-log/": ("get-campaign-umpire-log",),
    f"{C}brief/<slug:role>/": ("get-campaign-brief",),
    f"{C}dice/": ("get-campaign-dice", "get-campaign-proof"),
    f"{C}rules/": ("get-table-set", "get-table", "get-rulings"),
    f"{C}rules/<slug:name>.toml": ("get-table", "get-scenario"),
    f"{C}trace/": ("get-campaign-trace",),
    f"{C}<slug:month>/": ("get-month-state", "get-month-map", "get-month-despatches"),
    f"{C}<slug:month>/film/": ("get-month-despatches", "get-campaign-events"),
    f"{C}<slug:month>/film/<int:number>.svg": FOR_EYES + "get-month-map.",
    f"{C}<slug:month>/film/picture.png": FOR_EYES + "get-month-map.",
    f"{C}<slug:month>/hex/": ("get-map",),
    f"{C}<slug:month>/hex/<slug:number>/": ("get-month-hex",),
    "battles/": ("get-battles", "get-battle-offers"),
    "battles/new/": ("post-battles",),
    "battles/throw/": ("post-battle-throws", "post-battles"),
    "battles/books/<slug:book>/": ("get-book",),
    "battles/books/<slug:book>/trace/": "It tells readers of the book where each part is held.",
    "battles/books/<slug:book>/cases/": "It shows what clauses mean; the cases are files here.",
    "battles/compared/": ("get-battles-historical", "get-simulations"),
    "battles/compared/new/": ("post-simulations",),
    "battles/compared/<uuid:number>/": ("get-simulation",),
    "battles/compared/<uuid:number>/stop/": ("delete-simulation",),
    "battles/<uuid:number>/": ("get-battle", "get-battle-replay", "get-battle-proof"),
    "battles/<uuid:number>/turn/<int:turn>/": ("get-battle-replay",),
    "battles/<uuid:number>/trace/": ("get-battle-trace",),
    "battles/<uuid:number>/kit/": ("get-battle-kit",),
    "battles/<uuid:number>/table/": ("get-battle", "post-battle-count", "post-battle-report"),
    FIGHT: ("get-fight", "get-fight-log"),
    f"{FIGHT}act/": ("post-fight-actions",),
    f"{FIGHT}follow/": ("get-fight",),
    f"{FIGHT}lead/": ("patch-fight",),
    f"{FIGHT}stand-in/": ("patch-fight",),
    f"{FIGHT}umpire/": ("patch-fight", "post-fight-rewinds", "post-fight-corrections"),
    f"{FIGHT}begin/": ("put-fight",),
    f"{FIGHT}join/<str:invitation>/": ("get-fight-invitation", "post-fight-invitation"),
}
"""By the route of the page: operations of the schema, or a reason."""


def pages() -> set[str]:
    return {route for route in routes() if not route.startswith(NOT_PAGES)}


def test_every_page_has_operations_beside_it_or_a_reason() -> None:
    assert pages() - set(PAGES) == set(), "Say by which operations a program has that too."
    assert set(PAGES) - pages() == set()


def test_what_stands_beside_a_page_are_operations_of_the_schema() -> None:
    schema = json.loads(SCHEMA_FILE.read_text("utf-8"))
    known = {
        operation["operationId"]
        for path in schema["paths"].values()
        for operation in path.values()
        if isinstance(operation, dict)
    }
    named = {one for beside in PAGES.values() if isinstance(beside, tuple) for one in beside}
    assert named <= known


def test_the_pages_have_no_json_of_their_own() -> None:
    """Their scripts call the interface, as any program does."""
    rooms = ("accounts", "battles", "campaign")
    found = [
        str(path)
        for room in rooms
        for path in Path(room).rglob("*.py")
        if "JsonResponse" in path.read_text()
    ]
    assert not found
