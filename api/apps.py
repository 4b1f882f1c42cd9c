from importlib import import_module

from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "api"
    verbose_name = "REST interface"

    def ready(self) -> None:
        """Hear of the campaigns that have gone on."""
        import_module("api.receivers")
