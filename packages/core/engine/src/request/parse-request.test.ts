import { countiesOf, states } from '@leeward/places/counties';
import type { Fault } from '@leeward/terms';
import { describe, expect, it } from 'vitest';
import { homeVocabulary } from '../vocabulary/home.ts';
import { type ParsedRequest, parseRequest, requestSchemaOf, type UnderwritingRequest } from './parse-request.ts';

const now = new Date('2026-11-20T12:00:00Z');
const parse = (body: unknown): ParsedRequest => parseRequest(body, { now });

function accepted(body: unknown): UnderwritingRequest {
  const parsed = parse(body);
  if (!parsed.ok) throw new Error(`Refused: ${JSON.stringify(parsed.faults)}`);
  return parsed.request;
}

function refused(body: unknown): readonly Fault[] {
  const parsed = parse(body);
  if (parsed.ok) throw new Error(`Accepted as ${JSON.stringify(parsed.request.home)}`);
  return parsed.faults;
}

const codes = (body: unknown) => refused(body).map((fault) => `${fault.path} ${fault.code}`);

function known(body: Record<string, unknown>, field: string): unknown {
  const place = homeVocabulary.fields.findIndex((each) => each.name === field);
  expect(place).toBeGreaterThanOrEqual(0);
  return accepted({ state: 'tx', ...body }).property.values[place];
}

// The table of domains of the API contract, section 1.
const wholeNumbers: readonly (readonly [field: string, min: number, max: number])[] = [
  ['dwelling_a', 1, 100_000_000],
  ['total_claims', 0, 99],
  ['water_heater_age', 0, 100],
  ['hvac_age', 0, 100],
  ['lapse_in_coverage', 0, 36_500],
  ['no_prior', 0, 36_500],
  ['protection_class', 1, 10],
];

const words: Readonly<Record<string, readonly string[]>> = {
  roof_type: [
    ...['architectural shingle', '3-tab shingle', 'slate', 'metal', 'tile', 'flat'],
    ...['wood shake', 'built up', 'membrane', 'other'],
  ],
  primary_plumbing: [
    ...['polybutylene', 'lead', 'cast iron', 'pex', 'galvanized'],
    ...['copper', 'cpvc', 'pvc', 'other'],
  ],
  primary_wiring: [
    ...['aluminum multi strand', 'aluminum with alumiconn', 'aluminum single', 'aluminum with copalum'],
    ...['cloth', 'copper', 'knob and tube', 'other'],
  ],
  structure_type: [
    ...['single family', 'townhouse', 'duplex', 'triplex', 'fourplex', 'mobile home', 'manufactured', 'log cabin'],
    ...['modular', 'condo', 'rowhouse', 'other'],
  ],
  ownership: ['personal', 'trust', 'llc', 'estate', 'other'],
  usage: ['primary', 'secondary', 'seasonal', 'rental', 'vacant', 'other'],
  foundation_type: ['open', 'closed', 'other'],
};

const withPartner = (field: string, value: unknown): Record<string, unknown> => ({
  [field]: value,
  ...(field === 'roof_type' ? { roof_age: 5 } : field === 'roof_age' ? { roof_type: 'tile' } : {}),
});

