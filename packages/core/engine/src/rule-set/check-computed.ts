import { didYouMean, isObject, own, quoteValue, writeLimits } from '@leeward/terms';
import { domainOfComputed, momentFacts, unitOfAggregate } from '../condition/computed.ts';
import { nameOfComputed } from '../condition/computed-name.ts';
import {
  type Aggregate,
  type Computed,
  type Leaf,
  type LeafCondition,
  type Operand,
  type OperationName,
  sizeOfComputed,
  type Tree,
} from '../condition/condition.ts';
import { parseOperator } from '../condition/operators.ts';
import { factIndex, itemIndex, unitOf } from '../vocabulary/fact-index.ts';
import { itemVocabulary } from '../vocabulary/item-vocabulary.ts';
import type { ListField } from '../vocabulary/list-field.ts';
import { findArea } from './area-test.ts';
import { formOf, isNumeric } from './check-constant.ts';
import { evidenceHint, readEvidenceAge } from './check-evidence.ts';
import type { ConditionContext } from './condition-context.ts';
import { meantOperator } from './meant-words.ts';

/** Keys of aggregates over a list. `min` and `max` are arithmetic if they name operands instead of a list. */
const aggregates = ['count', 'sum', 'min', 'max'] as const;
const operations = ['add', 'subtract', 'multiply', 'percent_of', 'min', 'max'] as const;
/** Keys with which a test, instead of `fact`, names what it computes. */
export const computedKeys: readonly string[] = [...new Set<string>([...aggregates, ...operations, 'miles_to'])];

/** Maximum number of nodes of one computed fact. */
const MAX_NODES = 200;

/** A checked operand with its unit. `any`: a plain number in it stands for the unit that is missing. */
interface CheckedOperand {
  readonly operand: Operand;
  readonly unit: string | undefined | 'any';
}

/** Reads a condition: given by the caller, because conditions contain aggregates, and aggregates conditions. */
export type ReadItemCondition = (source: unknown, path: string, context: ConditionContext) => Tree;

/** True for an expression: an object that computes a number. */
export function isExpression(value: unknown): value is Record<string, unknown> {
  return isObject(value) && computedKeys.some((key) => Object.hasOwn(value, key));
}

/**
 * Reads a test of a computed number: `{ "count": "losses", … }`, or a fact compared with an expression. The difference
 * of both sides is then compared with 0.
 */
export function readComputedTest(
  source: Record<string, unknown>,
  path: string,
  context: ConditionContext,
  readItems: ReadItemCondition,
): Leaf | undefined {
  const { faults, vocabulary } = context;
  const before = faults.length;
  for (const key of ['operator', 'value']) {
    if (Object.hasOwn(source, key)) continue;
    const message = `This test of ${quoteValue(Object.keys(source)[0])} lacks ${key}.`;
    faults.push({ path, code: 'missing_key', message });
  }
  for (const key of ['path', 'params']) {
    if (!Object.hasOwn(source, key)) continue;
    const message = `A test of a computed number has no ${key}; leave it out.`;
    faults.push({ path: `${path}/${key}`, code: 'misplaced_key', message });
  }
  const { operator, value } = source;
  const parsed = typeof operator === 'string' ? parseOperator(operator) : undefined;
  if (typeof operator === 'string') {
    const isPlain = parsed?.decorators.every((each) => each === 'not') === true && parsed.base.shape !== 'member';
    if (!isPlain) {
      const use = 'equal, notEqual, in, notIn, lessThan, lessThanInclusive, greaterThan or greaterThanInclusive';
      const message = `${quoteValue(operator)} does not suit a computed number; use ${use}.${meantOperator(operator) ?? ''}`;
      faults.push({ path: `${path}/operator`, code: parsed ? 'operator_not_for_kind' : 'unknown_operator', message });
    }
  }
  const left = readOperand(source, path, context, readItems);
  const isCompared = isObject(value);
  const right = isCompared ? readOperand(value, `${path}/value`, context, readItems) : undefined;
  const isList = parsed?.base.shape === 'list';
  if (isCompared && isList) {
    const message = `${operator} compares with a list of numbers, not with an expression.`;
    faults.push({ path: `${path}/value`, code: 'value_wrong_type', message });
  }
  if (!isCompared && value !== undefined) {
    const values: readonly unknown[] = isList && Array.isArray(value) ? value : [value];
    if (isList !== Array.isArray(value) || !values.every((each) => typeof each === 'number')) {
      const what = isList ? 'a list of numbers' : 'a number or an expression';
      const message = `A computed number is compared with ${what}, not with ${quoteValue(value)}.`;
      faults.push({ path: `${path}/value`, code: 'value_wrong_type', message });
    }
  }
  if (left && right) unitFault(left, right, 'compared', `${path}/value`, context);
  if (faults.length > before || !left || typeof operator !== 'string' || (isCompared && !right)) return undefined;
  const operand: Operand = right
    ? { kind: 'operation', apply: 'subtract', of: [left.operand, right.operand] }
    : left.operand;
  // Only an expression, an aggregate or the age of evidence reaches this point.
  const computed = operand as Computed;
  if (sizeOfComputed(computed) > MAX_NODES) {
    const message = `This test computes with ${sizeOfComputed(computed)} parts; at most ${MAX_NODES} are accepted.`;
    faults.push({ path, code: 'expression_too_large', message });
    return undefined;
  }
  warnOutOfDomain(computed, right ? undefined : value, path, context);
  return {
    kind: 'leaf',
    fact: nameOfComputed(computed),
    operator,
    value: right ? 0 : value,
    computed,
    ...(right ? { sides: [left.operand, right.operand] as const } : {}),
    written: source as unknown as LeafCondition,
  };

  function warnOutOfDomain(of: Computed, limit: unknown, at: string, { warnings }: ConditionContext): void {
    if (limit === undefined) return;
    const { min, max } = domainOfComputed(of, vocabulary, 2200);
    for (const each of [limit].flat()) {
      if (typeof each !== 'number' || (each >= min && each <= max)) continue;
      const message = `This number is always from ${writeLimits(min, max)}; ${quoteValue(each)} lies outside.`;
      warnings.push({ path: `${at}/value`, code: 'value_out_of_domain', message });
    }
  }
}

