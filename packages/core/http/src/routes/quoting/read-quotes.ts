import { asExample } from '../../document/content-text.ts';
import type { Operation } from '../../operation/operation.ts';
import {
  compareRequest,
  emptyRequest,
  fullRate,
  quoteComparison,
  quoteStatus,
  statusRequest,
} from '../../quoting/quote-schema.ts';
import { checkBody } from '../../request/check-body.ts';
import { comparison, declined, fullRate as fullRateExample, nothing, status } from './quote-examples.ts';
import { type QuoteResource, quoteRoute } from './quote-route.ts';
import type { QuotingPorts } from './quoting-ports.ts';

/** State of quotes: read, compare, cancel. */
export function quoteOperations({ quotes }: Pick<QuotingPorts, 'quotes'>, quote: QuoteResource): Operation[] {
  return [
    quoteRoute({
      path: '/api/v1/quote/{quote}/cancel',
      operationId: 'cancelQuote',
      summary: 'Cancel a quote',
      description: 'Open rates end as `cancelled`; finished rates keep their outcome.',
      request: emptyRequest,
      response: quoteStatus,
      problems: ['not_found'],
      resource: quote,
      example: { request: nothing, answer: asExample('All rates had finished already', status) },
      run: (teamId, { params }) => quotes.cancel(teamId, params['quote']!),
    }),
    quoteRoute({
      path: '/api/v1/quote/{quote}/compare',
      operationId: 'compareQuote',
      summary: 'Compare the rates of a quote',
      description:
        'Rates with a premium are columns, the lowest first; coverages, deductibles, endorsements and fees are rows by code. `coverage_basis` reports whether the premiums are for the same coverage, and `basis_differences` lists the differences. `premiums` has the lowest and the highest of each rate type. Call it again while the quote is `processing`.',
      request: compareRequest,
      isOptional: true,
      response: quoteComparison,
      problems: ['not_found'],
      resource: quote,
      example: { request: nothing, answer: asExample('One premium', comparison) },
      run(teamId, { params, json, caller }) {
        const { form_type, differences_only } = checkBody(compareRequest, json ?? {});
        return quotes.compare(teamId, params['quote']!, {
          formType: form_type ?? undefined,
          differencesOnly: differences_only ?? false,
          showsInsured: caller.scopes.has('insured'),
        });
      },
    }),
    quoteRoute({
      path: '/api/v1/quote/{quote}',
      operationId: 'quoteStatus',
      summary: 'Read a quote and its rates',
      description:
        'Counts, the lowest and the highest premium so far, and a rate for each carrier and form type. `processing` includes rates that wait for a carrier. Set `include_rates` for the details of each rate.',
      request: statusRequest,
      isOptional: true,
      response: quoteStatus,
      problems: ['not_found'],
      resource: quote,
      example: {
        request: asExample('Rates in their short form', { include_rates: false }),
        answer: asExample('Both carriers have answered', status),
      },
      run(teamId, { params, json }) {
        const { include_rates } = checkBody(statusRequest, json ?? {});
        return quotes.status(teamId, params['quote']!, { includeRates: include_rates ?? false });
      },
    }),
  ];
}

/** Rates: retry, read. */
export function rateOperations({ quotes }: Pick<QuotingPorts, 'quotes'>, rate: QuoteResource): Operation[] {
  const failedRateId = '01a1fb9b-afb1-7e34-b2aa-89240959a1fc';
  return [
    quoteRoute({
      path: '/api/v1/rate/{rate}/retry',
      operationId: 'retryRate',
      summary: 'Retry a failed rate',
      description:
        'For a rate that ended with `error.retryable`: a new rate takes its place in the quote, which is `processing` again. The old rate keeps its outcome.',
      request: emptyRequest,
      response: fullRate,
      problems: ['not_found'],
      resource: { ...rate, parameters: { rate: { ...rate.parameters['rate']!, example: failedRateId } } },
      example: {
        request: nothing,
        answer: asExample('The new rate', {
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
          endorsements: null,
          terms: [],
          fees: null,
          effective_date: '2026-12-01',
          expires_at: null,
          error: null,
          rate_type: null,
          subject_to: null,
          bridge_url: null,
          documents: null,
          pending_since: null,
          retry_of: failedRateId,
          carried_from: null,
        }),
      },
      run: (teamId, { params }) => quotes.retry(teamId, params['rate']!),
    }),
    quoteRoute({
      path: '/api/v1/rate/{rate}',
      operationId: 'readRate',
      summary: 'Read a rate',
      description:
        'With coverages, fees and attempts. `outcome` and `carrier_response_messages` distinguish a carrier’s refusal from a fault.',
      request: emptyRequest,
      response: fullRate,
      problems: ['not_found'],
      resource: rate,
      example: { request: nothing, answer: asExample('A premium', fullRateExample) },
      run: (teamId, { params }) => quotes.rate(teamId, params['rate']!),
    }),
  ];
}
