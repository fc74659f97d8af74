import { type Micros, parseMicros } from '@leeward/terms';
import type { CarrierCatalog } from '../catalog/carrier-catalog.ts';
import type { CarrierCooldowns } from '../orchestrator/carrier-cooldowns.ts';
import type { CarrierQuota } from '../ports/carrier-adapter.ts';
import type { FaultOutcome } from '../ports/outcome.ts';
import { presentExchange, type WireExchange } from '../present/exchange.ts';
import { presentFailedRate, type WireFailedRate } from '../present/failed-rate.ts';
import { InvalidQuoteRequestError, messageOf } from '../request/quote-errors.ts';
import type { CarrierCooldown } from '../store/carrier-cooldowns.ts';
import type { NotRetryable, RefusedRetry } from '../store/change-quotes.ts';
import type { QuotaUse } from '../store/quota.ts';
import type { FailedRatesQuery } from '../store/read-failed-rates.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';

/** Filters and position. */
export interface FailedRatesOptions {
  /** `ended`: failed rates, newest first. `waiting`: unfinished rates, oldest first. @default 'ended' */
  readonly state?: FailedRatesQuery['state'] | undefined;
  /** @default all teams */
  readonly teamId?: string | undefined;
  /** @default all of {@link faultOutcomes} */
  readonly outcomes?: readonly FaultOutcome[] | undefined;
  /** Page size. @default 100 */
  readonly limit?: number | undefined;
  /** Key or name. @default all carriers */
  readonly carrier?: string | undefined;
  /** Minimum wait in ms. @default 300_000 */
  readonly waitingMs?: number | undefined;
  /** `next` of the previous page. @default the first page */
  readonly after?: string | undefined;
}

/** A page of rates that failed or wait too long. */
export interface FailedRates {
  readonly rates: readonly WireFailedRate[];
  readonly next: string | null;
}

/** Named rates, or failed rates of a carrier, newest first. */
export type RetryOptions = {
  /** Includes rates whose carrier may do the work twice. @default false */
  readonly mayRepeat?: boolean | undefined;
} & (
  | { readonly rateIds: readonly string[] }
  | {
      /** Key or name. */
      readonly carrier: string;
      /** @default all outcomes of failed rates */
      readonly outcomes?: readonly FaultOutcome[] | undefined;
      /** 1 to 500. @default 100 */
      readonly limit?: number | undefined;
    }
);

/** One entry per rate. */
export interface RetriedRates {
  readonly retried: readonly { readonly rate_id: string; readonly retried_as: string }[];
  /** Unfinished rates, due now. */
  readonly woken: readonly string[];
  readonly refused: readonly {
    readonly rate_id: string;
    readonly code: NotRetryable | 'not_found';
    readonly message: string;
  }[];
  /** The carrier has more failed rates. */
  readonly more: boolean;
}

/** Filters and position. */
export type ExchangesOptions = {
  /** RFC 3339. @default from the oldest on */
  readonly since?: string | undefined;
  /** With header fields and bodies. @default false */
  readonly includeMessages?: boolean | undefined;
  /** Page size, 1 to 50; large pages are shorter. @default 20 */
  readonly limit?: number | undefined;
  /** `next` of the previous page. @default the first page */
  readonly after?: string | undefined;
} & (
  | { readonly rateId: string }
  | {
      /** Key or name. */
      readonly carrier: string;
    }
);

/** A page of exchanges with carriers, oldest first. */
export interface Exchanges {
  readonly exchanges: readonly WireExchange[];
  readonly next: string | null;
}

/** Result of a change to a carrier. */
export interface CarrierChanged {
  readonly carrierKey: string;
  readonly changed: boolean;
}

