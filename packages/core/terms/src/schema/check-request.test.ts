import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { checkRequest } from './check-request.ts';
import { neverEmpty } from './never-empty.ts';

const schema = z.strictObject({
  name: z.string().trim().min(1).max(10),
  kind: z.enum(['house', 'flat']).optional(),
  note: z.string().nullish(),
  rooms: z.int().min(1).max(9).optional(),
  since: z.iso.date().nullish(),
  place: z.union([z.string(), z.strictObject({ city: z.string().nullish(), zip: z.string().optional() })]).nullish(),
  tags: z.array(z.string()).min(1).max(2).nullish(),
  rows: z.array(z.strictObject({ size: z.int().optional() })).optional(),
  file: z.unknown().optional(),
});
const check = (body: unknown) => checkRequest(schema, body);
const codes = (body: unknown) => {
  const checked = check(body);
  return checked.ok ? [] : checked.faults.map(({ path, code }) => `${path} ${code}`);
};

describe('blank text', () => {
  it('counts as missing at any depth of the schema', () => {
    const body = {
      name: 'a',
      kind: '',
      note: ' ',
      rooms: null,
      since: '\t',
      place: { city: '', zip: null },
      rows: [{ size: '' }],
      file: { note: '', rooms: null },
    };
    expect(check(body)).toEqual({
      ok: true,
      request: { name: 'a', place: {}, rows: [{}], file: { note: '', rooms: null } },
    });
    expect(check({ name: 'a', place: '' })).toEqual({ ok: true, request: { name: 'a' } });
  });

  it('is reported as required in a required field', () => {
    for (const name of ['', '  ', null, undefined]) expect(codes({ name })).toEqual(['/name required']);
  });

  it('is rejected in a field of neverEmpty, together with all other faults', () => {
    const token = z.strictObject({
      team: neverEmpty(z.string().nullish(), 'every team would have it'),
      name: z.string(),
    });
    for (const team of ['', ' \t']) {
      expect(checkRequest(token, { team, name: 7 })).toMatchObject({
        ok: false,
        faults: [
          {
            path: '/team',
            code: 'empty_text',
            message: 'team is empty; it must be filled in or left out: every team would have it.',
          },
          { path: '/name', code: 'invalid_type' },
        ],
      });
      expect(checkRequest(token, { team, name: 'a' }).ok).toBe(false);
    }
    for (const body of [{ name: 'a' }, { name: 'a', team: null }, { name: 'a', team: 'b' }]) {
      expect(checkRequest(token, body)).toEqual({ ok: true, request: body });
    }
  });

  it('keeps a null that the schema accepts', () => {
    expect(check({ name: 'a', note: null, since: null })).toEqual({
      ok: true,
      request: { name: 'a', note: null, since: null },
    });
  });
});

it.each([
  [{ name: 7 }, '/name invalid_type', 'name is 7; give text.'],
  [{ name: 'x'.repeat(11) }, '/name invalid_length', 'give text of at most 10 characters.'],
  [{ name: 'a', kind: 'hose' }, '/kind unknown_value', 'give one of: house, flat (did you mean "house"?).'],
  [{ name: 'a', kind: 7 }, '/kind invalid_type', 'give one of: house, flat.'],
  [{ name: 'a', rooms: 0 }, '/rooms out_of_range', 'rooms is 0; give a value of at least 1.'],
  [{ name: 'a', rooms: '3' }, '/rooms invalid_type', 'rooms is "3"; give a number.'],
  [{ name: 'a', rooms: 1.5 }, '/rooms invalid_type', 'give a whole number.'],
  [{ name: 'a', since: '2026-02-30' }, '/since invalid_date', 'give a date as YYYY-MM-DD.'],
  [{ name: 'a', tags: [] }, '/tags empty_list', 'give a list of at least 1 entry.'],
  [{ name: 'a', tags: ['a', 'b', 'c'] }, '/tags too_many', 'give a list of at most 2 entries.'],
  [{ name: 'a', tags: ['a', 7] }, '/tags/1 invalid_type', 'tags/1 is 7; give text.'],
  [{ name: 'a', place: 7 }, '/place invalid_type', 'place is 7; give text or an object.'],
  [{ name: 'a', place: { town: 'x' } }, '/place/town unknown_field', '"town" is not a field of this request.'],
  [{ nname: 'a' }, '/nname unknown_field', 'Did you mean "name"?'],
  [[], ' invalid_type', 'The request is []; give an object.'],
])('%j: %s', (body, fault, message) => {
  const checked = check(body);
  if (checked.ok) throw new Error('accepted');
  expect(checked.faults.map(({ path, code }) => `${path} ${code}`)).toEqual([fault]);
  expect(checked.faults[0]?.message).toContain(message);
});

it('returns all faults at once, and reports a misspelt key only once', () => {
  expect(codes({ nname: 'a', rooms: 'x', kind: 'x' })).toEqual([
    '/nname unknown_field',
    '/kind unknown_value',
    '/rooms invalid_type',
  ]);
});

it('names a hundred unknown keys and the number of the others', () => {
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`nam${index}`, 1]));
  const checked = check({ name: 'a', ...wide });
  if (checked.ok) throw new Error('accepted');
  expect(checked.faults).toHaveLength(101);
  expect(checked.faults.at(-1)?.message).toBe('4900 more keys are unknown.');
});

it('does not validate a request with thousands of unknown keys', () => {
  let looked = 0;
  const strict = z.strictObject({
    name: z.string().refine(() => {
      looked++;
      return true;
    }),
  });
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`x${index}`, 1]));
  expect(checkRequest(strict, { name: 'a' }).ok).toBe(true);
  const before = looked;
  expect(checkRequest(strict, { name: 'a', ...wide }).ok).toBe(false);
  expect(looked).toBe(before);
  expect(checkRequest(z.looseObject({}), wide).ok).toBe(true);
});

it('suggests words within a budget for the whole request', () => {
  const schema = z.object({ types: z.array(z.enum(['metal', 'tile', 'slate', 'shingle'])) });
  const types = Array.from({ length: 20_000 }, () => 'meta');
  const checked = checkRequest(schema, { types });
  const messages = checked.ok ? [] : checked.faults.map(({ message }) => message);
  expect(messages.length).toBeGreaterThan(0);
  expect(messages[0]).toContain('did you mean "metal"');
  expect(messages.filter((message) => message.includes('did you mean')).length).toBeLessThanOrEqual(2_500);
});
