import { type OperationNotes, only } from '../operation-note.ts';
import { idempotencyHeader } from './idempotency-header.ts';
import {
  carriers,
  comparison,
  created,
  declined,
  declinedId,
  fullRate,
  nothing,
  quoteRequestId,
  rateId,
  request,
  status,
} from './quote-examples.ts';

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
      'Stores the quote with a rate for every carrier and form type, then asks the carriers at the same time, in the background. Poll the quote, or follow it, for their answers. `skipped` lists the carriers that are not asked, with the reason.',
    headers: idempotencyHeader('quote'),
    request: only('A home in Ocala, Florida, by all appointed carriers', request),
    answer: only('Two carriers are asked, one is not', created),
  },
  quoteStatus: {
    description:
      'Counts, the lowest and the highest premium so far, and a rate for each carrier and form type. `processing` includes rates that wait for a carrier. Set `include_rates` to get each rate whole.',
    parameters: quote,
    request: only('Rates in their short form', { include_rates: false }),
    answer: only('Both carriers have answered', status),
  },
  followQuote: {
    description:
      'A stream of Server-Sent Events: first the past events of the quote, then each new one as it happens. Each event comes exactly once to a stream. `rate.ended` when a carrier has answered or failed for good, `rate.changed` when one answers again, `quote.completed` when no rate is open. Events name no person: read the rate for its details. A line that begins with a colon keeps the stream alive. The service ends each stream after ten minutes; an `EventSource` opens it again after its last event.',
    headers: {
      'Last-Event-ID': {
        description:
          'The id of the last event that the caller has; the stream begins after it. Default: at the first event.',
        schema: { type: 'string', maxLength: 75 },
      },
    },
    parameters: quote,
    answer: only('Two carriers have ended, and the quote with them', events),
  },
  readRate: {
    description:
      'With coverages, fees and attempts. `outcome` and `carrier_response_messages` distinguish a carrier’s refusal from a fault.',
    parameters: { rate: rateId },
    request: nothing,
    answer: only('A premium', fullRate),
  },
  readRateDocument: {
    description:
      'Requests the document from the carrier and passes it on without storing it. A document of another media type than the rate names is refused. Media types that a browser could run are sent as `attachment`. If the carrier breaks off, the connection is closed, so that a part never looks like the whole. A carrier that fails is answered 502, one that is too slow 504.',
    parameters: { rate: rateId, document: 'quote_letter' },
  },
  retryRate: {
    description:
      'For a rate that ended with `error.retryable`: a new rate takes its place in the quote, which is `processing` again. The old rate keeps its outcome.',
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
      documents: null,
      pending_since: null,
      retry_of: '01a1fb9b-afb1-7e34-b2aa-89240959a1fc',
      carried_from: null,
    }),
  },
  eraseQuote: {
    description:
      'Erases the personal data for good: the fields, the carriers’ answers, the producer’s address. Open rates end as `cancelled`. Counts, outcomes and premiums stay. The audit log records it.',
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
      'Erases all quotes of the team for one insured, as for one quote. Name the insured by e-mail address, telephone number, or family name with date of birth, each as in a quote.',
    request: only('By e-mail address', { insured_email: 'dana.whitfield@example.com' }),
    answer: only('Two quotes', {
      erased: ['019aa0d6-7b00-7c3d-8e4f-0123456789ab', '019aa0d6-7b00-7c3d-8e4f-0123456789bc'],
      unreadable: 0,
    }),
  },
  compareQuote: {
    description:
      'Rates with a premium are columns, the lowest first; coverages, deductibles and fees are rows by code. `coverage_basis` says whether the premiums are for the same coverage, and `basis_differences` lists where they are not. `premiums` has the lowest and the highest of each rate type. Ask again while it is `processing`.',
    parameters: quote,
    request: nothing,
    answer: only('One premium', comparison),
  },
  requote: {
    description:
      'Creates a quote from the request of an earlier one, with the given changes. A carrier is asked again if its request has changed. Otherwise its answer is taken over while it is valid, with a new identifier and `carried_from`. Rates that are still open stay with the earlier quote and are in `skipped` as `in_progress`.',
    headers: idempotencyHeader('quote'),
    parameters: quote,
    request: only('One more carrier', { carrier_keys: ['heartpine_mutual', 'sawpalm_home'] }),
    answer: only('One answer is taken over', {
      ...created,
      quote_request_id: '01a1fba0-1c11-7d21-9a0f-5d2a77e0c811',
      service_quote_id: '01a1fba0-1c11-7750-a066-47da4f63d51f',
      counts: { processing: 1, success: 1, error: 0 },
      outcomes: { ...created.outcomes, quoted: 1 },
      requote_of: quoteRequestId,
    }),
  },
  cancelQuote: {
    description: 'Open rates end as `cancelled`; finished rates keep their outcome.',
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
    description: 'The values of `product_code`, and of `form_types` for each product.',
    request: nothing,
    answer: only('Two products', {
      products: [
        { product_code: 'homeowners', product: 'Homeowners', form_types: ['ho3', 'ho5', 'ho8'] },
        { product_code: 'wind', product: 'Wind Only', form_types: ['wind only'] },
      ],
    }),
  },
  describeQuoteFields: {
    description: 'The required keys, the type of each, and the values of each option.',
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
