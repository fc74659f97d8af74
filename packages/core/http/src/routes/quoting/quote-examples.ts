import { exampleQuoteFields } from '@leeward/quotes';
import { asExample } from '../../document/content-text.ts';

export const quoteRequestId = '01a1fb9b-afb1-7f12-8456-f0be1282f255';
export const rateId = '01a1fb9b-afb1-75d6-b58b-39facc7522d3';
export const declinedId = '01a1fb9b-afb1-78e3-97c2-7d7ed5557039';
const createdAt = '2026-11-20T12:00:00.706000Z';
export const carriers = { sawpalm: 'Sawpalm Home', heartpine: 'Heartpine Mutual' };

export const request = {
  product_code: 'homeowners',
  assigned_producer_email: 'pat.rivera@palmetto-coast.example',
  form_types: ['ho3'],
  fields: exampleQuoteFields,
};

const noOutcomes = {
  quoted: 0,
  referred: 0,
  declined: 0,
  ineligible: 0,
  needs_information: 0,
  invalid: 0,
  failed: 0,
  timed_out: 0,
  unknown_outcome: 0,
  cancelled: 0,
};

const indexed = (id: string, status: string, carrierKey: string, carrier: string) => ({
  id,
  status,
  carrier,
  carrier_key: carrierKey,
  form_type: 'ho3',
});

export const created = {
  quote_request_id: quoteRequestId,
  service_quote_id: '01a1fb9b-afb1-7750-a066-47da4f63d51f',
  status: 'processing',
  counts: { processing: 2, success: 0, error: 0 },
  outcomes: noOutcomes,
  rate_index: [
    indexed(declinedId, 'processing', 'heartpine_mutual', carriers.heartpine),
    indexed(rateId, 'processing', 'sawpalm_home', carriers.sawpalm),
  ],
  skipped: [{ carrier_key: 'gulf_rim_wind', form_type: 'ho3', code: 'form_type_not_offered' }],
  warnings: [],
  requote_of: null,
  created_at: createdAt,
};

function coverageOf(value: object) {
  return { amount: null, percent: null, percent_of: null, inclusion: null, settlement: null, ...value };
}

const rate = {
  id: rateId,
  status: 'success',
  premium: '1782.38',
  carrier_quote_number: 'SH-825DBE4F48',
  carrier_quote_url: 'https://sawpalm.example/quotes/SH-825DBE4F48',
  carrier_response_messages: [
    {
      level: 'warning',
      code: 'missing_field',
      message: "The carrier's answer depends on total_claims, which is missing.",
      field: 'total_claims',
    },
  ],
  carrier: carriers.sawpalm,
  form_type: 'ho3',
  request_id: quoteRequestId,
  created_at: createdAt,
};

export const declined = {
  id: declinedId,
  status: 'error',
  premium: null,
  carrier_quote_number: null,
  carrier_quote_url: null,
  carrier_response_messages: [
    {
      level: 'error',
      code: 'home_age',
      message: 'Florida homes must be 25 years old; this one was built in 2004.',
      field: 'year_built',
    },
  ],
  carrier: carriers.heartpine,
  form_type: 'ho3',
  request_id: quoteRequestId,
  created_at: createdAt,
};

export const fullRate = {
  ...rate,
  carrier_key: 'sawpalm_home',
  product_code: 'homeowners',
  outcome: 'quoted',
  attempts: 1,
  started_at: '2026-11-20T12:00:00.710000Z',
  finished_at: '2026-11-20T12:00:00.808000Z',
  coverages: [{ code: 'dwelling', name: 'A. Dwelling', ...coverageOf({ amount: '350000.00' }) }],
  deductibles: [
    {
      ...{ code: 'hurricane', name: 'Hurricane' },
      ...coverageOf({ amount: '7000.00', percent: 2, percent_of: 'dwelling' }),
    },
  ],
  endorsements: [{ code: 'water_backup', name: 'Water backup', ...coverageOf({ inclusion: 'excluded' }) }],
  terms: [],
  fees: [{ code: 'policy_fee', name: 'Policy fee', amount: '27.00' }],
  effective_date: '2026-12-01',
  expires_at: '2026-12-20T12:00:00.794000Z',
  error: null,
  rate_type: 'indication',
  subject_to: [],
  bridge_url: null,
  documents: [{ document_id: 'quote_letter', title: 'Quote letter', media_type: 'application/pdf' }],
  pending_since: null,
  retry_of: null,
  carried_from: null,
};

