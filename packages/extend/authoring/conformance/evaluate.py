#!/usr/bin/env python3
"""A second implementation of the rule format: docs/rule-format.md in another language.

`python3 evaluate.py CORPUS_DIR` evaluates every case in the folder, and prints how many agree and the first that differ.
Exits with 1 if a case differs.

A home with unknown values stands for all its completions. Every unknown field is cut into pieces that no test divides,
and every combination of pieces is evaluated. A computed number is one more field. An item of a list is a home with the
fields of the list.
"""
from __future__ import annotations
import json, math, re, sys, unicodedata
from calendar import monthrange
from copy import copy
from datetime import date, datetime
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, Callable, Iterable, NamedTuple, Optional, Union
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
def instant(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))
def day_of(text: str) -> int:
    """The number of a day since 1970-01-01. A day behind the end of its month is the last day of it."""
    year, month, day = (int(part) for part in text.split("-"))
    return (date(year, month, min(day, monthrange(year, month)[1])) - date(1970, 1, 1)).days

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
# A computed number: its bounds, whether it is always whole, and the fields and lists that are not fully known.
Number = NamedTuple("Number", [("low", float), ("high", float), ("is_whole", bool), ("unknown", set[str])])
ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "add": lambda a, b: a + b, "subtract": lambda a, b: a - b, "multiply": lambda a, b: a * b,
    "percent_of": lambda a, b: a * b / 100, "min": min, "max": max,
}
class Home:
    """What is known of a home: `given`, and `values` after fallbacks, lists and relations bounded them."""
    def __init__(self, data: Json, vocabulary: Vocabulary, places: Places) -> None:
        self.vocabulary, self.places, self.fields = vocabulary, places, dict(vocabulary.fields)
        self.effective_date: str = data["effective_date"]
        self.year, self.as_of = int(self.effective_date[:4]), instant(data["as_of"])
        self.state, self.policy_type = str(data["home"]["state"]), str(data["home"]["policy_type"])
        self.counties: Optional[list[str]] = data["counties"]
        self.possible_counties = places.of_state[self.state] if self.counties is None else self.counties
        self.place: dict[str, Known] = {"state": [self.state], "policy_type": [self.policy_type], "county": self.counties}
        self.is_located: bool = data.get("located", False)
        self.lists: dict[str, Optional[list[Json]]] = {name: data["home"].get(name) for name in vocabulary.lists}
        self.given = {name: self.read(data, entry) for name, entry in vocabulary.fields.items()}
        self.values = dict(self.given)
        for name, fallback in ((name, entry["fallback"]) for name, entry in self.fields.items() if "fallback" in entry):
            when = fallback.get("when", {"field": name})
            if self.values[name] is None and (self.values[when["field"]] or [None]) == [when.get("value")]:
                self.values[name] = [fallback["value"]]
        for name, counted in ((name, each.data.get("counted_by")) for name, each in vocabulary.lists.items()):
            if counted and self.lists[name] is not None and self.values[counted["field"]] is None:
                recent = {"fact": counted["age"], "operator": "lessThan", "value": counted["years"]}
                count, most = self.number({"count": name, "where": recent}), self.fields[counted["field"]]["max"]
                self.values[counted["field"]] = Range(min(count.low, most), min(count.high, most))
        for lower, higher in vocabulary.relations * len(vocabulary.relations):
            low, high = self.range(lower), self.range(higher)
            if low.high > high.high and low.low <= high.high:
                self.values[lower] = Range(low.low, high.high)
            if high.low < low.low <= high.high:
                self.values[higher] = Range(low.low, high.high)
    def read(self, data: Json, field: Json) -> Known:
        value = data["known"].get(field["name"], data["home"].get(field["request_name"]))
        if isinstance(value, dict):
            return value["one_of"] if "one_of" in value else Range(value["min"], value["max"])
        if field.get("age_or_year") and value is not None and value <= 200:
            value = self.year - value
        return read_form(field, field["word"] in value if isinstance(value, list) else value)
    def domain(self, field: str) -> Any:  # All values of a field.
        entry = self.fields[field]
        latest = entry.get("max", self.year + entry.get("max_years_after", 0))
        return entry["words"] if "words" in entry else Range(entry["min"], latest)
    def range(self, field: str) -> Range:  # The possible numbers of a field.
        return self.values[field] or self.domain(field)  # type: ignore[return-value]
    def view(self, fact: str, value: Any) -> Any:  # The value of a fact from that of its field.
        entry = self.vocabulary.derived.get(fact, {})
        if "meters_per_unit" in entry:
            return from_meters(value, entry["meters_per_unit"])
        if entry.get("complete_years"):
            then = str(date.fromordinal(int(value) + date(1970, 1, 1).toordinal()))
            return min(entry["max"], max(0, self.year - int(then[:4]) - (self.effective_date[4:] < then[4:])))
        return max(0, self.year - value) if entry.get("age") else value
    def last_day(self, years: float) -> int:  # The last day that is so many complete years before the effective date.
        return day_of(f"{min(9999, max(1, self.year - math.ceil(years))):04}{self.effective_date[4:]}")
    def known(self, fact: str, values: dict[str, Known]) -> Known:  # What is known of a fact.
        value = self.place[fact] if fact in self.place else values[self.vocabulary.field_of(fact)]
        return Range(*sorted(self.view(fact, end) for end in value)) if isinstance(value, Range) else value
    def number(self, source: Any) -> Number:  # A computed number.
        if is_number(source):
            return Number(source, source, source == int(source), set())
        if "fact" in source:
            fact, field = source["fact"], self.vocabulary.field_of(source["fact"])
            low, high = sorted(self.view(fact, end) for end in self.range(field))
            is_whole = "integer" in self.fields[field] and "meters_per_unit" not in self.vocabulary.about(fact)
            return Number(low, high, is_whole, {field} if low < high else set())
        kind = next(each for each in (*ARITHMETIC, "count", "sum") if each in source)
        if not isinstance(source[kind], list):
            return self.aggregate(kind, source[kind], source.get("of", ""), source.get("where", {"all": []}))
        number = self.number(source[kind][0])
        for other in (self.number(each) for each in source[kind][1:]):
            corners = [ARITHMETIC[kind](a, b) for a in number[:2] for b in other[:2]]
            is_whole = number.is_whole and other.is_whole and kind != "percent_of"
            number = Number(min(corners), max(corners), is_whole, number.unknown | other.unknown)
        return number
    def aggregate(self, kind: str, name: str, of: str, where: Json) -> Number:
        """A count, sum, smallest or largest number of the items of a list."""
        vocabulary = self.vocabulary.lists[name]
        least, most = (vocabulary.about(of).get(key, 1) for key in ("min", "max"))
        counts, ranges = [], []  # The fewest and most items that match in one way, and their numbers.
        for fewest, greatest, values in self.items(name, vocabulary):
            is_certain, numbers = self.match(vocabulary, values, where, of)
            if numbers and greatest > 0:
                counts.append((fewest if is_certain else 0, greatest))
                ranges.append(Range(min(numbers), max(numbers)))
        if kind in ("count", "sum"):
            ends = [[count * end for count in pair for end in each] for pair, each in zip(counts, ranges)]
            items = vocabulary.data["max_items"]
            low = max(sum(min(each) for each in ends), items * min(0, least))
            high = min(sum(max(each) for each in ends), items * max(0, most))
        else:
            certain = [each for (fewest, _), each in zip(counts, ranges) if fewest > 0]
            at_low, at_high = (certain, ranges) if kind == "max" else (ranges, certain)
            none, pick = (least - 1, max) if kind == "max" else (most + 1, min)
            low, high = pick([none, *(each.low for each in at_low)]), pick([none, *(each.high for each in at_high)])
        return Number(low, high, True, {name} if low < high else set())
    def items(self, name: str, vocabulary: Vocabulary) -> list[tuple[int, int, dict[str, Known]]]:
        """The items of a list, or the kinds of items of an unknown one: the fewest and most, and what is known of them."""
        fields, most, given = vocabulary.fields, vocabulary.data["max_items"], self.lists[name]
        if given is not None:
            return [(1, 1, {key: read_form(fields[key], value) for key, value in item.items()}) for item in given]
        counted = vocabulary.data.get("counted_by")
        if not counted or self.values[counted["field"]] is None:
            return [(0, most, {})]
        (low, high), day, last = self.range(counted["field"]), counted["date"], self.last_day(counted["years"])
        recent, older = Range(last + 1, fields[day]["max"]), Range(fields[day]["min"], last)
        return [(int(low), int(high), {day: recent}), (0, most - int(low), {day: older})]
    def match(self, vocabulary: Vocabulary, values: dict[str, Known], where: Json, of: str) -> tuple[bool, list[float]]:
        """True if an item matches in all completions; and the ends of its number in those in which it matches, or 1."""
        item, field = copy(self), vocabulary.field_of(of)
        item.vocabulary, item.fields = vocabulary, dict(vocabulary.fields)
        item.values = {name: values.get(name) for name in vocabulary.fields}
        tree = Reader(item, {}).tree(where)
        space = completions(item, [tree, Tree([Test(field, lambda value: True, [])] if of else [], tree.holds)])
        matching = [each for each in space if tree.holds(each)]
        numbers = [item.view(of, end) if of else 1 for each in matching for end in (each[field][1:3] if of else [1])]
        return len(matching) == len(space), numbers
