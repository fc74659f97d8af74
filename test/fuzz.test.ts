import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Contract, createContractCheck } from './support/contract-check.ts';
import { type FuzzedService, startFuzzed } from './support/fuzz/fuzzed-service.ts';
import { hintsOf, settleTenant } from './support/fuzz/fuzzed-tenants.ts';
import { createPlan, type PlannedRequest, type PlanOptions } from './support/fuzz/request-plan.ts';
import { operatorToken } from './support/journey.ts';
import { testVolume } from './support/test-volume.ts';

/**
 * `LEEWARD_TEST_VOLUME=40` sends 52,000 requests; `LEEWARD_SEED` selects others; `LEEWARD_FUZZ_ONLY=17` sends only that
 * one; `LEEWARD_FUZZ_DATABASE_URL` uses PostgreSQL.
 */
const volume = process.env['LEEWARD_TEST_VOLUME'] === undefined ? 900 : testVolume(1_300);
const seed = Number(process.env['LEEWARD_SEED'] ?? 20261120);
const only = process.env['LEEWARD_FUZZ_ONLY'];
const AT_ONCE = 8;
const MAX_ANSWER_MS = 10_000;

let service: FuzzedService;
let options: PlanOptions;
beforeAll(async () => {
  service = await startFuzzed(operatorToken);
  const contract = (await (await fetch(`${service.url}/openapi.json`)).json()) as Contract;
  const [ours, theirs] = [await settleTenant(service.url, 'ours'), await settleTenant(service.url, 'theirs')];
  const { fitsRequest: fits } = createContractCheck(contract);
  options = { seed, contract, ours, theirs, operatorToken, hints: (operationId) => hintsOf(ours, operationId), fits };
});
afterAll(() => service.stop());

interface Outcome {
  readonly status: number;
  readonly fault?: string;
}

async function send({ method, path, headers, body, expected }: PlannedRequest): Promise<Outcome> {
  try {
    // Every answer is held against the document on the way; one outside of it rejects.
    const { status } = await fetch(`${service.url}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(MAX_ANSWER_MS),
    });
    const isGood =
      expected === 'a refusal'
        ? status >= 400 && status < 500
        : expected === 'no fault of ours'
          ? status < 500
          : status === expected;
    return isGood ? { status } : { status, fault: `is answered ${status}, not ${expected}` };
  } catch (error) {
    const { message, cause } = error as Error;
    return { status: 0, fault: `${message} ${cause instanceof Error ? cause.message : ''}` };
  }
}

describe('the fuzzer over the document', () => {
  it(
    `sends ${volume} requests: no server fault, no answer outside the contract, no hang, and stable memory`,
    async () => {
      const plan = createPlan(options);
      const faults: string[] = [];
      const seen = new Map<string, Map<string, number>>();
      const sizes: number[] = [];
      let next = only === undefined ? 0 : Number(only);
      const end = only === undefined ? volume : next + 1;
      const work = async () => {
        while (next < end && faults.length < 20) {
          if (next % Math.ceil(volume / 50) === 0) sizes.push(service.residentMegabytes());
          const request = plan(next++);
          const { status, fault } = await send(request);
          const kind = request.kind.split(':')[0]!;
          const counts = seen.get(`${request.operationId} ${kind}`) ?? new Map<string, number>();
          counts.set(String(status), (counts.get(String(status)) ?? 0) + 1);
          seen.set(`${request.operationId} ${kind}`, counts);
          if (fault !== undefined) faults.push(tell(request, fault));
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      expect(faults.join('\n\n')).toBe('');
      if (only !== undefined) return;
      if (process.env['LEEWARD_TEST_VOLUME']) console.log(summary(seen), sizes);
      // The fuzzer gets through to where the work is done, and is turned away where it should be.
      const good = (kind: string, status: string) =>
        [...seen].filter(([name, counts]) => name.endsWith(` ${kind}`) && counts.has(status)).length;
      expect(good('valid', '200')).toBeGreaterThan(35);
      expect(good('mutation', '422')).toBeGreaterThan(35);
      expect(good('access', '401')).toBeGreaterThan(35);
      expect(good('access', '403')).toBeGreaterThan(20);
      expect(good('access', '404')).toBeGreaterThan(3);
      // Warm by the first third; from there on it may breathe, not grow.
      const third = Math.floor(sizes.length / 3);
      const [middle, last] = [median(sizes.slice(third, 2 * third)), median(sizes.slice(2 * third))];
      expect(last).toBeLessThan(middle * 1.25 + 40);
    },
    60_000 + volume * 20,
  );

  it('repeats the requests of a seed, and sends others for another seed', () => {
    const written = (seed: number) => {
      const plan = createPlan({ ...options, seed });
      return JSON.stringify(
        Array.from({ length: testVolume(75) }, (_, index) => plan(index)),
        (_, value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value),
      );
    };
    expect(written(seed)).toBe(written(seed));
    expect(written(seed)).not.toBe(written(seed + 1));
    // Request 50 is the same alone and in sequence, independent of earlier requests.
    const plan = createPlan(options);
    const alone = plan(50);
    for (let index = 0; index < 50; index++) plan(index);
    expect(plan(50)).toEqual(alone);
  });
});

function tell({ index, kind, operationId, method, path, body }: PlannedRequest, fault: string): string {
  const sent = typeof body === 'string' ? body : body === undefined ? '' : `hex ${Buffer.from(body).toString('hex')}`;
  return `LEEWARD_SEED=${seed} LEEWARD_FUZZ_ONLY=${index} (${operationId}, ${kind}): ${method} ${path.slice(0, 200)} ${fault.slice(0, 800)}\n${sent.slice(0, 1_500)}`;
}

function summary(seen: ReadonlyMap<string, ReadonlyMap<string, number>>): string {
  return [...seen]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([name, counts]) =>
        `${name}: ${[...counts]
          .sort()
          .map(([status, count]) => `${status} × ${count}`)
          .join(', ')}`,
    )
    .join('\n');
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
