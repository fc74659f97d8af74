import { countiesOf, states } from '@leeward/places/counties';

/** A row as whoever keeps a book may have it: right, misspelled, out of range, of a wrong type, or left out. */
export type BookRow = Record<string, unknown>;

/** Numbers from 0 to 1 that a seed repeats (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const numberFields = {
  dwelling_a: [150_000, 900_000],
  year_built: [1950, 2026],
  total_claims: [0, 4],
  water_heater_age: [0, 25],
  hvac_age: [0, 30],
  roof_age: [0, 40],
  lapse_in_coverage: [0, 90],
  no_prior: [0, 400],
  acreage: [0, 12],
  protection_class: [1, 10],
  distance_to_coast_miles: [0, 60],
} as const;

const words = {
  roof_type: ['architectural shingle', '3-tab shingle', 'METAL', 'Tile', ' flat ', 'built-up'],
  ownership: ['personal', 'Trust', 'LLC', 'estate'],
  usage: ['primary', 'Secondary', 'rental', 'vacant'],
  primary_plumbing: ['copper', 'pex', 'poly-butylene', 'lead', 'polybutylene'],
  primary_wiring: ['copper', 'cloth', 'knob and tube'],
  structure_type: ['single family', 'townhouse', 'Mobile_Home'],
  foundation_type: ['open', 'closed'],
} as const;
const types = ['ho3', 'HO-3', 'ho5', ' dp3', 'wind only', 'x-wind', 'dp1', 'ho8'];
const badWords = ['thatch', '', '  ', 'naïve', 'a,b', 'say "no"', '\u00a0', 'null', '0', '=1+1'];
const badNumbers: readonly unknown[] = [
  -1,
  1.5,
  1e9,
  '250,000',
  '12',
  ' 7 ',
  '1e3',
  '',
  'many',
  0,
  99,
  1599,
  2028,
  100_000_000,
  true,
];

const dates = ['2026-12-01', ' 2025-03-01', '2027-01-15', '2027-06-30', '2024-02-29', '2026-11-20'];
const instants = ['2026-11-20T12:00:00Z', '2027-01-01T01:00:00+02:00', '2025-08-30T00:00:00Z', '2026-09-01T04:00:00Z'];
const badDates = [
  '2026-02-30',
  '1800-01-01',
  'soon',
  '',
  '12/01/2026',
  '2026-12-01T00:00:00Z',
  20_261_201,
  '2026-11-20',
];

const oddStates = ['Texass', 'zz', '', ...badWords];
const oddTypes = ['ho4', ...badWords];
const oddCounties = ['Nowhere', 'Baltimore', ...badWords];
const oddLatitudes = [29.76, 100, '29.76', null];
const oddLongitudes = [-95.37, -200];

/** Every value that is wrong or odd, in every field where it can stand. */
const oddCells: readonly BookRow[] = [
  ...oddStates.map((state) => ({ state })),
  ...oddTypes.map((policy_type) => ({ policy_type })),
  ...oddCounties.map((county) => ({ county })),
  ...Object.keys(numberFields).flatMap((name) => badNumbers.map((value) => ({ [name]: value }))),
  ...Object.keys(words).flatMap((name) => badWords.map((value) => ({ [name]: value }))),
  ...oddLatitudes.map((lat) => ({ lat })),
  ...oddLongitudes.map((lng) => ({ lng })),
  ...['effective_date', 'as_of'].flatMap((name) => badDates.map((value) => ({ [name]: value }))),
];

/** Rows with one of those each and nothing else amiss: the share numbered `part` of `parts`, which together have all. */
export function oddRows(random: () => number, part: number, parts: number): BookRow[] {
  const own = oddCells.filter((_, index) => index % parts === part);
  return own.map((odd) => ({ ...withDates(randomRow(random, 0), random, 0), ...odd }));
}

/** `badness`: how many values of a hundred are wrong or odd. */
export function randomRow(random: () => number, badness = 2): BookRow {
  const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(random() * list.length)]!;
  const isBad = () => random() * 100 < badness;
  const row: BookRow = {};
  const state = pick(states.slice(0, 51));
  row['state'] = isBad() ? pick(oddStates) : random() < 0.5 ? state.code : state.name;
  if (!isBad()) row['policy_type'] = isBad() ? pick(oddTypes) : pick(types);
  if (random() < 0.9) row['county'] = isBad() ? pick(oddCounties) : pick(countiesOf(state.code)).name;
  for (const [name, [min, max]] of Object.entries(numberFields)) {
    if (random() < (name === 'distance_to_coast_miles' ? 0.7 : 0.15)) continue;
    const value = min + random() * (max - min);
    row[name] = isBad()
      ? pick(badNumbers)
      : name === 'acreage' || name.endsWith('miles')
        ? Math.round(value * 8) / 8
        : Math.round(value);
  }
  for (const [name, list] of Object.entries(words)) {
    if (random() < 0.15) continue;
    row[name] = isBad() ? pick(badWords) : pick(list);
  }
  // Together, mostly.
  if (random() < 0.95 && (row['roof_age'] === undefined || row['roof_type'] === undefined)) {
    delete row['roof_age'];
    delete row['roof_type'];
  }
  if (isBad()) row['lat'] = pick(oddLatitudes);
  if (isBad()) row['lng'] = pick(oddLongitudes);
  return row;
}

/** The same row, which may say when it is asked and when it begins. */
export function withDates(row: BookRow, random: () => number, badness = 2): BookRow {
  const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(random() * list.length)]!;
  const isBad = () => random() * 100 < badness;
  const dated = { ...row };
  if (random() < 0.3) dated['effective_date'] = isBad() ? pick(badDates) : pick(dates);
  if (random() < 0.1) dated['as_of'] = isBad() ? pick(badDates) : pick(instants);
  return dated;
}
