/**
 * `npm run bench -- places [--quick] [--seed N] [--json FILE]`: two invented towns of 200,000 addresses, imported and
 * searched. Reports time and size of the imports, and the error of each way to locate a house with its radius. Counts
 * nonexistent addresses that match another street or ZIP code. Adds results for the ranges of one real county.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadZipGazetteer } from '@leeward/places/zips';
import { type Row, report } from '../report.ts';
import { importTown, measureTown } from './measure-town.ts';
import { measureRealCounty } from './real-county.ts';
import { inventTown } from './town.ts';
import { inventWindingTown } from './winding-town.ts';

const args = process.argv.slice(2);
const count = args.includes('--quick') ? 20_000 : 200_000;
// Radii were tuned on seed 20261122; measure on another one.
const seed = args.includes('--seed') ? Number(args[args.indexOf('--seed') + 1]) : 4_711;
const rows: Row[] = [];
const ratios: Record<string, number> = {};
const folder = mkdtempSync(join(tmpdir(), 'leeward-town-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const zips = await loadZipGazetteer();

for (const [name, invent] of [
  ['blocks', inventTown],
  ['winding', inventWindingTown],
] as const) {
  const town = invent(zips, count, seed);
  const database = join(folder, `${name}.sqlite`);
  rows.push(...(await importTown(town, { database, folder: join(folder, name), name, seed })));
  const measured = await measureTown(town, { database, zips, name, seed });
  rows.push(...measured.rows);
  Object.assign(ratios, measured.ratios);
}
const county = await measureRealCounty(folder, zips);
rows.push(...county.rows);
Object.assign(ratios, county.ratios);
report({ benchmark: `places, seed ${seed}`, rows, ratios, meaning: 'of one' }, args);
