import type { Engine } from 'json-rules-engine';
import type { Facts } from '../condition/facts.ts';
import { leafTruth } from '../condition/leaf-truth.ts';
import { hostOperatorFunction, operatorFunction } from '../condition/operators.ts';
import { resolvePath } from '../condition/path.ts';
import type { Truth } from '../condition/truth.ts';
import type { Rule } from '../rule-set/rule-set.ts';
import type { Evaluator } from '../verdict/evaluator.ts';
import { toEngineCondition } from './to-engine-condition.ts';

/** A host's operator: as json-rules-engine has it. */
export type HostOperator = (factValue: unknown, value: unknown) => boolean;

/**
 * What the host knows beside the property: a value, or a function (it may be asynchronous) that gets the
 * `params` of the test. Undefined, or a promise of it, is unknown.
 */
export type HostFact =
  | ((params: Readonly<Record<string, unknown>>, facts: Facts) => unknown)
  | (string | number | boolean | null | undefined | readonly unknown[] | Readonly<Record<string, unknown>>);

export interface ReferenceOptions {
  readonly operators?: Readonly<Record<string, HostOperator>>;
  readonly facts?: Readonly<Record<string, HostFact>>;
}

type Next = (factValue: unknown, value: unknown) => boolean;

/** Where the value is known, and the operator holds whatever it is within its bounds. */
const definitely = (factValue: unknown, value: unknown, next: Next) => leafTruth(factValue, value, next) === 'true';
/** Where the value is unknown, or the operator holds for some value within its bounds. */
const possibly = (factValue: unknown, value: unknown, next: Next) => leafTruth(factValue, value, next) !== 'false';

/**
 * The reference: json-rules-engine, made three-valued by two operator decorators. Each rule is asked
 * twice, whether it holds definitely and whether possibly. The library loads when the first is asked: most
 * catalogs are compiled and never ask.
 */
export function createReferenceEvaluator(options: ReferenceOptions = {}): Evaluator {
  return {
    findOperator: (name) => hostOperatorFunction(name, options.operators ?? {}) ?? operatorFunction(name),
    async evaluate(rules, facts) {
      const { Engine, Fact, Operator, OperatorDecorator } = await import('json-rules-engine');
      // Status lives on the Engine: two runs on one at the same time lose rules, so each has its own.
      const engine = new Engine([], { allowUndefinedFacts: true, pathResolver: resolvePath });
      engine.addOperatorDecorator(new OperatorDecorator('definitely', definitely));
      engine.addOperatorDecorator(new OperatorDecorator('possibly', possibly));
      for (const [name, test] of Object.entries(options.operators ?? {})) engine.addOperator(new Operator(name, test));
      for (const [name, value] of facts) if (value !== undefined) engine.addFact(new Fact(name, value));
      for (const [name, fact] of Object.entries(options.facts ?? {})) {
        const compute =
          typeof fact === 'function' ? (params: Readonly<Record<string, unknown>>) => fact(params, facts) : fact;
        engine.addFact(new Fact(name, compute as never));
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

function addRule(engine: Engine, rule: Rule, index: number): void {
  for (const side of ['definitely', 'possibly'] as const) {
    engine.addRule({ conditions: toEngineCondition(rule.condition, side), event: { type: `${side} ${index}` } });
  }
}
