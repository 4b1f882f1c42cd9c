"""Campaigns and battles whose dice are always the same, for tests of what becomes of them."""

from hashlib import blake2b
from importlib import import_module

import pytest

MODULES = ("campaign.services.journal.dice", "battles.services.record")
"""The modules that draw seeds and salts."""


class Known:
    """In the place of `secrets`: bytes that are the same in every run, and another every time."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self.given = 0
        """The number of draws so far; set it to continue from another place."""

    def token_bytes(self, size: int) -> bytes:
        self.given += 1
        return blake2b(
            self.given.to_bytes(8, "big"), key=self.seed.encode(), digest_size=size
        ).digest()

    def token_hex(self, size: int) -> str:
        return self.token_bytes(size).hex()


def fix_dice(monkeypatch: pytest.MonkeyPatch, seed: str = "Sirdar") -> None:
    """From now on seeds and salts are drawn from what the name says."""
    for module in MODULES:
        monkeypatch.setattr(import_module(module), "secrets", Known(seed))


def known_sources() -> list[Known]:
    """Return the sources of all modules that draw; fewer where a test has put in another."""
    found = (import_module(module).secrets for module in MODULES)
    return [source for source in found if isinstance(source, Known)]
