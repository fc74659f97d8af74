import type { CatalogCarrier } from '../catalog/carrier-catalog.ts';
import type { CarrierCooldown } from '../store/carrier-cooldowns.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import type { QuoteListener } from './quote-event.ts';

/**
 * Carriers that no process calls: they requested a cooldown (`Retry-After`), or an operator paused them. The store holds the
 * cooldowns for all processes; this is a copy that `refresh` renews.
 */
export interface CarrierCooldowns {
  /** Remaining cooldown in ms; 0 if the carrier may be called. */
  remainingMs(carrierKey: string): number;
  /** Starts a cooldown, limited by the carrier's `maxCooldownMs`. */
  start(carrierKey: string, requestedMs: number): Promise<void>;
  /** Loads the cooldowns that other processes started or ended. */
  refresh(): Promise<void>;
}

/** Wait reported for a paused carrier: its rates are checked again after this time. */
const PAUSED_WAIT_MS = 60_000;

export function createCarrierCooldowns(options: {
  readonly store: Pick<SqlQuoteStore, 'startCooldown' | 'readCooldowns'>;
  readonly carriers: readonly CatalogCarrier[];
  readonly listener: QuoteListener;
}): CarrierCooldowns {
  const { store, carriers, listener } = options;
  const maxCooldownMs = new Map(carriers.map(({ adapter, limits }) => [adapter.key, limits.maxCooldownMs]));
  /** End of each cooldown on this process's monotonic clock; infinity for a paused carrier. */
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
      // Many concurrent calls can get the same answer; report it once.
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