export const status = {
  quote_request_id: quoteRequestId,
  service_quote_id: created.service_quote_id,
  status: 'complete',
  counts: { processing: 0, success: 1, error: 1 },
  outcomes: { ...noOutcomes, quoted: 1, ineligible: 1 },
  min_quote: '1782.38',
  max_quote: '1782.38',
  rate_index: [
    indexed(declinedId, 'error', 'heartpine_mutual', carriers.heartpine),
    indexed(rateId, 'success', 'sawpalm_home', carriers.sawpalm),
  ],
  rates: [declined, rate],
  requote_of: null,
  created_at: createdAt,
  completed_at: '2026-11-20T12:00:03.876000Z',
};

export const quoteList = {
  quotes: [
    {
      quote_request_id: quoteRequestId,
      service_quote_id: created.service_quote_id,
      team_id: '01a1fb9a80c2m8d1q4s7v9x2z5',
      status: 'complete',
      product_code: 'homeowners',
      form_types: ['ho3'],
      effective_date: '2026-12-01',
      assigned_producer_email: request.assigned_producer_email,
      counts: status.counts,
      min_quote: status.min_quote,
      max_quote: status.max_quote,
      best_offer: { premium: '1782.38', rate_type: 'indication' },
      insured_initials: 'DM',
      insured: null,
      requote_of: null,
      created_at: createdAt,
    },
  ],
  next: null,
};

export const comparison = {
  quote_request_id: quoteRequestId,
  service_quote_id: created.service_quote_id,
  status: 'complete',
  effective_date: '2026-12-01',
  requote_of: null,
  insured_initials: 'DM',
  insured: null,
  rates: [
    {
      id: rateId,
      carrier: carriers.sawpalm,
      carrier_key: 'sawpalm_home',
      form_type: 'ho3',
      outcome: 'quoted',
      premium: '1782.38',
      premium_before_fees: '1755.38',
      term_months: 12,
      rate_type: 'indication',
      effective_date: '2026-12-01',
      expires_at: fullRate.expires_at,
      subject_to: [],
      terms: [],
      violates_terms: false,
      carrier_quote_number: rate.carrier_quote_number,
      carrier_quote_url: rate.carrier_quote_url,
      bridge_url: null,
      documents: fullRate.documents,
      carrier_response_messages: rate.carrier_response_messages,
      financial_strength: { agency: 'Example Ratings', rating: 'A', as_of: '2026-06-30' },
    },
  ],
  lines: [
    {
      section: 'coverages',
      code: 'dwelling',
      name: 'A. Dwelling',
      requested: '350000.00',
      amounts: ['350000.00'],
      values: [coverageOf({ amount: '350000.00' })],
      requested_value: coverageOf({ amount: '350000.00' }),
      same: true,
      differs_from_request: [],
    },
  ],
  coverage_basis: 'unknown',
  basis_differences: [],
  premiums: {
    indication: { count: 1, min: '1782.38', max: '1782.38' },
    quoted: { count: 0, min: null, max: null },
    bindable: { count: 0, min: null, max: null },
  },
  without_premium: [
    {
      id: declinedId,
      carrier: carriers.heartpine,
      carrier_key: 'heartpine_mutual',
      form_type: 'ho3',
      outcome: 'ineligible',
      status: 'error',
    },
  ],
};

export const nothing = asExample('Empty', {});
