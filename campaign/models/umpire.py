"""The umpire log, and the throw that a campaign waits for."""

from django.db import models

from campaign.models.campaigns import Campaign


class UmpireLogEntry(models.Model):
    """An entry of the umpire log: a change outside the journal, by whom and why. It is public."""

    campaign = models.ForeignKey(
        Campaign, models.CASCADE, related_name="umpire_log", db_index=False
    )
    by = models.CharField(max_length=80)
    said = models.CharField(max_length=500)
    month = models.PositiveIntegerField()
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["campaign", "-id"], name="umpire_log_of")]

    def __str__(self) -> str:
        return self.said


class Throw(models.Model):
    """An action that waits for dice thrown by hand: `faces` have been typed in, more are wanted.

    `head` is the entry that it will follow (0: none). It is carried out when the faces suffice.
    """

    campaign = models.OneToOneField(Campaign, models.CASCADE, related_name="throw")
    head = models.PositiveBigIntegerField(default=0)
    actor = models.CharField(max_length=80)
    action = models.BinaryField()
    key = models.CharField(max_length=64, blank=True)
    faces = models.JSONField(default=list)
    count = models.PositiveIntegerField()
    sides = models.PositiveIntegerField(default=6)
    reason = models.CharField(max_length=200, blank=True)
    clause = models.CharField(max_length=20, blank=True)
    asked = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.count} dice of {self.sides} for {self.reason or self.actor}"
