from importlib import import_module

from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "api"
    verbose_name = "REST interface"

    def ready(self) -> None:
        """Connect the signal receivers."""
        import_module("api.receivers")
