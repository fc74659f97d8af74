import { once } from 'node:events';
import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { countyByFips } from '@leeward/places/counties';
import { withDetails } from '../engine/guides.ts';
import { createHomes, type Facts, optionalFields, withMissing } from '../engine/homes.ts';

export const bookColumns = ['policy_type', 'state', ...optionalFields];

const HOMES_A_TURN = 50_000;

/** Rows with a tenth of the optional fields missing; a roof's age needs its type. */
function* homesOf(rows: number, seed: number): Generator<Facts> {
  for (let from = 0; from < rows; from += HOMES_A_TURN) {
    const homes = createHomes(seed + from, Math.min(HOMES_A_TURN, rows - from));
    for (const { home_age: _, county, ...home } of withMissing(homes, 0.1, seed + from + 1)) {
      if (home['roof_age'] === undefined) delete home['roof_type'];
      if (home['roof_type'] === undefined) delete home['roof_age'];
      yield county === undefined ? home : { ...home, county: countyByFips(String(county))!.name };
    }
  }
}

/** Writes one book as CSV, NDJSON and (by DuckDB) Parquet. Returns paths by format. */
export async function writeBooks(folder: string, rows: number, seed = 20): Promise<Readonly<Record<string, string>>> {
  const paths = {
    csv: join(folder, 'book.csv'),
    ndjson: join(folder, 'book.ndjson'),
    parquet: join(folder, 'book.parquet'),
  };
  const [csv, ndjson] = [createWriteStream(paths.csv), createWriteStream(paths.ndjson)];
  csv.write(`${bookColumns.join(',')}\n`);
  let lines = ['', ''];
  let held = 0;
  for (const home of homesOf(rows, seed)) {
    lines[0] += `${bookColumns.map((name) => home[name] ?? '').join(',')}\n`;
    lines[1] += `${JSON.stringify(home)}\n`;
    if (++held % 2000 > 0) continue;
    if (!csv.write(lines[0])) await once(csv, 'drain');
    if (!ndjson.write(lines[1])) await once(ndjson, 'drain');
    lines = ['', ''];
  }
  csv.end(lines[0]);
  ndjson.end(lines[1]);
  await Promise.all([once(csv, 'finish'), once(ndjson, 'finish')]);
  await query(`copy (from read_csv('${paths.csv}')) to '${paths.parquet}' (format parquet)`);
  return paths;
}

/** Writes a book with losses and sizes as NDJSON. */
export function writeDetailedBook(folder: string, rows: number, seed = 21): string {
  const path = join(folder, 'detailed.ndjson');
  const homes = withDetails([...homesOf(rows, seed)], 0.1, seed);
  writeFileSync(path, homes.map((home) => `${JSON.stringify(home)}\n`).join(''));
  return path;
}

export async function repeatBook(parquet: string, times: number, path: string): Promise<void> {
  await query(
    `set preserve_insertion_order = false; copy (select b.* from '${parquet}' b, range(${times})) to '${path}' (format parquet)`,
  );
}

async function query(sql: string): Promise<void> {
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run(sql);
  connection.closeSync();
}

/** Writes files of carriers as a folder that `leeward` reads. */
export function writeCarriers(path: string, ruleSets: readonly unknown[]): void {
  writeFileSync(path, JSON.stringify(ruleSets));
}
