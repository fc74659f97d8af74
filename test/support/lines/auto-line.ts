import {
  choiceField,
  createVocabulary,
  type DerivedFact,
  dateField,
  decimalField,
  flagField,
  integerField,
  setField,
  yearField,
} from '@leeward/engine/vocabulary';

const any = { kind: 'any' } as const;
const never = { kind: 'never' } as const;

/** Names of models: more of them than a byte holds. */
export const models = Array.from({ length: 400 }, (_, index) => `model ${index + 1}`);

const vehicleAge: DerivedFact & { readonly name: 'vehicle_age' } = {
  name: 'vehicle_age',
  field: 'model_year',
  label: 'age of the vehicle',
  unit: 'years',
  view: (year, { effectiveYear }) => Math.max(0, effectiveYear - year),
  cuts: (constant, { effectiveYear }) => [effectiveYear - constant, effectiveYear],
  range: { min: 0, max: 500, integer: true },
};

/** Private cars, as a host without homes would define them: every kind of field, and no field of homes. */
export const autoLine = createVocabulary({
  line: 'auto',
  policyTypes: ['personal auto', 'named non-owner'],
  policyTypeSpellings: { pap: 'personal auto' },
  fields: [
    integerField('drivers', { label: 'drivers', min: 1, max: 9, change: never, description: 'Licensed drivers.' }),
    yearField('model_year', { label: 'model year', change: never, description: 'Year of the model.' }),
    choiceField('model', { label: 'model', words: models, change: any, description: 'Model.' }),
    choiceField('garaging', {
      label: 'garaging',
      words: ['garage', 'driveway', 'street'],
      change: { kind: 'words', words: ['garage', 'driveway'] },
      description: 'Where it stands at night.',
    }),
    flagField('rideshare', {
      label: 'ride sharing',
      change: { kind: 'words', words: ['no'] },
      description: 'Whether it carries passengers for pay.',
    }),
    dateField('licensed_since', {
      label: 'first licence',
      min: '1940-01-01',
      change: never,
      description: 'Date of the first licence.',
    }),
    ...setField('violations', {
      label: 'violations',
      words: ['speeding', 'dui', 'reckless'],
      change: never,
      description: 'Of the last three years.',
    }),
    decimalField('credit_offset', {
      label: 'credit offset',
      unit: 'points',
      min: -100,
      max: 100,
      change: { kind: 'higher' },
      description: 'Insurance score less that of the state.',
    }),
    integerField('annual_miles', {
      label: 'miles a year',
      unit: 'miles',
      min: 0,
      max: 200_000,
      change: { kind: 'lower' },
      description: 'Miles driven a year.',
    }),
    integerField('commute_miles', {
      label: 'commuting miles a year',
      unit: 'miles',
      min: 0,
      max: 200_000,
      change: { kind: 'lower' },
      description: 'Of these, to work.',
    }),
  ],
  derivedFacts: [vehicleAge],
  relations: [{ lower: 'commute_miles', higher: 'annual_miles' }],
  givenTogether: [['drivers', 'licensed_since']],
  codes: ['driver', 'vehicle', 'violations'],
});

/** The line as a service serves it. */
export const auto = {
  vocabulary: autoLine,
  title: 'Auto',
  noun: 'car',
  products: [{ code: 'auto', name: 'Auto', formTypes: autoLine.policyTypes }],
  quoteFields: ['drivers', 'model_year'],
} as const;

/** A carrier of cars. */
export const autoCarrier = {
  format: 1,
  carrier: { key: 'wheelhouse', name: 'Wheelhouse Auto' },
  line: 'auto',
  version: '2026.1',
  effective: { from: '2026-01-01', until: null },
  rules: [
    {
      id: 'rideshare',
      outcome: 'decline',
      code: 'vehicle',
      when: { all: [{ fact: 'rideshare', operator: 'equal', value: true }] },
      message: 'No ride sharing.',
    },
    {
      id: 'dui',
      outcome: 'decline',
      code: 'violations',
      when: { all: [{ fact: 'violations', operator: 'contains', value: 'dui' }] },
      message: 'No driver with: {violations}.',
    },
    {
      id: 'score',
      outcome: 'refer',
      code: 'driver',
      when: { all: [{ fact: 'credit_offset', operator: 'lessThan', value: -20 }] },
      message: 'Score {credit_offset} below that of the state.',
    },
  ],
  programs: [
    {
      id: 'personal',
      policy_types: ['personal auto'],
      states: ['tx', 'fl'],
      rules: [
        {
          id: 'old',
          outcome: 'decline',
          code: 'vehicle',
          when: { all: [{ fact: 'vehicle_age', operator: 'greaterThan', value: 25 }] },
          message: 'The vehicle is {vehicle_age} years old.',
        },
        {
          id: 'models',
          outcome: 'require',
          code: 'vehicle',
          when: { any: [{ fact: 'model', operator: 'in', value: ['model 43', 'model 300'] }] },
          message: 'An inspection of {model}.',
        },
        {
          id: 'new-drivers',
          outcome: 'refer',
          code: 'driver',
          when: { all: [{ fact: 'licensed_since', operator: 'greaterThan', value: '2024-06-30' }] },
          message: 'Licensed since {licensed_since}.',
        },
      ],
    },
  ],
} as const;

/** Cases with expected results. */
export const autoCases = [
  entry('An ordinary car', {}, 'eligible', []),
  entry('Ride sharing', { rideshare: true }, 'ineligible', ['vehicle']),
  entry('A convicted driver', { violations: ['speeding', 'dui'] }, 'ineligible', ['violations']),
  entry('A low score', { credit_offset: -20.5 }, 'referral', ['driver']),
  entry('At the limit of the score', { credit_offset: -20 }, 'eligible', []),
  entry('A car of 26 years', { model_year: 2000 }, 'ineligible', ['vehicle']),
  entry('A model that is looked at', { model: 'Model 300' }, 'eligible', ['vehicle']),
  entry('A new driver', { licensed_since: '2024-07-01' }, 'referral', ['driver']),
];

function entry(note: string, change: object, status: string, codes: readonly string[]) {
  const car = {
    state: 'tx',
    drivers: 1,
    model_year: 2020,
    model: 'model 7',
    garaging: 'garage',
    rideshare: false,
    licensed_since: '2010-05-01',
    violations: [],
    credit_offset: 0,
  };
  return {
    note,
    as_of: '2026-11-20T12:00:00Z',
    effective_date: '2026-11-20',
    home: { ...car, ...change },
    policy_type: 'personal auto',
    expect: { status, codes },
  };
}
