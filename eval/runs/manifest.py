"""What produced a run: the same values give the same answers."""

from __future__ import annotations

import datetime as dt

from pydantic import Field, JsonValue

from eval.model import Model


class Code(Model):
    """The program: its version and a hash over its modules, which changes with any line."""

    version: str
    fingerprint: str


class SetInfo(Model):
    """The question set: its name, a hash over its questions, and how many they are."""

    name: str
    fingerprint: str
    questions: int


class Manifest(Model):
    """What produced a run.

    `system` says how it was asked (`in process` or a URL), `settings` the effective values, secrets left
    out; `index`, `encoder`, `answerer`, `reranker` are the provenance that its answers give, `corpus` what it
    was built from, in words; `reranker` and `model` are empty where there was none.
    """

    system: str
    code: Code
    set: SetInfo
    settings: dict[str, JsonValue] = Field(default_factory=dict)
    index: str = ""
    encoder: str = ""
    answerer: str = ""
    reranker: str = ""
    corpus: str = ""
    model: str = ""
    seed: int = 0
    workers: int = 1
    machine: str = ""
    started: dt.datetime
    finished: dt.datetime | None = None
