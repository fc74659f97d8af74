import type { Hold } from '../store/change-rates.ts';

/** Work of this process, to be aborted when its rate is cancelled. */
export interface InFlight {
  start(hold: Hold, delivery: AbortSignal): { readonly signal: AbortSignal; end(): void };
  holds(): Hold[];
  lose(rateIds: readonly string[]): void;
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
