import type { Hold } from '../store/change-rates.ts';

/** The rates that this process works on, so that work on a cancelled rate can be aborted. */
export interface InFlight {
  /** @returns a signal that is aborted with the reason `hold_lost` or `stopping`. */
  start(hold: Hold, delivery: AbortSignal): { readonly signal: AbortSignal; end(): void };
  holds(): Hold[];
  /** Aborts work whose hold is lost. */
  lose(rateIds: readonly string[]): void;
  /** Aborts all work. */
  stop(): void;
}

export function createInFlight(): InFlight {
  const entries = new Map<symbol, { readonly hold: Hold; readonly controller: AbortController }>();
  return {
    start(hold, delivery) {
      const id = Symbol(hold.rateId);
      const controller = new AbortController();
      const stop = () => controller.abort('stopping');
      if (delivery.aborted) stop();
      else delivery.addEventListener('abort', stop, { once: true });
      entries.set(id, { hold, controller });
      return {
        signal: controller.signal,
        end() {
          entries.delete(id);
          delivery.removeEventListener('abort', stop);
        },
      };
    },
    holds: () => [...entries.values()].map((entry) => entry.hold),
    lose(rateIds) {
      const lost = new Set(rateIds);
      for (const { hold, controller } of entries.values()) if (lost.has(hold.rateId)) controller.abort('hold_lost');
    },
    stop() {
      for (const { controller } of entries.values()) controller.abort('stopping');
    },
  };
}
