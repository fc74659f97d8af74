/**
 * `npm run bench -- http [--quick] [--json FILE]`: what a request costs in processor time with everything on, beside
 * raw `node:http` and zod that parse, validate, do and answer the same; and what happens under twice the load that can
 * be borne.
 */
import { join } from 'node:path';
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
const perRound = quick ? 1_500 : 4_000;
const CONNECTIONS = 16;

const place = await createPlace();
const folder = place.databaseUrl.slice('sqlite:'.length).replace(/[^/]*$/, '');
const ours = await startServer('ours.ts', [place.databaseUrl], join(folder, 'ours.log'));
const raw = await startServer('raw.ts', [place.databaseUrl, place.teamId], join(folder, 'raw.log'));
const rows: Row[] = [];
const ratios: Record<string, number> = {};

/** Both must answer the same, but for what tells one request from another. */
async function compareAnswers(asked: Asked): Promise<void> {
  const [request] = requestsOf(asked);
  const answers = await Promise.all(
    [ours, raw].map(async ({ port }) => {
      const connection = await Connection.open(port);
      const { status, body } = await connection.ask(request!);
      connection.close();
      return { status, text: JSON.stringify({ ...JSON.parse(body.toString('utf8')), trace_id: '' }) };
    }),
  );
  const [a, b] = answers;
  if (a?.status !== 200 || a.text !== b?.text) {
    throw new Error(
      `${asked.name}: ours and raw answer differently:\n${a?.status} ${a?.text}\n${b?.status} ${b?.text}`,
    );
  }
}

/** Processor time a request, and the times of all answers. */
async function measure(server: ServerProcess, requests: readonly Buffer[], count: number) {
  const before = await server.cpuMicros();
  const { answeredMs, statuses, seconds } = await askInTurn(server.port, requests, count, CONNECTIONS);
  if (answeredMs.length !== count) throw new Error(`Answers by status: ${JSON.stringify([...statuses])}.`);
  return { micros: ((await server.cpuMicros()) - before) / count, answeredMs, perSecond: count / seconds };
}

const capacity: Record<string, number> = {};
for (const asked of whatIsAsked(place)) {
  if (only !== undefined && only !== asked.name) continue;
  await compareAnswers(asked);
  const requests = requestsOf(asked);
  for (const server of [ours, raw]) await measure(server, requests, perRound);
  const measured: { ours: Awaited<ReturnType<typeof measure>>; raw: Awaited<ReturnType<typeof measure>> }[] = [];
  // In turn, so that what else the machine does falls on both.
  for (let round = 0; round < rounds; round++) {
    measured.push(
      round % 2 === 0
        ? { ours: await measure(ours, requests, perRound), raw: await measure(raw, requests, perRound) }
        : await measure(raw, requests, perRound).then(async (first) => ({
            raw: first,
            ours: await measure(ours, requests, perRound),
          })),
    );
  }
  for (const [name, pick] of [
    ['everything on', 'ours'],
    ['raw node:http and zod', 'raw'],
  ] as const) {
    const all = measured.flatMap((each) => each[pick].answeredMs);
    rows.push(
      {
        name: `${asked.name}, ${name}: CPU a request`,
        median: median(measured.map((each) => each[pick].micros)),
        unit: 'µs',
      },
      { name: `${asked.name}, ${name}: p99, ${CONNECTIONS} at once`, median: percentile(all, 0.99), unit: 'ms' },
      { name: `${asked.name}, ${name}`, median: median(measured.map((each) => each[pick].perSecond)), unit: '/s' },
    );
  }
  capacity[asked.name] = median(measured.map((each) => each.ours.perSecond));
  ratios[asked.name] = median(measured.map((each) => each.raw.micros / each.ours.micros));
}
raw.stop();
const underwriting = whatIsAsked(place)[0]!;
if (capacity[underwriting.name] !== undefined) {
  rows.push(...(await measureOverload(ours, underwriting, capacity[underwriting.name]!, quick ? 2 : 5)));
}
ours.stop();
place.remove();
report({ benchmark: 'http', rows, ratios, meaning: 'processor time, raw ÷ ours: 1 is as cheap' }, args);
process.exit(0);