function readOperand(
  source: unknown,
  path: string,
  context: ConditionContext,
  readItems: ReadItemCondition,
): CheckedOperand | undefined {
  const { faults } = context;
  if (typeof source === 'number') return { operand: { kind: 'number', value: source }, unit: undefined };
  if (!isObject(source)) {
    const message = `${quoteValue(source)} is not a number; give a number, { "fact": … }, or an expression such as { "add": [ … ] }.`;
    faults.push({ path, code: 'value_wrong_type', message });
    return undefined;
  }
  const keys = [...computedKeys, 'fact'].filter((key) => Object.hasOwn(source, key));
  const [key] = keys;
  if (key === undefined || keys.length > 1) {
    const names = ['fact', ...computedKeys];
    const message =
      key === undefined
        ? `This expression has no operation; use one of: ${names.join(', ')}.${didYouMean(Object.keys(source)[0] ?? '', names)}`
        : `One expression has ${keys.join(' and ')}; keep one of them and nest the others.`;
    faults.push({ path, code: key === undefined ? 'missing_key' : 'ambiguous_expression', message });
    return undefined;
  }
  if (key === 'fact') return readFactOperand(source['fact'], `${path}/fact`, context);
  const value = source[key];
  if (key === 'miles_to') return readMilesTo(source, path, context);
  if (Array.isArray(value)) return readOperation(key, value, source, path, context, readItems);
  return readAggregate(key, source, path, context, readItems);
}

/** True for a test of a number that depends on the time of the request, on either side. */
export function isOfMoment({ fact, value }: Readonly<Record<string, unknown>>): boolean {
  return isMomentName(fact) || (isObject(value) && isMomentName(own(value, 'fact')));
}

function isMomentName(name: unknown): name is 'days_until_effective' {
  return name === 'days_until_effective';
}

function readMilesTo(
  source: Record<string, unknown>,
  path: string,
  context: ConditionContext,
): CheckedOperand | undefined {
  misplaced(source, ['of', 'where'], path, 'miles_to', context);
  const name = source['miles_to'];
  const named = findArea(name, `${path}/miles_to`, 'miles_to', context);
  if (!named || named.kind === 'invalid') return undefined;
  if (named.kind === 'zipcodes') {
    const message = `The area ${quoteValue(name)} is a list of ZIP codes, which has no distance; test whether the location is within it, or give a polygon.`;
    context.faults.push({ path: `${path}/miles_to`, code: 'value_wrong_type', message });
    return undefined;
  }
  return { operand: { kind: 'area', apply: 'miles', area: named.area }, unit: 'miles' };
}

