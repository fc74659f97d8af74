import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runWords } from '../packages/apps/cli/src/testing/run-words.ts';
import { createAgency } from './support/agency.ts';
import { killLeftovers } from './support/leeward-process.ts';
import { ownCarrierKey, startOwnCarrier, writeOwnCarrier } from './support/own-carrier.ts';
import { createQuoter, startQuoting } from './support/quoting-service.ts';

afterAll(killLeftovers);

const operatorToken = 'o'.repeat(40);
const CLIENTS = 8;
const QUOTES_BEFORE = 60;

it('a backup taken under load restores every quote acknowledged before it, and each of them is completed', async () => {
  await using carrier = await startOwnCarrier();
  const folder = mkdtempSync(join(tmpdir(), 'leeward-restore-'));
  const carriers = join(folder, 'carriers');
  writeOwnCarrier(carriers, carrier.url, { concurrency: 4 });
  carrier.takes(20);
  const environment = (data: string) => ({
    LEEWARD_DATA_DIR: join(folder, data),
    LEEWARD_OPERATOR_TOKEN: operatorToken,
    LEEWARD_RATE_LIMIT: '0',
    LEEWARD_LOG_LEVEL: 'silent',
    LEEWARD_MAX_DELAY_MS: '0',
  });
  const serve = async (data: string) => {
    const service = await startQuoting(['serve', '--carriers', carriers], environment(data));
    return { service, url: /http:\/\/\S+/.exec(service.output())?.[0] ?? '' };
  };
  const leeward = (words: string, data: string) =>
    runWords(words.split(' '), { environment: environment(data), folder });
  try {
    const first = await serve('data');
    const { teamToken, quoteRequest } = await createAgency(first.url, operatorToken, [ownCarrierKey]);
    const quoterAt = (url: string) =>
      createQuoter(url, { team_token: teamToken, producer_email: 'pat@palmetto.example' });
    const acknowledged: string[] = [];
    let isCreating = true;
    const clients = Array.from({ length: CLIENTS }, async () => {
      const quoter = quoterAt(first.url);
      while (isCreating) acknowledged.push((await quoter.create(quoteRequest)).quote_request_id);
    });
    await expect.poll(() => acknowledged.length, { interval: 10 }).toBeGreaterThan(QUOTES_BEFORE);
    const before = [...acknowledged];
    expect(await leeward('backup backup.sqlite', 'data')).toMatchObject({ code: 0, errors: '' });
    // The backup delayed no request.
    const after = acknowledged.length;
    await expect.poll(() => acknowledged.length, { interval: 10 }).toBeGreaterThan(after);
    expect(await leeward('restore backup.sqlite --move-old-to old.sqlite', 'data')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('in use'),
    });
    isCreating = false;
    await Promise.all(clients);
    first.service.process.kill('SIGKILL');
    await first.service.ended;

    expect(await leeward('restore backup.sqlite', 'restored')).toMatchObject({ code: 0, errors: '' });
    const second = await serve('restored');
    const quoter = quoterAt(second.url);
    let left = before;
    const unfinished = async () => {
      const quotes = await Promise.all(left.map(async (id) => ({ id, quote: await quoter.status(id) })));
      left = quotes.filter(({ quote }) => quote.status !== 'complete').map(({ id }) => id);
      return left;
    };
    await expect.poll(unfinished, { timeout: 60_000, interval: 300 }).toEqual([]);
    expect((await quoter.status(before.at(-1)!)).rates).toMatchObject([{ status: 'success', premium: '1843.50' }]);
    expect((await second.service.stop()).code).toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