def read_form(field: Json, value: Any) -> Known:
    """Reads a value as a request gives it. A date can be a month or a year."""
    if value is None or isinstance(value, bool):
        return None if value is None else ["yes" if value else "no"]
    if field.get("form") == "date":
        return Range(*(day_of(value + end[len(value) - 4 :]) for end in ("-01-01", "-12-31")))
    value = int(value) if field.get("form") == "zipcode" else value
    return Range(value, value) if is_number(value) else [value]
OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "equal": lambda a, b: a == b, "notEqual": lambda a, b: a != b,
    "in": lambda a, b: a in b, "notIn": lambda a, b: a not in b,
    "contains": lambda a, b: isinstance(a, list) and b in a,
    "doesNotContain": lambda a, b: isinstance(a, list) and b not in a,
    "lessThan": lambda a, b: a < b, "lessThanInclusive": lambda a, b: a <= b,
    "greaterThan": lambda a, b: a > b, "greaterThanInclusive": lambda a, b: a >= b,
}
def compare(operator: str, a: Any, b: Any) -> bool:
    word, colon, rest = operator.partition(":")
    if not colon:
        return ("Than" not in word or (is_number(a) and is_number(b))) and OPERATORS[word](a, b)
    if word in ("not", "swap"):
        return compare(rest, b, a) if word == "swap" else not compare(rest, a, b)
    quantify = any if word.startswith("some") else all
    if word.endswith("Value"):
        return quantify(compare(rest, a, each) for each in b)
    return isinstance(a, list) and quantify(compare(rest, each, b) for each in a)
