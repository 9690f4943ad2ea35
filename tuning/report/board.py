"""Is the picture of a position safe to put into a page that people pass on?

Games draw their own boards, and anybody may write a game. A picture is checked against lists of elements and
attributes, and then shown as an image: inside an image no script runs, nothing is loaded, and neither names
nor styles meet those of the page or of another board. A picture that fails the check is replaced by text.
"""

import re
import xml.etree.ElementTree as ET
from base64 import b64encode

from tunesmith.tuning.report.html import Markup, el, printable

_LARGEST = 150_000  # characters
_SPACE = "http://www.w3.org/2000/svg"

_ELEMENTS = """
    circle clipPath defs desc ellipse g line linearGradient marker mask path pattern polygon polyline
    radialGradient rect stop style svg symbol text title tspan use
"""
_ATTRIBUTES = """
    aria-hidden aria-label class clip-path clip-rule clipPathUnits cx cy d dominant-baseline dx dy fill
    fill-opacity fill-rule font-family font-size font-style font-weight fr fx fy gradientTransform
    gradientUnits height href id letter-spacing lengthAdjust marker-end marker-mid marker-start
    markerHeight markerUnits markerWidth mask name offset opacity orient paint-order patternTransform
    patternUnits points preserveAspectRatio r refX refY role rotate rx ry shape-rendering spreadMethod
    stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin
    stroke-miterlimit stroke-opacity stroke-width style text-anchor textLength transform
    transform-origin vector-effect version viewBox width x x1 x2 y y1 y2
"""
_KNOWN_ELEMENTS, _KNOWN_ATTRIBUTES = frozenset(_ELEMENTS.split()), frozenset(_ATTRIBUTES.split())
_OWN_NAME = re.compile(r"url\(\s*['\"]?#[\w.-]+['\"]?\s*\)")
_FORBIDDEN = re.compile(
    r"url\s*\(|@import|javascript:|expression\s*\(|\\|/\*|image(-set)?\s*\(", re.IGNORECASE
)


def picture(svg: str | None, text: str | None) -> Markup:
    """Return the picture of a position; its text form stands in for it where there is none to trust."""
    drawn = checked_svg(svg) if svg else None
    if drawn is None:
        return el("pre", (text or "no picture of this position")[:4000], class_="board")
    source = "data:image/svg+xml;base64," + b64encode(drawn.encode("utf-8")).decode("ascii")
    return el("img", src=source, alt=(text or "board")[:4000], class_="board")


def checked_svg(svg: str) -> str | None:
    """Return the picture as well-formed XML, or None where it holds anything but shapes and letters."""
    svg = printable(svg)
    if len(svg) > _LARGEST or "<!" in svg or "<?" in svg:
        return None
    if "xmlns=" not in svg[:2000]:
        svg = svg.replace("<svg", f'<svg xmlns="{_SPACE}"', 1)
    try:
        root = ET.fromstring(svg)
    except (ET.ParseError, ValueError):
        return None
    if root.tag != f"{{{_SPACE}}}svg" or not all(_is_harmless(element) for element in root.iter()):
        return None
    return svg


def _is_harmless(element: ET.Element) -> bool:
    space, _, name = str(element.tag).rpartition("}")
    if space != "{" + _SPACE or name not in _KNOWN_ELEMENTS:
        return False
    if name == "style" and (len(element) or not _is_plain(element.text or "")):
        return False
    return all(_is_allowed(key, value) for key, value in element.attrib.items())


def _is_allowed(name: str, value: str) -> bool:
    name = name.removeprefix("{http://www.w3.org/1999/xlink}")
    if name == "href":
        return value.startswith("#")
    return name in _KNOWN_ATTRIBUTES and _is_plain(value)


def _is_plain(value: str) -> bool:
    """Tell whether a style or attribute refers to nothing outside the picture."""
    return not _FORBIDDEN.search(_OWN_NAME.sub("", value))
