#!/usr/bin/env python3
"""A second implementation of the rule format: docs/rule-format.md in another language.

`python3 evaluate.py CORPUS_DIR` evaluates every case in the folder, and prints how many agree and the first that
differ. Exits with 1 if a case differs.

A home with unknown values stands for all its completions. Every unknown field is cut into pieces that no test divides,
and every combination of pieces is evaluated. A computed number is one more field. An item of a list is a home with the
fields of the list.
"""
from __future__ import annotations
import json, math, re, sys
from copy import copy
from datetime import date
from itertools import product
from pathlib import Path
from typing import Any, Callable, Iterable, NamedTuple, Optional, Union
sys.dont_write_bytecode = True
from events import day_in, matches, missing_for, quote_events
from facts import (
    Json, Known, Places, Range, Vocabulary, day_of, deep, fill, flat, from_meters, instant, is_in_force, is_number,
    at_certainty, is_single, measure, override_rules, read_form, to_meters,
)

# A computed number: its bounds, whether it is always whole, and the fields and lists that are not fully known.
Number = NamedTuple("Number", [("low", float), ("high", float), ("is_whole", bool), ("unknown", set[str])])
ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "add": lambda a, b: a + b, "subtract": lambda a, b: a - b, "multiply": lambda a, b: a * b,
    "percent_of": lambda a, b: a * b / 100, "min": min, "max": max,
}

