"""Register accounts with the admin site, which minds campaigns that would have no umpire.

An account whose campaigns others play is not deleted. It can be deactivated, which may be urgent
and can be undone, with a warning.
"""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.contrib.auth.models import User
from django.forms import ValidationError
from django.http import HttpRequest

from accounts.display_names import TAKEN, is_taken
from campaign.services.umpire.invitations import campaigns_left_without_umpire

admin.site.unregister(User)


class AccountAdminForm(UserChangeForm):
    """The form that changes an account."""

    def clean_username(self) -> str:
        """Refuse a new name that another user logs in with or is called by."""
        name: str = self.cleaned_data["username"]
        if "username" in self.changed_data and is_taken(name, self.instance):
            raise ValidationError(TAKEN)
        return name


@admin.register(User)
class AccountAdmin(UserAdmin):
    """The admin of accounts."""

    form = AccountAdminForm

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

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save the account; warn of campaigns that it leaves without an umpire who can log in."""
        super().save_model(request, obj, form, change)
        if obj.is_active or "is_active" not in form.changed_data:
            return
        for campaign in campaigns_left_without_umpire([obj]):
            messages.warning(
                request,
                f"No umpire of the campaign “{campaign.title}”, which others play, can log in "
                "now: seat another there, or delete it.",
            )
