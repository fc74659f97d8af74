/**
 * Reads the `terms` of an offer.
 *
 * A table by a fact becomes one demand for each distinct bound, on all steps that are at least as strict. So the weakest bound of a
 * complete table holds without the fact, and no evaluator has to compare steps.
 */
import { arrayOf, didYouMean, type Fault, isObject, own, quoteValue, writeLimits } from '@leeward/terms';
import type { Tree } from '../condition/condition.ts';
import { factIndex } from '../vocabulary/fact-index.ts';
import type { OfferTerm } from '../vocabulary/offer-term.ts';
import { readRoot } from './check-condition.ts';
import { formOf, isNumeric } from './check-constant.ts';
import type { ConditionContext } from './condition-context.ts';
import type { Demand, DemandedTerm, TermBound } from './demand.ts';

export type CustomTerms = Map<string, { readonly kind: OfferTerm['kind']; readonly path: string }>;

const MAX_STEPS = 100;
const MAX_WORDS = 50;

export function readTerms(
  source: unknown,
  condition: Tree,
  path: string,
  context: ConditionContext,
  customTerms: CustomTerms,
): Demand[] {
  if (!isObject(source)) return [];
  const { faults, vocabulary } = context;
  const { terms = [] } = vocabulary;
  const demands: Demand[] = [];
  for (const [name, written] of Object.entries(source)) {
    const at = `${path}/${name}`;
    const registered = terms.find((each) => each.name === name);
    if (!registered && !/^x_[a-z0-9_]{1,98}$/.test(name)) {
      const names = terms.map((each) => each.name);
      const message = `${quoteValue(name)} is not a registered term of the line ${vocabulary.line}; use one, or a custom term x_….${didYouMean(name, names)}`;
      faults.push({ path: at, code: 'unknown_term', message });
      continue;
    }
    const reader = createReader(name, registered, at, context, customTerms);
    demands.push(...(isTable(written) ? readTable(written, reader, condition) : readPlain(written, reader, condition)));
  }
  if (Object.keys(source).length === 0) {
    const message = 'An offer names one or more terms, for example { "named_storm_deductible_percent": { "min": 5 } }.';
    faults.push({ path, code: 'missing_terms', message });
  }
  return demands;
}

interface TermReader {
  readonly term: DemandedTerm;
  readonly path: string;
  readonly context: ConditionContext;
  /** Empty after a fault. */
  read(value: unknown, path: string): readonly TermBound[];
}

function isTable(value: unknown): value is Record<string, unknown> {
  return isObject(value) && (Object.hasOwn(value, 'by') || Object.hasOwn(value, 'steps'));
}

function readPlain(value: unknown, reader: TermReader, condition: Tree): Demand[] {
  return reader.read(value, reader.path).map((bound) => ({ term: reader.term, bound, condition }));
}

function createReader(
  name: string,
  registered: OfferTerm | undefined,
  termPath: string,
  context: ConditionContext,
  customTerms: CustomTerms,
): TermReader {
  const { faults } = context;
  const refuse = (path: string, code: string, message: string): readonly TermBound[] => {
    faults.push({ path, code, message });
    return [];
  };
  const hasKind = (kind: OfferTerm['kind'], path: string): boolean => {
    if (registered) return true;
    const first = customTerms.get(name);
    if (!first) customTerms.set(name, { kind, path: termPath });
    if (!first || first.kind === kind) return true;
    const message = `${name} is a ${kind} here and a ${first.kind} at ${first.path}; a term has one kind in a file.`;
    refuse(path, 'term_kind_conflict', message);
    return false;
  };
  const kindAt = (value: unknown): OfferTerm['kind'] => {
    if (registered) return registered.kind;
    if (typeof value === 'boolean') return 'flag';
    return isObject(value) || typeof value === 'number' ? 'number' : 'word';
  };
  return {
    term: demandedTerm(name, registered),
    path: termPath,
    context,
    read(value, path) {
      const kind = kindAt(value);
      if (!hasKind(kind, path)) return [];
      if (kind === 'number') return readNumber(name, value, path, registered, faults);
      if (kind === 'flag') {
        if (value === true) return [{ kind: 'applies' }];
        const hint = value === false ? ' A term that does not apply is left out.' : '';
        return refuse(path, 'term_wrong_kind', `${name} applies or not; write true.${hint}`);
      }
      return readWords(name, value, path, registered?.kind === 'word' ? registered.words : undefined, faults);
    },
  };
}