# A test of one axis: a field, the county, or the result of an unknown test of two facts.
Test = NamedTuple("Test", [("axis", str), ("holds", Callable[[Any], bool]), ("limits", list[float])])
class Piece(NamedTuple):
    """Values of an axis that no test distinguishes: one of them, and their range."""
    sample: Any
    low: float = 0
    high: float = 0
    has_ends: bool = True
    def can_be_below(self, other: Piece) -> bool:
        return self.low < other.high or (self.low == other.high and self.has_ends and other.has_ends)
Completion = dict[str, Piece]  # By axis.
# A condition: its tests, and the completions in which it is true.
Tree = NamedTuple("Tree", [("tests", list[Test]), ("holds", Callable[[Completion], bool])])
TRUE, FALSE = Tree([], lambda completion: True), Tree([], lambda completion: False)
def group(kind: str, parts: list[Tree]) -> Tree:
    tests = [test for each in parts for test in each.tests]
    if kind == "not":
        return Tree(tests, lambda completion: not parts[0].holds(completion))
    quantify = any if kind == "any" and parts else all
    return Tree(tests, lambda completion: quantify(each.holds(completion) for each in parts))
class Reader:
    """Reads the conditions of a rule set for one home."""
    def __init__(self, home: Home, conditions: Json) -> None:
        self.home, self.vocabulary, self.conditions = home, home.vocabulary, conditions
        self.facts_of_test: dict[str, list[str]] = {}  # Of each unknown test of two facts, and of a computed number.
        self.tested: dict[str, list[float]] = {}  # The limits of each field.
    def tree(self, source: Json) -> Tree:
        kind = next((each for each in ("any", "all", "not", "condition") if each in source), "test")
        if kind == "test":
            is_computed = "fact" not in source or (isinstance(source["value"], dict) and "fact" not in source["value"])
            return self.test_of_number(source) if is_computed else self.test(*map(source.get, ("fact", "operator", "value")))
        if kind == "condition":
            return self.tree(self.conditions[source["condition"]])
        return group(kind, [self.tree(each) for each in flat(source[kind])])
    def test(self, fact: str, operator: str, value: Any) -> Tree:
        if isinstance(value, dict):
            return self.test_of_two(fact, operator, value["fact"])
        if fact in ("state", "policy_type"):
            return TRUE if compare(operator, self.home.place[fact][0], value) else FALSE  # type: ignore[index]
        if fact == "county":
            codes = self.home.places.codes_of
            meant = lambda fips: deep(value, lambda each: fips if fips in codes(each) else each)
            return self.settled(Test("county", lambda fips: compare(operator, fips, meant(fips)), []))
        if fact in self.vocabulary.sets:
            return self.test_of_set(self.vocabulary.sets[fact], operator, value)
        field, entry = self.vocabulary.field_of(fact), self.vocabulary.about(fact)
        if entry.get("form") == "zipcode":
            ends = [[int(each.split("-")[end].strip("*").ljust(5, "09"[end])) for end in (0, -1)] for each in flat(value)]
            is_in, is_negated = lambda a: any(low <= a <= high for low, high in ends), operator.count("not") % 2 == 1
            return self.settled(Test(field, lambda a: is_in(a) != is_negated, flat(ends)))
        if entry.get("form") in ("flag", "date"):
            value = deep(value, day_of if entry["form"] == "date" else lambda each: "yes" if each else "no")
        if "meters_per_unit" in entry:
            fact, value = field, deep(value, lambda each: to_meters(each, entry["meters_per_unit"]))
        limits = [each for each in flat(value) if is_number(each)]
        if entry.get("age"):
            limits = [self.home.year - each for each in [0, *limits]]
        elif entry.get("complete_years"):
            limits = [self.home.last_day(each + later) for each in limits for later in (0, 1)]
        self.tested.setdefault(field, []).extend(limits)
        return self.settled(Test(field, lambda a: compare(operator, self.home.view(fact, a), value), limits))
    def test_of_number(self, source: Json) -> Tree:
        """A test of a computed number. Two numbers are compared by their difference."""
        number = {key: each for key, each in source.items() if key not in ("operator", "value", "$comment")}
        value, is_pair = source["value"], isinstance(source["value"], dict)
        number = {"subtract": [number, value]} if is_pair else number
        name, (low, high, is_whole, unknown) = json.dumps(number, sort_keys=True), self.home.number(number)
        self.home.values[name], self.home.fields[name] = Range(low, high), {"integer": is_whole}
        self.facts_of_test[name] = [*unknown]
        return self.test(name, source["operator"], 0 if is_pair else value)
    def test_of_set(self, fields: dict[str, str], operator: str, value: Any) -> Tree:
        if operator.startswith("not:"):
            return group("not", [self.test_of_set(fields, operator[4:], value)])
        word, _, rest = operator.partition(":")
        is_some, is_all = word == "someFact", "Fact" in word
        matters = lambda each: compare(rest, each, value) == is_some if is_all else each in flat(value)
        words = {each: field for each, field in fields.items() if matters(each)}
        has = lambda completion: [each for each, field in words.items() if completion[field].sample == "yes"]
        tests = [Test(field, "yes".__eq__, []) for field in words.values()]
        return Tree(tests, lambda completion: compare(operator, has(completion), value))
    def test_of_two(self, fact: str, operator: str, other: str) -> Tree:
        entries = [self.vocabulary.about(each) for each in (fact, other)]
        if all("meters_per_unit" in each for each in entries) and entries[0]["unit"] == entries[1]["unit"]:
            fact, other = entries[0]["field"], entries[1]["field"]
        a, b = (self.home.known(each, self.home.values) for each in (fact, other))
        if a and b:
            is_range = isinstance(a, Range) and isinstance(b, Range)
            is_common = a[0] <= b[1] and b[0] <= a[1] if is_range else not {*a}.isdisjoint(b)
            samples = [[each.sample for each in cut_at(one, limits, False)] if is_range else [*one]
                       for one, limits in ((a, b), (b, a))]
            results = {compare(operator, x, y) for x in samples[0] for y in samples[1]}
            if len(results) == 1 and (not is_common or is_single(a) or is_single(b)):
                return TRUE if True in results else FALSE
        key = f"{fact} {operator} {other}"
        self.facts_of_test[key] = [self.vocabulary.field_of(each) for each in (fact, other)]
        return self.settled(Test(key, bool, []))
    def settled(self, test: Test) -> Tree:
        results = {test.holds(piece.sample) for piece in pieces(self.home, test.axis, test.limits)}
        if len(results) < 2:
            return TRUE if False not in results else FALSE
        return Tree([test], lambda completion: test.holds(completion[test.axis].sample))
    def covered(self, area: Callable[[str], bool]) -> Tree:
        return self.settled(Test("county", area, []))
    def counted(self, trees: list[Tree]) -> list[Completion]:
        """The completions that count for everything but the status."""
        def piece(field: str, value: float) -> Piece:
            cut = pieces(self.home, field, self.tested[field], self.home.domain(field))
            return next(each for each in cut if each.low <= value <= each.high)
        def pairs(fields: Iterable[str]) -> list[tuple[str, str]]:
            return [pair for pair in self.vocabulary.relations if {*fields} >= {*pair}]
        ranges = {field: self.home.range(field) for pair in pairs(self.tested) for field in pair}
        if not all(piece(low, ranges[low].low).can_be_below(piece(high, ranges[high].high)) for low, high in pairs(ranges)):
            return completions(self.home, trees)
        return [each for each in completions(self.home, trees) if all(each[low].can_be_below(each[high]) for low, high in pairs(each))]
