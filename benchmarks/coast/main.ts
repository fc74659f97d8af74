/**
 * The nearest point of the shore: Leeward and, in the same run on the same lines and seeded points, others. Leeward and
 * "flatbush exact" give the full answer (point, ellipsoidal distance, azimuth); the rest only search. Times are the
 * minimum of the rounds, which other processes disturb least.
 *
 *   --rounds N   timed rounds of Leeward and of each peer, in turn (9)
 *   --only A,B   peers to run (all)
 *   --quick      3 rounds, fewer points, without slow peers and prebuilt tiles of the states: under five minutes
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildCoastIndex, type Coast, createCoast, createCoastBatch, encodeShoreline } from '@leeward/coast';
import { buildTiles } from '@leeward/coast/tiles';
import { median, type Row, report } from '../report.ts';
import { loadCoastline } from './coastline.ts';
import { cold, measureFiles } from './measure-files.ts';
import { createCTree } from './peers/c-tree.ts';
import { createDuckdb } from './peers/duckdb.ts';
import { createFlatbushExact } from './peers/flatbush-exact.ts';
import { createGeoflatbush } from './peers/geoflatbush.ts';
import { createGeokdbush } from './peers/geokdbush.ts';
import type { Absent, Peer } from './peers/peer.ts';
import { createPostgis } from './peers/postgis.ts';
import { createS2 } from './peers/s2.ts';
import { createS2js } from './peers/s2js.ts';
import { createTurf } from './peers/turf.ts';
import { boxesOf, createPoints, firstPoints, type PointKind, type Points } from './points.ts';
import { COLD_FLOOR_MICROSECONDS, measureShippedCoast, RIVERS_FLOOR } from './shipped-coast.ts';

const args = process.argv.slice(2);
const option = (name: string): string | undefined => {
  const at = args.indexOf(name);
  return at < 0 ? undefined : args[at + 1];
};
const SEED = 20_261_120;
const isQuick = args.includes('--quick');
const COUNT = isQuick ? 50_000 : 200_000;
/** Points of an index that has answered none before. */
const FRESH_COUNT = 10_000;
const ROUNDS = Number(option('--rounds') ?? (isQuick ? 3 : 9));
const only = option('--only')?.split(',');
const KINDS: readonly PointKind[] = ['near', 'anywhere', 'mixed'];
/** Minutes each. */
const SLOW = new Set(['s2js', 'turf', 'duckdb']);
/** Peer ÷ Leeward one by one, on an index without tiles, at least. */
const FLOORS: Readonly<Record<string, number>> = { 'flatbush exact': 1, geoflatbush: 1 };
/** No call may hold its thread longer. */
const MAX_CALL_MS = 40;
/** In Tampa. */
const FIRST = { latitude: 27.95, longitude: -82.46 };

const rows: Row[] = [];
const ratios: Record<string, number> = {};
const row = (name: string, value: number, unit: string): void => {
  rows.push({ name, median: value, unit });
};
const say = (text: string): void => console.error(text);
const elapsed = async (run: () => unknown): Promise<number> => {
  const start = performance.now();
  await run();
  return performance.now() - start;
};