function demandedTerm(name: string, registered: OfferTerm | undefined): DemandedTerm {
  if (!registered) return { name, label: name.replace(/^x_/, '').replaceAll('_', ' ') };
  const { label } = registered;
  if (registered.kind === 'word') return { name, label, words: registered.words };
  return registered.kind === 'number' && registered.unit ? { name, label, unit: registered.unit } : { name, label };
}

const meantBound: ReadonlyMap<string, string> = new Map(
  Object.entries({
    minimum: ' Write "min".',
    at_least: ' Write "min".',
    maximum: ' Write "max".',
    at_most: ' Write "max".',
    equal: ' For one value, write it as "min" and as "max".',
    value: ' For one value, write it as "min" and as "max".',
  }),
);

function readNumber(
  name: string,
  value: unknown,
  path: string,
  registered: OfferTerm | undefined,
  faults: Fault[],
): readonly TermBound[] {
  const unit = registered?.kind === 'number' && registered.unit ? ` in ${registered.unit}` : '';
  if (!isObject(value)) {
    const hint = typeof value === 'number' ? ` For at least ${value}, write { "min": ${value} }.` : '';
    const message = `${name} is a number${unit} with "min", "max" or both; ${quoteValue(value)} is not.${hint}`;
    faults.push({ path, code: 'term_wrong_kind', message });
    return [];
  }
  const bounds: TermBound[] = [];
  for (const [key, bound] of Object.entries(value)) {
    if (key === '$comment') continue;
    const at = `${path}/${key}`;
    if (key !== 'min' && key !== 'max') {
      const message = `${quoteValue(key)} is not a key of a number; use min, max, or by and steps.${meantBound.get(key) ?? didYouMean(key, ['min', 'max', 'by', 'steps'])}`;
      faults.push({ path: at, code: 'unknown_key', message });
    } else if (typeof bound !== 'number' || !Number.isFinite(bound)) {
      const message = `${key} of ${name} is a number${unit}; ${quoteValue(bound)} is not.`;
      faults.push({ path: at, code: 'term_wrong_kind', message });
    } else if (registered?.kind === 'number' && (bound < registered.min || bound > registered.max)) {
      const { min, max } = registered;
      const message = `${name} is from ${writeLimits(min, max, registered.unit)}; ${bound} lies outside.`;
      faults.push({ path: at, code: 'term_out_of_range', message });
    } else bounds.push({ kind: key, value: bound });
  }
  const { min, max } = value;
  if (typeof min === 'number' && typeof max === 'number' && min > max) {
    const message = `${name} is at least ${min} and at most ${max}; no number is both.`;
    faults.push({ path, code: 'contradicting_terms', message });
    return [];
  }
  if (Object.keys(value).every((key) => key === '$comment')) {
    faults.push({ path, code: 'missing_key', message: `${name} needs "min", "max" or both.` });
  }
  return bounds;
}

