import { describe, expect, it, vi } from 'vitest';
import { ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { explainDecision } from '../explain/explain-decision.ts';
import { createAlmanac, type FactContext, type HostFact, type HostFailureEvent } from '../reference/almanac.ts';
import { propertyOf } from '../testing/complete-homes.ts';
import type { CatalogOptions } from './catalog-options.ts';
import { createCatalog } from './create-catalog.ts';
import { createOrganizationCatalog } from './organization-catalog.ts';

type Facts = Readonly<Record<string, HostFact>>;

const home = propertyOf({
  state: 'tx',
  county: 'harris',
  policy_type: 'ho3',
  total_claims: 1,
  roof_age: 3,
  roof_type: 'tile',
});

const carrier = (key: string, ...when: object[]) => ({
  file: ruleSetFile({ carrier: { key, name: key }, rules: [ruleFile({ when: { any: when }, message: 'No.' })] }),
});
const plain = (key: string) => carrier(key, test('total_claims', 'greaterThan', 2));
const claims = test('total_claims', 'greaterThan', 0);

/** Two of fifty carriers test the fact `flood`; one of them also declines because of claims. */
const fifty = [
  ...Array.from({ length: 48 }, (_, index) => plain(`plain_${index}`)),
  carrier('open', test('flood', 'equal', 'VE')),
  carrier('claims', test('flood', 'equal', 'VE'), claims),
];

const never = () => new Promise<never>(() => {});
const catalogWith = (facts: Facts, options: CatalogOptions = {}, entries = fifty) =>
  createCatalog(entries, { facts, factTimeoutMs: 20, ...options });

/** A time that no other timer of this process has. */
const MAX_FACT_MS = 1_234.5;

/** Decides while the false clock advances. `timers` is the number of timers that wait for the whole time of facts. */
async function decideLater(catalog: ReturnType<typeof catalogWith>, property: Parameters<typeof catalog.decide>[0]) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  // A restored spy would leave the false clock in place.
  const { setTimeout: start } = globalThis;
  const delaysMs: number[] = [];
  globalThis.setTimeout = Object.assign((...given: Parameters<typeof start>) => {
    delaysMs.push(Number(given[1]));
    return start(...given);
  }, start);
  try {
    let isDecided = false;
    const deciding = catalog.decide(property).finally(() => {
      isDecided = true;
    });
    while (!isDecided) await vi.advanceTimersByTimeAsync(MAX_FACT_MS);
    const timers = delaysMs.filter((delayMs) => delayMs === MAX_FACT_MS).length;
    return { decision: await deciding, timers };
  } finally {
    globalThis.setTimeout = start;
    vi.useRealTimers();
  }
}

async function statuses(facts: Facts, options: CatalogOptions = {}, entries = fifty) {
  const decision = await catalogWith(facts, options, entries).decide(home);
  const byKey = Object.fromEntries(decision.verdicts.map(({ carrierKey, status }) => [carrierKey, status]));
  return { decision, byKey, failures: decision.hostFailures };
}

