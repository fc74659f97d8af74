#!/usr/bin/env python3
"""A second implementation of the rule format: docs/rule-format.md in another language.

`python3 evaluate.py CORPUS_DIR` evaluates every case in the folder, and prints how many agree and the first differences. Exits with 1
if a case differs.

A home with unknown values stands for all its completions. Every unknown field is cut into pieces that no test divides. A set of
completions is a whole number with one bit for each combination of pieces: a test is such a set, `all` is `&`, and `any` is `|`.
"""
from __future__ import annotations
import json, math, re, sys, unicodedata
from datetime import datetime
from functools import cache, reduce
from pathlib import Path
from typing import Any, Callable, Iterable, NamedTuple, Optional, Union
Json = dict[str, Any]

Range = NamedTuple("Range", [("low", float), ("high", float)])  # Ends included.
Known = Union[int, float, str, Range, list[str], None]  # A value, bounds, one of several words, or unknown.

def between(low: float, high: float) -> Known:
    return low if low == high else Range(low, high)
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

class Places:
    """States and counties, and the spellings of counties."""
    def __init__(self, data: Json) -> None:
        self.county: dict[str, Json] = {each["fips"]: each for each in data["counties"]}
        self.suffixes: list[str] = data["suffixes"]
        self.free: dict[str, list[str]] = {each["state"]: each["suffixes"] for each in data["free_suffixes"]}
        self.former: dict[str, list[str]] = {each["fips"]: each["now"] for each in data["former_codes"]}
        self.of_state: dict[str, list[str]] = {}
        self.by_key: dict[tuple[str, str], list[str]] = {}
        for each in data["counties"]:
            self.of_state.setdefault(each["state"], []).append(each["fips"])
            for key in each["keys"]:
                self.by_key.setdefault((each["state"], key), []).append(each["fips"])
        self.states = {"".join(words_of(name)): each["code"] for each in data["states"] for name in (each["code"], each["name"])}
    def find(self, state: str, name: str) -> list[str]:
        """The counties of a state that a name means."""
        words = words_of(name)
        if len(words) == 1 and re.fullmatch(r"\d{4,5}", words[0]):
            code = words[0].zfill(5)
            return [fips for fips in self.former.get(code, [code]) if fips in self.of_state[state]]
        if len(words) > 1 and words[-1] in ("co", "cnty", "cty"):
            words[-1] = "county"
        text = " ".join(words)
        moved = next((f"{text[len(each) + 4:]} {each}" for each in self.suffixes if re.match(f"{each} (of|de) .", text)), text)
        free = [each for each in self.suffixes if each in self.free[state] and moved.endswith(f" {each}")]
        for candidate in (text, moved, *(moved[: -len(each) - 1] for each in free[:1])):
            if (state, candidate.replace(" ", "")) in self.by_key:
                return self.by_key[state, candidate.replace(" ", "")]
        return []
    @cache
    def codes_of(self, value: str) -> list[str]:
        """The counties of a constant in a test."""
        name, _, state = value.rpartition(",")
        return [value] if re.fullmatch(r"\d{5}", value) else self.find(self.states["".join(words_of(state))], name)

class County(str):
    """A FIPS code that equals every spelling of the county."""
    places: Places
    def __eq__(self, value: object) -> bool:
        return str(self) in County.places.codes_of(str(value))
    __ne__ = lambda self, value: not self == value
    __hash__ = str.__hash__
def words_of(name: str) -> list[str]:
    plain = "".join(each for each in unicodedata.normalize("NFKD", name) if not unicodedata.combining(each))
    plain = re.sub(r"['’‘ʼʻ`()\[\]]", "", plain).lower().replace("&", " and ")
    spelled = {"saint": "st", "sainte": "ste", "ft": "fort"}
    return [spelled.get(word, word) for word in re.sub(r"[^a-z0-9]+", " ", plain).split()]

class Vocabulary:
    """The fields of a line and the facts derived from them."""
    def __init__(self, data: Json) -> None:
        self.fields: dict[str, Json] = {each["name"]: each for each in data["fields"]}
        self.derived: dict[str, Json] = {each["name"]: each for each in data["derived_facts"]}
        self.relations: list[tuple[str, str]] = [(each["lower"], each["higher"]) for each in data["relations"]]
        self.given_together: list[list[str]] = data["given_together"]
        self.codes: list[str] = data["codes"]
        self.terms: dict[str, Json] = {each["name"]: each for each in data["terms"]}
        members = [each for each in data["fields"] if "set" in each]
        self.sets = {name: {each["word"]: each["name"] for each in members if each["set"] == name} for name in {each["set"] for each in members}}
    def about(self, fact: str) -> Json:
        """The entry of a fact; empty for places and unknown names."""
        return self.derived.get(fact) or self.fields.get(fact) or {}
    def field_of(self, fact: str) -> str:
        return self.derived[fact]["field"] if fact in self.derived else fact