/** Operations on the rates of all teams, in effect in all processes. */
export interface OperatorActions {
  /**
   * Pauses a carrier until it is resumed. Calls in progress finish; other rates wait within their deadlines, and pending answers are not
   * polled. Undefined if unknown.
   */
  pauseCarrier(carrier: string): Promise<CarrierChanged | undefined>;
  /** Ends a pause or cooldown in all processes within half a second. `changed` is true if there was one. Undefined if unknown. */
  resumeCarrier(carrier: string): Promise<CarrierChanged | undefined>;
  /** Carriers that are paused or in a cooldown. */
  carrierCooldowns(): Promise<readonly CarrierCooldown[]>;
  /** With the requests used by all processes. */
  quotas(): Promise<readonly (QuotaUse & CarrierQuota)[]>;
  /**
   * Rates that failed and were not retried, or wait too long, with the reason. Undefined if the carrier is unknown. @throws
   * {InvalidQuoteRequestError} if `after` is malformed.
   */
  failedRates(options?: FailedRatesOptions): Promise<FailedRates | undefined>;
  /**
   * Replaces each failed rate, at most once. Needs `mayRepeat` if the carrier may have done the work. Undefined if the carrier is
   * unknown.
   */
  retryRates(options: RetryOptions): Promise<RetriedRates | undefined>;
  /**
   * Requests to carriers and their answers, with personal data and without secrets. Undefined if the rate or carrier is unknown. @throws
   * {InvalidQuoteRequestError} if `after` or `since` is malformed.
   */
  exchanges(options: ExchangesOptions): Promise<Exchanges | undefined>;
}

export type RetryRate = (
  rateId: string,
  carrierKey: string,
  mayRepeat: boolean,
) => Promise<{ readonly retriedAs: string } | { readonly refused: RefusedRetry }>;

const DEFAULT_WAITING_MS = 300_000;
const DEFAULT_LIMIT = 100;
/** Maximum number of failed rates per request. */
export const MAX_FAILED_RATES = 500;
const USUAL_EXCHANGES = 20;
/** Maximum number of exchanges per request. */
export const MAX_EXCHANGES = 50;
/** A page has at least one exchange. */
const MAX_PAGE_LENGTH = 8 * 1024 * 1024;

