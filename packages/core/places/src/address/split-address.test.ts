import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { anyText } from '../../../../../test/support/any-text.ts';
import { withinProcessorMs } from '../../../../../test/support/processor-time.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { loadZipGazetteer } from '../zips/load-zip-gazetteer.ts';
import type { ZipGazetteer } from '../zips/zip-gazetteer.ts';
import { readAddressFields, splitAddress } from './split-address.ts';

let gazetteer: ZipGazetteer;
beforeAll(async () => {
  gazetteer = await loadZipGazetteer();
});

type Parts = readonly [line1: string | undefined, city: string | undefined, state: string, zip: string | undefined];

describe('splitAddress', () => {
  it.each<readonly [text: string, ...Parts]>([
    ['1600 Ocean Dr, Miami Beach FL 33139', '1600 Ocean Dr', 'Miami Beach', 'fl', '33139'],
    ['1600 Ocean Dr Miami Beach FL 33139-1234, USA', '1600 Ocean Dr', 'Miami Beach', 'fl', '33139'],
    ['1600 Ocean Dr, Miami Beach, Florida', '1600 Ocean Dr', 'Miami Beach', 'fl', undefined],
    ['1600 Ocean Dr\nMiami Beach\nFL 33139', '1600 Ocean Dr', 'Miami Beach', 'fl', '33139'],
    ['1600 Ocean Dr, 33139, Miami Beach, FL', '1600 Ocean Dr', 'Miami Beach', 'fl', '33139'],
    ['🏠 1600 Ocean Dr 🌊 Miami Beach FL', '1600 Ocean Dr', 'Miami Beach', 'fl', undefined],
    [
      '500 Ocean Dr, Apt 4, Miami Beach, FL 33139, United States of America',
      '500 Ocean Dr, Apt 4',
      'Miami Beach',
      'fl',
      '33139',
    ],
    ['1600 Ocean Dr Miami Beach FL 33139 USA', '1600 Ocean Dr', 'Miami Beach', 'fl', '33139'],
    ['1600 Ocean Dr, Miami Beach, FL 33139 U.S.A.', '1600 Ocean Dr', 'Miami Beach', 'fl', '33139'],
    ['1600 Ocean Dr, Miami Beach FL 33139-1234 United States', '1600 Ocean Dr', 'Miami Beach', 'fl', '33139'],
    ['33139 USA', undefined, undefined, 'fl', '33139'],
    ['123 Main St, NW, Washington DC', '123 Main St NW', 'Washington', 'dc', undefined],
    ['123 Main St, N.W. Washington, DC 20001', '123 Main St N.W.', 'Washington', 'dc', '20001'],
    ['123 Main St, Apt 4B, NE, Washington DC', '123 Main St NE, Apt 4B', 'Washington', 'dc', undefined],
    ['12 Elm St, West, Ocala, FL', '12 Elm St West', 'Ocala', 'fl', undefined],
    ['123 Main St, North Miami FL', '123 Main St', 'North Miami', 'fl', undefined],
    ['12 Elm St, West Palm Beach FL', '12 Elm St', 'West Palm Beach', 'fl', undefined],
    ['10 Ocean Dr Apt 4B, Miami Beach FL', '10 Ocean Dr Apt 4B', 'Miami Beach', 'fl', undefined],
    ['10 Ocean Dr #12 Miami Beach FL', '10 Ocean Dr #12', 'Miami Beach', 'fl', undefined],
    ['10 Ocean Dr, Unit 3, Miami Beach FL 33139', '10 Ocean Dr, Unit 3', 'Miami Beach', 'fl', '33139'],
    ['10 Ocean Dr, Miami Beach, Apt 4B, FL 33139', '10 Ocean Dr, Apt 4B', 'Miami Beach', 'fl', '33139'],
    ['10 Ocean Dr, Miami Beach, FL 33139, Apt 4B', '10 Ocean Dr, Apt 4B', 'Miami Beach', 'fl', '33139'],
    ['10 Ocean Dr Miami Beach FL 33139 #12', '10 Ocean Dr, #12', 'Miami Beach', 'fl', '33139'],
    ['10 Ocean Dr Miami Beach FL Unit 3, USA', '10 Ocean Dr, Unit 3', 'Miami Beach', 'fl', undefined],
    ['33139', undefined, undefined, 'fl', '33139'],
    ['33139-1234', undefined, undefined, 'fl', '33139'],
    ['33139 1234', undefined, undefined, 'fl', '33139'],
    ['ZIP code 33139', undefined, undefined, 'fl', '33139'],
    ['Miami Beach,FL33139', undefined, 'Miami Beach', 'fl', '33139'],
    ['Miami Beach 33139 FL', undefined, 'Miami Beach', 'fl', '33139'],
    ['12 Elm St, Cambridge MA 2138', '12 Elm St', 'Cambridge', 'ma', '02138'],
    ['100 Main St Morgantown West Virginia 26505', '100 Main St', 'Morgantown', 'wv', '26505'],
    ['5 Beach Ave, Washington 20001', '5 Beach Ave', 'Washington', 'dc', '20001'],
    ['1600 Pennsylvania Ave NW, Washington, D.C. 20500', '1600 Pennsylvania Ave NW', 'Washington', 'dc', '20500'],
    ['1600 Pennsylvania Ave NW Washington DC', '1600 Pennsylvania Ave NW', 'Washington', 'dc', undefined],
    ['350 5th Ave New York NY 10118', '350 5th Ave', 'New York', 'ny', '10118'],
    ['350 5th Ave, New York 10118', '350 5th Ave', undefined, 'ny', '10118'],
    ['350 5th Ave, New York, New York', '350 5th Ave', 'New York', 'ny', undefined],
    ['42 Nevada St, Kansas City, Kansas 66101', '42 Nevada St', 'Kansas City', 'ks', '66101'],
    ['5 State Rd, Mexico, MO', '5 State Rd', 'Mexico', 'mo', undefined],
    ['12 Maple Ct 33139', '12 Maple Ct', undefined, 'fl', '33139'],
    ['12 Maple Ct, Miami Beach 33139', '12 Maple Ct', 'Miami Beach', 'fl', '33139'],
    ['10 Oak St, Hartford CT 33139', '10 Oak St', 'Hartford', 'ct', '33139'],
    // Without a comma the longest known, with one also an unknown one.
    ['500 E Las Olas Blvd Fort Lauderdale FL', '500 E Las Olas Blvd', 'Fort Lauderdale', 'fl', undefined],
    ['123 N Miami Bch Blvd N Miami Bch FL', '123 N Miami Bch Blvd', 'N Miami Bch', 'fl', undefined],
    ['7 Isle Dr, Sewalls Point, FL 34996', '7 Isle Dr', 'Sewalls Point', 'fl', '34996'],
    ['123 Main St, Saint Paul, MN 55101', '123 Main St', 'Saint Paul', 'mn', '55101'],
    ['Austin, Travis County, TX 78701', undefined, 'Austin', 'tx', '78701'],
    ['12 Elm St Paris OH 44669', '12 Elm St', 'Paris', 'oh', '44669'],
    ['12 Elm St St Paris OH 43072', '12 Elm St', 'St Paris', 'oh', '43072'],
    ['12 Elm St, Young America 55553', '12 Elm St', 'Young America', 'mn', '55553'],
    ['Springfield, IL', undefined, 'Springfield', 'il', undefined],
    ['Calle Loíza 1234, San Juan, PR 00911', 'Calle Loíza 1234', 'San Juan', 'pr', '00911'],
    ['1 Main St, Cañon City, CO', '1 Main St', 'Cañon City', 'co', undefined],
    ['1 Main St Canon City CO', '1 Main St', 'Canon City', 'co', undefined],
    ['1600 Ocean Dr, PO Box 12, Miami Beach FL', '1600 Ocean Dr', 'Miami Beach', 'fl', undefined],
    ['45–18 21st St, Long Island City NY 11101—1612', '45-18 21st St', 'Long Island City', 'ny', '11101'],
    // A state twice.
    ['45 Woodstock St, Roswell, Georgia, GA 30075', '45 Woodstock St', 'Roswell', 'ga', '30075'],
    ['50 N Front St, Memphis TN, TN 38103', '50 N Front St', 'Memphis', 'tn', '38103'],
    ['12 Hartford Ct CT 06101', '12 Hartford Ct', undefined, 'ct', '06101'],
    // Short names of cities, as in the Postal Service's file of ZIP codes.
    ['2822 Henrietta Ave Huntingdon Vy PA 19006', '2822 Henrietta Ave', 'Huntingdon Vy', 'pa', '19006'],
    ['51 Lake Run Dr Flowery Br GA 30542', '51 Lake Run Dr', 'Flowery Br', 'ga', '30542'],
    // A street on the southeast, not East Grand Rapids.
    ['2959 Lucerne Dr S E Grand Rapids, MI 49546', '2959 Lucerne Dr S E', 'Grand Rapids', 'mi', '49546'],
    ['1 Elm St, E Grand Rapids, MI 49506', '1 Elm St', 'E Grand Rapids', 'mi', '49506'],
    ['977 Pleasant St, N. Orange, NJ 07052', '977 Pleasant St', 'N. Orange', 'nj', '07052'],
    // A name before the city.
    ['Budd Insurance Agency Coldwater MI 49036', 'Budd Insurance Agency', 'Coldwater', 'mi', '49036'],
    ['465 East 170th Street South Holland', '465 East 170th Street', 'South Holland', 'il', undefined],
    // Numbers of a grid.
    ['N79W5406 Bywater Ln Cedarburg, WI 53012', 'N79W5406 Bywater Ln', 'Cedarburg', 'wi', '53012'],
    ['239 South 500 East, Salt Lake City, UT 84102', '239 South 500 East', 'Salt Lake City', 'ut', '84102'],
  ])('%s', (text, line1, city, state, zip) => {
    expect(splitAddress(text, gazetteer)).toEqual({ address: { line1, city, state, zip } });
  });

  it.each([
    ['', 'empty'],
    [' \n\t ', 'empty'],
    ['🏠', 'empty'],
    ['....', 'unreadable'],
    ['12 \ud800 St', 'unreadable'],
    ['1 Main St '.repeat(1_000), 'too_long'],
    ['25.77, -80.13', 'coordinates'],
    ['25.77 N, 80.13 W', 'coordinates'],
    ['PO Box 12, Miami FL 33101', 'po_box'],
    ['P.O. Box 12, Miami FL 33101', 'po_box'],
    ['Post Office Box 12, Miami FL', 'po_box'],
    ['P O Bx 12, Miami FL', 'po_box'],
    ['POB 12, Miami FL', 'po_box'],
    ['PO Box 33101', 'po_box'],
    ['Lock Box 12, Miami FL', 'po_box'],
    ['10 Downing Street, London, UK', 'foreign'],
    ['10 Downing Street, London SW1A 2AA', 'foreign'],
    ['123 King St W, Toronto ON M5V 2T6', 'foreign'],
    ['123 King St, Toronto, Ontario', 'foreign'],
    ['Rua Augusta 500, São Paulo, Brazil', 'foreign'],
    ['75001 Paris, France', 'foreign'],
    ['Unit 100 Box 4, APO AE 09012', 'military'],
    ['Springfield', 'incomplete'],
    ['Texas', 'incomplete'],
    ['1234', 'incomplete'],
    ['1600 Ocean Drive', 'incomplete'],
    ['__proto__', 'incomplete'],
  ])('rejects %j: %s', (text, code) => {
    const { problem } = splitAddress(text, gazetteer);
    expect(problem?.code).toBe(code);
    expect(problem?.message.length).toBeGreaterThan(20);
    expect(problem?.message.length).toBeLessThan(400);
  });

  it('names the states of an ambiguous city', () => {
    expect(splitAddress('Springfield', gazetteer).problem?.message).toMatch(/lacks a state.*MA.*IL.*OR/);
  });

  it('splits at commas without a gazetteer', () => {
    const address = { line1: '1600 Ocean Dr', city: 'Miami Beach', state: 'fl', zip: '33139' };
    expect(splitAddress('1600 Ocean Dr, Miami Beach, FL 33139')).toEqual({ address });
  });

  it('finds the city, state and ZIP code of every ZIP code behind a street, with and without commas', () => {
    const wrong: string[] = [];
    for (let code = 0; code < 100_000; code += 7) {
      const point = gazetteer.find(String(code).padStart(5, '0'));
      if (point?.city === undefined) continue;
      const { city, state, zip } = point;
      for (const text of [
        `12 N Elm St, ${city}, ${state} ${zip}`,
        `12 N Elm St ${city} ${state.toUpperCase()} ${zip}`,
      ]) {
        const { address } = splitAddress(text, gazetteer);
        const isRight =
          address?.line1 === '12 N Elm St' && address.city === city && address.state === state && address.zip === zip;
        if (!isRight) wrong.push(text);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('never throws, is quick, and answers with an address or a problem', () => {
    const words = fc.constantFrom(
      '12',
      'Main',
      'St',
      'Ct',
      ',',
      'Miami',
      'FL',
      '33139',
      'PO Box',
      '__proto__',
      '\ud800',
      'é',
      '🏠',
      ' ',
      '\n',
      'USA',
      'West',
      'Virginia',
    );
    const texts = fc.oneof(
      anyText({ maxLength: 600 }),
      fc.array(words, { maxLength: 80 }).map((list) => list.join(' ')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const { address, problem } = splitAddress(text, gazetteer);
        expect((address === undefined) !== (problem === undefined)).toBe(true);
        if (address !== undefined) expect(address.zip ?? (address.city && address.state)).toBeTruthy();
      }),
      { numRuns: testVolume(100) },
    );
    const long = ['a '.repeat(250), ',1 '.repeat(150)];
    withinProcessorMs(200, () => long.map((text) => splitAddress(text, gazetteer)));
  });
});

describe('readAddressFields', () => {
  it('reads the fields', () => {
    const fields = { line1: ' 1600  Ocean Dr ', city: 'Miami Beach', state: 'Florida', zipcode: '33139-1234' };
    const address = { line1: '1600 Ocean Dr', city: 'Miami Beach', state: 'fl', zip: '33139' };
    expect(readAddressFields(fields, gazetteer)).toEqual({ address });
  });

  it('accepts a ZIP code alone, and null for missing fields', () => {
    const { address } = readAddressFields({ line1: null, city: null, state: '', zipcode: '33139' }, gazetteer);
    expect(address).toEqual({ line1: undefined, city: undefined, state: 'fl', zip: '33139' });
  });

  it.each([
    [{}, 'empty', undefined],
    [{ line1: '1 Main St', city: 'London', state: 'England' }, 'unknown_state', 'state'],
    [{ zipcode: '3313' }, 'malformed_zip', 'zipcode'],
    [{ zipcode: 'M5V 2T6' }, 'malformed_zip', 'zipcode'],
    [{ line1: 'PO Box 7', zipcode: '33139' }, 'po_box', 'line1'],
    [{ line1: '1 Main St' }, 'incomplete', undefined],
    [{ city: 'x'.repeat(10_000), state: 'fl' }, 'too_long', 'city'],
    [{ city: '\udc00', state: 'fl' }, 'unreadable', 'city'],
  ])('%j: %s', (fields, code, field) => {
    expect(readAddressFields(fields, gazetteer).problem).toMatchObject(
      field === undefined ? { code } : { code, field },
    );
  });
});
