import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkRuleSet } from '@leeward/engine';
import { type CellValue, readXlsx, writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { cellsOfRow } from '../../../../../test/support/test-volume.ts';
import { runWords } from '../../testing/run-words.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const carriers = new URL('../../../../../fixtures/carriers/', import.meta.url);
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as unknown;
const run = (folder: string, ...words: string[]) => runWords(['rules', ...words], { folder });

interface Grid {
  readonly sheets: { name: string; rows: CellValue[][] }[];
  merges: Record<string, [number, number, number, number]>;
  formulas: Record<string, string>;
}

let exported: Promise<Grid['sheets']> | undefined;

/** The sheets of a carrier's workbook. */
async function exportOnce(): Promise<Grid['sheets']> {
  using folder = temporaryFolder();
  cpSync(new URL('bayou_mutual', carriers), join(folder.path, 'bayou'), { recursive: true });
  await run(folder.path, 'export', 'bayou/rule-set.json', '--out', 'b.xlsx');
  const { sheets } = await readXlsx(readFileSync(join(folder.path, 'b.xlsx')));
  return sheets.map(({ name, rows }) => ({ name, rows }));
}

/** Edits the workbook of a carrier as a person would, imports it. */
async function edited(edit: (grid: Grid, sheet: (name: string) => CellValue[][]) => void, ...words: string[]) {
  exported ??= exportOnce();
  const folder = temporaryFolder();
  const grid: Grid = { sheets: structuredClone(await exported), merges: {}, formulas: {} };
  edit(grid, (name) => grid.sheets.find((each) => each.name === name)!.rows);
  const bytes = await writeXlsx({
    sheets: grid.sheets.map(({ name, rows }) => {
      const range = grid.merges[name];
      const formula = grid.formulas[name];
      return {
        name,
        rows,
        ...(range ? { merges: [{ startRow: range[0], startCol: range[1], endRow: range[2], endCol: range[3] }] } : {}),
        ...(formula === undefined ? {} : { cells: new Map([['1,5', { value: 3, formula }]]) }),
      };
    }),
  });
  writeFileSync(join(folder.path, 'edited.xlsx'), bytes);
  const answer = await run(folder.path, 'import', 'edited.xlsx', '--out', 'out.json', ...words);
  const out = join(folder.path, 'out.json');
  return {
    ...answer,
    written: existsSync(out) ? (read(out) as { rules: Record<string, unknown>[] }) : undefined,
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

const column = (rows: CellValue[][], heading: string) => rows[0]!.indexOf(heading);
const rowOf = (rows: CellValue[][], id: string) => rows.findIndex(([cell]) => cell === id);

describe('leeward rules export and import of workbooks', () => {
  it('all invented carriers come back the same by hash, cases too', { timeout: 60_000 }, async () => {
    using folder = temporaryFolder();
    const keys = readdirSync(carriers);
    expect(keys).toHaveLength(25);
    // Some of them every day, all in the nightly run.
    for (const key of cellsOfRow(keys, 0, 3)) {
      cpSync(new URL(key, carriers), join(folder.path, key), { recursive: true });
      for (const name of readdirSync(join(folder.path, key)).filter((each) => each.startsWith('rule-set'))) {
        const exported = await run(folder.path, 'export', `${key}/${name}`, '--out', `${key}-${name}.xlsx`);
        expect(exported, exported.errors).toMatchObject({ code: 0 });
        const back = join(folder.path, key, 'back', name);
        mkdirSync(dirname(back), { recursive: true });
        const imported = await run(folder.path, 'import', `${key}-${name}.xlsx`, '--out', back);
        expect(imported, imported.output).toMatchObject({ code: 0 });
        const [before, after] = [join(folder.path, key, name), back].map(
          (path) => checkRuleSet(read(path)).ruleSet!.sha256,
        );
        expect(after).toBe(before);
        expect(read(join(folder.path, key, 'back', 'cases.json'))).toEqual(read(join(folder.path, key, 'cases.json')));
        rmSync(join(folder.path, key, 'back', 'cases.json'));
      }
    }
  });

  it('takes a row that was added and a limit that was changed', async () => {
    using found = await edited((_, sheet) => {
      const rows = sheet('rules');
      rows[rowOf(rows, 'claims')]![column(rows, 'total_claims greaterThan [claims]')] = 4;
      const added: CellValue[] = rows[0]!.map(() => null);
      for (const [heading, value] of [
        ['id', 'rental'],
        ['outcome', 'refer'],
        ['code', 'usage'],
        ['holds', 'when all'],
        ['usage equal', 'rental'],
        ['message', 'Rental: ask.'],
      ] as const)
        added[column(rows, heading)] = value;
      rows.push(added);
    });
    expect(found, found.output).toMatchObject({ code: 0 });
    const rules = found.written!.rules;
    expect(rules.find(({ id }) => id === 'claims')).toMatchObject({ when: { all: [{ value: 4 }] } });
    expect(rules.find(({ id }) => id === 'rental')).toMatchObject({
      when: { all: [{ fact: 'usage', value: 'rental' }] },
    });
  });

  it('a sheet of notes is for people: merged cells and formulas there matter to nobody', async () => {
    using answer = await edited((grid) => {
      grid.sheets.push({ name: 'Notes of ours', rows: [['a title over'], ['two', 'columns', null, null, null, 3]] });
      grid.merges['Notes of ours'] = [0, 0, 0, 1];
      grid.formulas['Notes of ours'] = '1+2';
    });
    expect([answer.code, answer.errors]).toEqual([0, '']);
    expect(answer.written).toBeDefined();
  });

  it.each<[string, (grid: Grid, sheet: (name: string) => CellValue[][]) => void, string]>([
    [
      'a column too many',
      (_, sheet) => {
        sheet('rules')[0]!.push('remarks');
        sheet('rules')[2]!.push('why?');
      },
      'unknown_column',
    ],
    [
      'merged cells',
      (grid) => {
        grid.merges['rules'] = [1, 1, 3, 1];
      },
      'merged_cells  rules!B2',
    ],
    [
      'a formula',
      (grid) => {
        grid.formulas['rules'] = '1+2';
      },
      'formula  rules!F2',
    ],
    [
      'a blank outcome',
      (_, sheet) => {
        sheet('rules')[1]![2] = null;
      },
      'blank_outcome  rules!C2',
    ],
    [
      'an unknown word',
      (_, sheet) => {
        const rows = sheet('rules');
        rows[rowOf(rows, 'usage-vacant')]![column(rows, 'usage equal')] = 'vacnt';
      },
      'unknown_value  rules!',
    ],
    [
      'a number written as text',
      (_, sheet) => {
        const rows = sheet('rules');
        rows[1]![column(rows, 'total_claims greaterThan [claims]')] = '> 2';
      },
      'rules!',
    ],
    [
      'an id given twice',
      (_, sheet) => {
        sheet('rules')[2]![0] = 'claims';
      },
      'duplicate_id  rules!A3',
    ],
    [
      'a program that is not there',
      (_, sheet) => {
        sheet('rules')[1]![1] = 'tx';
      },
      'unknown_program  rules!B2',
    ],
    [
      'a county that is not there',
      (_, sheet) => {
        const rows = sheet('programs');
        rows[1]![3] = 'tx: only broward';
      },
      'unknown_county  programs!D2',
    ],
    [
      'a sheet renamed',
      (grid) => {
        grid.sheets.find(({ name }) => name === 'moratoria')!.name = 'storms';
      },
      'unknown_sheet  storms!A1',
    ],
  ])('names the cell of %s, and writes nothing', async (_, edit, expected) => {
    using found = await edited(edit);
    expect(found).toMatchObject({ code: 1, written: undefined });
    expect(found.output).toContain(expected);
    expect(found.output).toContain('nothing is written');
  });

  it('says what is no workbook', async () => {
    using folder = temporaryFolder({ 'a.xlsx': 'not a zip' });
    expect(await run(folder.path, 'import', 'a.xlsx')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('no workbook'),
    });
  });
});
