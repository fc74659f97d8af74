import type { CarrierCatalog } from '../catalog/carrier-catalog.ts';
import type { CarrierCallback, VerifiedCallback } from '../ports/carrier-adapter.ts';
import type { CallbackFate, TakenCallback } from '../store/callbacks.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import { decideAfterAnswer } from './check-answer.ts';
import type { InFlight } from './in-flight.ts';
import type { QuoteListener } from './quote-event.ts';

/** Takes what carriers send by themselves. */
export interface Callbacks {
  receive(carrierKey: string, callback: CarrierCallback): Promise<CallbackFate | 'refused' | undefined>;
}

export function createCallbacks(options: {
  readonly store: Pick<SqlQuoteStore, 'takeCallback'>;
  readonly catalog: CarrierCatalog;
  readonly inFlight: InFlight;
  readonly listener: QuoteListener;
  readonly wakeIn: (delayMs: number) => void;
}): Callbacks {
  const { store, catalog, inFlight, listener, wakeIn } = options;
  return {
    async receive(carrierKey, callback) {
      const carrier = catalog.get(carrierKey);
      if (carrier?.adapter.verifyCallback === undefined) return undefined;
      const { adapter, limits } = carrier;
      let verified: VerifiedCallback;
      try {
        verified = await adapter.verifyCallback!(callback);
        checkText(verified.id);
        checkText(verified.reference);
      } catch {
        listener({ type: 'callback', carrierKey, fate: 'refused', rateId: undefined });
        return 'refused';
      }
      const { id, reference, answer } = verified;
      let end: TakenCallback['end'];
      if (answer !== undefined) {
        const decision = decideAfterAnswer(answer, adapter);
        // What makes no sense, and what says that it takes longer, ends nothing: the rate is looked at.
        if (decision.kind === 'end' && decision.outcome !== 'invalid') {
          const { outcome, premiumCents, retryable, follow } = decision;
          const wait = follow && { ...follow, carrierKey, maxPendingMs: limits.maxPendingMs };
          end = { outcome, premiumCents, answer: decision.answer, retryable, follow: wait };
        }
      }
      const { fate, rateId } = await store.takeCallback({ carrierKey, id, reference, end });
      listener({ type: 'callback', carrierKey, fate, rateId });
      if (fate === 'taken') {
        // Whoever looks at it just now comes too late.
        if (end !== undefined && rateId !== undefined) inFlight.lose([rateId]);
        wakeIn(0);
      }
      return fate;
    },
  };
}

const MAX_TEXT_LENGTH = 500;

function checkText(text: unknown): void {
  if (typeof text === 'string' && text !== '' && text.length <= MAX_TEXT_LENGTH) return;
  throw new TypeError(`An adapter names a callback and its request by texts of 1 to ${MAX_TEXT_LENGTH} characters.`);
}
