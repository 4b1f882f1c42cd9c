"""The tokens by which a user's programs are let in, and the display names."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from campaign.models import Campaign


class Scope(models.TextChoices):
    """The scopes of a token."""

    READ = "read", "read everything you may see"
    ORDERS = "orders", "act as a player: sheets, answers, seats"
    UMPIRE = "umpire", "act as an umpire: open, advance, rule, rewind"


class Token(models.Model):
    """A program's token, used instead of a password; only the hash of its secret is stored."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=60)
    key_hash = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=list)
    campaign = models.ForeignKey(
        Campaign,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        help_text="the only campaign it opens; empty for all of the user’s",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True, help_text="empty for never")
    last_used_at = models.DateTimeField(null=True, blank=True, help_text="to the hour")

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.name} of {self.user}"

    @property
    def has_expired(self) -> bool:
        """Return whether requests with the token are refused from now on."""
        return self.expires_at is not None and self.expires_at <= timezone.now()


class DisplayName(models.Model):
    """The display name of a user as it is compared, so that no two are alike.

    The name itself is the user's `first_name`, which is read with every user anyway.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", primary_key=True
    )
    folded = models.CharField(max_length=120, unique=True)

    def __str__(self) -> str:
        return self.folded
