import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCarrierCatalog } from '../catalog/carrier-catalog.ts';
import { fieldOptions } from '../catalog/field-options.ts';
import { quoteFields } from '../catalog/quote-fields.ts';
import type { Appointment, TeamDirectory } from '../ports/team-directory.ts';
import { quotedAt, scriptedCarrier } from '../testing/bench.ts';
import { exampleBody, exampleFields } from '../testing/example-request.ts';
import { checkQuoteRequest } from './check-quote-request.ts';
import { fieldReference } from './field-reference.ts';

const carrier = (key: string, name: string, offers: NonNullable<Parameters<typeof scriptedCarrier>[1]>['offers']) =>
  scriptedCarrier(async () => quotedAt(1n), { key, name, offers: offers! });
const catalog = createCarrierCatalog([
  carrier('bayou_mutual', 'Bayou Mutual', [
    { formTypes: ['ho3', 'ho5'], states: ['fl', 'tx'] },
    { formTypes: ['dp3'] },
  ]),
  carrier('palm_coast', 'Palm Coast Property & Casualty', [{ formTypes: ['ho3', 'ho8', 'x-wind'] }]),
  carrier('far_away', 'Far Away Insurance', [{ formTypes: ['ho3'], states: ['ak'] }]),
  carrier('stranger', 'Stranger Home', [{ formTypes: ['ho3'] }]),
]);
const appointed: Appointment[] = [
  { carrierKey: 'bayou_mutual' },
  { carrierKey: 'palm_coast', formTypes: ['ho3', 'x-wind'], states: ['FL'] },
  { carrierKey: 'far_away' },
  { carrierKey: 'gone_since' },
];
const teams = (appointments = appointed): TeamDirectory => ({
  hasProducer: async (teamId, email) => teamId === 'team-1' && email.toLowerCase() === 'agent@example.com',
  appointments: async () => appointments,
});
const check = (body: unknown, directory = teams()) =>
  checkQuoteRequest(body, { teamId: 'team-1', catalog, teams: directory, today: '2026-11-20' });
async function accepted(more: object = {}, fields: object = {}) {
  const checked = await check({ ...exampleBody, ...more, fields: { ...exampleFields, ...fields } });
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return checked.request;
}
async function faults(body: unknown): Promise<string[]> {
  const checked = await check(body);
  return checked.ok ? [] : checked.faults.map((fault) => `${fault.path} ${fault.code}`);
}

