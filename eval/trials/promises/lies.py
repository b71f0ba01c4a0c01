"""Whether a lie that a model told was shown."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from eval.trials.lying import Exchange
from rag.answer import Answer

_LEAST = 12
"""Letters from which a lie can be looked for: fewer stand in a text by chance."""


def lies_shown(answer: Answer, exchanges: Sequence[Exchange]) -> Iterator[str]:
    """Yield what an answer shows of the lies told for it.

    What is quoted character for character is the source's, whatever the model said, and is not looked at;
    that it stands there is checked apart.
    """
    own = _without_quotes(answer)
    told = _bare(own)
    cited = [
        (_bare(answer.answer[one.start_index : one.end_index]), _bare(one.quote)) for one in answer.citations
    ]
    for script in {exchange.script: None for exchange in exchanges}:
        for lie in script.lies:
            text = _bare(lie.text)
            if lie.cited_to is None:
                if len(text) >= _LEAST and text in told:
                    yield f"shown: {lie.text[:120]!r}"
            elif (text, _bare(lie.cited_to)) in cited:
                yield f"cited for what it does not say: {lie.text[:120]!r}"
        for forbidden in script.forbidden:
            shown = (own, *answer.notices, answer.reason.message if answer.reason else "")
            if any(forbidden in each for each in shown):
                yield f"shown: {forbidden!r}"


def _without_quotes(answer: Answer) -> str:
    text = answer.answer
    quoted = {(one.start_index, one.end_index) for one in answer.citations if one.support == "quoted"}
    for start, end in quoted:
        text = text[:start] + "\n" * (end - start) + text[end:]
    return text


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))
