from importlib import import_module

from django.apps import AppConfig


class CampaignConfig(AppConfig):
    name = "campaign"
    verbose_name = "Campaigns"

    def ready(self) -> None:
        """Register the signal receivers and the owner of campaigns' battles."""
        import_module("campaign.receivers")
        import_module("campaign.battle_owner")
