"""Repair on the faults that real abstracts, titles and explainers have."""

import datetime as dt
import json
import lzma
import random
import time
from itertools import islice
from pathlib import Path

import pytest

from index.records import Explainer, Paper, Section, Topic
from index.text.repair import RepairCounts, repair, repair_record, repair_section


@pytest.mark.parametrize(
    ("found", "stored"),
    [
        ("A plain sentence about agents.", "A plain sentence about agents."),
        ("two  spaces   and\ta tab ", "two spaces and a tab"),
        ("the ﬁrst eﬃcient ﬂow, oﬀ", "the first efficient flow, off"),
        ("cafe\u0301 Å", "café Å"),
        ("x² and ½ stay", "x² and ½ stay"),
        ("gains &mdash; small &lt;1&gt; A&amp;amp;B &#39;x&#39;", "gains — small <1> A&B 'x'"),
        ("AT&T and R&D stay", "AT&T and R&D stay"),
        ("the robotâ\x80\x99s arm at 20Â°", "the robot’s arm at 20°"),
        ("the robot\x92s arm", "the robot’s arm"),
        ("LE CAFÉ» et Å”", "LE CAFÉ» et Å”"),
        ("a\x00b\x07c\ud800d", "abcd"),
        ("non\u00a0breaking\u2009thin", "non breaking thin"),
        ("classi(cid:12)ers are ef(cid:2)cient", "classifiers are efficient"),
        ("(cid:147)tempered(cid:148)", "“tempered”"),
        ("a bound (cid:10) holds", "a bound � holds"),
    ],
)
def test_characters_are_put_right(found: str, stored: str) -> None:
    assert repair(found) == stored


def test_invisible_and_bidi_characters_go() -> None:
    hidden = "rank\u200bing \u202eevil\u202c a\u2060b\ufeff \U000e0041\U000e0042c\ufe0f"
    assert repair(hidden) == "ranking evil ab c"


@pytest.mark.parametrize(
    ("found", "stored"),
    [
        ("it re- quires exper- iments", "it requires experiments"),
        ("lo(cid:173) cal rules of recti(cid:173)\nfication", "local rules of rectification"),
        ("the hi\u00adgher or\u00ad der", "the higher order"),
        ("mis-\nmatches of con\x02ducted tests", "mismatches of conducted tests"),
        ("parameteri- zation", "parameterization"),
        ("zero- shot transfer, human- annotated", "zero-shot transfer, human-annotated"),
        ("an end-to- end policy, state- of-the-art", "an end-to-end policy, state-of-the-art"),
        ("short- and long-term", "short- and long-term"),
        ("over- or under-fitting", "over- or under-fitting"),
        ("low- to high-level", "low- to high-level"),
        ("two methods- a new one and an old one", "two methods- a new one and an old one"),
        ("the Hodgkin(cid:173) Huxley model", "the Hodgkin-Huxley model"),
        ("Q- learning with an x- ray", "Q-learning with an x-ray"),
        ("we show - as others did - that", "we show - as others did - that"),
    ],
)
def test_words_broken_at_line_ends_are_mended(found: str, stored: str) -> None:
    assert repair(found) == stored


def test_the_text_itself_says_how_a_broken_word_is_spelled() -> None:
    assert repair("A frobni- cator: the frobnicator learns.") == "A frobnicator: the frobnicator learns."
    assert repair("The sub- space; a sub-space is small.") == "The sub-space; a sub-space is small."


@pytest.mark.parametrize(
    ("found", "stored"),
    [
        ("one line\r\nwrapped here", "one line wrapped here"),
        ("a page broke\n\nin mid-sentence", "a page broke in mid-sentence"),
        ("First part.\n \n\nSecond part.", "First part.\n\nSecond part."),
        ("We show:\n- one,\n- two.", "We show:\n- one, - two."),
        ("We show:\n(1) one;\n(2) two.", "We show:\n(1) one;\n(2) two."),
        ("by Koolen et\nal. (2010)", "by Koolen et al. (2010)"),
    ],
)
def test_line_breaks_of_prose(found: str, stored: str) -> None:
    assert repair(found) == stored


