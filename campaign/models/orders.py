"""Order sheets, their receipts, and deadlines."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaign.models.campaigns import Campaign
from campaign.models.seats import Seat


class OrderSheet(models.Model):
    """A seat's orders for a month. Submitted is not yet ready; `withdrawn` is never carried out.

    `revision` grows with every writing. `salt` is mixed into the month's dice. Once `begun`, the
    sheet cannot be written; `progress` is the encoded progress of its orders.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="sheets", db_index=False)
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="sheets")
    branch = models.PositiveIntegerField()
    month = models.PositiveIntegerField()
    revision = models.PositiveIntegerField(default=0)
    document = models.BinaryField(default=bytes)
    submitted = models.DateTimeField(null=True, blank=True)
    ready = models.BooleanField(default=False)
    withdrawn = models.BooleanField(default=False, help_text="its writer has left the seat")
    salt = models.CharField(max_length=64, blank=True)
    salt_chosen = models.BooleanField(default=False, help_text="by the player, not by the server")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", db_index=False
    )
    updated = models.DateTimeField(auto_now=True)
    begun = models.DateTimeField(null=True, blank=True)
    by_staff = models.BooleanField(default=False, help_text="the staff answers for it this month")
    progress = models.BinaryField(default=bytes)

    class Meta:
        ordering = ["campaign", "branch", "month", "seat"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "seat", "branch", "month"],
                condition=Q(withdrawn=False),
                name="one_sheet_a_month",
            )
        ]
        indexes = [models.Index(fields=["campaign", "branch", "month"], name="sheets_of_a_month")]

    def __str__(self) -> str:
        return f"sheet of month {self.month}, revision {self.revision}"


class Receipt(models.Model):
    """A receipt: the orders as read and, once they are carried out, the outcome of each."""

    class Kind(models.TextChoices):
        SAVED = "saved"
        SUBMITTED = "submitted"
        TAKEN_BACK = "taken back"
        CARRIED_OUT = "carried out"

    sheet = models.ForeignKey(OrderSheet, models.CASCADE, related_name="receipts")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    revision = models.PositiveIntegerField()
    hash = models.CharField(max_length=64)
    reading = models.JSONField(default=list)
    carried = models.JSONField(default=list)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.kind}, revision {self.revision}"


class Deadline(models.Model):
    """The hour at which a month runs. `paused` is the moment its clock was stopped."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="deadlines", db_index=False)
    branch = models.PositiveIntegerField()
    month = models.PositiveIntegerField()
    due = models.DateTimeField(db_index=True)
    grace_until = models.DateTimeField()
    extended = models.PositiveIntegerField(default=0, help_text="minutes in all")
    reminded = models.DateTimeField(null=True, blank=True)
    paused = models.DateTimeField(null=True, blank=True)
    claim = models.CharField(max_length=32, blank=True)
    claimed = models.DateTimeField(null=True, blank=True)
    done = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["campaign", "branch", "month"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "branch", "month"], name="one_deadline")
        ]

    def __str__(self) -> str:
        return f"month {self.month} by {self.due}"
