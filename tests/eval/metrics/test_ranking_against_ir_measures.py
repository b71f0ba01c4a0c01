"""Ranking metrics equal the field's reference, on random runs made to be awkward.

ir_measures computes all but two with trec_eval's own code (pytrec_eval); RR with a cutoff and Judged have
other code, which breaks ties in another order, so those are compared on the run as we write it.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean

import ir_measures
import pytest
from ir_measures import AP, RR, Bpref, Judged, R, Success, nDCG

from eval.metrics import average_precision, bpref, judged, ndcg, recall, reciprocal_rank, success
from eval.outcome import Ranked
from eval.questions.question import EvalQuestion
from eval.runs.trec import read_qrels, read_run, trec_order, write_qrels, write_run

Scores = Mapping[str, Mapping[str, float]]
Judgements = Mapping[str, Mapping[str, int]]
Rankings = Mapping[str, Sequence[Ranked]]
Kernel = Callable[[Sequence[str], Mapping[str, int]], float]

MEASURES: Mapping[str, ir_measures.Measure] = {
    "recall@10": R @ 10,
    "recall@100": R @ 100,
    "success@1": Success @ 1,
    "success@5": Success @ 5,
    "ndcg@10": nDCG @ 10,
    # trec_eval knows linear gain alone; the exponential one is linear gain over mapped grades.
    "ndcg_exp@10": nDCG(gains={grade: 2**grade - 1 for grade in range(4)}) @ 10,
    "rr@10": RR @ 10,
    "ap@100": AP @ 100,
    "bpref": Bpref,
    "judged@10": Judged @ 10,
}
OTHER_TIES = {"rr@10", "judged@10"}
METRICS = {
    metric.name: metric
    for module in (average_precision, bpref, judged, ndcg, recall, reciprocal_rank, success)
    for metric in module.METRICS
}
KERNELS: Mapping[str, Kernel] = {
    "recall@10": partial(recall.recall, k=10),
    "recall@100": partial(recall.recall, k=100),
    "success@1": partial(success.success, k=1),
    "success@5": partial(success.success, k=5),
    "ndcg@10": partial(ndcg.ndcg, k=10),
    "ndcg_exp@10": partial(ndcg.ndcg_exp, k=10),
    "rr@10": partial(reciprocal_rank.reciprocal_rank, k=10),
    "ap@100": partial(average_precision.average_precision, k=100),
    "bpref": bpref.bpref,
    "judged@10": partial(judged.judged, k=10),
}
QUESTIONS = 300
TOLERANCE = 1e-9
POOL = [f"arxiv:{number:04d}" for number in range(400)] + [f"Δ-paper-{number}" for number in range(40)]


def random_judgements(rng: random.Random) -> dict[str, dict[str, int]]:
    """Grades 0 to 3 of up to 150 sources a question; now and then none is relevant."""
    judgements = {}
    for number in range(QUESTIONS):
        sources = rng.sample(POOL, rng.choice((1, 2, 5, 30, 150)))
        grades = rng.choice(((0, 0, 0, 1, 2, 3), (0, 1), (1, 2, 3), (0,), (0, 0, 0, 0, 0, 0, 0, 0, 1)))
        judgements[f"q{number}"] = {source: rng.choice(grades) for source in sources}
    return judgements


def random_scores(rng: random.Random, judgements: Judgements) -> dict[str, dict[str, float]]:
    """Rankings of up to 250 sources, many judged, with ties of every kind; a tenth of questions have none."""
    scores: dict[str, dict[str, float]] = {}
    for question, judged_sources in judgements.items():
        if rng.random() < 0.1:
            continue
        known = rng.sample(sorted(judged_sources), rng.randint(0, len(judged_sources)))
        sources = {*known, *rng.sample(POOL, rng.choice((1, 3, 9, 60, 200)))}
        draw: Callable[[], float] = rng.choice(
            (
                rng.random,
                lambda: float(rng.randint(-3, 3)),
                lambda: 0.0,
                # Distinct, and yet ties for a tool with 32-bit scores.
                lambda: 0.5 + rng.random() * 1e-9,
            )
        )
        scores[question] = {source: draw() for source in rng.sample(sorted(sources), len(sources))}
    return scores


@pytest.fixture(scope="module", params=range(4))
def seed(request: pytest.FixtureRequest) -> int:
    seed: int = request.param
    return seed


@pytest.fixture(scope="module")
def judgements(seed: int) -> Judgements:
    return random_judgements(random.Random(seed))


@pytest.fixture(scope="module")
def scores(seed: int, judgements: Judgements) -> Scores:
    return random_scores(random.Random(seed), judgements)


@pytest.fixture(scope="module")
def rankings(seed: int, scores: Scores) -> Rankings:
    """Rankings by falling score in which ties stand in random order, as no tool would have them."""
    rng = random.Random(seed)
    return {
        question: tuple(
            Ranked(id=source, score=score)
            for source, score in sorted(row.items(), key=lambda entry: (-entry[1], rng.random()))
        )
        for question, row in scores.items()
    }


@pytest.fixture(scope="module")
def run_file(rankings: Rankings, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rankings as we write them."""
    path = tmp_path_factory.mktemp("run") / "run.trec"
    write_run(path, rankings, tag="asktopic")
    return path


