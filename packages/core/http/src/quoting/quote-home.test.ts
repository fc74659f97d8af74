import { homeVocabulary, type Line } from '@leeward/engine';
import { distanceNames } from '@leeward/engine/compiled';
import { describe, expect, it } from 'vitest';
import { quoteHome, quoteOfLine } from './quote-home.ts';

const fields = {
  first_name: 'Dana',
  insured_email: 'dana@example.com',
  house_number: '1420',
  street: 'Larkspur Ave',
  city: 'Ocala',
  county: 'Marion',
  state: 'FL',
  zipcode: '34471',
  dwelling_a: 350_000,
  square_feet: 1850,
  year_built: 2004,
  roof_year: 2019,
  roof_option: 'concrete tile',
  roof_shape: 'hip',
  dwelling_type: 'single family',
  protection_class: '3',
  ownership: 'personal',
  occupancy: 'owner occupied',
  usage: 'primary',
};
const home = (changed: Record<string, unknown> = {}) => quoteHome({ ...fields, ...changed }, 'ho3', '2026-12-01');

describe('a quote as a home', () => {
  it('has the fields of underwriting, and no data of the person', () => {
    expect(home()).toEqual({
      policy_type: 'ho3',
      effective_date: '2026-12-01',
      state: 'FL',
      county: 'Marion',
      dwelling_a: 350_000,
      year_built: 2004,
      roof_age: 2019,
      roof_type: 'tile',
      structure_type: 'single family',
      protection_class: 3,
      ownership: 'personal',
      usage: 'primary',
      square_feet: 1850,
      roof_shape: 'hip',
      zipcode: '34471',
      address: { line1: '1420 Larkspur Ave', city: 'Ocala', state: 'FL', zipcode: '34471' },
    });
  });

  it('keeps each given distance with its name and unit', () => {
    const distances = Object.fromEntries(distanceNames.map(([name], index) => [name, index + 1]));
    expect(home({ ...fields, ...distances })).toMatchObject(distances);
    const line = { vocabulary: homeVocabulary } as Line;
    expect(quoteOfLine(line, { state: 'fl', ...distances }, 'ho3', '2026-12-01')).toEqual({
      policy_type: 'ho3',
      effective_date: '2026-12-01',
      state: 'fl',
      ...distances,
    });
  });

  it('leaves out a field of blanks, as one that is missing', () => {
    const blank = Object.fromEntries(Object.keys(fields).map((name) => [name, name === 'state' ? 'FL' : ' \t\u00a0']));
    expect(home(blank)).toEqual({ policy_type: 'ho3', effective_date: '2026-12-01', state: 'FL' });
    expect(home({ city: ' Ocala ', street: '  ' })['address']).toMatchObject({ line1: '1420', city: 'Ocala' });
    const line = { vocabulary: homeVocabulary } as Line;
    expect(quoteOfLine(line, { state: 'fl', county: ' ', year_built: '\n' }, 'ho3', '2026-12-01')).toEqual({
      policy_type: 'ho3',
      effective_date: '2026-12-01',
      state: 'fl',
    });
  });

  it('has no protection class where the code is none of the ten plain ones', () => {
    for (const code of ['8B', '4X', '10W', '0', '11', '', null]) {
      expect(home({ protection_class: code })).not.toHaveProperty('protection_class');
    }
    expect(home({ protection_class: '10' })).toHaveProperty('protection_class', 10);
  });

  it('omits the roof if underwriting does not have its covering', () => {
    const without = home({ roof_option: 'thatch' });
    expect(without).not.toHaveProperty('roof_type');
    expect(without).not.toHaveProperty('roof_age');
    expect(home({ roof_option: '__proto__' })).not.toHaveProperty('roof_type');
  });

  it('has the given parts of the address, but omits a state alone', () => {
    expect(home({ house_number: null, street: '', city: undefined })).toHaveProperty('address', {
      state: 'FL',
      zipcode: '34471',
    });
    expect(home({ city: '', zipcode: '' })).not.toHaveProperty('address');
  });
});
