import type { CatalogCarrier } from '../catalog/carrier-catalog.ts';
import type { CarrierRest } from '../store/carrier-rests.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import type { QuoteListener } from './quote-event.ts';

/** Carriers that are left alone: because they asked for it, or because an operator paused them. Kept in the store, for all processes. */
export interface CarrierRests {
  /** For how long still; 0 for one that may be asked. */
  remainingMs(carrierKey: string): number;
  /** The carrier asked to be left alone for so long; it is, for as long as its limits allow. */
  rest(carrierKey: string, askedMs: number): Promise<void>;
  /** Learns what other processes have noted. */
  refresh(): Promise<void>;
}

/** How often those that wait for a paused carrier are looked at again. */
const PAUSED_WAIT_MS = 60_000;

export function createCarrierRests(options: {
  readonly store: Pick<SqlQuoteStore, 'restCarrier' | 'readRests'>;
  readonly carriers: readonly CatalogCarrier[];
  readonly listener: QuoteListener;
}): CarrierRests {
  const { store, carriers, listener } = options;
  const maxRestMs = new Map(carriers.map(({ adapter, limits }) => [adapter.key, limits.maxRestMs]));
  /** By the clock of this process. */
  let until = new Map<string, number>();
  let changes = 0;

  const remainingMs = (carrierKey: string) => {
    const at = until.get(carrierKey);
    if (at === undefined) return 0;
    return at === Number.POSITIVE_INFINITY ? PAUSED_WAIT_MS : Math.max(0, at - performance.now());
  };
  const instantOf = ({ carrierKey, remainingMs: left }: CarrierRest) =>
    // A clock that was set back must not make a rest longer than it can be.
    left === undefined
      ? Number.POSITIVE_INFINITY
      : performance.now() + Math.min(left, maxRestMs.get(carrierKey) ?? left);
  return {
    remainingMs,
    async rest(carrierKey, askedMs) {
      const restMs = Math.min(askedMs, maxRestMs.get(carrierKey) ?? askedMs);
      const before = remainingMs(carrierKey);
      if (restMs <= before) return;
      changes++;
      until.set(carrierKey, performance.now() + restMs);
      // Many calls under way may be told the same.
      if (restMs - before > Math.min(1000, restMs / 2))
        listener({ type: 'carrier_resting', carrierKey, restMs, askedMs });
      await store.restCarrier(carrierKey, restMs);
      changes++;
    },
    async refresh() {
      const seen = changes;
      const rests = await store.readRests();
      // One that was noted meanwhile may not have been read.
      if (seen !== changes) return;
      const next = new Map(rests.map((rest) => [rest.carrierKey, instantOf(rest)]));
      for (const carrierKey of until.keys()) {
        if (!next.has(carrierKey) && remainingMs(carrierKey) > 0) listener({ type: 'carrier_rest_lifted', carrierKey });
      }
      until = next;
    },
  };
}
