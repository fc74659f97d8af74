import { arrayOf, isObject, own } from '@leeward/terms';
import type { TopLevelCondition } from 'json-rules-engine';
import type { Leaf, Tree } from '../condition/condition.ts';
import { priorityRanks } from './priority-ranks.ts';
import type { Program, Rule, RuleSet } from './rule-set.ts';
import type { MoratoriumFile, Outcome } from './schema.ts';

type NestedCondition = Extract<TopLevelCondition, { all: unknown }>['all'][number];

/** A rule as `new Engine([rule])` of json-rules-engine takes it. */
export interface JsonRulesEngineRule {
  readonly name: string;
  readonly conditions: TopLevelCondition;
  readonly event: { readonly type: Outcome; readonly params: { readonly code: string; readonly message: string } };
  /** Only where it is not json-rules-engine's own default of 1. */
  readonly priority?: number;
}

/** A rule set as json-rules-engine's rules, and what such rules cannot say. */
export interface JsonRulesEngineExport {
  readonly rules: readonly JsonRulesEngineRule[];
  /** Dates and instants, which no rule of theirs looks at: the version's window and the moratoria, as written. */
  readonly omitted: {
    readonly effective: { readonly from: string; readonly until: string | null };
    readonly moratoria: readonly MoratoriumFile[];
  };
}

/**
 * Writes a rule set as plain json-rules-engine rules. On the facts of a complete home (the vocabulary's
 * names, `state`, `policy_type`, and `county` as a FIPS code) exactly the rules fire that hold here: where
 * no program answers, none does. Shared conditions are written out, `unless` comes under a `not`.
 */
export function toJsonRulesEngine(ruleSet: RuleSet): JsonRulesEngineExport {
  const rank = priorityRanks(ruleSet);
  const write = (rule: Rule, places: readonly NestedCondition[]): JsonRulesEngineRule => {
    const priority = rank(rule.priority);
    const condition = conditionOf(rule.condition);
    return {
      name: rule.id,
      conditions: { all: [...places, ...('all' in condition ? condition.all : [condition])] },
      event: { type: rule.outcome, params: { code: rule.code, message: rule.message } },
      ...(priority === 1 ? {} : { priority }),
    };
  };
  const { programs, effectiveFrom, effectiveUntil } = ruleSet;
  return {
    rules: [
      ...ruleSet.rules.map((rule) => write(rule, anywhere(programs))),
      ...programs.flatMap((program) => program.rules.map((rule) => write(rule, answersHere(program)))),
    ],
    omitted: {
      effective: { from: effectiveFrom, until: effectiveUntil ?? null },
      moratoria: isObject(ruleSet.file) ? (arrayOf(own(ruleSet.file, 'moratoria')) as readonly MoratoriumFile[]) : [],
    },
  };
}

/** Holds where any of the programs answers. */
function anywhere(programs: readonly Program[]): NestedCondition[] {
  const [only] = programs;
  if (only && programs.length === 1) return answersHere(only);
  return [{ any: programs.map((program) => ({ all: answersHere(program) })) }];
}

/** Holds for the policy types, states and counties of a program. */
function answersHere({ policyTypes, places }: Program): NestedCondition[] {
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
      return testOf(tree);
    case 'not':
      return { not: conditionOf(tree.of) };
    case 'all':
      return { all: tree.of.map(conditionOf) };
    case 'any':
      return { any: tree.of.map(conditionOf) };
  }
}

/** A test as its author wrote it, counties as FIPS codes: their names would mean nothing elsewhere. */
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
