import { describe, expect, it } from 'vitest';
import type { StoredQuote, StoredRate } from '../store/read-quotes.ts';
import { presentCreatedQuote, presentQuoteStatus } from './quote-status.ts';
import { presentFullRate } from './rate.ts';

const at = Date.UTC(2026, 10, 20, 12) * 1000 + 345_678;
const quote: StoredQuote = {
  id: 'quote-1',
  serviceQuoteId: 'service-1',
  teamId: 'team-1',
  productCode: 'homeowners',
  producerEmail: 'agent@example.com',
  effectiveDate: '2026-12-01',
  skipped: [{ carrierKey: 'far_away', formType: 'ho8', code: 'state_not_offered' }],
  createdAt: at,
  erasedAt: undefined,
};
const queued: StoredRate = {
  id: 'rate-1',
  quoteId: 'quote-1',
  carrierKey: 'bayou_mutual',
  carrier: 'Bayou Mutual',
  formType: 'ho3',
  status: 'queued',
  outcome: undefined,
  premiumCents: undefined,
  answer: undefined,
  retryable: false,
  attempts: 0,
  createdAt: at,
  startedAt: undefined,
  finishedAt: undefined,
  retryOf: undefined,
  supersededBy: undefined,
  pendingSince: undefined,
};
const quoted: StoredRate = {
  ...queued,
  id: 'rate-2',
  status: 'success',
  outcome: 'quoted',
  premiumCents: 184_350n,
  attempts: 1,
  startedAt: at + 1,
  finishedAt: at + 2_000_000,
  answer: {
    carrierQuoteNumber: 'BM-1',
    carrierQuoteUrl: 'https://bayou.example/BM-1',
    bridgeUrl: 'https://bayou.example/bridge/BM-1',
    rateType: 'bindable',
    expiresAt: at + 3_000_000,
    messages: [{ level: 'info', code: 'four_point_inspection', message: 'Inspection, please.' }],
    coverages: [{ code: 'dwelling', name: 'Dwelling', amountCents: 35_000_000n }],
    deductibles: [{ code: 'hurricane', name: 'Hurricane', amountCents: 700_000n }],
    fees: [{ code: 'policy_fee', name: 'Policy fee', amountCents: 2500n }],
  },
};
const failed: StoredRate = {
  ...queued,
  id: 'rate-3',
  status: 'error',
  outcome: 'timed_out',
  attempts: 2,
  startedAt: at,
  finishedAt: at + 5_000_000,
  retryable: true,
  answer: { error: { code: 'timeout', message: 'No answer.' } },
};

const liteKeys = [
  'id',
  'status',
  'premium',
  'carrier_quote_number',
  'carrier_quote_url',
  'carrier_response_messages',
  'carrier',
  'form_type',
  'request_id',
  'created_at',
];

describe('a status, field by field', () => {
  const status = presentQuoteStatus(quote, [queued, quoted, failed], { includeRates: false });

  it('has exactly the documented and the additional fields', () => {
    expect(Object.keys(status).toSorted()).toEqual(
      [
        'quote_request_id',
        'service_quote_id',
        'counts',
        'min_quote',
        'max_quote',
        'rate_index',
        'rates',
        'requote_of',
        'status',
        'outcomes',
        'created_at',
        'completed_at',
      ].toSorted(),
    );
    for (const rate of status.rates) expect(Object.keys(rate)).toEqual(liteKeys);
    for (const entry of status.rate_index)
      expect(Object.keys(entry)).toEqual(['id', 'status', 'carrier', 'carrier_key', 'form_type']);
  });

  it('counts waiting rates as processing, and every outcome', () => {
    expect(status.counts).toEqual({ processing: 1, success: 1, error: 1 });
    expect(status.outcomes).toEqual({
      quoted: 1,
      referred: 0,
      declined: 0,
      ineligible: 0,
      needs_information: 0,
      invalid: 0,
      failed: 0,
      timed_out: 1,
      unknown_outcome: 0,
      cancelled: 0,
    });
    expect(status.rate_index[0]).toEqual({
      id: 'rate-1',
      status: 'processing',
      carrier: 'Bayou Mutual',
      carrier_key: 'bayou_mutual',
      form_type: 'ho3',
    });
  });

  it('formats amounts with two decimals, instants with microseconds and Z, and missing values as null', () => {
    expect(status).toMatchObject({
      quote_request_id: 'quote-1',
      service_quote_id: 'service-1',
      status: 'processing',
      min_quote: '1843.50',
      max_quote: '1843.50',
      created_at: '2026-11-20T12:00:00.345678Z',
      completed_at: null,
    });
    expect(status.rates[0]).toEqual({
      id: 'rate-1',
      status: 'processing',
      premium: null,
      carrier_quote_number: null,
      carrier_quote_url: null,
      carrier_response_messages: null,
      carrier: 'Bayou Mutual',
      form_type: 'ho3',
      request_id: 'quote-1',
      created_at: '2026-11-20T12:00:00.345678Z',
    });
    expect(status.rates[1]).toMatchObject({
      status: 'success',
      premium: '1843.50',
      carrier_quote_number: 'BM-1',
      carrier_quote_url: 'https://bayou.example/BM-1',
      carrier_response_messages: [
        { level: 'info', code: 'four_point_inspection', message: 'Inspection, please.', field: null },
      ],
    });
    expect(status.rates[2]).toMatchObject({
      status: 'error',
      premium: null,
      carrier_response_messages: [{ level: 'error', code: 'timeout', message: 'No answer.', field: null }],
    });
  });

  it('has null as lowest and highest quote without a quoted rate', () => {
    expect(presentQuoteStatus(quote, [queued, failed], { includeRates: false })).toMatchObject({
      min_quote: null,
      max_quote: null,
    });
  });

  it('returns the lowest and highest quoted rates as numbers', () => {
    const priced = (id: string, premiumCents: bigint, more: Partial<StoredRate> = {}) => ({
      ...quoted,
      id,
      premiumCents,
      ...more,
    });
    const rates = [
      priced('a', 99_900n),
      priced('b', 1_000_000n),
      priced('c', 1n, { outcome: 'referred' }),
      priced('d', 2n, { supersededBy: 'e' }),
    ];
    expect(presentQuoteStatus(quote, rates, { includeRates: false })).toMatchObject({
      min_quote: '999.00',
      max_quote: '10000.00',
      counts: { success: 3 },
    });
  });

  it('is complete at the last end when all rates have ended', () => {
    const done = presentQuoteStatus(quote, [quoted, failed], { includeRates: false });
    expect(done).toMatchObject({ status: 'complete', completed_at: '2026-11-20T12:00:05.345678Z' });
  });

  it('omits rates replaced by a retry, and waits for the retry', () => {
    const retried = presentQuoteStatus(
      quote,
      [quoted, { ...failed, supersededBy: 'rate-4' }, { ...queued, id: 'rate-4', retryOf: 'rate-3' }],
      { includeRates: true },
    );
    expect(retried).toMatchObject({
      status: 'processing',
      completed_at: null,
      counts: { processing: 1, success: 1, error: 0 },
    });
    expect(retried.rate_index.map((entry) => entry.id)).toEqual(['rate-2', 'rate-4']);
    expect(retried.outcomes.timed_out).toBe(0);
  });

  it('includes full rates on request', () => {
    const { rates } = presentQuoteStatus(quote, [quoted], { includeRates: true });
    expect(rates).toEqual([presentFullRate(quoted, quote)]);
  });
});

