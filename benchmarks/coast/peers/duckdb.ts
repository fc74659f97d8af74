import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Shoreline } from '@leeward/coast';
import { unzipSync } from 'fflate';
import type { Absent, Peer } from './peer.ts';

/** The extension for `@duckdb/node-api` 1.5.5, from PyPI. */
const WHEEL = 'duckdb-extension-spatial==1.5.5';
const WHEEL_SHA256 = '736dbe75cd9d7f7a05d4920b02439f9d441945c81a56128911371fad2b3a5611';
/** Half sides of the boxes of candidates, in degrees of latitude. A place without a segment within one goes on to the next. */
const REACHES = [0.03, 0.12, 0.5, 2, 8, 32];

/** DuckDB with `spatial`: a spatial join of boxes and segments, and the distance on the spheroid, for all places in one query. */
export async function createDuckdb({ positions, lineStarts }: Shoreline): Promise<Peer | Absent> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const extension = spatialExtension();
  if (typeof extension !== 'string') return extension;
  const start = performance.now();
  const instance = await DuckDBInstance.create(':memory:', { allow_unsigned_extensions: 'true', threads: '1' });
  const connection = await instance.connect();
  try {
    await connection.run(`load '${extension}'`);
  } catch (error) {
    return { name: 'duckdb', absent: `spatial cannot be loaded (${error instanceof Error ? error.message : error})` };
  }
  await connection.run('create table edges_raw (a double, b double, c double, d double)');
  const appender = await connection.createAppender('edges_raw');
  for (let line = 1; line < lineStarts.length; line++) {
    for (let vertex = lineStarts[line - 1]!; vertex + 1 < lineStarts[line]!; vertex++) {
      for (let at = vertex * 2; at < vertex * 2 + 4; at++) appender.appendDouble(positions[at]!);
      appender.endRow();
    }
  }
  appender.closeSync();
  await connection.run(
    'create table edges as select a, b, c, d, st_makeline(st_point(a, b), st_point(c, d)) as edge from edges_raw',
  );
  return {
    name: 'duckdb',
    finds: 'segment: spatial join, plane; distance on the spheroid',
    // The plane of a place is wrong far away.
    comparedWithinMeters: 50_000,
    points: 200,
    buildMs: performance.now() - start,
    async run({ latitudes, longitudes }) {
      await connection.run('create or replace table places (id int, lng double, lat double)');
      const places = await connection.createAppender('places');
      latitudes.forEach((latitude, at) => {
        places.appendInteger(at);
        places.appendDouble(longitudes[at]!);
        places.appendDouble(latitude);
        places.endRow();
      });
      places.closeSync();
      const meters = new Float64Array(latitudes.length).fill(Number.NaN);
      const begin = performance.now();
      for (const reach of REACHES) {
        const reader = await connection.runAndReadAll(nearestWithin(reach));
        for (const [id, distance] of reader.getRows() as [number, number][]) meters[id] = distance;
        const answered = reader.getRows().map(([id]) => id);
        if (answered.length > 0) await connection.run(`delete from places where id in (${answered.join(',')})`);
      }
      return { microseconds: ((performance.now() - begin) * 1000) / latitudes.length, meters };
    },
    close: () => connection.closeSync(),
  };
}

/** The nearest segment is by the plane of the place; only distances within the box are certain. */
function nearestWithin(reach: number): string {
  return `
    with boxes as (
      select id, lng, lat, cos(radians(lat)) as narrow,
        st_makeenvelope(lng - ${reach} / cos(radians(lat)), lat - ${reach}, lng + ${reach} / cos(radians(lat)), lat + ${reach}) as box
      from places
    ), pairs as (
      select id, lng, lat, a, b, (a - lng) * narrow as x, b - lat as y, (c - a) * narrow as dx, d - b as dy, narrow
      from boxes join edges on st_intersects(edge, box)
    ), feet as (
      select *, case when dx = 0 and dy = 0 then 0 else greatest(0, least(1, -(x * dx + y * dy) / (dx * dx + dy * dy))) end as t
      from pairs
    ), nearest as (
      select id, lng, lat, arg_min(struct_pack(lng := a + t * dx / narrow, lat := b + t * dy), (x + t * dx) ** 2 + (y + t * dy) ** 2) as foot,
        min((x + t * dx) ** 2 + (y + t * dy) ** 2) as squared
      from feet group by id, lng, lat
    )
    select id, st_distance_spheroid(st_point2d(lat, lng), st_point2d(foot.lat, foot.lng)) from nearest where squared <= ${reach ** 2}`;
}

/** Path of the extension. It is downloaded once by pip, and its hash is checked. */
function spatialExtension(): string | Absent {
  const folder = join(import.meta.dirname, '../../node_modules/.cache/duckdb-spatial');
  const file = join(folder, 'spatial.duckdb_extension');
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const words = ['-m', 'pip', 'download', '--no-deps', '--quiet', '--dest', folder, WHEEL];
  const { status } = spawnSync('python3', words, { stdio: 'ignore' });
  const wheel = readdirSync(folder).find((name) => name.endsWith('.whl'));
  if (status !== 0 || wheel === undefined) return { name: 'duckdb', absent: `pip cannot download ${WHEEL}` };
  const bytes = readFileSync(join(folder, wheel));
  if (createHash('sha256').update(bytes).digest('hex') !== WHEEL_SHA256) {
    return { name: 'duckdb', absent: `${wheel} has another hash` };
  }
  const members = unzipSync(bytes, { filter: ({ name }) => name.endsWith('spatial.duckdb_extension') });
  const [content] = Object.values(members);
  if (content === undefined) return { name: 'duckdb', absent: `${wheel} has no extension` };
  writeFileSync(file, content);
  return file;
}
