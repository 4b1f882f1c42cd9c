"""Load everything a server needs before it takes the first connection.

Otherwise the first visitor of each page would wait for it, on a busy machine for half a minute.
"""

from importlib import import_module

from django.conf import settings
from django.template.loader import get_template


def warm_up() -> None:
    """Load code, templates, rules, tables and the drawn map, without using the database."""
    import_module(settings.ROOT_URLCONF)
    folder = settings.BASE_DIR / "templates"
    for template in sorted(folder.rglob("*.html")):
        get_template(str(template.relative_to(folder)))
    import_module("battles.contract.book").every_book()
    cards = import_module("battles.web.battle_cards")
    for ready in import_module("battles.contract.brief_files").ready_battles():
        cards.card_of(ready.slug, cards.recommended_book(ready.slug))
    import_module("campaign.web.map.printed_map").extent()
    import_module("campaign.trace_report").chapters()
    import_module("campaign.rules.tables.editions").named_editions()
    staff = import_module("campaign.staff.plans")
    for scenario in staff.slugs():
        staff.plans(scenario)
    rules = import_module("campaign.web.tables.rule_book")
    rules.rulings()
    rules.not_yet()
