import {
  asQuoteProblem,
  checkBody,
  createContentText,
  type GuardedContext,
  guarded,
  notFound,
  type Operation,
  type QuoteAudit,
  type RouteGroup,
} from '@leeward/http';
import type { Quotes } from '@leeward/quotes';
import type { z } from 'zod';
import { quoteOperatorNotes } from './quote-operator-notes.ts';
import {
  carrierChanged,
  carrierCooldowns,
  carrierRequest,
  exchanges,
  failedRates,
  listCooldownsRequest,
  listExchangesRequest,
  listFailedRequest,
  retriedRates,
  retryRatesRequest,
} from './quote-operator-schema.ts';

/** Quotes, and the audit log. */
export interface QuoteOperatorPorts {
  readonly quotes: Quotes;
  /** If omitted, changes are not recorded. */
  readonly audit?: QuoteAudit;
}

const tag = 'quoting';

type Context = Pick<GuardedContext<undefined>, 'caller' | 'json' | 'requestId' | 'network'>;

/**
 * `/v1/admin/quote-carriers/…`, `/v1/admin/quote-rates/…` and `/v1/admin/quote-exchanges/…`: the operator pauses carriers, retries rates
 * and reads what was exchanged with carriers.
 *
 * @example
 * createLeeward({ directory, quoting: { quotes }, routes: [quoteOperatorRoutes({ quotes })] });
 */
export function quoteOperatorRoutes(ports: QuoteOperatorPorts): RouteGroup {
  return {
    name: tag,
    description: 'Pausing carriers, retrying rates that failed, and reading exchanges with carriers.',
    operations: operationsOf(ports),
  };
}

function operationsOf({ quotes, audit = async () => {} }: QuoteOperatorPorts): Operation[] {
  const change = (verb: 'pause' | 'resume', summary: string) =>
    operation({
      path: `/v1/admin/quote-carriers/${verb}`,
      operationId: `${verb}QuoteCarrier`,
      summary,
      request: carrierRequest,
      response: carrierChanged,
      async run({ json, caller, requestId, network }) {
        const { carrier_key } = checkBody(carrierRequest, json ?? {});
        const done = await (verb === 'pause' ? quotes.pauseCarrier(carrier_key) : quotes.resumeCarrier(carrier_key));
        if (done === undefined) return undefined;
        await audit({ caller, requestId, network, action: `quote_carriers.${verb}`, subjectId: done.carrierKey });
        return { carrier_key: done.carrierKey, changed: done.changed };
      },
    });
  return [
    operation({
      path: '/v1/admin/quote-carriers/list',
      operationId: 'listRestingCarriers',
      summary: 'List paused carriers',
      request: listCooldownsRequest,
      response: carrierCooldowns,
      async run({ json }) {
        checkBody(listCooldownsRequest, json ?? {});
        const cooldowns = await quotes.carrierCooldowns();
        return {
          carriers: cooldowns.map(({ carrierKey, remainingMs }) => ({
            carrier_key: carrierKey,
            paused: remainingMs === undefined,
            remaining_seconds: remainingMs === undefined ? null : Math.ceil(remainingMs / 1000),
          })),
        };
      },
    }),
    change('pause', 'Pause a carrier'),
    change('resume', 'Resume a carrier'),
    operation({
      path: '/v1/admin/quote-rates/list',
      operationId: 'listTroubledRates',
      summary: 'List failed and stuck rates',
      request: listFailedRequest,
      response: failedRates,
      run({ json }) {
        const body = checkBody(listFailedRequest, json ?? {});
        const { state, carrier_key, team_id, waiting_seconds, outcomes, limit, after } = body;
        return quotes.failedRates({
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
    operation({
      path: '/v1/admin/quote-rates/retry',
      operationId: 'retryTroubledRates',
      summary: 'Retry failed rates',
      request: retryRatesRequest,
      response: retriedRates,
      async run({ json, caller, requestId, network }) {
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
        const by = { caller, requestId, network, details: { may_repeat: String(mayRepeat) } };
        for (const { rate_id, retried_as } of done?.retried ?? [])
          await audit({ ...by, action: 'rates.retry', subjectId: rate_id, details: { ...by.details, retried_as } });
        for (const subjectId of done?.woken ?? []) await audit({ ...by, action: 'rates.retry', subjectId });
        return done;
      },
    }),
    operation({
      path: '/v1/admin/quote-exchanges/list',
      operationId: 'listCarrierExchanges',
      summary: 'List exchanges with carriers',
      request: listExchangesRequest,
      response: exchanges,
      async run({ json, caller, requestId, network }) {
        const body = checkBody(listExchangesRequest, json ?? {});
        const { since, include_messages, limit, after } = body;
        const page = await quotes.exchanges({
          ...('rate_id' in body ? { rateId: body.rate_id } : { carrier: body.carrier_key }),
          since: since ?? undefined,
          includeMessages: include_messages ?? undefined,
          limit: limit ?? undefined,
          after: after ?? undefined,
        });
        // Messages contain personal data.
        if (page !== undefined && include_messages === true) {
          const subjectId = 'rate_id' in body ? body.rate_id : body.carrier_key;
          await audit({ caller, requestId, network, action: 'quote_exchanges.read', subjectId });
        }
        return page;
      },
    }),
  ];
}

function operation(options: {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly request: z.ZodType;
  readonly response: z.ZodType;
  /** Resolves to undefined if there is no such carrier or rate. */
  readonly run: (context: Context) => Promise<unknown>;
}): Operation {
  const { path, operationId, summary, request, response, run } = options;
  const name = `${operationId[0]?.toUpperCase()}${operationId.slice(1)}`;
  const note = quoteOperatorNotes[operationId] ?? {};
  return guarded<undefined>({
    method: 'post',
    path,
    operationId,
    tag,
    access: { scopes: ['operator'] },
    summary,
    ...(note.description !== undefined && { description: note.description }),
    requestBody: createContentText(`${name}Body`, request, 'input', {
      // A body that may be empty may be missing.
      ...(request.safeParse({}).success && { optional: true }),
      ...(note.request && { examples: note.request }),
    }),
    answers: {
      200: {
        description: 'Done.',
        content: createContentText(`${name}Response`, response, 'output', note.answer && { examples: note.answer }),
      },
    },
    problems: ['not_found'],
    locate: () => undefined,
    async handle(context) {
      const body = await run(context).catch((thrown: unknown) => {
        throw asQuoteProblem(thrown);
      });
      if (body === undefined) throw notFound();
      return { status: 200, body };
    },
  });
}