function readFactOperand(name: unknown, path: string, context: ConditionContext): CheckedOperand | undefined {
  const { vocabulary, faults, host } = context;
  if (isMomentName(name)) return { operand: { kind: 'moment', fact: name }, unit: momentFacts[name].unit };
  const index = factIndex(vocabulary);
  const reference = typeof name === 'string' && index.names.includes(name) ? index.find(name) : undefined;
  if (reference && isNumeric(reference) && !formOf(reference)) {
    return { operand: { kind: 'fact', fact: name as string }, unit: unitOf(reference) };
  }
  const age = readEvidenceAge(name, context);
  if (age) return { operand: age, unit: 'years' };
  const isHost = typeof name === 'string' && host.facts.has(name);
  const isKnown = reference || isHost || (typeof name === 'string' && (index.sets.has(name) || index.lists.has(name)));
  const hint = typeof name === 'string' && !isKnown ? didYouMean(name, index.names) : '';
  const message = isHost
    ? `${quoteValue(name)} is a fact of the host; computed numbers use the facts of the home.`
    : isKnown
      ? `${quoteValue(name)} is not a number; arithmetic needs numbers.`
      : `${quoteValue(name)} is not a fact of the line ${vocabulary.line}.${evidenceHint(name, vocabulary) || hint}`;
  faults.push({ path, code: isKnown ? 'value_wrong_type' : 'unknown_fact', message });
  return undefined;
}

function readOperation(
  key: string,
  values: readonly unknown[],
  source: Record<string, unknown>,
  path: string,
  context: ConditionContext,
  readItems: ReadItemCondition,
): CheckedOperand | undefined {
  const { faults } = context;
  const at = `${path}/${key}`;
  if (!(operations as readonly string[]).includes(key)) {
    const message = `${key} names a list, as in { "${key}": "losses" }; for arithmetic use ${operations.join(', ')}.`;
    faults.push({ path: at, code: 'value_wrong_type', message });
    return undefined;
  }
  misplaced(source, ['of', 'where'], path, `${key} of numbers`, context);
  const isPair = key === 'subtract' || key === 'percent_of';
  if (isPair ? values.length !== 2 : values.length < 2) {
    const wants =
      key === 'percent_of'
        ? 'a percentage and a number: { "percent_of": [2, { "fact": "dwelling_a" }] }'
        : isPair
          ? 'two numbers, the second from the first'
          : 'two or more numbers';
    faults.push({ path: at, code: 'wrong_operands', message: `${key} takes ${wants}.` });
    return undefined;
  }
  const before = faults.length;
  const of = values.map((each, index) => readOperand(each, `${at}/${index}`, context, readItems));
  if (!of.every((each) => each !== undefined)) return undefined;
  const unit = unitOfOperation(key as OperationName, of, at, context);
  if (faults.length > before) return undefined;
  return { operand: { kind: 'operation', apply: key as OperationName, of: of.map(({ operand }) => operand) }, unit };
}

function unitOfOperation(
  apply: OperationName,
  of: readonly CheckedOperand[],
  path: string,
  context: ConditionContext,
): CheckedOperand['unit'] {
  if (apply === 'multiply') {
    const units = of.flatMap(({ unit }) => (unit === undefined ? [] : [unit]));
    // A plain factor may be anything per something: 150 dollars per square foot.
    if (units.includes('any') || units.length < of.length) return units.length === 0 ? undefined : 'any';
    return units.sort().join(' × ');
  }
  if (apply === 'percent_of') {
    const [percentage, whole] = of as [CheckedOperand, CheckedOperand];
    const { unit } = percentage;
    if (unit !== undefined && unit !== 'any' && unit !== 'percent') {
      const message = `The first operand of percent_of is a percentage; this one is in ${unit}. Swap the two.`;
      context.faults.push({ path: `${path}/0`, code: 'different_units', message });
    }
    return whole.unit;
  }
  const [first, ...rest] = of as [CheckedOperand, ...CheckedOperand[]];
  let common = first;
  rest.forEach((each, index) => {
    unitFault(common, each, 'combined', `${path}/${index + 1}`, context);
    if (common.unit === undefined || common.unit === 'any') common = each;
  });
  return common.unit;
}

