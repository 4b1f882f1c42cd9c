from importlib import import_module

from django.apps import AppConfig


class CampaignConfig(AppConfig):
    name = "campaign"
    verbose_name = "Campaigns"

    def ready(self) -> None:
        """Hear of the battles that have been fought, and say who may see them."""
        import_module("campaign.receivers")
        import_module("campaign.battle_owner")
