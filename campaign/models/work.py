"""Jobs of the workers."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaign.models.campaigns import Campaign, TableSet


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

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="jobs")
    kind = models.CharField(max_length=20, default="advance")
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
    """Campaigns that the staff plays by two editions in turn; `runs` are the encoded results.

    `total` counts the campaigns of both editions. The same seed gives the same campaigns.
    """

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
        return f"{self.after_name} in {self.scenario} ({self.status})"


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
