"""What people search and what belongs together. Rules, writing and reading live elsewhere."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from battles import journal


class TableSet(models.Model):
    """The texts of an edition, tables and scenarios, packed. Never changed, kept for good."""

    digest = models.CharField(max_length=64, unique=True)
    texts = models.BinaryField()
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created"]

    def __str__(self) -> str:
        return f"edition {self.digest[:12]}"


class OwnTables(models.Model):
    """An edition with tables or scenarios of his own that somebody has named, to play by."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="own_tables", db_index=False
    )
    name = models.CharField(max_length=60)
    tables = models.ForeignKey(TableSet, models.PROTECT, related_name="named")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created", "-pk"]
        verbose_name_plural = "own tables"
        constraints = [
            models.UniqueConstraint(fields=["owner", "name"], name="one_set_a_name"),
        ]

    def __str__(self) -> str:
        return self.name


class Campaign(journal.Record):
    """One campaign. Everything but title and `public` is written by the services alone."""

    slug = models.SlugField(max_length=60, unique=True)
    title = models.CharField(max_length=100)
    scenario = models.CharField(max_length=60)
    tables = models.ForeignKey(
        TableSet,
        models.PROTECT,
        null=True,
        editable=False,
        related_name="campaigns",
        help_text="what it is played by; nothing where it began before tables were kept",
    )
    public = models.BooleanField(default=False, help_text="anybody may look on")
    umpire = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="umpired"
    )
    created = models.DateTimeField(auto_now_add=True)
    head = models.ForeignKey(
        "Entry", models.SET_NULL, null=True, editable=False, related_name="+", db_index=False
    )
    secret_seed = models.BinaryField(help_text="the hash chain's beginning; shown to nobody")
    public_anchor = models.CharField(max_length=64, help_text="the hash chain's public end")
    first_month = models.PositiveIntegerField()
    month = models.PositiveIntegerField()
    side = models.CharField(max_length=20)
    phase = models.CharField(max_length=20)
    waiting_for = models.CharField(max_length=300, blank=True)
    finished = models.BooleanField(default=False)
    outcome = models.CharField(max_length=300, blank=True)
    battle = models.CharField(max_length=120, blank=True, help_text="the battle it waits for")
    battle_due = models.DateTimeField(null=True, blank=True, db_index=True)

    class Meta:
        ordering = ["-created"]

    def __str__(self) -> str:
        return self.title


class Seat(models.Model):
    """What a person is in a campaign."""

    class Role(models.TextChoices):
        UMPIRE = "umpire"
        EGYPTIAN = "egyptian"
        MAHDIST = "mahdist"
        OBSERVER = "observer"

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="seats", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="seats")
    role = models.CharField(max_length=20, choices=Role.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "user", "role"], name="one_seat_a_role")
        ]

    def __str__(self) -> str:
        return f"{self.user} as {self.role}"


class Entry(journal.Entry):
    """One action in a campaign. `month` is the month whose dice it was played with."""

    HEADING = ("month", "side")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="entries", db_index=False)
    month = models.PositiveIntegerField()
    side = models.CharField(max_length=20)

    class Meta:
        ordering = ["campaign", "branch", "number"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "branch", "number"], name="one_entry"),
            models.UniqueConstraint(
                fields=["campaign", "key"], condition=Q(key__isnull=False), name="one_entry_a_key"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.branch}.{self.number} {self.actor}"


class Snapshot(journal.Snapshot):
    """The state as a month begins; without an entry, as the campaign was created."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="snapshots")
    entry = models.ForeignKey(Entry, models.CASCADE, null=True, related_name="+", db_index=False)
    month = models.PositiveIntegerField()

    class Meta:
        ordering = ["campaign", "month", "id"]

    def __str__(self) -> str:
        return f"month {self.month} of campaign {self.campaign_id}"


class Branch(journal.Branch):
    """A line of play. `anchor` is the public end of the hash chain its dice come from."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="branches", db_index=False)
    parent = models.ForeignKey(Entry, models.CASCADE, null=True, related_name="+", db_index=False)
    anchor = models.CharField(max_length=64)

    class Meta:
        ordering = ["campaign", "number"]
        verbose_name_plural = "branches"
        constraints = [models.UniqueConstraint(fields=["campaign", "number"], name="one_branch")]

    def __str__(self) -> str:
        return f"branch {self.number}"


class MonthSeal(models.Model):
    """What a month's dice on a branch come from.

    `commitments` (the hashes of the salts, by side) are public when the month opens; `salts`,
    and the link of the hash chain, when it is closed.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="seals", db_index=False)
    branch = models.PositiveIntegerField()
    month = models.PositiveIntegerField()
    commitments = models.JSONField()
    salts = models.JSONField()
    salted_by = models.CharField(max_length=40, default="server")
    link = models.CharField(max_length=64, null=True, blank=True)
    opened = models.DateTimeField()
    closed = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["campaign", "branch", "month"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "branch", "month"], name="one_seal")
        ]

    def __str__(self) -> str:
        return f"seal of month {self.month}, branch {self.branch}"


class Work(models.Model):
    """Something a worker is asked to do. `claim` names the process that is about it."""

    class Status(models.TextChoices):
        ASKED = "asked"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    UNFINISHED = (Status.ASKED, Status.RUNNING)

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.ASKED)
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
    """Months of a campaign to be played by the staff."""

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
                condition=Q(status__in=["asked", "running"]),
                name="one_job_under_way",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.months} ({self.status})"


class Signature(models.Model):
    """What one side says of a battle that was fought by hand; empty: it has not been fought."""

    campaign = models.ForeignKey(
        Campaign, models.CASCADE, related_name="signatures", db_index=False
    )
    battle = models.CharField(max_length=120)
    side = models.CharField(max_length=20)
    report = models.BinaryField(default=bytes)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    created = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["campaign", "battle", "side"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "battle", "side"], name="one_signature_a_side"
            )
        ]

    def __str__(self) -> str:
        return f"{self.side} on {self.battle}"


class Bench(Work):
    """Campaigns the staff plays by two editions, turn and turn about; `runs` is what came of them.

    `total` counts the campaigns by both; with the same seed they are the same again.
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
                condition=Q(status__in=["asked", "running"]),
                name="one_bench_at_a_time",
            )
        ]

    def __str__(self) -> str:
        return f"{self.after_name} in {self.scenario} ({self.status})"
