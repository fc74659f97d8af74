"""The facts of a home: their vocabulary, places and units, and their words in messages."""
from __future__ import annotations
import math, re, unicodedata
from functools import cache
from typing import Any, Callable, NamedTuple, Union
Json = dict[str, Any]
Range = NamedTuple("Range", [("low", float), ("high", float)])  # Ends included.
Known = Union[Range, list[str], None]  # A number or its bounds, a word or several, or unknown.
def is_single(known: Known) -> bool:
    return known is not None and (known.low == known.high if isinstance(known, Range) else len(known) == 1)
def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
def round_half_up(value: float, places: int) -> float:
    return math.floor(value * 10**places + 0.5) / 10**places
def flat(value: Any) -> list[Any]:
    return [one for each in value for one in flat(each)] if isinstance(value, list) else [value]
def deep(value: Any, change: Callable[[Any], Any]) -> Any:
    return [deep(each, change) for each in value] if isinstance(value, list) else change(value)

class Places:
    """States and counties, and the spellings of counties."""
    def __init__(self, data: Json) -> None:
        self.county: dict[str, Json] = {each["fips"]: each for each in data["counties"]}
        self.of_state: dict[str, list[str]] = {}
        self.by_key: dict[tuple[str, str], list[str]] = {}
        for each in data["counties"]:
            self.of_state.setdefault(each["state"], []).append(each["fips"])
            for key in each["keys"]:
                self.by_key.setdefault((each["state"], key), []).append(each["fips"])
        self.states: dict[str, str] = {key: each["code"] for each in data["states"] for key in each["keys"]}
    def find(self, state: str, name: str) -> list[str]:  # The counties of a state that a name means.
        words = words_of(name)
        if len(words) > 1 and words[-1] in ("co", "cnty", "cty"):
            words[-1] = "county"
        return self.by_key.get((state, "".join(words)), [])
    @cache
    def codes_of(self, value: str) -> list[str]:  # The counties of a constant in a test.
        name, _, state = value.rpartition(",")
        return self.find(self.states["".join(words_of(state))], name) if name else [value]
    def area_of(self, source: Json, state: str) -> Callable[[str], bool]:
        """The counties of a state that a program or moratorium covers."""
        selection = source.get("counties", {}).get(state, {"exclude": []})
        mode = "include" if "include" in selection else "exclude"
        codes = {code for name in selection[mode] for code in self.find(state, name)}
        is_covered = state in source.get("states", [state])
        return lambda fips: is_covered and (fips in codes) == (mode == "include")
def words_of(name: str) -> list[str]:
    plain = "".join(each for each in unicodedata.normalize("NFKD", name) if not unicodedata.combining(each))
    plain = re.sub(r"['’‘ʼʻ`()\[\]]", "", plain).lower().replace("&", " and ")
    spelled = {"saint": "st", "sainte": "ste", "ft": "fort"}
    return [spelled.get(word, word) for word in re.sub(r"[^a-z0-9]+", " ", plain).split()]

class Vocabulary:
    """The fields of a line, or of the items of a list, and the facts derived from them."""
    def __init__(self, data: Json) -> None:
        def by_name(key: str) -> dict[str, Json]:
            return {each["name"]: each for each in data.get(key, [])}
        self.data = data
        self.fields, self.derived, self.terms = by_name("fields"), by_name("derived_facts"), by_name("terms")
        self.sets: dict[str, dict[str, str]] = {name: each["fields"] for name, each in by_name("sets").items()}
        self.lists = {name: Vocabulary(each) for name, each in by_name("lists").items()}
        self.relations = [(each["lower"], each["higher"]) for each in data.get("relations", [])]
    def about(self, fact: str) -> Json:  # The entry of a fact; empty for places and unknown names.
        return self.derived.get(fact) or self.fields.get(fact) or {}
    def field_of(self, fact: str) -> str:
        return self.derived[fact]["field"] if fact in self.derived else fact
def to_meters(value: float, per_unit: float) -> float:
    return round_half_up(value * per_unit, 4)
def from_meters(meters: float, per_unit: float) -> float:
    decimals = [round_half_up(meters / per_unit, places) for places in range(8)]
    return next((each for each in decimals if to_meters(each, per_unit) == to_meters(meters, 1)), meters / per_unit)

def fill(message: str, home: Any) -> str:
    text, end = "", 0
    for match in re.finditer(r"\{([^{}]*)\}", message):
        fact = match[1]
        fields = home.vocabulary.sets.get(fact, {})
        if not home.vocabulary.about(fact) and fact not in home.place and not fields:
            continue
        text, end = text + message[end : match.start()], match.end()
        known = home.given[[*fields.values()][0]] if fields else home.known(fact, home.given)
        contained = ", ".join(word for word, field in fields.items() if home.given[field] == ["yes"]) or "none"
        if known is None or (fact == "county" and not is_single(known)):
            words, replaced = unknown_words(fact, home.vocabulary, text, message[end:])
            words = words[0].upper() + words[1:] if re.search(r"(^|[.!?] )$", text) else words
            text, end = text + words, end + replaced
        else:
            text += contained if fields else print_fact(fact, known, home)
    return text + message[end:]
def print_fact(fact: str, known: Union[Range, list[str]], home: Any) -> str:
    entry = home.vocabulary.about(fact)
    if isinstance(known, list):
        return " or ".join(home.places.county[each]["name"] if fact == "county" else each for each in known)
    if not is_single(known):
        return " to ".join(print_fact(fact, Range(end, end), home) for end in known)
    if entry.get("form") == "zipcode" or entry.get("unit") in ("dollars", "feet", "meters"):
        return f"{known.low:05}" if "form" in entry else f"{round_half_up(known.low, 0):,.0f}"
    return f"{round_half_up(known.low, 2):.2f}".rstrip("0").rstrip(".")
def unknown_words(fact: str, vocabulary: Vocabulary, before: str, after: str) -> tuple[str, int]:
    """Words for an unknown fact, and the number of characters behind the braces that they replace."""
    unit, label = vocabulary.about(fact).get("unit"), vocabulary.about(fact).get("label", "")
    is_behind = re.search(r"[:,(] ?$", before) or before.lower().endswith(f"{unit} ")
    kinds = {"place": fact in ("county", "state"), "no unit": unit is None, "age": re.search(r"\bage\b", label),
             "alone": is_behind and re.match(r"$|[),.;:]", after), f"unit {unit}": True, "any": True}
    kinds["age of"] = kinds["age"] and re.search(r"\bof $", before, re.I)
    rows = (row for row in vocabulary.data["unknown_words"] if kinds.get(row["if"]))
    matches = ((row["words"], re.match(row["behind"], after)) for row in rows)
    return next((words.format(fact, *match.groups()), match.end()) for words, match in matches if match)