@pytest.mark.parametrize(
    ("found", "stored"),
    [
        ("a regret of $O(\\sqrt{T})$.", "a regret of \\(O(\\sqrt{T})\\)."),
        ("$R^3$: Robots", "\\(R^3\\): Robots"),
        ("in time $$O(n^2)$$ at most", "in time \\[O(n^2)\\] at most"),
        ("$2\\times$$\\sim$$3\\times$ faster", "\\(2\\times\\)\\(\\sim\\)\\(3\\times\\) faster"),
        ("the \\(k\\)-th and \\[ x = 1 \\] stay", "the \\(k\\)-th and \\[ x = 1 \\] stay"),
        ("$k$ of $ 4k $ and $20 imes$", "\\(k\\) of \\(4k\\) and \\(20\\times\\)"),
        ("8$ imes$ faster, cow$\tightarrow$sheep", "8\\(\\times\\) faster, cow\\(\\rightarrow\\)sheep"),
        (
            "16$ imes$16 by $ au$, $ ext{F}_{ ext{s}}$",
            "16\\(\\times\\)16 by \\(\\tau\\), \\(\\text{F}_{\\text{s}}\\)",
        ),
        ("it costs $5 now and $10 later", "it costs $5 now and $10 later"),
        ("from $10,301 profit to less than $ 400", "from $10,301 profit to less than $ 400"),
        ("a ($250) hand for \\$2,000 USD", "a ($250) hand for $2,000 USD"),
        ("$20-$50 a day", "$20-$50 a day"),
        ("cost $5 for $k$ arms", "cost $5 for \\(k\\) arms"),
        ("an mAP of 54.4%$that is lower", "an mAP of 54.4%that is lower"),
        ("cut short in the regime $n", "cut short in the regime n"),
        ("set $HOME first", "set $HOME first"),
    ],
)
def test_dollar_signs(found: str, stored: str) -> None:
    assert repair(found) == stored


@pytest.mark.parametrize(
    ("found", "stored"),
    [
        ("{\\em deep} and \\emph{wide \\textbf{nets}}", "deep and wide nets"),
        ("{\\it  mean field} of \\em sparse sets", "mean field of sparse sets"),
        ("the set {0,1} and \\{a\\}", "the set {0,1} and {a}"),
        (
            'H\\"older, Poincar\\\'e, Erd\\H{o}s, \\v{C}ech, na{\\"\\i}ve',
            "Hölder, Poincaré, Erdős, Čech, naïve",
        ),
        ('a \\"quoted phrase\\" here', 'a "quoted phrase" here'),
        ("in Fig.~3 by~Smith at ~10% and 5~10", "in Fig. 3 by Smith at ~10% and 5~10"),
        ("at http://x.edu/~me and \\url{http://y.org/~a--b}", "at http://x.edu/~me and http://y.org/~a--b"),
        ("90\\% of R\\&D", "90% of R&D"),
        ("one---two -- three 1--5 --flag", "one—two – three 1–5 --flag"),
        ("``scale'' of f''(x)", "“scale” of f''(x)"),
        ("see \\href{https://a.b}{here}", "see here (https://a.b)"),
        ("proved in~\\cite{ando05} before", "proved in [ando05] before"),
        ("\\textit{fast $O(n)$} rule", "fast \\(O(n)\\) rule"),
        ("a \\epsilon-greedy rule, 98 \\times 92", "a ε-greedy rule, 98 × 92"),
        ("\\begin{itemize}\\item one \\item two\\end{itemize}", "one two"),
        ("an unknown \\frac12 stays", "an unknown \\frac12 stays"),
    ],
)
def test_tex_text_commands_become_plain_text(found: str, stored: str) -> None:
    assert repair(found) == stored


def test_formulas_keep_their_latex() -> None:
    formula = "\\(a~b -- \\emph{x} \\% \\text{if } y\\)"
    assert repair(f"Let {formula} hold.") == f"Let {formula} hold."


def test_sections_keep_lists_and_code_and_join_wrapped_lines() -> None:
    found = (
        "An agent acts in an environment and is paid by rewards, which it wants to\n"
        "have  more of.\n\n\n\nTwo kinds:\n- on-policy\n  - nested  item\n- off-policy\n\n"
        "```python\nx  = 1\n\n\nif x:\n    y = $x$\n```\n\n    $ indented --code\n\nCosts $n^2$ for A&amp;B."
    )
    assert repair_section(found) == (
        "An agent acts in an environment and is paid by rewards, which it wants to have more of.\n\n"
        "Two kinds:\n- on-policy\n  - nested item\n- off-policy\n\n"
        "```python\nx  = 1\n\nif x:\n    y = $x$\n```\n\n    $ indented --code\n\nCosts \\(n^2\\) for A&B."
    )


def test_sections_keep_a_formula_over_several_lines() -> None:
    found = "It is\n\\[\n    a =  b \\\\\n    c\n\\]\nalways."
    assert repair_section(found) == found


def test_every_text_field_of_a_paper_is_repaired_and_its_identity_is_not() -> None:
    paper = Paper(
        id="p-1",
        title="The  ﬁrst\u200b title",
        abstract="An $n$-armed\u202e bandit.",
        headline="A  headline",
        summary="A\nsummary",
        authors=("Jos\\'e  Ruiz", "\u200b"),
        affiliations=("ETH  Zürich",),
        tags=("Deep  RL",),
        venue="Conf.  X",
        url="https://x.org/~a",
        date=dt.date(2024, 5, 1),
    )
    repaired, counts = repair_record(paper)
    assert repaired == Paper(
        id="p-1",
        title="The first title",
        abstract="An \\(n\\)-armed bandit.",
        headline="A headline",
        summary="A summary",
        authors=("José Ruiz",),
        affiliations=("ETH Zürich",),
        tags=("Deep RL",),
        venue="Conf. X",
        url="https://x.org/~a",
        date=dt.date(2024, 5, 1),
    )
    assert counts == RepairCounts(invisible=3)


