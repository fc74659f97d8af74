import { countiesOf } from '@leeward/places/counties';
import { countyExtent } from '@leeward/places/extents';
import { describe, expect, it } from 'vitest';
import { createRandom, pick } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { createCatalog } from '../catalog/create-catalog.ts';
import { createProperty, type PropertyInput } from '../request/property.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import type { HazardEvent } from './hazard-event.ts';

/** Compares the engine with a separate evaluator, at many places of a home. */

const asOfMs = Date.parse('2026-08-29T12:00:00Z');
const HOUR_MS = 3_600_000;

interface Test {
  readonly fact: string;
  readonly operator: string;
  readonly value: unknown;
}
interface Place {
  readonly latitude: number;
  readonly longitude: number;
  readonly fips: string;
}

const radians = Math.PI / 180;
/** By the spherical law of cosines, in contrast to the engine. */
function milesBetween(a: Omit<Place, 'fips'>, b: Omit<Place, 'fips'>): number {
  const cosine =
    Math.sin(a.latitude * radians) * Math.sin(b.latitude * radians) +
    Math.cos(a.latitude * radians) * Math.cos(b.latitude * radians) * Math.cos((a.longitude - b.longitude) * radians);
  return (Math.acos(Math.max(-1, Math.min(1, cosine))) * 6_371_008.8) / 1609.344;
}

function boxOf({ coordinates }: NonNullable<HazardEvent['area']>): readonly number[] {
  const ring = (coordinates as readonly (readonly (readonly number[])[])[])[0]!;
  return [ring[0]![0]!, ring[0]![1]!, ring[2]![0]!, ring[2]![1]!];
}

/** Undefined if the event does not determine it. */
function itemOf(event: HazardEvent, place: Place): Readonly<Record<string, unknown>> {
  const until = event.until ? Date.parse(event.until) : Number.POSITIVE_INFINITY;
  const covers = () => {
    if (!event.area && !event.states && !event.counties) return undefined;
    if (event.states?.includes('la') || event.counties?.includes(place.fips)) return true;
    if (!event.area) return false;
    const [west, south, east, north] = boxOf(event.area) as [number, number, number, number];
    return place.longitude > west && place.longitude < east && place.latitude > south && place.latitude < north;
  };
  return {
    kind: event.kind,
    alert: event.alert,
    latitude: event.position?.latitude,
    miles_from_home: event.position && milesBetween(event.position, place),
    covers_home: covers(),
    ongoing: asOfMs < until,
    hours_since_start: (asOfMs - Date.parse(event.from)) / HOUR_MS,
    hours_since_end: Math.max(0, asOfMs - until) / HOUR_MS,
  };
}

function holds({ operator, value }: Test, actual: unknown): boolean {
  switch (operator) {
    case 'lessThan':
      return (actual as number) < (value as number);
    case 'greaterThan':
      return (actual as number) > (value as number);
    case 'in':
      return (value as unknown[]).includes(actual);
    default:
      return actual === value;
  }
}

function randomTests(random: () => number): Test[] {
  const all: Test[] = [
    { fact: 'kind', operator: 'in', value: ['hurricane', 'tornado'] },
    { fact: 'kind', operator: 'equal', value: 'x_riot' },
    { fact: 'alert', operator: 'equal', value: 'warning' },
    { fact: 'latitude', operator: 'greaterThan', value: 29.5 },
    { fact: 'miles_from_home', operator: 'lessThan', value: pick(random, [20, 60, 100]) },
    { fact: 'miles_from_home', operator: 'greaterThan', value: pick(random, [10, 40]) },
    { fact: 'covers_home', operator: 'equal', value: random() < 0.7 },
    { fact: 'ongoing', operator: 'equal', value: random() < 0.5 },
    { fact: 'hours_since_start', operator: 'lessThan', value: 48 },
    { fact: 'hours_since_end', operator: 'lessThan', value: 24 },
  ];
  return all.filter(() => random() < 0.25);
}

