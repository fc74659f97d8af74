import { describe, expect, it } from 'vitest';
import { createRandom, pick } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { createCatalog } from '../catalog/create-catalog.ts';
import { createProperty } from '../request/property.ts';
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

describe('rules on events', () => {
  it('match every possible place of the home', () => {
    const random = createRandom(20261126);
    let open = 0;
    let unmarked = 0;
    let missed = 0;
    for (let run = 0; run < testVolume(1_500); run++) {
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
      const center = { latitude: 29.95, longitude: -90.07, fips: '22071' };
      const radiusMiles = pick(random, [0, 0.01, 5, 30]);
      const property = createProperty({
        vocabulary: homeVocabulary,
        policyType: 'ho3',
        state: 'la',
        counties: [center.fips],
        location: { latitude: center.latitude, longitude: center.longitude, radiusMeters: radiusMiles * 1609.344 },
        asOfMs,
        effectiveDate: '2026-08-29',
        values: {},
        events,
      });
      const verdict = createCatalog([{ file }]).decideSync(property).verdicts[0]!;
      const started = events.filter(({ from }) => Date.parse(from) <= asOfMs);
      const results = new Set<string>();
      for (const place of radiusMiles === 0 ? [center] : placesWithin(center, radiusMiles, events, random)) {
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
      const description = JSON.stringify({ tests, events, radiusMiles, verdict: verdict.possibleStatuses });
      for (const status of results) expect(verdict.possibleStatuses, description).toContain(status);
      if (verdict.possibleStatuses.length === 1) continue;
      open++;
      if (verdict.conservative) continue;
      unmarked++;
      if (results.size < 2) missed++;
      expect(results.size, description).toBe(2);
    }
    expect(open).toBeGreaterThan(50);
    expect(unmarked).toBeGreaterThan(20);
    expect(missed).toBe(0);
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
