import { beforeAll, describe, expect, it } from 'vitest';
import { withinProcessorMs } from '../../../../../test/support/processor-time.ts';
import { splitAddress } from '../address/split-address.ts';
import type { Geocode } from '../geocoder/geocoder.ts';
import { type Point, sphericalDistanceMeters } from '../point/point.ts';
import { loadZipGazetteer } from '../zips/load-zip-gazetteer.ts';
import type { ZipGazetteer } from '../zips/zip-gazetteer.ts';
import { createGazetteerGeocoder } from './gazetteer-geocoder.ts';

let gazetteer: ZipGazetteer;
beforeAll(async () => {
  gazetteer = await loadZipGazetteer();
});

interface Reading {
  readonly geocode?: Geocode;
  /** Matched address, candidates, or the message. */
  readonly text: string;
  readonly note: string | undefined;
}

async function read(address: string): Promise<Reading> {
  const split = splitAddress(address, gazetteer);
  if (split.problem !== undefined) return { text: split.problem.message, note: undefined };
  const note = split.note?.message;
  const answer = await createGazetteerGeocoder(gazetteer).geocode(split.address);
  if (answer.status === 'not_found') return { text: answer.message, note };
  if (answer.status === 'ambiguous') {
    return { text: answer.candidates.map(({ matchedAddress }) => matchedAddress).join('; '), note };
  }
  return { geocode: answer.geocode, text: answer.geocode.matchedAddress, note };
}