describe('a rate', () => {
  it('has every field of the full resource', () => {
    const none = { percent: null, percent_of: null, inclusion: null, settlement: null };
    expect(presentFullRate(quoted, quote)).toEqual({
      id: 'rate-2',
      status: 'success',
      premium: '1843.50',
      carrier_quote_number: 'BM-1',
      carrier_quote_url: 'https://bayou.example/BM-1',
      carrier_response_messages: [
        { level: 'info', code: 'four_point_inspection', message: 'Inspection, please.', field: null },
      ],
      carrier: 'Bayou Mutual',
      form_type: 'ho3',
      request_id: 'quote-1',
      created_at: '2026-11-20T12:00:00.345678Z',
      carrier_key: 'bayou_mutual',
      product_code: 'homeowners',
      outcome: 'quoted',
      pending_since: null,
      attempts: 1,
      started_at: '2026-11-20T12:00:00.345679Z',
      finished_at: '2026-11-20T12:00:02.345678Z',
      coverages: [{ code: 'dwelling', name: 'Dwelling', amount: '350000.00', ...none }],
      deductibles: [{ code: 'hurricane', name: 'Hurricane', amount: '7000.00', ...none }],
      endorsements: null,
      terms: [],
      fees: [{ code: 'policy_fee', name: 'Policy fee', amount: '25.00' }],
      effective_date: '2026-12-01',
      expires_at: '2026-11-20T12:00:03.345678Z',
      error: null,
      rate_type: 'bindable',
      subject_to: [],
      bridge_url: 'https://bayou.example/bridge/BM-1',
      documents: null,
      retry_of: null,
      carried_from: null,
    });
    expect(presentFullRate(failed, quote)).toMatchObject({
      outcome: 'timed_out',
      error: { code: 'timeout', message: 'No answer.', retryable: true },
      coverages: null,
      deductibles: null,
      fees: null,
      expires_at: null,
      rate_type: null,
      bridge_url: null,
    });
    expect(presentFullRate(queued, quote)).toMatchObject({
      outcome: null,
      started_at: null,
      finished_at: null,
      attempts: 0,
    });
  });
});

describe('the response to a create', () => {
  it('shows the quote as stored, also after progress', () => {
    const created = presentCreatedQuote(quote, [
      quoted,
      { ...failed, supersededBy: 'rate-4' },
      { ...queued, id: 'rate-4', retryOf: 'rate-3' },
    ]);
    expect(created).toEqual({
      quote_request_id: 'quote-1',
      service_quote_id: 'service-1',
      status: 'processing',
      counts: { processing: 2, success: 0, error: 0 },
      outcomes: expect.objectContaining({ quoted: 0, timed_out: 0 }),
      rate_index: [
        { id: 'rate-2', status: 'processing', carrier: 'Bayou Mutual', carrier_key: 'bayou_mutual', form_type: 'ho3' },
        { id: 'rate-3', status: 'processing', carrier: 'Bayou Mutual', carrier_key: 'bayou_mutual', form_type: 'ho3' },
      ],
      skipped: [{ carrier_key: 'far_away', form_type: 'ho8', code: 'state_not_offered' }],
      requote_of: null,
      created_at: '2026-11-20T12:00:00.345678Z',
    });
  });
});
