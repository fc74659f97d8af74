import { findState } from '@leeward/places/counties';
import { type Leaf, type LeafCondition, type Tree, valueFact } from '../condition/condition.ts';
import { decoratorNames, operatorNames, type ParsedOperator, parseOperator } from '../condition/operators.ts';
import { type Fault, pointer, quoteValue, type Warning } from '../fault.ts';
import { arrayOf, isObject, own } from '../json.ts';
import { didYouMean } from '../suggest.ts';
import { type FactReference, factIndex, type Vocabulary } from '../vocabulary/vocabulary.ts';
import { countiesOfValue } from './places.ts';

/** What a host adds to the vocabulary: names of facts and operators whose values nobody here can check. */
export interface HostNames {
  readonly facts: ReadonlySet<string>;
  readonly operators: ReadonlySet<string>;
}

export interface ConditionContext {
  readonly vocabulary: Vocabulary;
  readonly host: HostNames;
  /** `path` is refused in files from strangers. */
  readonly allowPath: boolean;
  readonly shared: ReadonlyMap<string, Tree>;
  /** Names of all shared conditions, for suggestions. */
  readonly sharedNames: readonly string[];
  readonly faults: Fault[];
  readonly warnings: Warning[];
}

const kinds = ['all', 'any', 'not', 'condition', 'fact'] as const;
const nothing: Tree = { kind: 'all', of: [] };

/** Reads the root of a rule: a group, never a bare test. */
export function readRoot(source: unknown, path: string, context: ConditionContext): Tree {
  if (isObject(source) && !kinds.some((kind) => kind !== 'fact' && Object.hasOwn(source, kind))) {
    if (Object.hasOwn(source, 'fact')) {
      const message = 'A condition begins with all, any, not or condition; put this test into an "all" list.';
      context.faults.push({ path, code: 'bare_leaf', message });
    }
  }
  return readCondition(source, path, context);
}

export function readCondition(source: unknown, path: string, context: ConditionContext): Tree {
  if (!isObject(source)) return nothing;
  const present = kinds.filter((kind) => Object.hasOwn(source, kind));
  if (present.length !== 1) {
    const message =
      present.length === 0
        ? 'Empty condition; give all, any, not, condition, or a test with fact, operator and value.'
        : `One condition says ${present.join(' and ')}; keep one of them and nest the others.`;
    context.faults.push({ path, code: present.length === 0 ? 'missing_key' : 'ambiguous_condition', message });
    return nothing;
  }
  switch (present[0]!) {
    case 'all':
    case 'any': {
      const kind = present[0] as 'all' | 'any';
      const of = arrayOf(source[kind]).map((child, index) => readCondition(child, `${path}/${kind}/${index}`, context));
      return { kind, of };
    }
    case 'not':
      return { kind: 'not', of: readCondition(source['not'], `${path}/not`, context) };
    case 'condition':
      return readShared(source['condition'], `${path}/condition`, context);
    case 'fact':
      return readLeaf(source, path, context);
  }
}

function readShared(name: unknown, path: string, context: ConditionContext): Tree {
  if (typeof name !== 'string') return nothing;
  const tree = context.shared.get(name);
  if (tree) return tree;
  if (!context.sharedNames.includes(name)) {
    const message = `No shared condition ${quoteValue(name)} in this file.${didYouMean(name, context.sharedNames)}`;
    context.faults.push({ path, code: 'unknown_condition', message });
  }
  return nothing;
}

