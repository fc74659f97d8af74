import { states } from '@leeward/places/counties';
import { describe, expect, it } from 'vitest';
import { parseRequest } from './parse-request.ts';

const now = new Date('2026-11-20T12:00:00.123Z');

function dates(body: Record<string, unknown>): { asOf: string; effectiveDate: string } {
  const parsed = parseRequest({ state: 'tx', ...body }, { now });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  const { asOf, effectiveDate } = parsed.request;
  return { asOf, effectiveDate };
}

const codes = (body: Record<string, unknown>) => {
  const parsed = parseRequest({ state: 'tx', ...body }, { now });
  return parsed.ok ? [] : parsed.faults.map((fault) => `${fault.path} ${fault.code}`);
};

/** Hours behind UTC in January and July, by the statutes in force in 2026. */
const zones: Readonly<Record<string, readonly [january: number, july: number]>> = {
  ...zone(5, 4, 'ct dc de fl ga in ky ma md me mi nc nh nj ny oh pa ri sc vt va wv'),
  ...zone(6, 5, 'al ar ia il ks la mn mo ms nd ne ok sd tn tx wi'),
  ...zone(7, 6, 'co id mt nm ut wy'),
  ...zone(7, 7, 'az'),
  ...zone(8, 7, 'ca nv or wa'),
  ...zone(9, 8, 'ak'),
  ...zone(10, 10, 'hi'),
  ...zone(4, 4, 'pr vi'),
  ...zone(11, 11, 'as'),
  ...zone(-10, -10, 'gu mp'),
};

function zone(january: number, july: number, codes: string): Record<string, [number, number]> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, [january, july]]));
}

describe('as_of', () => {
  it.each([
    ['2026-11-20T12:00:00Z', '2026-11-20T12:00:00.000000Z'],
    ['2026-11-20T12:00Z', '2026-11-20T12:00:00.000000Z'],
    ['2026-11-20t12:00:00z', '2026-11-20T12:00:00.000000Z'],
    ['2026-11-20T12:00:00.5Z', '2026-11-20T12:00:00.500000Z'],
    ['2026-11-20T12:00:00.123456Z', '2026-11-20T12:00:00.123456Z'],
    ['2026-11-20T12:00:00.123456789Z', '2026-11-20T12:00:00.123456Z'],
    ['2026-11-20T12:00:00-06:00', '2026-11-20T18:00:00.000000Z'],
    ['2026-01-01T00:30:00+14:00', '2025-12-31T10:30:00.000000Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000000Z'],
    [' 2026-11-20T12:00:00Z ', '2026-11-20T12:00:00.000000Z'],
    [null, '2026-11-20T12:00:00.123000Z'],
  ])('%j is %s', (as_of, expected) => {
    expect(dates({ as_of }).asOf).toBe(expected);
  });

  it.each([
    '2026-11-20',
    '2026-11-20T12:00:00',
    '2026-11-20 12:00:00Z',
    '2026-02-29T12:00:00Z',
    '2026-13-01T12:00:00Z',
    '2026-11-31T12:00:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T12:60:00Z',
    '2026-11-20T12:00:60Z',
    '2026-11-20T12:00:00+24:00',
    '2026-11-20T12:00:00+0600',
    '2026-11-20T12:00:00.Z',
    '1899-12-31T23:59:59Z',
    '2200-01-01T00:00:00Z',
    '+002026-11-20T12:00:00Z',
    'Fri, 20 Nov 2026 12:00:00 GMT',
    'now',
    '1795176000',
  ])('rejects %j as an instant', (as_of) => {
    expect(codes({ as_of })).toEqual(['/as_of invalid_date']);
  });

  it.each([[1795176000], [true], [{}], [['2026-11-20T12:00:00Z']]])('rejects %j as text', (as_of) => {
    expect(codes({ as_of })).toEqual(['/as_of invalid_type']);
  });
});

describe('effective_date', () => {
  it('is a date of the calendar', () => {
    for (const effective_date of ['2026-12-01', '2028-02-29', '1900-01-01', '2199-12-31', ' 2026-12-01 ']) {
      expect(dates({ effective_date }).effectiveDate).toBe(effective_date.trim());
    }
    for (const effective_date of [
      ...['2026-02-29', '2026-02-30', '2026-00-10', '2026-1-1', '20261201', '12/01/2026', '2026-12-01T00:00:00Z'],
      ...['Sept 1 2026', '9/1/2026', 'tomorrow'],
    ]) {
      expect([effective_date, ...codes({ effective_date })]).toEqual([effective_date, '/effective_date invalid_date']);
    }
    for (const effective_date of ['1899-12-31', '2200-01-01', '0000-01-01']) {
      expect([effective_date, ...codes({ effective_date })]).toEqual([effective_date, '/effective_date out_of_range']);
    }
  });

  it('is by default the date of as_of in the main time zone of the state, on both sides of midnight', () => {
    expect(Object.keys(zones).sort()).toEqual(states.map((state) => state.code).sort());
    for (const [state, [january, july]] of Object.entries(zones)) {
      for (const [day, before, behind] of [
        ['2026-01-15', '2026-01-14', january],
        ['2026-07-15', '2026-07-14', july],
      ] as const) {
        const midnight = Date.parse(`${day}T00:00:00Z`) + behind * 3_600_000;
        const at = (ms: number) => dates({ state, as_of: new Date(ms).toISOString() }).effectiveDate;
        expect([state, at(midnight - 1), at(midnight)]).toEqual([state, before, day]);
      }
    }
  });

  it('is the date of the host’s clock without as_of', () => {
    const at = (state: string, text: string) => {
      const parsed = parseRequest({ state }, { now: new Date(text) });
      return parsed.ok ? parsed.request.effectiveDate : undefined;
    };
    expect(at('tx', '2026-01-01T05:59:59Z')).toBe('2025-12-31');
    expect(at('tx', '2026-01-01T06:00:00Z')).toBe('2026-01-01');
    expect(at('gu', '2026-01-01T14:00:00Z')).toBe('2026-01-02');
  });

  it('determines ages, not as_of', () => {
    const year = (effective_date: string) => {
      const parsed = parseRequest(
        { state: 'tx', roof_age: 10, roof_type: 'tile', as_of: '2026-12-31T23:59:59Z', effective_date },
        { now },
      );
      return parsed.ok ? parsed.request.property.effectiveYear - 10 : undefined;
    };
    expect([year('2026-12-31'), year('2027-01-01')]).toEqual([2016, 2017]);
  });
});