describe('a request as a whole', () => {
  it.each([[null], [undefined], [[]], [[{ state: 'tx' }]], ['tx'], [5], [true]])('rejects %j as an object', (body) => {
    expect(refused(body)).toEqual([
      { path: '', code: 'invalid_type', message: expect.stringContaining('JSON object') },
    ]);
  });

  it('requires only a state', () => {
    const request = accepted({ state: 'tx' });
    expect(request).toMatchObject({
      home: { state: 'tx' },
      asOf: '2026-11-20T12:00:00.000000Z',
      effectiveDate: '2026-11-20',
      warnings: [],
      includeDeclined: true,
      explain: false,
      address: undefined,
      point: undefined,
    });
    expect(request.property).toMatchObject({ state: 'tx', counties: undefined, policyType: undefined });
    expect(request.property.givenValues!.every((value) => value === undefined)).toBe(true);
    const known = homeVocabulary.fields.filter((_, index) => request.property.values[index] !== undefined);
    expect(known.map(({ name }) => name)).toEqual(['transaction', 'previously_accepted']);
  });

  it('tells every fault at once, each at its place', () => {
    const found = refused({
      stat: 'tx',
      policy_type: 'ho9',
      dwelling_a: '250,000',
      year_built: 2090,
      total_claims: -1,
      roof_age: 12,
      acreage: 'five',
      usage: 'primry',
      county: 5,
      as_of: 'yesterday',
      effective_date: '2026-02-30',
      lat: 100,
      include_declined: 'no',
    });
    expect(found.map((fault) => `${fault.path} ${fault.code}`).sort()).toEqual([
      '/acreage invalid_number',
      '/as_of invalid_date',
      '/county invalid_type',
      '/dwelling_a invalid_number',
      '/effective_date invalid_date',
      '/include_declined invalid_type',
      '/lat out_of_range',
      '/lng required_with',
      '/policy_type unknown_policy_type',
      '/roof_type required_with',
      '/stat unknown_field',
      '/state required',
      '/total_claims out_of_range',
      '/usage unknown_value',
      '/year_built out_of_range',
    ]);
    const message = (path: string) => found.find((fault) => fault.path === path)?.message;
    expect(message('/stat')).toBe('"stat" is not a field of this request. Did you mean "state"?');
    expect(message('/dwelling_a')).toBe(
      'dwelling_a is "250,000"; give a whole number from 1 to 100,000,000 dollars, in digits without separators.',
    );
    expect(message('/usage')).toBe(
      'usage is "primry"; give one of: primary, secondary, seasonal, rental, vacant, other. Did you mean "primary"?',
    );
    expect(message('/year_built')).toBe('year_built is 2090; give a year from 1600 to 2027, or its last two digits.');
    expect(message('/roof_type')).toContain('give both, or neither');
  });

  it('takes null for not given, in every field', () => {
    const names = Object.keys(requestSchemaOf(homeVocabulary).shape).filter((name) => name !== 'state');
    expect(names.length).toBeGreaterThan(25);
    const request = accepted({ state: 'tx', ...Object.fromEntries(names.map((name) => [name, null])) });
    expect(request.home).toEqual({ state: 'tx' });
    expect(codes({ state: null })).toEqual(['/state required']);
  });

  it('names unknown keys with the likely spelling, and leaves x_ keys alone', () => {
    const [fault] = refused({ state: 'tx', rof_age: 3, x_note: { any: ['thing'] } });
    expect(fault).toEqual({
      path: '/rof_age',
      code: 'unknown_field',
      message: '"rof_age" is not a field of this request. Did you mean "roof_age"?',
    });
    expect(refused({ state: 'tx', dwelling: 1 })[0]?.message).toContain('Did you mean');
    expect(refused({ state: 'tx', zzzzzz: 1 })[0]?.message).not.toContain('Did you mean');
    expect(codes({ state: 'tx', 'a/b~c': 1 })).toEqual(['/a~1b~0c unknown_field']);
    expect(accepted({ state: 'tx', x_: 1, x_anything: null }).home).toEqual({ state: 'tx' });
  });
});

describe('what a form left empty', () => {
  it.each(['', ' ', '\t\n', '\u00a0', null])('(%j) is not given, in every optional field', (empty) => {
    const names = Object.keys(requestSchemaOf(homeVocabulary).shape).filter((name) => name !== 'state');
    const body = { state: 'tx', ...Object.fromEntries(names.map((name) => [name, empty])) };
    const { home, warnings, effectiveDate } = accepted(body);
    expect({ home, warnings, effectiveDate }).toEqual({
      home: { state: 'tx' },
      warnings: [],
      effectiveDate: '2026-11-20',
    });
    expect(codes({ state: empty })).toEqual(['/state required']);
    const parts = { line1: '1 Main St', city: empty, zipcode: '77002' };
    expect(accepted({ state: 'tx', address: parts }).address).toMatchObject({ line1: '1 Main St', zipcode: '77002' });
  });
});

