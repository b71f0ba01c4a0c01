"""Sets of others, read into ours: BEIR, SciFact, PubMedQA, TREC, RAGAS, ScholarQABench and tables."""

from __future__ import annotations

import gzip
import json
import lzma
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from eval.questions.question import Nugget
from eval.questions.reading import BadQuestionSet, read_questions, write_questions
from eval.questions.sets import QuestionSet, open_set
from index.records import Paper
from rag.answer import Turn


def lines(rows: Iterable[object]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def refusal(path: Path, split: str | None = None) -> str:
    with pytest.raises(BadQuestionSet) as caught:
        open_set(str(path), split=split)
    return caught.value.message


def opened(path: Path, text: str) -> QuestionSet:
    path.write_text(text, "utf-8")
    return open_set(str(path))


CORPUS: list[dict[str, Any]] = [
    {
        "_id": "d1",
        "title": "Sleep",
        "text": "Mice slept. They woke.",
        "sentences": ["Mice slept.", "They woke. "],
    },
    {"_id": "d2", "title": "Food", "text": "Mice ate.", "sentences": ["Mice ate."]},
]
QUERIES = [
    {"_id": "1", "text": "Mice sleep."},
    {"_id": "2", "text": "Mice fast."},
    {"_id": "3", "text": "Rats?"},
]


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    folder = tmp_path / "mice"
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl.xz").write_bytes(lzma.compress(lines(CORPUS).encode()))
    (folder / "queries.jsonl.gz").write_bytes(gzip.compress(lines(QUERIES).encode()))
    (folder / "qrels" / "test.tsv").write_text(
        "query-id\tcorpus-id\tscore\r\n1\td1\t2\r\n1\td2\t0\r\n2\td2\t-1\r\n", "utf-8"
    )
    (folder / "qrels" / "train.tsv").write_text("3\td2\t1\n", "utf-8")
    return folder


def test_beir_asks_what_the_split_judges(beir: Path) -> None:
    found = open_set(str(beir))
    assert [(question.id, question.question) for question in found.questions] == [
        ("1", "Mice sleep."),
        ("2", "Mice fast."),
    ]
    assert [question.relevant for question in found.questions] == [{"d1": 2, "d2": 0}, {"d2": 0}]
    assert (found.name, found.paths, found.records) == ("mice-test", (beir / "corpus.jsonl.xz",), ())
    assert [question.id for question in open_set(str(beir), split="train").questions] == ["3"]


def test_the_only_split_need_not_be_named(beir: Path) -> None:
    (beir / "qrels" / "test.tsv").unlink()
    assert open_set(str(beir)).name == "mice-train"


def test_an_unknown_split_names_the_splits(beir: Path) -> None:
    assert refusal(beir, "dev") == f"{beir}: there is no split 'dev'; its splits are test, train"


def test_documents_without_a_title_become_records_with_one(beir: Path) -> None:
    long = "one two three four five six seven eight nine ten eleven twelve thirteen"
    (beir / "corpus.jsonl.xz").unlink()
    (beir / "corpus.jsonl").write_text(lines([*CORPUS, {"_id": "d3", "title": "", "text": long}]), "utf-8")
    found = open_set(str(beir))
    assert found.paths == ()
    assert [record.id for record in found.records] == ["d1", "d2", "d3"]
    assert found.records[2].title == "one two three four five six seven eight nine ten eleven twelve…"


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("1\td1", "3: expected three columns (query, document, grade), got 2"),
        ("1\td1\thigh", "3: grade: expected a whole number, got 'high'"),
        ("9\td1\t1", " expected judgements of queries in queries.jsonl.gz; 1 are of others, '9' the first"),
    ],
)
def test_bad_judgements_are_named_with_their_line(beir: Path, row: str, said: str) -> None:
    file = beir / "qrels" / "test.tsv"
    file.write_text(f"query-id\tcorpus-id\tscore\n1\td2\t1\n{row}\n", "utf-8")
    assert f"{file}:{said}" in refusal(beir)


def test_bad_queries_are_named_with_their_line(beir: Path) -> None:
    (beir / "queries.jsonl.gz").unlink()
    file = beir / "queries.jsonl"
    file.write_text(lines([*QUERIES, QUERIES[0], {"_id": "2"}]) + '{"_id": "5", "te', "utf-8")
    said = refusal(beir)
    assert f"{file}:4: id: expected each id once; '1' is also that of {file}:1" in said
    assert f"{file}:5: text: expected text that is not empty, found none" in said
    assert f"{file}:6: expected JSON; " in said