class Home:
    """What is known of a home: `given`, and `values` after fallbacks, lists and relations bounded them."""
    def __init__(self, data: Json, vocabulary: Vocabulary, places: Places) -> None:
        self.data, self.vocabulary, self.places, self.fields = data, vocabulary, places, dict(vocabulary.fields)
        self.effective_date: str = data["effective_date"]
        self.year, self.as_of = int(self.effective_date[:4]), instant(data["as_of"])
        self.state, self.policy_type = str(data["home"]["state"]), str(data["home"]["policy_type"])
        self.counties: Optional[list[str]] = data["counties"]
        self.possible_counties = places.of_state[self.state] if self.counties is None else self.counties
        self.place: dict[str, Known] = {
            "state": [self.state], "policy_type": [self.policy_type], "county": self.counties,
        }
        self.is_located, self.location = data.get("located", False), data.get("location")
        self.missing_place = ["footprint" if self.is_located else "address"]
        self.areas: Json = {}  # Of the file.
        self.evidence: Json = data.get("evidence", {})
        self.lists: dict[str, Optional[list[Json]]] = {name: data["home"].get(name) for name in vocabulary.lists}
        self.lists["events"] = data.get("events")
        self.given = {name: self.read(data, entry) for name, entry in vocabulary.fields.items()}
        self.values = dict(self.given)
        days = day_of(self.effective_date) - day_in(self.as_of, places.time_zone[self.state])
        self.fields["days_until_effective"], self.values["days_until_effective"] = {"integer": True}, Range(days, days)
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
        years = self.complete_years if entry.get("complete_years") else lambda given: max(0, self.year - given)
        return years(value) if entry.get("complete_years") or entry.get("age") else value
    def complete_years(self, day: float) -> int:
        then = str(date.fromordinal(int(day) + date(1970, 1, 1).toordinal()))
        return min(300, max(0, self.year - int(then[:4]) - (self.effective_date[4:] < then[4:])))
    def axis_of(self, fact: str, words: Iterable[str] = ()) -> str:
        """The field of a fact. The age and the source of a value are fields with the names of their missing fields."""
        named = re.fullmatch(r"(\w+)\.(source|evidence_age_years)", fact)
        if not named:
            entry = self.fields.get(field := self.vocabulary.field_of(fact), {})
            if entry.get("is_open"):
                self.fields[field] = {**entry, "words": {*entry["words"], *words, "x_"}}
            return field
        owner, kind = self.vocabulary.with_value(named[1]), named[2]
        entry, known = self.vocabulary.fields.get(owner, {}), self.evidence.get(owner, {})
        given = "source" if kind == "source" else "as_of"
        axis = f"{entry.get('given_as', entry.get('request_name', owner))}.{given}"
        if kind == "source":
            others = self.fields.get(axis, {"words": [*self.vocabulary.data["sources"], "x_"]})["words"]
            self.fields[axis], self.values[axis] = {"words": {*others, *words}}, read_form({}, known.get(given))
        else:
            days, self.fields[axis] = read_form({"form": "date"}, known.get(given)), {"integer": True}
            years = sorted(self.complete_years(each) for each in days) if isinstance(days, Range) else [0, 300]
            self.values[axis] = Range(*years)
        return axis
    def last_day(self, years: float) -> int:  # The last day that is so many complete years before the effective date.
        return day_of(f"{min(9999, max(1, self.year - math.ceil(years))):04}{self.effective_date[4:]}")
    def known(self, fact: str, values: dict[str, Known]) -> Known:  # What is known of a fact.
        value = self.place[fact] if fact in self.place else values[self.vocabulary.field_of(fact)]
        return Range(*sorted(self.view(fact, end) for end in value)) if isinstance(value, Range) else value
    def number(self, source: Any) -> Number:  # A computed number.
        if is_number(source):
            return Number(source, source, source == int(source), set())
        if "fact" in source:
            fact, field = source["fact"], self.axis_of(source["fact"])
            low, high = sorted(self.view(fact, end) for end in self.range(field))
            is_whole = "integer" in self.fields[field] and "meters_per_unit" not in self.vocabulary.about(fact)
            return Number(low, high, is_whole, {field} if low < high else set())
        if "miles_to" in source:
            low, high, _ = measure(self.areas[source["miles_to"]], self.location)
            return Number(low, high, False, {*self.missing_place} if low < high else set())
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
        is_event = name == "events" and self.lists[name] is not None
        items = [(1, 1, *each[2:]) for each in matches(self, of, where)] if is_event else [
            (*each, *self.match(vocabulary, values, where, of)) for *each, values in self.items(name, vocabulary)]
        for fewest, greatest, is_certain, numbers in items:
            if numbers and greatest > 0:
                counts.append((fewest if is_certain else 0, greatest))
                ranges.append(Range(min(numbers), max(numbers)))
        if kind in ("count", "sum"):
            ends = [[count * end for count in pair for end in each] for pair, each in zip(counts, ranges)]
            number = vocabulary.data["max_items"]
            low = max(sum(min(each) for each in ends), number * min(0, least))
            high = min(sum(max(each) for each in ends), number * max(0, most))
        else:
            certain = [each for (fewest, _), each in zip(counts, ranges) if fewest > 0]
            at_low, at_high = (certain, ranges) if kind == "max" else (ranges, certain)
            none, pick = (least - 1, max) if kind == "max" else (most + 1, min)
            low, high = pick([none, *(each.low for each in at_low)]), pick([none, *(each.high for each in at_high)])
        missing = missing_for(self, of, where) if is_event else {name}
        is_whole = kind == "count" or "integer" in vocabulary.about(of) or "complete_years" in vocabulary.about(of)
        return Number(low, high, is_whole, missing if low < high else set())
    def items(self, name: str, vocabulary: Vocabulary) -> list[tuple[int, int, dict[str, Known]]]:
        """The items of a list, or the kinds of items of an unknown one: the fewest, the most, and what is known."""
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
            value = source["value"]
            facts = [source.get("fact", ""), value.get("fact", "")] if isinstance(value, dict) else []
            if "fact" not in source or "" in facts or "." in "".join(facts):  # A point: the age of a value.
                return self.test_of_number(source)
            return self.test(source["fact"], source["operator"], source["value"])
        if kind == "condition":
            return self.tree(self.conditions[source["condition"]])
        return group(kind, [self.tree(each) for each in flat(source[kind])])
    def test(self, fact: str, operator: str, value: Any) -> Tree:
        if isinstance(value, dict):
            return self.test_of_two(fact, operator, value["fact"])
        if fact in ("state", "policy_type"):
            return TRUE if compare(operator, self.home.place[fact][0], value) else FALSE  # type: ignore[index]
        if fact == "location":
            return self.test_of_area(operator, value)
        if fact == "county":
            codes = self.home.places.codes_of
            meant = lambda fips: deep(value, lambda each: fips if fips in codes(each) else each)
            return self.settled(Test("county", lambda fips: compare(operator, fips, meant(fips)), []))
        if fact in self.vocabulary.sets:
            return self.test_of_set(self.vocabulary.sets[fact], operator, value)
        field, entry = self.home.axis_of(fact, flat(value)), self.vocabulary.about(fact)
        if entry.get("form") == "zipcode":
            ends = [[int(each.split("-")[end].strip("*").ljust(5, "09"[end])) for end in (0, -1)]
                    for each in flat(value)]
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
    def test_of_area(self, operator: str, name: str) -> Tree:
        if operator.startswith("not:"):
            return group("not", [self.test_of_area(operator[4:], name)])
        if "zipcodes" in self.home.areas[name]:
            return self.test("zipcode", "in", self.home.areas[name]["zipcodes"])
        if operator == "within":
            return self.test_of_number({"miles_to": name, "operator": "equal", "value": 0})
        is_entire = measure(self.home.areas[name], self.home.location).is_entire
        if is_entire is not None:
            return TRUE if is_entire else FALSE
        self.facts_of_test[key := f"{operator} {name}"] = self.home.missing_place
        return self.settled(Test(key, bool, []))
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
    def covered(self, sources: list[Json]) -> Tree:  # By some of these programs or moratoria.
        areas = [self.home.places.area_of(each, self.home.state) for each in sources]
        return self.settled(Test("county", lambda fips: any(area(fips) for area in areas), []))
    def counted(self, trees: list[Tree]) -> list[Completion]:
        """The completions that count for everything but the status."""
        def piece(field: str, value: float) -> Piece:
            cut = pieces(self.home, field, self.tested[field], self.home.domain(field))
            return next(each for each in cut if each.low <= value <= each.high)
        def pairs(fields: Iterable[str]) -> list[tuple[str, str]]:
            return [pair for pair in self.vocabulary.relations if {*fields} >= {*pair}]
        space = completions(self.home, trees)
        for low, high in pairs(self.tested):
            if not piece(low, self.home.range(low).low).can_be_below(piece(high, self.home.range(high).high)):
                return space
        return [each for each in space if all(each[low].can_be_below(each[high]) for low, high in pairs(each))]
