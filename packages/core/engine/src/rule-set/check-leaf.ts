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
import type { ListField } from '../vocabulary/list-field.ts';
import { checkConstant, formOf, isNumeric } from './check-constant.ts';
import { evidenceHint } from './check-evidence.ts';
import type { ConditionContext } from './condition-context.ts';
import { meantOperator } from './meant-words.ts';
import { onAxis } from './on-axis.ts';
import { readSetTest } from './set-test.ts';

const SAMPLES = 8;

/** Undefined if keys are missing. A test of a set becomes tests of its words. */
export function readLeaf(source: Record<string, unknown>, path: string, context: ConditionContext): Tree | undefined {
  const { faults } = context;
  for (const key of ['operator', 'value']) {
    if (!Object.hasOwn(source, key)) {
      faults.push({ path, code: 'missing_key', message: `This test of ${quoteValue(source['fact'])} lacks ${key}.` });
    }
  }
  const { fact, operator, value } = source;
  if (typeof fact !== 'string' || typeof operator !== 'string' || value === undefined) return undefined;
  const reference = findFact(fact, `${path}/fact`, context);
  const parsed = findOperator(operator, `${path}/operator`, context);
  const other = valueFact(value);
  const otherReference = other ? findFact(other.fact, `${path}/value/fact`, context) : undefined;
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
  if (context.list && parsed) itemTestFaults(leaf, parsed, context.list, path, context);
  const set = factIndex(context.vocabulary).sets.get(fact);
  if (set && parsed) return readSetTest(leaf, set, parsed, path, context);
  if (!reference || !parsed || (other && !otherReference)) return leaf;
  const before = faults.length;
  checkShape(leaf, reference, parsed, path, context);
  if (otherReference) checkAgainstFact(leaf, reference, otherReference, path, context);
  else checkConstants(leaf, reference, parsed, path, context);
  if (faults.length === before) checkOnSamples(leaf, reference, otherReference, path, context);
  return onAxis(leaf, reference, otherReference, parsed);
}

/** Undefined for a host fact, and for an unknown one, which is a fault. */
function findFact(name: unknown, path: string, context: ConditionContext): FactReference | undefined {
  const { vocabulary, host, faults } = context;
  const index = factIndex(vocabulary);
  // Internal names of axes and set members are not allowed in rules.
  const isKnown = typeof name === 'string' && index.names.includes(name);
  const reference = isKnown ? index.find(name) : undefined;
  if (!isKnown && !(typeof name === 'string' && host.facts.has(name))) {
    const hint = typeof name === 'string' ? didYouMean(name, index.names) : '';
    const asList = typeof name === 'string' ? index.lists.get(name) : undefined;
    const message = context.list
      ? `${quoteValue(name)} is not a field of ${context.list.label}; use one of: ${index.names.join(', ')}.${hint}`
      : asList
        ? `${quoteValue(name)} is a list; count its items, as in { "count": ${quoteValue(name)}, "where": … }.`
        : `${quoteValue(name)} is not a fact of the line ${vocabulary.line}.${evidenceHint(name, vocabulary) || hint}`;
    faults.push({ path, code: context.list ? 'unknown_field' : 'unknown_fact', message });
  }
  return reference;
}

/** Tests of an item compare with constants, and have no decorators but `not`. */
function itemTestFaults(
  leaf: Leaf,
  parsed: ParsedOperator,
  list: ListField,
  path: string,
  { faults }: ConditionContext,
): void {
  if (!isPlain(parsed)) {
    const message = `${quoteValue(leaf.operator)} does not suit ${leaf.fact} of a ${list.itemLabel}; use it without decorators other than "not:".`;
    faults.push({ path: `${path}/operator`, code: 'operator_not_for_kind', message });
  }
  if (typeof leaf.value === 'object' && leaf.value !== null && !Array.isArray(leaf.value)) {
    const message = `A field of a ${list.itemLabel} is compared with a constant, not with ${quoteValue(leaf.value)}.`;
    faults.push({ path: `${path}/value`, code: 'value_wrong_type', message });
  }
}

function findOperator(name: string, path: string, context: ConditionContext): ParsedOperator | undefined {
  const parsed = parseOperator(name);
  if (parsed?.base.shape === 'ranges') return unknownOperator(name, path, context);
  if (parsed || isHostOperator(name, context.host.operators)) return parsed;
  return unknownOperator(name, path, context);
}

function unknownOperator(name: string, path: string, { faults }: ConditionContext): undefined {
  const names = [...operatorNames, ...decoratorNames.map((decorator) => `${decorator}:`)];
  const message = `${quoteValue(name)} is not an operator; use one of: ${operatorNames.join(', ')}.${meantOperator(name) ?? didYouMean(name, names)}`;
  faults.push({ path, code: 'unknown_operator', message });
}

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
  const message = 'A path is not accepted here; test the fact directly.';
  if (Object.hasOwn(source, 'path')) context.faults.push({ path: `${path}/path`, code: 'path_not_allowed', message });
  if (other && Object.hasOwn(other, 'path')) {
    context.faults.push({ path: `${path}/value/path`, code: 'path_not_allowed', message });
  }
}

