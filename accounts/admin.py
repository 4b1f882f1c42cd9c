"""Register accounts with the admin site: none is deleted whose campaigns would have no umpire."""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import User
from django.http import HttpRequest

from campaign.services.umpire.invitations import campaigns_left_without_umpire

admin.site.unregister(User)


@admin.register(User)
class AccountAdmin(UserAdmin):
    """The admin of accounts."""

    def get_deleted_objects(
        self, objs: Iterable[User], request: HttpRequest
    ) -> tuple[list[Any], dict[Any, Any], set[Any], list[Any]]:
        """Return as Django does what is deleted, and what forbids it, for one account or several.

        Players who go on would be left with a campaign that nobody can advance.
        """
        users = list(objs)
        deleted, counts, permissions, protected = super().get_deleted_objects(users, request)
        forbidding = [
            f"The campaign “{campaign.title}”, which others play: seat another umpire there first, "
            "or delete it."
            for campaign in campaigns_left_without_umpire(users)
        ]
        return deleted, counts, permissions, [*protected, *forbidding]
