import { didYouMean, isObject, own, quoteValue } from '@leeward/terms';
import { type Leaf, type LeafCondition, type Tree, valueFact } from '../condition/condition.ts';
import {
  decoratorNames,
  operatorFunction,
  operatorNames,
  type ParsedOperator,
  parseOperator,
} from '../condition/operators.ts';
import { type FactReference, factIndex, unitOf } from '../vocabulary/fact-index.ts';
import { checkConstant, formOf, isNumeric } from './check-constant.ts';
import type { ConditionContext } from './condition-context.ts';
import { meantOperator } from './meant-words.ts';
import { onAxis } from './on-axis.ts';
import { readSetTest } from './set-test.ts';

/** Constants from each end of a list that a test is tried on. */
const SAMPLES = 8;

/**
 * Reads a test of a fact: names, then what is compared; undefined where keys are missing. A test of a set
 * becomes tests of its words.
 */
export function readLeaf(source: Record<string, unknown>, path: string, context: ConditionContext): Tree | undefined {
  const { faults } = context;
  for (const key of ['operator', 'value']) {
    if (!Object.hasOwn(source, key)) {
      faults.push({ path, code: 'missing_key', message: `This test of ${quoteValue(source['fact'])} has no ${key}.` });
    }
  }
  const { fact, operator, value } = source;
  if (typeof fact !== 'string' || typeof operator !== 'string' || value === undefined) return undefined;
  const reference = findFact(fact, `${path}/fact`, context);
  const parsed = findOperator(operator, `${path}/operator`, context);
  const other = valueFact(value);
  const there = other ? findFact(other.fact, `${path}/value/fact`, context) : undefined;
  if (!context.allowPath) pathFaults(source, other, path, context);
  const leaf: Leaf = {
    kind: 'leaf',
    fact,
    operator,
    value,
    ...(typeof own(source, 'path') === 'string' ? { path: source['path'] as string } : {}),
    ...(isObject(own(source, 'params')) ? { params: source['params'] as Record<string, unknown> } : {}),
    written: source as unknown as LeafCondition,
  };
  const set = factIndex(context.vocabulary).sets.get(fact);
  if (set && parsed) return readSetTest(leaf, set, parsed, path, context);
  if (!reference || !parsed || (other && !there)) return leaf;
  const before = faults.length;
  checkShape(leaf, reference, parsed, path, context);
  if (there) checkAgainstFact(leaf, reference, there, path, context);
  else checkConstants(leaf, reference, parsed, path, context);
  if (faults.length === before) checkOnSamples(leaf, reference, there, path, context);
  return onAxis(leaf, reference, there, parsed);
}

/** What a fact's name refers to; undefined for a host's own, and for an unknown one, which is a fault. */
function findFact(name: unknown, path: string, context: ConditionContext): FactReference | undefined {
  const { vocabulary, host, faults } = context;
  const index = factIndex(vocabulary);
  // Only the names that rules may use: not those under which checked tests stand.
  const isKnown = typeof name === 'string' && index.names.includes(name);
  const reference = isKnown ? index.find(name) : undefined;
  if (!isKnown && !(typeof name === 'string' && host.facts.has(name))) {
    const hint = typeof name === 'string' ? didYouMean(name, index.names) : '';
    const message = `${quoteValue(name)} is not a fact of the line ${vocabulary.line}.${hint}`;
    faults.push({ path, code: 'unknown_fact', message });
  }
  return reference;
}

function findOperator(name: string, path: string, context: ConditionContext): ParsedOperator | undefined {
  const parsed = parseOperator(name);
  if (!parsed && !isHostOperator(name, context.host.operators)) {
    const names = [...operatorNames, ...decoratorNames.map((decorator) => `${decorator}:`)];
    const message = `${quoteValue(name)} is not an operator; there are: ${operatorNames.join(', ')}.${meantOperator(name) ?? didYouMean(name, names)}`;
    context.faults.push({ path, code: 'unknown_operator', message });
  }
  return parsed;
}

/** A host's operator, perhaps under decorators. */
function isHostOperator(name: string, operators: ReadonlySet<string>): boolean {
  let rest = name;
  while (!operators.has(rest)) {
    const colon = rest.indexOf(':');
    if (colon < 0 || !decoratorNames.includes(rest.slice(0, colon))) return false;
    rest = rest.slice(colon + 1);
  }
  return true;
}

function pathFaults(
  source: Record<string, unknown>,
  other: object | undefined,
  path: string,
  context: ConditionContext,
) {
  const message = 'A path is not accepted here; test a fact as it is.';
  if (Object.hasOwn(source, 'path')) context.faults.push({ path: `${path}/path`, code: 'path_not_allowed', message });
  if (other && Object.hasOwn(other, 'path')) {
    context.faults.push({ path: `${path}/value/path`, code: 'path_not_allowed', message });
  }
}

/** Whether a test is plain: without decorators but `not`, so that its value is compared as it stands. */
function isPlain({ decorators }: ParsedOperator): boolean {
  return decorators.every((decorator) => decorator === 'not');
}

/** Decorators that leave a date or a flag whole. */
const suitsForm = ['not', 'someValue', 'everyValue'];

