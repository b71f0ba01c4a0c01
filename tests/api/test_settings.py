"""Settings: where they come from, and what a wrong one is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from api.settings import load_settings
from index.errors import BadSettings


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def refusal(**flags: object) -> str:
    with pytest.raises(BadSettings) as refused:
        load_settings(**flags)
    return refused.value.message


def write_file(text: str) -> None:
    Path("asktopic.toml").write_text(text)


def test_flags_beat_the_environment_which_beats_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    write_file('port = 1\nhost = "file"\ndata_dir = "file"\n[encoder]\nthreads = 3\n')
    monkeypatch.setenv("ASKTOPIC_PORT", "2")
    monkeypatch.setenv("ASKTOPIC_HOST", "environment")
    settings = load_settings(port=3, host=None)
    assert (settings.port, settings.host, settings.data_dir) == (3, "environment", Path("file"))
    assert settings.index.encoder.threads == 3


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ASKTOPIC_PORT", "99999"),
        ("ASKTOPIC_DATA_DIR", ""),
        ("ASKTOPIC_DATA_DIR", " "),
        ("ASKTOPIC_MEMORY_MB", "-1"),
        ("ASKTOPIC_ENCODER__THREADS", "many"),
    ],
)
def test_a_bad_value_names_its_variable_and_the_value_alone(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    message = refusal()
    assert message.startswith(f"{name}: ")
    assert repr(value) in message
    assert "Known settings" not in message


def test_a_reranker_is_named_by_its_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_settings().reranker.path is None
    monkeypatch.setenv("ASKTOPIC_RERANKER__PATH", "models/reranker")
    monkeypatch.setenv("ASKTOPIC_RERANKER__DEPTH", "50")
    reranker = load_settings().reranker
    assert (reranker.path, reranker.precision, reranker.depth) == (Path("models/reranker"), "int8", 50)


def test_a_bad_flag_is_named_as_a_flag() -> None:
    assert refusal(data_dir="").startswith("--data-dir: expected a folder")


def test_a_bad_value_in_the_file_names_the_file_and_the_setting() -> None:
    write_file("[encoder]\nthreads = -1\n")
    assert refusal().startswith("asktopic.toml: encoder.threads: ")


@pytest.mark.parametrize("text", ["host = 'a'\nport =\n", "host = 'a'\nport port\n"])
def test_a_file_that_is_no_toml_is_named_with_the_line(text: str) -> None:
    write_file(text)
    message = refusal()
    assert message.startswith("asktopic.toml: ")
    assert "line 2" in message


def test_a_file_in_another_encoding_is_named() -> None:
    Path("asktopic.toml").write_bytes(b'host = "\xff"')
    assert refusal().startswith("asktopic.toml: ")


def test_an_unknown_name_is_told_the_nearest_and_all_known(monkeypatch: pytest.MonkeyPatch) -> None:
    write_file("[encoder]\nprecison = 1\n")
    message = refusal()
    assert message.startswith(
        "asktopic.toml: encoder.precison: unknown setting; did you mean encoder.precision?"
    )
    assert "answering.depth" in message
    monkeypatch.setenv("ASKTOPIC_PROT", "1")
    message = refusal()
    assert message.startswith("ASKTOPIC_PROT: unknown setting; did you mean ASKTOPIC_PORT?")
    assert "ASKTOPIC_ANSWERING__DEPTH" in message


def test_a_name_near_to_none_gets_no_suggestion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASKTOPIC_ZZZ", "1")
    assert "did you mean" not in refusal()


def test_origins_that_are_no_list_are_shown_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASKTOPIC_ALLOWED_ORIGINS", "https://reader.example")
    message = refusal()
    assert message.startswith("ASKTOPIC_ALLOWED_ORIGINS: expected a JSON list")
    assert '["https://example.org"]' in message


@pytest.mark.parametrize(
    "value",
    [
        "https://a.example/",
        "https://a.example/path",
        "a.example",
        "https://",
        "https://u@a.example",
        "null",
        "",
    ],
)
def test_an_entry_that_is_no_origin_is_named(value: str) -> None:
    message = refusal(allowed_origins=["https://fine.example", value])
    assert f"{value!r} is no origin; expected scheme://host[:port]" in message


def test_origins_are_compared_as_browsers_send_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASKTOPIC_ALLOWED_ORIGINS", '["https://Reader.example", "http://[::1]:8000", "*"]')
    assert load_settings().allowed_origins == ("https://reader.example", "http://[::1]:8000", "*")