describe('numbers', () => {
  it.each(wholeNumbers)('%s is whole, from %i to %i', (field, min, max) => {
    for (const value of [min, max, Math.floor((min + max) / 2)]) {
      for (const given of [value, String(value), ` ${value} `, value + 0.0]) {
        expect(known({ [field]: given }, field)).toBe(value);
      }
      expect(accepted({ state: 'tx', [field]: String(value) }).home[field]).toBe(value);
    }
    for (const outside of [min - 1, max + 1, 1e15, 1e300, -1e300, Number.MAX_SAFE_INTEGER]) {
      expect(codes({ state: 'tx', [field]: outside })).toEqual([`/${field} out_of_range`]);
    }
    expect(codes({ state: 'tx', [field]: String(max + 1) })).toEqual([`/${field} out_of_range`]);
    expect(codes({ state: 'tx', [field]: min + 0.5 })).toEqual([`/${field} not_an_integer`]);
  });

  const notDigits = ['250,000', '1.5', '-1', '+5', '1e5', '0x10', '٣', '１２', 'five', '1 000', '9'.repeat(400)];
  it.each(notDigits)('rejects %j as a whole number', (text) => {
    expect(codes({ state: 'tx', dwelling_a: text })).toEqual(['/dwelling_a invalid_number']);
  });

  it('rejects an unknown field of an item, also if the rest of the item is valid', () => {
    const parsed = parseRequest({ state: 'tx', losses: [{ knd: 'water', x_note: 'ours' }] }, { now: new Date() });
    expect(parsed).toMatchObject({ ok: false, faults: [{ path: '/losses/0/knd', code: 'unknown_field' }] });
  });

  it.each([[true], [[]], [[5]], [{}], [{ amount: 5 }]])('rejects %j as a number', (value) => {
    expect(codes({ state: 'tx', dwelling_a: value })).toEqual(['/dwelling_a invalid_type']);
    expect(refused({ state: 'tx', dwelling_a: value })[0]?.message).toContain(JSON.stringify(value));
  });

  it('reads acreage with fractions, 0 to 100,000', () => {
    for (const [given, value] of [
      [0, 0],
      [-0, 0],
      [0.25, 0.25],
      ['0.25', 0.25],
      ['5', 5],
      [100_000, 100_000],
      [99_999.999, 99_999.999],
    ] as const) {
      expect(Object.is(known({ acreage: given }, 'acreage'), value)).toBe(true);
    }
    for (const outside of [-0.01, 100_000.01, '100000.5']) {
      expect(codes({ state: 'tx', acreage: outside })).toEqual(['/acreage out_of_range']);
    }
    for (const text of ['.5', '5.', '1,5', '-1', '1e3']) {
      expect(codes({ state: 'tx', acreage: text })).toEqual(['/acreage invalid_number']);
    }
  });
});

