import {
  type Carrier,
  type Catalog,
  checkRuleSet,
  homeVocabulary,
  type Property,
  parseRequest,
  type RuleSet,
  type Verdict,
  type Vocabulary,
} from '@leeward/engine';
import { catalogOf, sha256OfJson } from '@leeward/engine/compiled';
import { applyOverride, checkOverride } from '@leeward/engine/organizations';
import { type Fault, isObject, own } from '@leeward/terms';
import type { RecordedRuleSet } from '../replay/decision-record.ts';
import { readRecordedHome } from '../replay/replay-decision.ts';
import { ReplayError } from '../replay/replay-error.ts';
import { answerOfVerdict, isSameAnswer, type SavedAnswer, type SavedAnswers } from '../replay/saved-answer.ts';
import { comparedWith } from './compared-with.ts';

/** A new version of a carrier's rules, and the versions to compare it with. Plain JSON. */
export interface ReplayInput {
  readonly file: unknown;
  readonly inForce: readonly unknown[];
  /** Overrides of organizations, for decisions that were made with them. */
  readonly overrides: readonly unknown[];
  /** Applies the limits for files from strangers. */
  readonly fromStranger: boolean;
  /** Instant for homes of a book without `as_of`, in epoch milliseconds. */
  readonly atMs: number;
  readonly maxChanges: number;
}

/** A home of a saved decision, or of a book. */
export type HomeToReplay = { readonly id: string } & (
  | {
      /** A decision record as JSON text. */
      readonly record: string;
      /** `SavedAnswers` as JSON text. */
      readonly answers: string;
    }
  | { readonly request: unknown }
);

/** A changed answer for one home and policy type. */
export interface ReplayedChange {
  readonly id: string;
  readonly policy_type: string;
  readonly state: string;
  readonly before: SavedAnswer;
  readonly after: SavedAnswer;
  /** The saved answer; null for a home of a book. */
  readonly answered: SavedAnswer | null;
  /** Rules of reasons and requirements that differ. */
  readonly rule_ids: readonly string[];
}

type Counted = Readonly<Record<string, number>>;

/** The answers that a version changes, under their names in JSON. */
export interface ReplayedHomes {
  readonly homes: number;
  /** Number of homes whose answer changes for some policy type. */
  readonly changed: number;
  /** Number of homes for which the versions in force already differ from the saved answer. */
  readonly changed_since: number;
  /** Number of changes by statuses before and after, by added or removed code, by rule, and by state. */
  readonly by_move: Counted;
  readonly by_code: Counted;
  readonly by_rule: Counted;
  readonly by_state: Counted;
  /** Homes that could not be evaluated, by reason. */
  readonly not_judged: readonly { readonly why: string; readonly homes: number; readonly first: string }[];
  /** The first `maxChanges`. */
  readonly changes: readonly ReplayedChange[];
}

/** Evaluates homes with the new version and with the version that it replaces, each as if it were in force. */
export interface HomesReplay {
  evaluate(homes: readonly HomeToReplay[]): Promise<void>;
  result(): ReplayedHomes;
}

/**
 * Starts a replay of homes.
 *
 * @returns The faults of the new version, or a replay of a valid version.
 * @example
 * const { replay } = openReplay(input);
 * await replay?.evaluate([{ id: '1', request: home }]);
 * replay?.result().by_move; // { 'eligible to referral': 1 }
 */
export function openReplay(
  input: ReplayInput,
  vocabulary: Vocabulary = homeVocabulary,
): { readonly faults: readonly Fault[]; readonly replay?: HomesReplay } {
  const { ruleSet: newer, faults } = checkRuleSet(input.file, { vocabulary, fromStranger: input.fromStranger });
  if (newer === undefined) return { faults };
  const inForce = input.inForce.flatMap((each) => {
    const checked = checkRuleSet(each, { vocabulary });
    return checked.ruleSet?.carrierKey === newer.carrierKey ? [checked.ruleSet] : [];
  });
  return { faults: [], replay: new RuleSetReplay(newer, comparedWith(newer, inForce), input, vocabulary) };
}

type Evaluate = (property: Property) => Promise<ReadonlyMap<string, Verdict>>;

/** A home cannot be evaluated. Homes are counted by message. */
class NotEvaluatedError extends Error {}

