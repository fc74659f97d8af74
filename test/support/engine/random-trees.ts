import type { Tree } from '@leeward/engine/compiled';
import { pick, wholeNumber } from '../random.ts';
import { tinyValues } from './tiny-line.ts';

const orders = ['lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive'];
const equalities = ['equal', 'notEqual'];
const lists = ['in', 'notIn'];
const facts = [...Object.keys(tinyValues), 'boat_age'];
const numeric = new Set(['berths', 'engines', 'draft', 'launched', 'boat_age']);

export interface TreeOptions {
  readonly depth: number;
  /** Adds odd constants, decorators, and comparisons of two facts: everything json-rules-engine supports. */
  readonly wild: boolean;
}

/** A random condition over the tiny line. */
export function randomTree(random: () => number, options: TreeOptions): Tree {
  const roll = random();
  if (options.depth <= 0 || roll < 0.35) return randomLeaf(random, options.wild);
  const deeper = { ...options, depth: options.depth - 1 };
  if (roll < 0.5) return { kind: 'not', of: randomTree(random, deeper) };
  const kind = roll < 0.75 ? 'all' : 'any';
  const shared = random() < 0.1 ? randomTree(random, deeper) : undefined;
  const count = wholeNumber(random, options.wild ? 0 : 1, 3);
  const of = Array.from({ length: count }, () => (shared && random() < 0.5 ? shared : randomTree(random, deeper)));
  return { kind, of };
}

function randomLeaf(random: () => number, wild: boolean): Tree {
  const fact = pick(random, facts);
  const shapes = numeric.has(fact) ? [orders, orders, equalities, lists] : [equalities, lists];
  const shape = pick(random, wild ? [...shapes, orders, ['contains', 'doesNotContain']] : shapes);
  const base = pick(random, shape);
  let value: unknown =
    shape === lists
      ? Array.from({ length: wholeNumber(random, 0, 3) }, () => constant(random, fact))
      : constant(random, fact);
  let operator = base;
  if (wild) {
    if (random() < 0.15) operator = `not:${operator}`;
    if (random() < 0.05) operator = `swap:${operator}`;
    if (random() < 0.05) operator = `someFact:${operator}`;
    if (random() < 0.05 && shape !== lists) {
      operator = `${pick(random, ['someValue', 'everyValue'])}:${operator}`;
      value = Array.from({ length: wholeNumber(random, 0, 3) }, () => constant(random, fact));
    }
    if (random() < 0.08 && shape !== lists) value = pick<unknown>(random, ['2', 'x', '', null, true, [1, 2], '1.5']);
    if (random() < 0.08 && !operator.includes('Value')) value = { fact: pick(random, facts) };
    if (random() < 0.03 && shape === lists) value = '12345';
  }
  return { kind: 'leaf', fact, operator, value, written: { fact, operator, value } };
}

function constant(random: () => number, fact: string): unknown {
  if (fact === 'boat_age') return wholeNumber(random, -1, 6);
  return pick(random, tinyValues[fact]!);
}
