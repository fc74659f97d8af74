import { describe, expect, it } from 'vitest';
import type { ChaosResult } from './chaos-run.ts';
import { judgeChaos } from './judge-chaos.ts';

const call = (id: string) => ({ call: 'accepted', rate_id: id }) as ChaosResult['ledger'][number];
const rate = (id: string, more: object = {}) => ({
  ...{ id, carrierKey: 'at_every_call', status: 'success', outcome: 'quoted', ends: 1 },
  ...more,
});
const well: ChaosResult = {
  kills: 1,
  pauses: 1,
  outages: 1,
  crashes: 0,
  rates: [rate('a'), rate('b'), rate('c', { carrierKey: 'idempotent' })],
  ledger: [call('a'), call('b'), call('c'), call('c')],
  counts: { processing: 0, success: 3, error: 0 },
  recoveryMs: 1000,
  tookMs: 2000,
};
const withRate = (more: object) => ({ rates: [rate('a', more), ...well.rates.slice(1)] });

describe('the judge of a chaos run', () => {
  it('finds nothing where all went well', () => {
    expect(judgeChaos(well)).toMatchObject({ rates: 3, broken: [], outcomes: { quoted: 3 }, recoverySeconds: 1 });
  });

  it.each([
    ['a rate without an end', withRate({ status: 'processing', outcome: null, ends: 0 }), 'have not ended'],
    ['a rate that ended twice', withRate({ ends: 2 }), 'more or less than once'],
    ['a carrier that was asked twice', { ledger: [...well.ledger, call('a')] }, 'did their work twice'],
    ['a quote that nobody gave', { ledger: well.ledger.slice(1) }, 'no carrier gave'],
    ['counts that do not add up', { counts: { processing: 0, success: 2, error: 1 } }, 'counts of quotes'],
    ['a worker that fell over', { crashes: 1 }, 'ended by themselves'],
    [
      'too few premiums',
      { rates: well.rates.map((each) => ({ ...each, status: 'error', outcome: 'failed' })) },
      'only 0',
    ],
  ])('finds %s', (_, more, what) => {
    expect(judgeChaos({ ...well, ...more }).broken.join()).toContain(what);
  });
});
