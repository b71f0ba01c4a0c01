"""What a JSON object means: the native schema, or a list of conference papers.

Native objects carry `kind` and are strict: an unknown key is an error that names it. Objects without
`kind` are papers of someone else's list; the fields known here are taken and the rest is ignored.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from index.records import Record, slugify, title_id
from index.sources.base import Quarantined, Read
from index.sources.validation import MODELS, describe, excerpt, shown, validated

# Where a foreign field goes. `_id` and `text` are the names of BEIR corpora.
_FOREIGN = {
    "id": "id",
    "_id": "id",
    "title": "title",
    "abstract": "abstract",
    "text": "abstract",
    "summary": "summary",
    "tldr": "summary",
    "authors": "authors",
    "affiliations": "affiliations",
    "venue": "venue",
    "date": "date",
    "url": "url",
    "tags": "tags",
    "keywords": "tags",
}


class JsonMeaningError(ValueError):
    """JSON that is well formed but means nothing here: duplicate keys, NaN, infinite numbers."""


def parse(text: str) -> Any:
    """Parse JSON strictly. Raises `ValueError` with one sentence (and `RecursionError`: never)."""
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        where = f" at line {error.lineno}" if "\n" in text.strip() else ""
        raise ValueError(f"expected JSON; {error.msg}{where}, column {error.colno}") from None
    except RecursionError:
        raise ValueError("expected JSON nested a few levels deep; this is nested too deep to read") from None
    except JsonMeaningError:
        raise
    except ValueError:  # an integer of more digits than Python converts
        raise ValueError("expected JSON with numbers of ordinary size") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise JsonMeaningError(f"expected each key once; {excerpt(twice, 40)!r} occurs twice")
    return found


def _constant(name: str) -> Any:
    raise JsonMeaningError(f"expected numbers that JSON can hold, got {name}")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise JsonMeaningError(f"expected numbers that JSON can hold, got {excerpt(text, 20)}")
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_constant, parse_float=_finite)


def from_json(value: object, path: str, line: int | None, start: str) -> Read | Quarantined:
    """The record a parsed JSON value stands for, or why it stands for none; `start` shows it then."""
    try:
        return Read(_record(value), path, line)
    except ValueError as error:
        # The offending text may hold lone surrogates, which no file or terminal can take.
        return Quarantined(path, line, excerpt(describe(error), 400), excerpt(start))


def _record(value: object) -> Record:
    if not isinstance(value, dict):
        raise ValueError(f"expected an object, got {shown(value)}")
    if "kind" not in value:
        return validated("paper", _foreign(value))
    kind = value["kind"]
    if not isinstance(kind, str) or kind not in MODELS:
        raise ValueError(f"kind: expected one of {', '.join(MODELS)}, got {shown(kind)}")
    values = dict(value)
    if kind == "topic":
        if isinstance(values.get("name"), str):
            values.setdefault("slug", slugify(_sound(values, "name")))
    elif isinstance(values.get("title"), str):
        values.setdefault("id", title_id(kind, _sound(values, "title")))
    unknown = [key for key in values if key not in MODELS[kind].model_fields]
    if unknown:
        raise ValueError(f"{excerpt(unknown[0], 40)}: expected no such key in a record of kind {kind}")
    return validated(kind, values)


def _foreign(value: Mapping[str, object]) -> dict[str, object]:
    values: dict[str, object] = {}
    for key, field in _FOREIGN.items():
        if value.get(key) is not None:
            values.setdefault(field, value[key])
    if isinstance(values.get("title"), str) and "id" not in values:
        values["id"] = title_id("paper", _sound(values, "title"))
    return values


def _sound(values: Mapping[str, Any], field: str) -> str:
    """A text that can be encoded. Raises `ValueError` on lone surrogates, before an id is made of it."""
    text: str = values[field]
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError(f"{field}: expected valid Unicode text, found half of a surrogate pair")
    return text
