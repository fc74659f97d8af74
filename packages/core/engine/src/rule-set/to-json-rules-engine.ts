import { arrayOf, isObject, own } from '@leeward/terms';
import type { TopLevelCondition } from 'json-rules-engine';
import { forEachLeaf, type Leaf, type Tree } from '../condition/condition.ts';
import { parseOperator } from '../condition/operators.ts';
import { LOCATION_FACT } from './area-test.ts';
import { writtenRules } from './contradictions.ts';
import { hasTiers, ladderParts } from './ladder.ts';
import type { Program, Rule, RuleSet, Tier } from './rule-set.ts';
import type { MoratoriumFile, Outcome } from './schema.ts';

type NestedCondition = Extract<TopLevelCondition, { all: unknown }>['all'][number];

/** A rule in the input format of json-rules-engine's `new Engine([rule])`. */
export interface JsonRulesEngineRule {
  readonly name: string;
  readonly conditions: TopLevelCondition;
  readonly event: {
    readonly type: Outcome;
    readonly params: {
      readonly code: string;
      readonly message: string;
      /** Terms of an offer, as written. */
      readonly terms?: Readonly<Record<string, unknown>>;
      /** Id of the tier, for a rule of one. The rule counts for this tier only. */
      readonly tier?: string;
    };
  };
  /** Omitted if it is 1, the default of json-rules-engine. */
  readonly priority?: number;
}

/** A rule set as rules of json-rules-engine, and the parts that such rules cannot express. */
export interface JsonRulesEngineExport {
  readonly rules: readonly JsonRulesEngineRule[];
  /** Dates and times, as written: the version's effective dates and the moratoria. */
  readonly omitted: {
    readonly effective: { readonly from: string; readonly until: string | null };
    readonly moratoria: readonly MoratoriumFile[];
    /** Referrals for offers that contradict each other. Absent if there are none. */
    readonly contradictions?: readonly { readonly offers: readonly string[]; readonly message: string }[];
    /** Ids of rules that compute numbers, with lists or arithmetic. Present if there are any. */
    readonly rules?: readonly string[];
    /**
     * Tiers, best first. Present if there are any: the host must take the best outcome of the tiers that cover the home. Rules without
     * `params.tier` count for every tier.
     */
    readonly tiers?: readonly (Tier & { readonly program: string })[];
  };
}

/**
 * Converts a rule set to plain json-rules-engine rules. For the facts of a complete home (names of the vocabulary,
 * `state`, `policy_type`, and `county` as a FIPS code), the same rules fire as here, and none outside the programs.
 * Shared conditions are expanded; `unless` becomes a `not`.
 *
 * @example
 *  const { rules } = toJsonRulesEngine(ruleSet);
 *  const { events } = await new Engine([...rules]).run(facts);
 */
export function toJsonRulesEngine(ruleSet: RuleSet): JsonRulesEngineExport {
  const rank = priorityRanks(ruleSet);
  const write = (rule: Rule, places: readonly NestedCondition[], program?: Program): JsonRulesEngineRule => {
    const priority = rank(rule.priority);
    const condition = conditionOf(rule.condition);
    return {
      name: rule.id,
      conditions: { all: [...places, ...('all' in condition ? condition.all : [condition])] },
      event: {
        type: rule.outcome,
        params: {
          code: rule.code,
          message: rule.message,
          ...(rule.terms ? { terms: structuredClone(rule.terms) } : {}),
          ...(program?.tier ? { tier: program.id } : {}),
        },
      },
      ...(priority === 1 ? {} : { priority }),
    };
  };
  const { programs, effectiveFrom, effectiveUntil } = ruleSet;
  const contradictions = [...ruleSet.rules, ...programs.flatMap((program) => program.rules)].flatMap(
    ({ contradicts, message }) => (contradicts ? [{ offers: contradicts, message }] : []),
  );
  const omittedRules: string[] = [];
  const expressible = (rules: readonly Rule[]) =>
    rules.filter((rule) => {
      if (!usesComputed(rule)) return true;
      omittedRules.push(rule.id);
      return false;
    });
  return {
    rules: [
      ...expressible(writtenRules(ruleSet.rules)).map((rule) => write(rule, inAnyProgram(programs))),
      ...programs.flatMap((program) =>
        expressible(writtenRules(program.rules)).map((rule) => write(rule, inProgram(program), program)),
      ),
    ],
    omitted: {
      effective: { from: effectiveFrom, until: effectiveUntil ?? null },
      moratoria: isObject(ruleSet.file) ? (arrayOf(own(ruleSet.file, 'moratoria')) as readonly MoratoriumFile[]) : [],
      ...(contradictions.length > 0 ? { contradictions } : {}),
      ...(omittedRules.length > 0 ? { rules: omittedRules } : {}),
      ...(hasTiers(programs)
        ? { tiers: ladderParts(programs).flatMap(({ tier }) => (tier ? [{ program: tier.id, ...tier.tier! }] : [])) }
        : {}),
    },
  };
}

