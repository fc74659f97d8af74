import { forEachLeaf, type Leaf, valueFact } from '../condition/condition.ts';
import { type ParsedOperator, parseOperator } from '../condition/operators.ts';
import { resolvePath } from '../condition/path.ts';
import { isWithin } from '../request/knowledge.ts';
import type { Rule } from '../rule-set/rule-set.ts';
import { type Almanac, type FactUse, factKey } from './almanac.ts';

export interface TestedFact extends FactUse {
  readonly leaf: Leaf;
  readonly path: string | undefined;
  /** Side of the test. */
  readonly side: 'fact' | 'value';
}

export type FactReader = (name: string, params?: Readonly<Record<string, unknown>>) => unknown;

const noParams = Object.freeze({});

/** Once for each test. */
export function testedFacts(rules: readonly Rule[], almanac: Almanac): readonly TestedFact[] {
  const uses: TestedFact[] = [];
  const visited = new Set<Rule['condition']>();
  const visit = (leaf: Leaf) => {
    const { fact: name, params = noParams, path } = leaf;
    if (almanac.has(name)) uses.push({ name, params, path, leaf, side: 'fact' });
    const other = valueFact(leaf.value);
    if (!other || !almanac.has(other.fact)) return;
    uses.push({ name: other.fact, params: other.params ?? noParams, path: other.path, leaf, side: 'value' });
  };
  for (const rule of rules) forEachLeaf(rule.condition, visit, visited);
  return uses;
}

/**
 * Reads the host facts of some rules' tests. A value that one test cannot compare (text instead of a number) counts as unknown in all
 * these rules; json-rules-engine would evaluate the test as false.
 */
export async function readTestedFacts(
  rules: readonly Rule[],
  almanac: Almanac,
  policyType: string,
): Promise<FactReader> {
  const uses = testedFacts(rules, almanac);
  await almanac.read(uses, policyType);
  const unfit = new Set<string>();
  for (const use of uses) {
    const value = almanac.value(use.name, use.params, policyType);
    if (value === undefined || isComparable(use, value)) continue;
    unfit.add(factKey(use.name, use.params));
    const error = new TypeError(`The fact "${use.name}" has a value that "${use.leaf.operator}" cannot compare.`);
    almanac.report({ name: use.name, reason: 'invalid_value', error });
  }
  return (name, params = noParams) =>
    unfit.has(factKey(name, params)) ? undefined : almanac.value(name, params, policyType);
}

function isComparable({ leaf, path, side }: TestedFact, whole: unknown): boolean {
  const parsed = parseOperator(leaf.operator);
  const value = path === undefined ? whole : resolvePath(whole, path);
  if (!parsed || value === undefined || isWithin(value)) return true;
  return side === 'fact' ? isLeft(value, leaf.value, parsed) : isRight(value, parsed);
}

function isLeft(value: unknown, constant: unknown, { base, decorators }: ParsedOperator): boolean {
  if (decorators.some((each) => each === 'someFact' || each === 'everyFact')) return Array.isArray(value);
  if (decorators.some((each) => each !== 'not')) return true;
  if (base.shape === 'member') return Array.isArray(value);
  if (base.shape === 'order') return isOrdered(value, constant);
  const constants = (base.shape === 'list' ? constant : [constant]) as unknown;
  if (value === null || valueFact(constant) || !Array.isArray(constants)) return true;
  const types = new Set(constants.filter((each) => each !== null).map((each) => typeof each));
  return types.size === 0 || types.has(typeof value);
}

function isOrdered(value: unknown, constant: unknown): boolean {
  if (typeof value === 'number') return true;
  if (typeof value !== 'string' || value.trim() === '') return false;
  // Texts are ordered, as dates are; compared with a number, a text must be numeric.
  return typeof constant === 'number' ? !Number.isNaN(Number(value)) : !Number.isNaN(Number.parseFloat(value));
}

function isRight(value: unknown, { base, decorators }: ParsedOperator): boolean {
  const needsList = base.shape === 'list' || decorators.some((each) => each === 'someValue' || each === 'everyValue');
  return !needsList || Array.isArray(value);
}