def to_meters(value: float, per_unit: float) -> float:
    return round_half_up(value * per_unit, 4)
def from_meters(meters: float, per_unit: float) -> float:
    decimals = [round_half_up(meters / per_unit, places) for places in range(8)]
    return next((each for each in decimals if to_meters(each, per_unit) == to_meters(meters, 1)), meters / per_unit)

class Home:
    """What is known of a home: `given`, and `values` after relations bounded them."""
    def __init__(self, data: Json, vocabulary: Vocabulary, places: Places) -> None:
        self.vocabulary, self.places = vocabulary, places
        self.effective_date: str = data["effective_date"]
        self.year = int(self.effective_date[:4])
        self.as_of = instant(data["as_of"])
        self.state: str = data["home"]["state"]
        self.policy_type: str = data["home"]["policy_type"]
        self.counties: Optional[list[str]] = data["counties"]
        self.possible_counties = places.of_state[self.state] if self.counties is None else self.counties
        county = self.counties[0] if self.counties and len(self.counties) == 1 else None
        self.place: dict[str, Known] = {"state": self.state, "policy_type": self.policy_type, "county": county}
        self.is_located: bool = data.get("located", False)
        self.given: dict[str, Known] = {name: self.read(data, entry) for name, entry in vocabulary.fields.items()}
        self.values = dict(self.given)
        for name, entry in vocabulary.fields.items():
            condition = entry.get("fallback", {}).get("when", {"field": name, "value": None})
            if "fallback" in entry and self.values[name] is None and self.values[condition["field"]] == condition["value"]:
                self.values[name] = entry["fallback"]["value"]
        while self.bound():
            pass
    def read(self, data: Json, field: Json) -> Known:
        value = data["known"].get(field["name"])
        if isinstance(value, dict):
            return value["one_of"] if "one_of" in value else between(value["min"], value["max"])
        if value is None:
            value = data["home"].get(field["request_name"])
            if value is not None and field.get("age_or_year") and value <= 200:
                return self.year - value
        value = field["word"] in value if isinstance(value, list) else value
        if isinstance(value, bool):
            return "yes" if value else "no"
        return int(value) if value and field.get("form") == "zipcode" else value
    def bound(self) -> bool:
        """Bounds the fields of each relation by each other. True if a bound changed."""
        before = dict(self.values)
        for lower, higher in self.vocabulary.relations:
            low, high = self.range(lower), self.range(higher)
            if low.high > high.high and low.low <= high.high:
                self.values[lower] = between(low.low, high.high)
            if high.low < low.low <= high.high:
                self.values[higher] = between(low.low, high.high)
        return self.values != before
    def range(self, field: str, *replaced: Known) -> Range:
        """The possible numbers of a field, or of another value of it."""
        value, entry = replaced[0] if replaced else self.values[field], self.vocabulary.fields[field]
        if value is None:
            return Range(entry["min"], entry.get("max", self.year + entry.get("max_years_after", 0)))
        return value if isinstance(value, Range) else Range(value, value)  # type: ignore[arg-type]
    def view(self, fact: str, value: Any) -> Any:
        """The value of a fact from that of its field."""
        entry = self.vocabulary.derived.get(fact, {})
        if "meters_per_unit" in entry:
            return from_meters(value, entry["meters_per_unit"])
        return max(0, self.year - value) if entry.get("age") else value
    def known(self, fact: str, values: dict[str, Known]) -> Known:
        """What is known of a fact."""
        if fact in self.place:
            return self.place[fact]
        value = values[self.vocabulary.field_of(fact)]
        if isinstance(value, Range):
            return between(*sorted(self.view(fact, end) for end in value))
        return value if value is None or isinstance(value, list) else self.view(fact, value)
