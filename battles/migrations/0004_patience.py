from typing import Any

import django.db.models.deletion
from django.db import migrations, models


def keep_what_was_told(apps: Any, _schema: Any) -> None:
    """Nobody is written to again about a turn of which he has been told."""
    command, notice = apps.get_model("battles", "Command"), apps.get_model("battles", "Notice")
    told = command.objects.exclude(told="").values_list("pk", "told")
    notice.objects.bulk_create(notice(command_id=number, key=key) for number, key in told)


class Migration(migrations.Migration):
    dependencies = [("battles", "0003_told")]

    operations = [
        migrations.AddField(
            model_name="battle",
            name="patience",
            field=models.PositiveSmallIntegerField(
                default=0, help_text="days that one player waits for the other; 0 for any time"
            ),
        ),
        migrations.AddField(
            model_name="battle",
            name="due",
            field=models.DateTimeField(
                blank=True,
                db_index=True,
                help_text="until when it waits for the one asked",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="command",
            name="handed_over",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="command",
            name="returned",
            field=models.DateTimeField(blank=True, null=True),
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
            options={"ordering": ["pk"]},
        ),
        migrations.AddConstraint(
            model_name="notice",
            constraint=models.UniqueConstraint(fields=("command", "key"), name="one_notice_a_key"),
        ),
        migrations.RunPython(keep_what_was_told, migrations.RunPython.noop),
        migrations.RemoveField(model_name="command", name="told"),
    ]