EVIDENCE: list[dict[str, Any]] = [
    {
        "claim_id": "1",
        "split": "test",
        "evidence": {
            "d1": {"label": "SUPPORT", "sentences": [[0], [1, 7]]},
            "d2": {"label": "SUPPORT", "sentences": [[9]]},
        },
    },
    {"claim_id": "2", "split": "test", "evidence": {}},
    {"claim_id": "3", "split": "train", "evidence": {"d2": {"label": "CONTRADICT", "sentences": [[0]]}}},
]


def test_scifact_gives_evidence_sentences_as_nuggets(beir: Path) -> None:
    (beir / "evidence.jsonl").write_text(lines(EVIDENCE), "utf-8")
    first, second = open_set(str(beir)).questions
    assert (first.category, second.category) == ("supported", "no_evidence")
    assert first.nuggets == (
        Nugget(text="Mice slept.", accepted=("They woke.",)),
        Nugget(text="They woke.", vital=False),
    )
    # d2 is judged not relevant: it need not be cited.
    assert first.must_cite == ("d1",)
    assert (second.answerable, second.nuggets, second.must_cite) == (True, (), ())
    (third,) = open_set(str(beir), split="train").questions
    assert (third.category, third.nuggets) == ("contradicted", (Nugget(text="Mice ate."),))


@pytest.mark.parametrize(
    ("evidence", "said"),
    [
        ([], "evidence.jsonl:1: evidence: expected an object, got a list"),
        (
            {"d1": {"label": "MAYBE"}},
            "evidence.jsonl:1: evidence.d1.label: expected one of SUPPORT, CONTRADICT, got 'MAYBE'",
        ),
        (
            {"d1": {"label": "SUPPORT", "sentences": [[-1]]}},
            "evidence.d1.sentences: expected lists of whole numbers",
        ),
        (
            {"d9": {"label": "SUPPORT", "sentences": [[0]]}},
            "queries.jsonl.gz:1: evidence names document 'd9'",
        ),
    ],
)
def test_bad_evidence_is_named(beir: Path, evidence: object, said: str) -> None:
    (beir / "evidence.jsonl").write_text(lines([{"claim_id": "1", "evidence": evidence}]), "utf-8")
    assert said in refusal(beir)


def pubmedqa(folder: Path, corpus: list[object], questions: list[object]) -> Path:
    (folder / "corpus.jsonl").write_text(lines(corpus), "utf-8")
    (folder / "questions.jsonl").write_text(lines(questions), "utf-8")
    return folder


SECTIONS = [{"label": "AIM", "text": "Mice were watched"}, {"label": "RESULTS", "text": "They slept."}]
ABSTRACT = {"id": "77", "title": "", "sections": SECTIONS, "year": "2011", "keywords": ["Sleep"]}
ASKED = {
    "id": "77",
    "question": "Do mice sleep?",
    "relevant": {"77": 1},
    "decision": "yes",
    "answer": "Mice do sleep.",
}


def test_pubmedqa_never_tells_the_question_as_a_title(tmp_path: Path) -> None:
    found = open_set(str(pubmedqa(tmp_path, [ABSTRACT], [ASKED])))
    (question,) = found.questions
    assert (question.category, question.gold_answer, question.must_cite) == ("yes", "Mice do sleep.", ("77",))
    assert found.paths == ()
    assert found.records == (
        Paper(
            id="77",
            title="Mice were watched They slept.",
            abstract="Mice were watched\nThey slept.",
            tags=("Sleep",),
        ),
    )


@pytest.mark.parametrize(
    ("corpus", "asked", "said"),
    [
        (ABSTRACT, {**ASKED, "relevant": {"78": 1}}, "questions.jsonl:1: relevant names '78'"),
        (
            ABSTRACT,
            {**ASKED, "relevant": "77"},
            "questions.jsonl:1: relevant: expected an object of grades by id, got '77'",
        ),
        (
            ABSTRACT,
            {**ASKED, "question": ""},
            "questions.jsonl:1: question: expected text that is not empty, found none",
        ),
        (
            {**ABSTRACT, "sections": [{"label": "AIM"}]},
            ASKED,
            "corpus.jsonl:1: sections: expected objects with a text",
        ),
        (
            {**ABSTRACT, "sections": [{"label": "AIM", "text": ""}]},
            ASKED,
            "corpus.jsonl:1: expected sections with text",
        ),
    ],
)
def test_bad_pubmedqa_is_named(tmp_path: Path, corpus: object, asked: object, said: str) -> None:
    assert said in refusal(pubmedqa(tmp_path, [corpus], [asked]))


