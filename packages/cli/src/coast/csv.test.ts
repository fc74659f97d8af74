import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { harmless, readCells, writeCells } from './csv-cells.ts';
import { type CsvRecord, readCsvRecords } from './csv-records.ts';

async function records(text: string) {
  using folder = temporaryFolder();
  const path = join(folder.path, 'homes.csv');
  writeFileSync(path, text);
  const read: CsvRecord[] = [];
  for await (const record of readCsvRecords(path)) read.push(record);
  return read;
}

describe('cells', () => {
  it.each([
    ['a,b,c', ['a', 'b', 'c']],
    ['', ['']],
    [',', ['', '']],
    ['"a, b","say ""hi""",', ['a, b', 'say "hi"', '']],
    ['""', ['']],
    ['12" pipe, 5', ['12" pipe', '5']],
    ['"two\nlines",b', ['two\nlines', 'b']],
  ])('%j', (text, cells) => {
    expect(readCells(text)).toEqual(cells);
  });

  it.each(['"open', 'a,"b', '"closed"and more,b'])('%j is no record', (text) => {
    expect(readCells(text)).toBeUndefined();
  });

  it('are read as they were written', () => {
    const cells = fc.array(
      fc.string({ unit: 'grapheme' }).map((text) => text.trim()),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(cells, (list) => {
        expect(readCells(writeCells(list))).toEqual(list);
      }),
    );
  });

  it('of strangers are no formulas', () => {
    expect(['=1+1', '+1', '-1', '@x', '\tx', 'Main St'].map(harmless)).toEqual([
      "'=1+1",
      "'+1",
      "'-1",
      "'@x",
      "'\tx",
      'Main St',
    ]);
  });
});

describe('records', () => {
  it('begin where their first line stands, also over several lines', async () => {
    expect(await records('\uFEFFaddress,x\r\n"1 Main St\nApt 2",1\n\n  \n33139,2')).toEqual([
      { line: 1, text: 'address,x', cells: ['address', 'x'] },
      { line: 2, text: '"1 Main St\nApt 2",1', cells: ['1 Main St\nApt 2', '1'] },
      { line: 6, text: '33139,2', cells: ['33139', '2'] },
    ]);
  });

  it('that are never closed take no other with them', async () => {
    const lines = ['a,b', '"open,1', ...Array.from({ length: 40 }, (_, index) => `home ${index},"quoted"`), '"open,2'];
    const read = await records(lines.join('\n'));
    expect(read.map(({ line }) => line)).toEqual(lines.map((_, index) => index + 1));
    expect(read.filter(({ cells }) => cells === undefined).map(({ line }) => line)).toEqual([2, 43]);
  });

  it('are those of the file, whatever stands in it', async () => {
    const cell = fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => text.trim().replaceAll('\r', ''));
    const table = fc.array(fc.tuple(fc.constant('x'), cell, cell), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const read = await records(rows.map((row) => `${writeCells(row)}\n`).join(''));
        expect(read.map(({ cells }) => cells)).toEqual(rows);
      }),
      { numRuns: 50 },
    );
  });
});
