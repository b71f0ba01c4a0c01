"""reStructuredText explainers."""

from __future__ import annotations

from pathlib import Path

import pytest

from index.errors import SourceError
from index.records import Explainer
from index.sources.base import Read
from index.sources.restructuredtext import LONGEST_LINE, ReStructuredText

FIXTURE = Path(__file__).parents[2] / "fixtures" / "lesson.rst"


def explainer(path: Path) -> Explainer:
    (found,) = ReStructuredText().read(path)
    assert isinstance(found, Read), found
    assert isinstance(found.record, Explainer)
    return found.record


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "a-short_note.rst"
    path.write_text(text, encoding="utf-8")
    return path


def all_text(found: Explainer) -> str:
    return "\n\n".join(section.text for section in found.sections)


def test_sections_in_order_with_text_before_subsections() -> None:
    found = explainer(FIXTURE)
    assert found.title == "Messages on graphs"
    assert [section.heading for section in found.sections] == ["Messages on graphs", "Rounds", "Steps"]


def test_inline_markup_becomes_plain_text_and_unknown_roles_their_words() -> None:
    text = explainer(FIXTURE).sections[0].text
    assert text == "A graph has nodes and edges, see the rounds and nets.send."


def test_formulas_and_code_are_kept() -> None:
    text = explainer(FIXTURE).sections[1].text
    assert r"In round \(t\) node v holds \(h_v\)." in text
    assert r"\[h_v = \sum_u m_u\]" in text
    assert "```python\ntotal = sum(messages)\n```" in text


def test_admonitions_lists_definitions_and_tables_are_kept() -> None:
    text = all_text(explainer(FIXTURE))
    for kept in (
        "Remember\n\nTwo rounds see two steps far.",
        "1. Send.\n2. Receive.",
        "term: Its meaning.",
        "Model | Depth\nSmall | 2",
        "A footnote about edges.",
    ):
        assert kept in text


def test_nothing_is_included_run_or_shown_of_markup(capfd: pytest.CaptureFixture[str]) -> None:
    text = all_text(explainer(FIXTURE))
    hostname = Path("/etc/hostname")
    included = hostname.read_text(encoding="utf-8").strip() if hostname.exists() else "no-such-name"
    gone = ("[1]", "Table of Contents", "hidden", "autofunction", "caption", "example.org", "..", included)
    for word in gone:
        assert word not in text
    assert capfd.readouterr() == ("", "")


def test_title_of_a_file_without_one_is_the_file_s_name(tmp_path: Path) -> None:
    assert explainer(write(tmp_path, "Text.")).title == "A short note"


def test_a_role_defined_in_one_document_does_not_reach_the_next(tmp_path: Path) -> None:
    explainer(write(tmp_path, ".. role:: math(emphasis)\n\nRole :math:`x`."))
    assert all_text(explainer(write(tmp_path, "Role :math:`x`."))) == r"Role \(x\)."


def test_configuration_of_the_working_folder_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "docutils.conf").write_text("[general]\nfile_insertion_enabled: yes\n", encoding="utf-8")
    (tmp_path / "secret.txt").write_text("a secret", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    path = write(tmp_path, "Text.\n\n.. include:: secret.txt\n")
    assert all_text(explainer(path)) == "Text."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Title\n=====\n", "expected some text"),
        ("x" * (LONGEST_LINE + 1), "expected a line of at most"),
        ("\n".join(" " * n + "a" for n in range(500)), "nested a few levels deep"),
    ],
)
def test_unusable_file_is_refused_in_one_sentence(tmp_path: Path, text: str, expected: str) -> None:
    with pytest.raises(SourceError) as caught:
        list(ReStructuredText().read(write(tmp_path, text)))
    assert expected in caught.value.expected


def test_matches_by_name_or_where_the_name_says_nothing_by_content() -> None:
    reader = ReStructuredText()
    assert reader.matches(Path("x.rst"), b"text")
    assert reader.matches(Path("x.txt"), FIXTURE.read_bytes())
    assert not reader.matches(Path("x.txt"), b"text only")
    assert not reader.matches(Path("x.md"), FIXTURE.read_bytes())
