import type { Fault } from '@leeward/terms';
import type { CarrierCatalog } from '../catalog/carrier-catalog.ts';
import type { QuotedLines } from '../catalog/quoted-line.ts';
import type { EventFeed } from '../orchestrator/event-feed.ts';
import type { CarrierAdapter, FinancialStrength } from '../ports/carrier-adapter.ts';
import type { TeamDirectory } from '../ports/team-directory.ts';
import { presentCarriers, presentProducts } from '../present/catalog.ts';
import { presentComparison } from '../present/comparison.ts';
import { eventId, eventNumber, presentEvent } from '../present/event.ts';
import { presentListItem } from '../present/quote-list.ts';
import { presentQuoteStatus } from '../present/quote-status.ts';
import { presentFullRate } from '../present/rate.ts';
import { readProduct } from '../request/check-quote-request.ts';
import { fieldReference } from '../request/field-reference.ts';
import { InvalidQuoteRequestError } from '../request/quote-errors.ts';
import type { StoredRate } from '../store/read-quotes.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import { readPosition } from './operator-actions.ts';
import type { Quotes } from './quotes.ts';

export type QuoteReader = Pick<
  Quotes,
  | 'list'
  | 'status'
  | 'compare'
  | 'rate'
  | 'history'
  | 'events'
  | 'backlog'
  | 'failures'
  | 'products'
  | 'carriers'
  | 'fieldReference'
>;

export function createQuoteReader(options: {
  readonly store: SqlQuoteStore;
  readonly catalog: CarrierCatalog;
  readonly lines: QuotedLines;
  readonly teams: TeamDirectory;
  readonly feed: EventFeed;
}): QuoteReader {
  const { store, catalog, lines, teams, feed } = options;
  return {
    async list(teamId, { product, status, limit = DEFAULT_PAGE, cursor, showsInsured = false } = {}) {
      const faults: Fault[] = [];
      const productCode = product === undefined ? undefined : readProduct(product, lines, faults)?.code;
      if (faults.length > 0) throw new InvalidQuoteRequestError(faults);
      const before = cursor === undefined ? undefined : readPosition(cursor, 'cursor');
      const listed = await store.listQuotes({ teamId, productCode, status, before, limit: limit + 1 });
      const page = listed.slice(0, limit);
      const last = listed.length > limit ? page.at(-1)?.quote : undefined;
      return {
        quotes: page.map((each) => presentListItem(each, showsInsured)),
        next: last === undefined ? null : `${last.createdAt}_${last.id}`,
      };
    },
    async status(teamId, quoteId, { includeRates = false } = {}) {
      const quote = await store.readQuote(teamId, quoteId);
      if (quote === undefined) return undefined;
      return presentQuoteStatus(quote, await store.readRates(quote.id), { includeRates });
    },
    async compare(teamId, quoteId, { formType: text, differencesOnly, showsInsured } = {}) {
      const form = text === undefined ? undefined : lines.checkFormType(text);
      if (form && !('value' in form)) throw new InvalidQuoteRequestError([{ path: '/form_type', ...form }]);
      const quote = await store.readQuote(teamId, quoteId);
      if (quote === undefined) return undefined;
      const [rates, fields] = await Promise.all([store.readRates(quote.id), store.readFields(quote.id)]);
      const strengths = await readStrengths(catalog, rates);
      return presentComparison(quote, rates, {
        fields,
        strengths,
        formType: form?.value,
        differencesOnly,
        showsInsured,
      });
    },
    async rate(teamId, rateId) {
      const row = await store.readRate(teamId, rateId);
      return row === undefined ? undefined : presentFullRate(row.rate, row.quote);
    },
    async history(teamId, rateId) {
      const row = await store.readRate(teamId, rateId);
      return row === undefined ? undefined : store.readEvents(row.rate.id);
    },
    async events(teamId, quoteId, { after } = {}) {
      const quote = await store.readQuote(teamId, quoteId);
      if (quote === undefined) return undefined;
      const number = after === undefined ? 0 : eventNumber(quote.id, after);
      if (number === undefined) throw new InvalidQuoteRequestError([unknownEvent]);
      const follower = feed.follow(quote.id, number);
      return {
        async next() {
          const event = await follower.next();
          return event && { id: eventId(event), message: presentEvent(event, quote) };
        },
        end: follower.end,
      };
    },
    backlog: () => store.readBacklog(),
    failures: () => store.countFailures(),
    products: () => presentProducts(lines),
    carriers: async (teamId) => presentCarriers(catalog, await teams.appointments(teamId), lines),
    fieldReference(productCode) {
      const product = productCode === undefined ? lines.products[0] : lines.findProduct(productCode);
      const line = product && lines.lineOf(product.formTypes[0]!);
      return line && fieldReference(line);
    },
  };
}

/** Unknown if the adapter fails: a comparison does not depend on it. */
async function strengthOf(adapter: CarrierAdapter | undefined): Promise<FinancialStrength | undefined> {
  try {
    return await adapter?.financialStrength?.();
  } catch {
    return undefined;
  }
}

async function readStrengths(catalog: CarrierCatalog, rates: readonly StoredRate[]) {
  const strengths = new Map<string, FinancialStrength>();
  await Promise.all(
    [...new Set(rates.map(({ carrierKey }) => carrierKey))].map(async (key) => {
      const strength = await strengthOf(catalog.get(key)?.adapter);
      if (strength !== undefined) strengths.set(key, strength);
    }),
  );
  return strengths;
}

const DEFAULT_PAGE = 50;

const unknownEvent = {
  path: '/last-event-id',
  code: 'unknown_event',
  message: 'Last-Event-ID is not an event of this quote; send the id of the last event that you have, or omit it.',
};
