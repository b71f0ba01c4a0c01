"""TREC topics in three forms, with qrels beside them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from eval.questions.sets import open_set

SGML = """<top>
<num> Number: 301
<title> mice &amp; sleep
<desc> Description:
How do mice sleep?
<narr> Narrative:
Anything goes.
</top>

<top>
<num> Number: 302
<title>
<desc> Description:
What do mice
eat?
</top>
<top><num> Number: 303 <title> never judged </top>
"""


@pytest.fixture
def trec(tmp_path: Path) -> Path:
    (tmp_path / "topics.301-303.txt").write_text(SGML, "utf-8")
    (tmp_path / "qrels.test.txt").write_text("301 0 d1 2\n301 0 d2 -2\n302 0 d2 1\n999 0 d1 1\n", "utf-8")
    return tmp_path


def test_trec_topics_are_read_with_the_qrels_beside_them(trec: Path) -> None:
    for path in (trec, trec / "topics.301-303.txt"):
        found = open_set(str(path))
        assert [(question.id, question.question) for question in found.questions] == [
            ("301", "mice & sleep"),
            ("302", "What do mice eat?"),
        ]
        assert [question.relevant for question in found.questions] == [{"d1": 2, "d2": 0}, {"d2": 1}]


def test_trec_topics_a_line(trec: Path) -> None:
    (trec / "topics.301-303.txt").write_text("301\thow do mice sleep\r\n302\twhat do mice eat\r\n", "utf-8")
    assert [question.question for question in open_set(str(trec)).questions] == [
        "how do mice sleep",
        "what do mice eat",
    ]


def test_trec_covid_topics(trec: Path) -> None:
    (trec / "topics.301-303.txt").write_text(
        '<?xml version="1.0"?>\n<topics task="COVIDSearch">\n<topic number="301">\n<query>mice</query>\n'
        "<question>how do mice sleep?</question>\n</topic>\n</topics>\n",
        "utf-8",
    )
    assert [(question.id, question.question) for question in open_set(str(trec)).questions] == [
        ("301", "how do mice sleep?")
    ]


def test_several_qrels_are_splits(trec: Path, refusal: Callable[..., str]) -> None:
    (trec / "qrels.train.txt").write_text("303 0 d1 1\n", "utf-8")
    assert [question.id for question in open_set(str(trec), split="train").questions] == ["303"]
    assert [question.id for question in open_set(str(trec)).questions] == ["301", "302"]
    assert "its splits are test, train" in refusal(trec, "dev")


def test_bad_trec_files_are_named_with_their_line(trec: Path, refusal: Callable[..., str]) -> None:
    (trec / "qrels.test.txt").write_text("301 0 d1 1\n301 d1 1\n302 0 d1 yes\n", "utf-8")
    said = refusal(trec)
    assert "qrels.test.txt:2: expected four columns (topic, iteration, document, grade), got 3" in said
    assert "qrels.test.txt:3: grade: expected a whole number, got 'yes'" in said
    (trec / "qrels.test.txt").write_text("301 0 d1 1\n302 0 d1 1\n", "utf-8")
    topics = trec / "topics.301-303.txt"
    topics.write_text(SGML.replace("302", "301").replace("<num> Number: 303", ""), "utf-8")
    said = refusal(trec)
    assert f"{topics}:10: id: expected each id once; '301' is also that of {topics}:1" in said
    assert f"{topics}:17: num: expected a topic's number" in said


def test_trec_topics_without_qrels_say_what_is_missing(trec: Path, refusal: Callable[..., str]) -> None:
    (trec / "qrels.test.txt").unlink()
    assert "expected TREC qrels beside the topics" in refusal(trec)