def order(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    return lambda a, b: is_number(a) and is_number(b) and compare(a, b)
OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "equal": lambda a, b: a == b, "notEqual": lambda a, b: a != b,
    "in": lambda a, b: a in b, "notIn": lambda a, b: a not in b,
    "contains": lambda a, b: isinstance(a, list) and b in a, "doesNotContain": lambda a, b: isinstance(a, list) and b not in a,
    "lessThan": order(lambda a, b: a < b), "lessThanInclusive": order(lambda a, b: a <= b),
    "greaterThan": order(lambda a, b: a > b), "greaterThanInclusive": order(lambda a, b: a >= b),
}
def compare(operator: str, a: Any, b: Any) -> bool:
    word, colon, rest = operator.partition(":")
    if not colon:
        return OPERATORS[word](a, b)
    if word in ("not", "swap"):
        return compare(rest, b, a) if word == "swap" else not compare(rest, a, b)
    quantify = any if word.startswith("some") else all
    if word.endswith("Value"):
        return quantify(compare(rest, a, each) for each in b)
    return isinstance(a, list) and quantify(compare(rest, each, b) for each in a)
def truth_of_two(operator: str, a: Known, b: Known) -> Optional[bool]:
    """The truth of a test of two facts; None if it is unknown."""
    if a is None or b is None:
        return None
    if isinstance(a, Range) and isinstance(b, Range) and a.low <= b.high and b.low <= a.high:
        return None
    if isinstance(a, list) and isinstance(b, list) and set(a) & set(b):
        return None
    def samples(known: Known, other: Known) -> list[Any]:
        if not isinstance(known, Range):
            return known if isinstance(known, list) else [known]
        return [*known, sum(known) / 2, *([other] if is_number(other) and known.low <= other <= known.high else [])]  # type: ignore
    results = {compare(operator, x, y) for x in samples(a, b) for y in samples(b, a)}
    return results.pop() if len(results) == 1 else None
# A test of one axis: a field, the county, or the result of an unknown test of two facts.
Test = NamedTuple("Test", [("axis", str), ("holds", Callable[[Any], bool]), ("limits", list[float])])

class Tree(NamedTuple):
    """A condition: the same in every completion, or true in those where some tests have certain results."""
    constant: Optional[bool]
    tests: list[Test]
    where: Callable[[Space], int]
TRUE, FALSE = Tree(True, [], lambda space: space.all), Tree(False, [], lambda space: 0)
def group(kind: str, parts: list[Tree]) -> Tree:
    if kind == "not" and parts[0].constant is not None:
        return FALSE if parts[0].constant else TRUE
    if kind == "not":
        return Tree(None, parts[0].tests, lambda space: space.all ^ parts[0].where(space))
    decisive, neutral = (TRUE, FALSE) if kind == "any" else (FALSE, TRUE)
    left = [each for each in parts if each.constant is None]
    if not parts or decisive in parts or not left:
        return TRUE if not parts else decisive if decisive in parts else neutral
    combine = int.__or__ if kind == "any" else int.__and__
    tests = [test for each in left for test in each.tests]
    return Tree(None, tests, lambda space: reduce(combine, [each.where(space) for each in left]))

