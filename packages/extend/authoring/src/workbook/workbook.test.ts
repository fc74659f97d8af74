import { readFileSync } from 'node:fs';
import { sha256OfJson } from '@leeward/engine/compiled';
import { describe, expect, it } from 'vitest';
import { fixtureFiles } from '../../../../../test/support/engine/fixture-carriers.ts';
import { ruleFile, ruleSetFile, test, when } from '../../../../../test/support/engine/rule-set-file.ts';
import { readWorkbook } from './read-workbook.ts';
import { cellName, type SheetCell, type WorkbookSheet } from './workbook.ts';
import { writeWorkbook } from './write-workbook.ts';

const again = (file: unknown, cases?: unknown) => readWorkbook(writeWorkbook(file, { cases }));
const wordsOf = (sheets: readonly WorkbookSheet[]) =>
  readWorkbook(sheets).faults.map(({ sheet, row, column, code }) => `${sheet}!${cellName(row, column)} ${code}`);

function edited(file: unknown, ...edits: readonly (readonly [sheet: string, cell: string, value: SheetCell])[]) {
  const sheets = writeWorkbook(file).map(({ name, rows }) => ({ name, rows: rows.map((row) => [...row]) }));
  for (const [name, cell, value] of edits) {
    const [, letter, number] = /^([A-Z])(\d+)$/.exec(cell)!;
    const { rows } = sheets.find((sheet) => sheet.name === name)!;
    const row = Number(number) - 1;
    while (rows.length <= row) rows.push([]);
    const column = letter!.charCodeAt(0) - 65;
    while (rows[row]!.length < column) rows[row]!.push(null);
    rows[row]![column] = value;
  }
  return sheets;
}

