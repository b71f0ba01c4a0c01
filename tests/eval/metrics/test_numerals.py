"""Reading numbers: what is one, what is none, and which are equal."""

from __future__ import annotations

import pytest

from eval.metrics.numerals import numbers_held, numbers_in


def read(text: str) -> list[str]:
    return [str(number) for number in numbers_in(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("38%, 38 %, 38 percent, 38 per cent, 38 pct, 38.0 percent", ["38%"] * 6),
        (r"38\% of mice", ["38%"]),
        ("0.38 and .380", ["0.38", "0.38"]),
        ("1,500,000; 1\u202f500\u202f000; 1{,}500{,}000; 1.5 million; 1.5M", ["1500000"] * 5),
        ("twenty-five, twenty five and 25", ["25"] * 3),
        ("two hundred", ["200"]),
        ("1e-4 and 2.5E+3", ["0.0001", "2500"]),
        ("a 7B model, 4-bit, 3D, 5ms, 10x", ["7000000000", "4", "3", "5", "10"]),
        ("from -3.2 to −3.2 (-3.2)", ["-3.2"] * 3),
        ("p<0.05, $5, 12,5", ["0.05", "5", "12", "5"]),
        ("in 2024 100 runs", ["2024", "100"]),
    ],
)
def test_numbers_are_equal_up_to_typography(text: str, expected: list[str]) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10–20%", ["10%", "20%"]),
        ("10 to 20 percent", ["10%", "20%"]),
        ("between 10 and 20%", ["10%", "20%"]),
        ("10 and 20%", ["10", "20%"]),
        ("1 to 2 million", ["1000000", "2000000"]),
        ("7-13B", ["7000000000", "13000000000"]),
        ("3-5", ["3", "5"]),
        ("3−5", ["3", "5"]),
        ("2019–2021", ["2019", "2021"]),
    ],
)
def test_a_range_states_both_ends_with_the_unit(text: str, expected: list[str]) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "GPT-4 and GPT-3.5-turbo",
        "GPT-4-32k",
        "Q1",
        "CIFAR-10/100",
        "x_1 and H2O",
        "v2.5.1",
        "it was shown [2] [13]",
        "1. First\n2) Second",
        "a non-zero gain",
        "one of them",
        "someone, often, weight, height",
    ],
)
def test_names_markers_enumerators_and_pronouns_are_no_numbers(text: str) -> None:
    assert read(text) == []


def test_a_share_is_not_a_percentage_nor_a_number_its_negative() -> None:
    assert not set(numbers_in("38%")) & set(numbers_in("0.38, 38, −38%, 3.8%"))


def test_a_text_holds_one_and_thousands_set_apart_by_plain_spaces() -> None:
    assert {"1", "86476"} <= {str(number) for number in numbers_held("One of 86 476 mice")}
    assert {"10", "100"} <= {str(number) for number in numbers_held("10 100 200")}


def test_a_long_run_of_digits_and_letters_is_read_in_no_time() -> None:
    assert read("a1" * 50_000) == []
    assert len(read("1 " * 50_000)) == 50_000