function usesComputed({ condition }: Rule): boolean {
  let uses = false;
  forEachLeaf(condition, (leaf) => {
    if (leaf.computed) uses = true;
  });
  return uses;
}

/** Condition: the home is in some program. */
function inAnyProgram(programs: readonly Program[]): NestedCondition[] {
  const [only] = programs;
  if (only && programs.length === 1) return inProgram(only);
  return [{ any: programs.map((program) => ({ all: inProgram(program) })) }];
}

/** Condition: the home has a policy type, state and county of the program. */
function inProgram({ policyTypes, places }: Program): NestedCondition[] {
  const whole = (places.states ?? []).filter((state) => !places.counties.has(state));
  const narrowed = [...places.counties].map(([state, { mode, fips }]): NestedCondition[] => [
    { fact: 'state', operator: 'equal', value: state },
    { fact: 'county', operator: mode === 'include' ? 'in' : 'notIn', value: [...fips].sort() },
  ]);
  const choices: NestedCondition[][] = [
    ...(whole.length > 0 ? [[{ fact: 'state', operator: 'in', value: whole }]] : []),
    ...narrowed,
  ];
  const [only] = choices;
  return [
    { fact: 'policy_type', operator: 'in', value: [...policyTypes] },
    ...(only && choices.length === 1
      ? only
      : [{ any: choices.map((all) => (all.length === 1 ? all[0]! : { all })) } as const]),
  ];
}

function conditionOf(tree: Tree): NestedCondition {
  switch (tree.kind) {
    case 'leaf':
      return rangeTestOf(tree) ?? testOf(tree);
    case 'not':
      return { not: conditionOf(tree.of) };
    case 'all':
      return { all: tree.of.map(conditionOf) };
    case 'any':
      return { any: tree.of.map(conditionOf) };
  }
}

/** Returns a test of ranges as comparisons of the texts, which have one length; undefined for any other test. */
function rangeTestOf({ operator, value, written }: Leaf): NestedCondition | undefined {
  const parsed = parseOperator(operator);
  if (parsed?.base.shape !== 'ranges') return undefined;
  const ends = (value as readonly number[]).map((end) => String(end).padStart(5, '0'));
  // An area of ZIP codes is a test of the ZIP code.
  const fact = written.fact === LOCATION_FACT ? 'zipcode' : written.fact;
  const any = ends.flatMap((min, index): NestedCondition[] => {
    if (index % 2 === 1) return [];
    return [
      {
        all: [
          { fact, operator: 'greaterThanInclusive', value: min },
          { fact, operator: 'lessThanInclusive', value: ends[index + 1]! },
        ],
      },
    ];
  });
  const isNegated = (parsed.base.name === 'notInRanges') !== (parsed.decorators.length % 2 === 1);
  return isNegated ? { not: { any } } : { any };
}

/** Returns a test as written, but with counties as FIPS codes, which are valid elsewhere. */
function testOf(leaf: Leaf): NestedCondition {
  const { fact, operator, value, path, params } = leaf.fact === 'county' ? leaf : leaf.written;
  return {
    fact,
    operator,
    value: structuredClone(value),
    ...(path === undefined ? {} : { path }),
    ...(params === undefined ? {} : { params: structuredClone(params) as Record<string, unknown> }),
  };
}

/**
 * Maps priorities to whole numbers from 1, as json-rules-engine requires. Keeps valid priorities; otherwise uses ranks in the same
 * order.
 */
function priorityRanks(ruleSet: RuleSet): (priority: number) => number {
  const rules = [...ruleSet.rules, ...ruleSet.programs.flatMap((program) => program.rules)];
  const priorities = [...new Set(rules.map((rule) => rule.priority))];
  if (priorities.every((priority) => Number.isSafeInteger(priority) && priority >= 1)) return (priority) => priority;
  const ranks = new Map(priorities.sort((a, b) => a - b).map((priority, index) => [priority, index + 1]));
  return (priority) => ranks.get(priority) ?? 1;
}
