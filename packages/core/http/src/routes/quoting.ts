import type { Line } from '@leeward/engine';
import type { ZipGazetteer } from '@leeward/places/zips';
import type { Quotes } from '@leeward/quotes';
import { didYouMean, quoteValue } from '@leeward/terms';
import type { z } from 'zod';
import type { Caller } from '../access/directory.ts';
import { createContentText } from '../document/content-text.ts';
import { guarded, type Operation, type RouteGroup } from '../operation/operation.ts';
import type { GuardedContext } from '../operation/request-context.ts';
import { invalidRequest, notFound, Problem } from '../problem/problem.ts';
import { asQuoteProblem } from '../quoting/quote-problem.ts';
import {
  createdQuote,
  emptyRequest,
  eraseInsuredRequest,
  fullRate,
  insuredErased,
  quoteComparison,
  quoteErased,
  quoteSchemas,
  quoteStatus,
  statusRequest,
} from '../quoting/quote-schema.ts';
import { quotedLine } from '../quoting/quoted-line.ts';
import { zipcodeWarnings } from '../quoting/zipcode-warnings.ts';
import { checkBody } from '../request/check-body.ts';
import { carrierCallbackOperation } from './carrier-callbacks.ts';
import { type DocumentStreamLimits, quoteDocumentOperation } from './quote-documents.ts';
import { type EventStreamLimits, quoteEventsOperation } from './quote-events.ts';

/** Writes down who changed what. */
export type QuoteAudit = (entry: {
  readonly caller: Caller;
  readonly action: string;
  readonly subjectId: string;
  readonly requestId: string;
  readonly details?: Readonly<Record<string, string | number>>;
}) => Promise<void>;

/** Quotes to mount, and who writes down who changed what. */
export interface QuotingPorts {
  readonly quotes: Quotes;
  /** Writes down who erased what. Default: nobody does. */
  readonly audit?: QuoteAudit;
  /** Knows where ZIP codes lie, to warn of one that does not fit the home's county. */
  readonly gazetteer?: ZipGazetteer;
  /** How many may follow quotes at once. */
  readonly eventStreams?: EventStreamLimits;
  /** How many documents may be on their way at once. */
  readonly documents?: DocumentStreamLimits;
}

const tag = 'quoting';
const access = { scopes: ['quote'] };

interface RouteOptions {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly request: z.ZodType;
  readonly response: z.ZodType | undefined;
  readonly problems?: Operation['problems'];
  readonly parameters?: Operation['parameters'];
  readonly optional?: true;
  readonly isThere?: (context: GuardedContext<string>) => Promise<boolean>;
  readonly run: (teamId: string, context: GuardedContext<string>) => Promise<unknown>;
}