/** Returns verdicts by policy type, as if the rule set were in force. */
function createEvaluate(ruleSet: RuleSet): Evaluate {
  const inForce: RuleSet = { ...ruleSet, effectiveFrom: '0000-01-01', effectiveUntil: undefined };
  const carrier: Carrier = {
    key: ruleSet.carrierKey,
    name: ruleSet.carrierName,
    versions: [{ ruleSet: inForce, source: 'catalog' }],
  };
  let catalog: Catalog | undefined;
  return async (property) => {
    catalog ??= catalogOf([carrier], { vocabulary: property.vocabulary });
    const { verdicts } = await catalog.decide(property);
    return new Map(verdicts.map((verdict) => [verdict.policyType, verdict]));
  };
}

class RuleSetReplay implements HomesReplay {
  readonly #newer: RuleSet;
  readonly #older: RuleSet | undefined;
  readonly #input: ReplayInput;
  readonly #vocabulary: Vocabulary;
  readonly #evaluators: (overrideSha256: string | undefined) => Evaluators;
  readonly #tallies = {
    move: new Map<string, number>(),
    code: new Map<string, number>(),
    rule: new Map<string, number>(),
    state: new Map<string, number>(),
  };
  readonly #changes: ReplayedChange[] = [];
  readonly #notEvaluated = new Map<string, { homes: number; first: string }>();
  #homes = 0;
  #changed = 0;
  #changedSince = 0;

  constructor(newer: RuleSet, older: RuleSet | undefined, input: ReplayInput, vocabulary: Vocabulary) {
    this.#newer = newer;
    this.#older = older;
    this.#input = input;
    this.#vocabulary = vocabulary;
    this.#evaluators = createEvaluators(newer, older, input.overrides, vocabulary);
  }

  async evaluate(batch: readonly HomeToReplay[]): Promise<void> {
    for (const home of batch) {
      try {
        await this.#evaluateHome(home);
      } catch (error) {
        if (!(error instanceof NotEvaluatedError || error instanceof ReplayError)) throw error;
        const group = this.#notEvaluated.get(error.message) ?? { homes: 0, first: home.id };
        this.#notEvaluated.set(error.message, { ...group, homes: group.homes + 1 });
      }
    }
  }

  result(): ReplayedHomes {
    const { move, code, rule, state } = this.#tallies;
    const notEvaluated = [...this.#notEvaluated].slice(0, this.#input.maxChanges);
    return {
      homes: this.#homes,
      changed: this.#changed,
      changed_since: this.#changedSince,
      by_move: sortByCount(move),
      by_code: sortByCount(code),
      by_rule: sortByCount(rule),
      by_state: sortByCount(state),
      not_judged: notEvaluated.map(([why, each]) => ({ why, ...each })),
      changes: this.#changes,
    };
  }

  async #evaluateHome(home: HomeToReplay): Promise<void> {
    const isSaved = 'record' in home;
    const saved: unknown = isSaved ? JSON.parse(home.record) : undefined;
    // A decision of another line of business.
    if (isSaved && lineOfRecord(saved) !== this.#vocabulary.line) return;
    const { property, recorded } = this.#open(home, saved);
    // The decision did not include the carrier. A new carrier is evaluated for all homes.
    if (isSaved && !recorded && this.#older) return;
    this.#homes++;
    const { before, after } = this.#evaluators(recorded?.override_sha256);
    const [oldVerdicts, newVerdicts] = [(await before?.(property)) ?? noVerdicts, await after(property)];
    const savedAnswers = isSaved
      ? (own(JSON.parse(home.answers), this.#newer.carrierKey) as SavedAnswers[string])
      : undefined;
    const all = property.policyType === undefined ? this.#vocabulary.policyTypes : [property.policyType];
    let isChanged = false;
    let isChangedSince = false;
    for (const policyType of recorded?.policy_types ?? all) {
      const [a, b] = [oldVerdicts.get(policyType), newVerdicts.get(policyType)];
      const [first, second] = [answerOfVerdict(a), answerOfVerdict(b)];
      const answered = recorded ? (savedAnswers?.[policyType] ?? answerOfVerdict(undefined)) : null;
      if (answered && !isSameAnswer(answered, first)) isChangedSince = true;
      if (isSameAnswer(first, second)) continue;
      isChanged = true;
      const answers = { before: first, after: second, answered, rule_ids: differingRules(a, b) };
      this.#addChange({ id: home.id, policy_type: policyType, state: property.state, ...answers });
    }
    if (isChanged) this.#changed++;
    if (isChangedSince) this.#changedSince++;
  }

  #open(
    home: HomeToReplay,
    saved: unknown,
  ): { readonly property: Property; readonly recorded: RecordedRuleSet | undefined } {
    const vocabulary = this.#vocabulary;
    if ('request' in home) {
      const parsed = parseRequest(home.request, { now: new Date(this.#input.atMs), vocabulary });
      if (!parsed.ok) throw new NotEvaluatedError(parsed.faults.map(({ message }) => message).join(' '));
      return { property: parsed.request.property, recorded: undefined };
    }
    const { record, property } = readRecordedHome(saved, vocabulary);
    return { property, recorded: record.rule_sets.find((each) => each.carrier_key === this.#newer.carrierKey) };
  }

  #addChange(change: ReplayedChange): void {
    if (this.#changes.length < this.#input.maxChanges) this.#changes.push(change);
    const { before, after } = change;
    raise(this.#tallies.move, moveOf(before, after));
    for (const code of differing(before.codes, after.codes)) raise(this.#tallies.code, code);
    for (const ruleId of change.rule_ids) raise(this.#tallies.rule, ruleId);
    raise(this.#tallies.state, change.state);
  }
}

function moveOf(before: SavedAnswer, after: SavedAnswer): string {
  if (before.status !== after.status) return `${before.status} to ${after.status}`;
  if (before.tier === after.tier) return `${before.status}, otherwise`;
  return `${before.status}, tier ${before.tier ?? 'none'} to ${after.tier ?? 'none'}`;
}

interface Evaluators {
  readonly before: Evaluate | undefined;
  readonly after: Evaluate;
}

/** Creates a cached function that returns the evaluators of both versions under an override. */
function createEvaluators(
  newer: RuleSet,
  older: RuleSet | undefined,
  overrides: readonly unknown[],
  vocabulary: Vocabulary,
): (overrideSha256: string | undefined) => Evaluators {
  let overridesByHash: ReadonlyMap<string, unknown> | undefined;
  const byOverride = new Map<string | undefined, Evaluators>();
  return (sha256) => {
    const cached = byOverride.get(sha256);
    if (cached) return cached;
    const withOverride = (ruleSet: RuleSet): RuleSet => {
      if (sha256 === undefined) return ruleSet;
      overridesByHash ??= new Map(overrides.map((each) => [sha256OfJson(each), each]));
      const { override } = checkOverride(overridesByHash.get(sha256), [], vocabulary);
      if (!override) throw new NotEvaluatedError('The decision used an override that no longer exists.');
      return applyOverride(ruleSet, override);
    };
    const evaluators = {
      before: older && createEvaluate(withOverride(older)),
      after: createEvaluate(withOverride(newer)),
    };
    byOverride.set(sha256, evaluators);
    return evaluators;
  };
}

/** For an invalid record, the line of homes; reading the record then reports the fault. */
function lineOfRecord(record: unknown): unknown {
  return isObject(record) && typeof record['line'] === 'string' ? record['line'] : homeVocabulary.line;
}

const noVerdicts: ReadonlyMap<string, Verdict> = new Map();

function differingRules(a: Verdict | undefined, b: Verdict | undefined): string[] {
  const ruleIds = (verdict: Verdict | undefined) =>
    [
      ...(verdict?.reasons ?? []),
      ...(verdict?.requirements ?? []),
      ...Object.values(verdict?.terms ?? {}).flatMap(({ rules }) => rules),
    ].map(({ ruleId }) => ruleId);
  return differing(ruleIds(a), ruleIds(b));
}

function differing(a: readonly string[], b: readonly string[]): string[] {
  return [...new Set([...b.filter((each) => !a.includes(each)), ...a.filter((each) => !b.includes(each))])];
}

function raise(tally: Map<string, number>, key: string): void {
  tally.set(key, (tally.get(key) ?? 0) + 1);
}

function sortByCount(tally: ReadonlyMap<string, number>): Counted {
  return Object.fromEntries([...tally].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)));
}
