"""Answers and sources taken away: nothing in a document breaks the format, and every entry has its key."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from markdown_it import MarkdownIt

from api.export.bibtex import bibtex, escaped
from api.export.markdown import answer_markdown, source_markdown
from api.export.reference import Reference, keys_of
from api.export.ris import ris
from rag.answer import AskRequest, FieldText, SourceInfo, SourceRef
from rag.engine import Engine

HOSTILE = (
    "*a* _b_ [x](javascript:alert(1)) ![y](https://evil.example/z.png) <b>q</b> `c` # {h} \\ ~ $5 & 7% ^"
)


def reference(**changes: Any) -> Reference:
    given: dict[str, Any] = {
        "n": 1,
        "id": "p1",
        "kind": "paper",
        "score": 1.0,
        "title": "Truly Proximal Policy Optimization",
        "authors": ("Yuhui Wang", "Hao He"),
        "date": dt.date(2019, 7, 25),
        "venue": "UAI 2019",
        "url": "https://example.org/p1",
    }
    return Reference.of(SourceRef(**given | changes))


def test_a_reference_becomes_a_bibtex_entry() -> None:
    assert bibtex([reference()]) == (
        "@inproceedings{wang2019truly,\n"
        "  title = {{Truly Proximal Policy Optimization}},\n"
        "  author = {Yuhui Wang and Hao He},\n"
        "  booktitle = {UAI 2019},\n"
        "  year = {2019},\n"
        "  month = jul,\n"
        "  url = {https://example.org/p1},\n"
        "}\n"
    )


@pytest.mark.parametrize(
    ("venue", "kind"),
    [
        ("Journal of Machine Learning Research", "@article{"),
        ("IEEE Trans. Robotics", "@article{"),
        ("ICML 2020", "@inproceedings{"),
        ("", "@misc{"),
    ],
)
def test_the_venue_decides_the_kind_of_entry(venue: str, kind: str) -> None:
    assert bibtex([reference(venue=venue)]).startswith(kind)


def test_authors_that_the_source_does_not_name_are_others() -> None:
    assert "author = {Yuhui Wang and Hao He and others}," in bibtex([reference(authors_total=5)])
    assert "author = {{Research, Inc} and {Simon and Garfunkel}}" in bibtex(
        [reference(authors=("Research, Inc", "Simon and Garfunkel"))]
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("50% of A&B_c #1", r"50\% of A\&B\_c \#1"),
        (r"\(O(\sqrt{T})\) regret", r"$O(\sqrt{T})$ regret"),
        ("$R^3$: Training", "$R^3$: Training"),
        (
            r"\(} \input{/etc/passwd}\)",
            r"\textbackslash{}(\} \textbackslash{}input\{/etc/passwd\}\textbackslash{})",
        ),
        ("from $5 to 10", r"from \$5 to 10"),
        ("~^{x}", r"\textasciitilde{}\textasciicircum{}\{x\}"),
        ("Łukasz, 強化", "Łukasz, 強化"),
    ],
)
def test_text_is_escaped_for_tex_and_formulas_are_kept(text: str, expected: str) -> None:
    assert escaped(text) == expected


def test_no_title_ends_its_entry() -> None:
    entry = bibtex([reference(title="x}}\n}\n@comment{" + HOSTILE, url="https://e.org/}{a")])
    unescaped = re.sub(r"\\[{}]|\\text\w+\{\}", "", entry)
    depth = 0
    for position, char in enumerate(unescaped):
        depth += (char == "{") - (char == "}")
        assert depth > 0 or position < unescaped.index("{") or position >= len(unescaped) - 2
    assert entry.count("\n@") == 0


def test_keys_are_unique_and_plain() -> None:
    same = [reference() for _ in range(28)]
    keys = keys_of(same)
    assert keys[:3] == ["wang2019truly", "wang2019trulya", "wang2019trulyb"]
    assert len(set(keys)) == 28
    assert reference(authors=("Łucja Żółć",), title="Über das Lernen").key == "zoc2019uber"
    assert reference(authors=(), title="The 強化", date=None, id="強化").key == "source"


def test_ris_has_one_line_a_fact() -> None:
    lines = ris([reference(title="A\nB")]).split("\r\n")
    assert lines[0] == "TY  - CPAPER"
    assert "TI  - A B" in lines
    assert lines[-2:] == ["ER  -", ""] or lines[-2:] == ["ER  - ", ""]
    assert all(re.fullmatch(r"[A-Z][A-Z0-9]  - .*|ER  -\s?", line) for line in lines[:-1])


def links_and_markup(text: str) -> list[str]:
    """What a Markdown renderer would make of a text besides text."""
    found = []
    for token in MarkdownIt("commonmark", {"html": True}).parse(text):
        for each in [token, *(token.children or [])]:
            if each.type in {
                "link_open",
                "image",
                "html_inline",
                "html_block",
                "code_inline",
                "fence",
                "code_block",
            }:
                found.append(each.type)
    return found


def test_nothing_of_a_document_becomes_markdown() -> None:
    source = SourceInfo(
        id="p",
        kind="paper",
        title=HOSTILE,
        authors=(HOSTILE,),
        venue=HOSTILE,
        url="javascript:alert(1)",
        fields=(
            FieldText(field="abstract", heading=HOSTILE, text=f"# {HOSTILE}\n\n- {HOSTILE}\n1. {HOSTILE}"),
        ),
    )
    assert links_and_markup(source_markdown(source)) == []


def test_an_answer_becomes_markdown_with_references(engine: Engine) -> None:
    answer = engine.ask(AskRequest(question="How are humanoid robots trained to play badminton?", topic="RL"))
    text = answer_markdown(answer, "https://here.example/answers/x")
    assert text.startswith("# How are humanoid robots trained to play badminton?\n\n")
    for citation in answer.citations:
        assert f"> {citation.quote}" in text.replace("\\", "")
    assert "1. Chenhao Liu, Leyun Jiang, Ningyuan Tian et al. *Humanoid Whole-Body Badminton" in text
    assert "<https://here.example/answers/x>" in text
    assert answer.id in text
    assert set(links_and_markup(text)) <= {"link_open"}


def test_a_refusal_becomes_markdown_too(engine: Engine) -> None:
    answer = engine.ask(AskRequest(question="Which recipe makes the best sourdough bread?", topic="RL"))
    assert answer.reason
    text = answer_markdown(answer)
    assert answer.reason.message in text.replace("\\", "")
    assert "## References" not in text
