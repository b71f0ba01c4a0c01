"""The same words in the form of an object, for a server that takes a schema and keeps to it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_CITED = re.compile(r"(?P<text>.+?)(?P<marks>(?:\s*\[e[0-9a-z]{1,8}\])+|\Z)", re.DOTALL)
_ID = re.compile(r"e[0-9a-z]{1,8}")


def as_object(text: str, response_format: Mapping[str, Any]) -> str:
    """Write a text with markers as an object of the schema that is asked for.

    The schema is read, not known: its one array holds items with one text and one array of ids.
    """
    schema = response_format.get("json_schema", {}).get("schema", {})
    properties: dict[str, Any] = schema.get("properties", {})
    name = next(iter(properties), "sentences")
    fields: dict[str, Any] = properties.get(name, {}).get("items", {}).get("properties", {})
    words = next((key for key, field in fields.items() if field.get("type") == "string"), "text")
    ids = next((key for key, field in fields.items() if field.get("type") == "array"), "evidence")
    told = [
        {words: found["text"].strip(), ids: _ID.findall(found["marks"])}
        for found in _CITED.finditer(text)
        if found["text"].strip()
    ]
    return json.dumps({name: told}, ensure_ascii=False)