function readWords(
  name: string,
  value: unknown,
  path: string,
  accepted: readonly string[] | undefined,
  faults: Fault[],
): readonly TermBound[] {
  const list = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(list) || list.length === 0 || list.length > MAX_WORDS) {
    const choices = accepted ? ` one of: ${accepted.join(', ')}` : ' a word';
    const message = `${name} is${choices}, or a list of those that remain; ${quoteValue(value)} is not.`;
    faults.push({ path, code: 'term_wrong_kind', message });
    return [];
  }
  const before = faults.length;
  list.forEach((word: unknown, index) => {
    if (accepted ? accepted.includes(word as string) : typeof word === 'string' && word !== '' && word.length <= 100)
      return;
    const at = typeof value === 'string' ? path : `${path}/${index}`;
    const hint = accepted && typeof word === 'string' ? didYouMean(word, accepted) : '';
    const message = accepted
      ? `${quoteValue(word)} is not a word of ${name}; use one of: ${accepted.join(', ')}.${hint}`
      : `${name} has words elsewhere; ${quoteValue(word)} is not a word.`;
    faults.push({ path: at, code: 'unknown_term_value', message });
  });
  return faults.length > before ? [] : [{ kind: 'words', words: [...new Set(list as string[])] }];
}

/** A step of a table: its range of the fact (`from` included, `below` excluded) and its bounds. */
interface Step {
  readonly from: number | undefined;
  readonly below: number | undefined;
  readonly bounds: readonly TermBound[];
}

function readTable(table: Record<string, unknown>, reader: TermReader, condition: Tree): Demand[] {
  const { path, term, context } = reader;
  const { faults } = context;
  const before = faults.length;
  for (const key of Object.keys(table)) {
    if (key === 'by' || key === 'steps' || key === '$comment') continue;
    const message = `${quoteValue(key)} is not a key of a table; a table has by and steps.`;
    faults.push({ path: `${path}/${key}`, code: 'unknown_key', message });
  }
  const by = own(table, 'by');
  checkFact(by, `${path}/by`, context);
  const source = own(table, 'steps');
  if (!Array.isArray(source) || source.length === 0 || source.length > MAX_STEPS) {
    const message = `A table has 1 to ${MAX_STEPS} steps, for example [{ "below": 1, "min": 5 }, { "min": 2 }].`;
    faults.push({ path: `${path}/steps`, code: 'invalid_steps', message });
  }
  const steps: Step[] = [];
  for (const [index, written] of arrayOf(source).slice(0, MAX_STEPS).entries()) {
    const at = `${path}/steps/${index}`;
    if (!isObject(written)) {
      faults.push({ path: at, code: 'invalid_steps', message: `A step is an object, not ${quoteValue(written)}.` });
      continue;
    }
    const { below, value, ...bounds } = written;
    const from = steps.at(-1)?.below;
    checkOrder(below, from, index === arrayOf(source).length - 1, at, faults);
    const hasValue = Object.hasOwn(written, 'value');
    const hasBounds = Object.keys(bounds).some((key) => key !== '$comment');
    if (hasValue && hasBounds) {
      const message = 'A step has either "value" (a word, a list of words, or true) or "min" and "max".';
      faults.push({ path: at, code: 'invalid_steps', message });
    }
    steps.push({
      from,
      below: typeof below === 'number' ? below : undefined,
      // A step without bounds demands nothing.
      bounds: hasValue || hasBounds ? reader.read(hasValue ? value : bounds, hasValue ? `${at}/value` : at) : [],
    });
  }
  if (faults.length > before || typeof by !== 'string') return [];
  return demandsOf(steps).map(({ bound, ranges }) => ({
    term,
    bound,
    condition: ranges ? { kind: 'all', of: [condition, rangeTree(ranges, by, path, context)] } : condition,
  }));
}

function checkFact(by: unknown, path: string, { vocabulary, faults }: ConditionContext): void {
  const index = factIndex(vocabulary);
  const numeric = index.names.filter((name) => {
    const reference = index.find(name);
    return reference && isNumeric(reference) && !formOf(reference);
  });
  if (typeof by === 'string' && numeric.includes(by)) return;
  const hint = typeof by === 'string' ? didYouMean(by, numeric) : '';
  const message = `${quoteValue(by)} is not a fact with numbers; a table needs one.${hint}`;
  faults.push({ path, code: 'unknown_fact', message });
}

