"""Campaigns and battles whose dice are always the same, for tests of what becomes of them."""

from hashlib import blake2b
from importlib import import_module

import pytest


class Known:
    """In the place of `secrets`: bytes that are the same in every run, and another every time."""

    def __init__(self, seed: str) -> None:
        self._seed = seed.encode()
        self._given = 0

    def token_bytes(self, size: int) -> bytes:
        self._given += 1
        return blake2b(self._given.to_bytes(8, "big"), key=self._seed, digest_size=size).digest()

    def token_hex(self, size: int) -> str:
        return self.token_bytes(size).hex()


def fix_dice(monkeypatch: pytest.MonkeyPatch, seed: str = "Sirdar") -> None:
    """From now on seeds and salts are drawn from what the name says."""
    for module in ("campaign.services.dice", "battles.services.start"):
        monkeypatch.setattr(import_module(module), "secrets", Known(seed))
