/**
 * The nearest point of the shore: Leeward and, in the same run on the same coastline and seeded points, a k-d tree in
 * C, S2, PostGIS and JavaScript indexes. Leeward gives the full answer (point, ellipsoidal distance, azimuth,
 * accuracy); the others only search.
 *
 *   --rounds N   timed rounds of Leeward and of each peer, in turn (9)
 *   --only A,B   peers to run (all)
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildCoastIndex, type Coast, createCoast, createCoastBatch } from '@leeward/coast';
import { buildTiles } from '@leeward/coast/tiles';
import { median, type Row, report } from '../report.ts';
import { loadCoastline, shippedShoreline } from './coastline.ts';
import { measureFiles } from './measure-files.ts';
import { createCTree } from './peers/c-tree.ts';
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
const COUNT = 200_000;
const ROUNDS = Number(option('--rounds') ?? 9);
const only = option('--only')?.split(',');
const KINDS: readonly PointKind[] = ['near', 'anywhere', 'mixed'];
/** Over the full coastline, at least. */
const FLOORS: Readonly<Record<string, number>> = { geokdbush: 200, geoflatbush: 35, c: 2, s2: 50 };

/** No call may hold its thread longer. */
const MAX_CALL_MS = 20;

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
  const { shoreline, isFull, label } = loadCoastline();
  say(`coastline: ${label}`);
  const points = createPoints(shoreline, COUNT, SEED);
  const batch = createCoastBatch(COUNT);

  let index = buildCoastIndex(shoreline);
  row(
    'build: tree',
    median(
      await rounds(3, () =>
        elapsed(() => {
          index = buildCoastIndex(shoreline);
        }),
      ),
    ),
    'ms',
  );
  const coast = createCoast(index);
  // Warm measurements, with whole tiles, like `leeward coast build --tiles`.
  row(
    'build: tiles wherever the points lie, one thread',
    await elapsed(() =>
      buildTiles(index, { definitions: ['tidal'], boxes: KINDS.flatMap((kind) => boxesOf(points[kind])) }),
    ),
    'ms',
  );
  for (const kind of KINDS) answer(coast, points[kind]);

  // Alternate with the C tree, so that other load affects both.
  const cTree = wanted('c') ? createCTree(index, folder) : absentByWish('c');
  const ours: Record<PointKind, number[]> = { near: [], anywhere: [], mixed: [] };
  const c: Record<PointKind, number[]> = { near: [], anywhere: [], mixed: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const kind of KINDS) {
      ours[kind].push(((await elapsed(() => answer(coast, points[kind]))) * 1000) / COUNT);
      if ('run' in cTree) c[kind].push(cTree.run(points[kind]).microseconds);
    }
  }
  for (const kind of KINDS) row(`one layer, full answer, ${kind}`, median(ours[kind]), 'µs');
  if ('run' in cTree) {
    for (const kind of KINDS) row(`c: tree of runs, search only, ${kind}`, median(c[kind]), 'µs');
    ratios['c'] = median(c.mixed.map((value, round) => value / ours.mixed[round]!));
    checkAgainst(cTree, points.mixed, (meters) => 0.03 + (meters ** 3 / 24 / 6.3e6 ** 2) * 1.2);
  } else say(`c: skipped (${cTree.absent})`);

  row('one layer, full answer, mixed, p99 of single calls', percentile99(coast, points.mixed), 'µs');
  row(
    'one layer, answer objects one at a time, mixed',
    median(await rounds(5, () => eachObject(coast, points.mixed))),
    'µs',
  );
  const search = index.search({ any: 1, none: 0 });
  const out = new Float64Array(4);
  row(
    'plain tree, full answer, mixed',
    median(
      await rounds(3, () =>
        each(points.mixed, (latitude, longitude) => search.nearestByTree(latitude, longitude, out, 0)),
      ),
    ),
    'µs',
  );

  await measureTwoSources(coast, points);
  rows.push(...(await measureFiles(shoreline, folder)));
  const shipped = measureShippedCoast(folder, ROUNDS);
  rows.push(...shipped.rows);

  for (const [name, create] of Object.entries({
    geokdbush: createGeokdbush,
    geoflatbush: createGeoflatbush,
    s2: createS2,
    s2js: createS2js,
    turf: createTurf,
    postgis: createPostgis,
  })) {
    const peer: Peer | Absent = wanted(name) ? create(shoreline, folder) : absentByWish(name);
    if ('absent' in peer) {
      say(`${name}: skipped (${peer.absent})`);
      continue;
    }
    say(`${name}: built`);
    try {
      const sample = firstPoints(points.mixed, peer.points);
      // Alternate with the peer. An untimed run refills the caches.
      const pairs = await rounds(peer.points > 10 ? ROUNDS : 1, async () => {
        answer(coast, points.mixed);
        const own = ((await elapsed(() => answer(coast, points.mixed))) * 1000) / COUNT;
        return { theirs: peer.run(sample).microseconds, own };
      });
      row(`${name}: ${peer.finds}, mixed (${peer.points} points)`, median(pairs.map(({ theirs }) => theirs)), 'µs');
      row(`${name}: build`, peer.buildMs, 'ms');
      ratios[name] = median(pairs.map(({ theirs, own }) => theirs / own));
      // A sphere is off by 0.6 %, a vertex lies farther than its segment.
      checkAgainst(
        peer,
        sample,
        (meters) => 0.03 + meters * 0.006 + (peer.finds.startsWith('vertex') ? Number.POSITIVE_INFINITY : 0),
      );
    } finally {
      peer.close?.();
    }
  }
  report({ benchmark: 'coast', rows, ratios }, args);
  console.log(`\n${label}; seed ${SEED}; ${COUNT} points`);
  for (const [name, floor] of Object.entries(FLOORS)) {
    const ratio = ratios[name];
    if (!isFull || ratio === undefined) continue;
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
    of.nearestMany({ latitudes, longitudes }, { batch, unanswered: 'mark' });
  }

  /** Two independent sources if both ship; otherwise the coastline with itself. */
  async function measureTwoSources(one: Coast, at: Record<PointKind, Points>): Promise<void> {
    const osm = shippedShoreline('osm');
    if (osm === undefined) say('two sources: no second one is shipped, the coastline stands for it');
    const preferred = osm === undefined ? buildCoastIndex(shoreline) : buildCoastIndex(osm);
    buildTiles(preferred, { definitions: ['tidal'], boxes: boxesOf(at.mixed) });
    const both = createCoast({
      preferred,
      check: index,
    });
    answer(both, at.mixed);
    const pairs = await rounds(ROUNDS, async () => {
      const two = ((await elapsed(() => answer(both, at.mixed))) * 1000) / COUNT;
      const alone = ((await elapsed(() => answer(one, at.mixed))) * 1000) / COUNT;
      return [two, two / alone] as const;
    });
    row('two sources combined, full answer, mixed', median(pairs.map(([two]) => two)), 'µs');
    row('two sources combined ÷ one', median(pairs.map(([, ratio]) => ratio)), '×');
  }

  /** A peer must find our point, within its distance formula. */
  function checkAgainst(peer: Peer, at: Points, toleranceMeters: (meters: number) => number): void {
    const { meters } = peer.run(at);
    answer(coast, at);
    for (let point = 0; point < meters.length; point++) {
      const own = batch.distancesMeters[point]!;
      const apart = meters[point]! - own;
      const most = toleranceMeters(own);
      const nearer = 0.03 + own * 0.006;
      if (apart > most || apart < -Math.max(nearer, Math.min(most, nearer * 10))) {
        throw new Error(
          `${peer.name} finds ${meters[point]} m where we find ${own} m, at ${at.latitudes[point]}, ${at.longitudes[point]}`,
        );
      }
    }
  }
}

function wanted(name: string): boolean {
  return only === undefined || only.includes(name);
}

function absentByWish(name: string): Absent {
  return { name, absent: 'not asked for' };
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
