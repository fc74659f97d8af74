import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Geocoder, Point } from '@leeward/places';
import { loadZipGazetteer } from '@leeward/places/zips';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AddressBook, type BookRange, openAddressBook } from './file/address-book.ts';
import { importAddresses } from './import-addresses.ts';
import type { ImportReport } from './import-options.ts';
import { createAddressBookGeocoder } from './match/address-book-geocoder.ts';

/** Meagher County, Montana: see fixtures/README.md. */
const county = fileURLToPath(
  new URL('../../../../fixtures/tiger-addrfeat/tl_2021_30059_addrfeat.zip', import.meta.url),
);

let folder: string;
let report: ImportReport;
let book: AddressBook;
let geocoder: Geocoder;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leeward-tiger-'));
  const database = join(folder, 'book.sqlite');
  report = await importAddresses({ database, from: county, source: 'tiger', attribution: 'U.S. Census Bureau' });
  book = openAddressBook(database);
  geocoder = createAddressBookGeocoder(book, await loadZipGazetteer());
});
afterAll(() => {
  book.close();
  rmSync(folder, { recursive: true });
});

describe('a county of TIGER/Line address ranges', () => {
  it('is read whole, and what is odd is named with its record', () => {
    expect(report).toMatchObject({ format: 'tiger', files: 1, rowsRead: 677, houses: 0, ranges: 878, rejected: {} });
    expect(report.doubtful).toEqual({ runs_backwards: 16 });
    expect(report.examples[0]).toEqual({
      file: 'tl_2021_30059_addrfeat.zip:tl_2021_30059_addrfeat.shp',
      row: 72,
      code: 'runs_backwards',
      message: 'both sides were expected to count the same way, not 399–301 and 300–398.',
    });
  });

  it('puts both ends and the middle of 500 ranges on the right side of the right line', async () => {
    const ranges = book
      .sampleStreets(100_000)
      // Streets without a ZIP code are not estimated on: another street may have that name.
      .filter(({ isZipFromPosition }) => !isZipFromPosition)
      .flatMap((street) => book.ranges(street));
    const asked = ranges.filter((_, index) => index % Math.floor(ranges.length / 500) === 0).slice(0, 500);
    expect(asked).toHaveLength(500);
    for (const range of asked) {
      const { from, to, prefix, street } = range;
      const middle = from + 2 * Math.round((to - from) / 4);
      for (const value of [from, middle, to]) {
        const line1 = `${prefix}${value} ${street.written}`;
        const answer = await geocoder.geocode({ line1, city: undefined, state: 'mt', zip: street.zip });
        if (answer.status !== 'found') throw new Error(`${line1}: ${JSON.stringify(answer)}`);
        const { precision, method, latitude, longitude, errorRadiusMeters, attribution } = answer.geocode;
        expect({ line1, precision, method, attribution }).toEqual({
          line1,
          precision: 'interpolated',
          method: 'address_range',
          attribution: 'U.S. Census Bureau',
        });
        const beside = nearestOn(range, { latitude, longitude });
        expect(beside.meters, line1).toBeGreaterThan(3);
        expect(beside.meters, line1).toBeLessThan(10.5);
        expect(beside.side, line1).toBe(range.side);
        // The end of that number is nearer. The radius contains the whole range, because nothing was measured here.
        const [start, end] = [range.line[0]!, range.line.at(-1)!];
        if (value === from && from !== to) expect(beside.share, line1).toBeLessThan(0.5);
        if (value === to && from !== to) expect(beside.share, line1).toBeGreaterThan(0.5);
        for (const each of [start, end])
          expect(metersBetween(each, { latitude, longitude })).toBeLessThan(errorRadiusMeters);
      }
    }
  });

  const ask = (line1: string) => geocoder.geocode({ line1, city: 'White Sulphur Springs', state: 'mt', zip: '59645' });

  it.each([
    ['5000 Hwy 360', /has numbers 1 to 1998 there/],
    ['1101 E Main St', /has numbers 1 to 599 there/],
    ['150 Nowhere Rd', /is not in the address book/],
    ['101 N Main St', /is not in the address book/],
  ])('does not guess %s', async (line1, message) => {
    expect(await ask(line1)).toMatchObject({ status: 'not_found', message: expect.stringMatching(message) });
  });

  it('answers a number that no range holds, among those that do, by the street alone', async () => {
    expect(await ask('1150 Hwy 360')).toMatchObject({
      status: 'found',
      geocode: { precision: 'street', method: 'street', unmatched: ['line1'] },
    });
  });

  it('does not choose between East and West Main Street', async () => {
    const answer = await ask('150 Main St');
    if (answer.status !== 'ambiguous') throw new Error(answer.status);
    expect(answer.candidates.map(({ matchedAddress }) => matchedAddress)).toEqual(
      expect.arrayContaining([expect.stringContaining('150 E Main St'), expect.stringContaining('150 Main St W')]),
    );
  });

  it('finds the ZIP code of a city that has one alone', async () => {
    const address = { line1: '101 E Main St', city: 'White Sulphur Springs', state: 'mt', zip: undefined };
    expect(await geocoder.geocode(address)).toMatchObject({ status: 'found', geocode: { precision: 'interpolated' } });
  });
});

const METERS_PER_DEGREE = 111_195;

function metersBetween(a: Point, b: Point): number {
  const eastward = Math.cos((a.latitude * Math.PI) / 180);
  return METERS_PER_DEGREE * Math.hypot(a.latitude - b.latitude, (a.longitude - b.longitude) * eastward);
}

/** Nearest place of a range's line: distance, side of the point, and fraction of the line. */
function nearestOn({ line }: BookRange, point: Point) {
  const eastward = Math.cos((point.latitude * Math.PI) / 180);
  let best = { meters: Number.POSITIVE_INFINITY, side: 'left', share: 0 };
  const lengths = line.slice(1).map((each, index) => metersBetween(line[index]!, each));
  const whole = lengths.reduce((sum, each) => sum + each, 0);
  let before = 0;
  for (const [index, length] of lengths.entries()) {
    const [a, b] = [line[index]!, line[index + 1]!];
    const [dx, dy] = [(b.longitude - a.longitude) * eastward, b.latitude - a.latitude];
    const [px, py] = [(point.longitude - a.longitude) * eastward, point.latitude - a.latitude];
    const share = Math.max(0, Math.min(1, (px * dx + py * dy) / (dx * dx + dy * dy || 1)));
    const meters = METERS_PER_DEGREE * Math.hypot(px - share * dx, py - share * dy);
    const side = dx * py - dy * px > 0 ? 'left' : 'right';
    if (meters < best.meters) best = { meters, side, share: (before + share * length) / whole };
    before += length;
  }
  return best;
}
