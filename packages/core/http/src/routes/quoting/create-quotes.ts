import type { Quotes } from '@leeward/quotes';
import type { z } from 'zod';
import { asExample } from '../../document/content-text.ts';
import { idempotencyHeader } from '../../document/idempotency-header.ts';
import type { Operation } from '../../operation/operation.ts';
import type { GuardedContext } from '../../operation/request-context.ts';
import { createdQuote } from '../../quoting/quote-schema.ts';
import { zipcodeWarnings } from '../../quoting/zipcode-warnings.ts';
import { created, quoteRequestId, request } from './quote-examples.ts';
import { type QuoteResource, quoteRoute } from './quote-route.ts';
import type { QuotingPorts } from './quoting-ports.ts';

interface CreationSchemas {
  readonly quoteRequest: z.ZodType;
  readonly requoteRequest: z.ZodType;
}

/** A quote from a request, and a quote from an earlier one. */
export function creationOperations(
  { quotes, gazetteer }: Pick<QuotingPorts, 'quotes' | 'gazetteer'>,
  { quoteRequest, requoteRequest }: CreationSchemas,
  quote: QuoteResource,
): Operation[] {
  const withWarnings = (answer: object, { json }: GuardedContext) => ({
    ...answer,
    warnings: zipcodeWarnings(json, gazetteer),
  });
  return [
    quoteRoute({
      path: '/api/v1/quote/request',
      operationId: 'createQuote',
      summary: 'Create a quote',
      description:
        'Stores the quote with a rate for every carrier and form type, then calls the carriers concurrently in the background. Poll the quote, or follow it, for their answers. `skipped` lists the carriers that are not called, with the reason.',
      headers: idempotencyHeader('quote'),
      request: quoteRequest,
      response: createdQuote,
      problems: ['idempotency_conflict'],
      example: {
        request: asExample('A home in Ocala, Florida, with all appointed carriers', request),
        answer: asExample('Two carriers are called, one is skipped', created),
      },
      run: async (teamId, context) =>
        withWarnings(await quotes.create(teamId, context.json, creationOptions(context)), context),
    }),
    quoteRoute({
      path: '/api/v1/quote/{quote}/requote',
      operationId: 'requote',
      summary: 'Create a quote from an earlier one',
      description:
        'Creates a quote from the request of an earlier one, with the given changes. A carrier is called again if its request has changed. Otherwise its answer is reused while it is valid, with a new identifier and `carried_from`. Open rates stay with the earlier quote and are in `skipped` as `in_progress`.',
      headers: idempotencyHeader('quote'),
      request: requoteRequest,
      isOptional: true,
      response: createdQuote,
      problems: ['not_found', 'idempotency_conflict'],
      resource: quote,
      example: {
        request: asExample('One more carrier', { carrier_keys: ['heartpine_mutual', 'sawpalm_home'] }),
        answer: asExample('One answer is reused', {
          ...created,
          quote_request_id: '01a1fba0-1c11-7d21-9a0f-5d2a77e0c811',
          service_quote_id: '01a1fba0-1c11-7750-a066-47da4f63d51f',
          counts: { processing: 1, success: 1, error: 0 },
          outcomes: { ...created.outcomes, quoted: 1 },
          requote_of: quoteRequestId,
        }),
      },
      async run(teamId, context) {
        const changes = context.json ?? {};
        const requoted = await quotes.requote(teamId, context.params['quote']!, changes, creationOptions(context));
        return requoted && withWarnings(requoted, context);
      },
    }),
  ];
}

function creationOptions(context: GuardedContext): Parameters<Quotes['create']>[2] {
  return {
    idempotencyKey: context.header('idempotency-key') ?? undefined,
    admit: (rates: number) => context.countItems(rates),
  };
}
