import { describe, expect, it } from 'vitest';
import type { ChaosResult } from './chaos-run.ts';
import { checkRun } from './chaos-verdict.ts';

const call = (id: string) => ({ call: 'accepted', rate_id: id }) as ChaosResult['ledger'][number];
const rate = (id: string, more: object = {}) => ({
  ...{ id, carrierKey: 'at_every_call', status: 'success', outcome: 'quoted', ends: 1 },
  ...more,
});
const happened = (number: number, rateId: string | null, outcome: string | null = null) => ({
  ...{ id: `q_${number}`, type: rateId === null ? 'quote.completed' : 'rate.ended', rateId, outcome },
});
const received = (number: number, body = '') => ({ id: `q_${number}`, body, isSigned: true });
const followed = (number: number) =>
  ({ id: `q_${number}`, message: { data: { number } } }) as ChaosResult['followed'][number]['events'][number];
const events = [happened(1, 'a', 'quoted'), happened(2, 'b', 'quoted'), happened(3, 'c', 'quoted'), happened(4, null)];
const inOrder = [1, 2, 3, 4].map((number) => received(number, JSON.stringify(followed(number).message)));
const follower = { quoteId: 'q', cuts: 1, events: [1, 2, 3, 4].map(followed) };
const well: ChaosResult = {
  ...{ events, received: [...inOrder, inOrder[1]!], refused: { failing: 2 }, followed: [follower], deliveryMs: 100 },
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

describe('the verdict on a chaos run', () => {
  it('is empty for a run without faults', () => {
    expect(checkRun(well)).toMatchObject({ rates: 3, broken: [], outcomes: { quoted: 3 }, recoverySeconds: 1 });
  });

  it.each([
    ['a rate without an end', withRate({ status: 'processing', outcome: null, ends: 0 }), 'have not ended'],
    ['a rate that ended twice', withRate({ ends: 2 }), 'more or less than once'],
    ['a carrier that was called twice', { ledger: [...well.ledger, call('a')] }, 'repeated work'],
    ['a quote without a call', { ledger: well.ledger.slice(1) }, 'without an accepted call'],
    ['counts that do not add up', { counts: { processing: 0, success: 2, error: 1 } }, 'missing in the counts'],
    ['an event that is not written', { events: events.slice(1) }, 'did not happen'],
    ['an end that is written twice', { events: [...events, happened(5, 'a', 'quoted')] }, 'more or less than once'],
    [
      'an end that is written as another',
      { events: [happened(1, 'a', 'declined'), ...events.slice(1)] },
      'another outcome',
    ],
    ['a completion that is not written', { events: events.slice(0, 3) }, 'completion'],
    ['an event that was not delivered', { received: inOrder.slice(0, 3) }, 'did not receive'],
    ['events in another order', { received: [1, 0, 2, 3].map((at) => inOrder[at]!) }, 'out of order'],
    ['one id for two events', { received: [...inOrder, received(4, '{}')] }, 'two contents'],
    ['an event that did not happen', { received: [...inOrder, received(5, '{}')] }, 'did not happen'],
    ['a message that is not signed', { received: [{ ...inOrder[0]!, isSigned: false }, ...inOrder] }, 'signature'],
    ['a redirect that was followed', { refused: { followed: 1 } }, 'redirects'],
    ['a follower with a gap', { followed: [{ ...follower, events: [1, 3, 4].map(followed) }] }, 'missed or repeated'],
    ['a follower that ended early', { followed: [{ ...follower, events: [followed(1)] }] }, 'to the end'],
    ['a worker that crashed', { crashes: 1 }, 'crashed'],
    [
      'too few premiums',
      { rates: well.rates.map((each) => ({ ...each, status: 'error', outcome: 'failed' })) },
      'only 0',
    ],
  ])('reports %s', (_, more, what) => {
    expect(checkRun({ ...well, ...more }).broken.join()).toContain(what);
  });
});
