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

    class Mode(models.TextChoices):
        STAFF = "staff", "the computer's staff plays both sides"
        ORDERS = "orders", "by order sheets"
        LIVE = "live", "live, each side in its own turn"

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
    mode = models.CharField(max_length=10, choices=Mode.choices, default=Mode.STAFF)
    fog = models.BooleanField(default=False, help_text="a side sees what it may know, no more")
    dice_by_hand = models.BooleanField(default=False, help_text="the umpire types the dice in")
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
        default=3, help_text="the months after which the public gazette tells of a month"
    )
    rules_kept = models.CharField(
        max_length=20, blank=True, help_text="the version of the rules its umpire stays with"
    )

    class Meta:
        ordering = ["-created"]

    def __str__(self) -> str:
        return self.title


class Seat(models.Model):
    """A place in a campaign, and who sits there: nobody where it is vacant.

    A side may have several: `command` names the leaders (by unit number) and the regions of a
    subordinate; whoever commands nothing in particular is the side's commander-in-chief.
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
    """A link by which a seat may be taken. The link itself is shown once and kept nowhere."""

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


class OrderSheet(models.Model):
    """What a seat orders for a month. Submitted is not ready; `withdrawn` is never carried out.

    `revision` grows with every writing. `salt` goes into the month's dice.
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
    """What was received and how it was read; of what was carried out, what became of each order."""

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
    """The hour at which a month runs. `paused` tells since when it stands still."""

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


class Knowledge(models.Model):
    """What a side has seen of the enemy by a month, with the month in which it was seen."""

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


class Mailing(models.Model):
    """Which mail somebody wants, and the token in the links that end it."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="mailing", primary_key=True
    )
    turn = models.BooleanField(default=True, help_text="when it is your turn")
    deadline = models.BooleanField(default=True, help_text="when a deadline nears")
    gazette = models.BooleanField(default=True, help_text="when the month is out")
    token = models.CharField(max_length=64, unique=True)

    def __str__(self) -> str:
        return f"mail to {self.user}"


class MailSent(models.Model):
    """What has been sent, so that nothing is sent twice."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="mail_sent", db_index=False
    )
    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="mail_sent")
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=120)
    sent = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "mail sent"
        constraints = [
            models.UniqueConstraint(fields=["user", "campaign", "kind", "key"], name="sent_once")
        ]

    def __str__(self) -> str:
        return f"{self.kind} to {self.user}"


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
