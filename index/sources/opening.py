"""Open a source file: decompress by its magic bytes, bound what is read, decode its text."""

from __future__ import annotations

import codecs
import gzip
import io
import lzma
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from index.errors import SourceError

HEAD_BYTES = 64 * 1024
"""How much of a file decides its format: every format shows itself in its first page."""

MAX_RATIO = 250
"""Most a file may expand: text shrinks 3 to 20 times, a decompression bomb a thousand times."""

RATIO_FLOOR = 16 * 1024 * 1024
"""Expanded bytes below which the ratio is not judged: small repetitive files do shrink a lot."""

_DAMAGE = (EOFError, OSError, lzma.LZMAError, zlib.error, MemoryError)
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Stream:
    """Decompressed bytes of one file, read front to back under the expansion bound.

    Every method raises `SourceError` on a file that is cut short, damaged or expands too far; what
    was returned before stays good.
    """

    def __init__(self, path: Path, raw: io.BufferedIOBase, compressed_size: int | None) -> None:
        self._path = path
        self._raw = raw
        self._limit = None if compressed_size is None else max(RATIO_FLOOR, MAX_RATIO * compressed_size)
        self._count = 0

    def read(self, size: int) -> bytes:
        """Up to `size` bytes, empty at the end."""
        return self._counted(self._attempt(self._raw.read, size))

    def readline(self, size: int) -> bytes:
        """One line with its newline, or its first `size` bytes."""
        return self._counted(self._attempt(self._raw.readline, size))

    def _attempt(self, read: Callable[[int], bytes], size: int) -> bytes:
        try:
            return read(size)
        except EOFError:
            raise SourceError(self._path, None, "expected a whole compressed file; it is cut short") from None
        except _DAMAGE as error:
            raise SourceError(self._path, None, f"expected a readable file; {_plain(error)}") from None

    def _counted(self, data: bytes) -> bytes:
        self._count += len(data)
        if self._limit is not None and self._count > self._limit:
            raise SourceError(
                self._path,
                None,
                f"expected a file that expands at most {MAX_RATIO}-fold; reading stopped after "
                f"{self._count:,} bytes",
            )
        return data


@contextmanager
def open_stream(path: Path) -> Iterator[Stream]:
    """Open a plain, gzip or xz file. Raises `SourceError` when it cannot be opened."""
    with ExitStack() as opened:
        try:
            file = opened.enter_context(path.open("rb"))
            size = os.fstat(file.fileno()).st_size
            magic = file.peek(6)[:6]
        except OSError as error:
            raise SourceError(path, None, f"expected a readable file; {_plain(error)}") from None
        if magic.startswith(b"\x1f\x8b"):
            with gzip.GzipFile(fileobj=file) as unzipped:
                yield Stream(path, unzipped, size)
        elif magic.startswith(b"\xfd7zXZ\x00"):
            with lzma.LZMAFile(file) as unpacked:
                yield Stream(path, unpacked, size)
        else:
            yield Stream(path, file, None)


def read_head(path: Path) -> bytes:
    """The first 64 KiB of a file, decompressed; what precedes a damage, when there is one."""
    found = b""
    with open_stream(path) as stream:
        while len(found) < HEAD_BYTES:
            try:
                part = stream.read(min(4096, HEAD_BYTES - len(found)))
            except SourceError:
                if not found:
                    raise
                break
            if not part:
                break
            found += part
    return found


def read_text(path: Path, limit: int) -> str:
    """A whole file's text, at most `limit` bytes of it. Raises `SourceError`."""
    data = read_bytes(path, limit)
    try:
        return decode(data)
    except UnicodeDecodeError as error:
        raise SourceError(path, None, describe_decode_error(error)) from None


def read_bytes(path: Path, limit: int) -> bytes:
    """A whole file's bytes. Raises `SourceError` when there are more than `limit`."""
    with open_stream(path) as stream:
        parts, size = [], 0
        while part := stream.read(1 << 20):
            parts.append(part)
            size += len(part)
            if size > limit:
                raise SourceError(path, None, f"expected at most {limit:,} bytes of this format")
    return b"".join(parts)


def decode(data: bytes) -> str:
    """UTF-8 (with or without a byte order mark) or UTF-16 with one; line ends become "\\n".

    Raises `UnicodeDecodeError`; a NUL byte counts as one, since no text format here has any.
    """
    text = data.decode("utf-16" if data.startswith(_UTF16) else "utf-8-sig")
    if "\x00" in text:
        at = text.index("\x00")
        raise UnicodeDecodeError("utf-8", data, at, at + 1, "NUL in the text")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def decode_head(head: bytes) -> str | None:
    """The text of a file's first bytes, which may end inside a character; None if it is not text."""
    encoding = "utf-16" if head.startswith(_UTF16) else "utf-8-sig"
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(head)
    except UnicodeDecodeError:
        return None
    return None if "\x00" in text else text.replace("\r\n", "\n").replace("\r", "\n")


def text_that_may_be(path: Path, head: bytes, endings: tuple[str, ...]) -> tuple[str, bool] | None:
    """Return a file's opening text and whether its name has one of the endings, compressed or not.

    None where the file cannot be of a format so named: it is no text, it is empty, or its name says
    that it is something else.
    """
    text = decode_head(head)
    name = path.name.lower().removesuffix(".gz").removesuffix(".xz")
    named = name.endswith(endings)
    if text is None or not text.strip() or not (named or name.endswith((".txt", ".text")) or "." not in name):
        return None
    return text, named


def describe_decode_error(error: UnicodeDecodeError) -> str:
    """One sentence: what encoding was expected and at which byte the text breaks it."""
    if error.reason == "NUL in the text":
        return f"expected text; found a NUL character at position {error.start}"
    byte = error.object[error.start] if error.start < len(error.object) else 0
    name = "UTF-16" if error.encoding.startswith("utf-16") else "UTF-8"
    return f"expected {name} text; found byte 0x{byte:02x} at position {error.start} ({error.reason})"


def _plain(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return str(error) or type(error).__name__
