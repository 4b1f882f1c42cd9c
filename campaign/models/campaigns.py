"""Campaigns, the tables they are played by, their journals, and the knowledge of each side."""

from typing import ClassVar
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q

from battles import journal
from campaign.staff.levels import CHOICES, Level


class TableSet(models.Model):
    """The texts of an edition, tables and scenarios, packed. Rows are never changed or deleted."""

    digest = models.CharField(max_length=64, unique=True)
    texts = models.BinaryField()
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created"]

    def __str__(self) -> str:
        return f"edition {self.digest[:12]}"


class OwnTables(models.Model):
    """A user's named edition, with tables or scenarios of their own."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="own_tables", db_index=False
    )
    name = models.CharField(max_length=60)
    tables = models.ForeignKey(TableSet, models.PROTECT, related_name="named")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created", "-pk"]
        verbose_name_plural = "own tables"
        constraints = [models.UniqueConstraint(fields=["owner", "name"], name="one_set_a_name")]

    def __str__(self) -> str:
        return self.name


class OwnScenario(models.Model):
    """A user's own scenario as one document; a draft with faults has no tables to be played by."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="own_scenarios", db_index=False
    )
    title = models.CharField(max_length=100)
    slug = models.SlugField(max_length=60)
    document = models.JSONField(help_text="format, scenario, event_tables")
    tables = models.ForeignKey(
        TableSet, models.PROTECT, null=True, editable=False, related_name="own_scenarios"
    )
    link = models.UUIDField(default=uuid4, unique=True, help_text="names it in the shared link")
    shared = models.BooleanField(default=False, help_text="the link is open to anybody")
    revision = models.PositiveIntegerField(default=1, help_text="rises with every change")
    created = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True)
    deleted = models.DateTimeField(null=True, blank=True, help_text="it can be restored for a time")

    class Meta:
        ordering = ["-changed", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["owner", "slug"], name="one_scenario_a_slug")
        ]

    def __str__(self) -> str:
        return self.title


AT_TABLE = "table"
"""Awaited of either side: the result of a battle at a real table."""


class Campaign(journal.JournalRecord):
    """A campaign. Everything but `title` and `public` is written by the services only."""

    class Mode(models.TextChoices):
        STAFF = "staff", "the computer’s staff plays both sides"
        ORDERS = "orders", "by order sheets"
        LIVE = "live", "live, each side in its own turn"

    class LetterPost(models.TextChoices):
        AT_ONCE = "at_once", "letters arrive at once"
        BY_COURIER = "by_courier", "letters arrive with the next month, through the umpire"

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
    secret_seed = models.BinaryField(help_text="the hash chain’s beginning; shown to nobody")
    public_anchor = models.CharField(max_length=64, help_text="the hash chain’s public end")
    first_month = models.PositiveIntegerField()
    month = models.PositiveIntegerField()
    side = models.CharField(max_length=20)
    phase = models.CharField(max_length=20)
    waiting_for = models.CharField(max_length=300, blank=True)
    awaited = models.CharField(
        max_length=20, blank=True, help_text="the side that is asked; `table` for either side"
    )
    finished = models.BooleanField(default=False)
    outcome = models.CharField(max_length=300, blank=True)
    battle = models.CharField(max_length=120, blank=True, help_text="the battle it waits for")
    battle_title = models.CharField(max_length=200, blank=True)
    battle_due = models.DateTimeField(null=True, blank=True, db_index=True)
    mode = models.CharField(max_length=10, choices=Mode.choices, default=Mode.STAFF)
    fog = models.BooleanField(default=False, help_text="a side sees what it may know, no more")
    dice_by_hand = models.BooleanField(default=False, help_text="the umpire types the dice in")
    staff_level = models.CharField(
        max_length=10,
        choices=CHOICES,
        default=Level.CLUB.value,
        help_text="the strength of the computer’s staff",
    )
    letter_post = models.CharField(
        max_length=12, choices=LetterPost.choices, default=LetterPost.AT_ONCE
    )
    adjourned = models.BooleanField(default=False, help_text="nothing runs until it is taken up")
    when_ready = models.BooleanField(
        default=False, help_text="the month runs as soon as every seat is ready"
    )
    deadline_policy = models.JSONField(
        default=dict,
        blank=True,
        help_text="zone, hour, days, grace_hours, reminder_hours, extension_ceiling_hours, no_show",
    )
    public_delay = models.PositiveIntegerField(
        default=2, help_text="the months after which the public learns of a month"
    )
    rules = models.CharField(
        max_length=20, default="1", help_text="the version of the rules it is played by"
    )
    rules_pinned = models.BooleanField(
        default=False, help_text="no program of another version of the rules goes on with it"
    )
    rules_kept = models.CharField(
        max_length=20, blank=True, help_text="the version of the rules its umpire stays with"
    )

    VERSIONED: ClassVar[tuple[str, ...]] = (
        "slug",
        "branch",
        "head_id",
        "document_hash",
        "first_month",
        "month",
        "finished",
        "fog",
        "public_delay",
    )
    """The columns that make up `version`: the documents of the months follow from them. They are
    few because `selectors.version_for` reads them in every request for a state.
    """
    STAMPED: ClassVar[tuple[str, ...]] = (
        *("branch", "head_id", "first_month", "month", "finished", "fog", "public_delay"),
        *("title", "phase", "mode", "adjourned", "dice_by_hand", "staff_level", "letter_post"),
    )
    """The columns that a live page shows, without the hash of the hidden state."""

    class Meta:
        ordering = ["-created"]

    def __str__(self) -> str:
        return self.title

    @property
    def version(self) -> tuple[object, ...]:
        """Return what identifies the documents of the campaign's months, as everybody sees them.

        ETags and cache keys are made from it, so that they belong to the row that was read and not
        to a later one. Branch numbers are never reused, so no version comes twice, even when a
        rewind leads back to an earlier head.
        """
        return tuple(getattr(self, name) for name in self.VERSIONED)


class Entry(journal.JournalEntry):
    """An action in a campaign. `month` is the month whose dice it was played with."""

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


class Snapshot(journal.JournalSnapshot):
    """The state at the beginning of a month or, without an entry, of the campaign."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="snapshots")
    entry = models.ForeignKey(Entry, models.CASCADE, null=True, related_name="+", db_index=False)
    month = models.PositiveIntegerField()

    class Meta:
        ordering = ["campaign", "month", "id"]

    def __str__(self) -> str:
        return f"month {self.month} of campaign {self.campaign_id}"


class Knowledge(models.Model):
    """A side's knowledge of the enemy by a month, each item with the month it was seen in."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="knowledge", db_index=False)
    branch = models.PositiveIntegerField()
    month = models.PositiveIntegerField()
    side = models.CharField(max_length=20)
    document = models.BinaryField()

    class Meta:
        ordering = ["campaign", "branch", "month", "side"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "branch", "month", "side"], name="one_knowledge"
            )
        ]

    def __str__(self) -> str:
        return f"what the {self.side} side knows in month {self.month}"


class Branch(journal.JournalBranch):
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
    """The sources of a month's dice on a branch.

    `commitments` (the hashes of the salts, by side) are public when the month opens; `salts`, and
    the link of the hash chain, when it is closed.
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


class Signature(models.Model):
    """A side's signed report of a battle fought by hand; empty if the side declines to fight it."""

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
