"""Turn loose values into validated records, and a validation failure into one plain sentence."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from index.records import Explainer, Paper, Record, Topic
from index.sources.base import Quarantined, Read

MODELS: Mapping[str, type[Record]] = {"topic": Topic, "paper": Paper, "explainer": Explainer}

EXCERPT = 120
"""Code points of a bad record shown with its reason: a line of a terminal."""

# What pydantic calls a type of error, in words. An unlisted type falls back on pydantic's message.
_EXPECTED = {
    "missing": "a value",
    "string_type": "text",
    "string_unicode": "valid Unicode text",
    "string_too_short": "text that is not empty",
    "string_pattern_mismatch": "an id without spaces",
    "tuple_type": "a list",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "date_type": "a date as YYYY-MM-DD",
    "date_from_datetime_parsing": "a date as YYYY-MM-DD",
    "date_from_datetime_inexact": "a date as YYYY-MM-DD",
    "date_parsing": "a date as YYYY-MM-DD",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "too_short": "at least one item",
    "extra_forbidden": "no such key",
}
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?=$|[T ])")


def record(kind: str, values: Mapping[str, Any], path: str, line: int | None) -> Read | Quarantined:
    """Validate `values` as a record of this kind, or quarantine them with the reason."""
    try:
        return Read(validated(kind, values), path, line)
    except ValueError as error:  # pydantic's ValidationError is one
        return Quarantined(path, line, describe(error), excerpt(str(values.get("title") or values)))


def validated(kind: str, values: Mapping[str, Any]) -> Record:
    """Validate `values` as a record of this kind. Raises `ValueError` (`ValidationError` is one)."""
    values = dict(values)
    name = "name" if kind == "topic" else "title"
    if isinstance(values.get(name), str) and not values[name].strip():
        raise ValueError(f"{name}: expected text that is not empty, got blanks")
    if values.get("date") is not None:
        values["date"] = as_date(values["date"])
    found = MODELS[kind].model_validate(values)
    try:
        found.model_dump_json()
    except ValueError:  # pydantic takes half of a surrogate pair for text, but no file holds it
        field = next(
            (name for name, value in values.items() if re.search(r"\\ud[89a-f]", ascii(value))), kind
        )
        raise ValueError(f"{field}: expected valid Unicode text, found half of a surrogate pair") from None
    return found


def as_date(value: object) -> dt.date:
    """A date from YYYY-MM-DD, with or without a time. Raises `ValueError`.

    Stricter than pydantic, which takes "2024" for a number of seconds.
    """
    if isinstance(value, dt.datetime):
        return value.date()
    if isinstance(value, dt.date):
        return value
    found = _ISO_DATE.match(value) if isinstance(value, str) else None
    try:
        if found:
            return dt.date.fromisoformat(found[0])
    except ValueError:
        pass
    raise ValueError(f"date: expected a date as YYYY-MM-DD, got {shown(value)}")


def describe(error: ValueError) -> str:
    """One sentence of the first thing wrong: field, what was expected, what was there."""
    if not isinstance(error, ValidationError):
        return str(error)
    # An id is made of the title: where both are missing, the title is what to name.
    errors = error.errors(include_url=False)
    first = next((one for one in errors if one["loc"] not in (("id",), ("slug",))), errors[0])
    field = ".".join(str(part) for part in first["loc"]) or "record"
    expected = _EXPECTED.get(first["type"]) or _sentence(first["msg"])
    if first["type"] == "missing":
        return f"{field}: expected a value, found none"
    if first["type"] == "extra_forbidden":
        return f"{field}: expected no such key in this kind of record"
    return f"{field}: expected {expected}, got {shown(first['input'])}"


def _sentence(message: str) -> str:
    """pydantic's "String should have at most 200 characters" → "string with at most …"."""
    return re.sub(r"^(?:Input|String|Value) should (?:be|have) ", "", message).strip(" .")


def shown(value: object) -> str:
    """A value, short enough for a sentence, with its kind when that is not plain."""
    match value:
        case str():
            return repr(excerpt(value, 40))
        case bool() | int() | float() | None:
            return json.dumps(value)
        case list() | tuple():
            return "a list"
        case dict():
            return "an object"
        case _:
            return f"a {type(value).__name__}"


def excerpt(text: str, length: int = EXCERPT) -> str:
    """The start of a text on one line, printable whatever was in it."""
    flat = " ".join(text[: 4 * length].split()).encode("utf-8", "replace").decode("utf-8")
    return flat if len(flat) <= length else flat[: length - 1] + "…"
