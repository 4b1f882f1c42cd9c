"""Static files by names that tell their content, packed by gzip beforehand.

Brotli would take a first start half a minute longer, for files that a browser fetches once.
"""

from typing import Any

from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage


class GzipStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """As WhiteNoise has it, without Brotli."""

    def create_compressor(self, **options: Any) -> Compressor:
        return Compressor(use_brotli=False, **options)