class Reader:
    """Reads the conditions of a rule set for one home."""
    def __init__(self, home: Home, conditions: Json) -> None:
        self.home, self.vocabulary, self.conditions = home, home.vocabulary, conditions
        self.facts_of_test: dict[str, list[str]] = {}  # Of each unknown test of two facts.
        self.tested: dict[str, list[float]] = {}  # The limits of each field.
    def tree(self, source: Json) -> Tree:
        kind = next(each for each in ("any", "all", "not", "condition", "fact") if each in source)
        if kind == "fact":
            return self.test(source["fact"], source["operator"], source["value"])
        if kind == "condition":
            return self.tree(self.conditions[source["condition"]])
        return group(kind, [self.tree(each) for each in ([source["not"]] if kind == "not" else source[kind])])
    def test(self, fact: str, operator: str, value: Any) -> Tree:
        if isinstance(value, dict):
            return self.test_of_two(fact, operator, value["fact"])
        if fact in ("state", "policy_type"):
            return TRUE if compare(operator, self.home.place[fact], value) else FALSE
        if fact == "county":
            return self.settled(Test("county", lambda fips: compare(operator, County(fips), value), []))
        if fact in self.vocabulary.sets:
            return self.test_of_set(self.vocabulary.sets[fact], operator, value)
        field, entry = self.vocabulary.field_of(fact), self.vocabulary.about(fact)
        if entry.get("form") == "zipcode":
            ends = [(each[:-1].ljust(5, "0"), each[:-1].ljust(5, "9")) if "*" in each else (each[:5], each[-5:]) for each in flat(value)]
            ranges = [(int(low), int(high)) for low, high in ends]
            is_in = lambda a: any(low <= a <= high for low, high in ranges)
            operator = re.sub("notEqual|notIn", "not:in", re.sub("^(.*:)?equal$", r"\1in", operator))
            return self.settled(Test(field, lambda a: is_in(a) != (operator.count("not") % 2 == 1), [each for pair in ranges for each in pair]))
        if entry.get("form") == "flag":
            value = deep(value, lambda each: "yes" if each else "no")
        if "meters_per_unit" in entry:
            fact, value = field, deep(value, lambda each: to_meters(each, entry["meters_per_unit"]))
        limits = [each for each in flat(value) if is_number(each)]
        limits = [self.home.year - each for each in [0, *limits]] if entry.get("age") else limits
        self.tested.setdefault(field, []).extend(limits)
        return self.settled(Test(field, lambda a: compare(operator, self.home.view(fact, a), value), limits))
    def test_of_set(self, fields: dict[str, str], operator: str, value: Any) -> Tree:
        word, _, rest = operator.partition(":")
        has = lambda word: self.settled(Test(fields[word], "yes".__eq__, []))
        if word == "contains":
            return has(value)
        if word in ("someFact", "everyFact"):
            some = group("any", [FALSE, *(has(each) for each in fields if compare(rest, each, value) == (word == "someFact"))])
            return some if word == "someFact" else group("not", [some])
        if word in ("someValue", "everyValue"):
            parts = [self.test_of_set(fields, rest, each) for each in value]
            return group("any", [FALSE, *parts]) if word == "someValue" else group("all", parts)
        return group("not", [self.test_of_set(fields, "contains" if word == "doesNotContain" else rest, value)])
    def test_of_two(self, fact: str, operator: str, other: str) -> Tree:
        entries = [self.vocabulary.about(each) for each in (fact, other)]
        if all("meters_per_unit" in each for each in entries) and entries[0]["unit"] == entries[1]["unit"]:
            fact, other = entries[0]["field"], entries[1]["field"]
        a, b = (self.home.known(each, self.home.values) for each in (fact, other))
        truth = truth_of_two(operator, a, b)
        if truth is not None:
            return TRUE if truth else FALSE
        key = f"{fact} {operator} {other}"
        self.facts_of_test[key] = [self.vocabulary.field_of(each) for each in (fact, other)]
        return self.settled(Test(key, bool, []))
    def counted(self, space: Space) -> int:
        """The completions that count for everything but the status."""
        def piece(field: str, value: float) -> Piece:
            return next(each for each in pieces(self.home, field, self.tested[field], self.home.range(field, None)) if each.has(value))
        pairs = [pair for pair in self.vocabulary.relations if self.tested.keys() >= set(pair)]
        ends = [(piece(low, self.home.range(low).low), piece(high, self.home.range(high).high)) for low, high in pairs]
        return space.consistent if all(low.can_be_below(high) for low, high in ends) else space.all
    def settled(self, test: Test) -> Tree:
        results = {test.holds(piece.sample) for piece in pieces(self.home, test.axis, test.limits)}
        return TRUE if False not in results else FALSE if True not in results else Tree(None, [test], lambda space: space.where(test.axis, lambda piece: test.holds(piece.sample)))

class Piece(NamedTuple):
    """Values of an axis that no test distinguishes: one of them, and their range."""
    sample: Any
    low: float = 0
    high: float = 0
    has_ends: bool = True
    def has(self, value: float) -> bool:
        return self.low <= value <= self.high and (self.has_ends or self.low < value < self.high)
    def can_be_below(self, other: Piece) -> bool:
        return self.low < other.high or (self.low == other.high and self.has_ends and other.has_ends)
def pieces(home: Home, axis: str, limits: Iterable[float], domain: Optional[Range] = None) -> list[Piece]:
    """Cuts the possible values of an axis at limits."""
    if axis == "county":
        return [Piece(fips) for fips in home.possible_counties]
    if axis not in home.values:
        return [Piece(False), Piece(True)]
    value, field = home.values[axis], home.vocabulary.fields[axis]
    if "words" in field:
        return [Piece(word) for word in (field["words"] if value is None else value if isinstance(value, list) else [value])]
    bounds = domain or home.range(axis)
    cuts = sorted({*bounds, *(each for each in limits if bounds.low <= each <= bounds.high)})
    result = [Piece(each, each, each) for each in cuts if not field.get("integer") or each == int(each)]
    for low, high in zip(cuts, cuts[1:]):
        if not field.get("integer"):
            result.append(Piece((low + high) / 2, low, high, False))
        elif math.floor(low) + 1 < high:
            result.append(Piece(math.floor(low) + 1, math.floor(low) + 1, math.ceil(high) - 1))
    return result

