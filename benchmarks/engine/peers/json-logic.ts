import { LogicEngine } from 'json-logic-engine';
import type { BenchmarkCarrier, Condition } from '../carriers.ts';
import { byFunctions } from './by-functions.ts';
import type { Peer } from './peer.ts';

/** json-logic-engine, every rule compiled. */
export function createJsonLogic(carriers: readonly BenchmarkCarrier[]): Peer {
  const engine = new LogicEngine();
  return byFunctions(
    'json-logic-engine, compiled',
    100,
    carriers,
    (condition) => engine.build(toLogic(condition) as never) as never,
  );
}

const signs: Readonly<Record<string, string>> = { greaterThan: '>', lessThan: '<', equal: '===' };

function toLogic(condition: Condition): unknown {
  if ('all' in condition) return { and: condition.all.map(toLogic) };
  if ('any' in condition) return { or: condition.any.map(toLogic) };
  if ('not' in condition) return { '!': [toLogic(condition.not)] };
  const { fact, operator, value } = condition;
  return operator === 'in' ? { in: [{ var: fact }, value] } : { [signs[operator]!]: [{ var: fact }, value] };
}