/** Whether the operator suits the kind of fact. */
function checkShape(
  leaf: Leaf,
  reference: FactReference,
  parsed: ParsedOperator,
  path: string,
  context: ConditionContext,
): void {
  const { base } = parsed;
  const numeric = isNumeric(reference);
  // Codes of counties have an order, but it means nothing; other words have none.
  if (formOf(reference) && parsed.decorators.some((each) => !suitsForm.includes(each))) {
    const message = `${leaf.operator} does not suit ${leaf.fact}; compare it as it is.`;
    context.faults.push({ path: `${path}/operator`, code: 'operator_not_for_kind', message });
    return;
  }
  if (!isPlain(parsed) && !(base.shape === 'order' && isCounty(reference))) return;
  if ((base.shape === 'order' && !numeric) || base.shape === 'member') {
    const use = numeric ? 'equal, lessThan, greaterThan …' : 'equal, notEqual, in or notIn';
    const message = `${base.name} does not suit ${leaf.fact}; use ${use}.`;
    context.faults.push({ path: `${path}/operator`, code: 'operator_not_for_kind', message });
  }
}

/** One fact is compared with another of its kind; a county with none, since only names say which is meant. */
function checkAgainstFact(
  leaf: Leaf,
  left: FactReference,
  right: FactReference,
  path: string,
  context: ConditionContext,
): void {
  const at = `${path}/value/fact`;
  const other = quoteValue(valueFact(leaf.value)?.fact);
  if (isCounty(left) || isCounty(right)) {
    const message = `A county is compared with names of counties or FIPS codes; ${leaf.fact} with ${other} says nothing.`;
    context.faults.push({ path: at, code: 'value_wrong_type', message });
  } else if (formOf(left)?.name !== formOf(right)?.name) {
    const message = `${leaf.fact} and ${other} are not of one kind; compare like with like.`;
    context.faults.push({ path: at, code: 'value_wrong_type', message });
  } else if (isNumeric(left) !== isNumeric(right)) {
    const message = `${leaf.fact} is a ${isNumeric(left) ? 'number' : 'word'} and ${other} is a ${isNumeric(right) ? 'number' : 'word'}; compare like with like.`;
    context.faults.push({ path: at, code: 'value_wrong_type', message });
  }
  const [unit, unitThere] = [unitOf(left), unitOf(right)];
  if (unit === undefined || unitThere === undefined || unit === unitThere) return;
  const message = `${leaf.fact} is in ${unit} and ${other} in ${unitThere}; they are compared as plain numbers.`;
  context.warnings.push({ path: at, code: 'different_units', message });
}

/** Checks what the fact is compared with: one value, or each of a list where a list is taken apart. */
function checkConstants(
  leaf: Leaf,
  reference: FactReference,
  { base, decorators }: ParsedOperator,
  path: string,
  context: ConditionContext,
): void {
  const swapped = decorators.filter((each) => each === 'swap').length % 2 === 1;
  // A part of the fact's own text.
  if (base.shape === 'list' && swapped) return;
  const takenApart = decorators.filter((each) => each === 'someValue' || each === 'everyValue').length;
  const lists = takenApart + (base.shape === 'list' || (base.shape === 'member' && swapped) ? 1 : 0);
  for (const { value, at, within } of inLists(leaf.value, lists, `${path}/value`)) {
    if (within < lists || Array.isArray(value)) {
      const message = Array.isArray(value)
        ? `${leaf.operator} compares with one value; for a list use in or notIn.`
        : `${leaf.operator} compares with a list; ${quoteValue(value)} is none.`;
      context.faults.push({ path: at, code: 'value_wrong_type', message });
    } else checkConstant(value, leaf.fact, reference, at, context);
  }
}

interface Constant {
  readonly value: unknown;
  readonly at: string;
  /** How many lists it stands in. */
  readonly within: number;
}

/** The values within so many lists, each with its place. */
function inLists(value: unknown, lists: number, at: string, within = 0): Constant[] {
  if (within === lists || !Array.isArray(value)) return [{ value, at, within }];
  return value.flatMap((each, index) => inLists(each, lists, `${at}/${index}`, within + 1));
}

/** Some operators throw on some values (`in` with a number): tried here, so that no verdict ever does. */
function checkOnSamples(
  leaf: Leaf,
  reference: FactReference,
  there: FactReference | undefined,
  path: string,
  context: ConditionContext,
): void {
  const test = operatorFunction(leaf.operator);
  // All are of one type by now: some from each end stand for the others.
  const all = there ? [] : flatten(leaf.value);
  const constants = all.length <= 2 * SAMPLES ? all : [...all.slice(0, SAMPLES), ...all.slice(-SAMPLES)];
  // First a value that nothing equals, so that lists are gone through to their ends.
  const samplesOf = (of: FactReference): unknown[] =>
    isNumeric(of)
      ? [-0.123456789, ...constants.filter((constant) => typeof constant === 'number')]
      : ['\u0000', ...constants.filter((constant) => typeof constant === 'string')];
  try {
    for (const right of there ? samplesOf(there) : [leaf.value])
      for (const left of samplesOf(reference)) test?.(left, right);
  } catch {
    const message = `${leaf.operator} cannot compare ${leaf.fact} with ${quoteValue(leaf.value)}.`;
    context.faults.push({ path: `${path}/operator`, code: 'operator_not_for_kind', message });
  }
}

function isCounty(reference: FactReference): boolean {
  return reference.kind === 'place' && reference.name === 'county';
}

function flatten(value: unknown): unknown[] {
  return Array.isArray(value) ? value.flatMap(flatten) : [value];
}
