import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileArtifact, writeSql } from '@leeward/artifact';
import { createCatalog } from '@leeward/engine';
import { bookColumns, writeBooks } from '../books/write-books.ts';
import { createCarriers, toRuleSets } from '../engine/carriers.ts';

export const AS_OF = new Date('2026-11-20T12:00:00Z');
const DATES = { from: '2026-11-01', to: '2026-11-30' };

/** Writes carriers, their artifact, and views as SQL into a temporary folder. */
export async function writeRulesFolder(carriers: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'leeward-readers-'));
  const files = toRuleSets(createCarriers(1, carriers)) as { carrier: { key: string } }[];
  writeFileSync(join(folder, 'carriers.json'), JSON.stringify(files));
  mkdirSync(join(folder, 'carriers'));
  for (const file of files) writeFileSync(join(folder, 'carriers', `${file.carrier.key}.json`), JSON.stringify(file));
  const catalog = createCatalog(files.map((file) => ({ file })));
  writeFileSync(join(folder, 'keys.json'), JSON.stringify(catalog.carriers.map(({ key }) => key)));
  const { bytes } = await compileArtifact(catalog, DATES);
  writeFileSync(join(folder, 'home.leeward'), bytes);
  for (const dialect of ['duckdb', 'postgresql', 'clickhouse'] as const) {
    const options = { dialect, ...DATES, table: 'homes', columns: bookColumns, asOf: AS_OF };
    writeFileSync(join(folder, `${dialect}.sql`), writeSql(catalog, options));
  }
  return folder;
}

/** Copies a folder of rules, and writes homes into the copy as Parquet, CSV and NDJSON. */
export async function writeBookFolder(rules: string, rows: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'leeward-readers-'));
  cpSync(rules, folder, { recursive: true });
  await writeBooks(folder, rows);
  return folder;
}
