"""Admin pages: campaigns and seats can be corrected by hand, the journal is read-only."""

from django.contrib import admin
from django.http import HttpRequest

from battles.admin import ReadOnly
from campaign.models import (
    Bench,
    Branch,
    Campaign,
    Comparison,
    Entry,
    Job,
    MonthSeal,
    OwnScenario,
    OwnTables,
    Seat,
    TableSet,
)


class SeatInline(admin.TabularInline):
    model = Seat
    extra = 0


@admin.register(Campaign)
class CampaignAdmin(admin.ModelAdmin):
    """The admin of campaigns: title, visibility, umpire and seats; services write the rest."""

    list_display = ["title", "slug", "scenario", "month", "side", "phase", "finished"]
    list_filter = ["scenario", "finished", "public"]
    search_fields = ["title", "slug"]
    fields = ["title", "public", "umpire", "scenario", "public_anchor", "waiting_for", "outcome"]
    readonly_fields = ["scenario", "public_anchor", "waiting_for", "outcome"]
    inlines = [SeatInline]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False: `manage.py newcampaign` creates campaigns, with their state."""
        return False


@admin.register(Entry)
class EntryAdmin(ReadOnly):
    list_display = ["campaign", "branch", "number", "month", "side", "actor", "created"]
    list_filter = ["campaign"]
    list_select_related = ["campaign"]
    exclude = ["key"]


@admin.register(Branch)
class BranchAdmin(ReadOnly):
    list_display = ["campaign", "number", "reason", "by", "created"]


@admin.register(MonthSeal)
class MonthSealAdmin(ReadOnly):
    """The admin of seals, without the salts, which are secret until their month is closed."""

    list_display = ["campaign", "branch", "month", "opened", "closed"]
    exclude = ["salts"]


@admin.register(Job)
class JobAdmin(ReadOnly):
    list_display = ["campaign", "kind", "months", "status", "progress", "total", "created"]
    list_filter = ["status"]
    exclude = ["claim"]


@admin.register(TableSet)
class TableSetAdmin(ReadOnly):
    list_display = ["digest", "created"]
    exclude = ["texts"]


@admin.register(OwnTables)
class OwnTablesAdmin(ReadOnly):
    list_display = ["name", "owner", "tables", "created"]
    list_select_related = ["owner", "tables"]


@admin.register(OwnScenario)
class OwnScenarioAdmin(ReadOnly):
    list_display = ["title", "owner", "slug", "shared", "changed"]
    list_select_related = ["owner"]


@admin.register(Bench)
class BenchAdmin(ReadOnly):
    list_display = ["scenario", "before_name", "after_name", "status", "progress", "total"]
    list_filter = ["status"]
    exclude = ["claim", "runs"]


@admin.register(Comparison)
class ComparisonAdmin(ReadOnly):
    list_display = ["title", "each", "status", "progress", "total"]
    list_filter = ["status"]
    exclude = ["claim", "brief", "bouts"]
