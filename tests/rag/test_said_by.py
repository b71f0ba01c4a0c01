"""What one author says of something is looked for in what that author wrote."""

from __future__ import annotations

import pytest

from rag.answer import AskRequest
from rag.engine import Engine
from rag.said_by import said_by


class Known:
    """A small world of names."""

    def is_author(self, name: str) -> bool:
        return name in {"Ada Berg", "Berg", "PPO"}

    is_venue = is_affiliation = is_subject = is_author


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What did Berg et al. find about gaits?", ("Berg", "What was found about gaits?")),
        ("What does Ada Berg say on walking?", ("Ada Berg", "What was found on walking?")),
        ("What does PPO say about trust regions?", None),  # an abbreviation, though somebody has that name
        ("What did Nobody Known find about gaits?", None),
        ("What did Ada Berg find?", None),
    ],
)
def test_the_author_and_what_is_asked(text: str, expected: tuple[str, str] | None) -> None:
    assert said_by(text, Known()) == expected


def test_only_what_the_author_wrote_is_quoted(engine: Engine) -> None:
    asked = "What did Sergey Levine find about soft actor-critic?"
    answer = engine.ask(AskRequest(question=asked, topic="RL"))
    assert answer.answered
    assert all("Sergey Levine" in source.authors for source in answer.sources)
    assert answer.understood.filters.authors == ("Sergey Levine",)