function randomEvents(random: () => number): HazardEvent[] {
  return Array.from({ length: Math.floor(random() * 4) }, (_, index): HazardEvent => {
    const [west, south] = [-91 + random() * 1.4, 29 + random() * 1.2];
    const [east, north] = [west + 0.05 + random(), south + 0.05 + random()];
    const hasPosition = random() < 0.7;
    const ring = [west, south, east, south, east, north, west, north, west, south];
    const coordinates = [[0, 2, 4, 6, 8].map((at) => [ring[at]!, ring[at + 1]!] as const)];
    return {
      id: `e${index}`,
      kind: pick(random, ['hurricane', 'tornado', 'earthquake', 'x_riot']),
      ...(random() < 0.7 ? { alert: pick(random, ['none', 'watch', 'warning'] as const) } : {}),
      ...(hasPosition ? { position: { latitude: 28.6 + random() * 2.5, longitude: -91 + random() * 2 } } : {}),
      ...(hasPosition && random() < 0.5 ? { area: { type: 'Polygon', coordinates } } : {}),
      ...(random() < 0.2 ? { counties: pick(random, [['22071'], ['22051', '22033'], []]) } : {}),
      ...(random() < 0.1 ? { states: ['la'] } : {}),
      from: new Date(asOfMs + (random() * 90 - 80) * HOUR_MS).toISOString(),
      ...(random() < 0.5 ? { until: new Date(asOfMs + (random() * 90 - 40) * HOUR_MS).toISOString() } : {}),
    };
  }).filter(({ from, until }) => !until || Date.parse(until) > Date.parse(from));
}

/** Places within a circle: its center, its border in many directions, and towards and away from each event. */
function placesWithin(
  center: Place,
  radiusMiles: number,
  events: readonly HazardEvent[],
  random: () => number,
): Place[] {
  const degrees = radiusMiles / (60 * 1.150779);
  const at = (angle: number, share: number): Place => ({
    latitude: center.latitude + degrees * share * Math.sin(angle),
    longitude: center.longitude + (degrees * share * Math.cos(angle)) / Math.cos(center.latitude * radians),
    fips: center.fips,
  });
  const angles = Array.from({ length: 48 }, (_, index) => (index * Math.PI) / 24);
  for (const { position } of events) {
    if (!position) continue;
    const east = (position.longitude - center.longitude) * Math.cos(center.latitude * radians);
    const angle = Math.atan2(position.latitude - center.latitude, east);
    angles.push(angle, angle + Math.PI);
  }
  const border = angles.flatMap((angle) => [at(angle, 0.985), at(angle, 0.5)]);
  const inner = Array.from({ length: 150 }, () => at(random() * 2 * Math.PI, Math.sqrt(random()) * 0.985));
  return [center, ...border, ...inner].filter((place) => milesBetween(place, center) < radiusMiles);
}

/** Places within the octagon around a county. For the engine, a home can be at each of them. */
function placesInCounty(fips: string, count: number, random: () => number): Place[] {
  const { corners } = countyExtent(fips)!;
  const center = {
    longitude: corners.reduce((sum, [longitude]) => sum + longitude, 0) / corners.length,
    latitude: corners.reduce((sum, [, latitude]) => sum + latitude, 0) / corners.length,
  };
  return Array.from({ length: count }, () => {
    const [longitude, latitude] = pick(random, corners);
    const share = Math.sqrt(random());
    return {
      longitude: center.longitude + (longitude - center.longitude) * share,
      latitude: center.latitude + (latitude - center.latitude) * share,
      fips,
    };
  });
}

interface PossiblePlaces {
  readonly property: Pick<PropertyInput, 'counties' | 'location'>;
  readonly places: readonly Place[];
}

/** The fields of a home that give its place, and places where it can be. */
function circleAt(events: readonly HazardEvent[], random: () => number): PossiblePlaces {
  const center = { latitude: 29.95, longitude: -90.07, fips: '22071' };
  const radiusMiles = pick(random, [0, 0.01, 5, 30]);
  const location = { latitude: center.latitude, longitude: center.longitude, radiusMeters: radiusMiles * 1609.344 };
  const places = radiusMiles === 0 ? [center] : placesWithin(center, radiusMiles, events, random);
  return { property: { counties: [center.fips], location }, places };
}

