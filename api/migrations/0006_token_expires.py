from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("api", "0005_etag_of_first_answer"),
    ]

    operations = [
        migrations.AddField(
            model_name="token",
            name="expires",
            field=models.DateTimeField(
                blank=True, help_text="never, where nothing is said", null=True
            ),
        ),
    ]