function readLeaf(source: Record<string, unknown>, path: string, context: ConditionContext): Tree {
  const { faults, vocabulary, host } = context;
  for (const key of ['operator', 'value']) {
    if (!Object.hasOwn(source, key)) {
      faults.push({ path, code: 'missing_key', message: `This test of ${quoteValue(source['fact'])} has no ${key}.` });
    }
  }
  const { fact, operator, value } = source;
  if (typeof fact !== 'string' || typeof operator !== 'string' || value === undefined) return nothing;
  if (!context.allowPath && Object.hasOwn(source, 'path')) {
    faults.push({
      path: `${path}/path`,
      code: 'path_not_allowed',
      message: 'A path is not accepted here; test a fact as it is.',
    });
  }
  const index = factIndex(vocabulary);
  const reference = index.find(fact);
  const parsed = parseOperator(operator);
  if (!reference && !host.facts.has(fact)) {
    const message = `${quoteValue(fact)} is not a fact of the line ${vocabulary.line}.${didYouMean(fact, index.names)}`;
    faults.push({ path: `${path}/fact`, code: 'unknown_fact', message });
  }
  const hostOperator = operator.split(':').some((part) => host.operators.has(part));
  if (!parsed && !hostOperator) {
    const names = [...operatorNames, ...decoratorNames.map((name) => `${name}:`)];
    const message = `${quoteValue(operator)} is not an operator; there are: ${operatorNames.join(', ')}.${didYouMean(operator, names)}`;
    faults.push({ path: `${path}/operator`, code: 'unknown_operator', message });
  }
  const other = valueFact(value);
  if (other) {
    const known = typeof other.fact === 'string' && (index.find(other.fact) || host.facts.has(other.fact));
    if (!known) {
      const message = `${quoteValue(other.fact)} is not a fact of the line ${vocabulary.line}.${didYouMean(String(other.fact), index.names)}`;
      faults.push({ path: `${path}/value/fact`, code: 'unknown_fact', message });
    }
    if (!context.allowPath && Object.hasOwn(other, 'path')) {
      faults.push({ path: `${path}/value/path`, code: 'path_not_allowed', message: 'A path is not accepted here.' });
    }
  }
  const written = source as unknown as LeafCondition;
  const leaf: Leaf = {
    kind: 'leaf',
    fact,
    operator,
    value,
    ...(typeof own(source, 'path') === 'string' ? { path: source['path'] as string } : {}),
    ...(isObject(own(source, 'params')) ? { params: source['params'] as Record<string, unknown> } : {}),
    written,
  };
  if (!reference || !parsed) return leaf;
  const values = parsed.decorators.every((decorator) => decorator === 'not');
  if (values) checkShape(leaf, reference, parsed, path, context);
  return onAxis(leaf, reference, parsed, path, context, values);
}

function isNumeric(reference: FactReference): boolean {
  if (reference.kind === 'place') return false;
  return reference.kind === 'derived' || reference.field.domain({ effectiveYear: 2000 }).kind === 'numbers';
}

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
  if ((base.shape === 'order' && !numeric) || base.shape === 'member') {
    const use = numeric ? 'equal, lessThan, greaterThan …' : 'equal, notEqual, in or notIn';
    const message = `${base.name} does not suit ${leaf.fact}; use ${use}.`;
    context.faults.push({ path: `${path}/operator`, code: 'operator_not_for_kind', message });
  }
}

/** Checks the value, and writes it on the axis of the fact: counties as FIPS codes, limits as metres. */
function onAxis(
  leaf: Leaf,
  reference: FactReference,
  parsed: ParsedOperator,
  path: string,
  context: ConditionContext,
  check: boolean,
): Leaf {
  const { faults } = context;
  const other = valueFact(leaf.value);
  const scaled = reference.kind === 'derived' && reference.derived.toField !== undefined;
  if (other) {
    if (!scaled) return leaf;
    const there = factIndex(context.vocabulary).find(other.fact);
    if (there?.kind !== 'derived' || !there.derived.toField) return leaf;
    return { ...leaf, fact: reference.field.name, value: { fact: there.field.name } };
  }
  const list = parsed.base.shape === 'list';
  const many = parsed.decorators.some((decorator) => decorator === 'someValue' || decorator === 'everyValue');
  if (check && list !== Array.isArray(leaf.value)) {
    const message = list
      ? `${leaf.operator} compares with a list; ${quoteValue(leaf.value)} is none.`
      : `${leaf.operator} compares with one value; for a list use in or notIn.`;
    faults.push({ path: `${path}/value`, code: 'value_wrong_type', message });
    return leaf;
  }
  const values = Array.isArray(leaf.value) ? leaf.value : [leaf.value];
  const at = (index: number) => (Array.isArray(leaf.value) ? `${path}/value/${index}` : `${path}/value`);
  if (reference.kind === 'place' && reference.name === 'county') {
    const fips = values.map((value, index) => {
      const found = typeof value === 'string' ? countiesOfValue(value) : [];
      if (found.length === 0 && check) {
        const message = `${quoteValue(value)} is no county; write its name with its state ("jefferson, tx") or its FIPS code.`;
        faults.push({ path: at(index), code: 'unknown_county', message });
      }
      return found.length === 0 ? [value] : found;
    });
    return countyLeaf(leaf, fips, list || many);
  }
  if (check) for (const [index, value] of values.entries()) checkValue(value, leaf, reference, at(index), context);
  if (scaled && reference.kind === 'derived') {
    const toField = reference.derived.toField!;
    const scale = (value: unknown) => (typeof value === 'number' ? toField(value) : value);
    return {
      ...leaf,
      fact: reference.field.name,
      value: Array.isArray(leaf.value) ? leaf.value.map(scale) : scale(leaf.value),
    };
  }
  return leaf;
}