describe('years', () => {
  const twoDigits = (effectiveYear: number, digits: number): number => {
    for (let year = effectiveYear + 1; ; year--) if (year % 100 === digits) return year;
  };

  it.each([1950, 1999, 2000, 2026, 2027, 2098, 2099, 2100])('reads all of 0 to 99 in %i', (year) => {
    const effective_date = `${year}-06-15`;
    for (let digits = 0; digits <= 99; digits++) {
      const expected = twoDigits(year, digits);
      const padded = String(digits).padStart(2, '0');
      for (const given of [digits, String(digits), padded]) {
        expect([given, known({ year_built: given, effective_date }, 'year_built')]).toEqual([given, expected]);
      }
      expect(accepted({ state: 'tx', year_built: digits, effective_date }).home['year_built']).toBe(expected);
    }
  });

  it('reads 27, 28 and 45 of 2026 as 2027, 1928 and 1945', () => {
    expect([27, 28, 45].map((digits) => known({ year_built: digits }, 'year_built'))).toEqual([2027, 1928, 1945]);
  });

  it('takes four digits from 1600 to next year, and nothing between', () => {
    for (const year of [1600, 1601, 1987, 2026, 2027]) {
      expect(known({ year_built: year }, 'year_built')).toBe(year);
      expect(known({ year_built: String(year) }, 'year_built')).toBe(year);
    }
    for (const year of [100, 187, 1599, 2028, 2090, 9999, 10_000]) {
      expect(codes({ state: 'tx', year_built: year })).toEqual(['/year_built out_of_range']);
    }
    expect(codes({ state: 'tx', year_built: 1987.5 })).toEqual(['/year_built not_an_integer']);
    // "Next year" is counted from the effective date.
    expect(known({ year_built: 2031, effective_date: '2030-01-01' }, 'year_built')).toBe(2031);
    expect(codes({ state: 'tx', year_built: 2027, effective_date: '2025-12-31' })).toEqual([
      '/year_built out_of_range',
    ]);
  });

  it('tells a roof’s age from its year', () => {
    const roof = (given: unknown) => known({ roof_age: given, roof_type: 'tile' }, 'roof_year');
    for (const [given, year] of [
      [0, 2026],
      [22, 2004],
      ['22', 2004],
      [200, 1826],
      [1600, 1600],
      [2004, 2004],
      ['2004', 2004],
      [2027, 2027],
    ] as const) {
      expect(roof(given)).toBe(year);
    }
    for (const given of [201, 999, 1599, 2028]) {
      expect(codes({ state: 'tx', roof_age: given, roof_type: 'tile' })).toEqual(['/roof_age out_of_range']);
    }
    const echoed = (given: number) => accepted({ state: 'tx', roof_age: given, roof_type: 'tile' }).home['roof_age'];
    expect([22, 2004, 2026].map(echoed)).toEqual([22, 22, 0]);
    // Neither has an age for a request.
    expect([2027, 1700].map(echoed)).toEqual([2027, 1700]);
  });

  it('takes a roof’s age and type together or not at all', () => {
    expect(codes({ state: 'tx', roof_age: 5 })).toEqual(['/roof_type required_with']);
    expect(codes({ state: 'tx', roof_type: 'tile' })).toEqual(['/roof_age required_with']);
    expect(codes({ state: 'tx', roof_type: 'tile', roof_age: null })).toEqual(['/roof_age required_with']);
    expect(codes({ state: 'tx', roof_type: null, roof_age: 5 })).toEqual(['/roof_type required_with']);
    expect(codes({ state: 'tx', roof_type: 'thatch', roof_age: 5 })).toEqual(['/roof_type unknown_value']);
    expect(codes({ state: 'tx', roof_type: 'tile', roof_age: 'old' })).toEqual(['/roof_age invalid_number']);
  });
});

