"""British and American spelling folded into one, for terms of the lexical index only.

The same folding is applied to texts and to questions, so it need not give right words, only equal
ones: "exercise" becoming "exercize" on both sides costs nothing.
"""

from __future__ import annotations

import re

_ENDINGS = (
    # optimise, optimisation, regulariser → -iz-
    (re.compile(r"(?<=[a-z]{3})is(?=(e[drs]?|ers|ing|ations?|able)\b)", re.I), "iz"),
    # analyse, catalysed → -yz-
    (re.compile(r"(?<=[a-z]l)ys(?=(e[drs]?|ing)\b)", re.I), "yz"),
    # behaviour, neighbouring, colours → -or-
    (re.compile(r"(?<=[a-z]{3})our(?=(s|ed|ing|al|able|hoods?)?\b)", re.I), "or"),
    # centre, metres → -er
    (re.compile(r"(?<=[a-z]{2}t)re(?=s?\b)", re.I), "er"),
)


def fold_spelling(text: str) -> str:
    """Return text with British endings in their American form."""
    for pattern, ending in _ENDINGS:
        text = pattern.sub(ending, text)
    return text
