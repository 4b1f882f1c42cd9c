"""Register battles and their entries with the admin site, read-only."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from battles.models import Battle, BattleEntry


class ReadOnly(admin.ModelAdmin):
    """An admin page without writing: only the services may write a battle or its journal."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Battle)
class BattleAdmin(ReadOnly):
    list_display = ["title", "owner", "month", "book", "way", "winner", "turns", "reported"]
    list_filter = ["book", "way", "winner"]
    search_fields = ["title", "owner", "brief_id"]
    exclude = ["brief", "report", "key", "beginning", "document"]


@admin.register(BattleEntry)
class BattleEntryAdmin(ReadOnly):
    list_display = ["battle", "number", "turn", "side", "actor"]
    list_select_related = ["battle"]
    exclude = ["action", "events", "rolls"]
