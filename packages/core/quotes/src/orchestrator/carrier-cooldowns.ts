import type { CatalogCarrier } from '../catalog/carrier-catalog.ts';
import type { CarrierCooldown } from '../store/carrier-cooldowns.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import type { QuoteListener } from './quote-event.ts';

/** Carriers in a cooldown (`Retry-After`) or paused by an operator: a copy of the store's, renewed by `refresh`. */
export interface CarrierCooldowns {
  remainingMs(carrierKey: string): number;
  /** Limited by the carrier's `maxCooldownMs`. */
  start(carrierKey: string, requestedMs: number): Promise<void>;
  refresh(): Promise<void>;
}

const PAUSED_WAIT_MS = 60_000;

export function createCarrierCooldowns(options: {
  readonly store: Pick<SqlQuoteStore, 'startCooldown' | 'readCooldowns'>;
  readonly carriers: readonly CatalogCarrier[];
  readonly listener: QuoteListener;
}): CarrierCooldowns {
  const { store, carriers, listener } = options;
  const maxCooldownMs = new Map(carriers.map(({ adapter, limits }) => [adapter.key, limits.maxCooldownMs]));
  /** End of each cooldown on the monotonic clock; infinity for a paused carrier. */
  let until = new Map<string, number>();
  let changes = 0;

  const remainingMs = (carrierKey: string) => {
    const at = until.get(carrierKey);
    if (at === undefined) return 0;
    return at === Number.POSITIVE_INFINITY ? PAUSED_WAIT_MS : Math.max(0, at - performance.now());
  };
  const instantOf = ({ carrierKey, remainingMs: left }: CarrierCooldown) =>
    // If the store's clock was set back, the remaining time could exceed the maximum.
    left === undefined
      ? Number.POSITIVE_INFINITY
      : performance.now() + Math.min(left, maxCooldownMs.get(carrierKey) ?? left);
  return {
    remainingMs,
    async start(carrierKey, requestedMs) {
      const cooldownMs = Math.min(requestedMs, maxCooldownMs.get(carrierKey) ?? requestedMs);
      const before = remainingMs(carrierKey);
      if (cooldownMs <= before) return;
      changes++;
      until.set(carrierKey, performance.now() + cooldownMs);
      // Concurrent calls can get the same answer; report it once.
      if (cooldownMs - before > Math.min(1000, cooldownMs / 2)) {
        listener({ type: 'carrier_resting', carrierKey, cooldownMs, requestedMs });
      }
      await store.startCooldown(carrierKey, cooldownMs);
      changes++;
    },
    async refresh() {
      const changesBefore = changes;
      const cooldowns = await store.readCooldowns();
      // The read may miss a cooldown that started meanwhile.
      if (changes !== changesBefore) return;
      const next = new Map(cooldowns.map((cooldown) => [cooldown.carrierKey, instantOf(cooldown)]));
      for (const carrierKey of until.keys()) {
        if (!next.has(carrierKey) && remainingMs(carrierKey) > 0) listener({ type: 'carrier_rest_lifted', carrierKey });
      }
      until = next;
    },
  };
}