describe('a rule set as a workbook', () => {
  it.each(fixtureFiles().map(({ name, file }) => [name, file] as const))('restores %s', (name, file) => {
    const cases = JSON.parse(
      readFileSync(
        new URL(`../../../../../fixtures/carriers/${name.split('/')[0]}/cases.json`, import.meta.url),
        'utf8',
      ),
    ) as unknown;
    const read = again(file, cases);
    expect(read.faults).toEqual([]);
    expect(sha256OfJson(read.file)).toBe(sha256OfJson(file));
    expect(sha256OfJson(read.cases)).toBe(sha256OfJson(cases));
  });

  it.each([
    [
      'words that look like something else',
      [' 15 ', '15', 'true', 'null', '{', '"a"', 'a | b', '=SUM(A1)', 'a_x000D_b', '', 'line\r\nline'],
    ],
    ['lists', [[], ['15'], [15], ['a', 15], ['a | b'], [' a'], [null], [['a']], [true]]],
    ['JSON', [null, true, { fact: 'home_age' }, { fact: 'x', path: 'a.b' }, 1e21, -0.5]],
  ])('%s are the same again', (_, values) => {
    for (const operator of ['equal', 'not:equal', ...(values.every(Array.isArray) ? ['in', 'someFact:in'] : [])]) {
      const rules = values.map((value, index) =>
        ruleFile({ id: `${index}`, message: String(value), when: { all: [test('usage', operator, value)] } }),
      );
      const file = ruleSetFile({ rules });
      expect(again(file)).toMatchObject({ faults: [], file });
    }
  });

  it.each([
    ['two tests of one column', when(test('home_age', 'equal', 1), test('home_age', 'equal', 2))],
    [
      'tests in another order than others have',
      ruleSetFile({
        rules: ['a', 'b', 'c'].map((id, index) => {
          const tests = [test('acreage', 'equal', 1), test('home_age', 'equal', 2), test('usage', 'equal', 'rental')];
          return ruleFile({ id, when: { all: [...tests.slice(index), ...tests.slice(0, index)] } });
        }),
      }),
    ],
    ['a nested any', when(test('acreage', 'equal', 1), { any: [test('home_age', 'equal', 1)] })],
    ['not', ruleSetFile({ rules: [ruleFile({ unless: { not: { all: [] } }, when: undefined })] })],
    ['empty lists', ruleSetFile({ rules: [], conditions: {}, allow: [], moratoria: [] })],
    ['a condition named __proto__', ruleSetFile({ conditions: JSON.parse('{"__proto__":{"all":[]}}') })],
    ['comments', ruleSetFile({ $comment: ['x'], carrier: { key: 'a', name: 'A', $comment: 1 } })],
    [
      'tiers with and without a name',
      ruleSetFile({
        programs: [
          { id: '1', policy_types: ['ho3'], states: ['tx'], tier: { of: 'home', rank: 1, name: 'Preferred' } },
          { id: '2', policy_types: ['ho3'], states: ['tx'], tier: { of: 'home', rank: 2, $comment: 'x' } },
        ],
      }),
    ],
    [
      'programs that say little and much',
      ruleSetFile({
        programs: [
          { id: '1', policy_types: ['ho3'], states: ['tx'], rules: [], counties: { tx: { include: ['st. a; b'] } } },
          {
            id: 'true',
            policy_types: [],
            states: ['tx'],
            counties: {},
            rules: [ruleFile({ priority: 3, $comment: 'x' })],
          },
        ],
      }),
    ],
  ])('%s are the same again', (_, file) => {
    const plain = JSON.parse(JSON.stringify(file)) as unknown;
    const read = again(plain);
    expect(read.faults).toEqual([]);
    expect(sha256OfJson(read.file)).toBe(sha256OfJson(plain));
  });

  it('returns the cell of every part', () => {
    const { placeOf } = again(when(test('home_age', 'greaterThan', 30), test('usage', 'equal', 'rental')));
    const named = (path: string) => {
      const { sheet, row, column } = placeOf(path);
      return `${sheet}!${cellName(row, column)}`;
    };
    expect(
      ['/rules/0/when/all/1/value', '/rules/0/message', '/programs/0/states/0', '/effective/from', ''].map(named),
    ).toEqual(['rules!H2', 'rules!E2', 'programs!C2', 'carrier!B6', 'carrier!A1']);
  });

  it('accepts added rows, changed limits, signs, dates and words without brackets', () => {
    const file = ruleSetFile();
    const dated = new Date('2026-02-01T00:00:00Z');
    const sheets = edited(
      file,
      ['carrier', 'B6', dated],
      ['rules', 'G1', 'total_claims >'],
      ['rules', 'G2', 4],
      ['rules', 'A4', 'roof'],
      ['rules', 'B4', 'texas'],
      ['rules', 'C4', 'refer'],
      ['rules', 'D4', 'roof_type'],
      ['rules', 'F4', 'unless any'],
      ['rules', 'E4', 'Ask.'],
      ['rules', 'H1', 'roof_type in'],
      ['rules', 'H4', 'metal|tile '],
    );
    const { faults, file: read } = readWorkbook(sheets);
    expect(faults).toEqual([]);
    expect(read).toMatchObject({
      effective: { from: '2026-02-01' },
      rules: [{ when: { all: [{ operator: 'greaterThan', value: 4 }] } }],
      programs: [{ rules: [{ id: 'roof', unless: { any: [test('roof_type', 'in', ['metal', 'tile'])] } }] }],
    });
  });

  it.each([
    ['a blank outcome', [['rules', 'C2', null]], 'rules!C2 blank_outcome'],
    ['no test', [['rules', 'G2', '  ']], 'rules!F2 no_test'],
    [
      'a column too many',
      [
        ['rules', 'H1', 'colour'],
        ['rules', 'H2', 'red'],
      ],
      'rules!H1 unknown_column',
    ],
    ['a cell beside the table', [['rules', 'J2', 'see above']], 'rules!J2 no_heading'],
    ['a column twice', [['rules', 'H1', 'id']], 'rules!H1 column_twice'],
    ['an unknown operator', [['rules', 'G1', 'total_claims over']], 'rules!G1 unknown_column'],
    ['another unit', [['rules', 'H1', 'roof_age > [months]']], 'rules!H1 unknown_column'],
    ['an unknown program', [['rules', 'B2', 'texs']], 'rules!B2 unknown_program'],
    ['an unknown word for holds', [['rules', 'F2', 'if all']], 'rules!F2 unknown_holds'],
    ['broken JSON', [['rules', 'G2', '{"fact": ']], 'rules!G2 unreadable_cell'],
    [
      'a key given twice',
      [['rules', 'G2', '[{"fact": "a:{\\"", "x": {"fact": 1}, "\\u0066act" : 2}]']],
      'rules!G2 unreadable_cell',
    ],
    ['a time of day', [['carrier', 'B6', new Date('2026-02-01T10:00:00Z')]], 'carrier!B6 unreadable_cell'],
    ['an unknown key of the carrier', [['carrier', 'A5', 'versoin']], 'carrier!A5 unknown_key'],
    [
      'counties in words',
      [
        ['programs', 'D1', 'counties'],
        ['programs', 'D2', 'all of texas'],
      ],
      'programs!D2 unreadable_cell',
    ],
  ] as const)('names the cell of %s', (_, edits, fault) => {
    expect(wordsOf(edited(ruleSetFile(), ...edits))).toContain(fault);
  });

  it('reports missing sheets, and sheets that would be lost', () => {
    const [carrier, programs, rules] = writeWorkbook(ruleSetFile());
    const notes = { name: 'Notes 2027', rows: [['for people']] };
    expect(wordsOf([carrier!, programs!, { ...rules!, name: 'rule' }, notes])).toEqual([
      'rule!A1 unknown_sheet',
      'rules!A1 missing_sheet',
    ]);
  });
});
