from django.db import migrations


class Migration(migrations.Migration):
    """Refuse two user names that differ in case alone, which a form cannot do at one instant."""

    dependencies = [("accounts", "0001_initial")]

    operations = [
        migrations.RunSQL(
            "CREATE UNIQUE INDEX accounts_user_name_in_one_case ON auth_user (LOWER(username))",
            "DROP INDEX accounts_user_name_in_one_case",
        ),
    ]
