"""Seats and what belongs to them: invitations, order sheets, receipts, deadlines and letters.

Also the umpire's log, rulings and throws; users' mail preferences, browsers and sent mail.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q

from battles import journal
from campaign.models.campaigns import Campaign

LONGEST_NOTE = 600
"""The most characters of a note in the umpire log: a reason, and the longest names."""

# Seats of a campaign, and the invitations to them.


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

    SIDES = (Role.EGYPTIAN.value, Role.MAHDIST.value)
    """The roles that play a side, and write its orders."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="seats", db_index=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, related_name="seats", null=True, blank=True
    )
    role = models.CharField(max_length=20, choices=Role.choices)
    name = models.CharField(max_length=60, blank=True, help_text="the office, as Sirdar")
    staff = models.BooleanField(default=False, help_text="the computer’s staff holds it")
    command = models.JSONField(
        default=list, blank=True, help_text="leaders’ unit numbers and regions; empty: the side"
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


# Order sheets, their receipts, and deadlines.


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


# The umpire log, rulings that are not yet given, and the throw that a campaign waits for.


class UmpireLogEntry(models.Model):
    """An entry of the umpire log: a change outside the journal, by whom and why. It is public."""

    campaign = models.ForeignKey(
        Campaign, models.CASCADE, related_name="umpire_log", db_index=False
    )
    by = models.CharField(max_length=journal.LONGEST_ACTOR)
    said = models.CharField(max_length=LONGEST_NOTE)
    month = models.PositiveIntegerField()
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["campaign", "-id"], name="umpire_log_of")]

    def __str__(self) -> str:
        return self.said


class UnfinishedRuling(models.Model):
    """A ruling that an umpire has not yet given: `form` is its page's form, URL-encoded."""

    campaign = models.ForeignKey(
        Campaign, models.CASCADE, related_name="unfinished_rulings", db_index=False
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    form = models.TextField()
    updated = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "by"], name="one_unfinished_ruling")
        ]

    def __str__(self) -> str:
        return f"ruling of {self.by}, not yet given"


class DeletedCampaign(models.Model):
    """A campaign that was deleted and can still be restored: its file, and who sat where.

    `holders` are role, office and user of every seat, in the order of the seats; `signatures` are
    battle, side, user and report of every signature, `rulings` user and form of every ruling that
    is not given yet. The `umpires` may restore it; where there was none, that is the user who
    played it alone.
    """

    title = models.CharField(max_length=100)
    slug = models.SlugField(max_length=60)
    public = models.BooleanField(default=False)
    umpires = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="+")
    holders = models.JSONField(default=list)
    signatures = models.JSONField(default=list)
    rulings = models.JSONField(default=list)
    file = models.BinaryField()
    deleted = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.title}, deleted"


class Throw(models.Model):
    """An action that waits for dice thrown by hand: `faces` have been typed in, more are wanted.

    `head` is the entry that it will follow (0: none). It is carried out when the faces suffice.
    """

    campaign = models.OneToOneField(Campaign, models.CASCADE, related_name="throw")
    head = models.PositiveBigIntegerField(default=0)
    actor = models.CharField(max_length=journal.LONGEST_ACTOR)
    action = models.BinaryField()
    key = models.CharField(max_length=64, blank=True)
    faces = models.JSONField(default=list)
    count = models.PositiveIntegerField()
    sides = models.PositiveIntegerField(default=6)
    reason = models.CharField(max_length=200, blank=True)
    clause = models.CharField(max_length=20, blank=True)
    asked = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        dice = "a die" if self.count == 1 else f"{self.count} dice"
        return f"{dice} of {self.sides} for {self.reason or self.actor}"


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
        constraints = [models.UniqueConstraint(fields=["letter", "seat"], name="one_copy_a_seat")]

    def __str__(self) -> str:
        return f"copy of {self.letter_id} for {self.seat}"


class Mailing(models.Model):
    """A user's mail preferences, and the token of their unsubscribe links."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="mailing", primary_key=True
    )
    turn = models.BooleanField(default=True, help_text="when it is your turn")
    deadline = models.BooleanField(default=True, help_text="when a deadline nears")
    gazette = models.BooleanField(default=True, help_text="when the month is out")
    token = models.CharField(max_length=64, unique=True)

    def __str__(self) -> str:
        return f"mail to {self.user}"


class PushSubscription(models.Model):
    """A browser that a user wants to be notified in, as the browser's push service names it."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="push_subscriptions"
    )
    endpoint = models.CharField(max_length=500, unique=True)
    p256dh = models.CharField(max_length=100, help_text="the browser’s public key")
    auth = models.CharField(max_length=40, help_text="the secret shared with the browser")
    browser = models.CharField(max_length=60, help_text="its name, for the user’s list")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.browser} of {self.user}"


class MailSent(models.Model):
    """A letter that has been sent, so that none is sent twice."""

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
