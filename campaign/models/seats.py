"""Seats of a campaign, and the invitations to them."""

from django.conf import settings
from django.db import models

from campaign.models.campaigns import Campaign


class Seat(models.Model):
    """A role in a campaign and the user who holds it; vacant without a user.

    A side may have several seats: `command` names the leaders (by unit number) and the regions of a
    subordinate; the seat without a command is the side's commander-in-chief.
    """

    class Role(models.TextChoices):
        UMPIRE = "umpire"
        EGYPTIAN = "egyptian"
        MAHDIST = "mahdist"
        OBSERVER = "observer"

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="seats", db_index=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="seats", null=True, blank=True
    )
    role = models.CharField(max_length=20, choices=Role.choices)
    name = models.CharField(max_length=60, blank=True, help_text="the office, as Sirdar")
    staff = models.BooleanField(default=False, help_text="the computer's staff holds it")
    command = models.JSONField(
        default=list, blank=True, help_text="leaders' unit numbers and regions; empty: the side"
    )
    vacated = models.DateTimeField(null=True, blank=True, help_text="when its holder left it")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "user", "role"], name="one_seat_a_role")
        ]

    def __str__(self) -> str:
        holder = "the staff" if self.staff else self.user or "nobody"
        return f"{holder} as {self.name or self.role}"


class Invitation(models.Model):
    """An invitation to a seat. Its link is shown once; only a hash of it is stored."""

    campaign = models.ForeignKey(
        Campaign, models.CASCADE, related_name="invitations", db_index=False
    )
    role = models.CharField(max_length=20, choices=Seat.Role.choices)
    name = models.CharField(max_length=60, blank=True)
    command = models.JSONField(default=list, blank=True)
    token_hash = models.CharField(max_length=64, unique=True)
    email = models.EmailField(blank=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", db_index=False
    )
    created = models.DateTimeField(auto_now_add=True)
    expires = models.DateTimeField()
    used_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
    )
    used = models.DateTimeField(null=True, blank=True)
    revoked = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["campaign", "-created"]
        indexes = [models.Index(fields=["campaign", "-created"], name="invitations_of")]

    def __str__(self) -> str:
        return f"invitation as {self.name or self.role}"
