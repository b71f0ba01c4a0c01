"""`asktopic eval …` from a question set to a gate, on a small corpus of its own."""

from __future__ import annotations

import json
import os
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from api.cli import app
from eval.scores import Scores

Command = Callable[..., Result]

CORPUS = (
    {"kind": "topic", "slug": "tides", "name": "Tidal Power", "aliases": ["TP"]},
    {
        "kind": "paper",
        "id": "turbines",
        "title": "Turbines in fast straits",
        "abstract": "Tidal power turbines in fast straits were watched for 3 years. The turbines lost 12% of "
        "their output to barnacles. Cleaning the blades twice a year restored all of it.",
        "tags": ["Tidal Power"],
        "date": "2021-03-01",
    },
    {
        "kind": "paper",
        "id": "lagoons",
        "title": "Lagoons as batteries",
        "abstract": "A tidal lagoon can store energy for several hours. Pumping at high tide raised the "
        "income of the tidal power lagoon by a quarter. Silt filled the lagoon more slowly than was feared.",
        "tags": ["Tidal Power"],
        "date": "2022-05-01",
    },
)
QUESTIONS = (
    {
        "id": "barnacles",
        "question": "How much output did tidal turbines lose to barnacles?",
        "topic": "TP",
        "relevant": {"turbines": 1},
        "must_cite": ["turbines"],
        "nuggets": [{"text": "lost output to barnacles", "numbers": ["12%"]}],
    },
    {
        "id": "pumping",
        "question": "What did pumping at high tide do for the income of the lagoon?",
        "topic": "TP",
        "relevant": {"lagoons": 1},
        "must_cite": ["lagoons"],
    },
    {
        "id": "whales",
        "question": "Which songs do blue whales sing?",
        "topic": "TP",
        "answerable": False,
        "why_not": "nothing there is about whales",
    },
)


def write_lines(path: Path, rows: tuple[dict[str, object], ...]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, encoder_cache: Path) -> Iterator[Path]:
    """A working folder with a set folder `tides`."""
    home = tmp_path_factory.mktemp("home")
    (home / ".asktopic").mkdir()
    (home / ".asktopic" / "encoder").symlink_to(encoder_cache)
    (home / "tides").mkdir()
    write_lines(home / "tides" / "corpus.jsonl", CORPUS)
    write_lines(home / "tides" / "questions.jsonl", QUESTIONS)
    before = Path.cwd()
    os.chdir(home)
    yield home
    os.chdir(before)


@pytest.fixture(scope="module")
def asktopic(home: Path) -> Command:
    return lambda *arguments: CliRunner().invoke(app, arguments)


@pytest.fixture(scope="module")
def before(asktopic: Command) -> str:
    """A finished run."""
    result = asktopic("eval", "run", "tides", "--out", "before")
    assert result.exit_code == 0, result.output
    return "before"


def test_a_run_prints_its_figures_and_writes_every_file(asktopic: Command, home: Path) -> None:
    result = asktopic("eval", "run", "tides", "--out", "whole")
    assert result.exit_code == 0, result.output
    assert "tides: 3 questions" in result.stdout
    assert "ndcg@10" in result.stdout
    names = {file.name for file in (home / "whole").iterdir()}
    assert names == {
        "manifest.json",
        "questions.jsonl",
        "outcomes.jsonl",
        "sources.jsonl",
        "run.trec",
        "qrels.trec",
        "scores.csv",
        "summary.json",
        "report.html",
    }
    scores = Scores.read(home / "whole" / "scores.csv").by_metric
    assert scores["must_cite"] == {"barnacles": 1.0, "pumping": 1.0}
    assert scores["number_accuracy"]["barnacles"] == 1.0
    assert scores["refusal_recall"] == {"whales": 1.0}


def test_figures_are_shown_by_category_where_there_are_several(asktopic: Command, home: Path) -> None:
    (home / "kinds").mkdir()
    write_lines(home / "kinds" / "corpus.jsonl", CORPUS)
    kinds = ("lost", "gained", "off")
    write_lines(
        home / "kinds" / "questions.jsonl",
        tuple({**question, "category": kind} for question, kind in zip(QUESTIONS, kinds, strict=True)),
    )
    rows = [line.split() for line in asktopic("eval", "run", "kinds", "--out", "by-kind").stdout.splitlines()]
    assert ["category", "n", "nuggets_vital_strict", "must_cite", "answer_rate", "refusal_recall"] in rows
    assert ["lost", "1", "1.000", "1.000", "1.000"] in rows
    assert ["off", "1", "1.000"] in rows