def pieces(home: Home, axis: str, limits: Iterable[float], values: Any = None) -> list[Piece]:
    """Cuts the possible values of an axis at limits."""
    if axis == "county" or axis not in home.fields:
        return [Piece(each) for each in (home.possible_counties if axis == "county" else [False, True])]
    values = values or home.values[axis] or home.domain(axis)
    is_whole = home.fields[axis].get("integer", False)
    return cut_at(values, limits, is_whole) if isinstance(values, Range) else [*map(Piece, values)]
def cut_at(bounds: Range, limits: Iterable[float], is_whole: bool) -> list[Piece]:
    cuts = sorted({*bounds, *(each for each in limits if bounds.low <= each <= bounds.high)})
    result = [Piece(each, each, each) for each in cuts if not is_whole or each == int(each)]
    for low, high in zip(cuts, cuts[1:]):
        if not is_whole:
            result.append(Piece((low + high) / 2, low, high, False))
        elif math.floor(low) + 1 < high:
            result.append(Piece(math.floor(low) + 1, math.floor(low) + 1, math.ceil(high) - 1))
    return result
def completions(home: Home, trees: list[Tree]) -> list[Completion]:
    """All completions of a home, as far as some conditions distinguish them."""
    tests: dict[str, list[Test]] = {}
    for test in (test for tree in trees for test in tree.tests):
        tests.setdefault(test.axis, []).append(test)
    related = {field for pair in home.vocabulary.relations if tests.keys() >= {*pair} for field in pair}
    axes: list[list[Piece]] = []
    for axis, of_axis in tests.items():
        alike: dict[Any, list[Piece]] = {}
        for each in pieces(home, axis, [limit for test in of_axis for limit in test.limits]):
            key = each if axis in related else tuple(test.holds(each.sample) for test in of_axis)
            alike.setdefault(key, []).append(each)
        axes.append([some[0]._replace(low=min(each.low for each in some), high=max(each.high for each in some))
                     for some in alike.values()])
    return [dict(zip(tests, each)) for each in product(*axes)]
