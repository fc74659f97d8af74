"""The facts of a home: their vocabulary, places, areas and units, and their words in messages."""
from __future__ import annotations
import math, re, unicodedata
from calendar import monthrange
from collections import Counter
from datetime import date, datetime
from functools import cache
from typing import Any, Callable, Iterable, NamedTuple, Optional, Union
Json = dict[str, Any]
Range = NamedTuple("Range", [("low", float), ("high", float)])  # Ends included.
Known = Union[Range, list[str], None]  # A number or its bounds, a word or several, or unknown.
def is_single(known: Known) -> bool:
    return known is not None and (known.low == known.high if isinstance(known, Range) else len(known) == 1)
def at_certainty(home: Json, given: dict[str, Known], certainty: Optional[float]) -> Json:
    """The home as a file with a certainty reads it: its bounds replace those of fields, and exact values stay."""
    bounds = {float(key): each for key, each in home.get("known_at", {}).items()}.get(certainty or 0, {})
    replaced = {name: each for name, each in bounds.items() if not is_single(given[name])}
    return {**home, "known": {**home["known"], **replaced}}
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
def is_in_force(window: Json, now: Any, read: Callable[[str], Any] = str) -> bool:
    start, end = window.get("from"), window.get("until")
    return (start is None or read(start) <= now) and (end is None or now < read(end))
def day_of(text: str) -> int:
    """The number of a day since 1970-01-01. A day behind the end of its month is the last day of it."""
    year, month, day = (int(part) for part in text.split("-"))
    return (date(year, month, min(day, monthrange(year, month)[1])) - date(1970, 1, 1)).days
def read_form(field: Json, value: Any) -> Known:
    """Reads a value as a request gives it. A date can be a month or a year."""
    if value is None or isinstance(value, bool):
        return None if value is None else ["yes" if value else "no"]
    if field.get("form") == "date":
        return Range(*(day_of(value + end[len(value) - 4 :]) for end in ("-01-01", "-12-31")))
    value = int(value) if field.get("form") == "zipcode" else value
    return Range(value, value) if is_number(value) else [value]

class Places:
    """States and counties, and the spellings of counties."""
    def __init__(self, data: Json) -> None:
        self.county: dict[str, Json] = {each["fips"]: each for each in data["counties"]}
        self.octagon: dict[str, tuple[int, ...]] = {fips: tuple(each["octagon"]) for fips, each in self.county.items()}
        self.of_state: dict[str, list[str]] = {}
        self.by_key: dict[tuple[str, str], list[str]] = {}
        for each in data["counties"]:
            self.of_state.setdefault(each["state"], []).append(each["fips"])
            for key in each["keys"]:
                self.by_key.setdefault((each["state"], key), []).append(each["fips"])
        self.time_zone: dict[str, str] = {each["code"]: each["time_zone"] for each in data["states"]}
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

def override_rules(override: Json) -> list[Json]:  # The rules that an organization adds at the top.
    exclude, here = override.get("exclude", {}), "This organization does not sell this carrier at this location."
    counties = [f"{name}, {state}" for state, names in exclude.get("counties", {}).items() for name in names]
    policy_type = "This organization does not sell {policy_type} of this carrier."
    rows = [("policy_type", exclude.get("policy_types"), "policy_type", policy_type),
            ("state", exclude.get("states"), "territory", here), ("county", counties, "territory", here)]
    return override.get("add_rules", []) + [
        {"id": f"override-{fact.replace('_', '-')}", "outcome": "decline", "code": code, "message": message,
         "when": {"fact": fact, "operator": "in", "value": value}} for fact, value, code, message in rows if value]

Position = tuple[float, float]  # On a plane around the home, in meters.
Edge = tuple[Position, Position]
# The distance in miles, and whether the building is entirely within the area.
Measured = NamedTuple("Measured", [("low", float), ("high", float), ("is_entire", Optional[bool])])
def lines_of(geometry: Json) -> list[Any]:  # The rings, lines and points of a geometry, each as a list of positions.
    coordinates, kind = geometry["coordinates"], geometry["type"]
    if kind == "MultiPolygon":
        return [ring for polygon in coordinates for ring in polygon]
    if "Point" in kind:
        return [[each] for each in (coordinates if kind == "MultiPoint" else [coordinates])]
    return [coordinates] if kind == "LineString" else coordinates
def edges_of(geometry: Json, place: Callable[[Any], Position]) -> list[Edge]:
    """The edges, without those that occur twice. A point is an edge without length."""
    lines = [[place(each) for each in line] for line in lines_of(geometry)]
    edges = (edge for line in lines for edge in [*zip(line, line[1:])] or [(line[0], line[0])])
    return [edge for edge, times in Counter((min(edge), max(edge)) for edge in edges).items() if times % 2 == 1]
def distance(position: Position, edges: list[Edge]) -> float:  # To the nearest edge.
    def to_edge(edge: Edge) -> float:
        (x, y), (width, height) = edge[0], (edge[1][0] - edge[0][0], edge[1][1] - edge[0][1])
        square = width * width + height * height
        part = ((position[0] - x) * width + (position[1] - y) * height) / square if square else 0
        part = max(0, min(1, part))
        return math.hypot(x + part * width - position[0], y + part * height - position[1])
    return min(to_edge(each) for each in edges)
