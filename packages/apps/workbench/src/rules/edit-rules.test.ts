import { readdirSync, readFileSync } from 'node:fs';
import { checkRuleSet } from '@leeward/engine';
import { findNodeAtLocation, getNodeValue, parseTree } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { addRule, areNeighbors, duplicateRule, removeRule, swapRules, type TextEdit } from './edit-rules.ts';
import { tableOf } from './table-of.ts';

const folder = new URL('../../../../../fixtures/carriers/', import.meta.url);
const texts = readdirSync(folder).map((key) => readFileSync(new URL(`${key}/rule-set.json`, folder), 'utf8'));

function rowsOf(text: string) {
  const root = parseTree(text)!;
  const at = (pointer: string) => {
    const path = pointer.split('/').slice(1);
    const node = findNodeAtLocation(
      root,
      path.map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
    );
    return node && ([node.offset, node.offset + node.length] as const);
  };
  return tableOf(checkRuleSet(JSON.parse(text)).ruleSet!, { value: getNodeValue(root), at });
}

/** Rules of json-rules-engine have a name. */
type Written = { id?: string; name?: string };
const idOf = ({ id, name }: Written) => id ?? name!;

const apply = (text: string, { from, to, insert }: TextEdit) => text.slice(0, from) + insert + text.slice(to);

/** The list of a rule in a file, and its place there. */
function listAt(file: unknown, path: string): readonly [list: Written[], place: number] {
  const parts = path.split('/').slice(1);
  const place = Number(parts.pop());
  return [parts.reduce((value, part) => (value as Record<string, never>)[part]!, file) as never, place];
}

/** Expects that the edit changes the list of the rule as `change` does, and nothing else. */
function expectEdit(text: string, path: string, edit: TextEdit, change: (list: Written[], place: number) => void) {
  const edited = JSON.parse(apply(text, edit)) as unknown;
  const wanted = JSON.parse(text) as unknown;
  const [list, place] = listAt(wanted, path);
  change(list, place);
  const [now] = listAt(edited, path);
  // The contents of a new rule are arbitrary.
  for (const [index, each] of list.entries()) if (idOf(each).startsWith('new:')) list[index] = now[index]!;
  expect(edited).toEqual(wanted);
}

describe('edits of rules in the text', () => {
  it.each(texts.flatMap((text) => [text, JSON.stringify(JSON.parse(text))]))('change one list only (%#)', (text) => {
    const rows = rowsOf(text);
    const ids = new Set(rows.map(({ id }) => id));
    for (const [index, row] of rows.entries()) {
      if (index % 5 !== 0) continue;
      const { path } = row;
      expectEdit(text, path, removeRule(text, row), (list, place) => list.splice(place, 1));
      expectEdit(text, path, duplicateRule(text, rows, row), (list, place) => {
        const copy = { ...list[place]!, [row.isOurs ? 'id' : 'name']: `${row.id}-2` };
        expect(ids.has(idOf(copy))).toBe(false);
        list.splice(place + 1, 0, copy);
      });
      if (row.isOurs)
        expectEdit(text, path, addRule(text, rows, row), (list, place) => list.splice(place + 1, 0, { id: 'new:' }));
      const next = rows[index + 1];
      if (!areNeighbors(row, next)) continue;
      expectEdit(text, path, swapRules(text, row, next!), (list, place) => {
        [list[place], list[place + 1]] = [list[place + 1]!, list[place]!];
      });
    }
  });

  it('are valid rule sets, and keep the indentation', () => {
    for (const text of texts) {
      const rows = rowsOf(text);
      const row = rows[0]!;
      for (const edit of [...(row.isOurs ? [addRule(text, rows, row)] : []), duplicateRule(text, rows, row)])
        expect(checkRuleSet(JSON.parse(apply(text, edit))).faults).toEqual([]);
      if (!row.isOurs) continue;
      const added = apply(text, addRule(text, rows, row)).split('\n');
      const start = added.findIndex((line) => line.includes('"id": "new-rule"'));
      const same = text.split('\n').find((line) => line.includes(`"id": "${row.id}"`))!;
      expect(added[start]!.search(/\S/)).toBe(same.search(/\S/));
    }
  });
});
