"""The migrations of campaigns, and one more for the tests: `renamed`."""

from campaign import migrations

# Django looks for migrations in every folder of this path.
__path__.extend(migrations.__path__)