def is_inside(position: Position, edges: list[Edge]) -> bool:
    x, y = position
    def is_left_of(edge: Edge) -> bool:
        (ax, ay), (bx, by) = edge
        return (ay > y) != (by > y) and ax + (bx - ax) * (y - ay) / (by - ay) > x
    return sum(map(is_left_of, edges)) % 2 == 1
def cuts_of(edge: Edge, edges: list[Edge]) -> list[float]:
    """Where other edges cut an edge: 0 at its first end, 1 at the other."""
    def cross(a: Position, b: Position) -> float:
        return a[0] * b[1] - a[1] * b[0]
    def minus(a: Position, b: Position) -> Position:
        return a[0] - b[0], a[1] - b[1]
    vector, result = minus(edge[1], edge[0]), []
    for first, last in edges:
        other, between = minus(last, first), minus(first, edge[0])
        if size := cross(vector, other):
            along, across = cross(between, other) / size, cross(between, vector) / size
            result += [along] if 0 <= along <= 1 and 0 <= across <= 1 else []
    return sorted(result)
def measure(area: Json, location: Optional[Json]) -> Measured:
    """The distance of a building from an area, as far as it is known."""
    if location is None:
        return Measured(0, math.inf, None)
    geometry, buffer = area.get("geometry", area), area.get("within_miles", 0) * 1609.344
    is_filled, radius = "Polygon" in geometry["type"], location["radius_meters"]
    latitude = math.radians(location["latitude"])
    w = 1 - 0.00669437999014 * math.sin(latitude) ** 2
    east = 6378137 * math.cos(latitude) / math.sqrt(w) * math.pi / 180
    north = 6378137 * 0.99330562000986 / w**1.5 * math.pi / 180
    def place(position: list[float]) -> Position:
        longitude = (position[0] - location["longitude"] + 180) % 360 - 180
        return longitude * east, (position[1] - location["latitude"]) * north
    edges = edges_of(geometry, place)
    def signed(position: Position) -> float:
        return distance(position, edges) * (-1 if is_filled and is_inside(position, edges) else 1)
    def error(meters: float) -> float:
        return 1 + meters * meters * (0.5 * abs(math.tan(latitude)) + 0.1) / 6360000
    def miles(meters: float, margin: float) -> tuple[float, float]:
        return max(0, meters - buffer - margin) / 1609.344, max(0, meters - buffer + margin) / 1609.344
    origin = signed((0, 0))
    if "footprint" not in location:
        margin = radius + error(abs(origin))
        is_entire = True if origin - buffer + margin <= 0 else False if origin - buffer - margin > 0 else None
        return Measured(*miles(origin, margin), is_entire)
    margin, building = error(abs(origin) + 2 * radius), edges_of(location["footprint"], place)
    corners = {position: signed(position) for edge in building for position in edge}
    apart, near, is_touching = min(map(abs, corners.values())), max(0, min(corners.values())), False
    inner: list[float] = []  # Of the middles of pieces, and of corners of the area inside the building.
    for edge in building:
        cuts = cuts_of(edge, edges)
        is_touching = is_touching or bool(cuts)
        middles = [(a + b) / 2 for a, b in zip([0, *cuts], [*cuts, 1])] if cuts and is_filled else []
        (ax, ay), (bx, by) = edge
        inner += [signed((ax + part * (bx - ax), ay + part * (by - ay))) for part in middles]
    for position in {each for edge in edges for each in edge}:
        meters = distance(position, building)
        apart, is_within = min(apart, meters), is_inside(position, building)
        is_touching, near = is_touching or is_within, min(near, meters)
        inner += [-meters, meters] if is_within and is_filled else []
    every = [*corners.values(), *inner]
    nearest = min(every) if is_filled and min(every) < 0 else 0 if is_touching else near
    if buffer == 0:
        is_all = max(every) <= -margin and apart >= margin and not is_touching
        is_entire = False if max(every) >= margin else True if is_all else None
    else:
        is_all = origin - buffer + radius + margin <= 0
        is_entire = False if max(corners.values()) - buffer >= margin else True if is_all else None
    return Measured(*miles(nearest, margin), is_entire)

# On the sphere. Positions are longitude and latitude; a region is a convex polygon, counter-clockwise.
EARTH_RADIUS, MILE, COUNTY_SLACK = 6371008.8, 1609.344, 2000
Region = list[Position]
Vector = tuple[float, float, float]
def meters_between(a: Position, b: Position) -> float:
    (x1, y1), (x2, y2) = (tuple(map(math.radians, each)) for each in (a, b))
    haversine = math.sin((y2 - y1) / 2) ** 2 + math.cos(y1) * math.cos(y2) * math.sin((x2 - x1) / 2) ** 2
    return 2 * EARTH_RADIUS * math.asin(min(1, math.sqrt(haversine)))