def pieces(home: Home, axis: str, limits: Iterable[float], values: Any = None) -> list[Piece]:
    """Cuts the possible values of an axis at limits."""
    if axis == "county" or axis not in home.fields:
        return [Piece(each) for each in (home.possible_counties if axis == "county" else [False, True])]
    values = values or home.values[axis] or home.domain(axis)
    is_range = isinstance(values, Range)
    return cut_at(values, limits, home.fields[axis].get("integer", False)) if is_range else [*map(Piece, values)]
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
                           ("priority", float), ("bounds", list[Bound]), ("program", str)])
def read_rules(file: Json, reader: Reader, programs: list[Json]) -> list[Rule]:
    """The rules of some programs and those at the top, highest priority first."""
    number = 0
    def read(source: Json, place: Optional[Tree]) -> list[Rule]:
        nonlocal number
        sources = source.get("rules", [])
        number += len(sources)
        numbered = enumerate(sources, number - len(sources) + 1)
        return [read_rule(each, at, file, reader, place, source.get("id", "")) for at, each in numbered if place]
    rules = top = read(file, reader.covered(programs))
    for program in file["programs"]:
        place = reader.covered([program]) if program in programs else None
        own = read(program, place)
        if place:
            tree = group("all", [contradiction([bound for rule in top + own for bound in rule.bounds]), place])
            own.append(Rule("", "refer", "contradicting_terms", "", tree, -math.inf, [], program["id"]))
        rules = rules + own
    return sorted(rules, key=lambda rule: -rule.priority)
