/**
 * `npm run bench -- http [--quick] [--json FILE]`: processor time per request with all features on, next to raw
 * `node:http` and zod that parse, validate, do and answer the same; and the behaviour under twice the sustainable load.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRedis } from '@leeward/quotes/testing';
import { median, type Row, report } from '../report.ts';
import { type Asked, whatIsAsked } from './asked.ts';
import { askInTurn, Connection, percentile, requestsOf } from './load.ts';
import { measureOverload } from './overload.ts';
import { createPlace } from './place.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const args = process.argv.slice(2);
const quick = args.includes('--quick');
const only = args.find((each) => each.startsWith('--only='))?.slice('--only='.length);
const rounds = quick ? 3 : 9;
const perRound = quick ? 1_500 : 3_000;
const CONNECTIONS = 16;

const logs = mkdtempSync(join(tmpdir(), 'leeward-http-'));
const place = await createPlace('sqlite');
const ours = await startServer('ours.ts', [place.databaseUrl], join(logs, 'ours.log'));
const raw = await startServer('raw.ts', [place.databaseUrl, place.teamId], join(logs, 'raw.log'));
const servers = { ours, raw };
const rows: Row[] = [];
const ratios: Record<string, number> = {};

/** Both servers must give the same answer, except for request ids and the service's warnings. */
async function compareAnswers(asked: Asked): Promise<void> {
  const [request] = requestsOf(asked);
  const answers = await Promise.all(
    [ours, raw].map(async ({ port }) => {
      const connection = await Connection.open(port);
      const { status, body } = await connection.ask(request!);
      connection.close();
      return { status, text: JSON.stringify({ ...JSON.parse(body.toString('utf8')), trace_id: '', warnings: [] }) };
    }),
  );
  const [a, b] = answers;
  if (a?.status !== 200 || a.text !== b?.text) {
    throw new Error(
      `${asked.name}: ours and raw answer differently:\n${a?.status} ${a?.text}\n${b?.status} ${b?.text}`,
    );
  }
}

interface Measured {
  /** Processor time a request. */
  readonly micros: number;
  readonly answeredMs: readonly number[];
  readonly perSecond: number;
}

async function measure(server: ServerProcess, requests: readonly Buffer[], count: number): Promise<Measured> {
  const before = await server.cpuMicros();
  const { answeredMs, statuses, seconds } = await askInTurn(server.port, requests, count, CONNECTIONS);
  if (answeredMs.length !== count) throw new Error(`Answers by status: ${JSON.stringify([...statuses])}.`);
  return { micros: ((await server.cpuMicros()) - before) / count, answeredMs, perSecond: count / seconds };
}

function addRows(name: string, all: readonly Measured[]): void {
  const p99 = percentile(
    all.flatMap((each) => each.answeredMs),
    0.99,
  );
  rows.push(
    { name: `${name}: CPU a request`, median: median(all.map((each) => each.micros)), unit: 'µs' },
    { name: `${name}: p99, ${CONNECTIONS} at once`, median: p99, unit: 'ms' },
    { name, median: median(all.map((each) => each.perSecond)), unit: '/s' },
  );
}

for (const asked of whatIsAsked(place)) {
  if (only !== undefined && only !== asked.name) continue;
  await compareAnswers(asked);
  const requests = requestsOf(asked);
  const results: Record<keyof typeof servers, Measured[]> = { ours: [], raw: [] };
  for (const server of Object.values(servers)) await measure(server, requests, perRound);
  // Alternate, so that other load affects both.
  for (let round = 0; round < rounds; round++) {
    const names = round % 2 === 0 ? (['ours', 'raw'] as const) : (['raw', 'ours'] as const);
    for (const name of names) results[name].push(await measure(servers[name], requests, perRound));
  }
  addRows(`${asked.name}, everything on`, results.ours);
  addRows(`${asked.name}, raw node:http and zod`, results.raw);
  ratios[asked.name] = median(results.raw.map((each, round) => each.micros / results.ours[round]!.micros));
}
raw.stop();
const [underwriting] = whatIsAsked(place);
if (underwriting) rows.push(...(await measureOverload(ours, underwriting, quick ? 2 : 5)));
rows.push({ name: 'everything on, memory after all of it', median: (await ours.memory()) / 2 ** 20, unit: 'MiB' });
ours.stop();
await place.remove();

/** Other operations, measured with all features on only. */
async function measureAlone(name: string, words: readonly string[], all: readonly Asked[]): Promise<void> {
  const server = await startServer('ours.ts', words, join(logs, 'alone.log'));
  for (const asked of all) {
    if (only !== undefined && only !== asked.name) continue;
    const requests = requestsOf(asked);
    await measure(server, requests, perRound);
    const results: Measured[] = [];
    for (let round = 0; round < Math.ceil(rounds / 2); round++) results.push(await measure(server, requests, perRound));
    addRows(`${asked.name}, everything on, ${name}`, results);
  }
  server.stop();
}

const redis = await findRedis();
if ('url' in redis) {
  const again = await createPlace('sqlite');
  await measureAlone('counted in Redis', [again.databaseUrl, redis.url], whatIsAsked(again).slice(-1));
  await again.remove();
} else console.error(`Nothing is counted in Redis: ${redis.unreachable}.`);
// Cost of the driver in this process. PostgreSQL's own work is not included.
const postgres = await createPlace('postgres').catch(() => undefined);
if (postgres) {
  await measureAlone('PostgreSQL', [postgres.databaseUrl], whatIsAsked(postgres));
  await postgres.remove();
} else console.error('Nothing is measured on PostgreSQL: none is in reach.');
rmSync(logs, { recursive: true });
report({ benchmark: 'http', rows, ratios, meaning: 'processor time, raw ÷ ours: 1 is as cheap' }, args);
process.exit(0);