@pytest.mark.parametrize("indent", [None, 2])
def test_pubmedqa_in_its_published_form(tmp_path: Path, indent: int | None) -> None:
    item = {
        "QUESTION": "Do mice sleep?",
        "CONTEXTS": ["Mice were watched.", "They slept."],
        "LABELS": ["AIM", "RESULTS"],
        "MESHES": ["Sleep"],
        "YEAR": "2011",
        "final_decision": "yes",
        "LONG_ANSWER": "Mice do sleep.",
    }
    found = opened(tmp_path / "ori_pqal.json", json.dumps({"77": item}, indent=indent))
    assert [(question.id, question.relevant, question.category) for question in found.questions] == [
        ("77", {"77": 1}, "yes")
    ]
    assert found.records[0].field("abstract") == "Mice were watched.\nThey slept."
    (tmp_path / "ori_pqal.json").write_text(json.dumps({"77": {**item, "QUESTION": ""}}), "utf-8")
    assert "ori_pqal.json, item 77: QUESTION: expected text that is not empty" in refusal(
        tmp_path / "ori_pqal.json"
    )


SGML = """<top>
<num> Number: 301
<title> mice &amp; sleep
<desc> Description:
How do mice sleep?
<narr> Narrative:
Anything goes.
</top>

<top>
<num> Number: 302
<title>
<desc> Description:
What do mice
eat?
</top>
<top><num> Number: 303 <title> never judged </top>
"""


@pytest.fixture
def trec(tmp_path: Path) -> Path:
    (tmp_path / "topics.301-303.txt").write_text(SGML, "utf-8")
    (tmp_path / "qrels.test.txt").write_text("301 0 d1 2\n301 0 d2 -2\n302 0 d2 1\n999 0 d1 1\n", "utf-8")
    return tmp_path


def test_trec_topics_are_read_with_the_qrels_beside_them(trec: Path) -> None:
    for path in (trec, trec / "topics.301-303.txt"):
        found = open_set(str(path))
        assert [(question.id, question.question) for question in found.questions] == [
            ("301", "mice & sleep"),
            ("302", "What do mice eat?"),
        ]
        assert [question.relevant for question in found.questions] == [{"d1": 2, "d2": 0}, {"d2": 1}]


def test_trec_topics_a_line(trec: Path) -> None:
    (trec / "topics.301-303.txt").write_text("301\thow do mice sleep\r\n302\twhat do mice eat\r\n", "utf-8")
    assert [question.question for question in open_set(str(trec)).questions] == [
        "how do mice sleep",
        "what do mice eat",
    ]


def test_trec_covid_topics(trec: Path) -> None:
    (trec / "topics.301-303.txt").write_text(
        '<?xml version="1.0"?>\n<topics task="COVIDSearch">\n<topic number="301">\n<query>mice</query>\n'
        "<question>how do mice sleep?</question>\n</topic>\n</topics>\n",
        "utf-8",
    )
    assert [(question.id, question.question) for question in open_set(str(trec)).questions] == [
        ("301", "how do mice sleep?")
    ]


def test_several_qrels_are_splits(trec: Path) -> None:
    (trec / "qrels.train.txt").write_text("303 0 d1 1\n", "utf-8")
    assert [question.id for question in open_set(str(trec), split="train").questions] == ["303"]
    assert [question.id for question in open_set(str(trec)).questions] == ["301", "302"]
    assert "its splits are test, train" in refusal(trec, "dev")


def test_bad_trec_files_are_named_with_their_line(trec: Path) -> None:
    (trec / "qrels.test.txt").write_text("301 0 d1 1\n301 d1 1\n302 0 d1 yes\n", "utf-8")
    said = refusal(trec)
    assert "qrels.test.txt:2: expected four columns (topic, iteration, document, grade), got 3" in said
    assert "qrels.test.txt:3: grade: expected a whole number, got 'yes'" in said
    (trec / "qrels.test.txt").write_text("301 0 d1 1\n302 0 d1 1\n", "utf-8")
    topics = trec / "topics.301-303.txt"
    topics.write_text(SGML.replace("302", "301").replace("<num> Number: 303", ""), "utf-8")
    said = refusal(trec)
    assert f"{topics}:10: id: expected each id once; '301' is also that of {topics}:1" in said
    assert f"{topics}:17: num: expected a topic's number" in said