def test_a_corpus_is_made_of_a_topic_without_what_a_set_leaves_out(asktopic: Command, home: Path) -> None:
    gone = {"id": "g", "question": "How?", "answerable": False, "why_not": "gone", "without": ["lagoons"]}
    write_lines(home / "gone.jsonl", (gone,))
    wind = {"kind": "paper", "id": "wind", "title": "Wind"}
    write_lines(home / "all.jsonl", (*CORPUS[1:], wind))
    arguments = ("--topic", "Tidal Power", "--alias", "TP", "--without", "gone.jsonl")
    made = asktopic("eval", "make", "corpus", "all.jsonl", "part.jsonl", *arguments)
    assert made.exit_code == 0, made.output
    kept = [json.loads(line) for line in (home / "part.jsonl").read_text("utf-8").splitlines()]
    assert [record.get("id", record.get("slug")) for record in kept] == ["tidal-power", "turbines"]


def test_json_is_one_document_and_nothing_else(asktopic: Command, before: str) -> None:
    result = asktopic("eval", "run", "tides", "--out", "as-json", "--baseline", before, "--json")
    said = json.loads(result.stdout)
    assert said["summary"]["questions"] == 3
    changes = {row["metric"]: row for row in said["comparison"]["metrics"]}
    assert (changes["ndcg@10"]["difference"], changes["ndcg@10"]["p"]) == (0.0, 1.0)


def test_the_same_command_goes_on_with_a_finished_run(asktopic: Command, home: Path, before: str) -> None:
    outcomes = (home / before / "outcomes.jsonl").read_bytes()
    assert asktopic("eval", "run", "tides", "--out", before).exit_code == 0
    assert (home / before / "outcomes.jsonl").read_bytes() == outcomes


def test_a_sample_asks_so_many_and_the_seed_decides_which(asktopic: Command, home: Path) -> None:
    for folder in ("drawn", "again"):
        assert (
            asktopic("eval", "run", "tides", "--sample", "2", "--seed", "4", "--out", folder).exit_code == 0
        )
    drawn = (home / "drawn" / "questions.jsonl").read_text("utf-8")
    assert len(drawn.splitlines()) == 2
    assert drawn == (home / "again" / "questions.jsonl").read_text("utf-8")


def test_two_runs_are_compared(asktopic: Command, before: str) -> None:
    result = asktopic("eval", "compare", before, before)
    assert result.exit_code == 0
    assert "Holm p" in result.stdout


def test_a_comparison_says_what_else_has_changed(asktopic: Command, home: Path, before: str) -> None:
    assert "differs" not in asktopic("eval", "compare", before, before).stderr
    drawn = asktopic("eval", "run", "tides", "--sample", "2", "--out", "fewer")
    assert drawn.exit_code == 0
    assert "note: the set differs" in asktopic("eval", "compare", before, "fewer").stderr


def test_a_report_in_every_form(asktopic: Command, home: Path, before: str) -> None:
    (home / "bounds.yaml").write_text("floors: {ndcg@10: 0.5}\nzero_tolerance: [crashed]\n")
    result = asktopic(
        *("eval", "report", before, "--baseline", before, "--thresholds", "bounds.yaml"),
        *("--json-file", "r.json", "--junit", "r.xml", "--markdown", "r.md", "--html", "r.html"),
    )
    assert result.exit_code == 0, result.output
    assert json.loads((home / "r.json").read_text("utf-8"))
    assert ET.parse(home / "r.xml").getroot().tag == "testsuites"
    assert "ndcg@10" in (home / "r.md").read_text("utf-8")
    assert (home / "r.html").read_text("utf-8").startswith("<!doctype html>")


def test_the_gate_opens_closes_and_errs_with_statuses_of_their_own(
    asktopic: Command, home: Path, before: str
) -> None:
    (home / "low.yaml").write_text("floors: {must_cite: 0.5}\n")
    (home / "high.yaml").write_text("floors: {source_diversity: 5}\n")
    (home / "wrong.yaml").write_text("flors: {must_cite: 0.5}\n")
    assert asktopic("eval", "gate", "low.yaml", before).exit_code == 0
    closed = asktopic("eval", "gate", "high.yaml", before)
    assert closed.exit_code == 3
    assert "FAIL" in closed.stdout
    erred = asktopic("eval", "gate", "wrong.yaml", before)
    assert erred.exit_code == 1
    assert "flors" in erred.stderr


def test_a_saved_baseline_is_enough_to_compare_with(asktopic: Command, home: Path, before: str) -> None:
    assert asktopic("eval", "save-baseline", before, "kept").exit_code == 0
    assert {file.name for file in (home / "kept").iterdir()} == {"manifest.json", "scores.csv"}
    (home / "no-worse.yaml").write_text("regressions: {must_cite: 0.0}\n")
    assert asktopic("eval", "gate", "no-worse.yaml", before, "--baseline", "kept").exit_code == 0
    assert asktopic("eval", "report", before, "--baseline", "kept", "--html", "kept.html").exit_code == 0