class Space:
    """All completions of a home, as far as the given rules distinguish them."""
    def __init__(self, home: Home, rules: list[Rule]) -> None:
        tests: dict[str, list[Test]] = {"county": [Test("county", rule.applies, []) for rule in rules]}
        for test in (test for rule in rules for test in rule.tree.tests):
            tests.setdefault(test.axis, []).append(test)
        relations = [pair for pair in home.vocabulary.relations if all(field in tests for field in pair)]
        self.axes: dict[str, tuple[int, list[Piece]]] = {}  # The pieces, and the distance of two neighbors in bits.
        self.count = 1
        for axis, of_axis in tests.items():
            cut = pieces(home, axis, [limit for test in of_axis for limit in test.limits])
            if not any(axis in pair for pair in relations):
                cut = list({tuple(test.holds(piece.sample) for test in of_axis): piece for piece in cut}.values())
            self.axes[axis] = self.count, cut
            self.count *= len(cut)
        self.all: int = (1 << self.count) - 1
        # Without those that contradict a relation: they count for the status only.
        self.consistent = reduce(int.__and__, [self.where_ordered(*pair) for pair in relations], self.all)
    def where(self, axis: str, holds: Callable[[Piece], bool]) -> int:
        """The completions whose piece on an axis fulfills a condition."""
        step, cut = self.axes[axis]
        block = sum(((1 << step) - 1) << (step * index) for index, piece in enumerate(cut) if holds(piece))
        return block * (self.all // ((1 << (step * len(cut))) - 1))
    def where_ordered(self, lower: str, higher: str) -> int:
        return union(self.where(lower, each.__eq__) & self.where(higher, each.can_be_below) for each in self.axes[lower][1])
    def where_rule(self, rule: Rule) -> int:
        return rule.tree.where(self) & self.where("county", lambda piece: rule.applies(piece.sample))
    def depends_on(self, axis: str, sets: Iterable[int]) -> bool:
        """True if two completions that differ only on the axis are not in the same sets."""
        step, cut = self.axes[axis]
        first = self.where(axis, cut[0].__eq__)
        return any(((each >> (step * index)) ^ each) & first for each in sets for index in range(1, len(cut)))
def union(sets: Iterable[int]) -> int:
    return reduce(int.__or__, sets, 0)
Bound = NamedTuple("Bound", [("term", str), ("kind", str), ("value", Any), ("tree", Tree)])  # Kinds: min, max, one_of, applies.

class Rule(NamedTuple):
    id: str
    outcome: str
    code: str
    message: str
    tree: Tree
    applies: Callable[[str], bool]  # By county.
    priority: float = 1
    bounds: list[Bound] = []
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
    def read(sources: list[Json], applies: Optional[Callable[[str], bool]]) -> list[Rule]:
        nonlocal number
        rules: list[Rule] = []
        for number, source in enumerate(sources, number + 1):
            if applies is not None:
                rules.append(read_rule(source, number, file.get("outcomes", {}), reader, applies))
        return rules
    rules = top = read(file.get("rules", []), lambda fips: any(area(fips) for area in areas))
    for program in file["programs"]:
        area = areas[programs.index(program)] if program in programs else None
        own = read(program.get("rules", []), area)
        tree = contradiction([bound for rule in top + own for bound in rule.bounds])
        if tree is not FALSE and area:
            own.append(Rule("", "refer", "contradicting_terms", "", tree, area, -math.inf))
        rules = rules + own
    return sorted(rules, key=lambda rule: -rule.priority)
def read_rule(source: Json, number: int, outcomes: Json, reader: Reader, applies: Callable[[str], bool]) -> Rule:
    is_imported = "event" in source
    params: Json = source["event"].get("params", {}) if is_imported else source
    outcome = source["event"]["type"] if is_imported else source["outcome"]
    outcome = outcomes.get(outcome, outcome) if is_imported else outcome
    is_reverse = isinstance(outcome, dict) or "unless" in source
    tree = reader.tree(source[next(key for key in ("when", "unless", "conditions") if key in source)])
    tree = group("not", [tree]) if is_reverse else tree
    rule_id = str(source.get("name", f"rule-{number}")) if is_imported else source["id"]
    code, message = str(params.get("code", "")), str(params.get("message", rule_id))
    if code not in reader.vocabulary.codes and not re.fullmatch(r"x_[a-z0-9_]+", code):
        code = "x_imported"
    bounds = read_bounds(params.get("terms", {}), reader, tree)
    outcome = outcome["otherwise"] if isinstance(outcome, dict) else outcome
    return Rule(rule_id, outcome, code, message, tree, applies, source.get("priority", 1), bounds)
def read_bounds(terms: Json, reader: Reader, tree: Tree) -> list[Bound]:
    """The bounds of an offer: of a table, one for each step."""
    result: list[Bound] = []
    for term, written in terms.items():
        is_table = isinstance(written, dict) and "steps" in written
        start = None
        for step in written["steps"] if is_table else [{"value": written}]:
            limits = [("greaterThanInclusive", start), ("lessThan", step.get("below"))]
            tests = [reader.test(written["by"], operator, limit) for operator, limit in limits if limit is not None]
            start, where = step.get("below"), group("all", [tree, *tests])
            value = step.get("value", step)
            if isinstance(value, dict):
                result += [Bound(term, kind, value[kind], where) for kind in ("min", "max") if kind in value]
            else:
                result.append(Bound(term, "applies", True, where) if value is True else Bound(term, "one_of", flat(value), where))
    return result
def contradiction(bounds: list[Bound]) -> Tree:
    """Holds where no value of some term is left."""
    parts: list[Tree] = []
    for term in dict.fromkeys(bound.term for bound in bounds):
        low, high, lists = ([each for each in bounds if each.term == term and each.kind == kind] for kind in ("min", "max", "one_of"))
        parts += [group("all", [a.tree, b.tree]) for a in low for b in high if a.value > b.value]
        against = [[each.tree for each in lists if word not in each.value] for each in lists for word in each.value]
        if against and all(against):
            parts.append(group("all", [group("any", trees) for trees in against]))
    return group("any", parts or [FALSE])
def override_rules(override: Json, home: Home) -> list[Json]:
    """The rules that an organization adds at the top."""
    exclude, here = override.get("exclude", {}), "This organization does not sell this carrier at this location."
    counties = [fips for state, names in exclude.get("counties", {}).items() for name in names for fips in home.places.find(state, name)]
    rows = [("policy_type", exclude.get("policy_types"), "policy_type", "This organization does not sell {policy_type} of this carrier."),
            ("state", exclude.get("states"), "territory", here), ("county", counties, "territory", here)]
    return override.get("add_rules", []) + [
        {"id": f"override-{fact.replace('_', '-')}", "outcome": "decline", "code": code, "message": message,
         "when": {"all": [{"fact": fact, "operator": "in", "value": value}]}} for fact, value, code, message in rows if value]
def answer(files: list[Json], override: Json, home: Home) -> Json:
    def is_in_force(window: Json, now: Any, read: Callable[[str], Any] = str) -> bool:
        return read(window["from"]) <= now and (window.get("until") is None or now < read(window["until"]))
    in_force = [file for file in files if is_in_force(file["effective"], home.effective_date)]
    file: Json = max(in_force, key=lambda each: each["effective"]["from"], default={"programs": []})
    programs = [each for each in file["programs"] if home.policy_type in each["policy_types"]]
    first = next((each for each in programs if home.state in each["states"]), None)
    if first is None:
        return {"status": "not_offered"}
    file = {**file, "rules": file.get("rules", []) + override_rules(override, home)}
    areas = [area_of(each, home) for each in programs]
    reader = Reader(home, file.get("conditions", {}))
    rules = read_rules(file, reader, programs, areas)
    labels = " or ".join(home.places.county[fips]["label"] for fips in home.counties or [])
    where = f"{f'in {labels},' if labels else 'everywhere in'} {home.state.upper()}"
    message = f"{file['carrier']['name']} does not write {home.policy_type} {where}."
    stops = [Rule(first["id"], "decline", "territory", message, TRUE, lambda fips: not any(area(fips) for area in areas))]
    for each in file.get("moratoria", []):
        if is_in_force(each, home.as_of, instant) and home.policy_type in each.get("policy_types", [home.policy_type]):
            stops.append(Rule(each["id"], "decline", "moratorium", each["message"], TRUE, area_of(each, home)))
    parts = {**status_parts(home, reader, stops + rules), **requirement_parts(home, reader, rules), **offer_parts(home, reader, rules)}
    return {name: part for name, part in parts.items() if part}
def status_parts(home: Home, reader: Reader, rules: list[Rule]) -> Json:
    deciding = [rule for rule in rules if rule.outcome in ("decline", "refer")]
    space = Space(home, deciding)
    sets = [(rule, space.where_rule(rule)) for rule in deciding]
    declines, refers = ([each for each in sets if each[0].outcome == outcome] for outcome in ("decline", "refer"))
    declined = union(each for _, each in declines)
    referred = union(each for _, each in refers) & ~declined
    by_status = {"eligible": space.all & ~declined & ~referred, "referral": referred, "ineligible": declined}
    possible = [status for status, each in by_status.items() if each]
    status = possible[0] if len(possible) == 1 else "needs_information"
    candidates = {"eligible": [], "ineligible": declines}.get(status, refers)
    chosen = [rule for rule, each in candidates if each == space.all]
    chosen = chosen or (smallest(candidates, space.all) if status in ("referral", "ineligible") else [])
    reasons = {(rule.id, rule.code): written(rule, home) for rule in chosen}  # One reason for all contradictions.
    result: Json = {"status": status, "reasons": [*reasons.values()]}
    if status == "needs_information":
        axes = [axis for axis in space.axes if space.depends_on(axis, (declined, referred))]
        facts = [fact for axis in axes for fact in reader.facts_of_test.get(axis, [axis])]
        result |= {"possible_statuses": possible, "missing_fields": missing_fields(home, facts)}
    return result
def smallest(candidates: list[tuple[Rule, int]], everything: int) -> list[Rule]:
    """The rules of which one must hold, without those that are not needed."""
    kept = [each for each in candidates if each[1]]
    for each in reversed(kept):
        fewer = [other for other in kept if other is not each]
        if union(one for _, one in fewer) == everything:
            kept = fewer
    return [rule for rule, _ in kept]
def requirement_parts(home: Home, reader: Reader, rules: list[Rule]) -> Json:
    parts: Json = {"requirements": [], "possible_requirements": [], "notes": []}
    for rule in (rule for rule in rules if rule.outcome in ("require", "inform")):
        space = Space(home, [rule])
        everything, holds = reader.counted(space), space.where_rule(rule)
        if not everything & ~holds:
            parts["requirements" if rule.outcome == "require" else "notes"].append(written(rule, home))
        elif everything & holds and rule.outcome == "require":
            parts["possible_requirements"].append(written(rule, home))
    return parts
def offer_parts(home: Home, reader: Reader, rules: list[Rule]) -> Json:
    parts: Json = {"terms": {}, "possible_terms": {}}
    for term in dict.fromkeys(bound.term for rule in rules for bound in rule.bounds):
        steps = [(rule._replace(tree=bound.tree), bound) for rule in rules for bound in rule.bounds if bound.term == term]
        space = Space(home, [rule for rule, _ in steps])
        sets = [(bound, reader.counted(space) & space.where_rule(rule)) for rule, bound in steps]
        certain, possible = parts["terms"].setdefault(term, {}), parts["possible_terms"].setdefault(term, {})
        def where(kind: str, demands: Callable[[Any], bool]) -> int:
            return union(each for bound, each in sets if bound.kind == kind and demands(bound.value))
        for kind, sign in (("min", -1), ("max", 1), ("applies", 1)):
            limits = sorted({sign * bound.value for bound, each in sets if bound.kind == kind and each})
            reached = [where(kind, lambda value: sign * value <= limit) == reader.counted(space) for limit in limits]
            if True in reached:
                certain[kind] = sign * limits[reached.index(True)] if kind != "applies" else True
            if reached and not reached[0]:
                possible[kind] = sign * limits[0] if kind != "applies" else True
        lists = [bound.value for bound, each in sets if bound.kind == "one_of" and each]
        words = home.vocabulary.terms.get(term, {}).get("words") or {*flat(lists), ""}  # The empty word stands for all others.
        against = {word: where("one_of", lambda value: word not in value) for word in words if lists}
        excluded = [word for word in words if against.get(word) == reader.counted(space)]
        if excluded:
            certain["one_of"] = sorted(word for word in words if word and word not in excluded)
        if any(each for word, each in against.items() if word not in excluded):
            possible["may_exclude"] = sorted(word for word, each in against.items() if each and word and word not in excluded)
    return {name: {term: part for term, part in terms.items() if part} for name, terms in parts.items()}
def missing_fields(home: Home, facts: Iterable[str]) -> list[str]:
    fields = home.vocabulary.fields
    def is_open(fact: str) -> bool:
        return fact == "county" or fact in fields and not isinstance(home.given[fact], (int, float, str))
    entries = [fields.get(fact, {"request_name": fact}) for fact in facts if is_open(fact)]
    names = {each["given_as"] if "given_as" in each and home.is_located else each["request_name"] for each in entries}
    for pair in home.vocabulary.given_together:
        if names & set(pair):
            names |= {each["request_name"] for each in fields.values() if each["request_name"] in pair and is_open(each["name"])}
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
        known = home.known(fact, home.given) if not fields else home.given[[*fields.values()][0]]
        contained = ", ".join(word for word, field in fields.items() if home.given[field] == "yes") or "none"
        words, replaced = contained if fields else print_fact(fact, known, home), 0
        if known is None:
            words, replaced = unknown_words(fact, home.vocabulary.about(fact), text, message[end:])
            words = words[0].upper() + words[1:] if re.search(r"(^|[.!?] )$", text) else words
        text, end = text + words, end + replaced
    return text + message[end:]
def print_fact(fact: str, known: Known, home: Home) -> str:
    if isinstance(known, (Range, list)):
        return (" or " if isinstance(known, list) else " to ").join(print_fact(fact, each, home) for each in known)
    if known is None or isinstance(known, str):
        return home.places.county[known]["name"] if known and fact == "county" else str(known)
    entry = home.vocabulary.about(fact)
    if entry.get("form") == "zipcode" or entry.get("unit") in ("dollars", "feet", "meters"):
        return f"{known:05}" if "form" in entry else f"{round_half_up(known, 0):,.0f}"
    return f"{round_half_up(known, 2):.2f}".rstrip("0").rstrip(".")
def unknown_words(fact: str, entry: Json, before: str, after: str) -> tuple[str, int]:
    """Words for an unknown fact, and the number of characters behind the braces that they replace."""
    unit, is_age = entry.get("unit"), re.search(r"\bage\b", entry.get("label", ""))
    is_behind = re.search(r"[:,(] ?$", before) or before.lower().endswith(f"{unit} ")
    years, another = r"( years? old\b| years?\b)?", r" (?!(is|are|was|were|has|may|must|and|or|of|to|in|from|for)\b)[a-z]"
    rows = [(fact in ("county", "state"), "", f"an unknown {fact}"),
            (unit is None or (is_behind and re.match(r"$|[),.;:]", after)), "", "unknown"),
            (is_age, r"-year-old ([a-z]+)", r"\1 of unknown age"),
            (is_age and re.search(r"\bof $", before, re.I), years, "unknown age"),
            (is_age, years, "of unknown age"),
            (unit == "year", "", "an unknown year"),
            (unit == "dollars", r"( dollars(?![a-z-]))?", "an unknown amount"),
            (True, r" percent(?![a-z-])", "an unknown percentage"),
            (True, r" (feet|meters|miles)(?![a-z-])", "an unknown distance"),
            (True, f"(?={another})", "an unknown number of"),
            (True, "", "an unknown number")]
    return next((match.expand(words), match.end()) for applies, behind, words in rows if applies and (match := re.match(behind, after)))
def main(folder: Path) -> int:
    def load(name: str) -> Json:
        return json.loads((folder / name).read_text(encoding="utf-8"))
    corpus, places, vocabulary = load("rule-format-1.json"), Places(load("places.json")), Vocabulary(load("vocabulary-home.json"))
    County.places = places
    differences: list[str] = []
    for case in corpus["cases"]:
        files = [corpus["rule_sets"][name] for name in case["rule_sets"]]
        actual = answer(files, case.get("override", {}), Home(case["home"], vocabulary, places))
        if actual != case["expect"]:
            texts = [json.dumps(each) for each in (case["expect"], actual)]
            differences.append(f"{case['id']} ({case['about']})\n  expected {texts[0]}\n  received {texts[1]}")
    agreed = len(corpus["cases"]) - len(differences)
    print(f"{agreed} of {len(corpus['cases'])} cases agree, {len(differences)} differ.", *differences[:20], sep="\n")
    return 1 if differences else 0

if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])) if len(sys.argv) == 2 else "Usage: python3 evaluate.py CORPUS_DIR")
