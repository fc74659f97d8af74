import type { AccountStore } from '@leeward/accounts';
import type { SavedDecisionRecord, StoreReader } from '@leeward/accounts/operations';

/** Retention of saved decisions. */
export interface SavedDecisionLimits {
  /** Default 30. */
  readonly days: number;
  /** Maximum number per organization, and of requests without one; the latest are kept. Default 10,000. */
  readonly maxOfEach: number;
}

export const defaultSavedDecisionLimits: SavedDecisionLimits = { days: 30, maxOfEach: 10_000 };

/** A decision to save: facts of a home and the answers, without personal data of the insured. */
export interface DecisionToSave {
  /** The organization that made the request; null: none. */
  readonly organizationId: string | null;
  /** The engine's decision record. */
  readonly record: object;
  /** The answers by carrier: `answersOf(decision)`. */
  readonly answers: object;
}

/** Decisions that are kept so that other rules can be put to them. */
export interface SavedDecisions {
  /** Keeps decisions. Rejects when the store is out of reach. */
  save(decisions: readonly DecisionToSave[]): Promise<void>;
  /** Forgets those that were kept long enough. */
  forgetOld(): Promise<void>;
}

const DAY_MS = 86_400_000;

export function createSavedDecisions(options: {
  readonly store: AccountStore;
  readonly limits: SavedDecisionLimits;
  readonly now: () => number;
  readonly newId: () => string;
}): SavedDecisions {
  const { store, limits, now, newId } = options;
  return {
    save: (decisions) =>
      store.saveDecisions(
        decisions.map(({ organizationId, record, answers }) => ({
          decision_id: newId(),
          organization_id: organizationId,
          at: now(),
          record: JSON.stringify(record),
          answers: JSON.stringify(answers),
        })),
        limits.maxOfEach,
      ),
    forgetOld: () => store.forgetDecisions(now() - limits.days * DAY_MS),
  };
}

/** Read at once; an entry has some kilobytes. */
const READ_AT_ONCE = 250;

/** All saved decisions of an organization, or, for the operator, of everybody: part by part, in the order of their ids. */
export async function* savedInParts(
  reader: StoreReader,
  organizationId: string | null,
): AsyncGenerator<readonly SavedDecisionRecord[]> {
  const where = organizationId === null ? {} : { organization_id: organizationId };
  for (let after: string | undefined; ; ) {
    const part = await reader.list('saved_decisions', { where, after, limit: READ_AT_ONCE });
    if (part.length > 0) yield part;
    if (part.length < READ_AT_ONCE) return;
    after = part.at(-1)!.decision_id;
  }
}
