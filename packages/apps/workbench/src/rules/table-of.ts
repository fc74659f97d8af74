import { ruleReference } from '@leeward/authoring';
import type { RuleSet } from '@leeward/engine';
import { writtenRules } from '@leeward/engine/compiled';
import { isObject, valueAtPointer } from '@leeward/terms';
import type { ConditionLine, PlacedText, RuleRow } from './rules-messages.ts';

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
      outcome: placed('outcome', outcome),
      code: placed('code', code),
      message: placed('message', message),
      condition,
    };
  });
}

const groups: Readonly<Record<string, string>> = { all: 'all of', any: 'any of', not: 'not' };

const operatorWords = new Map<unknown, string>(ruleReference().operators.map(({ name, words }) => [name, words]));

/** The lines of a condition. `before` precedes its first word. */
function linesOf(written: unknown, path: string, before: string, depth: number, file: WrittenRules): ConditionLine[] {
  if (!isObject(written)) return [];
  if (typeof written['fact'] === 'string') return [testOf(written, path, before, depth, file)];
  return Object.entries(written).flatMap(([name, inner]): ConditionLine[] => {
    const words = `${before} ${groups[name] ?? name}`.trim();
    if (Array.isArray(inner)) {
      if (inner.length === 0) return [{ depth, words: name === 'all' ? `${before} always` : `${words} nothing` }];
      const lines = inner.map((each, index) => linesOf(each, `${path}/${name}/${index}`, '', depth + 1, file));
      return [{ depth, words }, ...lines.flat()];
    }
    if (isObject(inner)) return [{ depth, words }, ...linesOf(inner, `${path}/${name}`, '', depth + 1, file)];
    return [{ depth, words: `${words} ${String(inner)}` }];
  });
}

function testOf(
  test: Readonly<Record<string, unknown>>,
  path: string,
  before: string,
  depth: number,
  file: WrittenRules,
): ConditionLine {
  const { fact, operator, value } = test;
  const isWord = typeof value === 'string';
  const text = isWord ? value : JSON.stringify(value);
  const named = String(fact).replaceAll('_', ' ');
  const words = `${before} ${named} ${operatorWords.get(operator) ?? String(operator ?? '')}`.trim();
  return text === undefined
    ? { depth, words }
    : { depth, words, value: { text, isWord, at: file.at(`${path}/value`) } };
}
