import { expect, it } from 'vitest';
import { ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { createCatalog } from '../catalog/create-catalog.ts';
import { parseRequest } from '../request/parse-request.ts';
import { extendVocabulary } from '../vocabulary/extend-vocabulary.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import { integerField } from '../vocabulary/number-field.ts';
import { whatWouldChange } from './what-would-change.ts';

it.each([
  ['feet', '12,500 feet', '1,500 feet'],
  ['meters', '12,500 meters', '1,500 meters'],
  ['dollars', '$12,500', '$1,500'],
  ['points', '12,500 points', '1,500 points'],
])('a change of %s is written as people write them', (unit, limit, now) => {
  const vocabulary = extendVocabulary(homeVocabulary, {
    fields: [
      integerField('measured', {
        label: 'measured thing',
        unit,
        min: 0,
        max: 100_000,
        typical: 1000,
        change: { kind: 'any' },
        description: 'Something measured.',
        example: 1000,
      }),
    ],
  });
  const file = ruleSetFile({
    rules: [ruleFile({ id: 'm', message: 'No.', when: { all: [test('measured', 'lessThan', 12_500)] } })],
  });
  const catalog = createCatalog([{ file, name: 'measured' }], { vocabulary });
  const home = { state: 'tx', county: 'harris', policy_type: 'ho3', measured: 1500 };
  const parsed = parseRequest(home, { now: new Date('2026-11-20T12:00:00Z'), vocabulary });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  const texts = JSON.stringify(
    whatWouldChange(catalog, parsed.request.property, { carrierKey: 'pine_ridge', policyType: 'ho3' }),
  ).match(/"text":"[^"]*"/g);
  expect(texts).toContain(`"text":"measured thing: at least ${limit} (now ${now})"`);
});
