import type { CarrierCatalog } from '../catalog/carrier-catalog.ts';
import type { CarrierCallback, VerifiedCallback } from '../ports/carrier-adapter.ts';
import type { AcceptedCallback, CallbackFate } from '../store/callbacks.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import { decideAfterAnswer } from './check-answer.ts';
import type { InFlight } from './in-flight.ts';
import type { QuoteListener } from './quote-event.ts';

export interface Callbacks {
  /** @returns undefined if the carrier is unknown or has no callbacks. */
  receive(carrierKey: string, callback: CarrierCallback): Promise<CallbackFate | 'refused' | undefined>;
}

export function createCallbacks(options: {
  readonly store: Pick<SqlQuoteStore, 'acceptCallback'>;
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
      let end: AcceptedCallback['end'];
      if (answer !== undefined) {
        const decision = decideAfterAnswer(answer, adapter);
        // After an invalid or pending answer the rate is polled instead.
        if (decision.kind === 'end' && decision.outcome !== 'invalid') {
          const { outcome, premiumCents, retryable, follow } = decision;
          const wait = follow && { ...follow, carrierKey, maxPendingMs: limits.maxPendingMs };
          end = { outcome, premiumCents, answer: decision.answer, retryable, follow: wait };
        }
      }
      const { fate, rateId } = await store.acceptCallback({ carrierKey, id, reference, end });
      listener({ type: 'callback', carrierKey, fate, rateId });
      if (fate === 'taken') {
        // Polls in progress are too late.
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
  throw new TypeError(
    `An adapter must return the id and the reference of a callback as text of 1 to ${MAX_TEXT_LENGTH} characters.`,
  );
}
