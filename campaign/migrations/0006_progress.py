from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaign", "0005_umpire"),
    ]

    operations = [
        migrations.AddField(
            model_name="ordersheet",
            name="begun",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="ordersheet",
            name="by_staff",
            field=models.BooleanField(
                default=False, help_text="the staff answers for it this month"
            ),
        ),
        migrations.AddField(
            model_name="ordersheet",
            name="progress",
            field=models.BinaryField(default=bytes),
        ),
    ]