def test_trec_topics_without_qrels_say_what_is_missing(trec: Path) -> None:
    (trec / "qrels.test.txt").unlink()
    assert "expected TREC qrels beside the topics" in refusal(trec)


def test_ragas_reference_contexts_are_documents_and_relevant(tmp_path: Path) -> None:
    rows = [
        {
            "user_input": "Do mice sleep?",
            "reference": "They do.",
            "reference_contexts": ["Mice slept."],
            "retrieved_contexts": ["Mice ate."],
            "response": "No.",
            "synthesizer_name": "single hop",
        },
        {
            "user_input": "Do mice eat?",
            "reference": "Yes.",
            "reference_contexts": ["Mice slept.", "Mice ate."],
        },
    ]
    for text in (lines(rows), json.dumps(rows, indent=2)):
        found = opened(tmp_path / "set.json", text)
        first, second = found.questions
        texts = {record.id: record.field("abstract") for record in found.records}
        assert [texts[source] for source in first.relevant] == ["Mice slept."]
        assert [texts[source] for source in second.relevant] == ["Mice slept.", "Mice ate."]
        assert len(texts) == 2
        assert (first.gold_answer, first.category) == ("They do.", "single_hop")


def test_ragas_ids_depend_on_the_text_alone(tmp_path: Path) -> None:
    rows = [{"user_input": text, "reference": "-"} for text in ("A?", "B?", "A?")]
    first = opened(tmp_path / "set.jsonl", lines(rows)).questions
    turned = opened(tmp_path / "set.jsonl", lines(rows[::-1])).questions
    assert {question.id for question in first} == {question.id for question in turned}
    assert first[2].id == f"{first[0].id}-2"


def test_ragas_in_its_old_names(tmp_path: Path) -> None:
    row = {"question": "Do mice sleep?", "contexts": ["Mice slept."], "ground_truth": "They do."}
    generated = opened(tmp_path / "set.jsonl", lines([row])).questions[0]
    assert (generated.gold_answer, len(generated.relevant)) == ("They do.", 1)
    # With a system's answer, the contexts are what that system retrieved.
    found = opened(tmp_path / "set.jsonl", lines([{**row, "answer": "No."}]))
    assert (found.questions[0].relevant, len(found.records)) == ({}, 1)
    several = {"question": "Do mice sleep?", "ground_truths": ["They do.", "At night."]}
    assert opened(tmp_path / "set.jsonl", lines([several])).questions[0].gold_answer == "They do. At night."


def test_ragas_tables_hold_lists_as_json_or_python_writes_them(tmp_path: Path) -> None:
    found = opened(
        tmp_path / "set.csv",
        "user_input,reference_contexts,reference\r\n"
        'Do mice sleep?,"[\'Mice slept.\', ""It\'s dark.""]",They do.\r\n'
        'Do mice eat?,"[""Mice ate.""]",nan\r\n',
    )
    assert [len(question.relevant) for question in found.questions] == [2, 1]
    assert {record.field("abstract") for record in found.records} == {
        "Mice slept.",
        "It's dark.",
        "Mice ate.",
    }
    assert [question.gold_answer for question in found.questions] == ["They do.", ""]


def test_ragas_conversations_become_history(tmp_path: Path) -> None:
    messages = [
        {"type": "human", "content": "What are mice?"},
        {"type": "ai", "content": "Rodents."},
        {"type": "human", "content": "Do they sleep?"},
        {"type": "ai", "content": "They do."},
    ]
    (question,) = opened(tmp_path / "set.jsonl", lines([{"user_input": messages}])).questions
    assert question.question == "Do they sleep?"
    assert question.history == (Turn(question="What are mice?", answer="Rodents."),)


