"""Texts of faults: the same quotations and suggestions as over HTTP."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal

BLANKS = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
"""Characters of blank text, as in JavaScript."""

_IGNORED = re.compile(r"[\s_.\u00ad\u200b-\u200d\u2010-\u2015\u2212\ufeff-]+")
_MAX_LETTERS = 64


def quote_value(value: object) -> str:
    """Formats a value as JavaScript does: JSON of at most 78 characters."""
    text = _number(value) if isinstance(value, float) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    units = text.encode("utf-16-le", "surrogatepass")
    return text if len(units) <= 160 else units[:154].decode("utf-16-le", "replace") + "…"


def _number(value: float) -> str:
    if value in (0, float("inf"), float("-inf")):
        return "0" if value == 0 else "Infinity" if value > 0 else "-Infinity"
    if 1e-6 <= abs(value) < 1e21:
        digits = format(Decimal(repr(value)), "f")
        return digits.rstrip("0").rstrip(".") if "." in digits else digits
    return re.sub(r"e([+-])0*", r"e\1", repr(value).replace(".0e", "e"))


def fold(text: str) -> str:
    """Removes case, white space, hyphens, dots and underscores, to compare spellings."""
    return _IGNORED.sub("", text.lower())


def is_spelling(text: str, word: str, spellings: Mapping[str, str]) -> bool:
    """True if requests accept the text for a word. The lists of the kernel also ignore other punctuation."""
    return fold(text) == fold(word) or spellings.get(fold(text)) == word


def did_you_mean(text: object, candidates: Iterable[str]) -> str:
    """Returns a sentence with a leading space that names the nearest candidate; empty if each differs too much."""
    nearest = suggest(text, candidates) if isinstance(text, str) else None
    return "" if nearest is None else f' Did you mean "{nearest}"?'


def suggest(text: str, candidates: Iterable[str]) -> str | None:
    """Returns the first of the nearest candidates; None if each differs by more than a third of its letters."""
    best, fewest = None, _MAX_LETTERS
    folded = fold(text)
    for candidate in candidates if len(text) <= _MAX_LETTERS else ():
        other = fold(candidate)
        limit = max(1, max(len(folded), len(other)) // 3)
        if len(candidate) <= _MAX_LETTERS and abs(len(folded) - len(other)) <= min(limit, fewest - 1):
            steps = _distance(folded, other)
            if steps <= limit and steps < fewest:
                best, fewest = candidate, steps
    return best


def _distance(a: str, b: str) -> int:
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, other in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (letter != other))
    return row[-1]