describe('words', () => {
  it.each(Object.entries(words))('%s: every word in any case, with hyphens or blanks', (field, list) => {
    for (const word of list) {
      const spellings = [
        word,
        word.toUpperCase(),
        `  ${word}\t`,
        word.replaceAll(' ', '-'),
        word.replaceAll(' ', '_'),
        word.replaceAll(' ', '   '),
        word.replaceAll('-', ' '),
        word.replaceAll('-', '–'),
      ];
      for (const spelling of spellings) {
        const request = accepted({ state: 'tx', ...withPartner(field, spelling) });
        expect([spelling, request.home[field]]).toEqual([spelling, word]);
      }
    }
    const [fault] = refused({ state: 'tx', ...withPartner(field, 'gingerbread') });
    expect(fault).toMatchObject({ path: `/${field}`, code: 'unknown_value' });
    expect(fault?.message).toContain(list.join(', '));
  });

  it('has no words beyond those of the contract', () => {
    for (const field of homeVocabulary.fields) {
      const domain = field.domain({ effectiveYear: 2026 });
      if (field.isOnDemand) continue;
      if (domain.kind === 'words') expect(domain.words).toEqual(words[field.name]);
    }
  });

  it.each([[5], [true], [['rental']], [{}]])('rejects %j as a word', (value) => {
    expect(codes({ state: 'tx', usage: value })).toEqual(['/usage invalid_type']);
  });

  it.each([
    ['ho3', 'ho3'],
    ['HO-3', 'ho3'],
    [' ho3 ', 'ho3'],
    ['Ho 5', 'ho5'],
    ['HO-0003', 'ho3'],
    ['ho-08', 'ho8'],
    ['dp1', 'dp1'],
    ['DP-3', 'dp3'],
    ['wind only', 'wind only'],
    ['Wind-Only', 'wind only'],
    ['windonly', 'wind only'],
    ['wind', 'wind only'],
    ['x-wind', 'x-wind'],
    ['wind-x', 'x-wind'],
    ['wind x', 'x-wind'],
    [' Wind X ', 'x-wind'],
    ['ex wind', 'x-wind'],
    ['XWIND', 'x-wind'],
    ['wind excluded', 'x-wind'],
    ['', undefined],
    ['  ', undefined],
    [null, undefined],
  ])('policy type %j is %j', (given, expected) => {
    const request = accepted({ state: 'tx', policy_type: given });
    expect(request.property.policyType).toBe(expected);
    expect(request.home['policy_type']).toBe(expected);
  });

  it('refuses another policy type with the list', () => {
    const [fault] = refused({ state: 'tx', policy_type: 'ho4' });
    expect(fault).toMatchObject({ path: '/policy_type', code: 'unknown_policy_type' });
    expect(fault?.message).toContain('ho3, ho5, ho8, dp1, dp3, wind only, x-wind');
  });
});