def read_rule(source: Json, number: int, file: Json, reader: Reader, place: Tree, program: str) -> Rule:
    is_imported = "event" in source
    params: Json = source["event"].get("params", {}) if is_imported else source
    outcome = source["event"]["type"] if is_imported else source["outcome"]
    outcome = file.get("outcomes", {}).get(outcome, outcome) if is_imported else outcome
    is_reverse = isinstance(outcome, dict) or "unless" in source
    condition = source[next(key for key in ("when", "unless", "conditions") if key in source)]
    tree = reader.tree(condition)
    tree = group("all", [group("not", [tree]) if is_reverse else tree, place])
    rule_id = str(source.get("name", f"rule-{number}")) if is_imported else source["id"]
    code, message = str(params.get("code", "")), str(params.get("message", rule_id))
    if code not in reader.vocabulary.data["codes"] and not re.fullmatch(r"x_[a-z0-9_]+", code):
        code = "x_imported"
    bounds = read_bounds(params.get("terms", {}), reader, tree)
    outcome = outcome["otherwise"] if isinstance(outcome, dict) else outcome
    message = quote_events(message, reader.home, reader.conditions, {is_reverse: condition})
    return Rule(rule_id, outcome, code, message, tree, source.get("priority", 1), bounds, program)
def read_bounds(terms: Json, reader: Reader, tree: Tree) -> list[Bound]:
    """The bounds of an offer: of a table, one for each step."""
    result: list[Bound] = []
    for term, written in terms.items():
        start = None
        for step in written["steps"] if isinstance(written, dict) and "steps" in written else [{"value": written}]:
            limits = [("greaterThanInclusive", start), ("lessThan", step.get("below"))]
            tests = [reader.test(written["by"], operator, limit) for operator, limit in limits if limit is not None]
            start, where, value = step.get("below"), group("all", [tree, *tests]), step.get("value", step)
            if not isinstance(value, dict):
                value = {"applies": True} if value is True else {"one_of": flat(value)}
            result += [Bound(term, kind, each, where) for kind, each in value.items() if kind != "below"]
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
def answer(files: list[Json], override: Json, home: Home) -> Json:
    in_force = [file for file in files if is_in_force(file["effective"], home.effective_date)]
    file: Json = max(in_force, key=lambda each: each["effective"]["from"], default={"programs": []})
    programs = [each for each in file["programs"] if home.policy_type in each["policy_types"]]
    if not any(home.state in each["states"] for each in programs):
        return {"status": "not_offered"}
    home = Home(at_certainty(home.data, home.given, file.get("certainty")), home.vocabulary, home.places)
    file = {**file, "rules": file.get("rules", []) + override_rules(override)}
    reader, home.areas = Reader(home, file.get("conditions", {})), file.get("areas", {})
    ladder = Ladder(reader, stops(file, reader, programs), read_rules(file, reader, programs), programs)
    rules = ladder.rules_that_count()
    parts = ladder.status_parts() | ladder.tier_parts()
    parts |= requirement_parts(home, reader, rules) | offer_parts(home, reader, rules)
    return {name: part for name, part in parts.items() if part}
def stops(file: Json, reader: Reader, programs: list[Json]) -> list[Rule]:  # Places without programs, and moratoria.
    home, first = reader.home, next(each for each in programs if reader.home.state in each["states"])
    labels = " or ".join(home.places.county[fips]["label"] for fips in home.counties or [])
    where = f"{f'in {labels},' if labels else 'everywhere in'} {home.state.upper()}"
    message = f"{file['carrier']['name']} does not write {home.policy_type} {where}."
    outside = group("not", [covered := reader.covered(programs)])
    result = [Rule(first["id"], "decline", "territory", message, outside, 1, [], "")]
    for each in sorted(file.get("moratoria", []), key=lambda each: "when" in each or "unless" in each):
        if is_in_force(each, home.as_of, instant) and home.policy_type in each.get("policy_types", [home.policy_type]):
            sources = {key == "unless": each[key] for key in ("when", "unless") if key in each}
            trees = [(reader.tree(source), is_negated) for is_negated, source in sources.items()]
            conditions = [group("not", [tree]) if is_negated else tree for tree, is_negated in trees]
            tree = group("all", [reader.covered([each]), *conditions, *([covered] if conditions else [])])
            message = quote_events(each["message"], home, reader.conditions, sources)
            result.append(Rule(each["id"], "decline", "moratorium", message, tree, 1, [], ""))
    return result
