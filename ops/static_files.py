"""Static files with hashed names, compressed by gzip beforehand.

Brotli would make a first start half a minute longer, for files that a browser fetches once.
"""

from typing import Any

from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage


class GzipStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """WhiteNoise's storage without Brotli."""

    def create_compressor(self, **options: Any) -> Compressor:
        return Compressor(use_brotli=False, **options)
