import type { RuleRow } from './rules-messages.ts';

/** A replacement in the text of a rule set. */
export interface TextEdit {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

type Place = Pick<RuleRow, 'path' | 'from' | 'to' | 'id'>;

const listOf = ({ path }: Place) => path.slice(0, path.lastIndexOf('/'));

/** True if the rules are next to each other in one list, in this order. */
export function areNeighbors(first: Place | undefined, second: Place | undefined): boolean {
  return first !== undefined && second !== undefined && listOf(first) === listOf(second) && first.to <= second.from;
}

/** The blanks between the mark before an element and the element: a line and its indentation. */
const blanksBefore = (text: string, { from }: Place) => /\s*$/.exec(text.slice(0, from))![0];

function freeId(id: string, ids: ReadonlySet<string>): string {
  for (let number = 2; ; number++) if (!ids.has(`${id}-${number}`)) return `${id}-${number}`;
}

const idsOf = (rows: readonly Place[]): ReadonlySet<string> => new Set(rows.map(({ id }) => id));

/** A copy of a rule after it, under a free id. */
export function duplicateRule(text: string, rows: readonly Place[], row: Place): TextEdit {
  const written = text.slice(row.from, row.to);
  const id = JSON.stringify(freeId(row.id, idsOf(rows)));
  // Rules of json-rules-engine have a name.
  const copy = written.replace(/("(?:id|name)"\s*:\s*)"(?:[^"\\]|\\.)*"/, (_, start: string) => start + id);
  return { from: row.to, to: row.to, insert: `,${blanksBefore(text, row)}${copy}` };
}

const newRule = {
  outcome: 'refer',
  code: 'claims',
  when: { all: [{ fact: 'total_claims', operator: 'greaterThan', value: 3 }] },
  message: 'More than 3 claims in five years: {total_claims}.',
};

/** A new rule after a rule, in its list. */
export function addRule(text: string, rows: readonly Place[], row: Place): TextEdit {
  const ids = idsOf(rows);
  const id = ids.has('new-rule') ? freeId('new-rule', ids) : 'new-rule';
  const blanks = blanksBefore(text, row);
  const indent = blanks.slice(blanks.lastIndexOf('\n') + 1);
  const written = JSON.stringify({ id, ...newRule }, null, 2).replaceAll('\n', `\n${indent}`);
  return { from: row.to, to: row.to, insert: `,${blanks}${written}` };
}

/** Removes a rule, with one of the commas around it. */
export function removeRule(text: string, row: Place): TextEdit {
  const after = /^\s*,\s*/.exec(text.slice(row.to));
  if (after) return { from: row.from, to: row.to + after[0].length, insert: '' };
  const before = /,\s*$/.exec(text.slice(0, row.from));
  return { from: row.from - (before?.[0].length ?? 0), to: row.to, insert: '' };
}

/** Swaps two neighbors. */
export function swapRules(text: string, first: Place, second: Place): TextEdit {
  const between = text.slice(first.to, second.from);
  const insert = text.slice(second.from, second.to) + between + text.slice(first.from, first.to);
  return { from: first.from, to: second.to, insert };
}