/** `/api/v1/…`: a team asks many carriers at once and reads what they answered. */
export function quotingRoutes(ports: QuotingPorts, lines: readonly Line[] = []): RouteGroup {
  const { quotes, gazetteer, eventStreams = {}, documents = {}, audit = async () => {} } = ports;
  const { carriersResponse, productsResponse, fieldsRequest, quoteRequest, requoteRequest } = quoteSchemas(
    lines.map(quotedLine),
  );
  const quoteIsThere = async ({ found: teamId, params }: GuardedContext<string>) =>
    (await quotes.status(teamId, params['quote']!, { includeRates: false })) !== undefined;
  const rateIsThere = async ({ found: teamId, params }: GuardedContext<string>) =>
    (await quotes.rate(teamId, params['rate']!)) !== undefined;
  const quoteParameter = { quote: { description: 'Either identifier of the quote.' } };
  const rateParameter = { rate: { description: 'The rate’s identifier.' } };
  // What is fixed comes before what a path names: /quote/carriers is no quote.
  const operations = [
    route({
      path: '/api/v1/quote/request',
      operationId: 'createQuote',
      summary: 'Create a quote',
      request: quoteRequest,
      response: createdQuote,
      problems: ['idempotency_conflict'],
      async run(teamId, call) {
        const idempotencyKey = call.header('idempotency-key') ?? undefined;
        const admit = (rates: number) => call.countItems(rates);
        const created = await quotes.create(teamId, call.json, { idempotencyKey, admit });
        return { ...created, warnings: zipcodeWarnings(call.json, gazetteer) };
      },
    }),
    route({
      path: '/api/v1/quote/carriers',
      operationId: 'listQuoteCarriers',
      summary: 'List carriers',
      request: emptyRequest,
      response: carriersResponse,
      optional: true,
      run: (teamId) => quotes.carriers(teamId),
    }),
    route({
      path: '/api/v1/quote/products',
      operationId: 'listQuoteProducts',
      summary: 'List products',
      request: emptyRequest,
      response: productsResponse,
      optional: true,
      run: async () => quotes.products(),
    }),
    route({
      path: '/api/v1/quote/fields',
      operationId: 'describeQuoteFields',
      summary: 'Describe the fields of a quote',
      request: fieldsRequest,
      response: undefined,
      optional: true,
      async run(_, { json }) {
        const { product_code } = checkBody(fieldsRequest, json ?? {});
        const named = product_code === undefined || product_code === null ? undefined : String(product_code);
        const reference = quotes.fieldReference(named);
        if (reference) return reference;
        const codes = quotes.products().products.map((product) => product.product_code);
        const message = `product_code is ${quoteValue(product_code)}; give one of: ${codes.join(', ')}.${didYouMean(named ?? '', codes)}`;
        throw invalidRequest([{ path: '/product_code', code: 'unknown_product', message }]);
      },
    }),
    route({
      path: '/api/v1/quote/erase',
      operationId: 'eraseInsured',
      summary: 'Erase the personal data of an insured',
      request: eraseInsuredRequest,
      response: insuredErased,
      async run(teamId, { json, caller, requestId }) {
        const done = await quotes.eraseInsured(teamId, json);
        const details = { quotes: done.erased.length, unreadable: done.unreadable };
        await audit({ caller, requestId, action: 'quotes.erase_insured', subjectId: teamId, details });
        for (const subjectId of done.erased) await audit({ caller, requestId, action: 'quotes.erase', subjectId });
        if (done.unreadable > 0) throw incompleteErasure(done);
        return done;
      },
    }),
    route({
      path: '/api/v1/quote/{quote}/erase',
      operationId: 'eraseQuote',
      summary: 'Erase the personal data of a quote',
      request: emptyRequest,
      response: quoteErased,
      problems: ['not_found'],
      parameters: quoteParameter,
      isThere: quoteIsThere,
      optional: true,
      async run(teamId, { params, caller, requestId }) {
        const quote = await quotes.status(teamId, params['quote']!);
        if (quote === undefined) return undefined;
        const { quote_request_id, service_quote_id } = quote;
        const newly_erased = await quotes.erase(teamId, quote_request_id);
        await audit({ caller, requestId, action: 'quotes.erase', subjectId: quote_request_id });
        return { quote_request_id, service_quote_id, newly_erased };
      },
    }),
    route({
      path: '/api/v1/quote/{quote}/requote',
      operationId: 'requote',
      summary: 'Create a quote from an earlier one',
      request: requoteRequest,
      response: createdQuote,
      problems: ['not_found', 'idempotency_conflict'],
      parameters: quoteParameter,
      isThere: quoteIsThere,
      optional: true,
      async run(teamId, call) {
        const idempotencyKey = call.header('idempotency-key') ?? undefined;
        const admit = (rates: number) => call.countItems(rates);
        const made = await quotes.requote(teamId, call.params['quote']!, call.json ?? {}, { idempotencyKey, admit });
        return made && { ...made, warnings: zipcodeWarnings(call.json, gazetteer) };
      },
    }),
    route({
      path: '/api/v1/quote/{quote}/cancel',
      operationId: 'cancelQuote',
      summary: 'Cancel a quote',
      request: emptyRequest,
      response: quoteStatus,
      problems: ['not_found'],
      parameters: quoteParameter,
      isThere: quoteIsThere,
      optional: true,
      run: (teamId, { params }) => quotes.cancel(teamId, params['quote']!),
    }),
    route({
      path: '/api/v1/quote/{quote}/compare',
      operationId: 'compareQuote',
      summary: 'Compare the rates of a quote',
      request: emptyRequest,
      response: quoteComparison,
      problems: ['not_found'],
      parameters: quoteParameter,
      isThere: quoteIsThere,
      optional: true,
      run: (teamId, { params }) => quotes.compare(teamId, params['quote']!),
    }),
    route({
      path: '/api/v1/quote/{quote}',
      operationId: 'quoteStatus',
      summary: 'Read a quote and its rates',
      request: statusRequest,
      response: quoteStatus,
      problems: ['not_found'],
      parameters: quoteParameter,
      isThere: quoteIsThere,
      optional: true,
      run(teamId, { params, json }) {
        const { include_rates } = checkBody(statusRequest, json ?? {});
        return quotes.status(teamId, params['quote']!, { includeRates: include_rates ?? false });
      },
    }),
    route({
      path: '/api/v1/rate/{rate}/retry',
      operationId: 'retryRate',
      summary: 'Retry a failed rate',
      request: emptyRequest,
      response: fullRate,
      problems: ['not_found'],
      parameters: rateParameter,
      isThere: rateIsThere,
      optional: true,
      run: (teamId, { params }) => quotes.retry(teamId, params['rate']!),
    }),
    route({
      path: '/api/v1/rate/{rate}',
      operationId: 'readRate',
      summary: 'Read a rate',
      request: emptyRequest,
      response: fullRate,
      problems: ['not_found'],
      parameters: rateParameter,
      isThere: rateIsThere,
      optional: true,
      run: (teamId, { params }) => quotes.rate(teamId, params['rate']!),
    }),
  ];
  return {
    name: tag,
    description: 'Requests quotes from many carriers at once, in the background.',
    operations: [
      ...operations,
      quoteEventsOperation({ quotes, limits: eventStreams, teamOf, isThere: quoteIsThere, asProblem: asQuoteProblem }),
      quoteDocumentOperation({ quotes, limits: documents, teamOf, isThere: rateIsThere, asProblem: asQuoteProblem }),
      carrierCallbackOperation(quotes),
    ],
  };
}