/** True if the value is compared unchanged. */
function isPlain({ decorators }: ParsedOperator): boolean {
  return decorators.every((decorator) => decorator === 'not');
}

const suitsForm = ['not', 'someValue', 'everyValue'];

function checkShape(
  leaf: Leaf,
  reference: FactReference,
  parsed: ParsedOperator,
  path: string,
  context: ConditionContext,
): void {
  const { base } = parsed;
  const numeric = isNumeric(reference);
  // The order of county codes is meaningless, and words have no order.
  if (formOf(reference) && parsed.decorators.some((each) => !suitsForm.includes(each))) {
    const message = `${leaf.operator} does not suit ${leaf.fact}; compare it without this decorator.`;
    context.faults.push({ path: `${path}/operator`, code: 'operator_not_for_kind', message });
    return;
  }
  const ranges = formOf(reference)?.range;
  if (ranges && parsed.decorators.some((each) => each !== 'not')) {
    const message = `${leaf.operator} does not suit ${leaf.fact}; use in or notIn with a list of ${ranges.words}.`;
    context.faults.push({ path: `${path}/operator`, code: 'operator_not_for_kind', message });
    return;
  }
  if (!isPlain(parsed) && !(base.shape === 'order' && isCounty(reference))) return;
  if ((base.shape === 'order' && (!numeric || ranges)) || base.shape === 'member') {
    const use = numeric && !ranges ? 'equal, lessThan, greaterThan …' : 'equal, notEqual, in or notIn';
    const message = `${base.name} does not suit ${leaf.fact}; use ${use}.`;
    context.faults.push({ path: `${path}/operator`, code: 'operator_not_for_kind', message });
  }
}

/** Both facts must be of one kind. Counties cannot be compared, because a county needs a name with its state. */
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
    const message = `A county is compared with names of counties or FIPS codes; ${leaf.fact} cannot be compared with ${other}.`;
    context.faults.push({ path: at, code: 'value_wrong_type', message });
  } else if (formOf(left)?.name !== formOf(right)?.name) {
    const message = `${leaf.fact} and ${other} are of different kinds; compare facts of one kind.`;
    context.faults.push({ path: at, code: 'value_wrong_type', message });
  } else if (isNumeric(left) !== isNumeric(right)) {
    const message = `${leaf.fact} is a ${isNumeric(left) ? 'number' : 'word'} and ${other} is a ${isNumeric(right) ? 'number' : 'word'}; compare facts of one kind.`;
    context.faults.push({ path: at, code: 'value_wrong_type', message });
  }
  const [unit, unitThere] = [unitOf(left), unitOf(right)];
  if (unit === undefined || unitThere === undefined || unit === unitThere) return;
  const message = `${leaf.fact} is in ${unit} and ${other} in ${unitThere}; they are compared as plain numbers.`;
  context.warnings.push({ path: at, code: 'different_units', message });
}

function checkConstants(
  leaf: Leaf,
  reference: FactReference,
  { base, decorators }: ParsedOperator,
  path: string,
  context: ConditionContext,
): void {
  const swapped = decorators.filter((each) => each === 'swap').length % 2 === 1;
  if (base.shape === 'list' && swapped) return;
  const listDecorators = decorators.filter((each) => each === 'someValue' || each === 'everyValue').length;
  const lists = listDecorators + (base.shape === 'list' || (base.shape === 'member' && swapped) ? 1 : 0);
  for (const { value, at, within } of inLists(leaf.value, lists, `${path}/value`)) {
    if (within < lists || Array.isArray(value)) {
      const message = Array.isArray(value)
        ? `${leaf.operator} compares with one value; for a list use in or notIn.`
        : `${leaf.operator} compares with a list, not with ${quoteValue(value)}.`;
      context.faults.push({ path: at, code: 'value_wrong_type', message });
    } else checkConstant(value, leaf.fact, reference, at, context, base.shape === 'list');
  }
}

interface Constant {
  readonly value: unknown;
  readonly at: string;
  readonly within: number;
}

function inLists(value: unknown, lists: number, at: string, within = 0): Constant[] {
  if (within === lists || !Array.isArray(value)) return [{ value, at, within }];
  return value.flatMap((each, index) => inLists(each, lists, `${at}/${index}`, within + 1));
}

/** Some operators throw for some values, such as `in` with a number. Testing samples here guarantees that no verdict throws. */
function checkOnSamples(
  leaf: Leaf,
  reference: FactReference,
  otherReference: FactReference | undefined,
  path: string,
  context: ConditionContext,
): void {
  const test = operatorFunction(leaf.operator);
  // All constants have one type by now, so a few from each end suffice.
  const all = otherReference ? [] : flatten(leaf.value);
  const constants = all.length <= 2 * SAMPLES ? all : [...all.slice(0, SAMPLES), ...all.slice(-SAMPLES)];
  // First a value that equals none of the others, so that lists are searched to their end.
  const samplesOf = (of: FactReference): unknown[] =>
    isNumeric(of)
      ? [-0.123456789, ...constants.filter((constant) => typeof constant === 'number')]
      : ['\u0000', ...constants.filter((constant) => typeof constant === 'string')];
  try {
    for (const right of otherReference ? samplesOf(otherReference) : [leaf.value])
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