def test_ragas_documents_keep_the_ids_they_come_with(tmp_path: Path) -> None:
    row = {"user_input": "Sleep?", "reference_contexts": ["Mice slept."], "reference_context_ids": ["d1"]}
    found = opened(tmp_path / "set.jsonl", lines([row]))
    assert found.questions[0].relevant == {"d1": 1}
    assert [record.id for record in found.records] == ["d1"]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"user_input": ""}, "user_input: expected text that is not empty, found none"),
        ({"user_input": 1.5}, "user_input: expected text, got 1.5"),
        ({"user_input": [{"content": "x"}]}, "user_input: expected messages with a type and a content"),
        ({"user_input": [{"type": "ai", "content": "x"}]}, "user_input: expected a message of type human"),
        (
            {"user_input": "x", "reference_contexts": "Mice"},
            "reference_contexts: expected a list in brackets, got 'Mice'",
        ),
        ({"user_input": "x", "reference_contexts": {}}, None),
        (
            {"user_input": "x", "reference_contexts": [7]},
            "reference_contexts: expected a list of texts, got 7 in it",
        ),
    ],
)
def test_bad_ragas_rows_are_named(tmp_path: Path, row: dict[str, object], said: str | None) -> None:
    file = tmp_path / "set.json"
    file.write_text(json.dumps([{"user_input": "ok?"}, row]), "utf-8")
    assert (said or "reference_contexts: expected a list, got an object") in refusal(file)
    assert f"{file}, item 2: " in refusal(file)


def test_scholarqa_cs_criteria_are_nuggets(tmp_path: Path) -> None:
    criteria = [
        {
            "name": "most_important_item_0",
            "criterion": "Say that mice sleep",
            "weight": 0.2,
            "evidence": ["Mice slept."],
        },
        {"name": "nice_to_have_item_0", "criterion": "Say when", "weight": 0.1},
    ]
    row = {
        "initial_prompt": "Do mice sleep?",
        "metric_config": {
            "name": "rubric",
            "config": {"question": "Do mice sleep?", "other_properties": criteria},
        },
        "case_id": "c1",
        "annotator": "A",
        "agreement": True,
    }
    found = opened(tmp_path / "configs.json", json.dumps([row, {**row, "case_id": "c2"}], indent=1)).questions
    assert found[0].nuggets == (
        Nugget(text="Say that mice sleep", accepted=("Mice slept.",)),
        Nugget(text="Say when", vital=False),
    )
    assert [question.id for question in found] == ["c1", "c2"]
    assert found[0].group == found[1].group
    bad = {**row, "metric_config": {"config": {"other_properties": [{"criterion": 7}]}}}
    (tmp_path / "configs.json").write_text(json.dumps([bad]), "utf-8")
    assert "configs.json, item 1: criterion: expected text that is not empty, got 7" in refusal(
        tmp_path / "configs.json"
    )


def test_scholarqa_passages_of_an_expert_answer_are_relevant(tmp_path: Path) -> None:
    row = {
        "input": "Do mice sleep?",
        "output": "They do [1].",
        "ctxs": [{"title": "Sleep", "text": "Mice slept."}],
    }
    found = opened(tmp_path / "human_answers.json", json.dumps([{**row, "subject": "Life Science"}]))
    (question,) = found.questions
    assert (question.gold_answer, question.category) == ("They do [1].", "life_science")
    assert [record.id for record in found.records] == list(question.relevant)
    assert (found.records[0].title, found.records[0].field("abstract")) == ("Sleep", "Mice slept.")


def test_scholarqa_gold_passages_come_before_the_rest_of_the_paper(tmp_path: Path) -> None:
    rows = [
        {
            "input": "Do mice sleep?",
            "answer": "They do.",
            "gold_ctxs": [{"title": "Sleep", "text": "Mice slept."}],
            "ctxs": [
                {"title": "Sleep", "text": "Mice slept."},
                {"title": "Sleep", "text": "We thank the mice."},
            ],
        },
        {"input": "Mice sleep.", "answer": "true", "gold_ctx": [{"title": "", "text": "Mice slept."}]},
        {"input": "What about voles?"},
    ]
    found = opened(tmp_path / "qasa_test.jsonl", lines(rows))
    assert [len(question.relevant) for question in found.questions] == [1, 1, 0]
    assert len(found.records) == 3
    (tmp_path / "qasa_test.jsonl").write_text(lines([*rows, {"input": "x", "ctxs": ["Mice"]}]), "utf-8")
    assert "qasa_test.jsonl:4: ctxs: expected passages with a text, got 'Mice'" in refusal(
        tmp_path / "qasa_test.jsonl"
    )


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_tables_are_read_by_their_header(tmp_path: Path, mark: str) -> None:
    header = mark.join(("Id", "Question", "Category", "Answer", "Relevant", "Answerable", "Notes"))
    cells = mark.join(
        ("q1", '"Do mice, as a rule,\nsleep?"', "in short", "Yes", '"d1=2; topic:mice"', "", "ask Ann")
    )
    no = mark.join(("q2", "Do mice fly?", "", "", "", "no", ""))
    path = tmp_path / ("set.tsv" if mark == "\t" else "set.csv")
    path.write_bytes(b"\xef\xbb\xbf" + f"{header}\r\n{cells}\r\n\r\n{no}\r\n".encode())
    first, second = open_set(str(path)).questions
    assert (first.id, first.question) == ("q1", "Do mice, as a rule,\nsleep?")
    assert (first.category, first.gold_answer) == ("in_short", "Yes")
    assert first.relevant == {"d1": 2, "topic:mice": 1}
    assert (second.answerable, second.why_not) == (False, "so says the table, without a reason")