describe('a quote request', () => {
  it('without form types and carriers selects all of the product and all appointed', async () => {
    const { rates, skipped } = await accepted();
    expect(rates.map((rate) => `${rate.carrierKey} ${rate.formType}`)).toEqual([
      'bayou_mutual ho3',
      'bayou_mutual ho5',
      'palm_coast ho3',
    ]);
    expect(skipped).toEqual([
      { carrierKey: 'bayou_mutual', formType: 'ho8', code: 'form_type_not_offered' },
      { carrierKey: 'palm_coast', formType: 'ho5', code: 'form_type_not_offered' },
      { carrierKey: 'palm_coast', formType: 'ho8', code: 'form_type_not_appointed' },
      { carrierKey: 'far_away', formType: 'ho3', code: 'state_not_offered' },
      { carrierKey: 'far_away', formType: 'ho5', code: 'form_type_not_offered' },
      { carrierKey: 'far_away', formType: 'ho8', code: 'form_type_not_offered' },
    ]);
  });

  it('has the given priority', async () => {
    expect((await accepted({ priority: 1 })).priority).toBe(1);
    expect((await accepted({ priority: null })).priority).toBeUndefined();
  });

  it('skips carriers that are not appointed for the state', async () => {
    const { skipped } = await accepted({}, { state: 'TX' });
    expect(skipped).toContainEqual({ carrierKey: 'palm_coast', formType: 'ho3', code: 'state_not_appointed' });
  });

  it.each([
    [
      'form types however spelled',
      { form_types: ['HO-3', ' ho 3 ', 'Ho5'] },
      ['bayou_mutual ho3', 'bayou_mutual ho5', 'palm_coast ho3'],
    ],
    ['carriers by name', { carrier_keys: ['BAYOU mutual'], form_types: ['ho3'] }, ['bayou_mutual ho3']],
    [
      'carriers by key with hyphens, twice',
      { carrier_keys: ['palm-coast', 'palm_coast'], form_types: ['ho3'] },
      ['palm_coast ho3'],
    ],
    [
      'what is left empty as all',
      { carrier_keys: ' ', form_types: null },
      ['bayou_mutual ho3', 'bayou_mutual ho5', 'palm_coast ho3'],
    ],
    ['another product', { product_code: 'Ex-Wind' }, ['palm_coast x-wind']],
    ['notes of the host', { product_code: 'dwelling fire', x_note: 1 }, ['bayou_mutual dp3']],
    [
      'a producer in capitals',
      { assigned_producer_email: ' Agent@Example.com ', form_types: ['ho5'] },
      ['bayou_mutual ho5'],
    ],
  ])('accepts %s', async (_, more, rates) => {
    expect((await accepted(more)).rates.map((rate) => `${rate.carrierKey} ${rate.formType}`)).toEqual(rates);
  });

  it.each([
    [null, ' invalid_type'],
    [[], ' invalid_type'],
    [{ ...exampleBody, product_code: 'boat' }, '/product_code unknown_product'],
    [{ ...exampleBody, product_code: 7 }, '/product_code invalid_type'],
    [{ ...exampleBody, product_code: null }, '/product_code required'],
    [{ ...exampleBody, product_code: '' }, '/product_code required'],
    [{ ...exampleBody, assigned_producer_email: ' ' }, '/assigned_producer_email required'],
    [{ ...exampleBody, product_code: 'toString' }, '/product_code unknown_product'],
    [{ ...exampleBody, form_types: ['ho3', 'ho9'] }, '/form_types/1 unknown_policy_type'],
    [{ ...exampleBody, form_types: ['dp3'] }, '/form_types/0 form_type_not_in_product'],
    [{ ...exampleBody, form_types: 'ho3' }, '/form_types invalid_type'],
    [{ ...exampleBody, form_types: [] }, '/form_types empty_list'],
    [{ ...exampleBody, carrier_keys: [] }, '/carrier_keys empty_list'],
    [{ ...exampleBody, carrier_keys: ['nobody'] }, '/carrier_keys/0 unknown_carrier'],
    [{ ...exampleBody, carrier_keys: ['bayou_mutual', 'stranger'] }, '/carrier_keys/1 carrier_not_appointed'],
    [{ ...exampleBody, carrier_keys: ['Stranger Home'] }, '/carrier_keys/0 carrier_not_appointed'],
    [{ ...exampleBody, carrier_keys: [{}] }, '/carrier_keys/0 invalid_type'],
    [{ ...exampleBody, assigned_producer_email: 'other@example.com' }, '/assigned_producer_email producer_not_on_team'],
    [{ ...exampleBody, assigned_producer_email: 'nobody' }, '/assigned_producer_email invalid_format'],
    [{ ...exampleBody, assigned_producer_email: undefined }, '/assigned_producer_email required'],
    [{ ...exampleBody, carier_keys: ['bayou_mutual'] }, '/carier_keys unknown_field'],
    [{ ...exampleBody, priority: 0 }, '/priority out_of_range'],
    [{ ...exampleBody, priority: 2.5 }, '/priority out_of_range'],
    [{ ...exampleBody, priority: '1' }, '/priority invalid_type'],
    [{ ...exampleBody, fields: 'none' }, '/fields invalid_type'],
    [{ ...exampleBody, product_code: 'wind' }, ' nothing_to_quote'],
    [{ ...exampleBody, carrier_keys: ['far_away'] }, ' nothing_to_quote'],
  ])('%#: is rejected with %s', async (body, fault) => {
    expect(await faults(body)).toContain(fault);
  });

  it('names all missing keys at once', async () => {
    const missing = quoteFields.map((field) => `/fields/${field.key} required`);
    expect(await faults({ ...exampleBody, fields: {} })).toEqual(missing);
    expect(await faults({})).toEqual(['/product_code required', '/assigned_producer_email required', ...missing]);
    expect(quoteFields).toHaveLength(25);
  });

  it('lists every fault of every part', async () => {
    const body = {
      product_code: 'home',
      assigned_producer_email: 'x@example.com',
      form_types: ['ho3', 'nope'],
      carrier_keys: ['nobody', 'stranger'],
      fields: { ...exampleFields, roof_shape: 'round', effective_date: '2026-02-30', zipcode: 'abc', first_name: null },
    };
    expect(await faults(body)).toEqual([
      '/product_code unknown_product',
      '/assigned_producer_email producer_not_on_team',
      '/form_types/1 unknown_policy_type',
      '/carrier_keys/0 unknown_carrier',
      '/carrier_keys/1 carrier_not_appointed',
      '/fields/first_name required',
      '/fields/effective_date invalid_date',
      '/fields/zipcode invalid_format',
      '/fields/roof_shape unknown_value',
    ]);
  });

  it('suggests the intended value', async () => {
    const checked = await check({
      ...exampleBody,
      carrier_keys: ['bayou mutal'],
      carrier_key: 1,
      fields: { ...exampleFields, roof_shape: 'hipp' },
    });
    const messages = checked.ok ? '' : checked.faults.map((fault) => fault.message).join(' ');
    for (const word of ['Did you mean "Bayou Mutual"?', 'Did you mean "carrier_keys"?', 'Did you mean "hip"?'])
      expect(messages).toContain(word.replace('Bayou Mutual', 'bayou_mutual'));
  });

  it('does not reveal whether a producer belongs to another team', async () => {
    const [other, nobody] = await Promise.all(
      ['agent@example.com', 'ghost@example.com'].map((assigned_producer_email) =>
        checkQuoteRequest(
          { ...exampleBody, assigned_producer_email },
          { teamId: 'team-2', catalog, teams: teams(), today: '2026-11-20' },
        ),
      ),
    );
    const told = [other, nobody].map((checked) =>
      checked!.ok ? '' : checked!.faults[0]!.message.replace(/"[^"]*"/, '…'),
    );
    expect(told[0]).toBe(told[1]);
  });

  it('accepts a licensed producer, and lists missing licences with all other faults', async () => {
    const licensed = (states: readonly string[] | null) => ({ ...teams(), licensedStates: async () => states });
    const fields = { ...exampleFields, state: 'Florida' };
    for (const states of [null, ['FL'], ['tx', 'fl']]) {
      expect(await check({ ...exampleBody, fields }, licensed(states))).toMatchObject({ ok: true });
    }
    for (const states of [[], ['tx', 'la']]) {
      const refused = await check({ ...exampleBody, form_types: ['ho4'], fields }, licensed(states));
      expect(refused).toMatchObject({
        faults: [{ path: '/form_types/0' }, { path: '/assigned_producer_email', code: 'producer_not_licensed' }],
      });
    }
    const nowhere = await check({ ...exampleBody, fields: { ...fields, state: 'zz' } }, licensed(['tx']));
    expect(nowhere).toMatchObject({ faults: [{ path: '/fields/state' }] });
  });
});

