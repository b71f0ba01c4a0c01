"""Whatever path a search takes: all it finds lies in the scope, and nothing nearer in the scope is missing.

What is true is worked out here, from the records as they were written and from the vectors in the file.
"""

from __future__ import annotations

import datetime as dt
import itertools
import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pytest
from numpy.typing import NDArray

from index.encoder import Encoder
from index.follow import Follower
from index.records import Explainer, Paper, Section, Topic
from index.snapshot import Snapshot
from index.stores.dense import OVERSAMPLING
from index.stores.lexical import Scope, analyze

if TYPE_CHECKING:
    from tests.index.conftest import DataFolder

SLUGS = ("quartz", "basalt", "gypsum")
AUTHORS = ("Ada Smith", "Smith John", "María Núñez", "Doe Ada")
VENUES = ("ICML 2021", "NeurIPS 2021", "Journal of Robots", "")
WORDS = (
    "agent policy reward value state action replay buffer sample error method plan goal task robot".split()
)
FIRST = dt.date(2024, 1, 1)
PAPERS, EXPLAINERS, LIMIT = 300, 30, 20

PATHS = {
    "kept": {"exact_chunks": 10_000, "scan_chunks": 0},
    "gathered": {"exact_chunks": 0, "scan_chunks": 0},
    "scanned": {"exact_chunks": 0, "scan_chunks": 10_000},
    "through Chroma": {"exact_chunks": 0, "scan_chunks": 0},
}
"""Settings under which a search takes each path. Chroma is asked for everything only: a scope is gathered."""
EXACT = ("kept", "gathered")


def make_records() -> list[Paper | Explainer]:
    """Random records; every tenth paper says the same as the one before, so that there are ties."""
    draw = random.Random(11)
    found: list[Paper | Explainer] = []
    text = title = ""
    for number in range(PAPERS):
        if number % 10:
            title, text = (" ".join(draw.choices(WORDS, k=count)).capitalize() for count in (3, 8))
        found.append(
            Paper(
                id=f"p{number}",
                title=title or "Untitled",
                abstract=f"{text or 'Nothing'}.",
                authors=tuple(draw.sample(AUTHORS, draw.randint(0, 2))),
                venue=draw.choice(VENUES),
                date=draw.choice([None, *(FIRST + dt.timedelta(days=days) for days in range(40))]),
                tags=tuple(slug.capitalize() for slug in draw.sample(SLUGS, draw.randint(0, 2))),
            )
        )
    for number in range(EXPLAINERS):
        section = Section(heading="Basics", text=" ".join(draw.choices(WORDS, k=12)).capitalize() + ".")
        found.append(
            Explainer(
                id=f"e{number}",
                topic=draw.choice(SLUGS).capitalize(),
                title=" ".join(draw.choices(WORDS, k=2)).capitalize(),
                sections=(section,),
                date=draw.choice([None, FIRST + dt.timedelta(days=draw.randrange(40))]),
            )
        )
    return found


def lies_in(record: Paper | Explainer, scope: Scope) -> bool:
    """What the filters mean, said once more."""
    authors, venue, tags = (
        (record.authors, record.venue, record.tags)
        if isinstance(record, Paper)
        else ((), "", (record.topic,))
    )
    first, last = scope.date_from or dt.date.min, scope.date_to or dt.date.max
    dated = scope.date_from is None and scope.date_to is None
    return (
        (scope.topic is None or scope.topic.capitalize() in tags)
        and (dated or (record.date is not None and first <= record.date <= last))
        and (not scope.authors or any(_holds(name, asked) for asked in scope.authors for name in authors))
        and (not scope.venues or any(_holds(venue, asked) for asked in scope.venues))
        and (not scope.kinds or record.kind in scope.kinds)
        and (not scope.ids or record.id in scope.ids)
    )


def _holds(name: str, asked: str) -> bool:
    return f" {asked} " in f" {name} "


def scopes() -> list[Scope]:
    """Every combination of filters, each with values of its own: 128 of them."""
    draw = random.Random(12)
    found = []
    for topic, first, last, author, venue, kind, ids in itertools.product((False, True), repeat=7):
        found.append(
            Scope(
                topic=draw.choice(SLUGS) if topic else None,
                date_from=FIRST + dt.timedelta(days=draw.randrange(15)) if first else None,
                date_to=FIRST + dt.timedelta(days=draw.randrange(20, 40)) if last else None,
                authors=tuple(draw.sample(["Smith", "Ada Smith", "Doe", "Núñez"], 2)) if author else (),
                venues=tuple(draw.sample(["ICML", "2021", "Robots"], 2)) if venue else (),
                kinds=tuple(draw.sample(["paper", "explainer"], draw.choice([1, 1, 2]))) if kind else (),
                ids=tuple(f"p{n}" for n in range(draw.randrange(9), PAPERS, 2)) if ids else (),
            )
        )
    return found


