import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { fittingTable, type TableContent } from './fitting-table.ts';

const id = '0198a3f0-5d1c-7b52-9a5e-3f0c1f6f2a11';
const content: TableContent = {
  head: ['webhook id', 'note', 'waiting'],
  rows: [
    [id, 'The last call was refused because the certificate had run out the day before.', 1200],
    [id, `https://example.com/${'a'.repeat(70)}`, 3],
  ],
  aligns: ['left', 'left', 'right'],
};
const widest = (text: string) =>
  Math.max(
    ...stripVTControlCharacters(text)
      .split('\n')
      .map((line) => [...line].length),
  );
const withoutFrame = (text: string) => stripVTControlCharacters(text).replaceAll(/[^\w.:/-]/g, '');

describe('a table', () => {
  it.each([240, 140, 110, 100])('fits %i columns, and keeps keys whole', (columns) => {
    const text = fittingTable(content, { columns, inColor: true });
    expect(widest(text)).toBeLessThanOrEqual(columns);
    expect(text.split(id)).toHaveLength(3);
    expect(text).toContain('\u001b[1m');
  });

  it('keeps every letter when it wraps', () => {
    const { rows } = fitted(100);
    expect(rows).toContain('certificate');
    expect(rows.match(/a{2,}/g)!.join('')).toHaveLength(70);
  });

  it('lists fields one below the other if the longest words do not fit', () => {
    const text = fittingTable(content, { columns: 60, inColor: false });
    expect(text).toContain(`webhook id  ${id}\nnote        The last call`);
    expect(text).toContain('\n\nwebhook id');
    expect(text).not.toContain('│');
  });

  it('keeps the indent and the colour on every line', () => {
    const text = fittingTable(
      { head: ['note'], rows: [['  one two three four']], paint: (line) => `<${line}>` },
      { columns: 16, inColor: false },
    );
    expect(text).toContain('│ <  one two> ');
    expect(text).toContain('│ <  three four> ');
  });

  it('is not wrapped, cut or coloured without a terminal', () => {
    const text = fittingTable(content, { columns: undefined, inColor: false });
    expect(text).not.toContain('\u001b');
    for (const cell of content.rows.flat()) expect(text).toContain(String(cell));
    expect(text.split('\n')).toHaveLength(7);
  });
});

function fitted(columns: number) {
  const text = fittingTable(content, { columns, inColor: false });
  return { rows: withoutFrame(text) };
}
