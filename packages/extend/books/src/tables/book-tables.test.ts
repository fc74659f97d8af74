import { createCatalog } from '@leeward/engine';
import { expect, it } from 'vitest';
import { hostileTests } from '../../../../../test/support/engine/hostile-rule-sets.ts';
import { ruleSetFile } from '../../../../../test/support/engine/rule-set-file.ts';
import { bookTables } from './book-tables.ts';

const dates = { asOf: new Date('2026-11-20T12:00:00Z'), effectiveDate: '2026-11-20' };

it('grows with the number of rules, not with its square', () => {
  const file = hostileTests(3_000, 3, { policyTypes: ['ho3'] });
  const catalog = createCatalog([{ file }, { file: hostileTests(40, 2, { carrierKey: 'other', seed: 2 }) }]);
  expect(bookTables(catalog, dates).image.length).toBeLessThan(20_000_000);
});

it('builds the tables of a year and of a version once', () => {
  const versions = [{ from: '2026-01-01', until: '2026-10-01' }, { from: '2026-10-01' }];
  const catalog = createCatalog(
    versions.map((effective, index) => ({ file: ruleSetFile({ version: `${index}`, effective }) })),
  );
  const { image, intervals } = bookTables(catalog, dates);
  expect(intervals.map(({ from, until }) => [from, until])).toEqual([['2026-10-01', '2027-01-01']]);
  const imageOn = (effectiveDate: string) => bookTables(catalog, { ...dates, asOf: new Date(0), effectiveDate }).image;
  expect(imageOn('2026-10-01')).toBe(image);
  expect(imageOn('2026-12-31')).toBe(image);
  expect(imageOn('2026-09-30')).not.toBe(image);
  expect(bookTables(catalog, { ...dates, until: '2027-03-01' }).intervals.at(-1)!.until).toBe('2028-01-01');
});

it('refuses a catalog that evaluates all rules with json-rules-engine', () => {
  const catalog = createCatalog([{ file: hostileTests(40, 2) }], { evaluator: 'reference' });
  expect(() => bookTables(catalog, dates)).toThrow('evaluates all rules with json-rules-engine');
});
