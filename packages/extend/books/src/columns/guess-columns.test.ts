import { homeVocabulary } from '@leeward/engine';
import { describe, expect, it } from 'vitest';
import { readColumnMap } from './column-map.ts';
import { bookNamesOf } from './evidence-names.ts';
import { guessFields, usualFields, writtenColumnMap } from './guess-columns.ts';

const fields = bookNamesOf(homeVocabulary);
const guess = (...names: readonly string[]) => guessFields(names, homeVocabulary);

describe('guessFields', () => {
  it('reads the headings of an agency system', () => {
    const headings = {
      'Policy Number': undefined,
      'Insured Name': undefined,
      Agent: undefined,
      'Risk State': 'state',
      County: 'county',
      Form: 'policy_type',
      'Eff. Date': 'effective_date',
      'Coverage A ($)': 'dwelling_a',
      'Year Built': 'year_built',
      RoofAge: 'roof_age',
      'Roof Material': 'roof_type',
      'Claims in five years': 'total_claims',
      Premium: undefined,
    };
    expect(guess(...Object.keys(headings))).toEqual(Object.values(headings));
  });

  it('finds each field by its name, in any case and with blanks', () => {
    expect(guess(...fields)).toEqual(fields);
    expect(guess(...fields.map((field) => field.replaceAll('_', ' ').toUpperCase()))).toEqual(fields);
  });

  it('prefers a column with the name of the field, and uses each field once', () => {
    expect(guess('Coverage A', 'dwelling_a', 'Dwelling')).toEqual([undefined, 'dwelling_a', undefined]);
    const twice = guess('Cov A', 'Coverage A', 'Year Built', 'Yr Built');
    expect(twice).toEqual(['dwelling_a', undefined, 'year_built', undefined]);
  });

  it('guesses a misspelled field, and leaves columns that begin with x_', () => {
    expect(guess('rof_age', 'year bilt', 'x_roof_age', 'agent')).toEqual([
      'roof_age',
      'year_built',
      undefined,
      undefined,
    ]);
  });

  it('knows only fields of the vocabulary', () => {
    expect(usualFields.filter((field) => !fields.includes(field))).toEqual([]);
  });
});

describe('writtenColumnMap', () => {
  it('is a map that readColumnMap accepts, with the other columns ignored', () => {
    const names = ['policy number', 'state', 'form', 'cov a', 'x_note'];
    const written = writtenColumnMap(names, guess(...names));
    expect(written).toEqual({ policy_type: 'form', dwelling_a: 'cov a', ignore: ['policy number'] });
    expect(readColumnMap(written, 'columns.json', homeVocabulary)).toEqual({
      fields: { policy_type: { column: 'form' }, dwelling_a: { column: 'cov a' } },
      ignore: ['policy number'],
    });
  });
});