describe('a fact of the host that fails', () => {
  const secret = new Error('no such home: 1 Main St, Jane Doe');
  const failing: Readonly<Record<string, readonly [HostFact, string]>> = {
    'throws at once': [
      () => {
        throw secret;
      },
      'failed',
    ],
    rejects: [() => Promise.reject(secret), 'failed'],
    'rejects with nothing': [() => Promise.reject(), 'failed'],
    'never settles': [never, 'timed_out'],
    'gives undefined': [() => undefined, 'no_value'],
    'is undefined': [undefined, 'no_value'],
    'gives NaN': [async () => Number.NaN, 'invalid_value'],
    'gives NaN within an object': [() => ({ depth: Number.NaN }), 'invalid_value'],
    'gives a date': [() => new Date(0), 'invalid_value'],
    'gives a function': [() => () => 'VE', 'invalid_value'],
    'gives a number where text is tested': [() => 5, 'invalid_value'],
    'gives an object where text is tested': [() => ({ zone: 'VE' }), 'invalid_value'],
  };

  for (const [what, [fact, reason]] of Object.entries(failing)) {
    it(`is unknown when it ${what}, and other carriers decide without it`, async () => {
      const { decision, byKey, failures } = await statuses({ flood: fact });
      expect(decision.counts).toEqual({
        eligible: 48,
        referral: 0,
        needs_information: 1,
        ineligible: 1,
        not_offered: 0,
      });
      expect(byKey).toMatchObject({ open: 'needs_information', claims: 'ineligible' });
      expect(decision.verdicts.find(({ carrierKey }) => carrierKey === 'open')?.missingFields).toEqual(['flood']);
      expect(failures).toEqual([{ name: 'flood', reason }]);
      expect(JSON.stringify([decision, failures])).not.toContain('Jane Doe');
    });
  }

  it('is unknown if a number is tested and it is not one', async () => {
    const entries = [
      carrier('depth', test('depth', 'greaterThan', 3)),
      carrier('list', test('zones', 'contains', 'V')),
    ];
    for (const depth of ['deep', '', null, true, [4]]) {
      const { byKey, failures } = await statuses({ depth, zones: 'V' }, {}, entries);
      expect(byKey).toEqual({ depth: 'needs_information', list: 'needs_information' });
      expect(failures).toEqual([
        { name: 'depth', reason: 'invalid_value' },
        { name: 'zones', reason: 'invalid_value' },
      ]);
    }
    expect((await statuses({ depth: '4', zones: ['V'] }, {}, entries)).byKey).toEqual({
      depth: 'ineligible',
      list: 'ineligible',
    });
  });

  it('gives its error to the hook alone, once, and a hook that throws changes nothing', async () => {
    const events: HostFailureEvent[] = [];
    const onHostFailure = (event: HostFailureEvent) => {
      events.push(event);
      throw new Error('the log is full');
    };
    const { decision } = await statuses({ flood: () => Promise.reject(secret) }, { onHostFailure });
    expect(decision.counts.eligible).toBe(48);
    expect(events).toEqual([{ name: 'flood', reason: 'failed', error: secret }]);
  });

  it('leaves an operator of the host undecided that throws', async () => {
    const operators = {
      startsWith: () => {
        throw secret;
      },
    };
    const entries = [carrier('zoned', test('flood', 'startsWith', 'V')), plain('plain')];
    const { byKey, failures, decision } = await statuses({ flood: 'VE' }, { operators }, entries);
    expect(byKey).toEqual({ zoned: 'needs_information', plain: 'eligible' });
    expect(failures).toEqual([{ name: 'startsWith', reason: 'operator_failed' }]);
    expect(JSON.stringify(decision)).not.toContain('Jane Doe');
    const explained = await explainDecision(catalogWith({ flood: 'VE' }, { operators }, entries), home);
    expect(explained.verdicts).toHaveLength(2);
  });

  it('waits once for all facts that never settle', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `slow_${index}`);
    const facts = Object.fromEntries(names.map((name) => [name, vi.fn(never)]));
    const entries = names.map((name) => carrier(name, test(name, 'equal', 1)));
    const { decision, timers } = await decideLater(catalogWith(facts, { factTimeoutMs: MAX_FACT_MS }, entries), home);
    for (const fact of Object.values(facts)) expect(fact).toHaveBeenCalledOnce();
    expect(decision.hostFailures).toHaveLength(20);
    expect(timers).toBe(1);
  });

  it('has one time for all policy types together', async () => {
    const slow = vi.fn((_: unknown, { get }: FactContext) => (get('policy_type') ? never() : 1));
    const entries = [carrier('a', test('slow', 'equal', 1))];
    const all = propertyOf({ state: 'tx', county: 'harris' });
    const { decision, timers } = await decideLater(catalogWith({ slow }, { factTimeoutMs: MAX_FACT_MS }, entries), all);
    expect(decision.verdicts.map(({ policyType }) => policyType)).toEqual(['ho3', 'ho5']);
    expect(slow).toHaveBeenCalledTimes(2);
    expect(timers).toBe(1);
  });

  it('is waited for without end if its time is infinite', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      let isDecided = false;
      const flood = () => new Promise((resolve) => setTimeout(() => resolve('VE'), 1e9));
      const deciding = catalogWith({ flood }, { factTimeoutMs: Infinity }).decide(home);
      void deciding.then(() => {
        isDecided = true;
      });
      while (!isDecided) await vi.advanceTimersByTimeAsync(1e9);
      expect((await deciding).hostFailures).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('rejects an invalid timeout, and a name of the line', async () => {
    await expect(catalogWith({ flood: 'X' }).decide(home, { factTimeoutMs: -1 })).rejects.toThrow(
      'factTimeoutMs is -1',
    );
    await expect(catalogWith({ flood: 'X' }).decide(home, { factTimeoutMs: Number.NaN })).rejects.toThrow(RangeError);
    expect(
      (await catalogWith({ flood: async () => 'X' }).decide(home, { factTimeoutMs: Infinity })).hostFailures,
    ).toEqual([]);
    expect(() => catalogWith({ roof_age: 3 }, {}, [plain('plain')])).toThrow('"roof_age" is a fact of the line home');
  });
});

