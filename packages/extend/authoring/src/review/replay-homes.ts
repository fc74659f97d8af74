import {
  applyOverride,
  checkOverride,
  checkRuleSet,
  homeVocabulary,
  type Property,
  parseRequest,
  type RuleSet,
  type Verdict,
  type Vocabulary,
} from '@leeward/engine';
import { sha256OfJson } from '@leeward/engine/compiled';
import { type Fault, isObject, own } from '@leeward/terms';
import type { RecordedRuleSet } from '../replay/decision-record.ts';
import { readRecordedHome } from '../replay/replay-decision.ts';
import { ReplayError } from '../replay/replay-error.ts';
import { answerOfVerdict, isSameAnswer, type SavedAnswer, type SavedAnswers } from '../replay/saved-answer.ts';
import { answering } from './answering.ts';
import { comparedWith } from './compared-with.ts';

/** A version of a carrier's rules, and what it is compared with. All of it is plain JSON. */
export interface ReplayInput {
  readonly file: unknown;
  /** Versions of the carrier that are in force. */
  readonly inForce: readonly unknown[];
  /** Of organizations, for decisions that were made under one of them. */
  readonly overrides: readonly unknown[];
  readonly fromStranger: boolean;
  /** When homes of a book are asked at that do not say, in epoch milliseconds. */
  readonly atMs: number;
  /** Changes told one by one at most. */
  readonly maxChanges: number;
}

/** A home that is judged again: of a decision that was saved, or of a book. */
export type HomeToReplay = { readonly id: string } & (
  | {
      /** A decision record as JSON text. */
      readonly record: string;
      /** What was answered then, `SavedAnswers` as JSON text. */
      readonly answers: string;
    }
  | { readonly request: unknown }
);

/** What one home is answered otherwise, of one policy type. */
export interface ReplayedChange {
  readonly id: string;
  readonly policy_type: string;
  readonly state: string;
  readonly before: SavedAnswer;
  readonly after: SavedAnswer;
  /** What was answered then; null: it was not asked of anybody. */
  readonly answered: SavedAnswer | null;
  /** Behind what is another reason or requirement. */
  readonly rule_ids: readonly string[];
}

type Counted = Readonly<Record<string, number>>;

/** What a version answers otherwise than what is in force, of homes that were asked about. In wire names. */
export interface ReplayedHomes {
  /** That the carrier was asked about. */
  readonly homes: number;
  /** Of these, answered otherwise for one policy type at least. */
  readonly changed: number;
  /** Of these, answered otherwise than then by what is in force already. */
  readonly changed_since: number;
  /** Changes by what becomes of what, by the codes that come and go, by the rules behind them, and by state. */
  readonly by_move: Counted;
  readonly by_code: Counted;
  readonly by_rule: Counted;
  readonly by_state: Counted;
  /** Homes that could not be judged again, by why. */
  readonly not_judged: readonly { readonly why: string; readonly homes: number; readonly first: string }[];
  /** The first of them. */
  readonly changes: readonly ReplayedChange[];
}

/** Judges homes by a version and by what is in force, each as though it were in force. */
export interface HomesReplay {
  evaluate(homes: readonly HomeToReplay[]): Promise<void>;
  result(): ReplayedHomes;
}

/** Begins a replay, or says what is wrong with the version. */
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

type Answering = ReturnType<typeof answering>;