export function createOperatorActions(options: {
  readonly store: SqlQuoteStore;
  readonly catalog: CarrierCatalog;
  readonly cooldowns: CarrierCooldowns;
  readonly retryRate: RetryRate;
  readonly wakeUp: () => void;
}): OperatorActions {
  const { store, catalog, cooldowns, retryRate, wakeUp } = options;
  const keyOf = (carrier: string) => catalog.find(carrier)?.adapter.key;

  const retryEach = async (carriers: ReadonlyMap<string, string>, mayRepeat: boolean) => {
    const retried: { rate_id: string; retried_as: string }[] = [];
    const woken: string[] = [];
    const refused: { rate_id: string; code: NotRetryable; message: string }[] = [];
    for (const [rateId, carrierKey] of carriers) {
      const outcome = await retryRate(rateId, carrierKey, mayRepeat);
      if ('retriedAs' in outcome) retried.push({ rate_id: rateId, retried_as: outcome.retriedAs });
      else if (outcome.refused.code === 'not_finished' && (await store.makeRateDue(rateId))) woken.push(rateId);
      else refused.push({ rate_id: rateId, code: outcome.refused.code, message: messageOf(outcome.refused) });
    }
    if (woken.length > 0) wakeUp();
    return { retried, woken, refused };
  };
  return {
    async pauseCarrier(carrier) {
      const carrierKey = keyOf(carrier);
      if (carrierKey === undefined) return undefined;
      await store.pauseCarrier(carrierKey);
      await cooldowns.refresh();
      return { carrierKey, changed: true };
    },
    async resumeCarrier(carrier) {
      const carrierKey = keyOf(carrier);
      if (carrierKey === undefined) return undefined;
      const changed = await store.endCooldown(carrierKey);
      await cooldowns.refresh();
      wakeUp();
      return { carrierKey, changed };
    },
    carrierCooldowns: () => store.readCooldowns(),
    async quotas() {
      const used = new Map((await store.readQuotas()).map((each) => [`${each.carrierKey} ${each.per}`, each.used]));
      return catalog.carriers.flatMap(({ adapter: { key: carrierKey }, limits }) =>
        limits.quotas.map(({ per, requests }) => ({
          carrierKey,
          per,
          requests,
          used: used.get(`${carrierKey} ${per}`) ?? 0,
        })),
      );
    },
    async failedRates({
      carrier,
      state = 'ended',
      waitingMs = DEFAULT_WAITING_MS,
      limit = DEFAULT_LIMIT,
      after,
      ...filters
    } = {}) {
      const carrierKey = carrier === undefined ? undefined : keyOf(carrier);
      if (carrier !== undefined && carrierKey === undefined) return undefined;
      const position = after === undefined ? undefined : readPosition(after, 'after');
      // One extra row shows whether there is a next page.
      const query = { ...filters, state, carrierKey, waitingMs, after: position, limit: limit + 1 };
      const rows = await store.readFailedRates(query);
      const page = rows.slice(0, limit);
      const last = rows.length > limit ? page.at(-1) : undefined;
      const at = last && (state === 'ended' ? last.finishedAt : last.createdAt);
      return { rates: page.map(presentFailedRate), next: last === undefined ? null : `${at}_${last.id}` };
    },
    async retryRates({ mayRepeat = false, ...selection }) {
      if ('rateIds' in selection) {
        const rateIds = [...new Set(selection.rateIds)];
        const carriers = await store.carriersOfRates(rateIds);
        const message = 'There is no such rate.';
        const unknown = rateIds
          .filter((id) => !carriers.has(id))
          .map((rate_id) => ({ rate_id, code: 'not_found' as const, message }));
        const results = await retryEach(carriers, mayRepeat);
        return { ...results, refused: [...unknown, ...results.refused], more: false };
      }
      const { carrier, outcomes, limit = DEFAULT_LIMIT } = selection;
      const carrierKey = keyOf(carrier);
      if (carrierKey === undefined) return undefined;
      const query = { state: 'ended', carrierKey, outcomes, onlyRetryable: !mayRepeat, waitingMs: 0 } as const;
      const rows = await store.readFailedRates({ ...query, limit: limit + 1 });
      const carriers = new Map(rows.slice(0, limit).map(({ id }) => [id, carrierKey]));
      return { ...(await retryEach(carriers, mayRepeat)), more: rows.length > limit };
    },
    async exchanges({ since, includeMessages = false, limit = USUAL_EXCHANGES, after, ...selection }) {
      const carrierKey = 'carrier' in selection ? keyOf(selection.carrier) : undefined;
      if (carrierKey === undefined && 'carrier' in selection) return undefined;
      if ('rateId' in selection && (await store.carriersOfRates([selection.rateId])).size === 0) return undefined;
      const rows = await store.readExchanges({
        of: 'rateId' in selection ? selection : { carrierKey: carrierKey! },
        since: since === undefined ? undefined : readInstant(since),
        after: after === undefined ? undefined : readPosition(after, 'after'),
        limit: limit + 1,
      });
      const page: WireExchange[] = [];
      for (let length = 0; page.length < Math.min(limit, rows.length) && length < MAX_PAGE_LENGTH; ) {
        const exchange = presentExchange(rows[page.length]!, includeMessages);
        length += includeMessages ? JSON.stringify(exchange).length : 0;
        page.push(exchange);
      }
      const last = rows[page.length - 1];
      return { exchanges: page, next: last && page.length < rows.length ? `${last.at}_${last.id}` : null };
    },
  };
}

function readInstant(since: string): Micros {
  const at = parseMicros(since);
  if (at !== undefined) return at;
  const message = 'since is not an instant; write it with an offset, as 2026-11-20T08:00:00Z.';
  throw new InvalidQuoteRequestError([{ path: '/since', code: 'invalid_value', message }]);
}

export function readPosition(text: string, name: string): { readonly at: number; readonly id: string } {
  const [, at, id] = /^(\d{1,16})_([\w-]{1,64})$/.exec(text) ?? [];
  if (at !== undefined && id !== undefined) return { at: Number(at), id };
  const message = `${name} is not a position in this list; give the value of next, or omit it.`;
  throw new InvalidQuoteRequestError([{ path: `/${name}`, code: 'invalid_value', message }]);
}
