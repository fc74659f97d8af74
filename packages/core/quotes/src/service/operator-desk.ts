import type { CarrierCatalog } from '../catalog/carrier-catalog.ts';
import type { CarrierRests } from '../orchestrator/carrier-rests.ts';
import type { CarrierQuota } from '../ports/carrier-adapter.ts';
import type { FaultOutcome } from '../ports/outcome.ts';
import { presentTroubled, type WireTroubledRate } from '../present/troubled.ts';
import { InvalidQuoteRequestError, messageOf } from '../request/quote-errors.ts';
import type { NotRetryable, RefusedRetry } from '../store/change-quotes.ts';
import type { QuotaUse } from '../store/quota.ts';
import type { TroubledQuery } from '../store/read-troubled.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';

/** Which rates an operator wants to see. */
export interface TroubledOptions extends Partial<Pick<TroubledQuery, 'state' | 'teamId' | 'outcomes' | 'limit'>> {
  /** Key or name. */
  readonly carrier?: string | undefined;
  /** Of those that wait: for at least so long. Default 300,000. */
  readonly waitingMs?: number | undefined;
  /** What `next` said, to go on. */
  readonly after?: string | undefined;
}

/** Rates in trouble, a page of them. */
export interface TroubledRates {
  readonly rates: readonly WireTroubledRate[];
  readonly next: string | null;
}

/** Which rates are asked for again: those named, or those of a carrier that ended for a fault, newest first. */
export type RetryOptions = {
  /** Also where the carrier may have done the work already, and may do it twice. Default false. */
  readonly mayRepeat?: boolean | undefined;
} & (
  | { readonly rateIds: readonly string[] }
  | {
      /** Key or name. */
      readonly carrier: string;
      readonly outcomes?: readonly FaultOutcome[] | undefined;
      /** At most so many, 1 to 500. Default 100. */
      readonly limit?: number | undefined;
    }
);

/** What came of retrying, rate by rate. */
export interface RetriedRates {
  readonly retried: readonly { readonly rate_id: string; readonly retried_as: string }[];
  /** Had not ended, and are tried or looked at again now. */
  readonly woken: readonly string[];
  readonly refused: readonly {
    readonly rate_id: string;
    readonly code: NotRetryable | 'not_found';
    readonly message: string;
  }[];
  /** Whether more of the carrier are left. */
  readonly more: boolean;
}

/** A carrier that was named by key or name, and whether anything changed for it. */
export interface CarrierChanged {
  readonly carrierKey: string;
  readonly changed: boolean;
}

/** What an operator does, of all teams, in all processes. */
export interface OperatorDesk {
  /**
   * Leaves a carrier alone, in all processes, until it is resumed: what is under way is finished, the rest waits while its
   * time lasts, and what the carrier is at is not looked at. Undefined where there is no such carrier.
   */
  pauseCarrier(carrier: string): Promise<CarrierChanged | undefined>;
  /**
   * Ends a pause, or a rest that the carrier asked for (`Retry-After`), in all processes within half a second: `changed`
   * where there was one. Undefined where there is no such carrier.
   */
  resumeCarrier(carrier: string): Promise<CarrierChanged | undefined>;
  /** The carriers that are left alone now. */
  carrierRests(): ReturnType<SqlQuoteStore['readRests']>;
  /** Every quota of the carriers that this process may ask, and how much of it all processes have used up. */
  quotas(): Promise<readonly (QuotaUse & CarrierQuota)[]>;
  /**
   * Rates that ended for a fault and were not retried, or that wait too long, with why. Undefined where there is no such
   * carrier.
   *
   * @throws {InvalidQuoteRequestError} where `after` is no such place.
   */
  troubledRates(options?: TroubledOptions): Promise<TroubledRates | undefined>;
  /**
   * Puts a new rate in the place of each that ended for a fault, once however often and by whomever it is asked for. Where
   * the carrier may have done the work, only with `mayRepeat`. Undefined where there is no such carrier.
   */
  retryRates(options: RetryOptions): Promise<RetriedRates | undefined>;
}

/** The rate in the place of the one that was retried, or why it was not. */
export type RetryOutcome = { readonly retriedAs: string } | { readonly refused: RefusedRetry };

const USUAL_WAITING_MS = 300_000;
const USUAL_LIMIT = 100;
/** So many at once, at most. */
export const MAX_TROUBLED_RATES = 500;

