import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Battle",
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
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("owner", models.CharField(max_length=80)),
                ("brief_id", models.CharField(max_length=120)),
                ("title", models.CharField(max_length=200)),
                ("month", models.CharField(blank=True, help_text="written 1884-02", max_length=7)),
                ("book", models.CharField(max_length=40)),
                (
                    "way",
                    models.CharField(
                        choices=[
                            ("commanders", "Commanders"),
                            ("tabletop", "Tabletop"),
                            ("players", "Players"),
                        ],
                        max_length=12,
                    ),
                ),
                ("public", models.BooleanField(default=False, help_text="anybody may look on")),
                ("brief", models.BinaryField()),
                ("report", models.BinaryField(default=bytes)),
                ("winner", models.CharField(blank=True, max_length=20)),
                ("ending", models.CharField(blank=True, max_length=300)),
                ("turns", models.PositiveIntegerField(default=0)),
                (
                    "paused",
                    models.CharField(blank=True, help_text="by whom, while it is", max_length=80),
                ),
                (
                    "patience",
                    models.PositiveSmallIntegerField(
                        default=0,
                        help_text="days that one player waits for the other; 0 for any time",
                    ),
                ),
                (
                    "due",
                    models.DateTimeField(
                        blank=True,
                        db_index=True,
                        help_text="until when it waits for the one asked",
                        null=True,
                    ),
                ),
                ("key", models.BinaryField(default=bytes, help_text="what its dice come from")),
                (
                    "beginning",
                    models.BinaryField(default=bytes, help_text="the field as drawn up, packed"),
                ),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("reported", models.DateTimeField(blank=True, null=True)),
                (
                    "asked_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="battles",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-created", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="BattleEntry",
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
                ("actor", models.CharField(max_length=200)),
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
                ("turn", models.PositiveIntegerField()),
                ("side", models.CharField(blank=True, max_length=20)),
                (
                    "battle",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entries",
                        to="battles.battle",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "battle entries",
                "ordering": ["battle", "branch", "number"],
            },
        ),
        migrations.CreateModel(
            name="BattleBranch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("reason", models.CharField(max_length=200)),
                ("by", models.CharField(max_length=200)),
                ("created", models.DateTimeField()),
                (
                    "battle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="branches",
                        to="battles.battle",
                    ),
                ),
                (
                    "parent",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="battles.battleentry",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "battle branches",
                "ordering": ["battle", "number"],
            },
        ),
        migrations.AddField(
            model_name="battle",
            name="head",
            field=models.ForeignKey(
                db_index=False,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="battles.battleentry",
            ),
        ),
        migrations.CreateModel(
            name="Command",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("side", models.CharField(max_length=20)),
                ("computer", models.BooleanField(default=False)),
                ("invitation", models.CharField(blank=True, max_length=40)),
                ("handed_over", models.DateTimeField(blank=True, null=True)),
                ("returned", models.DateTimeField(blank=True, null=True)),
                (
                    "battle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="commands",
                        to="battles.battle",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="commands",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["battle", "side"],
            },
        ),
        migrations.CreateModel(
            name="Notice",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=60)),
                (
                    "command",
                    models.ForeignKey(
                        db_index=False,
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notices",
                        to="battles.command",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.AddConstraint(
            model_name="battleentry",
            constraint=models.UniqueConstraint(
                fields=("battle", "branch", "number"), name="one_entry_of_a_battle"
            ),
        ),
        migrations.AddConstraint(
            model_name="battleentry",
            constraint=models.UniqueConstraint(
                condition=models.Q(("key__isnull", False)),
                fields=("battle", "key"),
                name="one_entry_of_a_battle_a_key",
            ),
        ),
        migrations.AddConstraint(
            model_name="battlebranch",
            constraint=models.UniqueConstraint(
                fields=("battle", "number"), name="one_branch_of_a_battle"
            ),
        ),
        migrations.AddConstraint(
            model_name="battle",
            constraint=models.UniqueConstraint(
                fields=("owner", "brief_id"), name="one_battle_a_brief"
            ),
        ),
        migrations.AddConstraint(
            model_name="command",
            constraint=models.UniqueConstraint(
                fields=("battle", "side"), name="one_command_of_a_side"
            ),
        ),
        migrations.AddConstraint(
            model_name="notice",
            constraint=models.UniqueConstraint(fields=("command", "key"), name="one_notice_a_key"),
        ),
    ]
