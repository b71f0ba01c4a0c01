"""A report as JUnit XML, which every continuous integration shows."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping

from eval.gate.gate import Check, GateResult
from eval.report.view import QuestionView, ReportData

# Everything but the characters of XML 1.0, section 2.2: a parser refuses a document that holds one.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_junit(data: ReportData) -> str:
    """Return the suites `gate`, a case for each check, and `questions`, a case for each question.

    A question that crashed is an error; one that a failed zero-tolerance check names is a failure. Another
    wrong answer is no failure, since the gate weighs those together; what came of it is a property.
    """
    suites = [_gate(data.gate)] if data.gate else []
    suites.append(_questions(data))
    root = ET.Element("testsuites", name=_clean(data.title))
    for name in ("tests", "failures", "errors"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in suites)))
    root.extend(suites)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=False).join(
        ('<?xml version="1.0" encoding="UTF-8"?>\n', "\n")
    )


def _gate(gate: GateResult) -> ET.Element:
    cases = []
    for check in gate.checks:
        case = ET.Element("testcase", classname="gate", name=_clean(check.name))
        if not check.passed:
            _add(case, "failure", check.message, message=check.message, type=check.kind)
        cases.append(case)
    return _suite("gate", cases)


def _questions(data: ReportData) -> ET.Element:
    violated: dict[str, list[Check]] = {}
    for check in data.gate.checks if data.gate else ():
        if check.kind == "zero_tolerance" and not check.passed:
            for name in check.questions:
                violated.setdefault(name, []).append(check)
    return _suite("questions", [_question(view, data.metrics, violated) for view in data.questions])


def _question(
    view: QuestionView, metrics: tuple[str, ...], violated: Mapping[str, list[Check]]
) -> ET.Element:
    side = view.candidate
    case = ET.Element("testcase", classname=_clean(f"questions.{view.category}"), name=_clean(view.id))
    latency = dict(zip(metrics, side.scores, strict=True)).get("latency_ms")
    if latency is not None:
        case.set("time", f"{latency / 1000:.6f}")
    properties = ET.SubElement(case, "properties")
    _add(properties, "property", name="outcome", value=side.outcome.replace("_", " "))
    for name, value in zip(metrics, side.scores, strict=True):
        if value is not None:
            _add(properties, "property", name=name, value=f"{value:.6g}")
    checks = violated.get(view.id, [])
    if side.outcome == "crashed":
        reason = side.error or "asking failed"
        _add(case, "error", reason, message=reason.splitlines()[0], type="crashed")
    elif checks:
        names = ", ".join(check.metric for check in checks)
        text = "\n".join(check.message for check in checks)
        _add(case, "failure", text, message=f"zero tolerance: {names}", type="zero_tolerance")
    said = side.answer.text or side.answer.reason if side.answer else ""
    _add(case, "system-out", f"{view.question}\n\n{said}".strip())
    return case


def _suite(name: str, cases: list[ET.Element]) -> ET.Element:
    suite = ET.Element("testsuite", name=name, tests=str(len(cases)))
    suite.set("failures", str(sum(case.find("failure") is not None for case in cases)))
    suite.set("errors", str(sum(case.find("error") is not None for case in cases)))
    suite.extend(cases)
    return suite


def _add(parent: ET.Element, tag: str, text: str = "", **attributes: str) -> None:
    element = ET.SubElement(parent, tag, {name: _clean(value) for name, value in attributes.items()})
    element.text = _clean(text) or None


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