def test_a_foreign_set_is_imported(asktopic: Command, home: Path) -> None:
    (home / "asked.csv").write_text("question,answer\nHow long does a lagoon store energy?,several hours\n")
    assert asktopic("eval", "import", "asked.csv", "imported").exit_code == 0
    line = json.loads((home / "imported" / "questions.jsonl").read_text("utf-8"))
    assert (line["question"], line["gold_answer"]) == (
        "How long does a lagoon store energy?",
        "several hours",
    )


@pytest.mark.parametrize("kind", ["paraphrases", "typos", "near-miss", "injections"])
def test_a_made_set_stands_on_its_own(asktopic: Command, home: Path, kind: str) -> None:
    result = asktopic("eval", "make", kind, "tides", f"made-{kind}")
    assert result.exit_code == 0, result.output
    ran = asktopic("eval", "run", f"made-{kind}", "--out", f"run-{kind}")
    assert ran.exit_code == 0, ran.output
    assert "crashed" in ran.stdout


def test_sets_are_made_from_what_is_ingested(asktopic: Command, home: Path) -> None:
    assert asktopic("ingest", "tides/corpus.jsonl").exit_code == 0
    for kind in (("catalog",), ("known-items", "--topic", "TP", "--count", "4")):
        result = asktopic("eval", "make", kind[0], f"of-{kind[0]}", *kind[1:])
        assert result.exit_code == 0, result.output
    # A set without a corpus is asked over what is ingested.
    assert asktopic("eval", "run", "of-known-items", "--out", "run-known").exit_code == 0
    assert Scores.read(home / "run-known" / "scores.csv").by_metric["recall@10"]


def test_feedback_becomes_drafts_that_are_not_run(asktopic: Command, home: Path) -> None:
    (home / "said.jsonl").write_text('{"question": "Do lagoons silt up?", "rating": -1}\nnonsense\n')
    made = asktopic("eval", "make", "feedback", "said.jsonl", "drafts")
    assert made.exit_code == 0, made.output
    assert "said.jsonl:2" in made.stderr
    refused = asktopic("eval", "run", "drafts", "--out", "run-drafts")
    assert refused.exit_code == 1
    assert "draft" in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("run", "nowhere"), "nowhere"),
        (("run", "tides", "--split", "dev"), "dev"),
        (("run", "tides", "--url", "127.0.0.1:1", "--out", "x"), "expected one like http"),
        (("run", "tides", "--url", "http://127.0.0.1:9", "--out", "x"), "cannot be reached"),
        (("run", "tides", "--url", "http://127.0.0.1:9", "--corpus", "tides", "--out", "x"), "has its own"),
        (("report", "nowhere"), "holds no run"),
        (("compare", "tides", "tides"), "holds no run"),
        (("gate", "nowhere.yaml", "before"), "nowhere.yaml"),
        (("make", "near-miss", "tides", "y", "--share", "2"), "--share"),
        (("make", "known-items", "y", "--topic", "Chess"), "Chess"),
        (("make", "typos", "tides", "tides"), "already"),
        (("make", "feedback", "nowhere.jsonl", "y"), "nowhere.jsonl"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    asktopic: Command, home: Path, before: str, arguments: tuple[str, ...], said: str
) -> None:
    asktopic("ingest", "tides/corpus.jsonl")
    result = asktopic("eval", *arguments)
    assert result.exit_code == 1, result.output
    last = result.stderr.strip().splitlines()[-1]
    assert last.startswith("asktopic: ")
    assert said in last
    assert not (home / "x").exists()
    assert not (home / "y").exists()


def test_a_report_of_a_saved_baseline_leaves_its_scores_alone(
    asktopic: Command, home: Path, before: str
) -> None:
    assert asktopic("eval", "save-baseline", before, "bare").exit_code == 0
    scores = (home / "bare" / "scores.csv").read_bytes()
    assert asktopic("eval", "report", "bare").exit_code == 0
    assert (home / "bare" / "scores.csv").read_bytes() == scores


def test_a_part_of_a_run_is_not_scored_as_the_whole(asktopic: Command, home: Path, before: str) -> None:
    shutil.copytree(home / before, home / "part")
    file = home / "part" / "questions.jsonl"
    file.write_text(file.read_text("utf-8").splitlines(keepends=True)[0], "utf-8")
    scores = (home / "part" / "scores.csv").read_bytes()
    refused = asktopic("eval", "report", "part")
    assert refused.exit_code == 1
    assert "is not the set that was asked (1 questions, not 3)" in refused.stderr
    assert (home / "part" / "scores.csv").read_bytes() == scores


def test_an_imported_set_keeps_its_corpus(asktopic: Command, home: Path) -> None:
    assert asktopic("eval", "import", "tides", "tides-again").exit_code == 0
    assert (home / "tides-again" / "corpus.jsonl").exists()


def test_a_page_that_cannot_be_written_is_one_line(asktopic: Command, before: str) -> None:
    result = asktopic("eval", "report", before, "--html", "nowhere/page.html")
    assert result.exit_code == 1
    assert result.stderr.startswith("asktopic: nowhere/page.html")
