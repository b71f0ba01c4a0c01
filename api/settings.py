"""All settings, from flags, environment (`ASKTOPIC_*`, nested with `__`) or `asktopic.toml`.

Each folder declares the part it needs; here they become one model that refuses unknown keys.
"""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from index.chunking import ChunkSettings
from index.encoder import EncoderSettings
from index.errors import BadSettings
from index.settings import IndexSettings
from rag.settings import AnswerSettings

PREFIX = "ASKTOPIC_"
FILE = Path("asktopic.toml")


class Settings(BaseSettings):
    """The settings of one installation. Flags beat the environment, which beats the file."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_nested_delimiter="__", toml_file=FILE, extra="forbid", frozen=True
    )

    data_dir: Path = Field(
        default=Path(".asktopic"), description="index, catalog and caches; nothing lies elsewhere"
    )
    host: str = Field(default="127.0.0.1", description="address to listen on")
    port: int = Field(default=8000, ge=0, le=65_535, description="port to listen on; 0 takes a free one")
    today: dt.date | None = Field(
        default=None, description="a date that stands for today, for old corpora and for tests"
    )
    allowed_origins: tuple[str, ...] = Field(
        default=(), description="origins of pages that may use the widget from elsewhere, as a JSON list"
    )
    encoder: EncoderSettings = EncoderSettings()
    chunks: ChunkSettings = ChunkSettings()
    exact_chunks: int = IndexSettings.model_fields["exact_chunks"].default
    memory_mb: int = IndexSettings.model_fields["memory_mb"].default
    answering: AnswerSettings = AnswerSettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the names are pydantic's
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls)

    def clock(self) -> dt.date:
        """Return the date that counts as today."""
        return self.today or dt.date.today()

    @property
    def index(self) -> IndexSettings:
        """The part that the index needs."""
        return IndexSettings(
            data_dir=self.data_dir,
            encoder=self.encoder,
            chunks=self.chunks,
            exact_chunks=self.exact_chunks,
            memory_mb=self.memory_mb,
        )


def load_settings(**flags: Any) -> Settings:
    """Compose the settings; flags that are None are as if not given.

    Raises `BadSettings`, naming the setting and what was expected.
    """
    _check_environment(os.environ)
    try:
        return Settings(**{name: value for name, value in flags.items() if value is not None})
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        raise BadSettings(
            f"setting {name}: {first['msg']}; known settings: {', '.join(known_names())}"
        ) from None
    except ValueError as error:  # an unreadable file or a value that is no JSON
        raise BadSettings(f"settings cannot be read: {error}") from None


def known_names() -> list[str]:
    """Return every setting as an environment variable's name."""
    names: list[str] = []
    for name, field in Settings.model_fields.items():
        nested = getattr(field.annotation, "model_fields", None)
        names += (
            [f"{PREFIX}{name}__{inner}".upper() for inner in nested]
            if nested
            else [f"{PREFIX}{name}".upper()]
        )
    return names


def _check_environment(environment: Mapping[str, str]) -> None:
    known = {*known_names(), *(f"{PREFIX}{name}".upper() for name in Settings.model_fields)}
    for name in environment:
        if name.upper().startswith(PREFIX) and name.upper() not in known:
            raise BadSettings(f"unknown setting {name}; known settings: {', '.join(known_names())}")