# The kinds are min, max, one_of and applies.
Bound = NamedTuple("Bound", [("term", str), ("kind", str), ("value", Any), ("tree", Tree)])
# The tree includes the place.
Rule = NamedTuple("Rule", [("id", str), ("outcome", str), ("code", str), ("message", str), ("tree", Tree),
                           ("priority", float), ("bounds", list[Bound])])
def area_of(source: Json, home: Home) -> Callable[[str], bool]:
    """The counties of the home's state that a program or moratorium covers."""
    selection = source.get("counties", {}).get(home.state, {"exclude": []})
    mode = "include" if "include" in selection else "exclude"
    codes = {code for name in selection[mode] for code in home.places.find(home.state, name)}
    is_covered = home.state in source.get("states", [home.state])
    return lambda fips: is_covered and (fips in codes) == (mode == "include")
def read_rules(file: Json, reader: Reader, programs: list[Json], areas: list[Callable[[str], bool]]) -> list[Rule]:
    """The rules for the policy type, highest priority first."""
    number = 0
    def read(sources: list[Json], place: Optional[Tree]) -> list[Rule]:
        nonlocal number
        number += len(sources)
        numbered = enumerate(sources, number - len(sources) + 1)
        return [read_rule(each, at, file.get("outcomes", {}), reader, place) for at, each in numbered if place]
    rules = top = read(file.get("rules", []), reader.covered(lambda fips: any(area(fips) for area in areas)))
    for program in file["programs"]:
        place = reader.covered(areas[programs.index(program)]) if program in programs else None
        own = read(program.get("rules", []), place)
        if place:
            tree = group("all", [contradiction([bound for rule in top + own for bound in rule.bounds]), place])
            own.append(Rule("", "refer", "contradicting_terms", "", tree, -math.inf, []))
        rules = rules + own
    return sorted(rules, key=lambda rule: -rule.priority)