describe('a decision that is aborted', () => {
  it('rejects with the reason of its signal, and aborts the signal of its facts', async () => {
    const controller = new AbortController();
    const reason = new DOMException('The caller has gone.', 'AbortError');
    let signal: AbortSignal | undefined;
    const onHostFailure = vi.fn();
    const flood = (_: unknown, context: FactContext) => {
      ({ signal } = context);
      queueMicrotask(() => controller.abort(reason));
      return new Promise((_resolve, reject) =>
        context.signal.addEventListener('abort', () => reject(new Error('off'))),
      );
    };
    const catalog = catalogWith({ flood }, { factTimeoutMs: 60_000, onHostFailure });
    await expect(catalog.decide(home, { signal: controller.signal })).rejects.toBe(reason);
    expect(signal?.aborted).toBe(true);
    expect(onHostFailure).not.toHaveBeenCalled();
    await expect(catalogWith({}, {}, [plain('plain')]).decide(home, { signal: controller.signal })).rejects.toBe(
      reason,
    );
  });

  it('rejects at once if a fact ignores its signal', async () => {
    const controller = new AbortController();
    const reason = new Error('stop');
    const flood = () => {
      queueMicrotask(() => controller.abort(reason));
      return never();
    };
    const catalog = catalogWith({ flood }, { factTimeoutMs: Infinity });
    await expect(catalog.decide(home, { signal: controller.signal })).rejects.toBe(reason);
  });

  it('rejects between the steps of compiled carriers too', async () => {
    const controller = new AbortController();
    const reason = new Error('stop');
    let rests = 0;
    const turn = {
      rest() {
        if (++rests === 3) controller.abort(reason);
        return undefined;
      },
    };
    await expect(
      catalogWith({}, {}, fifty.slice(0, 48)).decide(home, { turn, signal: controller.signal }),
    ).rejects.toBe(reason);
  });

  it('aborts the signal of facts when their time is over', async () => {
    let signal: AbortSignal | undefined;
    const flood = (_: unknown, context: FactContext) => {
      ({ signal } = context);
      return never();
    };
    await catalogWith({ flood }).decide(home);
    expect(signal?.reason).toMatchObject({ name: 'TimeoutError' });
  });
});

