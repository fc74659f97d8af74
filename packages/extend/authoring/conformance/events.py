"""The events of a home: the fields of each at the time of the question, and their names in messages."""
from __future__ import annotations
import math, re
from datetime import date, datetime
from typing import Any, Iterable, NamedTuple, Optional
from zoneinfo import ZoneInfo
from facts import (
    EARTH_RADIUS, MILE, Json, Known, Range, box_around, corners_of, flat, inclusion, instant, is_number, is_single,
    meters_between, meters_to_edge, meters_to_county, polygons_of, same, vector_of,
)
MAX_MILES = 12500
# An event, the fields of its item, whether it certainly matches, and the possible numbers.
Match = NamedTuple("Match", [("event", Json), ("values", dict[str, Known]), ("is_certain", bool),
                             ("numbers", list[float])])

def day_in(when: datetime, zone: str) -> int:  # The number of a day since 1970-01-01, in a time zone.
    return (when.astimezone(ZoneInfo(zone)).date() - date(1970, 1, 1)).days

class Place:
    """The place of a home, relative to one event."""
    def __init__(self, event: Json, home: Any) -> None:
        self.event, self.home, self.location = event, home, home.location
        self.counties = home.possible_counties
        position = event.get("position")
        self.position = (position["longitude"], position["latitude"]) if position else None
    def miles(self, low: float, high: float) -> Range:
        return Range(*(min(MAX_MILES, max(0, each) / MILE) for each in (low, high)))
    def in_area(self) -> Optional[bool]:
        if self.location:
            return inclusion(box_around(self.location), self.event["area"])
        return same(inclusion(corners_of(self.home.places.octagon[each]), self.event["area"]) for each in self.counties)
    def from_home(self) -> Known:
        if self.position and not self.location:
            return self.from_counties(1, max)
        if self.position:
            center, radius = (self.location["longitude"], self.location["latitude"]), self.location["radius_meters"]
            meters = meters_between(self.position, center)
            return self.miles(meters - radius, min(math.pi * EARTH_RADIUS, meters + radius))
        is_within = self.in_area() if "area" in self.event else None
        if is_within or "area" not in self.event or not self.location:
            return Range(0, 0) if is_within else None
        edges = [edge for polygon in polygons_of(self.event["area"]) for edge in polygon]
        length = sum(max(abs(bx - ax), abs(by - ay)) for (ax, ay), (bx, by) in edges)
        step, at = max(0.5, length / 20000), vector_of((self.location["longitude"], self.location["latitude"]))
        reach = math.radians(step) ** 2 / 8 * EARTH_RADIUS + self.location["radius_meters"]
        nearest = min(meters_to_edge(at, edge, step) for edge in edges)
        low = nearest - reach if is_within is False else 0
        return self.miles(low, min(math.pi * EARTH_RADIUS, nearest + reach))
    def from_counties(self, part: int, farthest: Any, counties: Optional[list[str]] = None) -> Known:
        """The bounds of counties, by default the possible ones; the part is 0 for the nearest point, 1 for all."""
        places = self.home.places
        bounds = [meters_to_county(self.position, places.octagon[each], "is_loose" in places.county[each])[part]
                  for each in counties or self.counties]
        return self.miles(min(each.low for each in bounds), farthest(each.high for each in bounds))
    def from_state(self) -> Known:
        return self.from_counties(0, min, self.home.places.of_state[self.home.state])
    def is_covered(self) -> Optional[bool]:
        states, listed, area = (self.event.get(key) for key in ("states", "counties", "area"))
        if states is None and listed is None and area is None:
            return None
        inside = [self.home.state in (states or [])]
        inside += [same(each in listed for each in self.counties)] if listed is not None else []
        inside += [self.in_area()] if area is not None else []
        return True if True in inside else None if None in inside else False

def read_event(event: Json, home: Any, names: Iterable[str]) -> dict[str, Known]:
    """Some fields of an item; None if unknown."""
    start, end = (instant(event[key]) if event.get(key) else None for key in ("from", "until"))
    zone, place = home.places.time_zone[home.state], Place(event, home)
    first, quoted = day_in(start, zone), home.values.get("quoted_on")
    def hours(since: Optional[datetime]) -> float:
        return max(0, (home.as_of - since).total_seconds() / 3600) if since else 0
    def number(value: Optional[float]) -> Known:
        return None if value is None else Range(value, value)
    def flag(value: Optional[bool]) -> Known:
        return None if value is None else ["yes" if value else "no"]
    position = event.get("position", {})
    readers: dict[str, Any] = {
        "kind": lambda: [event["kind"]], "alert": lambda: [event["alert"]] if "alert" in event else None,
        "magnitude": lambda: number(event.get("magnitude")), "miles_from_home": place.from_home,
        "latitude": lambda: number(position.get("latitude")), "longitude": lambda: number(position.get("longitude")),
        "miles_from_county": lambda: place.from_counties(0, max) if position else None,
        "miles_from_state": lambda: place.from_state() if position else None,
        "covers_home": lambda: flag(place.is_covered()), "ongoing": lambda: flag(end is None or home.as_of < end),
        "hours_since_start": lambda: number(hours(start)), "hours_since_end": lambda: number(hours(end)),
        "days_since_start": lambda: number(max(0, day_in(home.as_of, zone) - first)),
        "quoted_before": lambda: flag(None if quoted is None else same(each < first for each in quoted)),
    }
    return {name: readers[name]() for name in names}
