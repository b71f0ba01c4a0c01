"""Every error a person can meet, in one hierarchy.

An error carries a stable `code` for programs, a message that says what was wrong and what to do,
and the HTTP status under which the service reports it. Faces format these; they never invent others.
"""

from __future__ import annotations

from pathlib import Path


class AsktopicError(Exception):
    """Base of all errors shown to people. Subclasses fix `code` and `status`."""

    code = "internal"
    status = 500

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class SourceError(AsktopicError):
    """A source file, or one record in it, cannot be read."""

    code = "bad_source"
    status = 422

    def __init__(self, path: Path | str, line: int | None, expected: str) -> None:
        where = f"{path}:{line}" if line is not None else str(path)
        super().__init__(f"{where}: {expected}")
        self.path = str(path)
        self.line = line
        self.expected = expected


class IndexMissing(AsktopicError):
    """Nothing has been ingested into this data folder yet."""

    code = "index_missing"
    status = 503


class IndexMismatch(AsktopicError):
    """The index was built by another encoder, chunker or schema than this program uses."""

    code = "index_mismatch"
    status = 503


class IndexDamaged(AsktopicError):
    """A store in the data folder cannot be read: cut short, overwritten, or shut to this account."""

    code = "index_damaged"
    status = 503


class IndexLocked(AsktopicError):
    """Another process is writing this data folder."""

    code = "index_locked"
    status = 409


class EncoderError(AsktopicError):
    """The encoder's weights are missing, damaged, or cannot be exported."""

    code = "encoder_unavailable"
    status = 503


class UnknownTopic(AsktopicError):
    """No topic has this slug, name or alias."""

    code = "unknown_topic"
    status = 404


class UnknownSource(AsktopicError):
    """No paper, explainer or topic has this id."""

    code = "unknown_source"
    status = 404


class BadTopic(AsktopicError):
    """A name given for a topic cannot name one."""

    code = "bad_topic"
    status = 422


class BadQuestion(AsktopicError):
    """The question is empty, too long, or not text."""

    code = "bad_question"
    status = 422


class BadFilter(AsktopicError):
    """A filter value cannot be used."""

    code = "bad_filter"
    status = 422


class ModeUnavailable(AsktopicError):
    """The requested answer mode needs something that is not configured."""

    code = "mode_unavailable"
    status = 422


class BadSettings(AsktopicError):
    """A setting is unknown or has an unusable value."""

    code = "bad_settings"
    status = 500
