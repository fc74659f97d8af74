import { around, distance } from 'geokdbush';
import KDBush from 'kdbush';
import type { NamedPoint, SourcePoint } from './zip-sources.ts';

/** Nearer positions of two sources agree. */
const AGREEMENT_KILOMETERS = 15;
/** Without a second source, the three nearest points are trusted less by this factor. */
const UNCHECKED_FACTOR = 1.5;
/** 95th percentile of the distance between GeoNames' estimated positions and the Census Bureau's: 44.6 km. */
const ESTIMATED_KILOMETERS = 45;
const MIN_KILOMETERS = 2;
const COVERAGE = 0.96;
const capsKilometers = [30, 60, 120, 240];

export interface Position extends SourcePoint {
  readonly radiusKilometers: number;
  readonly from: 'census' | 'geonames';
}

export interface Calibration {
  readonly state: string;
  readonly checked: number;
  readonly factor: number;
  readonly capKilometers: number;
  readonly covered: number;
  readonly meanKilometers: number;
}

interface Pair {
  readonly zip: string;
  readonly state: string;
  readonly position: SourcePoint;
  readonly from: Position['from'];
  readonly spacing: number;
  readonly apart: number;
}

const kilometers = (a: SourcePoint, b: SourcePoint) => distance(a.longitude, a.latitude, b.longitude, b.latitude);

/** A position and a radius of error for every ZIP code of either source. */
export function placeZips(
  census: readonly SourcePoint[],
  geonames: readonly NamedPoint[],
): {
  readonly positions: readonly Position[];
  readonly calibrations: readonly Calibration[];
  readonly corrected: readonly string[];
} {
  const spacing = createSpacing(census);
  const nearAnchors = createAnchors(census, geonames);
  const named = new Map(geonames.map((point) => [point.zip, point]));
  const known = new Set(census.map((point) => point.zip));
  const positions: Position[] = [];
  const pairs: Pair[] = [];
  const corrected: string[] = [];

  for (const point of census) {
    const second = named.get(point.zip);
    if (second === undefined) {
      const radiusKilometers = radius(spacing(point), UNCHECKED_FACTOR, 30);
      positions.push({ ...point, radiusKilometers, from: 'census' });
      continue;
    }
    const wrong =
      kilometers(point, second) > Math.max(AGREEMENT_KILOMETERS, spacing(point)) &&
      liesElsewhere(point, second, nearAnchors);
    if (wrong) corrected.push(point.zip);
    const position = wrong ? second : point;
    pairs.push({
      zip: point.zip,
      state: second.state,
      position,
      from: wrong ? 'geonames' : 'census',
      spacing: spacing(position),
      apart: kilometers(position, second),
    });
  }

  const calibrations: Calibration[] = [];
  const byState = [...Map.groupBy(pairs, (pair) => pair.state)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [state, group] of byState) {
    const calibration = calibrate(state, group);
    calibrations.push(calibration);
    for (const { zip, position, from, spacing: kilometersApart } of group) {
      const radiusKilometers = radius(kilometersApart, calibration.factor, calibration.capKilometers);
      positions.push({ zip, latitude: position.latitude, longitude: position.longitude, radiusKilometers, from });
    }
  }

  // PO boxes and single buildings, without an area in the Census data: they may be anywhere in their city.
  const cities = Map.groupBy(pairs, ({ zip }) => cityOf(named.get(zip)!));
  const factors = new Map(calibrations.map((calibration) => [calibration.state, calibration.factor]));
  for (const point of geonames) {
    if (known.has(point.zip)) continue;
    known.add(point.zip);
    const reach = Math.max(0, ...(cities.get(cityOf(point)) ?? []).map((pair) => kilometers(pair.position, point)));
    const factor = Math.max(UNCHECKED_FACTOR, factors.get(point.state) ?? 0);
    const usual = Math.min(30, Math.max(reach, radius(spacing(point), factor, 30)));
    const radiusKilometers = point.estimated ? Math.max(ESTIMATED_KILOMETERS, usual) : usual;
    positions.push({
      zip: point.zip,
      latitude: point.latitude,
      longitude: point.longitude,
      radiusKilometers,
      from: 'geonames',
    });
  }
  return { positions: positions.sort((a, b) => (a.zip < b.zip ? -1 : 1)), calibrations, corrected };
}

const cityOf = (point: NamedPoint) => `${point.state} ${point.countyCode} ${point.city}`;

function createSpacing(census: readonly SourcePoint[]): (point: SourcePoint) => number {
  const index = new KDBush(census.length);
  for (const { longitude, latitude } of census) index.add(longitude, latitude);
  index.finish();
  return (point) => {
    const near = around(index, point.longitude, point.latitude, 3, Infinity, (id) => census[id]!.zip !== point.zip);
    return near.reduce((sum, id) => sum + kilometers(point, census[id]!), 0) / near.length;
  };
}

/** Distance to the third nearest ZIP code of the county on whose position both sources agree. */
function createAnchors(census: readonly SourcePoint[], geonames: readonly NamedPoint[]) {
  const positions = new Map(census.map((point) => [point.zip, point]));
  const agreed = geonames.filter((point) => {
    const position = positions.get(point.zip);
    return position !== undefined && kilometers(position, point) <= AGREEMENT_KILOMETERS;
  });
  const byCounty = Map.groupBy(agreed, (point) => `${point.state} ${point.countyCode}`);
  return (point: SourcePoint, of: NamedPoint): number | undefined => {
    const distances = (byCounty.get(`${of.state} ${of.countyCode}`) ?? [])
      .filter((anchor) => anchor.zip !== of.zip)
      .map((anchor) => kilometers(point, positions.get(anchor.zip)!))
      .sort((a, b) => a - b);
    return distances[Math.min(2, distances.length - 1)];
  };
}

/** The census point, unlike the other source's, is far from the rest of its county: 99503 is not 450 km from Anchorage. */
function liesElsewhere(point: SourcePoint, second: NamedPoint, nearAnchors: ReturnType<typeof createAnchors>): boolean {
  const here = nearAnchors(point, second);
  const there = nearAnchors(second, second);
  return here !== undefined && there !== undefined && here > 3 * there + 10;
}

/** The caps and factors with the smallest average radius that cover enough of a state's second positions. */
function calibrate(state: string, pairs: readonly Pair[]): Calibration {
  let best: Calibration | undefined;
  for (const capKilometers of capsKilometers) {
    for (let step = 20; step <= 100; step += 1) {
      const factor = step / 20;
      const radii = pairs.map(({ spacing }) => radius(spacing, factor, capKilometers));
      const covered = pairs.filter(({ apart }, index) => apart <= radii[index]!).length / pairs.length;
      if (covered < COVERAGE) continue;
      const meanKilometers = radii.reduce((sum, value) => sum + value, 0) / radii.length;
      if (best === undefined || meanKilometers < best.meanKilometers)
        best = { state, checked: pairs.length, factor, capKilometers, covered, meanKilometers };
      break;
    }
  }
  if (best === undefined) throw new Error(`${state}: no radius covers ${COVERAGE} of its ${pairs.length} ZIP codes.`);
  return best;
}

function radius(spacing: number, factor: number, capKilometers: number): number {
  return Math.min(capKilometers, Math.max(MIN_KILOMETERS, factor * spacing));
}