def matches(home: Any, of: str, where: Json) -> list[Match]:  # The events that can match.
    limits, found = limits_of(where), []
    for event in home.lists["events"]:
        if instant(event["from"]) <= home.as_of:
            values = read_event(event, home, {*limits, *([of] if of else [])})
            found.append(Match(event, values, *home.match(home.vocabulary.lists["events"], values, where, of)))
    return [each for each in found if each.numbers]
def limits_of(where: Json) -> dict[str, list[float]]:  # By the tested field.
    parts = next((flat(where[key]) for key in ("any", "all", "not") if key in where), [])
    tests = [(where["fact"], flat(where["value"]))] if "fact" in where else [
        each for part in parts for each in limits_of(part).items()]
    result: dict[str, list[float]] = {}
    for fact, values in tests:
        result.setdefault(fact, []).extend(each for each in values if is_number(each))
    return result
def missing_for(home: Any, of: str, where: Json) -> set[str]:
    """The missing fields of a number of events."""
    limits, missing = limits_of(where), set()
    county = [] if len(home.possible_counties) == 1 and home.counties else ["county"]
    at_home, everything = [*home.missing_place, *([] if home.location else county)], {"position", "area"}
    sources = {"miles_from_home": (everything, at_home), "miles_from_county": ({"position"}, county),
               "covers_home": ({"area", "states", "counties"}, at_home), "quoted_before": ({"from"}, ["quoted_on"])}
    for event, values, is_certain, numbers in matches(home, of, where):
        for name, known in values.items() if not is_certain or min(numbers) < max(numbers) else ():
            within = [each for each in limits.get(name, []) if known and known[0] <= each <= known[1]]
            if not is_single(known) and (known is None or name == of or within):
                keys, names = sources.get(name, ({""}, []))
                missing |= {*names} if keys & event.keys() and names else {"events"}
    return missing

def tests_events(source: Any, conditions: Json) -> bool:
    if not isinstance(source, dict):
        return source == "events" or isinstance(source, list) and any(tests_events(each, conditions) for each in source)
    shared = conditions.get(source.get("condition", ""), {}) if isinstance(source.get("condition", ""), str) else {}
    return any(tests_events(each, conditions) for each in [*source.values(), shared])
def growing(source: Json, conditions: Json, is_negated: bool) -> list[Json]:
    """The tests of events that more events can make true."""
    kind = next((each for each in ("any", "all", "not", "condition") if each in source), "")
    if kind == "condition":
        return growing(conditions[source[kind]], conditions, is_negated)
    if kind:
        is_negated = is_negated != (kind == "not")
        return [test for each in flat(source[kind]) for test in growing(each, conditions, is_negated)]
    name = next((key for key in ("count", "sum", "min", "max") if source.get(key) == "events"), "")
    upward = "lessThan" if name == "min" else ("greaterThan", "notEqual")
    words = source.get("operator", "").split(":")
    is_growing = words[-1].startswith(upward) != (words.count("not") % 2 == 1)
    return [source] if name and not isinstance(source["value"], dict) and is_growing != is_negated else []
def name_of(event: Json) -> str:
    words = re.sub(r"^x_", "", event["kind"]).replace("_", " ")
    if "name" in event:
        return re.sub(r"(^| )[a-z]", lambda match: match[0].upper(), words) + " " + event["name"]
    article = "an" if words[0] in "aeiou" else "a"
    is_measured = event["kind"] == "earthquake" and "magnitude" in event
    return f"{article} {words}" + (f" of magnitude {event['magnitude']}" if is_measured else "")
def quote_events(message: str, home: Any, conditions: Json, sources: dict[bool, Json]) -> str:
    """Names the events behind a rule. Its conditions are by whether they are negated."""
    if "{event}" not in message or not any(tests_events(each, conditions) for each in sources.values()):
        return message
    tests = [each for is_negated, source in sources.items() for each in growing(source, conditions, is_negated)]
    found: dict[str, tuple[Json, bool]] = {}
    for test in tests if home.lists["events"] is not None else []:
        for event, _, is_certain, _ in matches(home, test.get("of", ""), test.get("where", {"all": []})):
            found[event["id"]] = event, is_certain or found.get(event["id"], (event, False))[1]
    is_any_certain = any(is_certain for _, is_certain in found.values())
    named = (name_of(event) for event, is_certain in found.values() if is_certain == is_any_certain)
    names, others = [*dict.fromkeys(named)] or ["an event"], 0
    if len(names) > 3:
        others = len(names) - 3
        text = f"{', '.join(names[:3])} and {others} other event{'' if others == 1 else 's'}"
    else:
        text = " and ".join([*filter(None, [", ".join(names[:-1])]), names[-1]])
    capital = text[0].upper() + text[1:]
    return re.sub(r"((?:^|[.!?] )?)\{event\}",
                  lambda match: match[1] + (capital if match[1] or match.start() == 0 else text), message)
