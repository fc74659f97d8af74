import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../../../../../test/support/any-text.ts';
import { withinProcessorMs } from '../../../../../test/support/processor-time.ts';
import { countiesOf, countyByFips, findCounties, statesWithCounty } from './find-counties.ts';
import { states } from './states.ts';

const all = states.flatMap((state) => countiesOf(state.code));
const codes = (stateCode: string, text: string) => findCounties(stateCode, text).map((county) => county.fips);
const isFoundAlone = (county: (typeof all)[number], text: string) => {
  const found = findCounties(county.state, text);
  return found.length === 1 && found[0] === county;
};
const withoutMarks = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '');

describe('the table of counties', () => {
  it('has 3,243 rows with unique codes, and unique names in each state', () => {
    expect(all).toHaveLength(3243);
    expect(new Set(all.map((county) => county.fips)).size).toBe(3243);
    expect(new Set(all.map((county) => `${county.state} ${county.name}`)).size).toBe(3243);
  });

  // By the Census Bureau since 2022, plus Connecticut's eight old counties.
  it.each([
    ['tx', 254],
    ['ga', 159],
    ['va', 133],
    ['ky', 120],
    ['mo', 115],
    ['pr', 78],
    ['fl', 67],
    ['la', 64],
    ['ak', 30],
    ['ct', 17],
    ['sd', 66],
    ['as', 5],
    ['mp', 4],
    ['vi', 3],
    ['dc', 1],
    ['gu', 1],
  ])('has the rows of %s: %i', (stateCode, count) => {
    expect(countiesOf(stateCode)).toHaveLength(count);
  });

  it('finds every county, and only it, by name, label, upper case, without accents, without blanks, and by code', () => {
    const wrong = all.flatMap((county) =>
      [county.name, county.label]
        .flatMap((text) => [text, text.toUpperCase(), withoutMarks(text), text.replace(/[ '.-]/g, ''), `  ${text}\t`])
        .concat(county.fips)
        .filter((spelling) => !isFoundAlone(county, spelling)),
    );
    expect(wrong).toEqual([]);
    expect(all.filter((county) => countyByFips(county.fips) !== county)).toEqual([]);
  });

  it('finds every county before its state, and none before another state', () => {
    expect(all.filter((each) => !isFoundAlone(each, `${each.label}, ${each.state.toUpperCase()}`))).toEqual([]);
    const elsewhere = all.flatMap(({ state, label }) =>
      findCounties(state, `${label}, ${state === 'tx' ? 'Ohio' : 'Texas'}`),
    );
    expect(elsewhere).toEqual([]);
  });

  it('has exactly six names that a county and a city share', () => {
    const shared = all.flatMap((county) => {
      const bare = county.label.replace(/ (County|city)$/, '');
      return findCounties(county.state, bare).length > 1 ? [`${county.state} ${bare}`] : [];
    });
    expect([...new Set(shared)]).toEqual([
      'md Baltimore',
      'mo St. Louis',
      'va Fairfax',
      'va Franklin',
      'va Richmond',
      'va Roanoke',
    ]);
    expect(shared).toHaveLength(12);
  });
});

describe('findCounties', () => {
  it.each([
    // The six shared names: both without a suffix, one with it.
    ['md', 'Baltimore', ['24005', '24510']],
    ['md', 'baltimore county', ['24005']],
    ['md', 'Baltimore City', ['24510']],
    ['md', 'County of Baltimore', ['24005']],
    ['md', 'City of Baltimore', ['24510']],
    ['mo', 'Saint Louis', ['29189', '29510']],
    ['mo', 'St Louis Co.', ['29189']],
    ['mo', 'SAINT LOUIS CITY', ['29510']],
    ['va', 'fairfax', ['51059', '51600']],
    ['va', 'franklin', ['51067', '51620']],
    ['va', 'richmond', ['51159', '51760']],
    ['va', 'roanoke', ['51161', '51770']],
    ['va', 'roanoke city', ['51770']],
    // Replaced names and codes.
    ['ak', 'Wade Hampton', ['02158']],
    ['ak', 'Wade Hampton Census Area', ['02158']],
    ['ak', '02270', ['02158']],
    ['ak', 'Kusilvak', ['02158']],
    ['ak', 'Valdez-Cordova', ['02063', '02066']],
    ['ak', 'valdez cordova census area', ['02063', '02066']],
    ['ak', '02261', ['02063', '02066']],
    ['ak', 'Chugach', ['02063']],
    ['ak', 'Copper River Census Area', ['02066']],
    ['ak', 'Petersburg Census Area', ['02195']],
    ['ak', 'Petersburg Borough', ['02195']],
    ['sd', 'Shannon', ['46102']],
    ['sd', '46113', ['46102']],
    ['sd', 'Oglala Lakota', ['46102']],
    ['va', 'Bedford City', ['51019']],
    ['va', '51515', ['51019']],
    ['va', 'Bedford', ['51019']],
    ['fl', '12025', ['12086']],
    // Connecticut: old counties and planning regions.
    ['ct', 'Hartford', ['09003']],
    ['ct', 'New Haven County', ['09009']],
    ['ct', 'Capitol', ['09110']],
    ['ct', 'Capitol Planning Region', ['09110']],
    ['ct', 'Western Connecticut', ['09190']],
    ['ct', 'lower connecticut river valley planning region', ['09130']],
    // Marks.
    ['nm', 'Doña Ana', ['35013']],
    ['nm', 'Dona Ana County', ['35013']],
    ['nm', 'Don\u0303a Ana', ['35013']],
    ['pr', 'Mayagüez', ['72097']],
    ['pr', 'MAYAGUEZ MUNICIPIO', ['72097']],
    ['pr', 'Bayamón', ['72021']],
    ['pr', 'Bayamon Municipality', ['72021']],
    ['pr', 'Añasco', ['72011']],
    ['pr', 'Municipio de Peñuelas', ['72111']],
    ['pr', 'rio grande', ['72119']],
    // A suffix is taken off the end only, and once.
    ['va', 'Charles City', ['51036']],
    ['va', 'Charles City County', ['51036']],
    ['va', 'Charles', []],
    ['va', 'Charles County', []],
    ['va', 'James City', ['51095']],
    ['va', 'James City County', ['51095']],
    ['va', 'James', []],
    ['nv', 'Carson City', ['32510']],
    ['nv', 'Carson', ['32510']],
    // Names in daily use.
    ['fl', 'Dade', ['12086']],
    ['fl', 'Dade County', ['12086']],
    ['fl', 'Miami Dade', ['12086']],
    ['fl', 'miamidade', ['12086']],
    ['fl', 'Miami–Dade County', ['12086']],
    ['ny', 'Brooklyn', ['36047']],
    ['ny', 'Manhattan', ['36061']],
    ['ny', 'Staten Island', ['36085']],
    ['ny', 'the Bronx', ['36005']],
    ['ny', 'Queens', ['36081']],
    ['ak', 'Mat-Su', ['02170']],
    // Prefixes, saints, apostrophes, one word or two.
    ['tx', 'County of Harris', ['48201']],
    ['co', 'City and County of Denver', ['08031']],
    ['ca', 'San Francisco City & County', ['06075']],
    ['fl', 'Saint Lucie', ['12111']],
    ['fl', 'st.lucie', ['12111']],
    ['mo', 'Sainte Genevieve', ['29186']],
    ['mo', 'St. Genevieve', ['29186']],
    ['md', 'Prince Georges', ['24033']],
    ['md', 'Prince George’s County', ['24033']],
    ['md', "st mary's", ['24037']],
    ['ia', 'OBrien', ['19141']],
    ['ia', "O'Brien", ['19141']],
    ['ia', 'O Brien', ['19141']],
    ['ia', 'O`Brien', ['19141']],
    ['il', 'La Salle', ['17099']],
    ['tx', 'LaSalle', ['48283']],
    ['la', 'La Salle Parish', ['22059']],
    ['ga', 'De Kalb', ['13089']],
    ['il', 'DE KALB COUNTY', ['17037']],
    ['il', 'Dewitt', ['17039']],
    ['tx', 'De Witt', ['48123']],
    ['il', 'Du Page', ['17043']],
    ['fl', 'De Soto', ['12027']],
    ['hi', 'Kauaʻi', ['15007']],
    ['as', 'Manua', ['60020']],
    // Kinds of county.
    ['la', 'Orleans', ['22071']],
    ['la', 'Orleans Parish', ['22071']],
    ['la', 'Parish of Orleans', ['22071']],
    ['la', 'Orleans County', ['22071']],
    ['ak', 'Anchorage', ['02020']],
    ['ak', 'Municipality of Anchorage', ['02020']],
    ['ak', 'Anchorage Borough', ['02020']],
    ['ak', 'Juneau City and Borough', ['02110']],
    ['ak', 'Nome Census Area', ['02180']],
    ['ak', 'North Slope Borough', ['02185']],
    ['vi', 'Saint Croix', ['78010']],
    ['vi', 'St. Thomas Island', ['78030']],
    ['mp', 'Saipan', ['69110']],
    ['gu', 'Guam', ['66010']],
    ['dc', 'District of Columbia', ['11001']],
    ['dc', 'Washington, D.C.', ['11001']],
    // The state behind a comma; a code that lost its zero.
    ['tx', 'Harris County, Texas', ['48201']],
    ['fl', 'Harris, TX', []],
    ['ca', '6037', ['06037']],
    ['tx', '06037', []],
    ['tx', 'Houston City', []],
    ['tx', 'City of Austin', []],
    ['tx', 'Harris Parish', []],
    ['tx', 'Broward', []],
    ['tx', 'county', []],
    ['tx', 'County of', []],
  ])('%s, %s', (stateCode, text, expected) => {
    expect(codes(stateCode, text)).toEqual(expected);
  });

  it('accepts the state by name, and returns nothing for an unknown one', () => {
    expect(codes('Texas', 'harris')).toEqual(['48201']);
    expect(codes('zz', 'harris')).toEqual([]);
    expect(countiesOf('constructor')).toEqual([]);
  });

  it.each([
    '',
    ' ',
    '__proto__',
    'constructor',
    'toString',
    '\ud800',
    'harris\udfff',
    '🏠',
    'harris 🏠',
    '哈里斯',
    'x'.repeat(10_000),
    'harris '.repeat(1_500),
    'a\u0301'.repeat(5_000),
    '.'.repeat(10_000),
    '\0',
  ])('returns nothing for hostile text (%#)', (text) => {
    withinProcessorMs(500, () => {
      for (const state of states) expect(findCounties(state.code, text)).toEqual([]);
      expect(findCounties(text, 'harris')).toEqual([]);
    });
  });

  it('never throws', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 200 }), fc.constantFrom(...states), (text, state) => {
        expect(findCounties(state.code, text).length).toBeLessThanOrEqual(2);
        expect(countyByFips(text)).toBeUndefined();
      }),
    );
  });
});

describe('countyByFips', () => {
  it('follows replaced codes, except one that was split', () => {
    expect(countyByFips('02270')?.label).toBe('Kusilvak Census Area');
    expect(countyByFips('46113')?.label).toBe('Oglala Lakota County');
    expect(countyByFips('02261')).toBeUndefined();
    expect(countyByFips('48000')).toBeUndefined();
    expect(countyByFips('99001')).toBeUndefined();
  });
});

describe('statesWithCounty', () => {
  it('names every state with a county of that name', () => {
    const names = (text: string) => statesWithCounty(text).map((state) => state.code);
    expect(names('Broward County')).toEqual(['fl']);
    expect(names('orange')).toEqual(['ca', 'fl', 'in', 'ny', 'nc', 'tx', 'vt', 'va']);
    expect(names('atlantis')).toEqual([]);
    expect(names('48201')).toEqual(['tx']);
  });
});
