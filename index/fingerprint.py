"""Fingerprints: short names for everything that decides what an index, or its vectors, are.

A vector of one encoder means nothing to another, even where the dimensions agree, and nothing in a
vector store notices. So an index carries the fingerprint it was built with and is refused by a
program that has another.

Vectors have a fingerprint of their own, since encoding is nearly all the work of a build: a rebuild
with other chunks or terms uses every vector again whose passage has stayed the same.
"""

from __future__ import annotations

import hashlib

from index.chunking import CHUNKER_VERSION
from index.encoder import Encoder
from index.errors import IndexMismatch
from index.settings import IndexSettings
from index.stores.catalog import SCHEMA_VERSION
from index.stores.lexical import LEXICAL_VERSION
from index.stores.sentence_vectors import VECTORS_VERSION


def fingerprint_of(encoder: Encoder, settings: IndexSettings) -> str:
    """Name everything that decides what an index's chunks, terms and vectors are."""
    versions = f"{SCHEMA_VERSION} {CHUNKER_VERSION} {LEXICAL_VERSION}"
    parts = f"{versions} {encoder.fingerprint} {settings.chunks.model_dump_json()}"
    return _short(parts)


def vectors_fingerprint_of(encoder: Encoder) -> str:
    """Name everything that decides what the vectors of a given passage are."""
    return _short(f"vectors {VECTORS_VERSION} {encoder.fingerprint}")


def _short(parts: str) -> str:
    return hashlib.blake2b(parts.encode(), digest_size=8).hexdigest()


def check_fingerprint(found: str | None, expected: str, settings: IndexSettings) -> None:
    """Raise `IndexMismatch` if an index was built with another encoder, chunker or schema."""
    if found is not None and found != expected:
        raise IndexMismatch(
            f"the index in {settings.data_dir} was built with another encoder or chunker "
            f"(fingerprint {found}, this program and its settings give {expected}); restore those settings, "
            "or run `asktopic ingest --rebuild` to index every record anew"
        )