def test_topics_are_repaired() -> None:
    topic = Topic(
        slug="rl",
        name="Reinforcement  Learning",
        aliases=("R\u200bL",),
        description="It re- quires\nrewards.",
    )
    repaired, counts = repair_record(topic)
    assert repaired == Topic(
        slug="rl", name="Reinforcement Learning", aliases=("RL",), description="It requires rewards."
    )
    assert counts.invisible == 1


def test_sections_left_empty_are_dropped_and_counted() -> None:
    sections = (Section(heading="A  b", text="one"), Section(text=" \u200b\n "))
    repaired, counts = repair_record(Explainer(id="e", title="T", sections=sections))
    assert isinstance(repaired, Explainer)
    assert repaired.sections == (Section(heading="A b", text="one"),)
    assert counts == RepairCounts(invisible=1, empty_sections=1)


def test_a_record_with_nothing_left_is_refused() -> None:
    with pytest.raises(ValueError, match="title is empty"):
        repair_record(Paper(id="p", title="\u200b"))
    with pytest.raises(ValueError, match="every section is empty"):
        repair_record(Explainer(id="e", title="T", sections=(Section(text="\u200b"),)))


# What the rules react to.
ALPHABET = "ab zA. \n-$\\(){}[]~`'\"&;#%^_=09,:!?é\u0301ﬁ\u00ad\u200b\x02\x85\xc3\xa9\u2028漢。"
SNIPPETS = (
    "\\emph{", "\\(", "\\)", "\\[", "\\]", "$$", "&amp;", "&lt;", "(cid:173)", "(cid:12)", "re- quires",
    "\r\n", "\n\n", "\\'e", '\\"o', "``", "''", "--", "---", "{\\em ", "\\item ", "```\n", "    ", "- ",
    "1. ", "\\cite{", "\\href{a}{", "http://x.y/~z--w", "\\begin{itemize}", "\\S", "\\ss ", "â\x80\x99",
    "\ud800", "$5",
)  # fmt: skip


def random_texts(count: int) -> list[str]:
    rng = random.Random(7)
    return [
        "".join(
            rng.choice(SNIPPETS) if rng.random() < 0.3 else rng.choice(ALPHABET)
            for _ in range(rng.randrange(60))
        )
        for _ in range(count)
    ]


def test_repair_is_idempotent_on_random_text() -> None:
    for text in random_texts(5_000):
        once = repair(text)
        assert repair(once) == once, ascii(text)
        section = repair_section(text)
        assert repair_section(section) == section, ascii(text)


def test_nothing_but_visible_text_is_left_of_random_text() -> None:
    for text in random_texts(2_000):
        once = repair(text)
        assert once == once.strip()
        assert "  " not in once
        assert once.replace("\n", "").replace("\u0301", "").isprintable(), ascii(once)


HOSTILE = (
    "$", "$$", "$a", "$a$$b$", "(", "\\(", "\\[", "- a", "a- b ", "-\n", "\\emph{", "{\\em ", "{", "}",
    "``", "``a", "--", "&amp;", "&", "~", " ", "\n", " \n", "\\", '\\"a', "\u00ad", "(cid:173)",
    "(cid:", "https://", "\\cite[", "a" * 70 + "\n",
)  # fmt: skip


@pytest.mark.parametrize("unit", HOSTILE)
def test_time_grows_no_faster_than_the_text(unit: str) -> None:
    def seconds(length: int) -> float:
        text = "x " + unit * (length // len(unit)) + " y"
        start = time.thread_time()
        repair(text)
        repair_section(text)
        return time.thread_time() - start

    # Eight times the text: linear takes 8 times as long, quadratic 64. Time of this thread alone, so a busy
    # machine does not matter; the floor keeps the clock's grain out of the ratio.
    small = min(seconds(20_000) for _ in range(2))
    assert seconds(160_000) < 24 * max(small, 0.01)


def test_real_abstracts_come_out_clean_and_stable(shared_data: Path) -> None:
    changed = 0
    with lzma.open(shared_data / "papers.jsonl.xz", "rt", encoding="utf-8") as lines:
        for line in islice(lines, 0, None, 20):
            abstract = json.loads(line)["abstract"] or ""
            once = repair(abstract)
            changed += once != abstract
            assert repair(once) == once
            assert "  " not in once
            assert "(cid:" not in once
            assert "\r" not in once
            assert once.count("\\(") == once.count("\\)")
    assert changed > 500
