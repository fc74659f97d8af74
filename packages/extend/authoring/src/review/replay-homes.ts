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
  /** Versions of the carrier that are in force. */
  readonly inForce: readonly unknown[];
  /** Overrides of organizations, for decisions that were made with them. */
  readonly overrides: readonly unknown[];
  /** True to apply the limits for files from strangers. */
  readonly fromStranger: boolean;
  /** Instant for homes of a book without `as_of`, in epoch milliseconds. */
  readonly atMs: number;
  /** Maximum number of changes listed one by one. */
  readonly maxChanges: number;
}

/** A home to evaluate again: of a saved decision, or of a book. */
export type HomeToReplay = { readonly id: string } & (
  | {
      /** A decision record as JSON text. */
      readonly record: string;
      /** The answers of the decision: `SavedAnswers` as JSON text. */
      readonly answers: string;
    }
  | { readonly request: unknown }
);

/** A changed answer to one home for one policy type. */
export interface ReplayedChange {
  readonly id: string;
  readonly policy_type: string;
  readonly state: string;
  readonly before: SavedAnswer;
  readonly after: SavedAnswer;
  /** The answer of the saved decision; null for a home of a book. */
  readonly answered: SavedAnswer | null;
  /** Rules of reasons and requirements that differ. */
  readonly rule_ids: readonly string[];
}

type Counted = Readonly<Record<string, number>>;

/** The answers that a version changes, under their names in JSON. */
export interface ReplayedHomes {
  /** Number of homes that were evaluated. */
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
  /** The first changes. */
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
  return { faults: [], replay: createReplay(newer, comparedWith(newer, inForce), input, vocabulary) };
}

type Evaluate = (property: Property) => Promise<ReadonlyMap<string, Verdict>>;

/** A home cannot be evaluated. Homes are counted by message. */
class NotEvaluatedError extends Error {}

/** Evaluates homes with one rule set as if it were in force. Returns verdicts by policy type. */
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

function createReplay(
  newer: RuleSet,
  older: RuleSet | undefined,
  { overrides, atMs, maxChanges }: ReplayInput,
  vocabulary: Vocabulary,
): HomesReplay {
  const tallies = { move: new Map(), code: new Map(), rule: new Map(), state: new Map() } as const satisfies Record<
    string,
    Map<string, number>
  >;
  const changes: ReplayedChange[] = [];
  const notEvaluated = new Map<string, { homes: number; first: string }>();
  let homes = 0;
  let changed = 0;
  let changedSince = 0;

  let overridesByHash: ReadonlyMap<string, unknown> | undefined;
  const byOverride = new Map<string | undefined, { before: Evaluate | undefined; after: Evaluate }>();
  const evaluatorsOf = (sha256: string | undefined) => {
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

  const open = (home: HomeToReplay, saved: unknown): { property: Property; recorded: RecordedRuleSet | undefined } => {
    if ('request' in home) {
      const parsed = parseRequest(home.request, { now: new Date(atMs), vocabulary });
      if (!parsed.ok) throw new NotEvaluatedError(parsed.faults.map(({ message }) => message).join(' '));
      return { property: parsed.request.property, recorded: undefined };
    }
    const { record, property } = readRecordedHome(saved, vocabulary);
    return { property, recorded: record.rule_sets.find((each) => each.carrier_key === newer.carrierKey) };
  };

  const evaluateHome = async (home: HomeToReplay): Promise<void> => {
    const isSaved = 'record' in home;
    const saved: unknown = isSaved ? JSON.parse(home.record) : undefined;
    // A decision of another line of business.
    if (isSaved && lineOfRecord(saved) !== vocabulary.line) return;
    const { property, recorded } = open(home, saved);
    // The decision did not include the carrier. A new carrier is evaluated for all homes.
    if (isSaved && !recorded && older) return;
    homes++;
    const { before, after } = evaluatorsOf(recorded?.override_sha256);
    const [oldVerdicts, newVerdicts] = [(await before?.(property)) ?? noVerdicts, await after(property)];
    const savedAnswers = isSaved
      ? (own(JSON.parse(home.answers), newer.carrierKey) as SavedAnswers[string])
      : undefined;
    const all = property.policyType === undefined ? vocabulary.policyTypes : [property.policyType];
    let isChanged = false;
    let isChangedSince = false;
    for (const policyType of recorded?.policy_types ?? all) {
      const [a, b] = [oldVerdicts.get(policyType), newVerdicts.get(policyType)];
      const [first, second] = [answerOfVerdict(a), answerOfVerdict(b)];
      const answered = recorded ? (savedAnswers?.[policyType] ?? answerOfVerdict(undefined)) : null;
      if (answered && !isSameAnswer(answered, first)) isChangedSince = true;
      if (isSameAnswer(first, second)) continue;
      isChanged = true;
      const ruleIds = differingRules(a, b);
      if (changes.length < maxChanges) {
        const answers = { before: first, after: second, answered, rule_ids: ruleIds };
        changes.push({ id: home.id, policy_type: policyType, state: property.state, ...answers });
      }
      const isMove = first.status !== second.status;
      raise(tallies.move, isMove ? `${first.status} to ${second.status}` : `${first.status}, otherwise`);
      for (const code of differing(first.codes, second.codes)) raise(tallies.code, code);
      for (const ruleId of ruleIds) raise(tallies.rule, ruleId);
      raise(tallies.state, property.state);
    }
    if (isChanged) changed++;
    if (isChangedSince) changedSince++;
  };

  return {
    async evaluate(batch) {
      for (const home of batch) {
        try {
          await evaluateHome(home);
        } catch (error) {
          if (!(error instanceof NotEvaluatedError || error instanceof ReplayError)) throw error;
          const group = notEvaluated.get(error.message) ?? { homes: 0, first: home.id };
          notEvaluated.set(error.message, { ...group, homes: group.homes + 1 });
        }
      }
    },
    result: () => ({
      homes,
      changed,
      changed_since: changedSince,
      by_move: sortByCount(tallies.move),
      by_code: sortByCount(tallies.code),
      by_rule: sortByCount(tallies.rule),
      by_state: sortByCount(tallies.state),
      not_judged: [...notEvaluated].slice(0, maxChanges).map(([why, each]) => ({ why, ...each })),
      changes,
    }),
  };
}

/** The line of a saved decision. For an invalid record, the line of homes; reading the record then reports the fault. */
function lineOfRecord(record: unknown): unknown {
  return isObject(record) && typeof record['line'] === 'string' ? record['line'] : homeVocabulary.line;
}

const noVerdicts: ReadonlyMap<string, Verdict> = new Map();

/** Rules of reasons and requirements that only one of two verdicts has. */
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
