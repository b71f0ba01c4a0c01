"""Abbreviations are found where a text explains them, with the whole long form and nothing else."""

from __future__ import annotations

import pytest

from index.text.abbreviations import Abbreviation, find_abbreviations


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("It uses hierarchical motion planning (HMP) at night.", "HMP", "hierarchical motion planning"),
        # By initials: the algorithm alone is content with "motion optimization".
        ("We tune proximal motion optimization (PMO).", "PMO", "proximal motion optimization"),
        ("Letters inside words count: pumpkin expansion (PKX).", "PKX", "pumpkin expansion"),
        ("HMP (hierarchical motion planning) is old.", "HMP", "hierarchical motion planning"),
        ("A plural: water pump controllers (WPCs) fail.", "WPC", "water pump controllers"),
        ("With a reference: soft water-critic (SWC; Doe et al.).", "SWC", "soft water-critic"),
        ("In quotes: “Hindsight Pump Replay” (HPR).", "HPR", "Hindsight Pump Replay"),
        ("In brackets: deep pump network [DPN].", "DPN", "deep pump network"),
        ("A heading\n\nRepair learning from hints (RLFH)", "RLFH", "Repair learning from hints"),
        ("Small words may be left out: rate of the pump (RP).", "RP", "rate of the pump"),
    ],
)
def test_an_explained_abbreviation_is_found_with_its_long_form(text: str, short: str, long: str) -> None:
    assert list(find_abbreviations(text)) == [Abbreviation(short, long)]


@pytest.mark.parametrize(
    "text",
    [
        "The left one (Left) and the red one (red) ran.",
        "Nothing before it stands for that (XYZ).",
        "(HMP) opens a text, and a figure follows (see Fig. A).",
        "A formula \\(f(x)\\) of order (OF) and a year (2019).",
        "The sentence ends. (THE) is none of it.",
        "It repeats itself: the HMP planner (HMP).",
    ],
)
def test_other_parentheses_explain_nothing(text: str) -> None:
    assert list(find_abbreviations(text)) == []


def test_a_long_text_of_brackets_takes_no_time_to_speak_of() -> None:
    assert list(find_abbreviations("(" * 50_000 + "A" * 50_000 + ")" * 50_000)) == []