export function createOperatorDesk(options: {
  readonly store: SqlQuoteStore;
  readonly catalog: CarrierCatalog;
  readonly rests: CarrierRests;
  /** Retries one, and has it told of. */
  readonly retryOne: (rateId: string, carrierKey: string, mayRepeat: boolean) => Promise<RetryOutcome>;
  /** Something is due now. */
  readonly wakeUp: () => void;
}): OperatorDesk {
  const { store, catalog, rests, retryOne, wakeUp } = options;
  const keyOf = (carrier: string) => catalog.find(carrier)?.adapter.key;

  const retryEach = async (carriers: ReadonlyMap<string, string>, mayRepeat: boolean) => {
    const retried: { rate_id: string; retried_as: string }[] = [];
    const woken: string[] = [];
    const refused: { rate_id: string; code: NotRetryable; message: string }[] = [];
    for (const [rateId, carrierKey] of carriers) {
      const outcome = await retryOne(rateId, carrierKey, mayRepeat);
      if ('retriedAs' in outcome) retried.push({ rate_id: rateId, retried_as: outcome.retriedAs });
      else if (outcome.refused.code === 'not_finished' && (await store.wakeRate(rateId))) woken.push(rateId);
      else refused.push({ rate_id: rateId, code: outcome.refused.code, message: messageOf(outcome.refused) });
    }
    if (woken.length > 0) wakeUp();
    return { retried, woken, refused };
  };
  return {
    async pauseCarrier(named) {
      const carrierKey = keyOf(named);
      if (carrierKey === undefined) return undefined;
      await store.pauseCarrier(carrierKey);
      await rests.refresh();
      return { carrierKey, changed: true };
    },
    async resumeCarrier(named) {
      const carrierKey = keyOf(named);
      if (carrierKey === undefined) return undefined;
      const changed = await store.liftRest(carrierKey);
      await rests.refresh();
      wakeUp();
      return { carrierKey, changed };
    },
    carrierRests: () => store.readRests(),
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
    async troubledRates({
      carrier,
      state = 'ended',
      waitingMs = USUAL_WAITING_MS,
      limit = USUAL_LIMIT,
      after,
      ...rest
    } = {}) {
      const carrierKey = carrier === undefined ? undefined : keyOf(carrier);
      if (carrier !== undefined && carrierKey === undefined) return undefined;
      const place = after === undefined ? undefined : readPlace(after);
      // One more than is wanted tells whether there is a next page.
      const found = await store.readTroubled({ ...rest, state, carrierKey, waitingMs, after: place, limit: limit + 1 });
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      const at = last && (state === 'ended' ? last.finishedAt : last.createdAt);
      return { rates: page.map(presentTroubled), next: last === undefined ? null : `${at}_${last.id}` };
    },
    async retryRates({ mayRepeat = false, ...which }) {
      if ('rateIds' in which) {
        const rateIds = [...new Set(which.rateIds)];
        const carriers = await store.carriersOfRates(rateIds);
        const message = 'There is no such rate.';
        const unknown = rateIds
          .filter((id) => !carriers.has(id))
          .map((rate_id) => ({ rate_id, code: 'not_found' as const, message }));
        const done = await retryEach(carriers, mayRepeat);
        return { ...done, refused: [...unknown, ...done.refused], more: false };
      }
      const { carrier, outcomes, limit = USUAL_LIMIT } = which;
      const carrierKey = keyOf(carrier);
      if (carrierKey === undefined) return undefined;
      const query = { state: 'ended', carrierKey, outcomes, onlyRetryable: !mayRepeat, waitingMs: 0 } as const;
      const found = await store.readTroubled({ ...query, limit: limit + 1 });
      const chosen = new Map(found.slice(0, limit).map(({ id }) => [id, carrierKey]));
      return { ...(await retryEach(chosen, mayRepeat)), more: found.length > limit };
    },
  };
}

function readPlace(after: string): { readonly at: number; readonly id: string } {
  const [, at, id] = /^(\d{1,16})_([\w-]{1,64})$/.exec(after) ?? [];
  if (at !== undefined && id !== undefined) return { at: Number(at), id };
  const message = 'after is no place in this list; give what next said, or leave it out.';
  throw new InvalidQuoteRequestError([{ path: '/after', code: 'invalid_value', message }]);
}
