import { homeVocabulary } from '@leeward/engine';
import { requestFieldsOf } from '@leeward/engine/vocabulary';
import { describe, expect, it } from 'vitest';
import { hasItems, readItems, readPartialDate, writeItems } from './items.ts';

const losses = requestFieldsOf(homeVocabulary, { effectiveYear: 2026 }).find(({ name }) => name === 'losses')!;
const fields = losses.kind === 'list' ? losses.fields : [];
const written = (text: string) => writeItems(readItems(text), fields);

describe('items of a list', () => {
  it.each([
    ['2025-03-14', '2025-03-14'],
    ['2025-3-4', '2025-03-04'],
    ['3/14/2025', '2025-03-14'],
    ['03/2025', '2025-03'],
    ['2025/03', '2025-03'],
    ['2025', '2025'],
    ['March 14, 2025', '2025-03-14'],
    ['mar 2025', '2025-03'],
    ['Sept. 3rd 2025', '2025-09-03'],
    ['14 March 2025', '2025-03-14'],
    ['3/14/25', '3/14/25'],
    ['last spring', 'last spring'],
    ['2025-13', '2025-13'],
  ])('have dates as people write them: %j', (text, date) => {
    expect(readPartialDate(text)).toBe(date);
  });

  it('are written as a request has them', () => {
    expect(
      written(
        '[{"kind":"water","date":"3/14/2025","amount":"$12,000","weather":"false","status":" "},{"amount":"lots"}]',
      ),
    ).toEqual([{ kind: 'water', date: '2025-03-14', amount: 12_000, weather: false }, { amount: 'lots' }]);
    expect(written('[{"amount":12000,"weather":true}]')).toEqual([{ amount: 12_000, weather: true }]);
  });

  it('differ from an unknown list if the list is empty', () => {
    expect(written('[]')).toEqual([]);
    expect([undefined, '', 'none', '7', '[7]'].map(readItems)).toEqual(Array(5).fill(undefined));
    expect(['[]', '[{}]', undefined].map(hasItems)).toEqual([false, true, false]);
  });
});
