import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runWords } from '../packages/apps/cli/src/testing/run-words.ts';
import { type TestPlace, testEngines } from '../packages/core/database/src/testing/index.ts';
import { createAgency } from './support/agency.ts';
import { killLeftovers, type LeewardProcess } from './support/leeward-process.ts';
import { ownCarrierKey, startOwnCarrier, writeOwnCarrier } from './support/own-carrier.ts';
import { createQuoter, startQuoting } from './support/quoting-service.ts';

afterAll(killLeftovers);

const operatorToken = 'o'.repeat(40);
const fieldsKey = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const CLIENTS = 8;
const QUOTES_BEFORE = 60;

for (const engine of await testEngines()) {
  it.skipIf(engine.skip !== undefined)(
    `a backup of ${engine.title} under load restores all quotes acknowledged before it, and neither an erased person nor a revoked token`,
    () => drill(engine.engine === 'postgres' ? engine.createPlace : undefined),
  );
}

async function drill(createPlace: (() => Promise<TestPlace>) | undefined) {
  await using carrier = await startOwnCarrier();
  await using place = await createPlace?.();
  const folder = mkdtempSync(join(tmpdir(), 'leeward-restore-'));
  const carriers = join(folder, 'carriers');
  writeOwnCarrier(carriers, carrier.url, { concurrency: 4 });
  carrier.takes(20);
  const environment = (data: string) => ({
    LEEWARD_DATA_DIR: join(folder, data),
    ...(place !== undefined && { LEEWARD_DATABASE_URL: place.url }),
    LEEWARD_OPERATOR_TOKEN: operatorToken,
    LEEWARD_FIELDS_KEY: fieldsKey,
    LEEWARD_RATE_LIMIT: '0',
    LEEWARD_LOG_LEVEL: 'silent',
    LEEWARD_MAX_DELAY_MS: '0',
  });
  const processes: LeewardProcess['process'][] = [];
  const serve = async (data: string) => {
    const service = await startQuoting(['serve', '--carriers', carriers], environment(data));
    processes.push(service.process);
    return { service, url: /http:\/\/\S+/.exec(service.output())?.[0] ?? '' };
  };
  const leeward = async (words: string, data: string) => {
    const result = await runWords(words.split(' '), { environment: environment(data), folder });
    expect([words, result.code, result.errors]).toEqual([words, 0, '']);
    return result.output;
  };
  try {
    const first = await serve('data');
    const agency = await createAgency(first.url, operatorToken, [ownCarrierKey]);
    const quoterAt = (url: string) =>
      createQuoter(url, { team_token: agency.teamToken, producer_email: 'pat@palmetto.example' });
    const acknowledged: string[] = [];
    let isCreating = true;
    const clients = Array.from({ length: CLIENTS }, async () => {
      const quoter = quoterAt(first.url);
      while (isCreating) acknowledged.push((await quoter.create(agency.quoteRequest)).quote_request_id);
    });
    const { quote_request_id: toErase } = await quoterAt(first.url).create({
      ...agency.quoteRequest,
      fields: { ...agency.quoteRequest.fields, first_name: 'Marisol', insured_email: 'marisol@example.com' },
    });
    await expect.poll(() => acknowledged.length, { interval: 10 }).toBeGreaterThan(QUOTES_BEFORE);
    const before = [...acknowledged];
    const timer = createTimer();
    if (place === undefined) await leeward('backup backup.sqlite', 'data');
    else dump(place, join(folder, 'backup.dump'));
    timer.lap('backup');
    // The backup delayed no request.
    const after = acknowledged.length;
    await expect.poll(() => acknowledged.length, { interval: 10 }).toBeGreaterThan(after);
    if (place === undefined) {
      expect(
        await runWords(['restore', 'backup.sqlite', '--move-old-to', 'old.sqlite'], {
          environment: environment('data'),
          folder,
        }),
      ).toMatchObject({ code: 1, errors: expect.stringContaining('in use') });
    }
    const insured = { insured_email: 'marisol@example.com' };
    expect(await post(first.url, '/api/v1/quote/erase', agency.teamToken, insured)).toMatchObject({
      erased: [toErase],
    });
    const { token_id } = await post(first.url, '/v1/token', agency.apiKey);
    await post(first.url, '/v1/admin/tokens/remove', operatorToken, { token_id });
    expect(await leeward('erasures export erasures.ndjson', 'data')).toMatch(/^Exported 1 erasures, 1 valid tokens/);
    isCreating = false;
    await Promise.all(clients);
    first.service.process.kill('SIGKILL');
    await first.service.ended;
    timer.lap('erasures, kill');

    if (place === undefined) {
      expect(await leeward('restore backup.sqlite --erasures erasures.ndjson', 'restored')).toContain(REPLAYED);
    } else {
      restore(place, join(folder, 'backup.dump'));
      expect(await leeward('erasures replay erasures.ndjson', 'restored')).toContain(REPLAYED);
    }
    timer.lap('restore');
    const second = await serve('restored');
    timer.lap('start');
    const quoter = quoterAt(second.url);
    let left = before;
    const unfinished = async () => {
      const quotes = await Promise.all(left.map(async (id) => ({ id, quote: await quoter.status(id) })));
      left = quotes.filter(({ quote }) => quote.status !== 'complete').map(({ id }) => id);
      return left;
    };
    await expect.poll(unfinished, { timeout: 60_000, interval: 300 }).toEqual([]);
    timer.lap(`complete ${before.length} of ${acknowledged.length} quotes`);
    expect((await quoter.status(before.at(-1)!)).rates).toMatchObject([{ status: 'success', premium: '1843.50' }]);
    expect(await post(second.url, '/api/v1/quote/erase', agency.teamToken, insured)).toMatchObject({ erased: [] });
    expect(await post(second.url, `/api/v1/quote/${toErase}/erase`, agency.teamToken, {})).toMatchObject({
      newly_erased: false,
    });
    expect(
      (await fetch(`${second.url}/v1/token`, { headers: { authorization: `Bearer ${agency.apiKey}` } })).status,
    ).toBe(401);
    expect((await second.service.stop()).code).toBe(0);
  } finally {
    for (const process of processes) process.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reports with `LEEWARD_TEST_REPORT`. */
function createTimer() {
  let startedAt = performance.now();
  return {
    lap(what: string) {
      const tookMs = performance.now() - startedAt;
      startedAt += tookMs;
      if (process.env['LEEWARD_TEST_REPORT'] !== undefined) process.stderr.write(`${what}: ${Math.round(tookMs)} ms\n`);
    },
  };
}

const REPLAYED = 'erased 1 quotes.\nRevoked 1 tokens, and disabled or restricted 0 people.\n';

/** The commands of `docs/operate.md`, for one schema. */
function dump({ url }: TestPlace, file: string) {
  execFileSync('pg_dump', ['--format=custom', `--schema=${schemaOf(url)}`, `--file=${file}`, url]);
}

/** After the database is lost. */
function restore({ url }: TestPlace, file: string) {
  execFileSync('psql', ['--quiet', '--command', `drop schema ${schemaOf(url)} cascade`, url], { stdio: 'pipe' });
  execFileSync('pg_restore', ['--no-owner', '--single-transaction', `--dbname=${url}`, file]);
}

function schemaOf(url: string): string {
  return /search_path=(\w+)/.exec(new URL(url).searchParams.get('options') ?? '')![1]!;
}

async function post(url: string, path: string, token: string, body?: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect([path, response.status]).toEqual([path, 200]);
  return (await response.json()) as Record<string, unknown>;
}
