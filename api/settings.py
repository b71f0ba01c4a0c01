"""All settings, from flags, environment (`ASKTOPIC_*`, nested with `__`) or `asktopic.toml`.

Each folder declares the part it needs; here they become one model that refuses unknown keys.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from eval.judge.settings import JudgeSettings
from index.chunking import ChunkSettings
from index.encoder import EncoderSettings
from index.errors import BadSettings
from index.settings import IndexSettings
from rag.settings import AnswerSettings, LlmSettings, RerankerSettings, VerifierSettings

PREFIX = "ASKTOPIC_"
FILE = Path("asktopic.toml")

# What browsers send as `Origin`: scheme, ASCII host and port, all lower case.
_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://([a-z0-9._-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?")


class KeptSettings(BaseModel):
    """What is kept of the answers that were given."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    keep: int = Field(
        default=10_000,
        ge=0,
        le=10_000_000,
        description="answers kept, so that links to them open; 0 for none",
    )


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
    workers: int = Field(
        default=0, ge=0, le=64, description="processes that serve; 0 for one a processor, four at most"
    )
    today: dt.date | None = Field(
        default=None, description="a date that stands for today, for old corpora and for tests"
    )
    # Not decoded by pydantic, whose message names neither the variable nor what is expected.
    allowed_origins: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(), description="origins of pages that may use the widget from elsewhere, as a JSON list"
    )
    answers: KeptSettings = KeptSettings()
    encoder: EncoderSettings = EncoderSettings()
    chunks: ChunkSettings = ChunkSettings()
    exact_chunks: int = Field(default=IndexSettings.model_fields["exact_chunks"].default, ge=0)
    scan_chunks: int = Field(default=IndexSettings.model_fields["scan_chunks"].default, ge=0)
    memory_mb: int = Field(default=IndexSettings.model_fields["memory_mb"].default, ge=0)
    answering: AnswerSettings = AnswerSettings()
    reranker: RerankerSettings = RerankerSettings()
    verifier: VerifierSettings = VerifierSettings()
    llm: LlmSettings = LlmSettings()
    judge: JudgeSettings = JudgeSettings()

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

    @field_validator("data_dir", mode="before")
    @classmethod
    def _named(cls, value: object) -> object:
        # As a path, an empty text would be the working folder.
        if isinstance(value, str) and not value.strip():
            raise ValueError("expected a folder; leave it out to use .asktopic")
        return value

    @field_validator("allowed_origins", mode="before")
    @classmethod
    def _json_list(cls, value: object) -> object:
        if isinstance(value, str):
            try:
                value = json.loads(value)
            except ValueError:
                value = None
        if not isinstance(value, list | tuple):
            raise ValueError('expected a JSON list of origins, such as ["https://example.org"]')
        return value

    @field_validator("allowed_origins")
    @classmethod
    def _origins(cls, values: tuple[str, ...]) -> tuple[str, ...]:
        for value in values:
            if value != "*" and not _ORIGIN.fullmatch(value.lower()):
                raise ValueError(
                    f"{value!r} is no origin; expected scheme://host[:port] without a path, "
                    "such as https://example.org"
                )
        return tuple(value.lower() for value in values)

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
            scan_chunks=self.scan_chunks,
            memory_mb=self.memory_mb,
        )


def load_settings(**flags: Any) -> Settings:
    """Compose the settings; flags that are None are as if not given.

    Raises `BadSettings`, naming the setting and what was expected.
    """
    _check_environment(os.environ)
    given = {name: value for name, value in flags.items() if value is not None}
    try:
        return Settings(**given)
    except ValidationError as error:
        raise BadSettings(_explain(error, given)) from None
    except SettingsError as error:  # a group, such as ASKTOPIC_ENCODER, that is no JSON
        raise BadSettings(f"{error}; expected a JSON object, or one variable a setting") from None
    except (ValueError, OSError) as error:  # no TOML, no UTF-8, or not readable
        raise BadSettings(f"{FILE}: {error}") from None


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
    known = known_names()
    groups = {f"{PREFIX}{name}".upper() for name in Settings.model_fields}
    for name in environment:
        if name.upper().startswith(PREFIX) and name.upper() not in groups.union(known):
            raise BadSettings(_unknown(name, name, known))


def _explain(error: ValidationError, flags: Mapping[str, object]) -> str:
    """Say of the first rejected setting where it was given, what was expected, and what was there."""
    first = error.errors()[0]
    parts = [part for part in first["loc"] if isinstance(part, str)]
    if first["type"] == "extra_forbidden":
        known = [name.removeprefix(PREFIX).lower().replace("__", ".") for name in known_names()]
        return _unknown(_origin_of(parts, flags), ".".join(parts), known)
    expected = first["msg"].removeprefix("Value error, ")
    return f"{_origin_of(parts, flags)}: {expected} (got {first['input']!r:.100})"


def _origin_of(parts: list[str], flags: Mapping[str, object]) -> str:
    """Return the flag, variable or line's name that a setting's value came from."""
    if parts[0] in flags:
        return f"--{parts[0].replace('_', '-')}"
    variable = f"{PREFIX}{'__'.join(parts)}".upper()
    set_names = {name.upper() for name in os.environ}
    for candidate in (variable, f"{PREFIX}{parts[0]}".upper()):
        if candidate in set_names:
            return candidate
    # What is wrong with a group as a whole may come of a variable of it.
    inside = sorted(name for name in set_names if name.startswith(f"{variable}__"))
    if inside:
        return ", ".join(inside)
    return f"{FILE}: {'.'.join(parts)}"


def _unknown(where: str, name: str, known: Iterable[str]) -> str:
    from rapidfuzz import process

    names = list(known)
    # Compared without the prefix that all share.
    near = process.extractOne(name, names, processor=_bare, score_cutoff=60)
    meant = f"; did you mean {near[0]}?" if near else "."
    return f"{where}: unknown setting{meant} Known settings: {', '.join(names)}"


def _bare(name: str) -> str:
    return name.upper().removeprefix(PREFIX)