describe('places as people name them', () => {
  // Positions read from a map, to a hundredth of a degree: the place is found if they lie in its circle.
  it.each<readonly [address: string, matched: string, latitude: number, longitude: number, maxKilometers: number]>([
    ['Juno Beach FL', 'Juno Beach, FL', 26.88, -80.05, 10],
    ['Juno Beach', 'Juno Beach, FL', 26.88, -80.05, 10],
    ['123 Ocean Dr Juno Beach FL', 'Juno Beach, FL', 26.88, -80.05, 10],
    ['123 Ocean Dr, Juno Beach, Florida', 'Juno Beach, FL', 26.88, -80.05, 10],
    ['123 Ocean Dr Juno Beach', 'Juno Beach, FL', 26.88, -80.05, 10],
    ['St. Pete Beach', 'St. Pete Beach, FL', 27.72, -82.74, 10],
    ['Saint Pete Beach, FL', 'St. Pete Beach, FL', 27.72, -82.74, 10],
    ['St. Pete, FL', 'Saint Petersburg, FL', 27.77, -82.64, 25],
    ['Coconut Grove', 'Coconut Grove, FL', 25.73, -80.24, 5],
    ['Coconut Grove, Miami FL', 'Coconut Grove, FL', 25.73, -80.24, 5],
    ['South Beach, Miami Beach FL', 'South Beach, FL', 25.78, -80.13, 5],
    ['South Beach Miami Beach FL', 'South Beach, FL', 25.78, -80.13, 5],
    ['Brickell, Miami, FL', 'Brickell, FL', 25.76, -80.19, 5],
    ["Martha's Vineyard", "Martha's Vineyard, MA", 41.45, -70.6, 20],
    ['Martha’s Vineyard MA', "Martha's Vineyard, MA", 41.35, -70.83, 20],
    ['Marthas Vineyard, Mass.', "Martha's Vineyard, MA", 41.39, -70.51, 20],
    ['Fire Island', 'Fire Island, NY', 40.63, -73.26, 30],
    ['Fire Island, NY', 'Fire Island, NY', 40.74, -72.84, 30],
    ['Long Beach Island', 'Long Beach Island, NJ', 39.76, -74.11, 20],
    ['LBI, NJ', 'Long Beach Island, NJ', 39.54, -74.26, 20],
    ['Long Beach Township, NJ', 'Long Beach Island, NJ', 39.6, -74.21, 20],
    ['Ship Bottom NJ', 'Ship Bottom, NJ', 39.64, -74.18, 10],
    ['12 E 5th St, Ship Bottom', 'Ship Bottom, NJ', 39.64, -74.18, 10],
    ['Harvey Cedars, NJ', 'Harvey Cedars, NJ', 39.7, -74.14, 12],
    ['St. Croix VI', 'St. Croix, VI', 17.75, -64.7, 25],
    ['St. Croix, USVI', 'St. Croix, VI', 17.71, -64.88, 25],
    ['Saint Thomas, US Virgin Islands', 'Saint Thomas, VI', 18.34, -64.93, 35],
    ['Pt. Charlotte FL', 'Port Charlotte, FL', 26.98, -82.09, 25],
    ['Pt Charlotte', 'Port Charlotte, FL', 26.98, -82.09, 25],
    ['Pt. Pleasant Beach NJ', 'Point Pleasant Beach, NJ', 40.09, -74.05, 15],
    ['Ft. Myers FL', 'Fort Myers, FL', 26.64, -81.87, 30],
    ['Ft Lauderdale', 'Fort Lauderdale, FL', 26.12, -80.14, 40],
    ['Mt. Pleasant SC', 'Mount Pleasant, SC', 32.79, -79.86, 20],
    ['N. Myrtle Beach SC', 'North Myrtle Beach, SC', 33.82, -78.68, 15],
    ['No. Myrtle Beach, S. Carolina', 'North Myrtle Beach, SC', 33.82, -78.68, 15],
    ['Jax Beach FL', 'Jacksonville Beach, FL', 30.29, -81.39, 20],
    ['5800 SW 60 St South Miami FL', 'South Miami, FL', 25.71, -80.29, 10],
    ['Lauderdale by the Sea FL', 'Lauderdale-by-the-Sea, FL', 26.19, -80.1, 10],
    ['Islamorada', 'Islamorada, FL', 24.92, -80.63, 40],
    ['Outer Banks NC', 'Outer Banks, NC', 35.25, -75.53, 100],
    ['OBX', 'Outer Banks, NC', 36.07, -75.7, 100],
    ['The Hamptons', 'The Hamptons, NY', 40.96, -72.19, 30],
    ['Cape Cod, Massachusetts', 'Cape Cod, MA', 42.05, -70.19, 45],
    ['Oahu', 'Oahu, HI', 21.31, -157.86, 40],
    ['Waikiki, Honolulu, HI', 'Waikiki, HI', 21.28, -157.83, 5],
    ['Kailua-Kona, HI', 'Kailua Kona, HI', 19.64, -155.99, 40],
    ['Tamuning, Guam', 'Tamuning, GU', 13.49, 144.78, 10],
    ['Añasco PR', 'Añasco, PR', 18.28, -67.14, 20],
    ['Anasco, Puerto Rico', 'Añasco, PR', 18.28, -67.14, 20],
    ['Rincon PR', 'Rincón, PR', 18.34, -67.25, 20],
    ['Canon City CO', 'Canon City, CO', 38.44, -105.24, 40],
    ['NYC', 'New York, NY', 40.75, -73.99, 20],
    ['Key West', 'Key West, FL', 24.56, -81.78, 40],
    ['Miami OK', 'Miami, OK', 36.88, -94.88, 10],
    ['Lower Merion Township, PA', 'Lower Merion, PA', 40.02, -75.28, 10],
    // The ZIP code decides where both are given.
    ['Juno Beach, FL 33408', 'North Palm Beach, FL 33408', 26.83, -80.06, 10],
  ])('%s', async (address, matched, latitude, longitude, maxKilometers) => {
    const { geocode, text, note } = await read(address);
    expect(text).toBe(matched);
    expect(note).toBeUndefined();
    if (geocode === undefined) throw new Error(text);
    expect(sphericalDistanceMeters(geocode, { latitude, longitude })).toBeLessThan(geocode.errorRadiusMeters);
    expect(geocode.errorRadiusMeters).toBeLessThan(maxKilometers * 1000);
    expect(geocode.precision).toBe(/\d{5}$/.test(matched) ? 'zip_centroid' : 'city_centroid');
    expect(geocode.unmatched).toEqual(/^\d/.test(address) ? ['line1'] : []);
  });

  it('requires the attribution of the source', async () => {
    const { geocode } = await read('Ship Bottom NJ');
    expect(geocode).toMatchObject({
      attribution: expect.stringMatching(/Census Bureau and GeoNames/),
      detail: 'the middle of Ship Bottom and a radius that covers it',
    });
  });

  it.each([
    ['Springfield', /lacks a state.*in MO, MA, IL, OH, OR.*add the state/],
    ['Long Beach', /lacks a state.*in CA, NJ, NY, MS.*WA.*add the state/],
    ['St. Croix', /lacks a state.*in VI, IN: add the state/],
    ['South Beach', /lacks a state.*in FL, NY, OR: add the state/],
    ['Hollywood', /lacks a state.*in FL, CA/],
    ['Portland', /lacks a state.*in OR, ME/],
    ['12 Elm St, Naples', /lacks a state.*in FL/],
    // Miami Beach's, and a town on Indian River.
    ['South Beach FL', /^South Beach, FL 331\d\d; South Beach, FL 329\d\d$/],
    ['Waimea HI', /^Waimea, HI 96796; Waimea, HI 96743$/],
    ['Nocatee FL', /^Nocatee, FL 34\d{3}; Nocatee, FL 32\d{3}$/],
  ])('answers %s with the alternatives', async (address, text) => {
    const reading = await read(address);
    expect(reading.geocode).toBeUndefined();
    expect(reading.text).toMatch(text);
  });

  it.each([
    ['Miami', 'Miami, FL', /lacks a state.*Miami, FL.*also in OK, AZ, TX.*add the state/],
    ['12 Main St, Houston', 'Houston, TX', /lacks a state.*Houston, TX.*also in/],
    ['12 Main St Houston', 'Houston, TX', /lacks a state.*Houston, TX.*also in/],
  ])('takes %s for the far largest place of that name, and notes it', async (address, matched, note) => {
    const reading = await read(address);
    expect(reading.text).toBe(matched);
    expect(reading.note).toMatch(note);
  });

  it.each([
    ['Maimi', /Did you mean Miami, FL; Miami, OK or /],
    ['Maimi FL', /"Maimi, FL" is unknown. Did you mean Miami, FL\? If not, give the ZIP code/],
    ['12 Elm St, Maimi, FL', /Did you mean Miami, FL\?/],
    ['Galvaston TX', /Did you mean Galveston, TX\?/],
    ['Charelston SC', /Did you mean Charleston, SC\?/],
    ['Pensicola FL', /Did you mean Pensacola, FL\?/],
    ['Virgina Beach VA', /Did you mean Virginia Beach, VA\?/],
    ['Marthas Vinyard MA', /Did you mean Martha's Vineyard, MA\?/],
    ['Long Beach Iland NJ', /Did you mean Long Beach Island, NJ\?/],
    ['Shipbotom NJ', /Did you mean Ship Bottom, NJ\?/],
    ['St. Augustine Beech FL', /Did you mean St. Augustine Beach, FL\?/],
    ['Miami GA', /"Miami, GA" is unknown. Did you mean Miami, FL; Miami, OK or Miami, AZ\?/],
    ['Qxzzkwv FL', /"Qxzzkwv, FL" is unknown: give the ZIP code/],
    ['Qxzzkwv', /^"Qxzzkwv" lacks a state, or a ZIP code\.$/],
  ])('suggests a spelling for %s, and corrects nothing', async (address, text) => {
    const reading = await read(address);
    expect(reading.geocode).toBeUndefined();
    expect(reading.text).toMatch(text);
  });

  it('reports a city that is far from the ZIP code', async () => {
    const { geocode } = await read('Juno Beach, FL 32501');
    expect(geocode).toMatchObject({ matchedAddress: 'Pensacola, FL 32501', unmatched: ['city'] });
  });

  it('uses the state of the home for an address without one', () => {
    for (const [text, state] of [
      ['Springfield', 'il'],
      ['12 Elm St, Long Beach', 'ny'],
    ] as const) {
      expect(splitAddress(text, gazetteer, { state }).address?.state).toBe(state);
    }
    expect(splitAddress('12 Elm St, Long Beach, CA', gazetteer, { state: 'ny' }).address?.state).toBe('ca');
  });
});

describe('the circle of an area', () => {
  const townsOf: Readonly<Record<string, readonly string[]>> = {
    'Long Beach Island, NJ': ['Barnegat Light', 'Harvey Cedars', 'Surf City', 'Ship Bottom', 'Beach Haven'],
    'Fire Island, NY': ['Saltaire', 'Ocean Beach'],
    "Martha's Vineyard, MA": ['Edgartown', 'Vineyard Haven', 'Oak Bluffs', 'Aquinnah', 'Chilmark'],
    'Cape Cod, MA': ['Provincetown', 'Falmouth', 'Chatham', 'Wellfleet', 'Orleans', 'Sagamore'],
    'Outer Banks, NC': ['Duck', 'Kitty Hawk', 'Nags Head', 'Rodanthe', 'Avon', 'Buxton', 'Hatteras', 'Ocracoke'],
    'Bogue Banks, NC': ['Emerald Isle', 'Indian Beach', 'Pine Knoll Shores', 'Atlantic Beach'],
    'Topsail Island, NC': ['Surf City', 'Topsail Beach', 'North Topsail Beach'],
    'Anna Maria Island, FL': ['Anna Maria', 'Holmes Beach', 'Bradenton Beach'],
    'Florida Keys, FL': ['Key Largo', 'Marathon', 'Big Pine Key', 'Key West', 'Islamorada'],
    'Barnegat Peninsula, NJ': ['Bay Head', 'Mantoloking', 'Lavallette', 'Seaside Heights', 'Seaside Park'],
    'Absecon Island, NJ': ['Atlantic City', 'Ventnor City', 'Margate City', 'Longport'],
    'Whidbey Island, WA': ['Oak Harbor', 'Coupeville', 'Langley', 'Freeland'],
    'St. Croix, VI': ['Christiansted', 'Frederiksted', 'Kingshill'],
  };

  it.each(Object.entries(townsOf))('%s holds its towns', (area, towns) => {
    const [name = '', code = ''] = area.split(', ');
    const [circle] = gazetteer.findPlaces(code, name);
    if (circle === undefined) throw new Error(area);
    for (const town of towns) {
      const points: readonly Point[] = [...gazetteer.findCity(code, town), ...gazetteer.findPlaces(code, town)];
      const nearest = Math.min(...points.map((point) => sphericalDistanceMeters(circle, point)));
      expect(nearest, town).toBeLessThan(circle.errorRadiusMeters);
    }
  });

  it('is wider than half of the length of Long Beach Island, 29 km', async () => {
    const { geocode } = await read('Long Beach Island');
    expect(geocode?.errorRadiusMeters).toBeGreaterThan(14_500);
  });
});

describe('the search for similar names', () => {
  it('is nearest first and most populous first, at most three', () => {
    const names = gazetteer.suggestPlaces('Springfeild').map(({ name, state }) => `${name}, ${state}`);
    expect(names).toEqual(['Springfield, mo', 'Springfield, ma', 'Springfield, il']);
  });

  it('is bounded for any accepted text', () => {
    gazetteer.suggestPlaces('warm up');
    const texts = ['a'.repeat(500), 'ab '.repeat(160), 'e'.repeat(40), 'north south east west beach city', 'x', ''];
    withinProcessorMs(500, () => texts.map((text) => splitAddress(text, gazetteer)));
  });
});
