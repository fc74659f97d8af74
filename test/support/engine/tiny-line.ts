import type { Vocabulary } from '@leeward/engine';
import { choiceField, decimalField, integerField, yearField } from '@leeward/engine/vocabulary';

const description = 'For tests.';
const never = { kind: 'never' } as const;

/** A line of business so small that every completion of a property can be tried: boats. */
export const tinyLine: Vocabulary = {
  line: 'boat',
  policyTypes: ['hull', 'liability'],
  policyTypeSpellings: {},
  fields: [
    integerField('berths', { label: 'berths', min: 0, max: 5, change: never, description }),
    integerField('engines', { label: 'engines', min: 0, max: 3, change: { kind: 'any' }, description }),
    decimalField('draft', { label: 'draft', min: 0, max: 3, change: never, description }),
    choiceField('material', { label: 'material', words: ['wood', 'steel', 'glass'], change: never, description }),
    choiceField('rig', {
      label: 'rig',
      words: ['sloop', 'ketch', 'none'],
      change: { kind: 'words', words: ['none'] },
      description,
    }),
    yearField('launched', { label: 'year launched', change: never, description }),
  ],
  derivedFacts: [
    {
      name: 'boat_age',
      field: 'launched',
      label: 'age',
      view: (year, { effectiveYear }) => Math.max(0, effectiveYear - year),
      cuts: (constant, { effectiveYear }) => [effectiveYear - constant, effectiveYear],
      range: { min: 0, max: 500, integer: true },
    },
  ],
  relations: [],
  givenTogether: [],
  codes: ['age', 'size', 'x_other'],
};

/** Values that try every cell that rules over small constants can cut. */
export const tinyValues: Readonly<Record<string, readonly (number | string)[]>> = {
  berths: [0, 1, 2, 3, 4, 5],
  engines: [0, 1, 2, 3],
  draft: [0, 0.5, 1, 1.5, 2, 2.5, 3],
  material: ['wood', 'steel', 'glass'],
  rig: ['sloop', 'ketch', 'none'],
  launched: [2027, 2026, 2025, 2024, 2023, 2022, 2021, 2020],
};