@dataclass(frozen=True)
class Figures:
    """Values by metric and question, and their means by metric."""

    each: Mapping[str, Mapping[str, float]]
    mean: Mapping[str, float]


def reference(judgements: object, run: object) -> Figures:
    """Return what ir_measures says, asked for each measure alone.

    Asked for several at once, it (0.4.3) may compute nDCG with the gains of another nDCG, as the order of a
    set has it.
    """
    each: dict[str, dict[str, float]] = {}
    mean: dict[str, float] = {}
    for name, measure in MEASURES.items():
        calculated = ir_measures.calc([measure], judgements, run)
        each[name] = {entry.query_id: float(entry.value) for entry in calculated.per_query}
        mean[name] = float(calculated.aggregated[measure])
    return Figures(each, mean)


@pytest.fixture(scope="module")
def of_scores(judgements: Judgements, scores: Scores) -> Figures:
    """The reference's figures for the scores as another tool would hand them over, ties and all."""
    return reference(judgements, scores)


@pytest.fixture(scope="module")
def of_run_file(judgements: Judgements, run_file: Path) -> Figures:
    return reference(judgements, list(ir_measures.read_trec_run(str(run_file))))


def assert_equal(ours: Mapping[str, float], name: str, theirs: Figures) -> None:
    assert ours.keys() == theirs.each[name].keys()
    differing = {
        question: (value, theirs.each[name][question])
        for question, value in ours.items()
        if abs(value - theirs.each[name][question]) > TOLERANCE
    }
    assert not differing
    assert abs(fmean(ours.values()) - theirs.mean[name]) <= TOLERANCE


def questions_of(judgements: Judgements) -> list[EvalQuestion]:
    return [
        EvalQuestion(id=question, question="Which paper is it?", relevant=dict(row))
        for question, row in judgements.items()
    ]


def test_the_random_runs_are_as_awkward_as_they_should_be(judgements: Judgements, scores: Scores) -> None:
    assert set(judgements) - set(scores), "no question is missing from the run"
    assert any(not any(row.values()) for row in judgements.values()), "every question has a relevant source"
    assert {grade for row in judgements.values() for grade in row.values()} == {0, 1, 2, 3}
    assert any(len(set(row.values())) < len(row) for row in scores.values()), "no score ties"
    assert any(set(row) - set(judgements[question]) for question, row in scores.items()), "all is judged"
    assert any(len(row) > 100 for row in scores.values()), "no ranking reaches below 100"


