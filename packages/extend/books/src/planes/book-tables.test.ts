import { createCatalog } from '@leeward/engine';
import { expect, it } from 'vitest';
import { hostileTests } from '../../../../../test/support/engine/hostile-rule-sets.ts';
import { bookTables } from './book-tables.ts';

const dates = { asOf: new Date('2026-11-20T12:00:00Z'), effectiveDate: '2026-11-20' };

it('grows with the number of rules, not with its square', () => {
  const file = hostileTests(3_000, 3, { policyTypes: ['ho3'] });
  const catalog = createCatalog([{ file }, { file: hostileTests(40, 2, { carrierKey: 'other', seed: 2 }) }]);
  const bytes = bookTables(catalog, dates).byPolicyType.map(({ groups }) =>
    groups.reduce((sum, { table, reasons }) => sum + table.rows.byteLength + reasons.rows.byteLength, 0),
  );
  expect(Math.max(...bytes)).toBeLessThan(20_000_000);
});

it('builds the tables of a catalog once', () => {
  const catalog = createCatalog([{ file: hostileTests(40, 2) }]);
  const [first, second] = [bookTables(catalog, dates), bookTables(catalog, { ...dates, asOf: new Date(0) })];
  expect(second.byPolicyType[0]).toBe(first.byPolicyType[0]);
});

it('refuses a catalog that evaluates all rules with json-rules-engine', () => {
  const catalog = createCatalog([{ file: hostileTests(40, 2) }], { evaluator: 'reference' });
  expect(() => bookTables(catalog, dates)).toThrow('evaluates all rules with json-rules-engine');
});