const folder = mkdtempSync(join(tmpdir(), 'leeward-coast-'));
try {
  await benchmark();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function benchmark(): Promise<void> {
  const { shoreline, label } = loadCoastline();
  say(`coastline: ${label}`);
  const points = createPoints(shoreline, COUNT, SEED);
  const batch = createCoastBatch(COUNT);
  const file = join(folder, 'coast.shoreline');
  writeFileSync(file, encodeShoreline(shoreline));

  // A new user has the shipped coast, and nothing built ahead.
  const first = (form: 'shipped' | 'shoreline' | 'flatbush'): number =>
    least(Array.from({ length: 5 }, () => cold(form, file, FIRST).processMs));
  row('new process to the first answer, shipped coast', first('shipped'), 'ms');
  row('new process to the first answer, these lines', first('shoreline'), 'ms');
  row('new process to the first answer, flatbush exact, these lines', first('flatbush'), 'ms');
  const shipped = measureShippedCoast(folder, ROUNDS, isQuick);
  rows.push(...shipped.rows);

  // All search these lines.
  const near = firstPoints(points.near, FRESH_COUNT);
  const fresh: number[] = [];
  const freshBatch: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const one = createCoast(buildCoastIndex(shoreline));
    fresh.push(each(near, (latitude, longitude) => one.nearest({ latitude, longitude }).distanceMeters));
    const other = createCoast(buildCoastIndex(shoreline));
    freshBatch.push(((await elapsed(() => answer(other, near))) * 1000) / FRESH_COUNT);
  }
  row('untiled: nearest, one by one, new index, near', least(fresh), 'µs');
  row('untiled: nearestMany, new index, near', least(freshBatch), 'µs');

  let index = buildCoastIndex(shoreline);
  const builds = await rounds(3, () =>
    elapsed(() => {
      index = buildCoastIndex(shoreline);
    }),
  );
  row('build: tree', least(builds), 'ms');
  const search = index.search({ any: 1, none: 0 });
  const out = new Float64Array(4);
  const untiled = (at: Points): number =>
    each(at, (latitude, longitude) => search.nearestByTree(latitude, longitude, out, 0));
  for (const kind of KINDS) {
    row(
      `untiled: tree alone, full answer, one by one, ${kind}`,
      least(await rounds(ROUNDS, () => untiled(points[kind]))),
      'µs',
    );
  }

  const tiled = buildCoastIndex(shoreline);
  row(
    'build: tiles wherever the points lie, one thread',
    await elapsed(() =>
      buildTiles(tiled, { definitions: ['tidal'], boxes: KINDS.flatMap((kind) => boxesOf(points[kind])) }),
    ),
    'ms',
  );
  const coast = createCoast(tiled);
  for (const kind of KINDS) answer(coast, points[kind]);
  row('tiled: nearest, one by one, mixed', least(await rounds(ROUNDS, () => eachObject(coast, points.mixed))), 'µs');
  for (const kind of KINDS) {
    const times = await rounds(ROUNDS, async () => ((await elapsed(() => answer(coast, points[kind]))) * 1000) / COUNT);
    row(`tiled: nearestMany, ${kind}`, least(times), 'µs');
  }
  row('tiled: p99 of single calls, mixed', percentile99(coast, points.mixed), 'µs');
  if (!isQuick) rows.push(...(await measureFiles(shoreline, folder)));

  for (const [name, create] of Object.entries({
    'flatbush exact': createFlatbushExact,
    c: () => createCTree(index, folder),
    geoflatbush: createGeoflatbush,
    geokdbush: createGeokdbush,
    s2: createS2,
    postgis: createPostgis,
    duckdb: createDuckdb,
    s2js: createS2js,
    turf: createTurf,
  })) {
    const peer: Peer | Absent = wanted(name) ? await create(shoreline, folder) : { name, absent: 'not asked for' };
    if ('absent' in peer) {
      say(`${name}: skipped (${peer.absent})`);
      continue;
    }
    say(`${name}: built`);
    try {
      await measurePeer(name, peer);
    } finally {
      peer.close?.();
    }
  }
  report({ benchmark: 'coast', rows, ratios, meaning: 'peer ÷ Leeward, above 1: we are ahead' }, args);
  console.log(`\n${label}; seed ${SEED}; ${COUNT} points; times are minima of ${ROUNDS} rounds`);
  for (const [name, floor] of Object.entries(FLOORS)) {
    const ratio = ratios[`${name} ÷ untiled, one by one`];
    if (ratio === undefined) continue;
    console.log(`floor ${name} ≥ ${floor}: ${ratio >= floor ? 'reached' : 'NOT reached'} (${ratio.toPrecision(3)})`);
  }
  for (const [name, value, ceiling] of [
    ['cold, µs of processor time a home, nearestMany', shipped.coldMicroseconds, COLD_FLOOR_MICROSECONDS],
    ['cold, ms of the longest call', shipped.longestMs, MAX_CALL_MS],
    ['rivers ÷ no rivers', shipped.riversRatio, RIVERS_FLOOR],
  ] as const) {
    console.log(`${name} ≤ ${ceiling}: ${value <= ceiling ? 'reached' : 'NOT reached'} (${value.toPrecision(3)})`);
  }

  function answer(of: Coast, { latitudes, longitudes }: Points): void {
    const own = latitudes.length === COUNT ? batch : createCoastBatch(latitudes.length);
    of.nearestMany({ latitudes, longitudes }, { batch: own, unanswered: 'mark' });
  }

  /** Alternates with ours, so that other load affects both. */
  async function measurePeer(name: string, peer: Peer): Promise<void> {
    const sample = firstPoints(points.mixed, peer.points);
    const pairs = await rounds(peer.points > 10 ? ROUNDS : 1, async () => {
      untiled(sample);
      const one = untiled(sample);
      answer(coast, points.mixed);
      const many = ((await elapsed(() => answer(coast, points.mixed))) * 1000) / COUNT;
      return { theirs: (await peer.run(sample)).microseconds, one, many };
    });
    const theirs = least(pairs.map((pair) => pair.theirs));
    row(`${name}: ${peer.finds}, mixed (${peer.points} points)`, theirs, 'µs');
    row(`${name}: build`, peer.buildMs, 'ms');
    ratios[`${name} ÷ untiled, one by one`] = theirs / least(pairs.map(({ one }) => one));
    ratios[`${name} ÷ tiled, nearestMany`] = theirs / least(pairs.map(({ many }) => many));
    await compareAnswers(name, peer, sample);
  }

  /** A vertex is farther than its segment, and a sphere is off by 0.6 %. Exact peers agree to 0.1 m and a millionth, within 500 km. */
  async function compareAnswers(name: string, peer: Peer, at: Points): Promise<void> {
    const { meters } = await peer.run(at);
    const own = createCoastBatch(at.latitudes.length);
    coast.nearestMany(at, { batch: own, unanswered: 'mark' });
    let largest = 0;
    for (let point = 0; point < meters.length; point++) {
      const ours = own.distancesMeters[point]!;
      if (ours > (peer.comparedWithinMeters ?? Number.POSITIVE_INFINITY)) continue;
      const apart = meters[point]! - ours;
      largest = Math.max(largest, Math.abs(apart));
      const nearer = 0.03 + ours * 0.006;
      const farther = peer.finds.startsWith('vertex') ? Number.POSITIVE_INFINITY : nearer;
      const isWrong =
        peer.isExact === true
          ? ours < 500_000 && Math.abs(apart) > 0.1 + ours * 1e-6
          : apart > farther || apart < -nearer;
      if (!isWrong && !Number.isNaN(apart)) continue;
      throw new Error(
        `${name} finds ${meters[point]} m where we find ${ours} m, at ${at.latitudes[point]}, ${at.longitudes[point]}`,
      );
    }
    row(`${name}: largest difference from ours`, largest, 'm');
  }
}

