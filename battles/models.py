"""Store battles, their journals, and the commanders of their sides."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from battles import journal


class Battle(journal.JournalRecord):
    """A battle, which waits to be fought while `reported` is empty. Only the services write it.

    `owner` is the app or person it belongs to ("campaign:winter-at-the-club", "person:7"),
    `brief_id` its number with that owner. Brief and report are packed JSON. A battle fought by
    commanders or by players also stores its state and its dice key; one fought on a table has
    neither.
    """

    class Way(models.TextChoices):
        """The way a battle is fought out."""

        COMMANDERS = "commanders"
        TABLETOP = "tabletop"
        PLAYERS = "players"

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    owner = models.CharField(max_length=80)
    brief_id = models.CharField(max_length=120)
    title = models.CharField(max_length=200)
    month = models.CharField(max_length=7, blank=True, help_text="written 1884-02")
    book = models.CharField(max_length=40)
    way = models.CharField(max_length=12, choices=Way.choices)
    public = models.BooleanField(default=False, help_text="anybody may look on")
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="battles"
    )
    brief = models.BinaryField()
    report = models.BinaryField(default=bytes)
    winner = models.CharField(max_length=20, blank=True)
    ending = models.CharField(max_length=300, blank=True)
    turns = models.PositiveIntegerField(default=0)
    paused = models.CharField(max_length=80, blank=True, help_text="by whom, while it is")
    patience = models.PositiveSmallIntegerField(
        default=0, help_text="days that one player waits for the other; 0 for any time"
    )
    due = models.DateTimeField(
        null=True, blank=True, db_index=True, help_text="until when it waits for the one asked"
    )
    key = models.BinaryField(default=bytes, help_text="what its dice come from")
    beginning = models.BinaryField(default=bytes, help_text="the field as drawn up, packed")
    created = models.DateTimeField(auto_now_add=True)
    reported = models.DateTimeField(null=True, blank=True)
    head = models.ForeignKey(
        "BattleEntry", models.SET_NULL, null=True, editable=False, related_name="+", db_index=False
    )

    class Meta:
        ordering = ["-created", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["owner", "brief_id"], name="one_battle_a_brief")
        ]

    def __str__(self) -> str:
        return self.title


class BattleEntry(journal.JournalEntry):
    """An action in a battle; the first entry draws up the sides."""

    HEADING = ("turn", "side")

    battle = models.ForeignKey(Battle, models.CASCADE, related_name="entries", db_index=False)
    turn = models.PositiveIntegerField()
    side = models.CharField(max_length=20, blank=True)

    class Meta:
        ordering = ["battle", "branch", "number"]
        verbose_name_plural = "battle entries"
        constraints = [
            models.UniqueConstraint(
                fields=["battle", "branch", "number"], name="one_entry_of_a_battle"
            ),
            models.UniqueConstraint(
                fields=["battle", "key"],
                condition=Q(key__isnull=False),
                name="one_entry_of_a_battle_a_key",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.actor}"


class BattleBranch(journal.JournalBranch):
    """A branch that a rewind opened; branch 0 is the first, and has no row."""

    battle = models.ForeignKey(Battle, models.CASCADE, related_name="branches")
    parent = models.ForeignKey(BattleEntry, models.CASCADE, related_name="+")

    class Meta:
        ordering = ["battle", "number"]
        verbose_name_plural = "battle branches"
        constraints = [
            models.UniqueConstraint(fields=["battle", "number"], name="one_branch_of_a_battle")
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.reason}"


class Command(models.Model):
    """The command of a side in a battle that players fight: a person's, or the computer's.

    In a battle of a campaign the campaign knows its commanders, and `user` is empty. `invitation`
    is the secret of the link by which somebody may take a side without a commander. `handed_over`
    is when the opponent handed a late side to the computer, `returned` when its player took it
    back; empty until they do.
    """

    battle = models.ForeignKey(Battle, models.CASCADE, related_name="commands")
    side = models.CharField(max_length=20)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="commands"
    )
    computer = models.BooleanField(default=False)
    invitation = models.CharField(max_length=40, blank=True)
    handed_over = models.DateTimeField(null=True, blank=True)
    returned = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["battle", "side"]
        constraints = [
            models.UniqueConstraint(fields=["battle", "side"], name="one_command_of_a_side")
        ]

    def __str__(self) -> str:
        return f"{self.side} in {self.battle_id}"

    @property
    def away(self) -> bool:
        """Return whether the computer commands because the player stayed away."""
        return self.computer and self.handed_over is not None and self.returned is None


class Notice(models.Model):
    """A notice that a commander has received; each key is sent once."""

    command = models.ForeignKey(
        Command, models.CASCADE, related_name="notices", db_index=False, editable=False
    )
    key = models.CharField(max_length=60)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["command", "key"], name="one_notice_a_key")]

    def __str__(self) -> str:
        return self.key
