"""Jobs of the workers, and inquiries: what users have simulated many times."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaign.models.campaigns import Campaign, TableSet
from campaign.models.seats import Seat

# Jobs of the workers.


class Work(models.Model):
    """A job for a worker. `claim` is the token of the process that holds its lease."""

    class Status(models.TextChoices):
        PENDING = "pending"
        RUNNING = "running"
        SUCCEEDED = "succeeded"
        FAILED = "failed"

    UNFINISHED = (Status.PENDING, Status.RUNNING)

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.PENDING)
    progress = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField()
    message = models.CharField(max_length=500, blank=True)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    claim = models.CharField(max_length=32, blank=True)
    created = models.DateTimeField(auto_now_add=True)
    started = models.DateTimeField(null=True, blank=True)
    touched = models.DateTimeField(auto_now_add=True)
    finished = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True


class Job(Work):
    """A job that advances a campaign by months, by a phase, or through a battle."""

    class Kind(models.TextChoices):
        ADVANCE = "advance"
        BATTLE = "battle"
        PHASE = "phase"

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="jobs")
    kind = models.CharField(max_length=20, choices=Kind.choices, default=Kind.ADVANCE)
    months = models.PositiveIntegerField()
    until = models.PositiveIntegerField(help_text="the month at whose beginning it is done")
    battle = models.CharField(max_length=120, blank=True, help_text="the battle it stopped at")

    class Meta:
        ordering = ["-created"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign"],
                condition=Q(status__in=["pending", "running"]),
                name="one_job_under_way",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.months} ({self.status})"


class Bench(Work):
    """Campaigns that the staff plays; `runs` are the encoded results.

    A bench plays by two editions in turn, and `total` counts the campaigns of both. A ladder plays
    `players` in pairs by one edition, `after`. The same seed gives the same campaigns.
    """

    class Kind(models.TextChoices):
        BENCH = "bench"
        LADDER = "ladder"

    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.BENCH)
    players = models.JSONField(default=list, blank=True)
    scenario = models.CharField(max_length=60)
    before = models.ForeignKey(TableSet, models.PROTECT, related_name="+", db_index=False)
    after = models.ForeignKey(TableSet, models.PROTECT, related_name="+", db_index=False)
    before_name = models.CharField(max_length=60)
    after_name = models.CharField(max_length=60)
    seed = models.PositiveIntegerField()
    runs = models.BinaryField(default=bytes)

    class Meta:
        ordering = ["-created"]
        verbose_name_plural = "benches"
        constraints = [
            models.UniqueConstraint(
                fields=["asked_by"],
                condition=Q(status__in=["pending", "running"]),
                name="one_bench_at_a_time",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.after_name} in {self.scenario} ({self.status})"


class Comparison(Work):
    """A battle fought by every book and by the campaign's table, `each` times, in turn.

    `offer` is the slug of a ready battle, whose results are public. `ways` are the books and the
    table at the time, `bouts` the encoded results so far.
    """

    title = models.CharField(max_length=200)
    offer = models.CharField(max_length=60, blank=True, db_index=True)
    brief = models.BinaryField()
    ways = models.JSONField()
    each = models.PositiveIntegerField()
    seed = models.PositiveIntegerField()
    bouts = models.BinaryField(default=bytes)

    class Meta:
        ordering = ["-created"]
        constraints = [
            models.UniqueConstraint(
                fields=["asked_by"],
                condition=Q(status__in=["pending", "running"]),
                name="one_comparison_at_a_time",
            )
        ]

    def __str__(self) -> str:
        return f"{self.title} ({self.status})"


# Inquiries: battles, months and campaigns that users have simulated many times.


class Inquiry(models.Model):
    """A battle, a month or a whole campaign that is played `total` times, by several workers.

    `question` is the encoded position to play, in the format of its kind. Workers are sent its
    parts, which hold its progress. `is_open` until it is done or another replaces it.
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
                fields=["asked_by", "kind"], condition=Q(is_open=True), name="one_inquiry_of_a_kind"
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
