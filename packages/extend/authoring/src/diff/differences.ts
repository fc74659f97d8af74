import type { RuleSet, Vocabulary } from '@leeward/engine';
import { describeTest, forEachRuleLeaf, type TestInWords } from '@leeward/engine/compiled';
import { labelOf, writeCounty } from '@leeward/engine/vocabulary';
import { canonicalJson, isObject, own, pointer, quoteValue, wordOf, writeTime, writeWord } from '@leeward/terms';

/** An edited place. */
export interface Difference {
  /** JSON Pointer below the compared values. For a removed entry, the pointer of its list. */
  readonly path: string;
  readonly text: string;
}

/** Describes the differences of two parts of rule files: conditions in words, other places by their keys. */
export type Differences = (older: unknown, newer: unknown) => Difference[];

const MAX_LISTED = 6;

export function createDifferences(older: RuleSet, newer: RuleSet, vocabulary: Vocabulary): Differences {
  const tests = new Map<string, TestInWords>();
  for (const ruleSet of [older, newer])
    forEachRuleLeaf(ruleSet, (leaf) => tests.set(canonicalJson(leaf.written), describeTest(leaf, vocabulary)));
  const testOf = (source: unknown) => (isObject(source) ? tests.get(canonicalJson(source)) : undefined);
  const entryWords = (source: unknown) => wordsOfCondition(source, testOf) ?? quoteValue(source);

  const compare = (a: unknown, b: unknown, path: string): Difference[] => {
    if (a === b) return [];
    const at = labelOfPath(path, vocabulary);
    const [test, newTest] = [testOf(a), testOf(b)];
    if (test && newTest)
      return canonicalJson(a) === canonicalJson(b) ? [] : [{ path, text: testChange(test, newTest) }];
    if (Array.isArray(a) && Array.isArray(b)) {
      if (a.every(isPlain) && b.every(isPlain)) return compareLists(a, b, path, at);
      return compareEntries(a, b, path, at);
    }
    if (isObject(a) && isObject(b)) {
      const [words, newWords] = [wordsOfCondition(a, testOf), wordsOfCondition(b, testOf)];
      // Another kind of condition.
      if (words && newWords && Object.keys(a).join() !== Object.keys(b).join())
        return [{ path, text: `(${words}) became (${newWords})` }];
      const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
      return keys.flatMap((key) => compare(own(a, key), own(b, key), `${path}${pointer(key)}`));
    }
    const print = (value: unknown) => printAt(path, value);
    return [{ path, text: `${at && `${at} `}${print(a)} became ${print(b)}` }];
  };

  const compareLists = (a: readonly unknown[], b: readonly unknown[], path: string, at: string): Difference[] => {
    const print = (value: unknown) => printAt(path, value);
    const changes = listChanges(a.map(print), b.map(print));
    if (changes !== '') return [{ path, text: `${at && `${at}: `}${changes}` }];
    return a.length === b.length ? [] : [{ path, text: `${at} repeats its values differently`.trim() }];
  };

  /** Pairs tests of the same fact, then the others in their order. */
  const compareEntries = (a: readonly unknown[], b: readonly unknown[], path: string, at: string): Difference[] => {
    const [before, after] = [new Set(a.map(canonicalJson)), new Set(b.map(canonicalJson))];
    const gone = a.filter((each) => !after.has(canonicalJson(each)));
    const added = b.flatMap((each, index) => (before.has(canonicalJson(each)) ? [] : [{ each, index }]));
    if (gone.length === 0 && added.length === 0)
      return canonicalJson(a) === canonicalJson(b) ? [] : [{ path, text: `${at} in another order`.trim() }];
    const pairs = new Map<unknown, (typeof added)[number]>();
    const pairUp = (isPair: (older: unknown, newer: unknown) => boolean) => {
      for (const older of gone) {
        const place = pairs.has(older) ? -1 : added.findIndex(({ each }) => isPair(older, each));
        if (place >= 0) pairs.set(older, added.splice(place, 1)[0]!);
      }
    };
    pairUp((older, newer) => testOf(older) !== undefined && testOf(older)?.label === testOf(newer)?.label);
    pairUp((older, newer) => (testOf(older) === undefined) === (testOf(newer) === undefined));
    return [
      ...gone.flatMap((older) => {
        const pair = pairs.get(older);
        if (pair) return compare(older, pair.each, `${path}/${pair.index}`);
        return [{ path, text: `${at && `${at} `}without ${entryWords(older)}` }];
      }),
      ...added.map(({ each, index }) => ({
        path: `${path}/${index}`,
        text: `${at && `${at} `}with ${entryWords(each)}`,
      })),
    ];
  };
  return (a, b) => compare(a, b, '');
}

