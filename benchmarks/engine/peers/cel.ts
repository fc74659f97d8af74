import { parse } from '@marcbachmann/cel-js';
import type { BenchmarkCarrier, Condition } from '../carriers.ts';
import { byFunctions } from './by-functions.ts';
import type { Peer } from './peer.ts';

/** A CEL library, every rule parsed once. */
export function createCel(carriers: readonly BenchmarkCarrier[]): Peer {
  return byFunctions('CEL, parsed', 40, carriers, (condition) => {
    const program = parse(expression(condition));
    return (facts) => program(facts) as boolean;
  });
}

const signs: Readonly<Record<string, string>> = { greaterThan: '>', lessThan: '<', equal: '==' };

function expression(condition: Condition): string {
  if ('all' in condition) return `(${condition.all.map(expression).join(' && ')})`;
  if ('any' in condition) return `(${condition.any.map(expression).join(' || ')})`;
  if ('not' in condition) return `!(${expression(condition.not)})`;
  const { fact, operator, value } = condition;
  const literal = typeof value === 'number' ? `${value}.0` : JSON.stringify(value);
  return operator === 'in' ? `(${fact} in ${literal})` : `(${fact} ${signs[operator]} ${literal})`;
}
