"""Inquiries: battles, months and campaigns that users have played many times over."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaign.models.campaigns import Campaign
from campaign.models.seats import Seat
from campaign.models.work import Work


class Inquiry(models.Model):
    """A battle, a month or a whole campaign that is played `total` times, by several workers.

    `question` is the encoded position to play, in the format of its kind. Workers are sent its
    parts, which hold its progress. `is_open` until it is done, or makes way for another.
    """

    class Kind(models.TextChoices):
        BATTLE = "battle"
        REHEARSAL = "rehearsal"
        FORECAST = "forecast"

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="inquiries")
    seat = models.ForeignKey(Seat, models.CASCADE, null=True, related_name="+")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    title = models.CharField(max_length=200)
    month = models.PositiveIntegerField()
    way = models.CharField(max_length=40, blank=True, help_text="the book a battle is fought by")
    question = models.BinaryField()
    seed = models.PositiveIntegerField()
    total = models.PositiveIntegerField()
    is_open = models.BooleanField(default=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created"]
        verbose_name_plural = "inquiries"
        constraints = [
            models.UniqueConstraint(
                fields=["asked_by", "kind"],
                condition=Q(is_open=True),
                name="one_inquiry_of_a_kind",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.title}"


class InquiryPart(Work):
    """A part of an inquiry: `total` runs from number `first` on; `runs` are the encoded results."""

    inquiry = models.ForeignKey(Inquiry, models.CASCADE, related_name="parts")
    first = models.PositiveIntegerField()
    runs = models.BinaryField(default=bytes)

    class Meta:
        ordering = ["first"]

    def __str__(self) -> str:
        return f"{self.inquiry}, from {self.first} ({self.status})"