function route(options: RouteOptions): Operation {
  const { path, operationId, summary, response, problems, parameters, optional, isThere } = options;
  const name = `${operationId[0]?.toUpperCase()}${operationId.slice(1)}`;
  const answerName = `${name}Response`;
  const content = response
    ? createContentText(answerName, response, 'output')
    : { name: answerName, schema: { type: 'object', description: 'JSON Schema (2020-12).' } };
  return guarded<string>({
    method: 'post',
    path,
    operationId,
    tag,
    access,
    summary,
    ...(problems ? { problems } : {}),
    ...(parameters ? { parameters } : {}),
    requestBody: createContentText(`${name}Request`, options.request, 'input', optional ? { optional } : {}),
    answers: { 200: { description: 'Done.', content } },
    locate: teamOf,
    ...(isThere
      ? {
          isThere: (context) =>
            isThere(context).catch((thrown: unknown) => {
              throw asQuoteProblem(thrown);
            }),
        }
      : {}),
    handle: async (call) => {
      let body: unknown;
      try {
        if (options.request === emptyRequest) checkBody(emptyRequest, call.json ?? {});
        body = await options.run(call.found, call);
      } catch (thrown) {
        throw asQuoteProblem(thrown);
      }
      if (body === undefined) throw notFound();
      return { status: 200, body };
    },
  });
}

/** Quoting is a team's: a key of the whole organization quotes for nobody. */
function teamOf({ caller }: GuardedContext<unknown>): string {
  if (caller.teamId !== null) return caller.teamId;
  throw new Problem('forbidden', 'Quoting takes the token of a team, and this one is of no team.');
}

/** The readable quotes are erased; unreadable ones may be of the same person. */
function incompleteErasure({
  erased,
  unreadable,
}: {
  readonly erased: readonly string[];
  readonly unreadable: number;
}) {
  const detail = `Erased ${erased.length} quotes; ${unreadable} could not be read to see whose they are. The operator adds their key, or erases them if it is lost (leeward keys status); then send this again.`;
  return new Problem('unavailable', detail, { headers: { 'retry-after': '3600' }, members: { erased, unreadable } });
}