describe('where', () => {
  it('takes every state, the district and the territories by name and abbreviation', () => {
    expect(states.length).toBe(56);
    for (const state of states) {
      for (const spelling of [state.code, state.name, state.code.toUpperCase(), `  ${state.name.toUpperCase()} `]) {
        expect(accepted({ state: spelling }).home['state']).toBe(state.code);
      }
    }
    expect(accepted({ state: 'D.C.' }).property.state).toBe('dc');
  });

  it.each([['tejas'], ['zz'], ['t'], ['texass'], ['__proto__'], ['constructor']])('rejects %j as a state', (state) => {
    expect(codes({ state })).toEqual(['/state unknown_state']);
  });

  it('suggests a state', () => {
    expect(refused({ state: 'Texass' })[0]?.message).toContain('Did you mean "Texas"?');
  });

  it('takes every county of every state by name and label', () => {
    for (const state of states) {
      for (const county of countiesOf(state.code)) {
        const request = accepted({ state: state.code, county: county.label.toUpperCase() });
        expect(request.property.counties).toEqual([county.fips]);
        expect(request.home['county']).toBe(county.name);
        expect(request.warnings).toEqual([]);
      }
    }
  });

  it.each([
    ['fl', 'Harris', 'tx'],
    ['tx', 'Broward County', 'fl'],
    ['tx', 'Harriss', 'Did you mean "harris"?'],
    ['tx', 'nowhere at all', 'no verdict is given'],
  ])('a county not in %s (%s) is a warning, and no county', (state, county, hint) => {
    const request = accepted({ state, county });
    expect(request.property.counties).toEqual([]);
    expect(request.warnings).toEqual([
      { path: '/county', code: 'county_not_in_state', message: expect.stringContaining(hint) },
    ]);
    expect(request.home['county']).toBe(county.toLowerCase());
  });

  it('takes an ambiguous county for both, with a warning', () => {
    const request = accepted({ state: 'md', county: 'Baltimore' });
    expect(request.property.counties).toEqual(['24005', '24510']);
    expect(request.warnings).toMatchObject([{ path: '/county', code: 'ambiguous_county' }]);
    expect(request.warnings[0]?.message).toContain('Baltimore County and Baltimore city');
    expect(request.home['county']).toBe('baltimore');
    expect(accepted({ state: 'md', county: 'Baltimore City' }).property.counties).toEqual(['24510']);
  });

  it('takes an empty county for none given', () => {
    for (const county of ['', '  ', null]) {
      const request = accepted({ state: 'tx', county });
      expect([request.property.counties, request.home['county']]).toEqual([undefined, undefined]);
    }
  });

  it('takes an address or a point, not both', () => {
    expect(accepted({ state: 'tx', address: '1 Main St, Houston' }).address).toBe('1 Main St, Houston');
    const parts = { line1: '1 Main St', city: null, zipcode: '77002' };
    expect(accepted({ state: 'tx', address: parts }).home['address']).toEqual(parts);
    expect(accepted({ state: 'tx', lat: 29.76, lng: -95.37 }).point).toEqual({ lat: 29.76, lng: -95.37 });
    expect(accepted({ state: 'tx', lat: 90, lng: -180 }).point).toEqual({ lat: 90, lng: -180 });
    for (const blank of ['', '   ', null]) expect(accepted({ state: 'tx', address: blank }).address).toBeUndefined();
    const both = { state: 'tx', address: '1 Main St', lat: 29.76, lng: -95.37 };
    expect(codes(both)).toEqual(['/address address_and_point']);
    expect(codes({ state: 'tx', lat: 29.76 })).toEqual(['/lng required_with']);
    expect(codes({ state: 'tx', lng: 29.76 })).toEqual(['/lat required_with']);
    expect(codes({ state: 'tx', lat: 90.1, lng: 0 })).toEqual(['/lat out_of_range']);
    expect(codes({ state: 'tx', lat: 0, lng: -180.1 })).toEqual(['/lng out_of_range']);
    expect(codes({ state: 'tx', lat: '29', lng: 0 })).toEqual(['/lat invalid_type']);
    expect(refused({ state: 'tx', lat: -95.37, lng: 29.76 })[0]?.message).toContain('swapped');
    const nothing = { state: 'tx', address: ' ', lat: null, lng: null };
    expect(accepted(nothing)).toMatchObject({ address: undefined, point: undefined });
  });

  it('what is wrong with one coordinate hides nothing about the other, nor about the address', () => {
    expect(codes({ state: 'tx', lat: 90.1 })).toEqual(['/lat out_of_range', '/lng required_with']);
    expect(codes({ state: 'tx', lng: 'west' })).toEqual(['/lng invalid_type', '/lat required_with']);
    expect(codes({ state: 'tx', lat: 90.1, lng: null })).toEqual(['/lat out_of_range', '/lng required_with']);
    expect(codes({ state: 'tx', lat: 91, lng: 181 })).toEqual(['/lat out_of_range', '/lng out_of_range']);
    const all = { state: 'tx', address: 5, lat: 91 };
    expect(codes(all).toSorted()).toEqual([
      '/address address_and_point',
      '/address invalid_address',
      '/lat out_of_range',
      '/lng required_with',
    ]);
    for (const address of [5, [], { street: '1 Main St' }, { line1: 5 }]) {
      expect(codes({ state: 'tx', address })).toEqual(['/address invalid_address']);
    }
  });

  it('believes distances that are given', () => {
    const request = accepted({ state: 'tx', distance_to_coast_miles: 2.5, distance_to_ocean_miles: '10' });
    expect(request.home).toMatchObject({ distance_to_coast_miles: 2.5, distance_to_ocean_miles: 10 });
    expect(known({ distance_to_coast_miles: 2.5 }, 'distance_to_tidal_water_meters')).toBe(4023.36);
    expect(known({ distance_to_ocean_miles: 10 }, 'distance_to_ocean_meters')).toBe(16093.44);
    const named: Readonly<Record<string, readonly [value: unknown, field: string, meters: number]>> = {
      distance_to_coast_feet: [2500, 'distance_to_tidal_water_meters', 762],
      distance_to_tidal_water_miles: [2.5, 'distance_to_tidal_water_meters', 4023.36],
      distance_to_tidal_water_feet: ['1000', 'distance_to_tidal_water_meters', 304.8],
      distance_to_ocean_feet: [5280, 'distance_to_ocean_meters', 1609.344],
      distance_to_mean_high_water_miles: [1, 'distance_to_mean_high_water_meters', 1609.344],
      distance_to_mean_high_water_feet: [0, 'distance_to_mean_high_water_meters', 0],
    };
    for (const [name, [value, field, meters]] of Object.entries(named)) {
      expect(known({ [name]: value }, field), name).toBe(meters);
      expect(accepted({ state: 'tx', [name]: value }).home).toHaveProperty(name, Number(value));
      expect(codes({ state: 'tx', [name]: 65_736_001 })).toEqual([`/${name} out_of_range`]);
    }
    expect(codes({ state: 'tx', distance_to_coast_miles: -1 })).toEqual(['/distance_to_coast_miles out_of_range']);
    expect(codes({ state: 'tx', distance_to_coast_miles: 1e6 })).toEqual(['/distance_to_coast_miles out_of_range']);
  });
});

