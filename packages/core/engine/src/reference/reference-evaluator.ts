import type { Engine } from 'json-rules-engine';
import { leafTruthOrUndecided } from '../condition/leaf-truth.ts';
import { hostOperatorFunction, operatorFunction } from '../condition/operators.ts';
import { resolvePath } from '../condition/path.ts';
import type { Truth } from '../condition/truth.ts';
import type { Rule } from '../rule-set/rule-set.ts';
import { Almanac, type HostOptions } from './almanac.ts';
import type { Evaluator } from './evaluator.ts';
import { readTestedFacts } from './fact-uses.ts';
import { toEngineCondition } from './to-engine-condition.ts';

/** A host's operator: as json-rules-engine has it. */
export type HostOperator = (factValue: unknown, value: unknown) => boolean;

export interface ReferenceOptions extends HostOptions {
  readonly operators?: Readonly<Record<string, HostOperator>>;
}

type Next = (factValue: unknown, value: unknown) => boolean;

/**
 * The reference: json-rules-engine, made three-valued by two operator decorators. Each rule is asked
 * twice, whether it holds definitely and whether possibly. The library loads when the first is asked: most
 * catalogs are compiled and never ask.
 */
export function createReferenceEvaluator(options: ReferenceOptions = {}): Evaluator {
  return {
    findOperator: (name) => hostOperatorFunction(name, options.operators ?? {}) ?? operatorFunction(name),
    async evaluate(rules, facts, almanac = new Almanac(options, () => facts, {})) {
      const readFact = await readTestedFacts(rules, almanac, String(facts.get('policy_type')));
      const { Engine, Fact, Operator, OperatorDecorator } = await import('json-rules-engine');
      // Status lives on the Engine: two runs on one at the same time lose rules, so each has its own.
      const engine = new Engine([], { allowUndefinedFacts: true, pathResolver: resolvePath });
      const truthOf = (factValue: unknown, value: unknown, next: Next) => leafTruthOrUndecided(factValue, value, next);
      // The value is known, and the operator holds for every value within its bounds.
      engine.addOperatorDecorator(new OperatorDecorator('definitely', (...test) => truthOf(...test) === 'true'));
      // The value is unknown, or the operator holds for some value within its bounds.
      engine.addOperatorDecorator(new OperatorDecorator('possibly', (...test) => truthOf(...test) !== 'false'));
      for (const [name, test] of Object.entries(reportingOperators(options.operators ?? {}, almanac))) {
        engine.addOperator(new Operator(name, test));
      }
      for (const [name, value] of facts) if (value !== undefined) engine.addFact(new Fact(name, value));
      for (const name of Object.keys(options.facts ?? {})) {
        engine.addFact(new Fact(name, (params: Readonly<Record<string, unknown>>) => readFact(name, params)));
      }
      for (const [index, rule] of rules.entries()) addRule(engine, rule, index);
      const held = new Set((await engine.run()).events.map((event) => event.type));
      return rules.map(
        (_, index): Truth =>
          held.has(`definitely ${index}`) ? 'true' : held.has(`possibly ${index}`) ? 'undecided' : 'false',
      );
    },
  };
}

/** The host's operators, each reporting that it threw. */
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
