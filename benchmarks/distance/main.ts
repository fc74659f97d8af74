/**
 * `npm run bench -- distance [--quick] [--json FILE]`: requests per second and p99 of the distance endpoint, for points
 * near the shore and for ZIP codes. Compares them with an empty route and with the guards alone, and a batch of a thousand
 * with a thousand calls.
 */
import { Agent } from 'node:http';
import { seededHomes } from '@leeward/coast-builder/compare';
import { loadCoastlineUs } from '@leeward/coastline-us';
import { loadZipGazetteer } from '@leeward/places/zips';
import { createRandom } from '../../test/support/random.ts';
import { median, type Row, report } from '../report.ts';
import { type Asked, askOnce, CONNECTIONS, findLoad, type LoadResult } from './load.ts';
import { startServer } from './server.ts';

const SEED = 20_261_120;
const args = process.argv.slice(2);
const quick = args.includes('--quick');
const rounds = quick ? 3 : 7;
const seconds = quick ? 1 : 4;
const BATCH = 1_000;

const homes = seededHomes(loadCoastlineUs(), { count: BATCH, seed: SEED });
const points = homes.map(({ latitude, longitude }) => ({ lat: latitude, lng: longitude }));
const addresses = await homesByZip();
const server = await startServer();
const { name: client, load } = findLoad(server.folder);
const rows: Row[] = [];
const ratios: Record<string, number> = {};

const asked = (path: string, bodies: readonly object[]): Asked => ({
  url: `${server.url}${path}`,
  token: server.token,
  bodies: bodies.map((body) => JSON.stringify(body)),
});
const kinds = {
  'empty route (/healthz)': { asked: asked('/healthz', []), status: 200 },
  'the same guards, then refused (422)': { asked: asked('/v1/distance-to-coast', [{}]), status: 422 },
  'distance from a point': { asked: asked('/v1/distance-to-coast', points), status: 200 },
  'distance from an address by its ZIP code': { asked: asked('/v1/distance-to-coast', addresses), status: 200 },
} as const;
type Kind = keyof typeof kinds;

/** One street address of each of a thousand ZIP codes. */
async function homesByZip(): Promise<{ readonly address: string }[]> {
  const gazetteer = await loadZipGazetteer();
  const random = createRandom(SEED);
  const found: { readonly address: string }[] = [];
  while (found.length < BATCH) {
    const zip = gazetteer.find(String(Math.floor(random() * 100_000)).padStart(5, '0'));
    if (zip?.city === undefined) continue;
    const { city, state } = zip;
    found.push({ address: `${Math.ceil(random() * 9_999)} Main St, ${city}, ${state.toUpperCase()} ${zip.zip}` });
  }
  return found;
}

const results = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, [] as LoadResult[]])) as Record<
  Kind,
  LoadResult[]
>;
// The first round is warm-up.
for (let round = 0; round <= rounds; round++) {
  for (const [kind, { asked: what, status }] of Object.entries(kinds) as [Kind, (typeof kinds)[Kind]][]) {
    const result = await load(what, { seconds, status });
    if (round > 0) results[kind].push(result);
  }
  console.error(`round ${round} of ${rounds}`);
}
const middle = (kind: Kind, value: (result: LoadResult) => number) => median(results[kind].map(value));
const empty: Kind = 'empty route (/healthz)';
for (const kind of Object.keys(kinds) as Kind[]) {
  rows.push(
    { name: kind, median: middle(kind, ({ perSecond }) => perSecond), unit: '/s' },
    { name: `${kind}, median`, median: middle(kind, ({ p50Ms }) => p50Ms), unit: 'ms' },
    { name: `${kind}, 99 %`, median: middle(kind, ({ p99Ms }) => p99Ms), unit: 'ms' },
  );
  if (kind === empty) continue;
  ratios[`${kind}: of the empty route's requests a second`] = median(
    results[kind].map(({ perSecond }, round) => perSecond / results[empty][round]!.perSecond),
  );
}

/** Milliseconds for the calls over `connections` connections, each sending the next request after an answer. */
async function inCalls(connections: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { url, token, bodies } = asked('/v1/distance-to-coast', points);
  let begun = 0;
  const start = performance.now();
  const lane = async () => {
    while (begun < bodies.length) {
      const { status } = await askOnce(url, token, bodies[begun++], agent);
      if (status !== 200) throw new Error(`A call was answered with ${status}.`);
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  const took = performance.now() - start;
  agent.destroy();
  return took;
}

async function inOneBatch(): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const { url, token, bodies } = asked('/v1/distance-to-coast/batch', [{ items: points }]);
  const start = performance.now();
  const { status, body } = await askOnce(url, token, bodies[0], agent);
  const took = performance.now() - start;
  agent.destroy();
  const { results: answers } = JSON.parse(body) as { results: { problem?: unknown }[] };
  if (status !== 200 || answers.length !== BATCH || answers.some(({ problem }) => problem !== undefined)) {
    throw new Error(`The batch was answered with ${status} and ${answers.length} results.`);
  }
  return took;
}

const taken = { batch: [] as number[], one: [] as number[], many: [] as number[] };
for (let round = 0; round <= rounds; round++) {
  const batch = await inOneBatch();
  const one = await inCalls(1);
  const many = await inCalls(16);
  if (round === 0) continue;
  taken.batch.push(batch);
  taken.one.push(one);
  taken.many.push(many);
}
rows.push(
  { name: 'a batch of 1,000 points', median: median(taken.batch), unit: 'ms' },
  { name: '1,000 calls, one after the other', median: median(taken.one), unit: 'ms' },
  { name: '1,000 calls over 16 connections', median: median(taken.many), unit: 'ms' },
);
ratios['1,000 calls, one after the other ÷ a batch'] = median(taken.one.map((ms, round) => ms / taken.batch[round]!));
ratios['1,000 calls over 16 connections ÷ a batch'] = median(taken.many.map((ms, round) => ms / taken.batch[round]!));

await server.stop();
const benchmark = `distance: ${CONNECTIONS} connections, ${client}`;
report({ benchmark, rows, ratios, meaning: 'of requests a second: 1 is as many as the empty route' }, args);
