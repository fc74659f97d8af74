import { describe, expect, it } from 'vitest';
import {
  createCatalog,
  defineLine,
  parseRequest,
  type RequestOf,
  type RuleSetOf,
  type SpelledRequestOf,
} from '../index.ts';
import { choiceField, flagField, integerField, setField } from '../vocabulary/index.ts';

const now = new Date('2026-11-20T12:00:00Z');
const never = { kind: 'never' } as const;

const definition = {
  line: 'renters',
  title: 'Renters',
  noun: 'rented home',
  policyTypes: ['ho4'],
  policyTypeSpellings: { tenant: 'ho4' },
  fields: [
    integerField('contents', { label: 'contents', min: 1, max: 500_000, change: never, description: 'Contents.' }),
    choiceField('building', { label: 'building', words: ['house', 'tower'], change: never, description: 'Building.' }),
    flagField('dog', { label: 'dog', change: never, description: 'Whether a dog lives there.' }),
    ...setField('alarms', { label: 'alarms', words: ['smoke', 'burglar'], change: never, description: 'Alarms.' }),
  ],
  codes: ['pets'],
  quoteFields: ['contents'],
} as const;
const renters = defineLine(definition);

describe('a line of a host', () => {
  it('has its requests and rule sets checked as they are typed', () => {
    const body = {
      state: 'tx',
      policy_type: 'ho4',
      contents: 30_000,
      building: 'tower',
      dog: true,
      alarms: ['smoke'],
    } satisfies RequestOf<typeof renters>;
    const spelled = { state: 'Texas', policy_type: 'Tenant', building: 'TOWER' } satisfies SpelledRequestOf<
      typeof renters
    >;
    const slips = [
      // @ts-expect-error no such word
      { state: 'tx', building: 'barn' } satisfies RequestOf<typeof renters>,
      // @ts-expect-error a number is no flag
      { state: 'tx', dog: 1 } satisfies RequestOf<typeof renters>,
      // @ts-expect-error no such field
      { state: 'tx', contents_: 1 } satisfies RequestOf<typeof renters>,
      // @ts-expect-error no such alarm
      { state: 'tx', alarms: ['fire'] } satisfies RequestOf<typeof renters>,
      // @ts-expect-error another line's type
      { state: 'tx', policy_type: 'ho3' } satisfies RequestOf<typeof renters>,
      // @ts-expect-error this line asks for no distances
      { state: 'tx', distance_to_coast_miles: 3 } satisfies RequestOf<typeof renters>,
    ];
    const read = (asked: object) => parseRequest(asked, { now, vocabulary: renters.vocabulary });
    expect(read(body)).toMatchObject({ ok: true, request: { home: body } });
    expect(read(spelled)).toMatchObject({ ok: true, request: { home: { policy_type: 'ho4', building: 'tower' } } });
    expect(slips.map((slip) => read(slip).ok)).toEqual(slips.map(() => false));
    const file = {
      format: 1,
      carrier: { key: 'loft', name: 'Loft' },
      line: 'renters',
      version: '1',
      effective: { from: '2026-01-01' },
      rules: [
        {
          id: 'dog',
          outcome: 'decline',
          code: 'pets',
          message: 'No dogs.',
          when: {
            all: [
              { fact: 'dog', operator: 'equal', value: true },
              { fact: 'alarms', operator: 'doesNotContain', value: 'burglar' },
            ],
          },
        },
      ],
      programs: [{ id: 'tx', policy_types: ['ho4'], states: ['tx'] }],
    } as const satisfies RuleSetOf<typeof renters>;
    const catalog = createCatalog([{ file }], { vocabulary: renters.vocabulary });
    const parsed = read(body);
    expect(parsed.ok && catalog.decideSync(parsed.request.property).verdicts[0]?.status).toBe('ineligible');
  });

  it('sells one product with all policy types by default', () => {
    expect(renters.products).toEqual([{ code: 'renters', name: 'Renters', formTypes: ['ho4'] }]);
  });

  it.each([
    [{ line: 'Renters!' }, /"Renters!" is not a valid name of a line/],
    [{ quoteFields: ['conten'] }, /"conten", which is not a request field/],
    [{ products: [] }, /These policy types belong to no product: "ho4"\./],
    [{ products: [{ code: 'a', name: 'A', formTypes: ['ho4', 'ho9'] }] }, /"ho9", which is not a policy type/],
    [{ products: [{ code: 'A b', name: 'A', formTypes: ['ho4'] }] }, /"A b" is not a valid product code/],
    [
      {
        products: [
          { code: 'a', name: 'A', formTypes: ['ho4'] },
          { code: 'a', name: 'A', formTypes: ['ho4'] },
        ],
      },
      /two products "a"\. "ho4" belongs to two products/,
    ],
    [
      { fields: [flagField('state', { label: 'state', change: never, description: 'No.' })] },
      /"state" is already the name of a fact/,
    ],
    [{ policyTypes: [], products: [] }, /1 to 255 policy types/],
  ])('reports the fault of %j', (slip, message) => {
    expect(() => defineLine({ ...definition, ...slip })).toThrow(message);
    expect(() => defineLine({ ...definition, ...slip })).toThrow(RangeError);
  });
});
