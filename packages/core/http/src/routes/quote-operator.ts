import type { Quotes } from '@leeward/quotes';
import type { z } from 'zod';
import type { Caller } from '../access/directory.ts';
import { createContentText } from '../document/content-text.ts';
import { guarded, type Operation } from '../operation/operation.ts';
import type { GuardedContext } from '../operation/request-context.ts';
import { notFound } from '../problem/problem.ts';
import {
  carrierChanged,
  carrierRequest,
  listRestingRequest,
  listTroubledRequest,
  restingCarriers,
  retriedRates,
  retryRatesRequest,
  troubledRates,
} from '../quoting/quote-operator-schema.ts';
import { checkBody } from '../request/check-body.ts';

/** Writes down who changed what. */
export type QuoteAudit = (entry: {
  readonly caller: Caller;
  readonly action: string;
  readonly subjectId: string;
  readonly requestId: string;
  readonly details?: Readonly<Record<string, string | number>>;
}) => Promise<void>;

interface Ports {
  readonly quotes: Quotes;
  readonly audit: QuoteAudit;
  readonly asProblem: (thrown: unknown) => unknown;
}

type Context = Pick<GuardedContext<undefined>, 'caller' | 'json' | 'requestId'>;

/** `/v1/admin/quote-carriers/…` and `/v1/admin/quote-rates/…`: what the operator of the instance does about quoting. */
export function quoteOperatorOperations(ports: Ports): Operation[] {
  const { quotes, audit } = ports;
  const change = (verb: 'pause' | 'resume', summary: string) =>
    operation(ports, {
      path: `/v1/admin/quote-carriers/${verb}`,
      operationId: `${verb}QuoteCarrier`,
      summary,
      request: carrierRequest,
      response: carrierChanged,
      async run({ json, caller, requestId }) {
        const { carrier_key } = checkBody(carrierRequest, json ?? {});
        const done = await (verb === 'pause' ? quotes.pauseCarrier(carrier_key) : quotes.resumeCarrier(carrier_key));
        if (done === undefined) return undefined;
        await audit({ caller, requestId, action: `quote_carriers.${verb}`, subjectId: done.carrierKey });
        return { carrier_key: done.carrierKey, changed: done.changed };
      },
    });
  return [
    operation(ports, {
      path: '/v1/admin/quote-carriers/list',
      operationId: 'listRestingCarriers',
      summary: 'List paused carriers',
      request: listRestingRequest,
      response: restingCarriers,
      async run({ json }) {
        checkBody(listRestingRequest, json ?? {});
        const rests = await quotes.carrierRests();
        return {
          carriers: rests.map(({ carrierKey, remainingMs }) => ({
            carrier_key: carrierKey,
            paused: remainingMs === undefined,
            remaining_seconds: remainingMs === undefined ? null : Math.ceil(remainingMs / 1000),
          })),
        };
      },
    }),
    change('pause', 'Ask a carrier nothing until it is resumed'),
    change('resume', 'End a carrier’s pause, or the rest that it asked for'),
    operation(ports, {
      path: '/v1/admin/quote-rates/list',
      operationId: 'listTroubledRates',
      summary: 'List failed and stuck rates',
      request: listTroubledRequest,
      response: troubledRates,
      run({ json }) {
        const body = checkBody(listTroubledRequest, json ?? {});
        const { state, carrier_key, team_id, waiting_seconds, outcomes, limit, after } = body;
        return quotes.troubledRates({
          ...(typeof state === 'string' && { state }),
          ...(typeof limit === 'number' && { limit }),
          ...(typeof waiting_seconds === 'number' && { waitingMs: waiting_seconds * 1000 }),
          carrier: carrier_key ?? undefined,
          teamId: team_id ?? undefined,
          outcomes: outcomes ?? undefined,
          after: after ?? undefined,
        });
      },
    }),
    operation(ports, {
      path: '/v1/admin/quote-rates/retry',
      operationId: 'retryTroubledRates',
      summary: 'Retry failed rates',
      request: retryRatesRequest,
      response: retriedRates,
      async run({ json, caller, requestId }) {
        const body = checkBody(retryRatesRequest, json ?? {});
        const mayRepeat = body.may_repeat ?? false;
        const done =
          'rate_ids' in body
            ? await quotes.retryRates({ rateIds: body.rate_ids, mayRepeat })
            : await quotes.retryRates({
                carrier: body.carrier_key,
                outcomes: body.outcomes ?? undefined,
                limit: body.limit ?? undefined,
                mayRepeat,
              });
        const by = { caller, requestId, details: { may_repeat: String(mayRepeat) } };
        for (const { rate_id, retried_as } of done?.retried ?? [])
          await audit({ ...by, action: 'rates.retry', subjectId: rate_id, details: { ...by.details, retried_as } });
        for (const subjectId of done?.woken ?? []) await audit({ ...by, action: 'rates.retry', subjectId });
        return done;
      },
    }),
  ];
}

function operation(
  { asProblem }: Ports,
  options: {
    readonly path: string;
    readonly operationId: string;
    readonly summary: string;
    readonly request: z.ZodType;
    readonly response: z.ZodType;
    /** Undefined where what the request names is not there. */
    readonly run: (context: Context) => Promise<unknown>;
  },
): Operation {
  const { path, operationId, summary, request, response, run } = options;
  const name = `${operationId[0]?.toUpperCase()}${operationId.slice(1)}`;
  return guarded<undefined>({
    method: 'post',
    path,
    operationId,
    tag: 'quoting',
    access: { scopes: ['operator'] },
    summary,
    requestBody: createContentText(`${name}Body`, request, 'input', { optional: true }),
    answers: {
      200: { description: 'Done.', content: createContentText(`${name}Response`, response, 'output') },
    },
    problems: ['not_found'],
    locate: () => undefined,
    async handle(context) {
      const body = await run(context).catch((thrown: unknown) => {
        throw asProblem(thrown);
      });
      if (body === undefined) throw notFound();
      return { status: 200, body };
    },
  });
}
