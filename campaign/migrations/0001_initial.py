import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Mailing",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="mailing",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("turn", models.BooleanField(default=True, help_text="when it is your turn")),
                ("deadline", models.BooleanField(default=True, help_text="when a deadline nears")),
                ("gazette", models.BooleanField(default=True, help_text="when the month is out")),
                ("token", models.CharField(max_length=64, unique=True)),
            ],
        ),
        migrations.CreateModel(
            name="TableSet",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("texts", models.BinaryField()),
                ("created", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["-created"],
            },
        ),
        migrations.CreateModel(
            name="Campaign",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("branch", models.PositiveIntegerField(default=0)),
                ("document", models.BinaryField(help_text="the state at the head, packed")),
                ("document_hash", models.CharField(max_length=64)),
                ("slug", models.SlugField(max_length=60, unique=True)),
                ("title", models.CharField(max_length=100)),
                ("scenario", models.CharField(max_length=60)),
                ("public", models.BooleanField(default=False, help_text="anybody may look on")),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "secret_seed",
                    models.BinaryField(help_text="the hash chain's beginning; shown to nobody"),
                ),
                (
                    "public_anchor",
                    models.CharField(help_text="the hash chain's public end", max_length=64),
                ),
                ("first_month", models.PositiveIntegerField()),
                ("month", models.PositiveIntegerField()),
                ("side", models.CharField(max_length=20)),
                ("phase", models.CharField(max_length=20)),
                ("waiting_for", models.CharField(blank=True, max_length=300)),
                ("finished", models.BooleanField(default=False)),
                ("outcome", models.CharField(blank=True, max_length=300)),
                (
                    "battle",
                    models.CharField(
                        blank=True, help_text="the battle it waits for", max_length=120
                    ),
                ),
                ("battle_due", models.DateTimeField(blank=True, db_index=True, null=True)),
                (
                    "mode",
                    models.CharField(
                        choices=[
                            ("staff", "the computer's staff plays both sides"),
                            ("orders", "by order sheets"),
                            ("live", "live, each side in its own turn"),
                        ],
                        default="staff",
                        max_length=10,
                    ),
                ),
                (
                    "fog",
                    models.BooleanField(
                        default=False, help_text="a side sees what it may know, no more"
                    ),
                ),
                (
                    "dice_by_hand",
                    models.BooleanField(default=False, help_text="the umpire types the dice in"),
                ),
                (
                    "staff_level",
                    models.CharField(
                        choices=[
                            ("learner", "Learner"),
                            ("club", "Club player"),
                            ("strong", "Strong"),
                        ],
                        default="club",
                        help_text="the strength of the computer's staff",
                        max_length=10,
                    ),
                ),
                (
                    "adjourned",
                    models.BooleanField(
                        default=False, help_text="nothing runs until it is taken up"
                    ),
                ),
                (
                    "when_ready",
                    models.BooleanField(
                        default=False, help_text="the month runs as soon as every seat is ready"
                    ),
                ),
                (
                    "deadline_policy",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text="zone, hour, days, grace_hours, reminder_hours, extension_ceiling_hours, no_show",
                    ),
                ),
                (
                    "public_delay",
                    models.PositiveIntegerField(
                        default=3,
                        help_text="the months after which the public gazette tells of a month",
                    ),
                ),
                (
                    "rules",
                    models.CharField(
                        default="1",
                        help_text="the version of the rules it is played by",
                        max_length=20,
                    ),
                ),
                (
                    "rules_pinned",
                    models.BooleanField(
                        default=False,
                        help_text="no program of another version of the rules goes on with it",
                    ),
                ),
                (
                    "rules_kept",
                    models.CharField(
                        blank=True,
                        help_text="the version of the rules its umpire stays with",
                        max_length=20,
                    ),
                ),
                (
                    "umpire",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="umpired",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-created"],
            },
        ),
        migrations.CreateModel(
            name="Entry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("branch", models.PositiveIntegerField()),
                (
                    "number",
                    models.PositiveIntegerField(help_text="place along its line, counted from 1"),
                ),
                (
                    "parent",
                    models.CharField(
                        blank=True, help_text="hash of the entry before", max_length=64
                    ),
                ),
                ("hash", models.CharField(max_length=64)),
                ("actor", models.CharField(max_length=80)),
                ("action", models.BinaryField()),
                ("events", models.BinaryField()),
                ("rolls", models.BinaryField()),
                (
                    "rules",
                    models.CharField(
                        help_text="version of the rules it was played by", max_length=40
                    ),
                ),
                ("key", models.CharField(blank=True, max_length=64, null=True)),
                ("created", models.DateTimeField()),
                ("month", models.PositiveIntegerField()),
                ("side", models.CharField(max_length=20)),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entries",
                        to="campaign.campaign",
                    ),
                ),
            ],
            options={
                "ordering": ["campaign", "branch", "number"],
            },
        ),
        migrations.AddField(
            model_name="campaign",
            name="head",
            field=models.ForeignKey(
                db_index=False,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="campaign.entry",
            ),
        ),
        migrations.CreateModel(
            name="Branch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("reason", models.CharField(max_length=200)),
                ("by", models.CharField(max_length=80)),
                ("created", models.DateTimeField()),
                ("anchor", models.CharField(max_length=64)),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="branches",
                        to="campaign.campaign",
                    ),
                ),
                (
                    "parent",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="campaign.entry",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "branches",
                "ordering": ["campaign", "number"],
            },
        ),
        migrations.CreateModel(
            name="Inquiry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("battle", "Battle"),
                            ("rehearsal", "Rehearsal"),
                            ("forecast", "Forecast"),
                        ],
                        max_length=10,
                    ),
                ),
                ("title", models.CharField(max_length=200)),
                ("month", models.PositiveIntegerField()),
                (
                    "way",
                    models.CharField(
                        blank=True, help_text="the book a battle is fought by", max_length=40
                    ),
                ),
                ("question", models.BinaryField()),
                ("seed", models.PositiveIntegerField()),
                ("total", models.PositiveIntegerField()),
                ("is_open", models.BooleanField(default=True)),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "asked_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="inquiries",
                        to="campaign.campaign",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "inquiries",
                "ordering": ["-created"],
            },
        ),
        migrations.CreateModel(
            name="InquiryPart",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("pending", "Pending"),
                            ("running", "Running"),
                            ("succeeded", "Succeeded"),
                            ("failed", "Failed"),
                        ],
                        default="pending",
                        max_length=10,
                    ),
                ),
                ("progress", models.PositiveIntegerField(default=0)),
                ("total", models.PositiveIntegerField()),
                ("message", models.CharField(blank=True, max_length=500)),
                ("claim", models.CharField(blank=True, max_length=32)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("started", models.DateTimeField(blank=True, null=True)),
                ("touched", models.DateTimeField(auto_now_add=True)),
                ("finished", models.DateTimeField(blank=True, null=True)),
                ("first", models.PositiveIntegerField()),
                ("runs", models.BinaryField(default=bytes)),
                (
                    "asked_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "inquiry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="parts",
                        to="campaign.inquiry",
                    ),
                ),
            ],
            options={
                "ordering": ["first"],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("umpire", "Umpire"),
                            ("egyptian", "Egyptian"),
                            ("mahdist", "Mahdist"),
                            ("observer", "Observer"),
                        ],
                        max_length=20,
                    ),
                ),
                ("name", models.CharField(blank=True, max_length=60)),
                ("command", models.JSONField(blank=True, default=list)),
                ("token_hash", models.CharField(max_length=64, unique=True)),
                ("email", models.EmailField(blank=True, max_length=254)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("expires", models.DateTimeField()),
                ("used", models.DateTimeField(blank=True, null=True)),
                ("revoked", models.DateTimeField(blank=True, null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations",
                        to="campaign.campaign",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "used_by",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["campaign", "-created"],
            },
        ),
        migrations.CreateModel(
            name="Job",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("pending", "Pending"),
                            ("running", "Running"),
                            ("succeeded", "Succeeded"),
                            ("failed", "Failed"),
                        ],
                        default="pending",
                        max_length=10,
                    ),
                ),
                ("progress", models.PositiveIntegerField(default=0)),
                ("total", models.PositiveIntegerField()),
                ("message", models.CharField(blank=True, max_length=500)),
                ("claim", models.CharField(blank=True, max_length=32)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("started", models.DateTimeField(blank=True, null=True)),
                ("touched", models.DateTimeField(auto_now_add=True)),
                ("finished", models.DateTimeField(blank=True, null=True)),
                ("kind", models.CharField(default="advance", max_length=20)),
                ("months", models.PositiveIntegerField()),
                (
                    "until",
                    models.PositiveIntegerField(
                        help_text="the month at whose beginning it is done"
                    ),
                ),
                (
                    "battle",
                    models.CharField(
                        blank=True, help_text="the battle it stopped at", max_length=120
                    ),
                ),
                (
                    "asked_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="jobs",
                        to="campaign.campaign",
                    ),
                ),
            ],
            options={
                "ordering": ["-created"],
            },
        ),
        migrations.CreateModel(
            name="Knowledge",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("branch", models.PositiveIntegerField()),
                ("month", models.PositiveIntegerField()),
                ("side", models.CharField(max_length=20)),
                ("document", models.BinaryField()),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="knowledge",
                        to="campaign.campaign",
                    ),
                ),
            ],
            options={
                "ordering": ["campaign", "branch", "month", "side"],
            },
        ),
        migrations.CreateModel(
            name="MailSent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=20)),
                ("key", models.CharField(max_length=120)),
                ("sent", models.DateTimeField(auto_now_add=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mail_sent",
                        to="campaign.campaign",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mail_sent",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "mail sent",
            },
        ),
        migrations.CreateModel(
            name="UmpireLogEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("by", models.CharField(max_length=80)),
                ("said", models.CharField(max_length=500)),
                ("month", models.PositiveIntegerField()),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="umpire_log",
                        to="campaign.campaign",
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="MonthSeal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("branch", models.PositiveIntegerField()),
                ("month", models.PositiveIntegerField()),
                ("commitments", models.JSONField()),
                ("salts", models.JSONField()),
                ("salted_by", models.CharField(default="server", max_length=40)),
                ("link", models.CharField(blank=True, max_length=64, null=True)),
                ("opened", models.DateTimeField()),
                ("closed", models.DateTimeField(blank=True, null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seals",
                        to="campaign.campaign",
                    ),
                ),
            ],
            options={
                "ordering": ["campaign", "branch", "month"],
            },
        ),
        migrations.CreateModel(
            name="OrderSheet",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("branch", models.PositiveIntegerField()),
                ("month", models.PositiveIntegerField()),
                ("revision", models.PositiveIntegerField(default=0)),
                ("document", models.BinaryField(default=bytes)),
                ("submitted", models.DateTimeField(blank=True, null=True)),
                ("ready", models.BooleanField(default=False)),
                (
                    "withdrawn",
                    models.BooleanField(default=False, help_text="its writer has left the seat"),
                ),
                ("salt", models.CharField(blank=True, max_length=64)),
                (
                    "salt_chosen",
                    models.BooleanField(
                        default=False, help_text="by the player, not by the server"
                    ),
                ),
                ("updated", models.DateTimeField(auto_now=True)),
                ("begun", models.DateTimeField(blank=True, null=True)),
                (
                    "by_staff",
                    models.BooleanField(
                        default=False, help_text="the staff answers for it this month"
                    ),
                ),
                ("progress", models.BinaryField(default=bytes)),
                (
                    "by",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sheets",
                        to="campaign.campaign",
                    ),
                ),
            ],
            options={
                "ordering": ["campaign", "branch", "month", "seat"],
            },
        ),
        migrations.CreateModel(
            name="Receipt",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("saved", "Saved"),
                            ("submitted", "Submitted"),
                            ("taken back", "Taken Back"),
                            ("carried out", "Carried Out"),
                        ],
                        max_length=20,
                    ),
                ),
                ("revision", models.PositiveIntegerField()),
                ("hash", models.CharField(max_length=64)),
                ("reading", models.JSONField(default=list)),
                ("carried", models.JSONField(default=list)),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "sheet",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="receipts",
                        to="campaign.ordersheet",
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("umpire", "Umpire"),
                            ("egyptian", "Egyptian"),
                            ("mahdist", "Mahdist"),
                            ("observer", "Observer"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "name",
                    models.CharField(blank=True, help_text="the office, as Sirdar", max_length=60),
                ),
                (
                    "staff",
                    models.BooleanField(default=False, help_text="the computer's staff holds it"),
                ),
                (
                    "command",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="leaders' unit numbers and regions; empty: the side",
                    ),
                ),
                (
                    "vacated",
                    models.DateTimeField(
                        blank=True, help_text="when its holder left it", null=True
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to="campaign.campaign",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="ordersheet",
            name="seat",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="sheets",
                to="campaign.seat",
            ),
        ),
        migrations.AddField(
            model_name="inquiry",
            name="seat",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="campaign.seat",
            ),
        ),
        migrations.CreateModel(
            name="Signature",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("battle", models.CharField(max_length=120)),
                ("side", models.CharField(max_length=20)),
                ("report", models.BinaryField(default=bytes)),
                ("created", models.DateTimeField(auto_now=True)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="signatures",
                        to="campaign.campaign",
                    ),
                ),
            ],
            options={
                "ordering": ["campaign", "battle", "side"],
            },
        ),
        migrations.CreateModel(
            name="Snapshot",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "skip",
                    models.PositiveIntegerField(
                        default=0, help_text="events of the entry that are in the document already"
                    ),
                ),
                ("document", models.BinaryField()),
                ("document_hash", models.CharField(max_length=64)),
                ("month", models.PositiveIntegerField()),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="snapshots",
                        to="campaign.campaign",
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="campaign.entry",
                    ),
                ),
            ],
            options={
                "ordering": ["campaign", "month", "id"],
            },
        ),
        migrations.CreateModel(
            name="OwnScenario",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("title", models.CharField(max_length=100)),
                ("slug", models.SlugField(max_length=60)),
                ("document", models.JSONField(help_text="format, scenario, event_tables")),
                (
                    "link",
                    models.UUIDField(
                        default=uuid.uuid4, help_text="names it in the shared link", unique=True
                    ),
                ),
                (
                    "shared",
                    models.BooleanField(default=False, help_text="the link is open to anybody"),
                ),
                (
                    "revision",
                    models.PositiveIntegerField(default=1, help_text="rises with every change"),
                ),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("changed", models.DateTimeField(auto_now=True)),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="own_scenarios",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tables",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="own_scenarios",
                        to="campaign.tableset",
                    ),
                ),
            ],
            options={"ordering": ["-changed", "-pk"]},
        ),
        migrations.CreateModel(
            name="OwnTables",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="own_tables",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tables",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="named",
                        to="campaign.tableset",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "own tables",
                "ordering": ["-created", "-pk"],
            },
        ),
        migrations.AddField(
            model_name="campaign",
            name="tables",
            field=models.ForeignKey(
                editable=False,
                help_text="what it is played by; nothing where it began before tables were kept",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="campaigns",
                to="campaign.tableset",
            ),
        ),
        migrations.CreateModel(
            name="Bench",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("pending", "Pending"),
                            ("running", "Running"),
                            ("succeeded", "Succeeded"),
                            ("failed", "Failed"),
                        ],
                        default="pending",
                        max_length=10,
                    ),
                ),
                ("progress", models.PositiveIntegerField(default=0)),
                ("total", models.PositiveIntegerField()),
                ("message", models.CharField(blank=True, max_length=500)),
                ("claim", models.CharField(blank=True, max_length=32)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("started", models.DateTimeField(blank=True, null=True)),
                ("touched", models.DateTimeField(auto_now_add=True)),
                ("finished", models.DateTimeField(blank=True, null=True)),
                ("scenario", models.CharField(max_length=60)),
                ("before_name", models.CharField(max_length=60)),
                ("after_name", models.CharField(max_length=60)),
                ("seed", models.PositiveIntegerField()),
                ("runs", models.BinaryField(default=bytes)),
                (
                    "asked_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "after",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="campaign.tableset",
                    ),
                ),
                (
                    "before",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="campaign.tableset",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "benches",
                "ordering": ["-created"],
            },
        ),
        migrations.CreateModel(
            name="Throw",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("head", models.PositiveBigIntegerField(default=0)),
                ("actor", models.CharField(max_length=80)),
                ("action", models.BinaryField()),
                ("key", models.CharField(blank=True, max_length=64)),
                ("faces", models.JSONField(default=list)),
                ("count", models.PositiveIntegerField()),
                ("sides", models.PositiveIntegerField(default=6)),
                ("reason", models.CharField(blank=True, max_length=200)),
                ("clause", models.CharField(blank=True, max_length=20)),
                ("asked", models.DateTimeField(auto_now_add=True)),
                (
                    "campaign",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="throw",
                        to="campaign.campaign",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Comparison",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("pending", "Pending"),
                            ("running", "Running"),
                            ("succeeded", "Succeeded"),
                            ("failed", "Failed"),
                        ],
                        default="pending",
                        max_length=10,
                    ),
                ),
                ("progress", models.PositiveIntegerField(default=0)),
                ("total", models.PositiveIntegerField()),
                ("message", models.CharField(blank=True, max_length=500)),
                ("claim", models.CharField(blank=True, max_length=32)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("started", models.DateTimeField(blank=True, null=True)),
                ("touched", models.DateTimeField(auto_now_add=True)),
                ("finished", models.DateTimeField(blank=True, null=True)),
                ("title", models.CharField(max_length=200)),
                ("offer", models.CharField(blank=True, db_index=True, max_length=60)),
                ("brief", models.BinaryField()),
                ("ways", models.JSONField()),
                ("each", models.PositiveIntegerField()),
                ("seed", models.PositiveIntegerField()),
                ("bouts", models.BinaryField(default=bytes)),
                (
                    "asked_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-created"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("status__in", ["pending", "running"])),
                        fields=("asked_by",),
                        name="one_comparison_at_a_time",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Deadline",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("branch", models.PositiveIntegerField()),
                ("month", models.PositiveIntegerField()),
                ("due", models.DateTimeField(db_index=True)),
                ("grace_until", models.DateTimeField()),
                ("extended", models.PositiveIntegerField(default=0, help_text="minutes in all")),
                ("reminded", models.DateTimeField(blank=True, null=True)),
                ("paused", models.DateTimeField(blank=True, null=True)),
                ("claim", models.CharField(blank=True, max_length=32)),
                ("claimed", models.DateTimeField(blank=True, null=True)),
                ("done", models.DateTimeField(blank=True, null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deadlines",
                        to="campaign.campaign",
                    ),
                ),
            ],
            options={
                "ordering": ["campaign", "branch", "month"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("campaign", "branch", "month"), name="one_deadline"
                    )
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.UniqueConstraint(
                fields=("campaign", "branch", "number"), name="one_entry"
            ),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.UniqueConstraint(
                condition=models.Q(("key__isnull", False)),
                fields=("campaign", "key"),
                name="one_entry_a_key",
            ),
        ),
        migrations.AddConstraint(
            model_name="branch",
            constraint=models.UniqueConstraint(fields=("campaign", "number"), name="one_branch"),
        ),
        migrations.AddIndex(
            model_name="invitation",
            index=models.Index(fields=["campaign", "-created"], name="invitations_of"),
        ),
        migrations.AddConstraint(
            model_name="job",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status__in", ["pending", "running"])),
                fields=("campaign",),
                name="one_job_under_way",
            ),
        ),
        migrations.AddConstraint(
            model_name="knowledge",
            constraint=models.UniqueConstraint(
                fields=("campaign", "branch", "month", "side"), name="one_knowledge"
            ),
        ),
        migrations.AddConstraint(
            model_name="mailsent",
            constraint=models.UniqueConstraint(
                fields=("user", "campaign", "kind", "key"), name="sent_once"
            ),
        ),
        migrations.AddIndex(
            model_name="umpirelogentry",
            index=models.Index(fields=["campaign", "-id"], name="umpire_log_of"),
        ),
        migrations.AddConstraint(
            model_name="monthseal",
            constraint=models.UniqueConstraint(
                fields=("campaign", "branch", "month"), name="one_seal"
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(
                fields=("campaign", "user", "role"), name="one_seat_a_role"
            ),
        ),
        migrations.AddIndex(
            model_name="ordersheet",
            index=models.Index(fields=["campaign", "branch", "month"], name="sheets_of_a_month"),
        ),
        migrations.AddConstraint(
            model_name="ordersheet",
            constraint=models.UniqueConstraint(
                condition=models.Q(("withdrawn", False)),
                fields=("campaign", "seat", "branch", "month"),
                name="one_sheet_a_month",
            ),
        ),
        migrations.AddConstraint(
            model_name="inquiry",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_open", True)),
                fields=("asked_by", "kind"),
                name="one_inquiry_of_a_kind",
            ),
        ),
        migrations.AddConstraint(
            model_name="signature",
            constraint=models.UniqueConstraint(
                fields=("campaign", "battle", "side"), name="one_signature_a_side"
            ),
        ),
        migrations.AddConstraint(
            model_name="owntables",
            constraint=models.UniqueConstraint(fields=("owner", "name"), name="one_set_a_name"),
        ),
        migrations.AddConstraint(
            model_name="ownscenario",
            constraint=models.UniqueConstraint(
                fields=("owner", "slug"), name="one_scenario_a_slug"
            ),
        ),
        migrations.AddConstraint(
            model_name="bench",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status__in", ["pending", "running"])),
                fields=("asked_by",),
                name="one_bench_at_a_time",
            ),
        ),
        migrations.AddField(
            model_name="campaign",
            name="letter_post",
            field=models.CharField(
                choices=[
                    ("at_once", "letters arrive at once"),
                    ("by_courier", "letters arrive with the next month, through the umpire"),
                ],
                default="at_once",
                max_length=12,
            ),
        ),
        migrations.CreateModel(
            name="CampaignLetter",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("branch", models.PositiveIntegerField()),
                ("month", models.PositiveIntegerField()),
                ("text", models.TextField()),
                ("hexes", models.JSONField(default=list)),
                ("orders", models.JSONField(default=list)),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="letters",
                        to="campaign.campaign",
                    ),
                ),
                (
                    "sender",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="letters_sent",
                        to="campaign.seat",
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="LetterCopy",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("arrival_month", models.PositiveIntegerField()),
                ("arrived", models.DateTimeField(blank=True, null=True)),
                ("read", models.DateTimeField(blank=True, null=True)),
                ("lost", models.BooleanField(default=False)),
                (
                    "letter",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="copies",
                        to="campaign.campaignletter",
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="letters",
                        to="campaign.seat",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.AddIndex(
            model_name="campaignletter",
            index=models.Index(fields=["campaign", "-id"], name="letters_of"),
        ),
        migrations.AddConstraint(
            model_name="lettercopy",
            constraint=models.UniqueConstraint(fields=("letter", "seat"), name="one_copy_a_seat"),
        ),
    ]