function wanted(name: string): boolean {
  return only === undefined ? !(isQuick && SLOW.has(name)) : only.includes(name);
}

function least(values: readonly number[]): number {
  return Math.min(...values);
}

async function rounds<T>(count: number, run: () => T | Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let round = 0; round < count; round++) results.push(await run());
  return results;
}

function each({ latitudes, longitudes }: Points, call: (latitude: number, longitude: number) => void): number {
  const start = performance.now();
  for (let at = 0; at < latitudes.length; at++) call(latitudes[at]!, longitudes[at]!);
  return ((performance.now() - start) * 1000) / latitudes.length;
}

function eachObject(coast: Coast, points: Points): number {
  let sum = 0;
  return (
    each(points, (latitude, longitude) => {
      sum += coast.nearest({ latitude, longitude }).distanceMeters;
    }) +
    sum * 0
  );
}

/** 99th percentile of single calls with a batch of one, minus the cost of the timer. */
function percentile99(coast: Coast, { latitudes, longitudes }: Points): number {
  const batch = createCoastBatch(1);
  const times = new Float64Array(latitudes.length);
  const timer = median(
    Array.from({ length: 10_001 }, () => -Number(process.hrtime.bigint() - process.hrtime.bigint())),
  );
  for (let round = 0; round < 2; round++) {
    for (let at = 0; at < latitudes.length; at++) {
      const one = latitudes.subarray(at, at + 1);
      const other = longitudes.subarray(at, at + 1);
      const start = process.hrtime.bigint();
      coast.nearestMany({ latitudes: one, longitudes: other }, { batch });
      times[at] = Number(process.hrtime.bigint() - start) - timer;
    }
  }
  times.sort();
  return times[Math.floor(times.length * 0.99)]! / 1000;
}
