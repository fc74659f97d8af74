import { answersOf, type RecordedDecision, recordDecision } from '@leeward/authoring/replay';
import type { DecisionCapture } from '@leeward/http';
import type { DecisionToSave } from '@leeward/registry';

/** The store of saved decisions, and the share that is saved. */
export interface CaptureOptions {
  /** `registry.savedDecisions.save`. */
  readonly save: (decisions: readonly DecisionToSave[]) => Promise<void>;
  /** Share of the decisions that is saved, from 0 to 1: 0.01 saves one in a hundred. */
  readonly share: number;
  /** Called with an error if decisions were dropped: the store failed, or they came faster than it saves. If omitted, nothing is reported. */
  readonly onError?: (error: unknown) => void;
  /** Random source, from 0 to below 1. @default Math.random */
  readonly chance?: () => number;
  /** Time that decisions wait to be saved together, in ms. @default 1_000 */
  readonly saveAfterMs?: number;
}

/** Saves decisions to a store, in batches. */
export interface SavingCapture extends DecisionCapture {
  /** Takes a decision without waiting until it is saved. */
  take(organizationId: string | null, recorded: RecordedDecision): void;
  /** Resolves when every decision taken so far is saved or dropped. */
  settle(): Promise<void>;
}

const SAVE_AFTER_MS = 1_000;
/** Bounds the memory while the store is unavailable. */
const MAX_WAITING = 1_000;

/**
 * Saves a share of the decisions: the facts of the home, both dates, the hashes of the rules, and the answers. The address is
 * not a fact, so it is not saved. The position of the building is saved only if a rule of these rule sets depends on it. Values of a host's own facts could be personal: decisions that can use such facts are not
 * saved.
 *
 * @example
 * const capture = captureDecisions({ save: registry.savedDecisions.save, share: 0.01 });
 * createLeeward({ directory, underwriting: { catalog, capture } });
 */
export function captureDecisions(options: CaptureOptions): SavingCapture {
  const { save, share, onError = () => {}, chance = Math.random, saveAfterMs = SAVE_AFTER_MS } = options;
  let waiting: DecisionToSave[] = [];
  let givenUp = 0;
  let timer: NodeJS.Timeout | undefined;
  let saving: Promise<void> = Promise.resolve();
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const decisions = waiting;
    waiting = [];
    if (givenUp > 0) {
      onError(new Error(`${givenUp} decisions were not saved: they came faster than the store saves them.`));
      givenUp = 0;
    }
    if (decisions.length > 0) saving = saving.then(() => save(decisions)).catch(onError);
    return saving;
  };
  const take: SavingCapture['take'] = (organizationId, { decision, record }) => {
    if (waiting.length >= MAX_WAITING) {
      givenUp++;
      return;
    }
    waiting.push({ organizationId, record, answers: answersOf(decision) });
    timer ??= setTimeout(flush, saveAfterMs).unref();
  };
  return {
    wants: ({ options: { facts = {} } }) => chance() < share && Object.keys(facts).length === 0,
    async decide(organizationId, decider, property, deciding) {
      const recorded = await recordDecision(decider, property, deciding);
      take(organizationId, recorded);
      return recorded.decision;
    },
    take,
    settle: flush,
  };
}
