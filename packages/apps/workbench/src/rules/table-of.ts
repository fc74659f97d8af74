import { type FactEntry, ruleReference } from '@leeward/authoring';
import type { RuleSet } from '@leeward/engine';
import { homeVocabulary } from '@leeward/engine';
import { writtenRules } from '@leeward/engine/compiled';
import { labelOf, writeValue } from '@leeward/engine/vocabulary';
import { capitalized, isObject, valueAtPointer, wordOf, writeWord } from '@leeward/terms';
import type { ConditionLine, PlacedText, RuleRow, TestOperator, TestValue } from './rules-messages.ts';

/** A file of rules, with the text range of a JSON Pointer; undefined without a value. */
export interface WrittenRules {
  readonly value: unknown;
  readonly at: (pointer: string) => readonly [from: number, to: number] | undefined;
}

const MAX_ROWS = 500;

/** The first rules as rows, in file order; each value has its range. */
export function tableOf({ rules, programs }: RuleSet, file: WrittenRules): RuleRow[] {
  const all = [
    ...writtenRules(rules).map((rule) => ({ rule, program: undefined })),
    ...programs.flatMap((program) => writtenRules(program.rules).map((rule) => ({ rule, program: program.id }))),
  ];
  return all.slice(0, MAX_ROWS).map(({ rule: { id, outcome, code, message, path }, program }): RuleRow => {
    const [from, to] = file.at(path) ?? [0, 0];
    const written = valueAtPointer(file.value, path);
    const placed = (name: string, text: string): PlacedText => ({
      text,
      at: isObject(written) && written[name] === text ? file.at(`${path}/${name}`) : undefined,
    });
    const condition = isObject(written)
      ? ['when', 'unless'].flatMap((name) => linesOf(written[name], `${path}/${name}`, name, 0, file))
      : [];
    return {
      path,
      from,
      to,
      program,
      id,
      isOurs: isObject(written) && written['id'] === id,
      outcome: placed('outcome', outcome),
      code: placed('code', code),
      message: placed('message', message),
      condition,
    };
  });
}

const groups: Readonly<Record<string, string>> = { all: 'all of', any: 'any of', not: 'not' };

const facts: ReadonlyMap<unknown, FactEntry> = new Map(ruleReference().facts.map((fact) => [fact.name, fact]));

/** The lines of a condition. `before` precedes its first word. */
function linesOf(written: unknown, path: string, before: string, depth: number, file: WrittenRules): ConditionLine[] {
  if (!isObject(written)) return [];
  if (typeof written['fact'] === 'string') return [testOf(written, path, before, depth, file)];
  return Object.entries(written).flatMap(([name, inner]): ConditionLine[] => {
    const words = `${before} ${groups[name] ?? name}`.trim();
    if (Array.isArray(inner)) {
      if (inner.length === 0) return [{ depth, words: name === 'all' ? `${before} always` : `${words} nothing` }];
      const lines = inner.map((each, index) => linesOf(each, `${path}/${name}/${index}`, '', depth + 1, file));
      // A group of one needs no line.
      if (inner.length === 1 && name !== 'not') return linesOf(inner[0], `${path}/${name}/0`, before, depth, file);
      return [{ depth, words }, ...lines.flat()];
    }
    if (isObject(inner)) return [{ depth, words }, ...linesOf(inner, `${path}/${name}`, '', depth + 1, file)];
    return [{ depth, words: `${words} ${String(inner).replaceAll('_', ' ')}` }];
  });
}

/** Operators that take the same kind of value. */
const families: readonly (readonly string[])[] = [
  ['lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive', 'equal', 'notEqual'],
  ['in', 'notIn'],
  ['contains', 'doesNotContain'],
  ['within', 'notWithin', 'entirelyWithin', 'notEntirelyWithin'],
  ['inRanges', 'notInRanges'],
];

/** `not:` negates an operator. */
function operatorWords(name: string): string {
  const plain = name.replace(/^not:/, '');
  return `${plain === name ? '' : 'not: '}${wordOf('operator', plain)}`;
}

function testOf(
  test: Readonly<Record<string, unknown>>,
  path: string,
  before: string,
  depth: number,
  file: WrittenRules,
): ConditionLine {
  const { fact, operator, value } = test;
  const name = String(operator ?? '');
  const entry = facts.get(fact);
  const family = families.find((each) => each.includes(name)) ?? [];
  const placed: TestOperator = {
    text: name,
    words: operatorWords(name),
    at: file.at(`${path}/operator`),
    options: family
      .filter((each) => entry?.operators.includes(each))
      .map((each) => [each, operatorWords(each)] as const),
  };
  const line = { depth, words: before, label: labelOf(String(fact), homeVocabulary), operator: placed };
  return value === undefined
    ? line
    : { ...line, value: testValueOf(value, entry, String(fact), file.at(`${path}/value`)) };
}

function testValueOf(value: unknown, entry: FactEntry | undefined, fact: string, at: PlacedText['at']): TestValue {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const isWords = entry?.words !== undefined && entry.kind !== 'number';
  const options = isWords ? entry.words!.map((word) => [word, capitalized(writeWord(word))] as const) : [];
  if (typeof value === 'number') {
    const unit = entry?.unit;
    const isDollars = unit === 'dollars';
    const isSaid = isDollars || unit === 'year' || (unit !== undefined && labelOf(fact, homeVocabulary).includes(unit));
    const digits = unit === 'year' ? text : value.toLocaleString('en-US', { maximumFractionDigits: 6 });
    const display = isDollars ? `$${digits}` : digits;
    return { kind: 'number', text, at, display, unit: isSaid ? undefined : unit };
  }
  if (typeof value === 'boolean')
    return {
      kind: 'choice',
      text,
      at,
      isWord: false,
      options: [
        ['true', 'Yes'],
        ['false', 'No'],
      ],
    };
  if (typeof value === 'string' && options.some(([word]) => word === value))
    return { kind: 'choice', text, at, isWord: true, options };
  if (Array.isArray(value) && options.length > 0 && value.every((each) => options.some(([word]) => word === each)))
    return {
      kind: 'choices',
      text,
      at,
      chosen: value as string[],
      options,
      display: writeValue(fact, value, homeVocabulary),
    };
  return { kind: 'text', text, at, isWord: typeof value === 'string' };
}
