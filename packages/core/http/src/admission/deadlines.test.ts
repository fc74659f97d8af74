import { setTimeout as sleep } from 'node:timers/promises';
import type { Coast } from '@leeward/coast';
import type { Geocoder } from '@leeward/places';
import { describe, expect, it } from 'vitest';
import { ask, problemOf, sampleService, tokens } from '../../../../../test/support/sample-service.ts';
import { guarded } from '../operation/operation.ts';
import { createDeadlines } from './deadlines.ts';

describe('deadlines', () => {
  it('give up what is not ended, oldest first, and nothing else', async () => {
    const deadlines = createDeadlines(20);
    const expired: string[] = [];
    const done = new Promise<void>((resolve) => {
      const end = deadlines.begin(() => expired.push('ended'));
      deadlines.begin(() => expired.push('first'));
      deadlines.begin(() => {
        expired.push('second');
        resolve();
      });
      end();
    });
    await done;
    expect(expired).toEqual(['first', 'second']);
    // … and again after a pause.
    await new Promise<void>((resolve) => deadlines.begin(resolve));
  });
});

describe('a request that takes too long', () => {
  it('is answered 503 and aborts its work', async () => {
    const ended: unknown[] = [];
    const slow = guarded<undefined>({
      method: 'post',
      path: '/slow',
      operationId: 'slow',
      tag: 'slow',
      summary: 'Waits',
      access: { scopes: ['underwrite'] },
      requestBody: { name: 'Slow', schema: {}, optional: true },
      answers: {},
      locate: () => undefined,
      async handle({ signal }) {
        await sleep(60_000, undefined, { signal }).catch((error: unknown) => ended.push(error));
        throw new Error('nobody hears of this');
      },
    });
    const lines: object[] = [];
    const logger = { info: (fields: object) => lines.push(fields), error: (fields: object) => lines.push(fields) };
    const routes = [{ name: 'slow', description: 'Slow.', operations: [slow] }];
    let inFlight = 0;
    const observer = () => {
      inFlight++;
      return () => inFlight--;
    };
    const leeward = sampleService({ requestTimeoutMs: 30, routes, logger, observers: [observer] });
    const response = await ask(leeward, '/slow');
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await problemOf(response)).toMatchObject({
      code: 'unavailable',
      detail: expect.stringContaining('in time'),
    });
    await expect.poll(() => ended).toEqual([expect.objectContaining({ name: 'AbortError' })]);
    expect(lines).toHaveLength(1);
    expect(inFlight).toBe(0);
  });

  it('breaks off the geocoder that it waits for', async () => {
    const asked: AbortSignal[] = [];
    const geocoder: Geocoder = {
      name: 'slow',
      async geocode(_, options) {
        asked.push(options!.signal!);
        await sleep(60_000, undefined, { signal: options!.signal! });
        throw new Error('nobody hears of this');
      },
    };
    const leeward = sampleService({
      requestTimeoutMs: 30,
      distance: { coast: { datasets: [{ layerNames: ['tidal'] }] } as unknown as Coast, geocoder },
    });
    const body = { address: '12 Elm St, Houston TX 77002' };
    const answers = await Promise.all([
      ask(leeward, '/v1/distance-to-coast', { token: tokens.distanceOnly, body }),
      ask(leeward, '/v1/underwrite/home', { body: { state: 'tx', ...body } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    await expect.poll(() => asked.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  it('aborts its work when the caller has gone', async () => {
    const gone = new AbortController();
    const { promise, resolve } = Promise.withResolvers<AbortSignal>();
    const leeward = sampleService({
      routes: [
        {
          name: 'slow',
          description: 'Slow.',
          operations: [
            {
              method: 'get',
              path: '/slow',
              operationId: 'slow',
              tag: 'slow',
              summary: 'Waits',
              access: 'anyone',
              answers: {},
              async handle({ signal }) {
                resolve(signal);
                await sleep(60_000, undefined, { signal }).catch(() => {});
                throw new Error('nobody hears of this');
              },
            },
          ],
        },
      ],
    });
    const answered = leeward.fetch(new Request('http://leeward.test/slow', { signal: gone.signal }));
    const signal = await promise;
    expect(signal.aborted).toBe(false);
    gone.abort();
    expect(signal.aborted).toBe(true);
    await answered;
  });
});
