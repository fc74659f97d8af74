import { codeWords, wordOf, writeQuantity, writeWord } from '@leeward/terms';
import { evidenceSubjects } from '../request/evidence.ts';
import { factIndex, itemIndex, unitOf } from '../vocabulary/fact-index.ts';
import { labelOf, writeValue } from '../vocabulary/labels.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { momentFacts, unitOfAggregate } from './computed.ts';
import {
  type Aggregate,
  type AreaMeasure,
  type Computed,
  type EvidenceFact,
  type Leaf,
  type Operand,
  type Operation,
  type Tree,
  valueFact,
} from './condition.ts';
import { describeOperator } from './operators.ts';

/** Describes a computed fact in words: `number of water losses in the last 3 years`. */
export function describeComputed(operand: Operand, vocabulary: Vocabulary): string {
  switch (operand.kind) {
    case 'number':
      return operand.value.toLocaleString('en-US', { maximumFractionDigits: 10 });
    case 'fact':
      return labelOf(operand.fact, vocabulary);
    case 'moment':
      return momentFacts[operand.fact].label;
    case 'aggregate':
      return describeAggregate(operand);
    case 'evidence':
      return describeEvidence(operand, vocabulary);
    case 'operation':
      return describeOperation(operand, vocabulary);
    case 'area':
      return operand.apply === 'miles'
        ? `distance to ${describeArea(operand)}`
        : `entirely within ${describeArea(operand)}`;
  }
}

function describeArea({ area }: AreaMeasure): string {
  return `"${area.name}"`;
}

/** The unit of an operand; undefined for products and plain numbers. */
export function unitOfOperand(operand: Operand, vocabulary: Vocabulary): string | undefined {
  switch (operand.kind) {
    case 'number':
      return undefined;
    case 'fact': {
      const reference = factIndex(vocabulary).find(operand.fact);
      return reference && unitOf(reference);
    }
    case 'moment':
      return momentFacts[operand.fact].unit;
    case 'aggregate':
      return unitOfAggregate(operand);
    case 'evidence':
      return operand.of === 'source' ? undefined : 'years';
    case 'area':
      return operand.apply === 'miles' ? 'miles' : undefined;
    case 'operation': {
      if (operand.apply === 'multiply') return undefined;
      if (operand.apply === 'percent_of') return unitOfOperand(operand.of[1]!, vocabulary);
      for (const each of operand.of) {
        const unit = unitOfOperand(each, vocabulary);
        if (unit !== undefined) return unit;
      }
      return undefined;
    }
  }
}

function describeEvidence({ of, subject, words }: EvidenceFact, vocabulary: Vocabulary): string {
  const label = evidenceSubjects(vocabulary).get(subject)?.label ?? subject;
  if (of === 'evidence_age_years') return `age of the evidence for ${label}`;
  return words
    ? `source of ${label} is ${words.map((word) => wordOf('evidenceSource', word)).join(' or ')}`
    : `source of ${label}`;
}

function describeOperation({ apply, of }: Operation, vocabulary: Vocabulary): string {
  const parts = of.map((each) => {
    const text = describeComputed(each, vocabulary);
    return each.kind === 'operation' ? `(${text})` : text;
  });
  switch (apply) {
    case 'add':
      return parts.join(' + ');
    case 'subtract':
      return parts.join(' − ');
    case 'multiply':
      return parts.join(' × ');
    case 'percent_of':
      return `${parts[0]} percent of ${parts[1]}`;
    case 'min':
      return `the minimum of ${parts.join(', ')}`;
    case 'max':
      return `the maximum of ${parts.join(', ')}`;
  }
}

function describeAggregate(aggregate: Aggregate): string {
  const items = describeItems(aggregate);
  const { apply, list, field } = aggregate;
  if (apply === 'count') return `number of ${items}`;
  const number = list.fields.flatMap((each) => {
    if (each.kind === 'number' && each.name === field) return [each.label];
    return each.kind === 'date' && each.age === field ? [each.ageLabel] : [];
  })[0];
  const words = { sum: 'total', min: 'smallest', max: 'largest' } as const;
  return `${words[apply]} ${number} of ${items}`;
}