def read_rule(source: Json, number: int, outcomes: Json, reader: Reader, place: Tree) -> Rule:
    is_imported = "event" in source
    params: Json = source["event"].get("params", {}) if is_imported else source
    outcome = source["event"]["type"] if is_imported else source["outcome"]
    outcome = outcomes.get(outcome, outcome) if is_imported else outcome
    is_reverse = isinstance(outcome, dict) or "unless" in source
    tree = reader.tree(source[next(key for key in ("when", "unless", "conditions") if key in source)])
    tree = group("all", [group("not", [tree]) if is_reverse else tree, place])
    rule_id = str(source.get("name", f"rule-{number}")) if is_imported else source["id"]
    code, message = str(params.get("code", "")), str(params.get("message", rule_id))
    if code not in reader.vocabulary.data["codes"] and not re.fullmatch(r"x_[a-z0-9_]+", code):
        code = "x_imported"
    bounds = read_bounds(params.get("terms", {}), reader, tree)
    outcome = outcome["otherwise"] if isinstance(outcome, dict) else outcome
    return Rule(rule_id, outcome, code, message, tree, source.get("priority", 1), bounds)
def read_bounds(terms: Json, reader: Reader, tree: Tree) -> list[Bound]:
    """The bounds of an offer: of a table, one for each step."""
    result: list[Bound] = []
    for term, written in terms.items():
        start = None
        for step in written["steps"] if isinstance(written, dict) and "steps" in written else [{"value": written}]:
            limits = [("greaterThanInclusive", start), ("lessThan", step.get("below"))]
            tests = [reader.test(written["by"], operator, limit) for operator, limit in limits if limit is not None]
            start, where, value = step.get("below"), group("all", [tree, *tests]), step.get("value", step)
            values = value if isinstance(value, dict) else {"applies": True} if value is True else {"one_of": flat(value)}
            result += [Bound(term, kind, each, where) for kind, each in values.items() if kind != "below"]
    return result
def contradiction(bounds: list[Bound]) -> Tree:  # Holds where no value of some term is left.
    def holds(completion: Completion) -> bool:
        here = [each for each in bounds if each.tree.holds(completion)]
        for term in {each.term for each in here}:
            low, high, lists = ([each.value for each in here if (each.term, each.kind) == (term, kind)]
                                for kind in ("min", "max", "one_of"))
            if (low and high and max(low) > min(high)) or (lists and not {*lists[0]}.intersection(*lists)):
                return True
        return False
    return Tree([test for each in bounds for test in each.tree.tests], holds)
def override_rules(override: Json) -> list[Json]:  # The rules that an organization adds at the top.
    exclude, here = override.get("exclude", {}), "This organization does not sell this carrier at this location."
    counties = [f"{name}, {state}" for state, names in exclude.get("counties", {}).items() for name in names]
    policy_type = "This organization does not sell {policy_type} of this carrier."
    rows = [("policy_type", exclude.get("policy_types"), "policy_type", policy_type),
            ("state", exclude.get("states"), "territory", here), ("county", counties, "territory", here)]
    return override.get("add_rules", []) + [
        {"id": f"override-{fact.replace('_', '-')}", "outcome": "decline", "code": code, "message": message,
         "when": {"fact": fact, "operator": "in", "value": value}} for fact, value, code, message in rows if value]
