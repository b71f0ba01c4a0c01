"""Repair of single characters: encodings gone wrong, ligatures, entities, invisible characters.

Nothing here looks at words or layout. `clean` is linear in the text's length.
"""

from __future__ import annotations

import html.entities
import re
import unicodedata

SOFT_HYPHEN = "\u00ad"
"""Marks a word broken at a line end until `hyphens.mend` decides what stood there."""

# Ligatures are expanded one by one: NFKC would also flatten superscripts and fractions (x² → x2).
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_LIGATURE = re.compile("[ﬀ-ﬆ]")

# What PDF extraction leaves for a glyph it cannot name. In TeX's OT1 fonts 11 to 15 are the ligatures
# (2 in a common subset font), beyond 127 some extractors write Windows-1252 and some Mac Roman.
_CID = re.compile(r"\(cid:(\d{1,5})\)")
_CID_LIGATURES = {2: "fi", 11: "ff", 12: "fi", 13: "fl", 14: "ffi", 15: "ffl", 222: "fi", 223: "fl"}
_CID_SOFT_HYPHEN = 173
UNREADABLE = "\ufffd"
"""Stands where a glyph was lost: a reader should see that something is missing."""

_ENTITY = re.compile(r"&(?:amp;)*(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")

# UTF-8 read as Latin-1. A C1 control among the trailing bytes makes it certain, and "Â", "Ã" before
# a symbol never occur in real words; other pairs ("É»" in French) are left alone.
_MOJIBAKE = re.compile(r"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_MOJIBAKE_1252 = re.compile("â€[\u0152-\u2122\x80-\xbf]")
_C1 = re.compile("[\x80-\x9f]")

_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\u2028\u2029]")
_CONTROL_BREAK = re.compile(r"(?<=[A-Za-z])\x02(?=[A-Za-z])")
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
# Format characters (zero-width, bidi controls, tags), fillers and variation selectors: no reader
# sees them, and hidden instructions are written in them. The soft hyphen is dealt with as a break.
_INVISIBLE = re.compile(
    "[\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)


def clean(text: str) -> tuple[str, int]:
    """Return the text with its characters repaired, in NFC, and how many invisible ones went.

    Line ends become "\\n", other spaces " "; a word break found in a PDF becomes a soft hyphen.
    """
    if "&" in text:
        text = _ENTITY.sub(_entity, text)
    if "(cid:" in text:
        text = _CID.sub(_cid, text)
    removed = 0
    if not text.isascii():
        text = _MOJIBAKE_1252.sub(_from_windows_1252, _MOJIBAKE.sub(_from_latin_1, text))
        text = _C1.sub(_c1, text)
        text = _LIGATURE.sub(lambda m: _LIGATURES[m[0]], text)
        text, removed = _INVISIBLE.subn("", text)
        removed += text.count(SOFT_HYPHEN)
        text = _SPACES.sub(" ", text)
    if not text.isprintable():
        text = _LINE_ENDS.sub("\n", text)
        text = _CONTROLS.sub("", _CONTROL_BREAK.sub(SOFT_HYPHEN + " ", text))
    return unicodedata.normalize("NFC", text), removed


def _entity(match: re.Match[str]) -> str:
    name = match[1]
    if name[0] == "#":
        code = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
        return chr(code) if 0 < code <= 0x10FFFF else ""
    return html.entities.html5.get(name + ";", match[0])


def _cid(match: re.Match[str]) -> str:
    code = int(match[1])
    if code == _CID_SOFT_HYPHEN:
        return SOFT_HYPHEN
    text, start, end = match.string, match.start(), match.end()
    in_word = text[end : end + 1].islower() or text[max(0, start - 1) : start].islower()
    if in_word and code in _CID_LIGATURES:
        return _CID_LIGATURES[code]
    if 0x80 <= code <= 0xFF:
        return bytes([code]).decode("cp1252", errors="replace")
    return UNREADABLE


def _from_latin_1(match: re.Match[str]) -> str:
    found = match[0]
    if found[0] not in "ÂÃ" and not _C1.search(found):
        return found
    try:
        return found.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return found


def _from_windows_1252(match: re.Match[str]) -> str:
    try:
        return match[0].encode("cp1252").decode("utf-8")
    except UnicodeError:
        return match[0]


def _c1(match: re.Match[str]) -> str:
    """C1 controls are Windows-1252 punctuation read as Latin-1; five codes are unassigned there."""
    return match[0].encode("latin-1").decode("cp1252", errors="ignore")
