import { describe, expect, it } from 'vitest';
import { parseRequest, type RequestBody } from '../index.ts';
import { choiceField, createVocabulary, integerField } from '../vocabulary/index.ts';

const now = new Date('2026-11-20T12:00:00Z');

describe('requests as TypeScript literals', () => {
  it('are checked as they are typed, in any usual spelling', () => {
    const body = {
      state: 'Texas',
      county: 'Harris County',
      policy_type: 'HO-3',
      dwelling_a: '285,000',
      roof_age: 22,
      roof_type: '3-tab shingle',
      address: { line1: '1 Main St', zipcode: '77002' },
      losses: [{ kind: 'water', date: '2025-03', amount: '12000' }, {}],
      updates: [],
    } satisfies RequestBody;
    expect(parseRequest({ ...body, dwelling_a: 285_000 }, { now })).toMatchObject({ ok: true });
    const noted = { ...body, dwelling_a: 285_000, losses: [{ kind: 'water', x_adjuster: 'Ann' }] };
    expect(parseRequest(noted, { now })).toMatchObject({
      ok: true,
      request: { property: { lists: { losses: [{ kind: 'water' }] } } },
    });
  });

  it('do not compile with a slip in them', () => {
    const slips = [
      // @ts-expect-error no such field
      { state: 'tx', rof_age: 22 } satisfies RequestBody,
      // @ts-expect-error a request says the age, not the axis
      { state: 'tx', roof_year: 2004 } satisfies RequestBody,
      // @ts-expect-error a number is no list
      { state: 'tx', year_built: [1987] } satisfies RequestBody,
      // @ts-expect-error a loss has an amount
      { state: 'tx', losses: [{ amout: 12_000 }] } satisfies RequestBody,
      // @ts-expect-error a state is wanted
      { policy_type: 'ho3' } satisfies RequestBody,
    ];
    expect(slips.map((body) => parseRequest(body, { now }).ok)).toEqual([false, false, false, false, false]);
  });

  it('are the fields of another line', () => {
    const boats = createVocabulary({
      line: 'boat',
      policyTypes: ['hull'],
      policyTypeSpellings: {},
      fields: [
        integerField('berths', { label: 'berths', description: 'Berths.', min: 0, max: 20, change: { kind: 'never' } }),
        choiceField('hull', {
          label: 'hull',
          description: 'Of what it is.',
          words: ['wood', 'steel'],
          change: { kind: 'any' },
        }),
      ],
      derivedFacts: [],
      relations: [],
      givenTogether: [],
      codes: [],
    } as const);
    const body = { state: 'tx', berths: 4, hull: 'wood' } satisfies RequestBody<typeof boats>;
    // @ts-expect-error no such field
    const slip = { state: 'tx', berth: 4 } satisfies RequestBody<typeof boats>;
    expect(parseRequest(body, { now, vocabulary: boats }).ok).toBe(true);
    expect(parseRequest(slip, { now, vocabulary: boats }).ok).toBe(false);
  });
});
