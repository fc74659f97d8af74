import { type OperationNotes, only } from '../operation-note.ts';

const quoteRequestId = '01a1fb9b-afb1-7f12-8456-f0be1282f255';
const rateId = '01a1fb9b-afb1-75d6-b58b-39facc7522d3';
const declinedId = '01a1fb9b-afb1-78e3-97c2-7d7ed5557039';
const createdAt = '2026-11-20T12:00:00.706000Z';
const carriers = { sawpalm: 'Sawpalm Home', heartpine: 'Heartpine Mutual' };

const request = {
  product_code: 'homeowners',
  assigned_producer_email: 'pat.rivera@palmetto-coast.example',
  form_types: ['ho3'],
  fields: {
    first_name: 'Dana',
    last_name: 'Whitfield',
    insured_email: 'dana.whitfield@example.com',
    insured_date_of_birth: '1979-04-02',
    insured_phone: '352-555-0142',
    phone_type: 'mobile',
    effective_date: '2026-12-01',
    dwelling_a: 350000,
    square_feet: 1850,
    year_built: 2004,
    roof_year: 2019,
    house_number: '1420',
    street: 'Larkspur Ave',
    city: 'Ocala',
    county: 'Marion',
    state: 'FL',
    zipcode: '34471',
    ownership: 'personal',
    occupancy: 'owner occupied',
    usage: 'primary',
    roof_option: 'architectural shingle',
    roof_shape: 'hip',
    protection_class: '3',
    construction_type_options: 'masonry',
    dwelling_type: 'single family',
  },
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

const created = {
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
  created_at: createdAt,
};

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
      message: "The carrier's answer hangs on total_claims, which was not given.",
      field: 'total_claims',
    },
  ],
  carrier: carriers.sawpalm,
  form_type: 'ho3',
  request_id: quoteRequestId,
  created_at: createdAt,
};

