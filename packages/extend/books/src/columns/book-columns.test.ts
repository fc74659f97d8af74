import { createCatalog, createProperty, type Property, parseRequest } from '@leeward/engine';
import { choiceField, createVocabulary } from '@leeward/engine/vocabulary';
import { describe, expect, it } from 'vitest';
import { randomStudioFile, studioLine, studioValues } from '../../../../../test/support/engine/studio-line.ts';
import { createRandom, pick } from '../../../../../test/support/random.ts';
import { readBook } from '../evaluate/read-book.ts';
import { bookTables } from '../tables/book-tables.ts';
import { createBookColumns, writeBookRow } from './book-columns.ts';

const seed = Number(process.env['LEEWARD_SEED'] ?? 20261122);
const now = new Date('2026-11-20T12:00:00Z');
const dates = { asOf: now, effectiveDate: '2026-11-20' };

function randomStudio(random: () => number): Record<string, unknown> {
  return Object.fromEntries(Object.entries(studioValues).map(([name, values]) => [name, pick(random, values)]));
}

function parse(studio: Readonly<Record<string, unknown>>): Property {
  const body = { ...studio, state: 'de', county: 'kent', policy_type: 'basic' };
  const parsed = parseRequest(body, { now, vocabulary: studioLine });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.request.property;
}

describe('columns of a book', () => {
  it(`hold fields of every kind, and give the statuses of single decisions (seed ${seed})`, () => {
    const random = createRandom(seed);
    const catalog = createCatalog([{ file: randomStudioFile(random) }], { vocabulary: studioLine });
    const columns = createBookColumns(studioLine, 50);
    const homes = Array.from({ length: 50 }, (_, row) => {
      const whole = randomStudio(random);
      const left = pick(random, [...Object.keys(whole), 'nothing']);
      const property = parse(Object.fromEntries(Object.entries(whole).filter(([name]) => name !== left)));
      writeBookRow(columns, row, property);
      return property;
    });
    for (const { codes, from, rows } of readBook(bookTables(catalog, dates), columns, studioLine)) {
      expect(rows).toBe(50);
      for (let row = 0; row < rows; row++) expect(codes[row]).toBe(catalog.statusCodes(homes[from + row]!)[0]);
    }
  });

  it('hold more words than a byte counts', () => {
    const field = choiceField('w', {
      label: 'w',
      words: Array.from({ length: 400 }, (_, index) => `word ${index}`),
      change: { kind: 'any' },
      description: 'w',
    });
    const line = createVocabulary({ ...studioLine, fields: [field], relations: [] });
    const file = randomStudioFile(createRandom(seed));
    const when = { all: [{ fact: 'w', operator: 'in', value: ['word 43', 'word 300'] }] };
    const rule = { id: 'r', outcome: 'decline', code: 'rot', message: '.', when };
    const catalog = createCatalog([{ file: { ...file, rules: [rule] } }], { vocabulary: line });
    const columns = createBookColumns(line, 400);
    for (let row = 0; row < 400; row++)
      writeBookRow(columns, row, createProperty({ ...parse({}), vocabulary: line, values: { w: `word ${row}` } }));
    for (const { codes } of readBook(bookTables(catalog, dates), columns, line))
      expect([...codes.subarray(0, 400)].flatMap((code, row) => (code === 4 ? [row] : []))).toEqual([43, 300]);
  });

  it('refuse a home of another line', () => {
    expect(() =>
      writeBookRow(
        createBookColumns(studioLine, 1),
        0,
        createProperty({ ...parse({}), vocabulary: createVocabulary({ ...studioLine, line: 'other' }), values: {} }),
      ),
    ).toThrow('The columns are of the line "studio"');
  });
});
