import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import {
  buildCoastIndex,
  encodeCoastIndex,
  encodeShoreline,
  type GeographicPoint,
  type Shoreline,
} from '@leeward/coast';
import { buildTilesInThreads } from '@leeward/coast/tiles';
import { median, type Row } from '../report.ts';

/** Area of the prebuilt tiles: the contiguous states. */
const STATES = { west: -125, south: 24, east: -66.01, north: 49.99 };
const TAMPA = { latitude: 27.95, longitude: -82.46 };
const ROUNDS = 7;

interface Cold {
  readonly readMs: number;
  readonly openMs: number;
  readonly firstAnswerMs: number;
  readonly processMs: number;
}

/** Size of both file formats, and time to the first answer of a fresh process. */
export async function measureFiles(shoreline: Shoreline, folder: string): Promise<Row[]> {
  const rows: Row[] = [];
  const row = (name: string, value: number, unit: string): void => {
    rows.push({ name, median: value, unit });
  };
  const shipped = buildCoastIndex(shoreline);
  const threads = Math.min(4, availableParallelism());
  const start = performance.now();
  await buildTilesInThreads(shipped, { definitions: ['tidal'], boxes: [STATES] }, threads);
  row(`build: tiles of the contiguous states, ${threads} threads`, performance.now() - start, 'ms');
  const bytes = encodeCoastIndex(shipped);
  row('ready index with these tiles', bytes.length / 1e6, 'MB');
  const compact = encodeShoreline(shoreline);
  row('compact shoreline', compact.length / 1e6, 'MB');
  const indexFile = join(folder, 'coast.index');
  const compactFile = join(folder, 'coast.shoreline');
  writeFileSync(indexFile, bytes);
  writeFileSync(compactFile, compact);
  for (const [form, file] of [
    ['index', indexFile],
    ['shoreline', compactFile],
  ] as const) {
    const runs = Array.from({ length: ROUNDS }, () => cold(form, file, TAMPA));
    const name = form === 'index' ? 'ready index' : 'compact shoreline';
    row(`${name}: read`, median(runs.map((run) => run.readMs)), 'ms');
    row(`${name}: ${form === 'index' ? 'load' : 'decode and build'}`, median(runs.map((run) => run.openMs)), 'ms');
    row(`${name}: first answer after that`, median(runs.map((run) => run.firstAnswerMs)), 'ms');
    row(`${name}: cold process to first answer`, median(runs.map((run) => run.processMs)), 'ms');
  }
  return rows;
}

/** In a new process. */
export function cold(
  form: 'index' | 'shoreline' | 'flatbush' | 'shipped',
  file: string,
  { latitude, longitude }: GeographicPoint,
): Cold {
  const words = [join(import.meta.dirname, 'cold.ts'), form, file, String(latitude), String(longitude)];
  const { stdout, stderr, status } = spawnSync(process.execPath, [...process.execArgv, ...words], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Cold;
}