def queries() -> NDArray[np.float32]:
    found = np.random.default_rng(6).standard_normal((5, 384)).astype(np.float32)
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    return found


class Truth:
    """The chunks of an index with their records, and their vectors as they lie in the file, (n, d)."""

    def __init__(self, folder: DataFolder, snapshot: Snapshot, records: list[Paper | Explainer]) -> None:
        by_id = {record.id: record for record in records}
        self.records = [by_id[snapshot.record_of(row).id] for row in range(snapshot.chunks)]
        self.texts = [
            analyze(f"{record.title} {snapshot.text_of(row).heading} {snapshot.text_of(row).text}")
            for row, record in enumerate(self.records)
        ]
        stored = np.fromfile(folder.vectors_file, np.int8).reshape(-1, 384).astype(np.float64)
        places = [place for (place,) in snapshot.catalog.rows("SELECT vectors FROM chunks ORDER BY key")]
        self.vectors = stored[places] / np.linalg.norm(stored[places], axis=1, keepdims=True)

    def members(self, scope: Scope) -> NDArray[np.int64]:
        return np.array([row for row, each in enumerate(self.records) if lies_in(each, scope)], np.int64)

    def check(
        self, query: NDArray[np.float32], scope: Scope, rows: NDArray[np.int64], cosines: NDArray[np.float32]
    ) -> None:
        """Assert that `rows` are the nearest of the scope, ties in the order of rows, with their cosines."""
        members = self.members(scope)
        scores = self.vectors @ query
        assert set(rows.tolist()) <= set(members.tolist())
        assert len(set(rows.tolist())) == len(rows) == min(LIMIT, len(members))
        assert cosines == pytest.approx(scores[rows], abs=1e-6)
        # Rounded, so that what differs by less than float32 tells apart is a tie here too.
        expected = members[np.argsort(-np.round(scores[members], 6), kind="stable")][:LIMIT]
        assert np.round(scores[rows], 6) == pytest.approx(np.round(scores[expected], 6), abs=2e-6)
        missed = set(expected.tolist()) - set(rows.tolist())
        assert all(scores[row] <= scores[rows].min() + 2e-6 for row in missed)


@pytest.fixture(scope="module")
def records() -> list[Paper | Explainer]:
    return make_records()


@pytest.fixture(scope="module")
def built(
    records: list[Paper | Explainer],
    data_folder: type[DataFolder],
    encoder: Encoder,
    tmp_path_factory: pytest.TempPathFactory,
) -> DataFolder:
    folder = data_folder(tmp_path_factory.mktemp("scopes"), encoder)
    topics = [Topic(slug=slug, name=slug.capitalize()) for slug in SLUGS]
    report = folder.ingest(*topics, *records)
    assert not report.quarantined
    return folder