# The status of a completion, the program whose rules count there, and those of its deciding rules that hold.
Choice = NamedTuple("Choice", [("status", str), ("program", Json), ("rules", list[Rule])])
STATUSES = ["eligible", "referral", "ineligible"]

class Ladder:
    """Some programs of the policy type, best tier first, and the rules that decide between them."""
    def __init__(self, reader: Reader, stops: list[Rule], rules: list[Rule], programs: list[Json]) -> None:
        self.home, self.reader, self.stops, self.rules = reader.home, reader, stops, stops + rules
        self.programs = sorted(programs, key=lambda each: each.get("tier", {"rank": 0})["rank"])
        self.deciding = [rule for rule in self.rules if rule.outcome in ("decline", "refer")]
        self.places = [reader.covered([each]) for each in self.programs]
        self.trees = [rule.tree for rule in self.deciding] + self.places
        self.space = completions(self.home, self.trees)
        self.choices = [self.choose(each) for each in self.space]
    def choose(self, completion: Completion) -> Choice:
        worst = {"decline": "ineligible", "refer": "referral", "": "eligible"}  # As the order of the outcomes.
        holding = [rule for rule in self.deciding if rule.tree.holds(completion)]
        choices = [Choice("ineligible", {}, holding)]
        for program in self.there(completion):
            own = [rule for rule in holding if rule.program in ("", program["id"])]
            choices.append(Choice(worst[min((rule.outcome for rule in own), default="")], program, own))
        best = min(choices, key=lambda each: STATUSES.index(each.status))
        return choices[-1] if best.status == "ineligible" else best
    def there(self, completion: Completion) -> list[Json]:
        return [program for program, place in zip(self.programs, self.places) if place.holds(completion)]
    def rules_that_count(self) -> list[Rule]:
        def counting(tree: Tree, program: str) -> Tree:
            tests = [test for each in [tree, *self.trees] for test in each.tests]
            return Tree(tests, lambda each: tree.holds(each) and self.choose(each).program["id"] == program)
        def change(rule: Rule) -> Rule:
            bounds = [each._replace(tree=counting(each.tree, rule.program)) for each in rule.bounds]
            return rule._replace(tree=counting(rule.tree, rule.program), bounds=bounds)
        tiers = [each["id"] for each in self.programs if "tier" in each]
        return [change(rule) if rule.program in tiers and rule not in self.deciding else rule for rule in self.rules]
    def tier_parts(self) -> Json:
        taking = [{} if each.status == "ineligible" else each.program for each in self.choices]
        there = [each for completion in self.space for each in self.there(completion)]
        tiers = [each for each in self.programs if "tier" in each and each in there]
        possible, others = ([each for each in tiers if (each in taking) == is_taking] for is_taking in (True, False))
        if not possible:
            first = self.choices[0].program
            is_same = all(each.program == first for each in self.choices)
            return {"other_tiers": [self.alone(each) for each in others if not is_same or each != first]}
        last = {each["tier"]["of"]: each["tier"]["rank"] for each in possible}  # The highest rank of each ladder.
        better = [each for each in others if each["tier"]["rank"] < last.get(each["tier"]["of"], 0)]
        parts: Json = {"better_tiers": [self.alone(each) for each in better]}
        if all(each == possible[0] for each in taking):
            return parts | {"tier": possible[0]["tier"] | {"program_id": possible[0]["id"]}}
        return parts | {"possible_tiers": [self.alone(each) for each in possible]}
    def alone(self, program: Json) -> Json:  # The answer of a tier.
        place = self.stops[0]._replace(id=program["id"], tree=group("not", [self.reader.covered([program])]))
        rules = [rule for rule in self.rules[len(self.stops):] if rule.program in ("", program["id"])]
        parts = Ladder(self.reader, [place, *self.stops[1:]], rules, [program]).status_parts()
        shown = {name: parts[name] for name in ("status", "reasons", "missing_fields") if parts.get(name)}
        return program["tier"] | {"program_id": program["id"]} | shown
    def status_parts(self) -> Json:
        statuses, holding = [each.status for each in self.choices], [each.rules for each in self.choices]
        possible = [status for status in STATUSES if status in statuses]
        status = possible[0] if len(possible) == 1 else "needs_information"
        reason = {"eligible": "", "ineligible": "decline"}.get(status, "refer")
        def is_enough(some: list[Rule]) -> bool:
            return all(any(rule is each for rule in some for each in every) for every in holding)
        candidates = [rule for rule in self.deciding if rule.outcome == reason]
        chosen = [rule for rule in candidates if is_enough([rule])]
        if status in ("referral", "ineligible") and not chosen:
            chosen = candidates
            for rule in reversed(candidates):
                fewer = [each for each in chosen if each is not rule]
                chosen = fewer if is_enough(fewer) else chosen
        # One reason for all contradictions.
        reasons = {(rule.id, rule.code): written(rule, self.home) for rule in chosen}
        result: Json = {"status": status, "reasons": [*reasons.values()]}
        if status == "needs_information":
            def decides(axis: str) -> bool:
                others: dict[Any, str] = {}  # The status by the pieces of the other axes.
                keys = [tuple(piece for other, piece in each.items() if other != axis) for each in self.space]
                return any(others.setdefault(key, each) != each for key, each in zip(keys, statuses))
            facts_of = self.reader.facts_of_test
            facts = [fact for axis in self.space[0] if decides(axis) for fact in facts_of.get(axis, [axis])]
            result |= {"possible_statuses": possible, "missing_fields": missing_fields(self.home, facts)}
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
        return not is_single(home.given[fact]) if fact in fields else fact not in ("state", "policy_type")
    entries = [fields.get(fact, {"request_name": fact}) for fact in facts if is_open(fact)]
    names = {each["given_as"] if "given_as" in each and home.is_located else each["request_name"] for each in entries}
    for pair in (pair for pair in home.vocabulary.data["given_together"] if names & {*pair}):
        both = [name for name, each in fields.items() if each["request_name"] in pair]
        names |= {fields[name]["request_name"] for name in both if is_open(name)}
    return sorted(names)
def written(rule: Rule, home: Home) -> Json:
    return {"rule_id": rule.id, "code": rule.code, "message": fill(rule.message, home)}
def main(folder: Path) -> int:
    corpus, places, vocabulary = (json.loads((folder / name).read_text(encoding="utf-8"))
                                  for name in ("rule-format-1.json", "places.json", "vocabulary-home.json"))
    counties, line, differences = Places(places), Vocabulary(vocabulary), []
    for case in corpus["cases"]:
        files = [corpus["rule_sets"][name] for name in case["rule_sets"]]
        actual = answer(files, case.get("override", {}), Home(case["home"], line, counties))
        if actual != case["expect"]:
            both = f"expected {json.dumps(case['expect'])}\n  received {json.dumps(actual)}"
            differences.append(f"{case['id']} ({case['about']})\n  {both}")
    count, wrong = len(corpus["cases"]), len(differences)
    print(f"{count - wrong} of {count} cases agree, {wrong} differ.", *differences[:20], sep="\n")
    return 1 if differences else 0

if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])) if len(sys.argv) == 2 else "Usage: python3 evaluate.py CORPUS_DIR")