def vector_of(position: Position) -> Vector:
    x, y = map(math.radians, position[:2])
    return math.cos(y) * math.cos(x), math.cos(y) * math.sin(x), math.sin(y)
def meters_of(chord: float) -> float:
    return 2 * EARTH_RADIUS * math.asin(min(1, chord / 2))
def meters_to_edge(at: Vector, edge: Edge, step: float) -> float:
    """To the nearest chord of an edge that is straight in degrees, cut into pieces of at most `step` degrees."""
    (ax, ay), (bx, by) = edge
    count = max(1, math.ceil(max(abs(bx - ax), abs(by - ay)) / step))
    parts = [piece / count for piece in range(count + 1)]
    ends = [vector_of((ax + (bx - ax) * part, ay + (by - ay) * part)) for part in parts]
    def to_piece(start: Vector, end: Vector) -> float:
        along = [b - a for a, b in zip(start, end)]
        length = sum(each * each for each in along)
        part = sum((p - a) * d for p, a, d in zip(at, start, along)) / length if length else 0
        return math.dist(at, [a + max(0, min(1, part)) * d for a, d in zip(start, along)])
    return meters_of(min(to_piece(*pair) for pair in zip(ends, ends[1:])))
def ring_edges(corners: Region) -> list[Edge]:
    return [*zip(corners, [*corners[1:], corners[0]])]

@cache
def corners_of(octagon: tuple[int, ...]) -> Region:
    """From the bounds of the longitude x, the latitude y, x + y and x - y, in hundredths of a degree."""
    west, east, south, north, least, most, left, right = octagon
    corners = [(east, east - right), (east, most - east), (most - north, north), (left + north, north),
               (west, west - left), (west, least - west), (least - south, south), (right + south, south)]
    return [(x / 100, y / 100) for index, (x, y) in enumerate(corners) if (x, y) != corners[index - 1]]
@cache
def meters_to_county(position: Position, octagon: tuple[int, ...], is_loose: bool) -> tuple[Range, Range]:
    """Bounds of the distance to the nearest part of a county, and of the distances to all of its parts."""
    edges, at = ring_edges(corners_of(octagon)), vector_of(position)
    ends = [[meters_of(math.dist(at, vector_of(end))) for end in edge] for edge in edges]
    def contains(x: float) -> bool:
        return all((bx - ax) * (position[1] - ay) - (by - ay) * (x - ax) >= 0 for (ax, ay), (bx, by) in edges)
    is_within = contains(position[0]) or contains(position[0] - 360)
    nearest = 0 if is_within else min(meters_to_edge(at, edge, 0.1) for edge in edges)
    low, high = max(0, nearest - COUNTY_SLACK), max(flat(ends)) + COUNTY_SLACK
    reach = high if is_loose else min(high, min(map(max, ends)) + COUNTY_SLACK)
    return Range(low, max(low, reach)), Range(low, high)
def box_around(location: Json) -> Optional[Region]:  # The box around a circle.
    x, y, angle = location["longitude"], location["latitude"], location["radius_meters"] / EARTH_RADIUS
    if math.radians(abs(y)) + angle >= math.pi / 2:
        return None
    high = max(1e-9, math.degrees(angle))
    wide = max(1e-9, math.degrees(math.asin(min(1, math.sin(angle) / math.cos(math.radians(y))))))
    box = [(x + wide, y - high), (x + wide, y + high), (x - wide, y + high), (x - wide, y - high)]
    return box if abs(x) + wide <= 180 else None
def meets(edge: Edge, region: Region) -> bool:  # True if an edge and a region have a common position.
    start, end = 0.0, 1.0
    for (x, y), (next_x, next_y) in ring_edges(region):
        a, b = ((next_x - x) * (each[1] - y) - (next_y - y) * (each[0] - x) for each in edge)
        if a < 0 and b < 0:
            return False
        start = max(start, a / (a - b)) if a < 0 else start
        end = min(end, a / (a - b)) if b < 0 <= a else end
    return start <= end
def polygons_of(area: Json) -> list[list[Edge]]:
    polygons = [area["coordinates"]] if area["type"] == "Polygon" else area["coordinates"]
    plain = [[[(x, y) for x, y, *_ in ring] for ring in polygon] for polygon in polygons]
    return [[edge for ring in polygon for edge in zip(ring, ring[1:])] for polygon in plain]
def inclusion(region: Optional[Region], area: Json) -> Optional[bool]:
    """True if a region is inside an area, False if it is outside, and None if it meets an edge."""
    if region is None or min(x for x, _ in region) < -180:
        return None
    results = [None if any(meets(edge, region) for edge in edges) else is_inside(region[0], edges)
               for edges in polygons_of(area)]
    return True if True in results else None if None in results else False
def same(results: Iterable[Optional[bool]]) -> Optional[bool]:
    each = {*results}
    return each.pop() if len(each) == 1 else None

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
    def with_value(self, name: str) -> str:  # The field, set or list that a name before a point means.
        if name in {**self.derived, **self.fields, **self.sets, **self.lists}:
            return self.field_of(name)
        named = (field for field, each in self.fields.items() if name in (each["request_name"], each.get("given_as")))
        return next(named, name)
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
