import { spawnSync } from 'node:child_process';
import type { Shoreline } from '@leeward/coast';
import type { Absent, Peer } from './peer.ts';

/** PostGIS's `<->` on geography over a table of edges: an index scan ordered by distance, in a separate database. */
export function createPostgis({ positions, lineStarts }: Shoreline): Peer | Absent {
  const database = `leeward_benchmark_${process.pid}`;
  const environment = { PGHOST: '127.0.0.1', PGUSER: 'postgres', PGCONNECT_TIMEOUT: '3', ...process.env };
  const psql = (sql: string, to = database) =>
    spawnSync('psql', ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d', to, '-f', '-'], {
      input: sql,
      env: environment,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
  const absent = (why: string): Absent => ({ name: 'postgis', absent: why });
  if (spawnSync('psql', ['--version']).status !== 0) return absent('no psql');
  if (psql('select 1', 'postgres').status !== 0) return absent('no PostgreSQL server to be reached');
  if (psql("select 1 from pg_available_extensions where name = 'postgis'", 'postgres').stdout.trim() !== '1') {
    return absent('the server has no PostGIS; apt-get install postgresql-15-postgis-3');
  }
  const start = performance.now();
  if (psql(`create database ${database}`, 'postgres').status !== 0) return absent('no right to create a database');
  const close = (): void => {
    psql(`drop database if exists ${database} with (force)`, 'postgres');
  };
  const rows: string[] = [];
  for (let line = 1; line < lineStarts.length; line++) {
    for (let vertex = lineStarts[line - 1]!; vertex + 1 < lineStarts[line]!; vertex++) {
      const at = vertex * 2;
      rows.push(`${positions[at]}\t${positions[at + 1]}\t${positions[at + 2]}\t${positions[at + 3]}`);
    }
  }
  const built = psql(`
    create extension postgis;
    create unlogged table edges_raw (a float8, b float8, c float8, d float8);
    copy edges_raw from stdin;
${rows.join('\n')}
\\.
    create unlogged table edges as
      select st_makeline(st_setsrid(st_makepoint(a, b), 4326), st_setsrid(st_makepoint(c, d), 4326))::geography as edge from edges_raw;
    create index on edges using gist (edge);
    vacuum analyze edges;
    create unlogged table places (id int primary key, place geography);
  `);
  if (built.status !== 0) {
    close();
    return absent(`its table could not be built (${built.stderr.trim().split('\n').at(-1)})`);
  }
  return {
    name: 'postgis',
    finds: 'segment, sphere (index), ellipsoid (distance)',
    points: 2000,
    buildMs: performance.now() - start,
    run({ latitudes, longitudes }) {
      const places = [...latitudes].map(
        (latitude, at) => `(${at}, st_setsrid(st_makepoint(${longitudes[at]}, ${latitude}), 4326))`,
      );
      const query = `
        select min(d) from (select st_distance(place, edge) as d, id from places
          cross join lateral (select edge from edges order by edge <-> place limit 1) as nearest) as found group by id order by id`;
      const { stdout, status, stderr } = psql(`
        truncate places;
        insert into places values ${places.join(',')};
        analyze places;
        ${query};
        \\echo timed
        explain (analyze, timing off, costs off) ${query};
      `);
      if (status !== 0) throw new Error(stderr);
      const [found = '', plan = ''] = stdout.split('timed\n');
      const milliseconds = Number(/Execution Time: ([\d.]+) ms/.exec(plan)?.[1]);
      return {
        microseconds: (milliseconds * 1000) / latitudes.length,
        meters: Float64Array.from(found.trim().split('\n'), Number),
      };
    },
    close,
  };
}