/** `age of the roof more than 15 years became more than 20 years`. */
function testChange(a: TestInWords, b: TestInWords): string {
  if (a.label !== b.label) return `${testWords(a)} became ${testWords(b)}`;
  const isList = a.limits.length > 1 || b.limits.length > 1;
  const changes = isList && a.operator === b.operator ? listChanges(a.limits, b.limits) : '';
  if (changes !== '') return `${a.label} ${shortOperator(a)}: ${changes}`;
  return `${[a.label, shortOperator(a), limitsOf(a)].filter(Boolean).join(' ')} became ${[shortOperator(b), limitsOf(b)].filter(Boolean).join(' ')}`;
}

const shortOperator = ({ operator }: TestInWords) => operator.replace(/^is ?/, '');
const testWords = (test: TestInWords) => `${test.label} ${test.operator} ${limitsOf(test)}`;

function limitsOf({ limits }: TestInWords): string {
  const more = limits.length - MAX_LISTED;
  return `${limits.slice(0, MAX_LISTED).join(' or ')}${more > 0 ? ` or ${more} more` : ''}`;
}

/** `slate added, metal removed`; empty if both lists have the same values. */
function listChanges(a: readonly string[], b: readonly string[]): string {
  const added = b.filter((each) => !a.includes(each)).map((each) => `${each} added`);
  const removed = a.filter((each) => !b.includes(each)).map((each) => `${each} removed`);
  return [...added, ...removed].join(', ');
}

/** Undefined for other values. */
function wordsOfCondition(source: unknown, testOf: (source: unknown) => TestInWords | undefined): string | undefined {
  const test = testOf(source);
  if (test) return testWords(test);
  if (!isObject(source)) return undefined;
  const { all, any, not, condition } = source;
  if (typeof condition === 'string') return `the shared condition ${quoteValue(condition)}`;
  if (isObject(not)) {
    const words = wordsOfCondition(not, testOf);
    return words && `not (${words})`;
  }
  const parts = Array.isArray(all) ? all : Array.isArray(any) ? any : [];
  const words = parts.map((part) => wordsOfCondition(part, testOf));
  if (words.length === 0 || words.some((each) => each === undefined)) return undefined;
  return words.map((each, index) => (testOf(parts[index]) ? each : `(${each})`)).join(all ? ' and ' : ' or ');
}

/** Keys of conditions and of lists, which the words of tests replace. */
const structure = /^(when|conditions|all|any|not|event|params|\d+)$/;

/** `outcome`, `excluded counties of TX`, `offer roof settlement`. */
function labelOfPath(path: string, vocabulary: Vocabulary): string {
  const keys = path.split('/').slice(1);
  const [first, state, how] = keys;
  if (first === 'counties' && state !== undefined)
    return `${how === undefined ? '' : `${how}d `}counties of ${state.toUpperCase()}`;
  const names = keys.filter((key) => !structure.test(key));
  return names.map((key) => (key === 'code' ? 'reason' : labelOf(key, vocabulary))).join(' ');
}

function printAt(path: string, value: unknown): string {
  const [key = '', ...others] = path.split('/').slice(1);
  if (value === undefined || value === null) return 'nothing';
  if (typeof value !== 'string') return quoteValue(value);
  if (key === 'counties') return writeCounty(value);
  if (key === 'states') return value.toUpperCase();
  if (key === 'policy_types') return writeWord(value);
  if (key === 'code') return wordOf('reason', value);
  if (key === 'outcome') return value;
  if ((key === 'from' || key === 'until') && others.length === 0) return value.includes('T') ? writeTime(value) : value;
  return quoteValue(value);
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
