"""LaTeX to MathML, for pages that need no script.

The converter passes tags, links and styles of a formula through as they are; only what is known to be
harmless is kept of its result, and a formula with anything else is shown as code.
"""

from __future__ import annotations

import functools
import xml.etree.ElementTree as ET

LONGEST = 2_000
"""Code points of a formula that is typeset; longer is no formula."""
CACHED = 4_096

_NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"
_ELEMENTS = frozenset(
    """math mi mn mo mtext mspace mrow mfrac msqrt mroot mstyle mpadded msub msup msubsup munder mover
    munderover mtable mtr mtd""".split()
)
_ATTRIBUTES = frozenset(
    """display stretchy fence form separator minsize maxsize accent accentunder width lspace rspace
    mathvariant displaystyle scriptlevel linethickness columnalign linebreak""".split()
)


@functools.lru_cache(CACHED)
def mathml(tex: str, *, display: bool = False) -> str | None:
    """Return a formula as a `<math>` element, or None where it cannot be read or holds what may not be shown.

    Takes some 0.4 ms the first time; those shown last are kept.
    """
    from latex2mathml.converter import convert

    if len(tex) > LONGEST:
        return None
    try:
        math = ET.fromstring(convert(tex, display="block" if display else "inline"))  # noqa: S314
        clean = _clean(math)
    except Exception:  # noqa: BLE001 - the converter raises whatever comes, IndexError and RecursionError too
        return None
    clean.set("aria-label", tex)
    return ET.tostring(clean, encoding="unicode")


def _clean(element: ET.Element) -> ET.Element:
    """Copy a tree without namespace. Raises `ValueError` on anything that is not known."""
    name = element.tag.removeprefix(_NAMESPACE)
    if name not in _ELEMENTS or not _ATTRIBUTES.issuperset(element.attrib):
        raise ValueError(name)
    copy = ET.Element(name, element.attrib)
    copy.text, copy.tail = element.text, element.tail
    copy.extend(_clean(child) for child in element)
    return copy
