"""What the commands share: options, settings, the engine, and how an error is shown."""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from api.settings import Settings
    from rag.answer import Filters
    from rag.engine import Engine

# A text, for as a path an empty one would be the working folder.
DataDir = Annotated[
    str | None,
    typer.Option(
        "--data-dir",
        metavar="PATH",
        help="Index, catalog and caches.  [default: .asktopic]",
        show_default=False,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]


def settings_of(data_dir: str | None, **flags: object) -> Settings:
    from api.settings import load_settings

    return load_settings(data_dir=data_dir, **flags)


def engine_over(settings: Settings) -> Engine:
    """Open the engine over what is indexed.

    Raises `IndexMissing` before the encoder is opened: that would create the data folder, even one
    whose name is mistyped.
    """
    from index.paths import DataPaths
    from index.stores.catalog import Catalog

    Catalog(DataPaths(settings.data_dir).catalog).close()

    from api.opening import open_engine

    return open_engine(settings)


def filters_of(
    since: str | None,
    until: str | None,
    authors: list[str] | None,
    venues: list[str] | None,
    kinds: list[str] | None,
) -> Filters:
    from typing import get_args

    from index.errors import BadFilter
    from index.records import Kind
    from rag.answer import Filters

    for kind in kinds or ():
        if kind not in get_args(Kind):
            *others, last = get_args(Kind)
            raise BadFilter(f"--kind: expected {', '.join(others)} or {last}, got {kind!r}")
    return Filters.model_validate(
        {
            "from": date_of("--from", since),
            "to": date_of("--to", until),
            "authors": authors or (),
            "venues": venues or (),
            "kinds": kinds or (),
        }
    )


def date_of(flag: str, text: str | None) -> dt.date | None:
    from index.errors import BadFilter

    try:
        return dt.date.fromisoformat(text) if text is not None else None
    except ValueError:
        raise BadFilter(f"{flag}: expected a date like 2025-01-31, got {text!r}") from None


def refuse_empty(topic: str | None, advice: str) -> None:
    if topic is not None and not topic.strip():
        fail(f"--topic is empty; {advice}")


def fail(message: str) -> NoReturn:
    typer.echo(f"asktopic: {message}", err=True)
    raise typer.Exit(1)


@contextmanager
def shown_errors(*, interrupted: str | None = None) -> Iterator[None]:
    """Show an expected error as one line; an interrupted command exits as shells expect."""
    from index.errors import AsktopicError

    try:
        yield
    except AsktopicError as error:
        fail(error.message)
    except OSError as error:
        fail(f"{error.filename or 'a file'}: {error.strerror or error}")
    except KeyboardInterrupt:
        if interrupted:
            typer.echo(f"asktopic: {interrupted}", err=True)
        sys.exit(130)