/** Describes the items that an aggregate takes: `open water losses in the last 3 years`. */
function describeItems({ list, where }: Aggregate): string {
  if (!where) return list.label;
  const [kind] = list.fields;
  const leaves = where.kind === 'leaf' ? [where] : where.kind === 'all' ? where.of : [];
  const kinds: string[] = [];
  const behind: string[] = [];
  const others: string[] = [];
  for (const tree of leaves.length > 0 ? leaves : [where]) {
    const leaf = tree.kind === 'leaf' ? tree.written : undefined;
    if (leaf && leaf.fact === kind?.name && kinds.length === 0 && (leaf.operator === 'equal' || leaf.operator === 'in'))
      kinds.push(
        [leaf.value]
          .flat()
          .map((word) => wordOf('value', String(word)))
          .join(' or '),
      );
    else if (leaf && isAge(list, leaf.fact) && leaf.operator === 'lessThan' && typeof leaf.value === 'number')
      behind.push(leaf.value === 1 ? 'in the last year' : `in the last ${leaf.value} years`);
    else others.push(describeTree(tree, list));
  }
  const items = [...kinds, list.label, ...behind].join(' ');
  return others.length === 0 ? items : `${items} (${others.join(' and ')})`;
}

function isAge({ fields }: Aggregate['list'], fact: string): boolean {
  return fields.some((field) => field.kind === 'date' && field.age === fact);
}

function describeTree(tree: Tree, list: Aggregate['list']): string {
  if (tree.kind === 'leaf') return describeLeaf(tree, list);
  if (tree.kind === 'not') return `not (${describeTree(tree.of, list)})`;
  if (tree.of.length === 0) return 'any';
  return tree.of
    .map((each) => (each.kind === 'leaf' ? describeTree(each, list) : `(${describeTree(each, list)})`))
    .join(tree.kind === 'all' ? ' and ' : ' or ');
}

function describeLeaf({ written: { fact, operator, value } }: Leaf, list: Aggregate['list']): string {
  const reference = itemIndex(list).find(fact);
  const label = reference?.kind === 'field' ? reference.field.label : wordOf('field', fact);
  const isSame = typeof value === 'boolean' && describeOperator(operator, value);
  if (isSame === codeWords.operator.equal) return label;
  if (isSame === codeWords.operator.notEqual) return `not ${label}`;
  const unit = reference && unitOf(reference);
  const text = [value]
    .flat()
    .map((each) => (typeof each === 'number' ? writeQuantity(each, unit) : writeWord(String(each))));
  return `${label} ${describeOperator(operator)} ${text.join(' or ')}`;
}

/** A test of a rule in words. */
export interface TestInWords {
  readonly label: string;
  /** `is more than`. */
  readonly operator: string;
  /** The limit, or each value of a list. */
  readonly limits: readonly string[];
}

/** Describes a test in words: `age of the roof`, `is more than`, `15 years`. */
export function describeTest({ written, value, computed, sides }: Leaf, vocabulary: Vocabulary): TestInWords {
  const operator = describeOperator(written.operator);
  const { fact } = written;
  if (sides) {
    const [label, limit] = sides.map((side) => describeComputed(side, vocabulary));
    return { label: label!, operator, limits: [limit!] };
  }
  const isArea = computed?.kind === 'area' && fact !== undefined;
  if (computed && !isArea) {
    // Without the sources, which are the limits.
    const plain: Computed =
      computed.kind === 'evidence' ? { kind: 'evidence', of: computed.of, subject: computed.subject } : computed;
    const unit = unitOfOperand(computed, vocabulary);
    const write = (limit: unknown) =>
      typeof limit === 'number' ? writeQuantity(limit, unit) : wordOf('evidenceSource', String(limit));
    return { label: describeComputed(plain, vocabulary), operator, limits: [written.value].flat().map(write) };
  }
  const label = labelOf(fact, vocabulary);
  const other = valueFact(written.value);
  if (other) return { label, operator, limits: [labelOf(other.fact, vocabulary)] };
  // On the axis, counties have their codes.
  const limits = [fact === 'county' ? value : written.value].flat();
  const write = (limit: unknown) => (isArea ? `"${limit}"` : writeValue(fact, limit, vocabulary));
  return { label, operator, limits: limits.map(write) };
}