function checkOrder(below: unknown, from: number | undefined, isLast: boolean, path: string, faults: Fault[]): void {
  if (below === undefined) {
    if (isLast) return;
    const message = 'Only the last step may omit "below"; it covers all remaining values.';
    faults.push({ path, code: 'unordered_steps', message });
  } else if (typeof below !== 'number' || !Number.isFinite(below)) {
    const message = `below is a number; ${quoteValue(below)} is not.`;
    faults.push({ path: `${path}/below`, code: 'value_wrong_type', message });
  } else if (from !== undefined && below <= from) {
    const message = `Steps go up: ${below} must be more than ${from}, the limit of the step before.`;
    faults.push({ path: `${path}/below`, code: 'unordered_steps', message });
  }
}

/** `ranges` is undefined for a demand that holds for every value of the fact. */
function demandsOf(
  steps: readonly Step[],
): { readonly bound: TermBound; readonly ranges: readonly Step[] | undefined }[] {
  const isComplete = steps.at(-1)?.below === undefined;
  const demands: { bound: TermBound; ranges: readonly Step[] | undefined }[] = [];
  const add = (bound: TermBound, isIncluded: (step: Step) => boolean) => {
    const ranges = joined(steps, isIncluded);
    const isAlways =
      isComplete && ranges.length === 1 && ranges[0]!.from === undefined && ranges[0]!.below === undefined;
    demands.push({ bound, ranges: isAlways ? undefined : ranges });
  };
  const boundOf = (step: Step, kind: TermBound['kind']) => step.bounds.find((bound) => bound.kind === kind);
  for (const kind of ['min', 'max'] as const) {
    const limitOf = (step: Step) => {
      const bound = boundOf(step, kind);
      return bound?.kind === kind ? bound.value : undefined;
    };
    const values = new Set(steps.map(limitOf).filter((value) => value !== undefined));
    for (const limit of values) {
      add({ kind, value: limit }, (step) => {
        const value = limitOf(step);
        return value !== undefined && (kind === 'min' ? value >= limit : value <= limit);
      });
    }
  }
  const wordsOf = (step: Step) => {
    const bound = boundOf(step, 'words');
    return bound?.kind === 'words' ? bound.words : undefined;
  };
  const lists = new Map<string, readonly string[]>();
  for (const step of steps) {
    const words = wordsOf(step);
    if (words) lists.set([...words].sort().join('\n'), words);
  }
  for (const words of lists.values()) {
    add({ kind: 'words', words }, (step) => {
      const own = wordsOf(step);
      return own?.every((word) => words.includes(word)) ?? false;
    });
  }
  if (lists.size > 1 && isComplete && steps.every((step) => wordsOf(step))) {
    add({ kind: 'words', words: [...new Set([...lists.values()].flat())] }, () => true);
  }
  if (steps.some((step) => boundOf(step, 'applies'))) {
    add({ kind: 'applies' }, (step) => boundOf(step, 'applies') !== undefined);
  }
  return demands;
}

function joined(steps: readonly Step[], isIncluded: (step: Step) => boolean): Step[] {
  const ranges: Step[] = [];
  let isOpen = false;
  for (const step of steps) {
    const included = isIncluded(step);
    if (included && isOpen) ranges.push({ ...ranges.pop()!, below: step.below });
    else if (included) ranges.push(step);
    isOpen = included;
  }
  return ranges;
}

function rangeTree(ranges: readonly Step[], by: string, path: string, context: ConditionContext): Tree {
  const test = (operator: string, value: number) => ({ fact: by, operator, value });
  const any = ranges.map(({ from, below }) => ({
    all: [
      ...(from === undefined ? [] : [test('greaterThanInclusive', from)]),
      ...(below === undefined ? [] : [test('lessThan', below)]),
    ],
  }));
  return readRoot(any.length === 1 ? any[0] : { any }, path, context);
}