/** Reports two operands in different units. A plain number suits any unit. */
function unitFault(
  left: CheckedOperand,
  right: CheckedOperand,
  how: 'compared' | 'combined',
  path: string,
  { faults }: ConditionContext,
): void {
  if (left.unit === undefined || right.unit === undefined || left.unit === 'any' || right.unit === 'any') return;
  if (left.unit === right.unit) return;
  const message = `A number in ${left.unit} is ${how} with one in ${right.unit}; use one unit, or multiply by the number of ${left.unit} per unit.`;
  faults.push({ path, code: 'different_units', message });
}

function readAggregate(
  key: string,
  source: Record<string, unknown>,
  path: string,
  context: ConditionContext,
  readItems: ReadItemCondition,
): CheckedOperand | undefined {
  const { vocabulary, faults } = context;
  const at = `${path}/${key}`;
  const name = source[key];
  const index = factIndex(vocabulary);
  if (!(aggregates as readonly string[]).includes(key)) {
    const message = `${key} takes a list of numbers: { "${key}": [ … ] }, not ${quoteValue(name)}.`;
    faults.push({ path: at, code: 'value_wrong_type', message });
    return undefined;
  }
  const list = typeof name === 'string' ? index.lists.get(name) : undefined;
  if (!list) {
    const names = [...index.lists.keys()];
    const hint = typeof name === 'string' ? didYouMean(name, names) : '';
    const choices =
      names.length === 0 ? `The line ${vocabulary.line} has no lists.` : `Use one of: ${names.join(', ')}.`;
    faults.push({ path: at, code: 'unknown_list', message: `${quoteValue(name)} is not a list. ${choices}${hint}` });
    return undefined;
  }
  const before = faults.length;
  const apply = key as Aggregate['apply'];
  const field = apply === 'count' ? undefined : readItemNumber(apply, list, source, path, context);
  if (apply === 'count') misplaced(source, ['of'], path, 'count', context);
  const where = Object.hasOwn(source, 'where')
    ? readItems(source['where'], `${path}/where`, itemContext(list, context))
    : undefined;
  if (faults.length > before) return undefined;
  const operand: Aggregate = { kind: 'aggregate', apply, list, field, where };
  return { operand, unit: unitOfAggregate(operand) };
}

/** Reads the number that `sum`, `min` and `max` take from each item. */
function readItemNumber(
  apply: string,
  list: ListField,
  source: Record<string, unknown>,
  path: string,
  { faults }: ConditionContext,
): string | undefined {
  const numbers = list.fields.flatMap((field) =>
    field.kind === 'number' ? [field.name] : field.kind === 'date' ? [field.age] : [],
  );
  const name = own(source, 'of');
  if (typeof name === 'string' && numbers.includes(name)) return name;
  const message =
    name === undefined
      ? `${apply} needs "of": the number of each ${list.itemLabel}. Use one of: ${numbers.join(', ')}.`
      : `${quoteValue(name)} is not a number of ${list.label}. Use one of: ${numbers.join(', ')}.${typeof name === 'string' ? didYouMean(name, numbers) : ''}`;
  faults.push({
    path: name === undefined ? path : `${path}/of`,
    code: name === undefined ? 'missing_key' : 'unknown_field',
    message,
  });
  return undefined;
}

function itemContext(list: ListField, context: ConditionContext): ConditionContext {
  // Registers the facts of the items.
  itemIndex(list);
  return {
    ...context,
    vocabulary: itemVocabulary(list),
    host: { facts: new Set(), operators: new Set() },
    allowPath: false,
    imported: false,
    shared: new Map(),
    sharedNames: [],
    list,
  };
}

function misplaced(
  source: Record<string, unknown>,
  keys: readonly string[],
  path: string,
  what: string,
  { faults }: ConditionContext,
): void {
  for (const key of keys) {
    if (!Object.hasOwn(source, key)) continue;
    faults.push({ path: `${path}/${key}`, code: 'misplaced_key', message: `${what} has no "${key}"; leave it out.` });
  }
}

/** Reports `of` and `where` in a test that has no list. */
export function misplacedItemKeys(source: Record<string, unknown>, path: string, context: ConditionContext): void {
  misplaced(source, ['of', 'where'], path, 'A test of a fact', context);
}
