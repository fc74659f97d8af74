import type { LeasedRate } from '../store/lease.ts';
import type { Decision } from './decide.ts';
import type { GroupedStore } from './grouped-store.ts';
import type { QuoteListener } from './quote-event.ts';

export interface SettleOptions {
  readonly store: Pick<GroupedStore, 'finish' | 'keepPending' | 'release'>;
  readonly listener: QuoteListener;
  readonly wakeIn: (delayMs: number) => void;
  readonly wake: (quoteIds: readonly string[]) => void;
  readonly maxPendingMs: number;
}

/** Writes and reports a decision; a lost hold writes nothing. @param startedAt on the monotonic clock. */
export async function settle(
  claimed: LeasedRate,
  decision: Decision,
  startedAt: number,
  { store, listener, wakeIn, wake, maxPendingMs }: SettleOptions,
): Promise<void> {
  const { rateId, fence, quoteId, teamId, carrierKey, formType, attempts } = claimed;
  const subject = { rateId, quoteId, carrierKey };
  const holdLost = () => listener({ type: 'hold_lost', ...subject });
  switch (decision.kind) {
    case 'none':
      return holdLost();
    case 'end': {
      const { outcome, premiumCents, answer, retryable, mayHaveMade } = decision;
      const follow = decision.follow && { ...decision.follow, carrierKey, teamId, maxPendingMs };
      const ending = { rateId, fence, teamId, outcome, premiumCents, answer, retryable, follow, mayHaveMade };
      if (!(await store.finish(ending))) {
        return holdLost();
      }
      wake([quoteId]);
      const tookMs = performance.now() - startedAt;
      return listener({ type: 'rate_ended', ...subject, formType, outcome, attempts, tookMs });
    }
    case 'pending': {
      const { wait, reason } = decision;
      if (!(await store.keepPending({ rateId, fence, ...wait, carrierKey, teamId, maxPendingMs }))) return holdLost();
      listener({ type: 'rate_pending', ...subject, reason, delayMs: wait.delayMs });
      if (wait.delayMs !== undefined) wakeIn(wait.delayMs);
      return;
    }
    case 'again': {
      const { delayMs, keepSent, uncounted, reason, mayHaveMade } = decision;
      if (!(await store.release({ rateId, fence, delayMs, keepSent, uncounted, reason, mayHaveMade }))) {
        return holdLost();
      }
      listener({ type: 'rate_requeued', ...subject, reason, delayMs });
      wakeIn(delayMs);
    }
  }
}
