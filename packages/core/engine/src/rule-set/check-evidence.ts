import { didYouMean, isObject, own, quoteValue } from '@leeward/terms';
import { nameOfComputed } from '../condition/computed-name.ts';
import type { EvidenceFact, Leaf, LeafCondition } from '../condition/condition.ts';
import { parseOperator } from '../condition/operators.ts';
import {
  codeOfSource,
  type EvidenceFactName,
  type EvidenceSubject,
  evidenceParts,
  evidenceSources,
  evidenceSubjects,
  isCustomSource,
  sourceHint,
} from '../request/evidence.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { ConditionContext } from './condition-context.ts';
import { meantOperator } from './meant-words.ts';

const facts = Object.keys(evidenceParts) as readonly EvidenceFactName[];

/** The subject and the fact of a name such as `roof_year.source`; undefined for other names. */
export function evidenceFactOf(
  name: unknown,
  vocabulary: Vocabulary,
): { readonly subject: EvidenceSubject; readonly of: EvidenceFactName } | undefined {
  if (typeof name !== 'string') return undefined;
  const dot = name.lastIndexOf('.');
  const of = facts.find((each) => each === name.slice(dot + 1));
  const subject = dot < 0 || !of ? undefined : evidenceSubjects(vocabulary).get(name.slice(0, dot));
  return subject && of && { subject, of };
}

/** The age of evidence as an operand; undefined for other names. */
export function readEvidenceAge(name: unknown, { vocabulary, list }: ConditionContext): EvidenceFact | undefined {
  const fact = list ? undefined : evidenceFactOf(name, vocabulary);
  if (fact?.of !== 'evidence_age_years') return undefined;
  return { kind: 'evidence', of: fact.of, subject: fact.subject.name };
}

/** True for a test of a source. */
export function isSourceTest(fact: unknown, { vocabulary, list }: ConditionContext): boolean {
  return !list && evidenceFactOf(fact, vocabulary)?.of === 'source';
}

/**
 * Reads a test of a source. Registered sources have numbers on one axis per subject; a test that names another source
 * has an axis for its words.
 */
export function readSourceTest(
  source: Record<string, unknown>,
  path: string,
  context: ConditionContext,
): Leaf | undefined {
  const { faults, vocabulary } = context;
  const before = faults.length;
  for (const key of ['operator', 'value']) {
    if (Object.hasOwn(source, key)) continue;
    const message = `This test of ${quoteValue(source['fact'])} lacks ${key}.`;
    faults.push({ path, code: 'missing_key', message });
  }
  for (const key of ['path', 'params']) {
    if (!Object.hasOwn(source, key)) continue;
    const message = `A test of a source has no ${key}; leave it out.`;
    faults.push({ path: `${path}/${key}`, code: 'misplaced_key', message });
  }
  const operator = own(source, 'operator');
  const value = own(source, 'value');
  const parsed = typeof operator === 'string' ? parseOperator(operator) : undefined;
  const shape = parsed?.base.shape;
  const isPlain = parsed?.decorators.every((each) => each === 'not') === true;
  if (typeof operator === 'string' && !(isPlain && (shape === 'equality' || shape === 'list'))) {
    const message = `${quoteValue(operator)} does not suit a source; use equal, notEqual, in or notIn.${meantOperator(operator) ?? ''}`;
    faults.push({ path: `${path}/operator`, code: parsed ? 'operator_not_for_kind' : 'unknown_operator', message });
  }
  const isList = shape === 'list';
  if (value !== undefined && parsed && isList !== Array.isArray(value)) {
    const message = isList
      ? `${operator} takes a list of sources, such as ["permit", "invoice"].`
      : `${operator} takes one source; for several use in.`;
    faults.push({ path: `${path}/value`, code: 'value_wrong_type', message });
  }
  const words: readonly unknown[] = Array.isArray(value) ? value : [value];
  words.forEach((word, index) => {
    if (value === undefined || (typeof word === 'string' && isSource(word))) return;
    const at = Array.isArray(value) ? `${path}/value/${index}` : `${path}/value`;
    const example = isObject(word) ? ' A source is not compared with a fact.' : '';
    const message = `${quoteValue(word)} is not a source; use one of: ${evidenceSources.join(', ')}, or a word that begins with x_.${sourceHint(word)}${example}`;
    faults.push({ path: at, code: typeof word === 'string' ? 'unknown_word' : 'value_wrong_type', message });
  });
  if (faults.length > before || typeof operator !== 'string') return undefined;
  const { subject } = evidenceFactOf(source['fact'], vocabulary)!;
  const sources = words as readonly string[];
  const isNumbered = sources.every((word) => !isCustomSource(word));
  const computed: EvidenceFact = {
    kind: 'evidence',
    of: 'source',
    subject: subject.name,
    ...(isNumbered ? {} : { words: [...new Set(sources)].sort() }),
  };
  const isNegated = (parsed!.base.name === 'notEqual' || parsed!.base.name === 'notIn') !== isOdd(parsed!.decorators);
  return {
    kind: 'leaf',
    fact: nameOfComputed(computed),
    ...(isNumbered
      ? { operator, value: isList ? sources.map(codeOfSource) : codeOfSource(sources[0]!) }
      : { operator: 'equal', value: isNegated ? 0 : 1 }),
    computed,
    written: source as unknown as LeafCondition,
  };
}

function isOdd({ length }: readonly unknown[]): boolean {
  return length % 2 === 1;
}

function isSource(word: string): boolean {
  return (evidenceSources as readonly string[]).includes(word) || isCustomSource(word);
}

/** Suggests a fact of evidence for a name with a dot; empty for other names. */
export function evidenceHint(name: unknown, vocabulary: Vocabulary): string {
  if (typeof name !== 'string' || !name.includes('.')) return '';
  const dot = name.lastIndexOf('.');
  const base = name.slice(0, dot);
  const subjects = evidenceSubjects(vocabulary);
  if (!subjects.has(base)) {
    const of = facts.find((each) => each === name.slice(dot + 1));
    return of ? ` ${quoteValue(base)} is not a field, set or list.${didYouMean(base, [...subjects.keys()])}` : '';
  }
  return ` The evidence of ${base} has the facts ${facts.map((each) => `${base}.${each}`).join(' and ')}.`;
}