def answer(files: list[Json], override: Json, home: Home) -> Json:
    def is_in_force(window: Json, now: Any, read: Callable[[str], Any] = str) -> bool:
        return read(window["from"]) <= now and (window.get("until") is None or now < read(window["until"]))
    in_force = [file for file in files if is_in_force(file["effective"], home.effective_date)]
    file: Json = max(in_force, key=lambda each: each["effective"]["from"], default={"programs": []})
    programs = [each for each in file["programs"] if home.policy_type in each["policy_types"]]
    first = next((each for each in programs if home.state in each["states"]), None)
    if first is None:
        return {"status": "not_offered"}
    file = {**file, "rules": file.get("rules", []) + override_rules(override)}
    areas = [area_of(each, home) for each in programs]
    reader = Reader(home, file.get("conditions", {}))
    rules = read_rules(file, reader, programs, areas)
    labels = " or ".join(home.places.county[fips]["label"] for fips in home.counties or [])
    where = f"{f'in {labels},' if labels else 'everywhere in'} {home.state.upper()}"
    message = f"{file['carrier']['name']} does not write {home.policy_type} {where}."
    outside = reader.covered(lambda fips: not any(area(fips) for area in areas))
    stops = [Rule(first["id"], "decline", "territory", message, outside, 1, [])]
    for each in file.get("moratoria", []):
        if is_in_force(each, home.as_of, instant) and home.policy_type in each.get("policy_types", [home.policy_type]):
            place = reader.covered(area_of(each, home))
            stops.append(Rule(each["id"], "decline", "moratorium", each["message"], place, 1, []))
    parts = status_parts(home, reader, stops + rules) | requirement_parts(home, reader, rules) | offer_parts(home, reader, rules)
    return {name: part for name, part in parts.items() if part}
def status_parts(home: Home, reader: Reader, rules: list[Rule]) -> Json:
    deciding = [rule for rule in rules if rule.outcome in ("decline", "refer")]
    space = completions(home, [rule.tree for rule in deciding])
    holding = [[rule for rule in deciding if rule.tree.holds(each)] for each in space]
    worst = {"decline": "ineligible", "refer": "referral", "": "eligible"}  # As the order of the outcomes.
    statuses = [worst[min((rule.outcome for rule in each), default="")] for each in holding]
    possible = [status for status in ("eligible", "referral", "ineligible") if status in statuses]
    status = possible[0] if len(possible) == 1 else "needs_information"
    reason = {"eligible": "", "ineligible": "decline"}.get(status, "refer")
    def is_enough(some: list[Rule]) -> bool:
        return all(any(rule is each for rule in some for each in every) for every in holding)
    candidates = [rule for rule in deciding if rule.outcome == reason]
    chosen = [rule for rule in candidates if is_enough([rule])]
    if status in ("referral", "ineligible") and not chosen:
        chosen = candidates
        for rule in reversed(candidates):
            fewer = [each for each in chosen if each is not rule]
            chosen = fewer if is_enough(fewer) else chosen
    reasons = {(rule.id, rule.code): written(rule, home) for rule in chosen}  # One reason for all contradictions.
    result: Json = {"status": status, "reasons": [*reasons.values()]}
    if status == "needs_information":
        def decides(axis: str) -> bool:
            others: dict[Any, str] = {}  # The status by the pieces of the other axes.
            keys = [tuple(piece for other, piece in each.items() if other != axis) for each in space]
            return any(others.setdefault(key, each) != each for key, each in zip(keys, statuses))
        facts = [fact for axis in space[0] if decides(axis) for fact in reader.facts_of_test.get(axis, [axis])]
        result |= {"possible_statuses": possible, "missing_fields": missing_fields(home, facts)}
    return result
def requirement_parts(home: Home, reader: Reader, rules: list[Rule]) -> Json:
    parts: Json = {"requirements": [], "possible_requirements": [], "notes": []}
    for rule in (rule for rule in rules if rule.outcome in ("require", "inform")):
        results = {rule.tree.holds(each) for each in reader.counted([rule.tree])}
        if False not in results:
            parts["requirements" if rule.outcome == "require" else "notes"].append(written(rule, home))
        elif True in results and rule.outcome == "require":
            parts["possible_requirements"].append(written(rule, home))
    return parts
