import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { checkRuleSet } from '@leeward/engine';
import { type CellValue, readXlsx, writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { cellsOfRow } from '../../../../../../test/support/test-volume.ts';
import { runWords } from '../../testing/run-words.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { checkUnpacked, MAX_UNPACKED_BYTES } from './check-unpacked.ts';

const carriers = new URL('../../../../../../fixtures/carriers/', import.meta.url);
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
  const answer = await run(folder.path, 'import', 'edited.xlsx', '--out', 'new/out.json', ...words);
  const out = join(folder.path, 'new/out.json');
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

  it('imports an added row and a changed limit', async () => {
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

  it('ignores merged cells and formulas in a sheet of notes', async () => {
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

  it('names a file that is not a workbook', async () => {
    using folder = temporaryFolder({ 'a.xlsx': 'not a zip' });
    expect(await run(folder.path, 'import', 'a.xlsx')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('cannot be read as a workbook'),
    });
  });

  it('refuses a workbook whose sheet of cases was deleted, unless that is meant', async () => {
    const withoutSheet = (grid: Grid) => {
      grid.sheets.splice(
        grid.sheets.findIndex(({ name }) => name === 'cases'),
        1,
      );
    };
    using refused = await edited(withoutSheet);
    expect(refused).toMatchObject({ code: 2, written: undefined });
    expect(refused.errors).toContain('has no sheet "cases"');
    expect(refused.errors).toContain('--without-cases');
    using taken = await edited(withoutSheet, '--without-cases');
    expect(taken, taken.output).toMatchObject({ code: 0 });
    expect(taken.written).toBeDefined();
  });

  it('keeps the stored cases if the workbook lacks them, and reports it', async () => {
    exported ??= exportOnce();
    const sheets = (await exported).filter(({ name }) => name !== 'cases');
    using folder = temporaryFolder({ 'bayou/cases.json': '[]' });
    writeFileSync(join(folder.path, 'a.xlsx'), await writeXlsx({ sheets }));
    const found = await run(folder.path, 'import', 'a.xlsx', '--out', 'bayou/rule-set.json');
    expect(found, found.errors).toMatchObject({ code: 0 });
    expect(found.output).toContain('bayou/cases.json is unchanged');
    expect(readFileSync(join(folder.path, 'bayou/cases.json'), 'utf8')).toBe('[]');
  });

  describe('a workbook that unpacks to more than it should', () => {
    const cells = Buffer.alloc(MAX_UNPACKED_BYTES + 1, '<c r="A1"><v>1</v></c>');

    it('is refused for its declared size, before it is unpacked', async () => {
      const zip = zipOf('xl/worksheets/sheet1.xml', deflateRawSync(Buffer.alloc(10)), 2 ** 31);
      expect(await checkUnpacked(zip)).toMatch(
        /unpacks to more than 33,554,432 bytes. Keep the sheets of one rule set/,
      );
    });

    it('is refused for its actual size, if it declares a smaller one', async () => {
      const zip = zipOf('xl/sharedStrings.xml', deflateRawSync(cells), 100);
      expect(zip.length).toBeLessThan(200_000);
      expect(await checkUnpacked(zip)).toMatch(/more than 33,554,432 bytes|too many bytes/);
      using folder = temporaryFolder();
      writeFileSync(join(folder.path, 'bomb.xlsx'), zip);
      const found = await run(folder.path, 'import', 'bomb.xlsx');
      expect(found).toMatchObject({
        code: 2,
        errors: expect.stringContaining('bomb.xlsx cannot be read as a workbook'),
      });
      expect(found.errors).toMatch(/more than 33,554,432 bytes|too many bytes/);
    });

    it('is refused for more files than a workbook has', async () => {
      const files = (count: number) => zipOf('a.xml', deflateRawSync(Buffer.from('<a/>')), 4, count);
      expect(await checkUnpacked(files(1_000))).toBeUndefined();
      expect(await checkUnpacked(files(1_001))).toMatch(/more than 1,000 files/);
    });

    it('passes if it is small or not a zip', async () => {
      expect(await checkUnpacked(Buffer.from('not a zip'))).toBeUndefined();
      const small = Buffer.from('<a/>');
      expect(await checkUnpacked(zipOf('a.xml', deflateRawSync(small), small.length))).toBeUndefined();
    });
  });
});

/** A zip of one file with a declared size, listed `count` times. */
function zipOf(name: string, packed: Buffer, declared: number, count = 1): Buffer {
  const fileName = Buffer.from(name);
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(8, 4);
  common.writeUInt32LE(packed.length, 14);
  common.writeUInt32LE(declared, 18);
  common.writeUInt16LE(fileName.length, 22);
  const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, fileName, packed]);
  const entry = Buffer.concat([
    Buffer.from('PK\u0001\u0002'),
    Buffer.from([20, 0]),
    common,
    Buffer.alloc(14),
    fileName,
  ]);
  const central = Buffer.concat(new Array<Buffer>(count).fill(entry));
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}
