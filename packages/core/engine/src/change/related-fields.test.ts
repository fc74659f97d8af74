import { expect, it } from 'vitest';
import { createRandom, pick, wholeNumber } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { createCatalog } from '../catalog/create-catalog.ts';
import { createProperty, type Property } from '../request/property.ts';
import { createVocabulary, integerField } from '../vocabulary/index.ts';
import { whatWouldChange } from './what-would-change.ts';

const MAX = 9;
const years = (name: string) =>
  integerField(name, { label: name, description: name, min: 0, max: MAX, change: { kind: 'any' } });
const vocabulary = createVocabulary({
  line: 'workshop',
  policyTypes: ['basic'],
  policyTypeSpellings: {},
  fields: [years('built'), years('painted')],
  derivedFacts: [],
  relations: [{ lower: 'built', higher: 'painted' }],
  givenTogether: [],
  codes: [],
});

const propertyOf = (built: number, painted: number): Property =>
  createProperty({
    vocabulary,
    policyType: 'basic',
    state: 'tx',
    counties: ['48201'],
    values: { built, painted },
    asOfMs: 0,
    effectiveDate: '2026-11-20',
  });

it('never moves two related fields past each other, and finds a change if there is one', () => {
  const random = createRandom(20261126);
  let pairs = 0;
  for (let each = 0; each < testVolume(150); each++) {
    const rules = ['built', 'painted'].flatMap((fact) =>
      Array.from({ length: wholeNumber(random, 1, 2) }, (_, index) => ({
        id: `${fact}-${index}`,
        outcome: 'decline',
        code: 'x_test',
        when: {
          all: [
            {
              fact,
              operator: pick(random, ['lessThan', 'greaterThan', 'equal', 'notEqual']),
              value: wholeNumber(random, 0, MAX),
            },
          ],
        },
        message: 'No.',
      })),
    );
    const file = {
      format: 1,
      carrier: { key: 'shed', name: 'Shed' },
      line: 'workshop',
      version: '1',
      effective: { from: '2020-01-01' },
      rules,
      programs: [{ id: 'tx', policy_types: ['basic'], states: ['tx'] }],
    };
    const catalog = createCatalog([{ file }], { vocabulary });
    const isEligible = (built: number, painted: number) =>
      catalog.decideSync(propertyOf(built, painted)).verdicts[0]!.status === 'eligible';
    const built = wholeNumber(random, 0, MAX);
    const painted = wholeNumber(random, built, MAX);
    if (isEligible(built, painted)) continue;
    const { ways, outcome } = whatWouldChange(catalog, propertyOf(built, painted), { carrierKey: 'shed' });
    for (const { changes } of ways) {
      const to = { built, painted, ...Object.fromEntries(changes.map((change) => [change.field, Number(change.to)])) };
      expect(to.built).toBeLessThanOrEqual(to.painted);
      expect(isEligible(to.built, to.painted)).toBe(true);
      if (changes.length === 2) pairs++;
    }
    // Each field stays on its side of the present value of the other.
    const possible = Array.from({ length: (MAX + 1) ** 2 }, (_, index) => [
      index % (MAX + 1),
      Math.floor(index / (MAX + 1)),
    ])
      .filter(([a, b]) => a! <= b! && a! <= painted && b! >= built)
      .some(([a, b]) => isEligible(a!, b!));
    expect([outcome === 'ways', ways.length > 0]).toEqual([possible, possible]);
  }
  expect(pairs).toBeGreaterThan(5);
});
