import { describe, expect, it } from 'vitest';
import { readAddressFields, splitAddress } from '../address/split-address.ts';
import { readStreetLine } from '../address/street-line.ts';
import { sphericalDistanceMeters } from '../point/point.ts';
import { loadZipGazetteer } from '../zips/load-zip-gazetteer.ts';
import { createGazetteerGeocoder } from './gazetteer-geocoder.ts';

const zips = await loadZipGazetteer();
const geocoder = createGazetteerGeocoder(zips);
const ask = async (text: string) => {
  const { address, problem } = splitAddress(text, zips);
  if (address === undefined) throw new Error(`${text}: ${problem.message}`);
  const answer = await geocoder.geocode(address);
  return answer.status === 'found' ? answer.geocode.matchedAddress : answer.status;
};

describe('cities as people write them', () => {
  it.each([
    ['Ponce, PR', 'Ponce, PR'],
    ['Mayaguez, Puerto Rico', 'Mayagüez, PR'],
    ['Calle Loíza 1234, San Juan, PR', 'San Juan, PR'],
    ['Christiansted, VI', 'Christiansted, VI'],
    ['Queens, NY', 'Queens, NY'],
    ['Manhattan, NY', 'Manhattan, NY'],
    ['Brooklyn, NY', 'Brooklyn, NY'],
    ['12 Sea Pines Dr, Hilton Head, SC', 'Hilton Head Island, SC'],
    ['Village of Great Neck, NY', 'Great Neck, NY'],
    ['Town of Brookhaven, NY', 'Brookhaven, NY'],
  ])('%s', async (text, expected) => {
    expect(await ask(text)).toBe(expected);
  });

  it('rejects a missing word that fits several cities', async () => {
    expect(await ask('Zzyzxville, FL')).toBe('not_found');
  });

  it('groups the post offices of a territory closely', () => {
    for (const state of ['pr', 'vi']) {
      const named = zips.nearest(
        state === 'pr' ? { latitude: 18.2, longitude: -66.4 } : { latitude: 18, longitude: -64.8 },
        400,
        200_000,
      );
      const points = named.map(({ zipPoint }) => zipPoint).filter((point) => point.state === state);
      expect(points.filter(({ city }) => city === undefined)).toEqual([]);
      for (const point of points) {
        for (const other of zips.findCity(state, point.city!)) {
          expect(sphericalDistanceMeters(point, other), `${point.zip} ${other.zip}`).toBeLessThan(25_000);
        }
      }
    }
  });
});

describe('ZIP codes that lost their zeros', () => {
  it.each([
    ['12 Elm St, Cambridge, MA 2139', '02139'],
    ['12 Elm St, Cambridge MA, 2139', '02139'],
    ['12 Elm St, Cambridge, Massachusetts 2139-1234', '02139'],
    ['12 Elm St, Hoboken, New Jersey 7030', '07030'],
    ['Calle Luna 12, San Juan, PR 901', '00901'],
    ['12 Elm St, Austin, TX 7870', undefined],
  ])('on one line: %s', (text, zip) => {
    expect(splitAddress(text, zips).address?.zip).toBe(zip);
  });

  it.each([
    [{ line1: '12 Elm St', zipcode: '2139', state: 'MA' }, '02139'],
    [{ line1: '12 Elm St', zipcode: '2139-1234' }, '02139'],
    [{ line1: '12 Elm St', zipcode: '21391234', state: 'ma' }, '02139'],
    [{ line1: '12 Elm St', zipcode: '021391234' }, '02139'],
    [{ line1: '12 Elm St', zipcode: '2139.0' }, '02139'],
    [{ line1: '12 Elm St', zipcode: '901', state: 'PR' }, '00901'],
  ])('in fields: %j', (fields, zip) => {
    expect(readAddressFields(fields, zips).address?.zip).toBe(zip);
  });

  it.each([
    { zipcode: '7870', state: 'TX' },
    { zipcode: '787', state: 'MA' },
    { zipcode: '12' },
    { zipcode: '123456' },
  ])('rejects %j', (fields) => {
    expect(readAddressFields({ line1: '12 Elm St', ...fields }, zips).problem?.code).toBe('malformed_zip');
  });
});

describe('units and buildings', () => {
  it.each([
    ['12 Elm St Bldg 3 Apt 4B', '12', 'Elm St'],
    ['12 Elm St Basement', '12', 'Elm St'],
    ['12 Elm St, Penthouse', '12', 'Elm St'],
    ['12 Elm St Office 7', '12', 'Elm St'],
    ['Cond. Las Torres, Edificio 2 Apto 301, 12 Calle Luna', '12', 'Calle Luna'],
    ['Urb. Las Lomas, Calle Luna 12', '12', 'Calle Luna'],
    ['Carr. 2 Km 15', undefined, 'Carr. 2 Km 15'],
    ['Calle 5 #12', '12', 'Calle 5'],
    ['1600 Ocean Dr Unit 7, Tower B', '1600', 'Ocean Dr'],
  ])('%s', (text, number, street) => {
    expect(readStreetLine(text)).toEqual({ number, street });
  });
});
