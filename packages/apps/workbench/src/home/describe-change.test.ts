import { describe, expect, it } from 'vitest';
import type { WireVerdict } from '../service/wire.ts';
import { type Change, commonChanges, describeChange } from './describe-change.ts';

const roofAge = (max: number): Change => ({
  ...{ field: 'roof_age', label: 'age of the roof', unit: 'years', from: 22, to: max, text: '' },
  ranges: [{ min: 0, max }],
});
const roofType = (...words: string[]): Change => ({
  ...{ field: 'roof_type', label: 'roof type', from: 'flat', to: words[0]!, words, text: '' },
});

type Becomes = 'eligible' | 'referral' | 'needs_information';
const verdict = (carrier: string, status: string, ways: readonly (readonly [Change[], Becomes])[]) =>
  ({
    ...{ carrier, carrier_key: carrier, status },
    would_change: { outcome: 'ways', ways: ways.map(([changes, becomes]) => ({ changes, becomes })) },
  }) as unknown as WireVerdict;

describe('a change in words', () => {
  it.each([
    [roofAge(15), 'age of the roof 15 years or less'],
    [
      { ...roofAge(15), ranges: [{ min: 0, max: 15, max_excluded: true as const }], to: 14 },
      'age of the roof less than 15 years',
    ],
    [
      {
        ...{
          field: 'dwelling_a',
          label: 'dwelling coverage A',
          unit: 'dollars',
          from: 285_000,
          to: 1_000_000,
          text: '',
        },
        ranges: [{ min: 1_000_000, max: 10_000_000 }],
      },
      'dwelling coverage A $1,000,000 or more',
    ],
    [roofType('slate'), 'roof type slate'],
    [roofType('slate', 'metal', 'tile'), 'roof type slate, metal or tile'],
    [roofType('slate', 'metal', 'tile', 'other', 'membrane'), 'roof type slate, metal, tile or others'],
    [{ field: 'pool', label: 'pool', from: true, to: false, text: '' }, 'pool no'],
    [{ field: 'dogs', label: 'dogs', from: false, to: true, word: 'akita', text: '' }, 'dogs with akita'],
  ] as const)('is short', (change, words) => {
    expect(describeChange(change as Change)).toBe(words);
  });
});

describe('changes that help several carriers', () => {
  it('takes the value that helps most, and names the widest range that still does', () => {
    const [best] = commonChanges([
      verdict('A', 'ineligible', [[[roofAge(20)], 'eligible']]),
      verdict('B', 'ineligible', [[[roofAge(15)], 'eligible']]),
      verdict('C', 'referral', [[[roofAge(18)], 'needs_information']]),
    ]);
    expect(best).toMatchObject({
      eligible: ['A', 'B'],
      could: ['C'],
      change: { to: 15, ranges: [{ min: 0, max: 15 }] },
    });
  });

  it('prefers the smaller change if both help as many carriers', () => {
    const [best] = commonChanges([
      verdict('A', 'ineligible', [[[roofAge(20)], 'eligible']]),
      verdict('B', 'eligible', [[[roofAge(5)], 'eligible']]),
    ]);
    expect(best).toMatchObject({ eligible: ['A'], change: { to: 20 } });
  });

  it('keeps the words that all of its carriers accept', () => {
    const [best] = commonChanges([
      verdict('A', 'ineligible', [[[roofType('slate', 'metal', 'tile')], 'eligible']]),
      verdict('B', 'ineligible', [[[roofType('metal', 'tile')], 'eligible']]),
    ]);
    expect(best).toMatchObject({ eligible: ['A', 'B'], change: { to: 'metal', words: ['metal', 'tile'] } });
  });

  it('counts no carrier twice, and leaves ways of two changes out', () => {
    const both = [roofAge(15), roofType('slate')];
    const twice = commonChanges([
      verdict('A', 'ineligible', [[[roofAge(15)], 'eligible']]),
      verdict('A', 'referral', [[[roofAge(15)], 'eligible']]),
      verdict('B', 'ineligible', [[both, 'eligible']]),
    ]);
    expect(twice.map(({ eligible }) => eligible)).toEqual([['A']]);
  });
});
