import type { Engine, TopLevelCondition } from 'json-rules-engine';
import { forEachLeaf, type Leaf, type Tree } from '../condition/condition.ts';
import { COMPUTE, type Compute } from '../condition/fact-map.ts';
import { leafTruthOrUndecided } from '../condition/leaf-truth.ts';
import { hostOperatorFunction, operatorFunction, rangeOperators } from '../condition/operators.ts';
import { resolvePath } from '../condition/path.ts';
import type { Truth } from '../condition/truth.ts';
import type { Rule } from '../rule-set/rule-set.ts';
import { Almanac, type HostOptions } from './almanac.ts';
import type { Evaluator } from './evaluator.ts';
import { readTestedFacts } from './fact-uses.ts';

/**
 * Evaluation by json-rules-engine, which knows only true and false.
 *
 * Two operator decorators make it three-valued. Each rule is evaluated twice: `definitely` takes every unknown test as failed,
 * `possibly` takes it as passed. Under a `not` the two swap. A rule is true if it holds definitely, false if it does not hold even
 * possibly, and undecided otherwise.
 *
 * It evaluates rule sets that use facts or operators of the host. Tests use it as the oracle for compiled rules.
 */

/** An operator of a host, as in json-rules-engine. */
export type HostOperator = (factValue: unknown, value: unknown) => boolean;

export interface ReferenceOptions extends HostOptions {
  readonly operators?: Readonly<Record<string, HostOperator>>;
}

type Next = (factValue: unknown, value: unknown) => boolean;

/**
 * Creates the evaluator that runs json-rules-engine, loaded at the first evaluation because most catalogs never need it.
 *
 * @example const truths = await createReferenceEvaluator().evaluate(ruleSet.rules, facts);
 */
export function createReferenceEvaluator(options: ReferenceOptions = {}): Evaluator {
  return {
    findOperator: (name) => hostOperatorFunction(name, options.operators ?? {}) ?? operatorFunction(name),
    async evaluate(rules, facts, almanac = new Almanac(options, () => facts, {})) {
      const readFact = await readTestedFacts(rules, almanac, String(facts.get('policy_type')));
      const { Engine, Fact, Operator, OperatorDecorator } = await import('json-rules-engine');
      // Concurrent runs on one engine lose rules, because it stores the status.
      const engine = new Engine([], { allowUndefinedFacts: true, pathResolver: resolvePath });
      const truthOf = (factValue: unknown, value: unknown, next: Next) => leafTruthOrUndecided(factValue, value, next);
      // The value is known, and the operator holds for every value within its bounds.
      engine.addOperatorDecorator(new OperatorDecorator('definitely', (...test) => truthOf(...test) === 'true'));
      // The value is unknown, or the operator holds for some value within its bounds.
      engine.addOperatorDecorator(new OperatorDecorator('possibly', (...test) => truthOf(...test) !== 'false'));
      for (const { name, test } of rangeOperators) engine.addOperator(new Operator(name, test));
      for (const [name, test] of Object.entries(reportingOperators(options.operators ?? {}, almanac))) {
        engine.addOperator(new Operator(name, test));
      }
      for (const [name, value] of facts) {
        if (value !== undefined && name !== COMPUTE) engine.addFact(new Fact(name, value));
      }
      for (const { fact, computed } of computedLeaves(rules)) {
        const value = (facts.get(COMPUTE) as Compute | undefined)?.(computed!);
        if (value !== undefined) engine.addFact(new Fact(fact, value));
      }
      for (const name of Object.keys(options.facts ?? {})) {
        engine.addFact(new Fact(name, (params: Readonly<Record<string, unknown>>) => readFact(name, params)));
      }
      for (const [index, rule] of rules.entries()) addRule(engine, rule, index);
      const matched = new Set((await engine.run()).events.map((event) => event.type));
      return rules.map(
        (_, index): Truth =>
          matched.has(`definitely ${index}`) ? 'true' : matched.has(`possibly ${index}`) ? 'undecided' : 'false',
      );
    },
  };
}

/** Returns the tests of computed facts, one for each fact. */
function computedLeaves(rules: readonly Rule[]): Iterable<Leaf> {
  const leaves = new Map<string, Leaf>();
  const visited = new Set<Tree>();
  for (const { condition } of rules) {
    forEachLeaf(condition, (leaf) => leaf.computed && leaves.set(leaf.fact, leaf), visited);
  }
  return leaves.values();
}

/** Wraps the host's operators to report errors. */
function reportingOperators(
  operators: Readonly<Record<string, HostOperator>>,
  almanac: Almanac,
): Record<string, HostOperator> {
  return Object.fromEntries(
    Object.entries(operators).map(([name, test]) => [
      name,
      (factValue: unknown, value: unknown): boolean => {
        try {
          return test(factValue, value);
        } catch (error) {
          almanac.report({ name, reason: 'operator_failed', error });
          throw error;
        }
      },
    ]),
  );
}

function addRule(engine: Engine, rule: Rule, index: number): void {
  for (const side of ['definitely', 'possibly'] as const) {
    engine.addRule({ conditions: toEngineCondition(rule.condition, side), event: { type: `${side} ${index}` } });
  }
}

type Side = 'definitely' | 'possibly';
const other = { definitely: 'possibly', possibly: 'definitely' } as const;

/** Converts a tree to a condition of json-rules-engine, with each test under the decorator of its side. A `not` switches the side. */
function toEngineCondition(tree: Tree, side: Side): TopLevelCondition {
  const condition = convert(tree, side);
  return (tree.kind === 'leaf' ? { all: [condition] } : condition) as TopLevelCondition;
}

function convert(tree: Tree, side: Side): Record<string, unknown> {
  switch (tree.kind) {
    case 'leaf':
      return leafCondition(tree, `${side}:`);
    case 'not':
      return { not: convert(tree.of, other[side]) };
    default:
      return { [tree.kind]: tree.of.map((child) => convert(child, side)) };
  }
}

function leafCondition(leaf: Leaf, prefix = ''): Record<string, unknown> {
  return {
    fact: leaf.fact,
    operator: `${prefix}${leaf.operator}`,
    value: leaf.value,
    ...(leaf.path === undefined ? {} : { path: leaf.path }),
    ...(leaf.params === undefined ? {} : { params: leaf.params }),
  };
}