@pytest.mark.parametrize("name", sorted(KERNELS.keys() - OTHER_TIES))
def test_another_tool_s_run_with_ties_scores_as_trec_eval_scores_it(
    name: str, judgements: Judgements, scores: Scores, of_scores: Figures
) -> None:
    ours = {
        question: KERNELS[name](trec_order(scores.get(question, {})), row)
        for question, row in judgements.items()
    }
    assert_equal(ours, name, of_scores)
    assert 0 < of_scores.mean[name] < 1


def test_the_rank_of_the_first_relevant_source_is_that_of_trec_eval(
    judgements: Judgements, scores: Scores
) -> None:
    for entry in ir_measures.iter_calc([RR], judgements, scores):
        uncut, row = float(entry.value), judgements[entry.query_id]
        expected = uncut if uncut > 1 / 10.5 else 0.0
        ranked = trec_order(scores.get(entry.query_id, {}))
        assert abs(reciprocal_rank.reciprocal_rank(ranked, row, 10) - expected) <= TOLERANCE


@pytest.mark.parametrize("name", sorted(KERNELS))
def test_the_written_run_scores_as_our_own_order_does(
    name: str, judgements: Judgements, rankings: Rankings, of_run_file: Figures
) -> None:
    ours = {
        question: KERNELS[name]([ranked.id for ranked in rankings.get(question, ())], row)
        for question, row in judgements.items()
    }
    assert_equal(ours, name, of_run_file)


def test_the_order_of_ties_makes_a_difference_that_writing_them_as_they_are_would_lose(
    of_scores: Figures, of_run_file: Figures
) -> None:
    assert abs(of_scores.mean["ndcg@10"] - of_run_file.mean["ndcg@10"]) > 1e-4


def test_the_means_of_run_and_qrels_files_are_those_of_our_metrics(
    judgements: Judgements, rankings: Rankings, run_file: Path, tmp_path: Path
) -> None:
    """Both files together: the questions to which a metric applies are those that a tool averages over."""
    questions = questions_of(judgements)
    write_qrels(tmp_path / "qrels.trec", questions)
    qrels = ir_measures.read_trec_qrels(str(tmp_path / "qrels.trec"))
    theirs = reference(list(qrels), list(ir_measures.read_trec_run(str(run_file))))
    for name, metric in METRICS.items():
        ours = {
            question.id: KERNELS[name](
                [ranked.id for ranked in rankings.get(question.id, ())], question.relevant
            )
            for question in questions
            if metric.applies(question)
        }
        assert_equal(ours, name, theirs)


def test_our_own_reading_of_the_files_gives_order_and_judgements_back(
    judgements: Judgements, rankings: Rankings, run_file: Path, tmp_path: Path
) -> None:
    assert {question: [ranked.id for ranked in row] for question, row in read_run(run_file).items()} == {
        question: [ranked.id for ranked in row] for question, row in rankings.items() if row
    }
    write_qrels(tmp_path / "qrels.trec", questions_of(judgements))
    assert read_qrels(tmp_path / "qrels.trec") == {
        question: row for question, row in judgements.items() if any(row.values())
    }


def rankings_of_three() -> Iterator[tuple[tuple[str, ...], dict[str, int]]]:
    """Every ranking of three sources under every judgement with grades 0 to 3."""
    for order in itertools.permutations("abc"):
        for grades in itertools.product(range(4), repeat=3):
            yield order, dict(zip("abc", grades, strict=True))


@pytest.mark.parametrize("k", [1, 2, 3])
def test_exponential_gain_follows_the_formula_where_the_ideal_is_found_by_trying_every_order(k: int) -> None:
    def dcg(order: Sequence[str], grades: Mapping[str, int]) -> float:
        return math.fsum(
            (math.exp2(grades[source]) - 1) * math.log(2) / math.log(position + 2)
            for position, source in enumerate(order[:k])
        )

    for order, grades in rankings_of_three():
        best = max(dcg(other, grades) for other in itertools.permutations("abc"))
        expected = dcg(order, grades) / best if best else 0.0
        assert ndcg.ndcg_exp(order, grades, k) == pytest.approx(expected, abs=1e-12)
