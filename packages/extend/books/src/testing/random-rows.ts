import { countiesOf, states } from '@leeward/places/counties';

/** A row of a user's book: correct, misspelled, out of range, of a wrong type, or incomplete. */
export type BookRow = Record<string, unknown>;

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
/** Numbers as people and exports write them, with their values; undefined for text that the schema must reject. */
export const writtenNumbers: Readonly<Record<string, number>> = {
  '250,000': 250_000,
  '250000.00': 250_000,
  '$250,000': 250_000,
  'USD 1,250.50': 1250.5,
  '6.0': 6,
  ' 6.00 ': 6,
  '6.5': 6.5,
  '-0.0': 0,
  '+7': 7,
  '.5': 0.5,
  '-1': -1,
  '12': 12,
  ' 7 ': 7,
  '29.76': 29.76,
};
/** Ambiguous numbers that whole-number fields reject: the point may separate thousands. */
export const doubtfulThousands = ['6.000', '250.000'];
const badTexts = ['1,23', '2,50,000', '1.234,56', '€6', '5.', '0x10', '١٢'];

/** Dates as people and exports write them, with their values. */
export const writtenDates: Readonly<Record<string, string>> = {
  '12/01/2026': '2026-12-01',
  '2026-12-01T00:00:00Z': '2026-12-01',
  '2026-12-01 00:00:00': '2026-12-01',
  '2026-12-01T00:00:00.000-06:00': '2026-12-01',
  '7/4/2026 12:00:00 AM': '2026-07-04',
};

const badNumbers: readonly unknown[] = [
  -1,
  1.5,
  1e9,
  ...Object.keys(writtenNumbers),
  ...doubtfulThousands,
  ...badTexts,
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
  ...Object.keys(writtenDates),
  '2026-12-01T06:00:00Z',
  '2026-12-01T00:00:01Z',
  '31/12/2026',
  20_261_201,
  '2026-11-20',
];

const oddStates = ['Texass', 'zz', '', ...badWords];
const oddTypes = ['ho4', ...badWords];
const oddCounties = ['Nowhere', 'Baltimore', ...badWords];
const oddLatitudes = [29.76, 100, '29.76', '29,76', null];
const oddLongitudes = [-95.37, -200];

/** Every wrong or odd value, in every field that can have it. */
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

/** Rows with one odd cell each and no other faults: group `part` of `parts`, which together have all odd cells. */
export function oddRows(random: () => number, part: number, parts: number): BookRow[] {
  const own = oddCells.filter((_, index) => index % parts === part);
  return own.map((odd) => ({ ...withDates(randomRow(random, 0), random, 0), ...odd }));
}

/** @param badness Percentage of values that are wrong or odd. */
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
  if (random() < 0.95 && (row['roof_age'] === undefined || row['roof_type'] === undefined)) {
    delete row['roof_age'];
    delete row['roof_type'];
  }
  if (isBad()) row['lat'] = pick(oddLatitudes);
  if (isBad()) row['lng'] = pick(oddLongitudes);
  return row;
}

/** Adds a random decision time and effective date to some rows. */
export function withDates(row: BookRow, random: () => number, badness = 2): BookRow {
  const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(random() * list.length)]!;
  const isBad = () => random() * 100 < badness;
  const dated = { ...row };
  if (random() < 0.3) dated['effective_date'] = isBad() ? pick(badDates) : pick(dates);
  if (random() < 0.1) dated['as_of'] = isBad() ? pick(badDates) : pick(instants);
  return dated;
}

const wholeNumbers = new Set(Object.keys(numberFields).filter((name) => name !== 'acreage' && !name.endsWith('miles')));

/** A row of a book as a request, with parsed numbers and dates. */
export function asRequest(row: BookRow): BookRow {
  const value = (name: string, cell: unknown): unknown => {
    if (typeof cell !== 'string') return cell;
    if (name === 'effective_date') return writtenDates[cell.trim()] ?? cell;
    if (!(name in numberFields) && name !== 'lat' && name !== 'lng') return cell;
    if (doubtfulThousands.includes(cell)) return wholeNumbers.has(name) ? cell : Number(cell);
    if (/^-?\d{1,15}(\.\d+)?$/.test(cell.trim())) return Number(cell) + 0;
    return Object.entries(writtenNumbers).find(([text]) => text.trim() === cell.trim())?.[1] ?? cell;
  };
  return Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, value(name, cell)]));
}
