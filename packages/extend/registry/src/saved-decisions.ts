import type { AccountStore } from '@leeward/accounts';
import { isIdentifier, type SavedDecisionRecord, type StoreReader } from '@leeward/accounts/operations';

/** Retention of saved decisions. */
export interface SavedDecisionLimits {
  /** @default 30 */
  readonly days: number;
  /** Maximum number per organization, and without one; the latest are kept. @default 10_000 */
  readonly maxOfEach: number;
}

export const defaultSavedDecisionLimits: SavedDecisionLimits = { days: 30, maxOfEach: 10_000 };

/** Facts of a home and answers, without personal data of the insured. */
export interface DecisionToSave {
  /** null: none. */
  readonly organizationId: string | null;
  /** Decision record of the engine. */
  readonly record: object;
  /** `answersOf(decision)`. */
  readonly answers: object;
}

/** Stores decisions for replay. */
export interface SavedDecisions {
  /** Rejects if the store is unavailable. */
  save(decisions: readonly DecisionToSave[]): Promise<void>;
  /** The record of a decision. Resolves with undefined for an unknown decision, and for one of another organization. */
  read(organizationId: string, decisionId: string): Promise<unknown>;
  /** Removes expired ones. */
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
    async read(organizationId, decisionId) {
      const decision = isIdentifier(decisionId) ? await store.reader.get('saved_decisions', decisionId) : undefined;
      return decision?.organization_id === organizationId ? JSON.parse(decision.record) : undefined;
    },
    forgetOld: () => store.forgetDecisions(now() - limits.days * DAY_MS),
  };
}

/** Each has some kilobytes. */
const READ_AT_ONCE = 250;

/** In order of id. null: all organizations. */
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