describe('what does not fit together', () => {
  it('refuses one distance under two names, also where they agree or one of them is wrong', () => {
    for (const miles of [1, 2, -1]) {
      const faults = codes({ state: 'tx', distance_to_coast_miles: miles, distance_to_tidal_water_feet: 5280 });
      expect(faults).toContain('/distance_to_tidal_water_feet distance_given_twice');
    }
    expect(codes({ state: 'tx', distance_to_ocean_miles: 1, distance_to_ocean_feet: 1 })).toEqual([
      '/distance_to_ocean_feet distance_given_twice',
    ]);
    accepted({
      state: 'tx',
      distance_to_coast_miles: 1,
      distance_to_tidal_water_feet: ' ',
      distance_to_ocean_feet: 9000,
    });
  });

  it('keeps the given values, with a warning: a roof older than its house', () => {
    const request = accepted({ state: 'tx', year_built: 2000, roof_age: 40, roof_type: 'tile' });
    expect(request.warnings).toMatchObject([{ path: '/roof_age', code: 'inconsistent' }]);
    expect(request.property.values).toContain(1986);
    expect(accepted({ state: 'tx', year_built: 2000, roof_age: 26, roof_type: 'tile' }).warnings).toEqual([]);
  });

  it('keeps the given values, with a warning: an ocean nearer than tidal water', () => {
    const inFeet = accepted({ state: 'tx', distance_to_coast_miles: 5, distance_to_ocean_feet: 1 });
    expect(inFeet.warnings).toMatchObject([{ path: '/distance_to_ocean_feet', code: 'inconsistent' }]);
    const request = accepted({ state: 'tx', distance_to_coast_miles: 5, distance_to_ocean_miles: 1 });
    expect(request.warnings).toMatchObject([{ path: '/distance_to_ocean_miles', code: 'inconsistent' }]);
    expect(accepted({ state: 'tx', distance_to_coast_miles: 1, distance_to_ocean_miles: 1 }).warnings).toEqual([]);
  });

  it('bounds missing fields by given ones', () => {
    const { property } = accepted({ state: 'tx', year_built: 2000, distance_to_ocean_miles: 1 });
    const of = (name: string) => property.values[homeVocabulary.fields.findIndex((field) => field.name === name)];
    expect(of('roof_year')).toEqual({ kind: 'between', min: 2000, max: 2027 });
    expect(of('distance_to_tidal_water_meters')).toEqual({ kind: 'between', min: 0, max: 1609.344 });
    const roof = accepted({ state: 'tx', roof_age: 10, roof_type: 'tile' }).property;
    expect(roof.values[homeVocabulary.fields.findIndex((field) => field.name === 'year_built')]).toEqual({
      kind: 'between',
      min: 1600,
      max: 2016,
    });
    expect(known({ year_built: 2027 }, 'roof_year')).toBe(2027);
  });
});
