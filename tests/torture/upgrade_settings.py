"""The settings of a program that knows one migration more: tests/torture/upgrade/renamed.py."""

from tests.torture.settings import *  # noqa: F403

MIGRATION_MODULES = {"campaign": "tests.torture.upgrade"}
