"""What the index needs to be told."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from index.chunking import ChunkSettings
from index.encoder import EncoderSettings


class IndexSettings(BaseModel):
    """Where the index lies, and how text becomes chunks and vectors.

    Changing `encoder` or `chunks` changes the index fingerprint: an index built with other values
    is refused until it is rebuilt.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    data_dir: Path = Path(".asktopic")
    encoder: EncoderSettings = EncoderSettings()
    chunks: ChunkSettings = ChunkSettings()
    exact_chunks: int = Field(
        default=32_768,
        ge=0,
        description="keep the vectors of a scope of up to this many chunks in memory (50 MB at 384 "
        "dimensions)",
    )
    scan_chunks: int = Field(
        default=524_288,
        ge=0,
        description="scan larger scopes in int8 where the index has up to this many chunks (200 MB at 384 "
        "dimensions); beyond, everything is searched through the vector store",
    )
    memory_mb: int = Field(default=256, ge=0, description="memory for scopes held ready for exact search")
