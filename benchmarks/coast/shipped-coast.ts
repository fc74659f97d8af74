import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Coast, createCoastBatch } from '@leeward/coast';
import { seededHomes } from '@leeward/coast-builder/compare';
import { loadCoastlineUs } from '@leeward/coastline-us';
import type { Row } from '../report.ts';

const HOMES = 10_000;
/** Limit of cold processor time per home, the opening of regions included. Homes along all shores open every region. */
export const COLD_FLOOR_MICROSECONDS = 70;
/** A full answer with rivers ÷ without, near the shore. */
export const RIVERS_FLOOR = 1.8;

interface ColdHomes {
  readonly microseconds: number;
  readonly cpuMicroseconds: number;
  readonly longestMs: number;
}

export interface ShippedCoastFigures {
  readonly rows: readonly Row[];
  readonly coldMicroseconds: number;
  readonly longestMs: number;
  readonly riversRatio: number;
}

/** The shipped coast: 10,000 homes in a fresh process, and the warm cost of rivers. */
export function measureShippedCoast(folder: string, rounds: number, isQuick: boolean): ShippedCoastFigures {
  const rows: Row[] = [];
  const row = (name: string, value: number, unit: string): void => {
    rows.push({ name, median: value, unit });
  };
  const homes = seededHomes(loadCoastlineUs({ tidalWaters: false }), { count: HOMES, seed: 18 });
  const latitudes = Float64Array.from(homes, ({ latitude }) => latitude);
  const longitudes = Float64Array.from(homes, ({ longitude }) => longitude);
  const file = join(folder, 'homes.bin');
  writeFileSync(file, new Uint8Array(Float64Array.of(...latitudes, ...longitudes).buffer));

  let coldMicroseconds = 0;
  let longestMs = 0;
  for (const [data, label] of [
    ['both', 'two sources and rivers'],
    ['shores', 'two sources'],
    ['gshhg', 'GSHHG alone'],
  ] as const) {
    for (const [call, name] of [
      ['all', 'nearestMany'],
      ['each', 'nearest, one by one'],
    ] as const) {
      const runs = Array.from({ length: isQuick ? 3 : 5 }, () => coldHomes(file, call, data));
      const cpu = least(runs.map((run) => run.cpuMicroseconds));
      row(`cold: 10,000 homes, ${label}, ${name}, by the clock`, least(runs.map((run) => run.microseconds)), 'µs');
      row(`cold: 10,000 homes, ${label}, ${name}, processor time`, cpu, 'µs');
      if (data === 'both' && call === 'all') coldMicroseconds = cpu;
      if (call === 'each') {
        const longest = least(runs.map((run) => run.longestMs));
        row(`cold: 10,000 homes, ${label}, the longest call`, longest, 'ms');
        longestMs = Math.max(longestMs, longest);
      }
    }
  }

  const batch = createCoastBatch(HOMES);
  const time = (coast: Coast): number => {
    const start = performance.now();
    coast.nearestMany({ latitudes, longitudes }, { batch });
    return ((performance.now() - start) * 1000) / HOMES;
  };
  const withRivers = loadCoastlineUs();
  const without = loadCoastlineUs({ tidalWaters: false });
  // Repeat until the tiles have grown.
  for (let pass = 0; pass < (isQuick ? 100 : 400); pass++) for (const coast of [withRivers, without]) time(coast);
  const pairs = Array.from({ length: 5 * rounds }, () => [time(withRivers), time(without)] as const);
  row('warm: 10,000 homes, two sources and rivers', least(pairs.map(([rivers]) => rivers)), 'µs');
  row('warm: 10,000 homes, two sources', least(pairs.map(([, shores]) => shores)), 'µs');
  const riversRatio = least(pairs.map(([rivers]) => rivers)) / least(pairs.map(([, shores]) => shores));
  row('warm: with rivers ÷ without, 10,000 homes', riversRatio, '×');
  return { rows, coldMicroseconds, longestMs, riversRatio };
}

function least(values: readonly number[]): number {
  return Math.min(...values);
}

function coldHomes(file: string, call: 'all' | 'each', data: 'both' | 'shores' | 'gshhg'): ColdHomes {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [...process.execArgv, join(import.meta.dirname, 'cold-homes.ts'), file, call, data],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as ColdHomes;
}