@pytest.fixture(params=PATHS)
def path(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "scanned":
        monkeypatch.setattr("index.stores.dense.GATHERED", 0)  # small scopes too
    return str(request.param)


@pytest.fixture
def snapshot(built: DataFolder, path: str) -> Iterator[Snapshot]:
    with built.snapshot(built.settings.model_copy(update=PATHS[path])) as snapshot:
        yield snapshot


@pytest.fixture
def truth(built: DataFolder, snapshot: Snapshot, records: list[Paper | Explainer]) -> Truth:
    return Truth(built, snapshot, records)


def test_every_combination_of_filters_finds_exactly_the_nearest_in_it(
    snapshot: Snapshot, truth: Truth, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: set[str] = set()
    dense = snapshot.dense
    for name in ("_kept", "_scanned", "_approximate"):
        own = getattr(dense, name)
        monkeypatch.setattr(dense, name, lambda *given, name=name, own=own: (taken.add(name), own(*given))[1])
    sizes = []
    for scope in scopes():
        rows = snapshot.rows_of(scope)
        sizes.append(snapshot.chunks if rows is None else len(rows))
        assert rows is None or rows.tolist() == truth.members(scope).tolist()
        for query in queries():
            truth.check(query, scope, *dense.search(query, rows, scope.name, LIMIT))
    assert sum(size > LIMIT for size in sizes) > 60, "scopes in which something can be missed"
    expected = {"kept": {"_kept"}, "scanned": {"_scanned"}}.get(path, {"_approximate"})
    assert taken == expected, "the path meant was the path taken"


def test_the_lexical_side_keeps_to_the_scope_and_misses_nothing(
    built: DataFolder, records: list[Paper | Explainer]
) -> None:
    with built.snapshot() as snapshot:
        truth = Truth(built, snapshot, records)
        terms = analyze("replay buffers of agents")
        holding = {row for row, text in enumerate(truth.texts) if set(terms) & set(text)}
        keys, scores = snapshot.lexical.search(terms, Scope(), snapshot.chunks)
        everywhere = dict(zip(snapshot.rows_of_keys(keys).tolist(), scores.tolist(), strict=True))
        assert set(everywhere) == holding
        for scope in scopes():
            inside = sorted((everywhere[row] for row in truth.members(scope) if row in holding), reverse=True)
            keys, scores = snapshot.lexical.search(terms, scope, LIMIT)
            rows = snapshot.rows_of_keys(keys).tolist()
            assert set(rows) <= set(truth.members(scope).tolist()) & holding
            assert scores.tolist() == pytest.approx(inside[:LIMIT], rel=1e-5)
            assert [everywhere[row] for row in rows] == pytest.approx(scores.tolist(), rel=1e-5)


def test_sentences_of_explainers_are_searched_within_the_scope(
    built: DataFolder, records: list[Paper | Explainer]
) -> None:
    with built.snapshot() as snapshot:
        truth = Truth(built, snapshot, records)
        for scope in scopes():
            explaining = {
                row for row in truth.members(scope).tolist() if truth.records[row].kind == "explainer"
            }
            found = snapshot.explainer_sentences(scope, queries()[0], EXPLAINERS)
            assert set(found) == explaining


def test_a_scan_of_many_near_vectors_misses_next_to_nothing() -> None:
    """Recall of rough scores with oversampling, where the nearest hundred of 20,000 lie close together."""
    from index.stores.dense import top
    from index.stores.scan import IntegerScan
    from index.stores.sentence_vectors import quantise, unit

    draw = np.random.default_rng(8)
    centres = draw.standard_normal((40, 384))
    rows = quantise(
        (centres[draw.integers(40, size=20_000)] + draw.standard_normal((20_000, 384))).astype("f4")
    )
    scan, exact = IntegerScan(rows), unit(rows)
    recalls = []
    for centre in centres[:20]:
        query = (centre + draw.standard_normal(384)).astype(np.float32)
        query /= np.linalg.norm(query)
        nearest = top(exact @ query, 100)
        rough = top(scan.cosines(query), OVERSAMPLING * 100)
        recalls.append(len(np.intersect1d(nearest, rough)) / 100)
    assert np.mean(recalls) >= 0.99


@pytest.mark.parametrize("settings", PATHS.values(), ids=PATHS)
def test_a_scope_is_never_searched_in_the_vectors_of_an_earlier_generation(
    folder: DataFolder, records: list[Paper | Explainer], settings: dict[str, int]
) -> None:
    """Papers leave the topic, change and come: with a matrix kept under the topic's name all the while."""
    topics = [Topic(slug=slug, name=slug.capitalize()) for slug in SLUGS]
    scope = Scope(topic=SLUGS[0])
    papers = [record for record in records if isinstance(record, Paper)][:60]
    follower = Follower(folder.settings.model_copy(update=settings), folder.fingerprint)
    try:
        for turn in range(3):
            changed: list[Paper | Explainer] = [
                paper.model_copy(
                    update={
                        "tags": (SLUGS[(number + turn) % 3].capitalize(),),
                        "abstract": f"{paper.abstract} {WORDS[turn].capitalize()} {number % 7}.",
                    }
                )
                for number, paper in enumerate(papers[10 * turn : 40 + 10 * turn])
            ]
            folder.ingest(*topics, *changed, prune=True)
            with follower.lease() as snapshot:
                assert snapshot.generation == turn + 1
                truth = Truth(folder, snapshot, changed)
                for query in queries():
                    for asked in (scope, Scope()):
                        found = snapshot.dense.search(query, snapshot.rows_of(asked), asked.name, LIMIT)
                        truth.check(query, asked, *found)
    finally:
        follower.close()


def test_many_topics_asked_in_turn_are_kept_within_the_budget_and_stay_right(
    folder: DataFolder, records: list[Paper | Explainer]
) -> None:
    names = [f"Mineral{number:02}" for number in range(16)]
    draw = random.Random(3)
    tagged: list[Paper | Explainer] = [
        record.model_copy(update={"tags": tuple(draw.sample(names, 8))})
        for record in records
        if isinstance(record, Paper)
    ]
    folder.ingest(*(Topic(slug=name.lower(), name=name) for name in names), *tagged)
    with folder.snapshot(folder.settings.model_copy(update={"memory_mb": 1})) as snapshot:
        truth = Truth(folder, snapshot, tagged)
        sizes = {}
        for name in draw.choices(names, k=60):
            scope = Scope(topic=name.lower())
            rows = snapshot.rows_of(scope)
            assert rows is not None
            sizes[name] = 4 * 384 * len(rows)
            truth.check(queries()[0], scope, *snapshot.dense.search(queries()[0], rows, scope.name, LIMIT))
            kept = [matrix.nbytes for matrix in snapshot.dense._matrices.values()]
            assert sum(kept) <= 1_000_000
        assert sum(sizes.values()) > 2_000_000, "all of them would not have fitted"
        assert len(kept) > 1, "the budget is used"