describe('fields', () => {
  it.each([
    ['dwelling_a', '350000', 350_000],
    ['year_built', ' 1998 ', 1998],
    ['roof_year', 2027, 2027],
    ['state', 'Florida', 'FL'],
    ['state', 'fl', 'FL'],
    ['zipcode', 2138, '02138'],
    ['zipcode', '34471-1234', '34471-1234'],
    ['house_number', 1420, '1420'],
    ['protection_class', 3, '3'],
    ['protection_class', '08', '8'],
    ['protection_class', '8b', '8B'],
    ['protection_class', '4x', '4X'],
    ['insured_phone', '(813) 555-0142', '+18135550142'],
    ['insured_phone', '1-813-555-0142', '+18135550142'],
    ['insured_phone', '+44 20 7946 0958', '+442079460958'],
    ['phone_type', 'MOBILE', 'mobile'],
    ['occupancy', 'Owner-Occupied', 'owner occupied'],
    ['construction_type_options', 'Superior', 'fire resistive/superior'],
    ['roof_option', '3 tab shingle', '3-tab shingle'],
    ['state', 'Fla.', 'FL'],
    ['state', 'State of Florida', 'FL'],
    ['county', 'St. Johns County', 'St. Johns County'],
    ['first_name', '  Zoë ', 'Zoë'],
  ])('%s as %j is stored as %j', async (key, given, kept) => {
    expect((await accepted({}, { [key]: given })).fields[key]).toBe(kept);
  });

  it.each([
    ['dwelling_a', '350,000', 'invalid_number'],
    ['dwelling_a', 1.5, 'not_an_integer'],
    ['dwelling_a', -1, 'out_of_range'],
    ['dwelling_a', 0, 'out_of_range'],
    ['dwelling_a', 100_000_001, 'out_of_range'],
    ['dwelling_a', true, 'invalid_type'],
    ['square_feet', 1e308, 'out_of_range'],
    ['year_built', 98, 'out_of_range'],
    ['year_built', 2028, 'out_of_range'],
    ['roof_year', 9, 'out_of_range'],
    ['insured_date_of_birth', '2026-11-21', 'out_of_range'],
    ['insured_date_of_birth', '1979-13-01', 'invalid_date'],
    ['effective_date', '12/01/2026', 'invalid_date'],
    ['effective_date', 20_261_201, 'invalid_type'],
    ['insured_email', 'dana@', 'invalid_format'],
    ['insured_email', 'dana@example..com', 'invalid_format'],
    ['insured_phone', '555-0142', 'invalid_format'],
    ['state', 'Floridda', 'unknown_state'],
    ['state', 12, 'invalid_type'],
    ['state', 'constructor', 'unknown_state'],
    ['county', 'Harris', 'county_not_in_state'],
    ['county', 'Marrion', 'county_not_in_state'],
    ['zipcode', '3447', 'invalid_format'],
    ['zipcode', '344711', 'invalid_format'],
    ['protection_class', '11', 'unknown_value'],
    ['protection_class', '9X', 'unknown_value'],
    ['usage', '__proto__', 'unknown_value'],
    ['ownership', '', 'required'],
    ['first_name', ' ', 'required'],
    ['first_name', 'a\u0000b', 'invalid_text'],
    ['first_name', '\ud800', 'invalid_text'],
    ['street', 'x'.repeat(101), 'invalid_length'],
    ['city', ['Ocala'], 'invalid_type'],
  ])('%s as %j is rejected with %s', async (key, given, code) => {
    expect(await faults({ ...exampleBody, fields: { ...exampleFields, [key]: given } })).toEqual([
      `/fields/${key} ${code}`,
    ]);
  });

  it('keeps additional keys unchanged, also special names', async () => {
    const extras = JSON.parse(
      '{"__proto__": {"a": 1}, "Total Claims": "2", "nested": {"deep": [1, null, "\\u0000\\ud800"]}, "empty": null}',
    );
    const checked = await check({ ...exampleBody, fields: { ...exampleFields, ...extras, ['__proto__']: undefined } });
    const hostile = await check(
      JSON.parse(
        JSON.stringify(exampleBody).replace(
          '"first_name"',
          '"__proto__": {"polluted": true}, "constructor": 7, "first_name"',
        ),
      ),
    );
    if (!checked.ok || !hostile.ok) throw new Error('refused');
    expect(checked.request.fields).toMatchObject({ 'Total Claims': '2', nested: extras.nested, empty: null });
    expect(Object.hasOwn(hostile.request.fields, '__proto__')).toBe(true);
    expect(JSON.stringify(hostile.request.fields)).toContain('"__proto__":{"polluted":true},"constructor":7');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('limits keys, depth and length', async () => {
    const fields = (extra: object) => ({ ...exampleBody, fields: { ...exampleFields, ...extra } });
    expect(await faults(fields({ big: 'x'.repeat(70_000) }))).toEqual(['/fields too_large']);
    const many = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`key_${index}`, 1]));
    expect(await faults(fields(many))).toEqual(['/fields too_many_keys']);
    let deep: unknown = 1;
    for (let level = 0; level < 5000; level++) deep = [deep];
    expect(await faults(fields({ deep }))).toEqual([' too_deep']);
  });

  it('never throws for arbitrary input', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue({ maxDepth: 4 }),
        fc.constantFrom(...Object.keys(exampleFields)),
        fc.constantFrom('fields', 'form_types', 'carrier_keys', 'product_code'),
        async (value, key, top) => {
          await check(value);
          await check({ ...exampleBody, [top]: value });
          await check({ ...exampleBody, fields: { ...exampleFields, [key]: value } });
        },
      ),
      { numRuns: 300 },
    );
  });

  it('are documented as JSON Schema with their options', () => {
    const reference = fieldReference() as { properties: Record<string, { enum?: string[] }>; required: string[] };
    expect(reference.required).toEqual(quoteFields.map((field) => field.key));
    expect(new Set(reference.required)).toEqual(new Set(Object.keys(exampleFields)));
    for (const [key, options] of Object.entries(fieldOptions))
      expect(reference.properties[key]?.enum).toEqual([...options]);
  });
});

it('omits personal data from messages', async () => {
  const personal = ['first_name', 'last_name', 'insured_email', 'insured_date_of_birth', 'insured_phone', 'street'];
  for (const wrong of ['Zephyrine\u0000', ['Zephyrine'], { name: 'Zephyrine' }]) {
    const fields = {
      ...exampleFields,
      ...Object.fromEntries(personal.map((key) => [key, wrong])),
      house_number: wrong,
    };
    const checked = await check({ ...exampleBody, assigned_producer_email: wrong, fields });
    const faults = 'faults' in checked ? checked.faults : [];
    expect(faults).toHaveLength(8);
    expect(JSON.stringify(faults)).not.toContain('Zephyrine');
  }
});