function countiesAt(_: readonly HazardEvent[], random: () => number): PossiblePlaces {
  const counties = pick(random, [['22071'], ['22051'], ['22071', '22033'], ['22051', '22017']]);
  return { property: { counties }, places: counties.flatMap((fips) => placesInCounty(fips, 60, random)) };
}

const parishes = countiesOf('la').map(({ fips }) => fips);

function anywhereAt(_: readonly HazardEvent[], random: () => number): PossiblePlaces {
  return { property: {}, places: parishes.flatMap((fips) => placesInCounty(fips, 4, random)) };
}

describe('rules on events', () => {
  it.each([
    {
      of: 'a home with a position',
      seed: 20261126,
      runs: 1_500,
      open: 50,
      unmarked: 20,
      missed: 0,
      placesAt: circleAt,
    },
    {
      of: 'a home of known counties',
      seed: 20261127,
      runs: 1_000,
      open: 50,
      unmarked: 10,
      missed: 0.05,
      placesAt: countiesAt,
    },
    {
      of: 'a home of any county',
      seed: 20261128,
      runs: 400,
      open: 50,
      unmarked: 5,
      missed: 0.05,
      placesAt: anywhereAt,
    },
  ])('match every possible place of $of', ({ seed, runs, placesAt, ...limits }) => {
    const random = createRandom(seed);
    let open = 0;
    let unmarked = 0;
    let missed = 0;
    for (let run = 0; run < testVolume(runs); run++) {
      const tests = randomTests(random);
      const least = pick(random, [1, 1, 1, 2]);
      const when = {
        all: [{ count: 'events', where: { all: tests }, operator: 'greaterThanInclusive', value: least }],
      };
      const file = {
        format: 1,
        carrier: { key: 'gulf', name: 'Gulf Mutual' },
        version: '1',
        effective: { from: '2020-01-01' },
        programs: [{ id: 'all', policy_types: ['ho3'], states: ['la'] }],
        moratoria: [{ id: 'stop', when, message: '{event}' }],
      };
      const events = randomEvents(random);
      const possible = placesAt(events, random);
      const property = createProperty({
        vocabulary: homeVocabulary,
        policyType: 'ho3',
        state: 'la',
        ...possible.property,
        asOfMs,
        effectiveDate: '2026-08-29',
        values: {},
        events,
      });
      const verdict = createCatalog([{ file }]).decideSync(property).verdicts[0]!;
      const started = events.filter(({ from }) => Date.parse(from) <= asOfMs);
      const results = new Set<string>();
      for (const place of possible.places) {
        // Unknown fields of events: every completion.
        let [min, max] = [0, 0];
        for (const event of started) {
          const item = itemOf(event, place);
          const decided = tests.filter(({ fact }) => item[fact] !== undefined);
          if (!decided.every((test) => holds(test, item[test.fact]))) continue;
          const isPossible = isSatisfiable(tests.filter(({ fact }) => item[fact] === undefined));
          if (isPossible) max++;
          if (isPossible && decided.length === tests.length) min++;
        }
        if (max >= least) results.add('ineligible');
        if (min < least) results.add('eligible');
      }
      const description = JSON.stringify({ tests, events, ...possible.property, verdict: verdict.possibleStatuses });
      for (const status of results) expect(verdict.possibleStatuses, description).toContain(status);
      if (verdict.possibleStatuses.length === 1) continue;
      open++;
      if (verdict.conservative) continue;
      unmarked++;
      // Only a position is exact: an octagon is larger than its county.
      if (results.size < 2) missed++;
    }
    expect(open).toBeGreaterThan(limits.open);
    expect(unmarked).toBeGreaterThan(limits.unmarked);
    expect(missed).toBeLessThanOrEqual(unmarked * limits.missed);
  });
});

/** True if some values of unknown fields satisfy all tests. */
function isSatisfiable(tests: readonly Test[]): boolean {
  const miles = tests.filter(({ fact }) => fact === 'miles_from_home');
  const below = Math.min(
    ...miles.filter(({ operator }) => operator === 'lessThan').map(({ value }) => value as number),
  );
  const above = Math.max(
    ...miles.filter(({ operator }) => operator === 'greaterThan').map(({ value }) => value as number),
  );
  return !(above >= below);
}
