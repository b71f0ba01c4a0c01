"""The doctor finds what is wrong; it never fails itself."""

from __future__ import annotations

from pathlib import Path

from pydantic import SecretStr

from api.doctor import Check, examine
from api.settings import Settings
from eval.trials.lying import Liar
from index.errors import BadSettings
from index.paths import DataPaths
from rag.settings import LlmSettings, RerankerSettings


def checks(data_dir: Path) -> dict[str, Check]:
    return {check.name: check for check in examine(lambda: Settings(data_dir=data_dir))}


def test_a_sound_installation_passes_every_check(data_dir: Path) -> None:
    found = checks(data_dir)
    assert list(found) == [
        "python",
        "settings",
        "data folder",
        "encoder",
        "index",
        "stores agree",
        "vector store",
    ]
    assert all(check.ok for check in found.values())


def test_a_reranker_is_looked_at_where_there_is_one(data_dir: Path, toy_reranker: Path) -> None:
    def check(path: Path) -> Check:
        settings = Settings(data_dir=data_dir, reranker=RerankerSettings(path=path))
        return {check.name: check for check in examine(lambda: settings)}["reranker"]

    sound, missing = check(toy_reranker), check(data_dir / "nowhere")
    assert sound.ok
    assert sound.detail.startswith("toy/int8@")
    assert not missing.ok
    assert "nowhere is not a folder" in missing.detail


def test_a_folder_that_does_not_exist_is_said_so_and_not_created(tmp_path: Path) -> None:
    found = checks(tmp_path / "mistyped")
    assert list(found)[-1] == "data folder"
    assert not found["data folder"].ok
    assert "does not exist" in found["data folder"].detail
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_place_of_the_folder_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "is no folder" in checks(tmp_path / "file")["data folder"].detail


def test_settings_that_cannot_be_used_are_a_finding() -> None:
    def load() -> Settings:
        raise BadSettings("ASKTOPIC_PORT: expected a number")

    *_, last = examine(load)
    assert last == Check("settings", False, "ASKTOPIC_PORT: expected a number")


def test_an_error_that_nobody_foresaw_is_a_finding_with_its_type() -> None:
    def load() -> Settings:
        raise ZeroDivisionError("by zero")

    *_, last = examine(load)
    assert last == Check("settings", False, "ZeroDivisionError: by zero")


def test_a_catalog_that_is_no_database_is_a_finding_that_advises(data_dir: Path) -> None:
    DataPaths(data_dir).catalog.write_bytes(b"no database" * 1_000)
    check = checks(data_dir)["index"]
    assert not check.ok
    assert "asktopic ingest" in check.detail


def test_a_language_model_is_looked_for_but_not_asked_to_write(data_dir: Path) -> None:
    def check(url: str, model: str) -> Check:
        llm = LlmSettings(base_url=url, model=model, api_key=SecretStr("sk-very-secret"))
        settings = Settings(data_dir=data_dir, llm=llm)
        return {check.name: check for check in examine(lambda: settings)}["language model"]

    liar = Liar()
    with liar.serving() as url:
        listed, unlisted, elsewhere = check(url, "liar:honest"), check(url, "other"), check(url[:-3], "other")
    gone = check(url, "liar:honest")
    assert listed.ok
    assert listed.detail.endswith("; it answers")
    assert "it answers, but lists other models: liar:honest" in unlisted.detail
    assert "lists no models" in elsewhere.detail
    assert not gone.ok
    assert "does not answer; check ASKTOPIC_LLM__BASE_URL" in gone.detail
    assert not any("sk-very-secret" in each.detail for each in (listed, unlisted, elsewhere, gone))
    assert liar.exchanges == []