def test_a_table_of_questions_alone_is_a_set(tmp_path: Path) -> None:
    found = opened(tmp_path / "set.csv", "question\nDo mice sleep?\n").questions
    assert [question.question for question in found] == ["Do mice sleep?"]


def test_bad_tables_are_named_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "set.csv"
    path.write_text(
        "id,question,anwser,relevant,answerable,as_of\n"
        'q1,"Do\nmice?",,,perhaps,\n'
        "q1,Sleep?,,d1=high,,\n"
        "q2,,,,,\n"
        "q3,Sleep?,,,,spring\n"
        "q4,a,b,c,d,e,f\n"
        "q5,Sleep?,,,,\n"
        "q5,Sleep?,,,,\n",
        "utf-8",
    )
    said = refusal(path)
    for expected in (
        "1: column 'anwser': did you mean 'answer'?",
        "2: answerable: expected yes or no, got 'perhaps'",
        "4: grade: expected a whole number, got 'high'",
        "5: question: expected text that is not empty, found none",
        "6: date: expected a date as YYYY-MM-DD, got 'spring'",
        "7: expected at most 6 cells, got 7",
        f"9: id: expected each id once; 'q5' is also that of {path}:8",
    ):
        assert f"{path}:{expected}" in said


def test_a_table_cut_inside_a_quoted_cell_is_refused(tmp_path: Path) -> None:
    (tmp_path / "set.csv").write_text('id,question\nq1,"Do mice\n', "utf-8")
    assert "set.csv:2: expected a table; unexpected end of data" in refusal(tmp_path / "set.csv")


def test_a_table_with_a_header_alone_has_no_question(tmp_path: Path) -> None:
    (tmp_path / "set.csv").write_text("id,question\n", "utf-8")
    assert (
        refusal(tmp_path / "set.csv") == f"{tmp_path / 'set.csv'}: expected at least one question, found none"
    )


def test_what_is_imported_can_be_written_as_a_set_of_ours(beir: Path, tmp_path: Path) -> None:
    (beir / "evidence.jsonl").write_text(lines(EVIDENCE), "utf-8")
    questions = open_set(str(beir)).questions
    write_questions(tmp_path / "questions.jsonl", questions)
    assert read_questions(tmp_path / "questions.jsonl") == questions


@pytest.mark.parametrize(("split", "count"), [("test", 300), ("train", 809)])
def test_scifact_itself(shared_data: Path, split: str, count: int) -> None:
    found = open_set(str(shared_data / "scifact"), split=split)
    assert len(found.questions) == count
    assert [path.name for path in found.paths] == ["corpus.jsonl.xz"]
    with_evidence = {
        row["claim_id"]
        for row in map(
            json.loads, (shared_data / "scifact" / "evidence.jsonl").read_text("utf-8").splitlines()
        )
        if row["split"] == split and row["evidence"]
    }
    assert {question.id for question in found.questions if question.nuggets} == with_evidence
    assert all(bool(question.nuggets) == bool(question.must_cite) for question in found.questions)
    assert all(question.positives for question in found.questions)


def test_pubmedqa_itself(shared_data: Path) -> None:
    found = open_set(str(shared_data / "pubmedqa"))
    assert Counter(question.category for question in found.questions) == {"yes": 276, "no": 169, "maybe": 55}
    assert len(found.records) == 1000
    titles = {record.title.casefold() for record in found.records}
    assert not titles & {question.question.casefold() for question in found.questions}
    assert {source for question in found.questions for source in question.positives} <= {
        record.id for record in found.records
    }
