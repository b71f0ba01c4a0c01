"""Sentence boundaries of scientific prose, lists, formulas and code."""

import json
import lzma
import random
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import pytest

from index.text.repair import repair
from index.text.sentences import sentences


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    "sentence",
    [
        "Mnih et al. (2015) and Silver et al. show it.",
        "Some methods, e.g. Adam, i.e. a first-order rule, are fast.",
        "As Fig. 3, Figs. 4 and Eq. (2) in Sec. IV and App. B show, it holds.",
        "We compare offline vs. Online learning, cf. Table 2.",
        "The gradient w.r.t. Gaussian noise and i.i.d. samples, resp. Non-i.i.d. ones, is small.",
        "It is due to R. S. Sutton and A. Barto.",
        "It rose from 0.35 to 2.5 in v1.0 at https://a.b/c.html?x=1. today.",
        "Let \\(f. We have x. Then\\) hold for all.",
        "Thus \\[a = b. \\text{ Then } c.\\] holds.",
        "We (1) learn a model; (2) plan with it; and (3) act.",
        "Does it (is that so?) hold or not?",
        "Agents learn to walk, run, ... and jump.",
        "It took approx. 10 hours on No. 3 of St. Petersburg by Dr. Smith.",
        "We use Yahoo! Answers and GraspIt! [16] as data.",
        "“Is it safe?” asks the agent.",
        "Such cues (faces, hands, etc.) Help little.",
        "There are two: 1. Models are wrong.",
        "It is used in the U.S. Government and by Ph.D. students a.k.a. Juniors.",
    ],
)
def test_a_sentence_stays_whole(sentence: str) -> None:
    assert split(sentence) == [sentence]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("It solves many tasks.", "Experiments show it."),
        ("It is 2.5x.", "Next we test it."),
        ("It handles faces, hands, etc.", "The rest is hard."),
        ("We follow Smith et al.", "We also differ."),
        ("It is done w.r.t. rewards.", "pFedMe learns more."),
        ("It is personalised.", "t-SNE shows why."),
        ("The data are i.i.d.", "However, few are used."),
        ("Does it work?", "Yes, it does."),
        ("It works!", "We show why."),
        ("It is in class A.", "However, few are."),
        ("They chose vitamin C.", "Results agree."),
        ('It is called "soft."', "It is not."),
        ("It holds (see above.)", "We prove it."),
        ("It was shown before.[5]", "We extend it."),
        ("It was shown before [5].", "We extend it."),
        ("We bound \\(x.y\\).", "\\(Y\\) follows."),
        ("Then \\[a = b.\\]", "We prove it."),
        ("It holds for all k.", "Upon arrival, it acts."),
        ("It is slow.", "(2) It is costly."),
        ("It is slow.", "3D models are faster."),
        ("Is it so?", "(b) can it be reduced?"),
        ("It can act ...", "The rest is open."),
        ("This costs $5.", "That costs more."),
        ("It ends here.”", "“Not yet.”"),
    ],
)
def test_a_boundary_is_found(first: str, second: str) -> None:
    assert split(f"{first} {second}") == [first, second]


def test_a_lost_space_does_not_hide_a_boundary() -> None:
    assert split("It has bounded support.We show it. See Node.The api") == [
        "It has bounded support.",
        "We show it.",
        "See Node.The api",
    ]


def test_full_width_terminators_need_no_space() -> None:
    assert split("强化学习。它很好！") == ["强化学习。", "它很好！"]


def test_numbered_items_keep_their_numbers() -> None:
    assert split("1. Models are wrong. 2. Data are few.") == ["1. Models are wrong.", "2. Data are few."]


def test_newlines_end_sentences() -> None:
    text = "A heading\n\nTwo kinds:\n- on-policy methods\n- off-policy ones\n\nThe rest. And more"
    assert split(text) == [
        "A heading",
        "Two kinds:",
        "- on-policy methods",
        "- off-policy ones",
        "The rest.",
        "And more",
    ]


def test_formulas_over_several_lines_stay_whole() -> None:
    assert split("It is\n\\[\na = b. \\\\\nC\n\\]\nalways.") == [
        "It is",
        "\\[\na = b. \\\\\nC\n\\]",
        "always.",
    ]


def test_code_is_cut_by_line_alone() -> None:
    text = "Run this. Then wait.\n```python\nx = 1  # One. Two.\ny = '\\\\(a'\n```\nDone. Good."
    assert split(text) == [
        "Run this.",
        "Then wait.",
        "```python",
        "x = 1  # One. Two.",
        "y = '\\\\(a'",
        "```",
        "Done.",
        "Good.",
    ]


def test_leftover_marks_belong_to_the_sentence_before_them() -> None:
    assert split('It works well. "') == ['It works well. "']


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\u3000"])
def test_nothing_gives_nothing(text: str) -> None:
    assert sentences(text) == []


def assert_partition(text: str) -> None:
    at = 0
    for start, end in sentences(text):
        assert at <= start < end
        assert text[at:start].strip() == ""
        assert text[start:end] == text[start:end].strip()
        at = end
    assert text[at:].strip() == ""


def test_random_text_is_partitioned() -> None:
    rng = random.Random(3)
    alphabet = [
        *"aB z.?!…。\n\t()[]\"'”\\:;,1é漢\u2028\ud800",
        "\\(",
        "\\)",
        "\\[",
        "\\]",
        "```\n",
        "et al. ",
        "The ",
    ]
    for _ in range(5_000):
        assert_partition("".join(rng.choice(alphabet) for _ in range(rng.randrange(60))))


@pytest.mark.parametrize(
    "unit",
    [".", "!?", ".)", ". ", " .", "\\(", "\\]", "a.\\] ", "```\n", "\n", "[1", "A. ", ".[1,", "。", "...The"],
)
def test_time_grows_no_faster_than_the_text(unit: str) -> None:
    def seconds(length: int) -> float:
        text = unit * (length // len(unit))
        start = time.thread_time()
        sentences(text)
        return time.thread_time() - start

    # Eight times the text: linear takes 8 times as long, quadratic 64. Time of this thread alone, so a busy
    # machine does not matter; the floor keeps the clock's grain out of the ratio.
    small = min(seconds(20_000) for _ in range(2))
    assert seconds(160_000) < 24 * max(small, 0.01)


def test_threads_agree() -> None:
    texts = [f"Agent {n} acts. It is paid, e.g. by rewards. Then it stops." for n in range(200)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(sentences, texts)) == [sentences(text) for text in texts]


def test_real_abstracts_are_partitioned_into_sentences_of_usual_length(shared_data: Path) -> None:
    lengths: list[int] = []
    with lzma.open(shared_data / "papers.jsonl.xz", "rt", encoding="utf-8") as lines:
        for line in islice(lines, 0, 40_000, 20):
            text = repair(json.loads(line)["abstract"] or "")
            assert_partition(text)
            lengths += [end - start for start, end in sentences(text)]
    lengths.sort()
    assert 120 < lengths[len(lengths) // 2] < 200
    assert sum(length < 25 for length in lengths) < len(lengths) / 200
    assert sum(length > 600 for length in lengths) < len(lengths) / 200
