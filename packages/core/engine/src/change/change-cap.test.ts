import { expect, it } from 'vitest';
import { withinProcessorMs } from '../../../../../test/support/processor-time.ts';
import { createRandom, pick } from '../../../../../test/support/random.ts';
import { createCatalog } from '../catalog/create-catalog.ts';
import { parseRequest } from '../request/parse-request.ts';
import { choiceField } from '../vocabulary/choice-field.ts';
import { extendVocabulary } from '../vocabulary/extend-vocabulary.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import { whatWouldChange } from './what-would-change.ts';

const now = new Date('2026-11-20T12:00:00Z');
const words = ['a', 'b', 'c', 'd', 'e'];
const names = Array.from({ length: 18 }, (_, index) => `dial_${index}`);
const vocabulary = extendVocabulary(homeVocabulary, {
  fields: names.map((name) => choiceField(name, { label: name, words, change: { kind: 'any' }, description: '…' })),
});

/** Rules over freely changeable dials, without a simple way to another status. */
function puzzle(random: () => number, count: number) {
  const rules = Array.from({ length: count }, (_, index) => ({
    id: `r${index}`,
    outcome: 'decline',
    code: 'x_dials',
    message: 'Not so.',
    when: {
      all: [...new Set(Array.from({ length: 3 }, () => pick(random, names)))].map((fact) => ({
        fact,
        operator: 'in',
        value: words.filter(() => random() < 0.6),
      })),
    },
  }));
  const programs = [{ id: 'all', policy_types: ['ho3'], states: ['tx'] }];
  const file = { format: 1, carrier: { key: 'dials', name: 'D' }, version: '1', effective: { from: '2026-01-01' } };
  return createCatalog([{ file: { ...file, rules, programs } }], { vocabulary });
}

it('stops a long search in time, reports that, and returns only evaluated ways', () => {
  const random = createRandom(5);
  let gaveUp = 0;
  for (const count of [20, 40, 80, 160]) {
    const catalog = puzzle(random, count);
    for (let home = 0; home < 3; home++) {
      const dials = Object.fromEntries(names.map((name) => [name, pick(random, words)]));
      const parsed = parseRequest({ state: 'tx', policy_type: 'ho3', ...dials }, { now, vocabulary });
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
      const { property } = parsed.request;
      catalog.decideSync(property);
      const answer = withinProcessorMs(5_000, () => whatWouldChange(catalog, property, { carrierKey: 'dials' }));
      if (answer.conservative) gaveUp++;
      for (const way of answer.ways) {
        const changed = Object.fromEntries(way.changes.map((change) => [change.field, change.to]));
        const again = parseRequest({ ...parsed.request.home, ...changed }, { now, vocabulary });
        if (!again.ok) throw new Error(JSON.stringify(again.faults));
        expect(catalog.decideSync(again.request.property).verdicts[0]?.status).toBe(way.becomes);
      }
    }
  }
  expect(gaveUp).toBeGreaterThan(0);
});