def offer_parts(home: Home, reader: Reader, rules: list[Rule]) -> Json:
    parts: Json = {"terms": {}, "possible_terms": {}}
    for term in dict.fromkeys(bound.term for rule in rules for bound in rule.bounds):
        bounds = [bound for rule in rules for bound in rule.bounds if bound.term == term]
        space = reader.counted([bound.tree for bound in bounds])
        holding = [[bound for bound in bounds if bound.tree.holds(each)] for each in space]
        certain, possible = parts["terms"].setdefault(term, {}), parts["possible_terms"].setdefault(term, {})
        for kind, strict, mild in (("min", max, min), ("max", min, max), ("applies", max, min)):
            by_completion = [[bound.value for bound in each if bound.kind == kind] for each in holding]
            strictest = [strict(values) for values in by_completion if values]
            if all(by_completion):
                certain[kind] = mild(strictest)
            if strictest and strict(strictest) != certain.get(kind):
                possible[kind] = strict(strictest)
        lists = [[bound.value for bound in each if bound.kind == "one_of"] for each in holding]
        words = home.vocabulary.terms.get(term, {}).get("words") or {*flat(lists), ""}  # Empty for all other words.
        lacking = [{word for word in words if any(word not in each for each in some)} for some in lists]
        excluded, may_exclude = set.intersection(*lacking), set.union(*lacking)
        if excluded:
            certain["one_of"] = sorted({*words} - excluded - {""})
        if may_exclude - excluded:
            possible["may_exclude"] = sorted(may_exclude - excluded - {""})
    return {name: {term: part for term, part in terms.items() if part} for name, terms in parts.items()}
def missing_fields(home: Home, facts: Iterable[str]) -> list[str]:
    fields = home.vocabulary.fields
    def is_open(fact: str) -> bool:
        return not is_single(home.given[fact]) if fact in fields else fact == "county" or fact in home.lists
    entries = [fields.get(fact, {"request_name": fact}) for fact in facts if is_open(fact)]
    names = {each["given_as"] if "given_as" in each and home.is_located else each["request_name"] for each in entries}
    for pair in (pair for pair in home.vocabulary.data["given_together"] if names & {*pair}):
        names |= {each["request_name"] for name, each in fields.items() if each["request_name"] in pair and is_open(name)}
    return sorted(names)
def written(rule: Rule, home: Home) -> Json:
    return {"rule_id": rule.id, "code": rule.code, "message": fill(rule.message, home)}
def fill(message: str, home: Home) -> str:
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
def print_fact(fact: str, known: Union[Range, list[str]], home: Home) -> str:
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
    rows = ((row["words"], re.match(row["behind"], after)) for row in vocabulary.data["unknown_words"] if kinds.get(row["if"]))
    return next((words.format(fact, *match.groups()), match.end()) for words, match in rows if match)
LEFT_OUT = re.compile(r'"(areas|tier)": |"events"|"fact": "\w+\.\w+"')  # Parts that this file does not implement.
def main(folder: Path) -> int:
    corpus, places, vocabulary = (json.loads((folder / name).read_text(encoding="utf-8"))
                                  for name in ("rule-format-1.json", "places.json", "vocabulary-home.json"))
    counties, line = Places(places), Vocabulary(vocabulary)
    texts, differences = {name: json.dumps(each) for name, each in corpus["rule_sets"].items()}, []
    cases = [each for each in corpus["cases"] if not any(LEFT_OUT.search(texts[name]) for name in each["rule_sets"])]
    for case in cases:
        files = [corpus["rule_sets"][name] for name in case["rule_sets"]]
        actual = answer(files, case.get("override", {}), Home(case["home"], line, counties))
        if actual != case["expect"]:
            both = f"expected {json.dumps(case['expect'])}\n  received {json.dumps(actual)}"
            differences.append(f"{case['id']} ({case['about']})\n  {both}")
    left_out = len(corpus["cases"]) - len(cases)
    note = f" {left_out} are about areas, tiers, events or evidence, which are left out." if left_out else ""
    first = f"{len(cases) - len(differences)} of {len(cases)} cases agree, {len(differences)} differ.{note}"
    print(first, *differences[:20], sep="\n")
    return 1 if differences else 0

if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])) if len(sys.argv) == 2 else "Usage: python3 evaluate.py CORPUS_DIR")