describe('a fact of the host', () => {
  it('reads the home and other facts, and is computed once for all carriers', async () => {
    const flood = vi.fn(async (_: unknown, { get }: FactContext) => (get('county') === '48201' ? 'VE' : 'X'));
    const risk = vi.fn(async (_: unknown, context: FactContext) => {
      const zone = await context.factValue('flood');
      return zone === 'VE' ? 10 * Number(await context.factValue('total_claims')) : 0;
    });
    const entries = Array.from({ length: 50 }, (_, index) =>
      carrier(`c${index}`, test('risk', 'greaterThan', 5), test('flood', 'equal', 'none')),
    );
    const { decision } = await statuses({ flood, risk }, {}, entries);
    expect(decision.counts.ineligible).toBe(50);
    expect([flood, risk].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  });

  it('is computed again for another policy type only if it reads the policy type', async () => {
    const shared = vi.fn(() => 1);
    const byType = vi.fn((_: unknown, { get }: FactContext) => get('policy_type') as string);
    const through = vi.fn((_: unknown, { factValue }: FactContext) => factValue('by_type'));
    const entries = [
      carrier('a', test('shared', 'equal', 2), test('by_type', 'equal', 'ho5'), test('through', 'equal', 'x')),
    ];
    const all = propertyOf({ state: 'tx', county: 'harris' });
    const catalog = catalogWith({ shared, by_type: byType, through }, {}, entries);
    const { verdicts } = await catalog.decide(all);
    expect(verdicts.map(({ policyType, status }) => [policyType, status])).toEqual([
      ['ho3', 'eligible'],
      ['ho5', 'ineligible'],
    ]);
    expect([shared, byType, through].map(({ mock }) => mock.calls.length)).toEqual([1, 2, 2]);
  });

  it('is computed once for an organization with overrides, and once to decide and explain', async () => {
    const flood = vi.fn(async () => 'VE');
    const base = catalogWith({ flood });
    const overrides = [{ carrier_key: 'open', exclude: { counties: { tx: ['dallas'] } } }];
    const organization = createOrganizationCatalog({ base, isAppointed: () => true, ownRuleSets: [], overrides });
    expect((await organization.decide(home)).counts.ineligible).toBe(2);
    expect(flood).toHaveBeenCalledTimes(1);
    await explainDecision(organization, home);
    expect(flood).toHaveBeenCalledTimes(2);
    const almanac = createAlmanac(base.options, home);
    await base.decide(home, { almanac });
    await explainDecision(base, home, { almanac });
    expect(flood).toHaveBeenCalledTimes(3);
  });

  it('names the unknown fact that it depends on', async () => {
    const entries = [carrier('a', test('risk', 'equal', 1)), plain('plain')];
    for (const [flood, reason] of [
      [() => Promise.reject(new Error('down')), 'failed'],
      [never, 'timed_out'],
      [() => undefined, 'no_value'],
    ] as const) {
      const risk = async (_: unknown, { factValue }: FactContext) => ((await factValue('flood')) === 'VE' ? 1 : 0);
      const { byKey, failures } = await statuses({ flood, risk }, {}, entries);
      expect(byKey).toEqual({ a: 'needs_information', plain: 'eligible' });
      expect(failures).toEqual([
        { name: 'flood', reason },
        { name: 'risk', reason: 'depends_on_unknown', path: ['flood'] },
      ]);
    }
  });

  it('can do without an unknown fact', async () => {
    const risk = async (_: unknown, { factValue }: FactContext) => factValue('flood').catch(() => 'unmapped');
    const entries = [carrier('a', test('risk', 'equal', 'unmapped'))];
    const { byKey } = await statuses({ flood: () => Promise.reject(new Error('down')), risk }, {}, entries);
    expect(byKey).toEqual({ a: 'ineligible' });
  });

  it('names the facts of a cycle instead of waiting forever', async () => {
    const reads =
      (name: string) =>
      (_: unknown, { factValue }: FactContext) =>
        factValue(name);
    const facts = { a: reads('b'), b: reads('c'), c: reads('a'), self: reads('self') };
    for (const names of [['a', 'b', 'c'], ['b'], ['self']]) {
      const entries = [carrier('x', ...names.map((name) => test(name, 'equal', 1))), plain('plain')];
      const { byKey, failures } = await statuses(facts, { factTimeoutMs: Infinity }, entries);
      expect(byKey).toEqual({ x: 'needs_information', plain: 'eligible' });
      expect(failures).toEqual(
        names[0] === 'self'
          ? [{ name: 'self', reason: 'circular', path: ['self', 'self'] }]
          : [
              { name: 'a', reason: 'circular', path: ['a', 'b', 'c', 'a'] },
              { name: 'b', reason: 'circular', path: ['b', 'c', 'a', 'b'] },
              { name: 'c', reason: 'circular', path: ['c', 'a', 'b', 'c'] },
            ],
      );
    }
  });

  it('does not know a county that the home may not be in', async () => {
    const county = vi.fn((_: unknown, { get }: FactContext) => String(get('county')));
    const entries = [carrier('a', test('county', 'equal', 'harris, tx'), test('where', 'equal', 'x'))];
    const open = propertyOf({ state: 'tx', policy_type: 'ho3' });
    const { verdicts } = await catalogWith({ where: county }, {}, entries).decide(open);
    expect(verdicts[0]?.status).toBe('needs_information');
    expect(county.mock.results.map(({ value }) => value)).toEqual(['undefined']);
  });
});
