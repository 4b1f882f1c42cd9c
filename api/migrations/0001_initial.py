import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("campaign", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="CampaignChannel",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("url", models.CharField(max_length=500)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("failures", models.PositiveIntegerField(default=0, help_text="in a row")),
                ("disabled", models.DateTimeField(blank=True, null=True)),
                (
                    "service",
                    models.CharField(
                        choices=[("discord", "Discord"), ("slack", "Slack")], max_length=10
                    ),
                ),
                ("topics", models.JSONField(default=list)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="channels",
                        to="campaign.campaign",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["created", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Published",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("month", models.PositiveIntegerField()),
                ("finished", models.BooleanField(default=False)),
                (
                    "key",
                    models.CharField(
                        help_text="hash of what it is a page of", max_length=64, unique=True
                    ),
                ),
                ("etag", models.CharField(max_length=40)),
                ("br", models.BinaryField()),
                ("zstd", models.BinaryField()),
                ("gzip", models.BinaryField()),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="published",
                        to="campaign.campaign",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "published",
                "ordering": ["campaign", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Token",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("key_hash", models.CharField(max_length=64, unique=True)),
                ("scopes", models.JSONField(default=list)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("used", models.DateTimeField(blank=True, help_text="to the hour", null=True)),
                (
                    "expires",
                    models.DateTimeField(
                        blank=True, help_text="never, where nothing is said", null=True
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-created", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="Webhook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("url", models.CharField(max_length=500)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("failures", models.PositiveIntegerField(default=0, help_text="in a row")),
                ("disabled", models.DateTimeField(blank=True, null=True)),
                ("secret", models.CharField(max_length=80)),
                ("previous_secret", models.CharField(blank=True, max_length=80)),
                ("previous_expires", models.DateTimeField(blank=True, null=True)),
                ("events", models.JSONField(default=list)),
                (
                    "campaign",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="webhooks",
                        to="campaign.campaign",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="webhooks",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-created", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="Answered",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=100)),
                (
                    "request",
                    models.CharField(help_text="hash of method, address and body", max_length=64),
                ),
                ("status", models.PositiveSmallIntegerField(default=0)),
                ("location", models.CharField(blank=True, max_length=200)),
                ("etag", models.CharField(blank=True, max_length=40)),
                ("body", models.BinaryField(default=b"")),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "answered",
                "constraints": [
                    models.UniqueConstraint(fields=("user", "key"), name="one_answer_a_key")
                ],
            },
        ),
        migrations.CreateModel(
            name="ChannelPost",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("event", models.CharField(max_length=40)),
                ("key", models.CharField(max_length=160)),
                ("body", models.TextField(blank=True)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("due", models.DateTimeField(blank=True, db_index=True, null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("status", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("error", models.CharField(blank=True, max_length=300)),
                ("delivered", models.DateTimeField(blank=True, null=True)),
                (
                    "destination",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="api.campaignchannel",
                    ),
                ),
            ],
            options={
                "ordering": ["-created", "-pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("destination", "event", "key"), name="posted_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("event", models.CharField(max_length=40)),
                ("key", models.CharField(max_length=160)),
                ("body", models.TextField(blank=True)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("due", models.DateTimeField(blank=True, db_index=True, null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("status", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("error", models.CharField(blank=True, max_length=300)),
                ("delivered", models.DateTimeField(blank=True, null=True)),
                ("message_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="campaign.campaign",
                    ),
                ),
                (
                    "destination",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="api.webhook",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "deliveries",
                "ordering": ["-created", "-pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("destination", "campaign", "event", "key"), name="told_once"
                    )
                ],
            },
        ),
    ]
