from importlib import import_module

from django.apps import AppConfig
from django.core.checks import Tags, register

from ops.database_errors import check_encoding


class CampaignConfig(AppConfig):
    name = "campaign"
    verbose_name = "Campaigns"

    def ready(self) -> None:
        """Register the signal receivers, the owner of campaigns' battles, and a check."""
        import_module("campaign.receivers")
        import_module("campaign.battle_owner")
        register(check_encoding, Tags.database)
