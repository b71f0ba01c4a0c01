"""How a rejected value is shown."""

from __future__ import annotations

import pytest

from index.sources.validation import shown


@pytest.mark.parametrize(
    ("value", "text"), [(1, "1"), (0, "0"), (True, "true"), (False, "false"), (None, "null"), (1.5, "1.5")]
)
def test_a_plain_value_is_shown_as_in_json(value: object, text: str) -> None:
    assert shown(value) == text
