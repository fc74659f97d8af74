import type { BenchmarkCarrier, Condition } from '../carriers.ts';
import type { Facts } from '../homes.ts';
import { byFunctions } from './by-functions.ts';
import type { Peer } from './peer.ts';

type Test = (facts: Facts) => boolean;

/** Hand-written code: every rule a closure. */
export function createClosures(carriers: readonly BenchmarkCarrier[]): Peer {
  return byFunctions('closures, by type', 400, carriers, toClosure);
}

function toClosure(condition: Condition): Test {
  if ('all' in condition) {
    const tests = condition.all.map(toClosure);
    return (facts) => tests.every((test) => test(facts));
  }
  if ('any' in condition) {
    const tests = condition.any.map(toClosure);
    return (facts) => tests.some((test) => test(facts));
  }
  if ('not' in condition) {
    const test = toClosure(condition.not);
    return (facts) => !test(facts);
  }
  const { fact, value } = condition;
  switch (condition.operator) {
    case 'greaterThan':
      return (facts) => (facts[fact] as number) > (value as number);
    case 'lessThan':
      return (facts) => (facts[fact] as number) < (value as number);
    case 'in': {
      const words = new Set(value as string[]);
      return (facts) => words.has(facts[fact] as string);
    }
    default:
      return (facts) => facts[fact] === value;
  }
}
