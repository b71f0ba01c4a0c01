"""Markdown and MDX explainers."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from index.errors import SourceError
from index.records import Explainer
from index.sources.base import Quarantined, Read
from index.sources.markdown import Markdown

FIXTURE = Path(__file__).parents[2] / "fixtures" / "lesson.mdx"


def explainer(path: Path) -> Explainer:
    (found,) = Markdown().read(path)
    assert isinstance(found, Read), found
    assert isinstance(found.record, Explainer)
    return found.record


def write(tmp_path: Path, text: str, name: str = "a-short_note.md") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def text_of(tmp_path: Path, text: str, name: str = "x.md") -> str:
    return "\n\n".join(section.text for section in explainer(write(tmp_path, text, name)).sections)


def test_front_matter_describes_the_explainer() -> None:
    found = explainer(FIXTURE)
    assert (found.id, found.title, found.topic) == ("messages", "Messages on graphs", "Graph Learning")
    assert (found.date, found.url) == (dt.date(2025, 3, 4), "https://example.org/messages")


def test_headings_make_sections_without_their_anchors() -> None:
    sections = explainer(FIXTURE).sections
    assert [section.heading for section in sections] == ["", "Rounds", "Steps"]
    assert sections[0].text == "A graph has nodes and edges."


def test_formulas_keep_their_latex_under_one_notation() -> None:
    text = explainer(FIXTURE).sections[1].text
    assert r"In round \(t\) node v holds \(h_v\) and pays $5 or $10. Every node sends." in text
    assert "\\[h_v = \\sum_{u}\n- m_u\\]" in text
    assert r"\[x = y\]" in text


def test_lists_tables_and_code_stay_readable() -> None:
    text = explainer(FIXTURE).sections[2].text
    assert "1. Send.\n2. Receive, with sum_messages():" in text
    assert "total = sum(messages)  # *not* emphasis" in text
    assert "- one\n  - inner" in text
    assert "Model | Depth\nSmall | 2" in text


def test_markup_is_gone_and_what_a_component_holds_is_kept() -> None:
    text = "\n".join(section.text for section in explainer(FIXTURE).sections)
    assert "Two rounds see two steps far." in text
    assert text.endswith("The end.")
    for gone in (
        "import",
        "Card",
        "label",
        "editor",
        "Tip",
        "<",
        "example.org",
        "picture",
        "caption",
        "gone",
    ):
        assert gone not in text


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: Front\n---\n# Head\n\nText.", "Front"),
        ("Lead.\n\n## Two\n\n# Head [[head]]\n\nText.", "Head"),
        ("Just text.", "A short note"),
    ],
)
def test_title_is_front_matter_s_else_the_first_heading_s_else_the_file_s(
    tmp_path: Path, text: str, title: str
) -> None:
    assert explainer(write(tmp_path, text)).title == title


def test_files_of_equal_title_in_two_folders_have_different_stable_ids(tmp_path: Path) -> None:
    ids = []
    for unit in ("one", "two", "one"):
        (tmp_path / unit).mkdir(exist_ok=True)
        ids.append(explainer(write(tmp_path, "# Glossary\n\nText.", f"{unit}/glossary.md")).id)
    assert ids[0] == ids[2] != ids[1]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("It costs $5 and then $10 more.", "It costs $5 and then $10 more."),
        ("Emphasis **badly ** spaced.", "Emphasis badly spaced."),
        ("`a_b` and \\* star", "a_b and * star"),
        ("See $$x^2$$ inline.", "See \\[x^2\\] inline."),
        (r"A row \\(a_1 \cdot b_1\\) and \(c\).", r"A row \(a_1 \cdot b_1\) and \(c\)."),
        ("<script>\nalert('x')\n\nmore()\n</script>\n\nText.", "Text."),
        ("<video>\n\n**hidden**\n\n</video>\n\nText.", "Text."),
        ("A<br>B", "A\nB"),
        ("> quoted *text*", "quoted text"),
        ("x < y and y > z", "x < y and y > z"),
        (r"Open \\( without end", r"Open \( without end"),
    ],
)
def test_text_of(tmp_path: Path, source: str, text: str) -> None:
    assert text_of(tmp_path, source) == text


def test_indented_text_is_code_in_markdown_and_prose_in_mdx(tmp_path: Path) -> None:
    assert text_of(tmp_path, "    words", "x.md") == "```\nwords\n```"
    assert text_of(tmp_path, "    words", "x.mdx") == "words"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\ntitle: [a, b]\n---\nText.", "title: expected text, got a list"),
        ("---\ntitle: 'open\n---\nText.", "front matter: expected YAML"),
        ("---\n- a\n---\nText.", "expected keys with values"),
        ("---\nid: " + "[" * 5000 + "\n---\nText.", "front matter"),
        ("# Only a heading\n\n![picture](x.png)", "expected some text"),
        ("word " * 20_000, "expected a paragraph of at most"),
    ],
)
def test_unusable_file_is_refused_in_one_sentence(tmp_path: Path, text: str, expected: str) -> None:
    with pytest.raises(SourceError) as caught:
        list(Markdown().read(write(tmp_path, text)))
    assert expected in caught.value.expected
    assert "\n" not in caught.value.expected


@pytest.mark.parametrize("value", ["date: someday", 'id: "two words"', 'title: "\\uD800"'])
def test_front_matter_of_wrong_values_is_quarantined(tmp_path: Path, value: str) -> None:
    (found,) = Markdown().read(write(tmp_path, f"---\n{value}\n---\nText."))
    assert isinstance(found, Quarantined)
    assert value.split(":")[0] in found.reason


def test_matches_by_name_or_where_the_name_says_nothing_by_content() -> None:
    reader = Markdown()
    assert reader.matches(Path("x.mdx"), b"text")
    assert reader.matches(Path("notes.txt"), b"# Title\n\ntext")
    assert not reader.matches(Path("notes.txt"), b"text")
    assert not reader.matches(Path("run.py"), b"# comment\n\nx = 1")
    assert not reader.matches(Path("x.md"), b"\x00\x01")
