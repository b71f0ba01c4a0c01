"""TREC files: what is written is read in our order by tools that go by 32-bit scores and ids."""

from __future__ import annotations

import math
import random
from pathlib import Path

import numpy as np
import pytest

from eval.outcome import Ranked
from eval.questions.question import EvalQuestion
from eval.runs.trec import (
    BadTrec,
    falling_scores,
    read_qrels,
    read_run,
    trec_order,
    write_qrels,
    write_run,
)


def ranking(*entries: tuple[str, float]) -> tuple[Ranked, ...]:
    return tuple(Ranked(id=source, score=score) for source, score in entries)


def question(name: str, relevant: dict[str, int]) -> EvalQuestion:
    return EvalQuestion(id=name, question="Does fasting change the gut?", relevant=relevant)


def test_a_run_has_six_columns_and_ranks_from_one(tmp_path: Path) -> None:
    write_run(tmp_path / "run", {"q1": ranking(("b", 0.75), ("a", 0.5)), "q2": ()}, tag="ours")
    assert (tmp_path / "run").read_text("utf-8") == "q1 Q0 b 1 0.75 ours\nq1 Q0 a 2 0.5 ours\n"


def test_qrels_keep_what_is_judged_not_relevant_and_leave_out_questions_with_nothing_relevant(
    tmp_path: Path,
) -> None:
    questions = [question("q1", {"b": 2, "a": 0}), question("q2", {"a": 0}), question("q3", {})]
    write_qrels(tmp_path / "qrels", questions)
    assert (tmp_path / "qrels").read_text("utf-8") == "q1 0 b 2\nq1 0 a 0\n"
    assert read_qrels(tmp_path / "qrels") == {"q1": {"b": 2, "a": 0}}


def test_scores_that_fall_already_are_only_rounded() -> None:
    scores = [3.0, 0.7, 0.1, 0.0, -2.5]
    assert falling_scores(scores) == [float(np.float32(score)) for score in scores]


@pytest.mark.parametrize(
    "scores",
    [
        [0.5] * 300,
        [0.0] * 300,
        [0.5 + 1e-10, 0.5, 0.5 - 1e-10],
        [1e-40, 1e-41, 0.0, -1e-41],
        [1.2e-38, 1.2e-38 - 1e-45, 0.0],
        [0.1, 0.2, 0.3],
        [1e300, 1e299, -1e299, -1e300],
        [-0.0, 0.0],
    ],
)
def test_what_is_written_falls_strictly_as_32_bit_floats_whatever_the_scores(
    scores: list[float], tmp_path: Path
) -> None:
    write_run(tmp_path / "run", {"q": ranking(*((f"s{i}", s) for i, s in enumerate(scores)))}, tag="t")
    texts = [line.split()[4] for line in (tmp_path / "run").read_text("utf-8").splitlines()]
    single = np.array([float(text) for text in texts]).astype(np.float32)
    assert np.all(np.diff(single) < 0)
    assert np.all(np.isfinite(single))
    nonzero = np.abs(single[single != 0])
    assert np.all(nonzero >= np.finfo(np.float32).tiny), "a subnormal ties where they are flushed to zero"
    assert [ranked.id for ranked in read_run(tmp_path / "run")["q"]] == [f"s{i}" for i in range(len(scores))]


def test_a_tie_parts_by_no_more_than_it_has_to() -> None:
    written = falling_scores([0.7] * 100)
    assert written[0] == float(np.float32(0.7))
    assert 0.7 - written[-1] < 100 * 2**-24


def test_nine_digits_keep_neighbouring_32_bit_floats_apart() -> None:
    rng = random.Random(0)
    for _ in range(2_000):
        high, low = falling_scores([rng.uniform(-1, 1) * 10.0 ** rng.randint(-30, 30)] * 2)
        assert float(np.float32(float(f"{high:.9g}"))) == high
        assert float(f"{high:.9g}") > float(f"{low:.9g}")


