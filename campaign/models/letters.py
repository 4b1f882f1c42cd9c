"""Letters between the seats of a campaign, and their way to each reader."""

from django.db import models

from campaign.models.campaigns import Campaign
from campaign.models.orders import Seat


class CampaignLetter(models.Model):
    """A letter from a seat to others. `branch` and `month` tell when it was written.

    `hexes` are places on the map that the writer points at; `orders` are sentences of an order
    sheet as it stood when the letter was sent.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="letters", db_index=False)
    sender = models.ForeignKey(Seat, models.CASCADE, related_name="letters_sent")
    branch = models.PositiveIntegerField()
    month = models.PositiveIntegerField()
    text = models.TextField()
    hexes = models.JSONField(default=list)
    orders = models.JSONField(default=list)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["campaign", "-id"], name="letters_of")]

    def __str__(self) -> str:
        return f"letter {self.pk} from {self.sender}"


class LetterCopy(models.Model):
    """The copy of a letter for one seat.

    `arrival_month` is the campaign's month in which it arrives; `arrived` is set when it has.
    A lost copy never arrives.
    """

    letter = models.ForeignKey(
        CampaignLetter, models.CASCADE, related_name="copies", db_index=False
    )
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="letters")
    arrival_month = models.PositiveIntegerField()
    arrived = models.DateTimeField(null=True, blank=True)
    read = models.DateTimeField(null=True, blank=True)
    lost = models.BooleanField(default=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["letter", "seat"], name="one_copy_a_seat"),
        ]

    def __str__(self) -> str:
        return f"copy of {self.letter_id} for {self.seat}"
