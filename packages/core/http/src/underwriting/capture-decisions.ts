import type { DecisionToSave } from '@leeward/accounts';
import { answersOf, type Decider, type Decision, type DecisionRecord } from '@leeward/engine';

/** Where decisions are saved, and which share of them, from 0 to 1. */
export interface CaptureOptions {
  /** Keeps them: `accounts.savedDecisions.save`. */
  readonly save: (decisions: readonly DecisionToSave[]) => Promise<void>;
  /** How many of the decisions are saved: 1 all, 0.01 one in a hundred. */
  readonly share: number;
  /** Told where decisions could not be saved, or came faster than they can be: they are given up. */
  readonly onTrouble?: (error: unknown) => void;
  /** From 0 to below 1; default the host's. */
  readonly chance?: () => number;
  readonly saveAfterMs?: number;
}

/** A share of the decisions, kept to try other rules on. */
export interface DecisionCapture {
  /** Whether the next decision by these rules is to be saved. */
  wants(decider: Decider): boolean;
  /** Takes a decision; nobody waits for it to be kept. */
  take(organizationId: string | null, recorded: { readonly decision: Decision; readonly record: DecisionRecord }): void;
  /** Resolves when all that was taken is kept or given up. */
  settle(): Promise<void>;
}

const SAVE_AFTER_MS = 1_000;
/** Waiting to be kept at most: a store that is out of reach fills no memory. */
const MAX_WAITING = 1_000;

/**
 * Keeps a share of the decisions: the home as it was judged, both dates, the hashes of the rules, and what was answered. An
 * address, a point and whatever else a request holds are no part of a property, and so of nothing that is kept. What a host's own
 * facts answer may be anything: decisions that can ask them are not kept.
 */
export function captureDecisions(options: CaptureOptions): DecisionCapture {
  const { save, share, onTrouble = () => {}, chance = Math.random, saveAfterMs = SAVE_AFTER_MS } = options;
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
      onTrouble(new Error(`${givenUp} decisions came faster than they can be saved, and are not kept.`));
      givenUp = 0;
    }
    if (decisions.length > 0) saving = saving.then(() => save(decisions)).catch(onTrouble);
    return saving;
  };
  return {
    wants: ({ options: { facts = {} } }) => chance() < share && Object.keys(facts).length === 0,
    take(organizationId, { decision, record }) {
      if (waiting.length >= MAX_WAITING) {
        givenUp++;
        return;
      }
      waiting.push({ organizationId, record, answers: answersOf(decision) });
      timer ??= setTimeout(flush, saveAfterMs).unref();
    },
    settle: flush,
  };
}