/** A bare name may mean two counties (Baltimore); a test of equality is then a test of membership. */
function countyLeaf(leaf: Leaf, fips: readonly (readonly unknown[])[], list: boolean): Leaf {
  if (list) return { ...leaf, value: fips.flat() };
  const meant = fips[0] ?? [];
  if (meant.length === 1) return { ...leaf, value: meant[0] };
  const parts = leaf.operator.split(':');
  const base = parts.pop() === 'notEqual' ? 'notIn' : 'in';
  return { ...leaf, operator: [...parts, base].join(':'), value: meant };
}

function checkValue(
  value: unknown,
  leaf: Leaf,
  reference: FactReference,
  path: string,
  context: ConditionContext,
): void {
  const { faults, warnings } = context;
  if (reference.kind === 'place' || !isNumeric(reference)) {
    const words = wordsOf(reference, context.vocabulary);
    if (typeof value === 'string' && (words ? words.includes(value) : findState(value)?.code === value)) return;
    if (typeof value !== 'string') {
      faults.push({
        path,
        code: 'value_wrong_type',
        message: `${leaf.fact} is compared with a word; ${quoteValue(value)} is none.`,
      });
      return;
    }
    const code =
      reference.kind !== 'place'
        ? 'unknown_value'
        : reference.name === 'state'
          ? 'unknown_state'
          : 'unknown_policy_type';
    const state = words ? undefined : findState(value);
    const hint = words ? didYouMean(value, words) : state ? ` Did you mean "${state.code}"?` : '';
    const list = words ? ` There are: ${words.join(', ')}.` : '';
    faults.push({ path, code, message: `${quoteValue(value)} is no ${leaf.fact}.${list}${hint}` });
    return;
  }
  if (typeof value !== 'number') {
    faults.push({
      path,
      code: 'value_wrong_type',
      message: `${leaf.fact} is compared with a number; ${quoteValue(value)} is none.`,
    });
    return;
  }
  const range = rangeOf(reference);
  if (value < range.min || value > range.max) {
    const message = `${leaf.fact} is always from ${range.min} to ${range.max}; ${quoteValue(value)} lies outside.`;
    warnings.push({ path, code: 'value_out_of_domain', message });
  }
}

function wordsOf(reference: FactReference, vocabulary: Vocabulary): readonly string[] | undefined {
  if (reference.kind === 'place') return reference.name === 'policy_type' ? vocabulary.policyTypes : undefined;
  const domain = reference.field.domain({ effectiveYear: 2000 });
  return domain.kind === 'words' ? domain.words : undefined;
}

/** Bounds for constants; years are given room, since the effective date is not known here. */
function rangeOf(reference: FactReference): { min: number; max: number } {
  if (reference.kind === 'derived') return reference.derived.range;
  if (reference.kind === 'field') {
    const domain = reference.field.domain({ effectiveYear: 2200 });
    if (domain.kind === 'numbers') return domain;
  }
  return { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY };
}

/**
 * Reads the shared conditions of a file in an order in which each is read after those it names. A ring
 * is a fault.
 */
export function readSharedConditions(
  source: unknown,
  path: string,
  context: Omit<ConditionContext, 'shared' | 'sharedNames'>,
): Map<string, Tree> {
  const trees = new Map<string, Tree>();
  if (!isObject(source)) return trees;
  const names = Object.keys(source).filter((name) => name !== '$comment');
  const state = new Map<string, 'open' | 'done'>();
  const visit = (name: string): void => {
    state.set(name, 'open');
    for (const { to, at } of referencesOf(source[name], `${path}${pointer(name)}`)) {
      if (!Object.hasOwn(source, to)) continue;
      if (state.get(to) === 'open') {
        const message = `The shared condition ${quoteValue(to)} comes back to itself through ${quoteValue(name)}.`;
        context.faults.push({ path: at, code: 'condition_cycle', message });
      } else if (!state.has(to)) visit(to);
    }
    state.set(name, 'done');
    trees.set(
      name,
      readCondition(source[name], `${path}${pointer(name)}`, { ...context, shared: trees, sharedNames: names }),
    );
  };
  for (const name of names) if (!state.has(name)) visit(name);
  return trees;
}

function referencesOf(source: unknown, path: string): { to: string; at: string }[] {
  if (!isObject(source)) return [];
  const found: { to: string; at: string }[] = [];
  if (typeof source['condition'] === 'string') found.push({ to: source['condition'], at: `${path}/condition` });
  for (const kind of ['all', 'any'] as const) {
    arrayOf(own(source, kind)).forEach((child, index) => {
      found.push(...referencesOf(child, `${path}/${kind}/${index}`));
    });
  }
  found.push(...referencesOf(own(source, 'not'), `${path}/not`));
  return found;
}