const declined = {
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

const fullRate = {
  ...rate,
  carrier_key: 'sawpalm_home',
  product_code: 'homeowners',
  outcome: 'quoted',
  attempts: 1,
  started_at: '2026-11-20T12:00:00.710000Z',
  finished_at: '2026-11-20T12:00:00.808000Z',
  coverages: [{ code: 'dwelling', name: 'A. Dwelling', amount: '350000.00' }],
  deductibles: [{ code: 'hurricane', name: 'Hurricane', amount: '7000.00' }],
  fees: [{ code: 'policy_fee', name: 'Policy fee', amount: '27.00' }],
  effective_date: '2026-12-01',
  expires_at: '2026-12-20T12:00:00.794000Z',
  error: null,
  rate_type: 'indication',
  subject_to: [],
  bridge_url: null,
  pending_since: null,
  retry_of: null,
};

const status = {
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
  created_at: createdAt,
  completed_at: '2026-11-20T12:00:03.876000Z',
};

const comparison = {
  quote_request_id: quoteRequestId,
  service_quote_id: created.service_quote_id,
  status: 'complete',
  rates: [
    {
      id: rateId,
      carrier: carriers.sawpalm,
      carrier_key: 'sawpalm_home',
      form_type: 'ho3',
      outcome: 'quoted',
      premium: '1782.38',
      rate_type: 'indication',
      expires_at: fullRate.expires_at,
      subject_to: [],
    },
  ],
  lines: [
    {
      section: 'coverages',
      code: 'dwelling',
      name: 'A. Dwelling',
      requested: '350000.00',
      amounts: ['350000.00'],
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

const nothing = only('Nothing is asked for', {});
const quote = { quote: quoteRequestId };

const eventOf = (number: number, type: string, rate: object | null) =>
  `id: ${quoteRequestId}_${number}\nevent: ${type}\ndata: ${JSON.stringify({
    type,
    timestamp: '2026-11-20T12:00:01.214000Z',
    data: { quote_request_id: quoteRequestId, service_quote_id: '01a1fb9b-afb1-7a4e-9c01-cc41de1b7f3a', number, rate },
  })}\n\n`;
const events = [
  eventOf(1, 'rate.ended', {
    ...{ id: rateId, carrier_key: 'sawpalm_home', carrier: carriers.sawpalm, form_type: 'ho3' },
    ...{ status: 'success', outcome: 'quoted', premium: '1843.50' },
  }),
  eventOf(2, 'rate.ended', {
    ...{ id: declinedId, carrier_key: 'heartpine_mutual', carrier: carriers.heartpine, form_type: 'ho3' },
    ...{ status: 'error', outcome: 'declined', premium: null },
  }),
  eventOf(3, 'quote.completed', null),
].join('');

export const quotingNotes: OperationNotes = {
  createQuote: {
    description:
      'Writes the quote with a rate for every carrier and form type, then asks the carriers one by one in the background: poll the quote for what they answer. Carriers that are not asked stand in `skipped`, with why.',
    headers: {
      'Idempotency-Key': {
        description:
          'Of the caller’s own choosing. For 24 hours the same key with the same body answers the same quote; with another body it is 409.',
        schema: {
          type: 'string',
          minLength: 1,
          maxLength: 255,
          pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$',
        },
      },
    },
    request: only('A home in Ocala, Florida, by all appointed carriers', request),
    answer: only('Two carriers are asked, one is not', created),
  },
  quoteStatus: {
    description:
      'Counts, the lowest and the highest premium so far, and a rate for each carrier and form type. `processing` includes what waits for its turn. `include_rates` gives each rate whole.',
    parameters: quote,
    request: only('Rates in their short form', { include_rates: false }),
    answer: only('Both carriers have answered', status),
  },
  followQuote: {
    description:
      'A stream of Server-Sent Events: what has happened to the quote, then what happens, until the caller closes it; none is left out, and none comes twice to one stream. `rate.ended` when a carrier has answered or failed for good, `rate.changed` when one answers again, `quote.completed` when no rate is open. Events name no person: read the rate for the rest. A line that begins with a colon only says that the stream is alive. The service ends each stream after ten minutes; an `EventSource` takes it up again behind its last event.',
    headers: {
      'Last-Event-ID': {
        description:
          'The id of the last event that the caller has; the stream begins behind it. Left out: at the first.',
        schema: { type: 'string', maxLength: 75 },
      },
    },
    parameters: quote,
    answer: only('Two carriers have ended, and the quote with them', events),
  },
  readRate: {
    description:
      'With what it covers, fees, and how it came about. `outcome` and `carrier_response_messages` tell a carrier’s no from a fault.',
    parameters: { rate: rateId },
    request: nothing,
    answer: only('A premium', fullRate),
  },
  retryRate: {
    description:
      'For a rate that ended with `error.retryable`: a new rate takes its place in the quote, which is processing again. The old one keeps its end.',
    parameters: { rate: '01a1fb9b-afb1-7e34-b2aa-89240959a1fc' },
    request: nothing,
    answer: only('The new rate', {
      ...declined,
      id: '01a1fb9c-0c5e-7d21-9a0f-5d2a77e0c811',
      status: 'processing',
      carrier_response_messages: null,
      carrier_key: 'heartpine_mutual',
      product_code: 'homeowners',
      outcome: null,
      attempts: 0,
      started_at: null,
      finished_at: null,
      coverages: null,
      deductibles: null,
      fees: null,
      effective_date: '2026-12-01',
      expires_at: null,
      error: null,
      rate_type: null,
      subject_to: null,
      bridge_url: null,
      pending_since: null,
      retry_of: '01a1fb9b-afb1-7e34-b2aa-89240959a1fc',
    }),
  },
  eraseQuote: {
    description:
      'What could tell of a person is gone for good: the fields, the carriers’ answers, the producer’s address. Rates that have not ended end as `cancelled`. Counts, outcomes and premiums stay. It stands in the audit log.',
    parameters: quote,
    request: nothing,
    answer: only('Erased', {
      quote_request_id: '019aa0d6-7b00-7c3d-8e4f-0123456789ab',
      service_quote_id: '019aa0d6-7b00-7c3d-8e4f-0123456789ac',
      newly_erased: true,
    }),
  },
  eraseInsured: {
    description:
      'All quotes of the team for one insured, as one quote is erased. Named by e-mail address, telephone number, or family name with date of birth, each as in a quote.',
    request: only('By e-mail address', { insured_email: 'dana.whitfield@example.com' }),
    answer: only('Two quotes', {
      erased: ['019aa0d6-7b00-7c3d-8e4f-0123456789ab', '019aa0d6-7b00-7c3d-8e4f-0123456789bc'],
      unreadable: 0,
    }),
  },
  listRestingCarriers: {
    description: 'Those that asked to be left alone (`Retry-After`), and those that are paused. For the operator.',
    request: nothing,
    answer: only('One rests', {
      carriers: [{ carrier_key: 'sawpalm_home', paused: false, remaining_seconds: 42 }],
    }),
  },
  pauseQuoteCarrier: {
    description: 'What is under way is finished; the rest waits, as long as its quote has time. For the operator.',
    request: only('By its key', { carrier_key: 'sawpalm_home' }),
    answer: only('Paused', { carrier_key: 'sawpalm_home', changed: true }),
  },
  resumeQuoteCarrier: {
    description: 'Every process asks it again within half a second. For the operator.',
    request: only('By its key', { carrier_key: 'sawpalm_home' }),
    answer: only('Resumed', { carrier_key: 'sawpalm_home', changed: true }),
  },
  compareQuote: {
    description:
      'Rates with a premium are columns, the lowest first; coverages, deductibles and fees are rows by code. `coverage_basis` says whether the premiums are for the same thing, and `basis_differences` where not; `premiums` has the lowest and the highest by what they are worth. Ask again while it is `processing`.',
    parameters: quote,
    request: nothing,
    answer: only('One premium', comparison),
  },
  cancelQuote: {
    description: 'Rates that have not ended end as `cancelled`; those that have keep what they are.',
    parameters: quote,
    request: nothing,
    answer: only('All had ended already', status),
  },
  listQuoteCarriers: {
    description: 'The carriers that the team may ask, with the products and form types of each.',
    request: nothing,
    answer: only('One carrier', {
      carriers: [
        {
          carrier_key: 'sawpalm_home',
          carrier: carriers.sawpalm,
          products: [
            { product_code: 'homeowners', form_types: ['ho3', 'ho5'] },
            { product_code: 'dwelling_fire', form_types: ['dp3'] },
          ],
        },
      ],
    }),
  },
  listQuoteProducts: {
    description: 'What may stand in `product_code`, and in `form_types` of each.',
    request: nothing,
    answer: only('Two products', {
      products: [
        { product_code: 'homeowners', product: 'Homeowners', form_types: ['ho3', 'ho5', 'ho8'] },
        { product_code: 'wind', product: 'Wind Only', form_types: ['wind only'] },
      ],
    }),
  },
  describeQuoteFields: {
    description: 'The keys that are required, the type of each, and the words that an option key takes.',
    request: nothing,
    answer: only('Two of the fields', {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Fields of a quote request',
      type: 'object',
      properties: {
        square_feet: {
          type: ['integer', 'string'],
          pattern: '^[0-9]{1,9}$',
          description: 'Living area, in square feet.',
        },
        phone_type: { type: 'string', enum: ['mobile', 'home', 'work', 'other'] },
      },
      required: ['square_feet', 'phone_type'],
      additionalProperties: true,
    }),
  },
};