def test_ties_are_read_by_falling_id_and_scores_as_32_bit_floats() -> None:
    assert trec_order({"a": 0.5, "c": 0.5, "b": 0.5, "z": 0.25}) == ["c", "b", "a", "z"]
    assert trec_order({"a": 0.5 + 1e-12, "b": 0.5}) == ["b", "a"]
    assert trec_order({"a": 0.5 + 1e-6, "b": 0.5}) == ["a", "b"]
    assert trec_order({"é": 1.0, "z": 1.0, "Z": 1.0, "😀": 1.0, "\uffee": 1.0}) == [
        "😀",
        "\uffee",
        "é",
        "z",
        "Z",
    ]
    assert trec_order({"a": 1e300, "b": 1e200}) == ["b", "a"]
    assert trec_order({}) == []


def test_a_run_is_read_by_score_whatever_its_lines_and_ranks_say(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("q Q0 a 1 0.1 t\r\n\nq\tQ0\tb\t2\t0.9\tt\np Q0 a 9 -1e-3 t", "utf-8")
    assert read_run(tmp_path / "run") == {
        "q": ranking(("b", 0.9), ("a", 0.1)),
        "p": ranking(("a", -0.001)),
    }


@pytest.mark.parametrize(
    "name", ["two words", "tab\tbed", "no\u00a0break", "line\nbreak", "nul\x00", "", "\ud800"]
)
def test_an_id_that_would_break_the_columns_is_refused_and_nothing_written(name: str, tmp_path: Path) -> None:
    path = tmp_path / "run"
    with pytest.raises(BadTrec, match=r"source id .* cannot stand in a TREC file"):
        write_run(path, {"q": ranking(("fine", 2.0), (name, 1.0))}, tag="t")
    with pytest.raises(BadTrec, match=r"question id .* cannot stand in a TREC file"):
        write_run(path, {name: ()}, tag="t")
    with pytest.raises(BadTrec, match=r"tag .* cannot stand in a TREC file"):
        write_run(path, {}, tag=name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf])
def test_a_score_that_is_no_number_is_refused(score: float, tmp_path: Path) -> None:
    with pytest.raises(BadTrec, match="q: the score of a is"):
        write_run(tmp_path / "run", {"q": ranking(("a", score))}, tag="t")


def test_a_source_that_stands_twice_in_a_ranking_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadTrec, match="q: a stands twice"):
        write_run(tmp_path / "run", {"q": ranking(("a", 2.0), ("a", 1.0))}, tag="t")


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadTrec, match="cannot be written"):
        write_run(tmp_path / "missing" / "run", {}, tag="t")
    with pytest.raises(BadTrec, match="cannot be read"):
        read_run(tmp_path / "missing" / "run")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("q Q0 a 1 0.5\n", r"run:1: expected 6 columns, found 5"),
        ("q Q0 a 1 0.5 t\nq Q0 b 2 high t\n", r"run:2: the score 'high'"),
        ("q Q0 a 1 nan t\n", r"run:1: the score 'nan'"),
        ("q Q0 a 1 0.5 t\nq Q0 a 2 0.4 t\n", r"run:2: a stands twice in the ranking of q"),
    ],
)
def test_a_broken_run_is_refused_with_its_line(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "run").write_text(text, "utf-8")
    with pytest.raises(BadTrec, match=message):
        read_run(tmp_path / "run")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("q 0 a\n", r"qrels:1: expected 4 columns, found 3"),
        ("q 0 a 1\nq 0 b some\n", r"qrels:2: the grade 'some'"),
        ("q 0 a 1\nq 0 a 0\n", r"qrels:2: a is judged 0 for q, and was 1 before"),
    ],
)
def test_broken_qrels_are_refused_with_their_line(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text(text, "utf-8")
    with pytest.raises(BadTrec, match=message):
        read_qrels(tmp_path / "qrels")


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "run").write_bytes(b"q Q0 \xff 1 0.5 t\n")
    with pytest.raises(BadTrec, match="cannot be read"):
        read_run(tmp_path / "run")