/** Why a home cannot be judged again, in words that many share. */
class NotJudged extends Error {}

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
  const unjudged = new Map<string, { homes: number; first: string }>();
  let homes = 0;
  let changed = 0;
  let changedSince = 0;

  let tightening: ReadonlyMap<string, unknown> | undefined;
  const byOverride = new Map<string | undefined, { before: Answering | undefined; after: Answering }>();
  const judgesOf = (sha256: string | undefined) => {
    const known = byOverride.get(sha256);
    if (known) return known;
    const tightened = (ruleSet: RuleSet): RuleSet => {
      if (sha256 === undefined) return ruleSet;
      tightening ??= new Map(overrides.map((each) => [sha256OfJson(each), each]));
      const { override } = checkOverride(tightening.get(sha256), [], vocabulary);
      if (!override) throw new NotJudged('It was judged under an override that is there no longer.');
      return applyOverride(ruleSet, override);
    };
    const judges = { before: older && answering(tightened(older)), after: answering(tightened(newer)) };
    byOverride.set(sha256, judges);
    return judges;
  };

  const open = (home: HomeToReplay, saved: unknown): { property: Property; asked: RecordedRuleSet | undefined } => {
    if ('request' in home) {
      const parsed = parseRequest(home.request, { now: new Date(atMs), vocabulary });
      if (!parsed.ok) throw new NotJudged(parsed.faults.map(({ message }) => message).join(' '));
      return { property: parsed.request.property, asked: undefined };
    }
    const { record, property } = readRecordedHome(saved, vocabulary);
    return { property, asked: record.rule_sets.find((each) => each.carrier_key === newer.carrierKey) };
  };

  const judge = async (home: HomeToReplay): Promise<void> => {
    const isSaved = 'record' in home;
    const saved: unknown = isSaved ? JSON.parse(home.record) : undefined;
    // Nobody of this line was asked about what is saved of another.
    if (isSaved && lineOfRecord(saved) !== vocabulary.line) return;
    const { property, asked } = open(home, saved);
    // Of a carrier that is new nobody was asked; all may be.
    if (isSaved && !asked && older) return;
    homes++;
    const { before, after } = judgesOf(asked?.override_sha256);
    const [was, is] = [(await before?.(property)) ?? noVerdicts, await after(property)];
    const given = isSaved ? (own(JSON.parse(home.answers), newer.carrierKey) as SavedAnswers[string]) : undefined;
    const all = property.policyType === undefined ? vocabulary.policyTypes : [property.policyType];
    let isChanged = false;
    let isChangedSince = false;
    for (const policyType of asked?.policy_types ?? all) {
      const [a, b] = [was.get(policyType), is.get(policyType)];
      const [first, second] = [answerOfVerdict(a), answerOfVerdict(b)];
      const answered = asked ? (given?.[policyType] ?? answerOfVerdict(undefined)) : null;
      if (answered && !isSameAnswer(answered, first)) isChangedSince = true;
      if (isSameAnswer(first, second)) continue;
      isChanged = true;
      const ruleIds = differingRules(a, b);
      if (changes.length < maxChanges) {
        const told = { before: first, after: second, answered, rule_ids: ruleIds };
        changes.push({ id: home.id, policy_type: policyType, state: property.state, ...told });
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
          await judge(home);
        } catch (error) {
          if (!(error instanceof NotJudged || error instanceof ReplayError)) throw error;
          const known = unjudged.get(error.message) ?? { homes: 0, first: home.id };
          unjudged.set(error.message, { ...known, homes: known.homes + 1 });
        }
      }
    },
    result: () => ({
      homes,
      changed,
      changed_since: changedSince,
      by_move: mostFirst(tallies.move),
      by_code: mostFirst(tallies.code),
      by_rule: mostFirst(tallies.rule),
      by_state: mostFirst(tallies.state),
      not_judged: [...unjudged].slice(0, maxChanges).map(([why, each]) => ({ why, ...each })),
      changes,
    }),
  };
}

/** The line that a saved decision is of; of what is no record its reading says so. */
function lineOfRecord(record: unknown): unknown {
  return isObject(record) && typeof record['line'] === 'string' ? record['line'] : homeVocabulary.line;
}

const noVerdicts: ReadonlyMap<string, Verdict> = new Map();

/** Rules behind reasons and requirements that one of two verdicts has and the other has not. */
function differingRules(a: Verdict | undefined, b: Verdict | undefined): string[] {
  const behind = (verdict: Verdict | undefined) =>
    [...(verdict?.reasons ?? []), ...(verdict?.requirements ?? [])].map(({ ruleId }) => ruleId);
  return differing(behind(a), behind(b));
}

function differing(a: readonly string[], b: readonly string[]): string[] {
  return [...new Set([...b.filter((each) => !a.includes(each)), ...a.filter((each) => !b.includes(each))])];
}

function raise(tally: Map<string, number>, key: string): void {
  tally.set(key, (tally.get(key) ?? 0) + 1);
}

function mostFirst(tally: ReadonlyMap<string, number>): Counted {
  return Object.fromEntries([...tally].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)));
}
