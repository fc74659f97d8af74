import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { carriersOfCatalog, createBookEvaluator, openBook } from '@leeward/books';
import { buildCoastIndex, createCoast } from '@leeward/coast';
import { createCatalog } from '@leeward/engine';
import { type DistancePorts, readHome } from '@leeward/http';
import { GeocoderUnavailableError } from '@leeward/places';
import { expect, it } from 'vitest';
import { oneCarrier } from '../testing/one-carrier.ts';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

/** A shore at 98° West. */
const index = buildCoastIndex({
  name: 'meridian',
  version: '2026',
  attribution: 'nobody',
  positions: Float64Array.of(-98, 30, -98, 31),
  lineStarts: Uint32Array.of(0, 2),
  layerNames: ['tidal', 'ocean', 'ocean_narrow'],
  layers: Uint16Array.of(7, 0),
  shoreNames: ['Gulf'],
  shores: new Uint8Array(2),
  water: 'unknown',
  accuracy: { radiusMeters: [200, 200, 200], method: '' },
  coverage: [{ south: 29, west: -99, north: 32, east: -96 }],
});
const asOf = new Date('2026-11-20T12:00:00Z');

it('are the warnings that HTTP has for the same home', async () => {
  const homes = [
    { address: '1 Unknown Road, Austin, TX 78701' },
    { address: '2 Twin Street, Austin, TX' },
    { address: '3 Slow Street, Austin, TX 78701' },
    { address: '4 Known Street, Austin, TX 78701' },
    { lat: 10, lng: 10 },
    { lat: 30.27, lng: -97.74 },
    {},
  ].map((home) => ({ state: 'tx', policy_type: 'ho3', ...home }));
  using folder = temporaryFolder({ 'book.ndjson': homes.map((home) => `${JSON.stringify(home)}\n`).join('') });
  const at = (line: string, longitude: number) => ({
    latitude: 30.27,
    longitude,
    precision: 'rooftop' as const,
    errorRadiusMeters: 10,
    geocoder: 'test',
    matchedAddress: line,
    unmatched: [],
  });
  const distance = {
    coast: createCoast(index),
    geocoder: {
      name: 'test',
      geocode: async ({ line1 }: { readonly line1: string }) => {
        if (line1.includes('Unknown')) return { status: 'not_found', message: 'No such road.' };
        if (line1.includes('Twin'))
          return { status: 'ambiguous', candidates: [at('2 Twin St, Austin', -97), at('2 Twin Ave, Austin', -98)] };
        if (line1.includes('Slow')) throw new GeocoderUnavailableError('test', 'unreachable', 'away');
        return { status: 'found', geocode: at(line1, -97.74) };
      },
    },
  } as unknown as DistancePorts;
  const warnings = new Map<string, string>();
  const evaluator = createBookEvaluator({
    carriers: carriersOfCatalog(createCatalog([])),
    format: 'ndjson',
    name: 'book.ndjson',
    asOf,
    readRow: async (body) => {
      const home = await readHome(body, { now: asOf, distance });
      if (!home.ok) return home;
      const { address, lat } = body as { readonly address?: string; readonly lat?: number };
      const all = home.request.warnings.map(({ code, message }) => `${code}: ${message}`);
      warnings.set(address ?? String(lat), [...new Set(all)].join(' '));
      return { ok: true, property: home.request.property, warnings: home.request.warnings };
    },
  });
  const book = await openBook(join(folder.path, 'book.ndjson'));
  const notes: (string | undefined)[] = [];
  for await (const batch of book.batches()) {
    const { rows, placeNotes } = await evaluator.evaluate(batch);
    for (let row = 0; row < rows; row++) notes.push(placeNotes?.get(row));
  }
  await book.close();
  expect(notes).toEqual([
    expect.stringMatching(/^address_not_found: No such road\./),
    expect.stringMatching(/^address_ambiguous: This address fits several places: 2 Twin St, Austin; 2 Twin Ave/),
    expect.stringMatching(/^distance_not_looked_up: The geocoder is unavailable at the moment/),
    undefined,
    expect.stringMatching(/^outside_united_states: /),
    undefined,
    undefined,
  ]);
  expect(notes.slice(0, 5)).toEqual(
    homes
      .slice(0, 5)
      .map(
        (home) => warnings.get('address' in home ? home.address! : String((home as { lat: number }).lat)) || undefined,
      ),
  );
});

it('are a column of the output if the book has addresses or points', async () => {
  using folder = temporaryFolder({
    'book.csv': 'state,policy_type,lat,lng\ntx,ho3,10,10\ntx,ho3,30.27,-97.74\n',
    'none.csv': 'state,policy_type\ntx,ho3\n',
  });
  const run = async (book: string, out: string, more: readonly string[] = []) => {
    const words = ['book', 'run', book, '--out', out, ...more];
    const given = { folder: folder.path, environment: { ...oneCarrier, LEEWARD_GEOCODERS: 'gazetteer' } };
    expect(await runWords(words, given)).toMatchObject({ code: 0 });
    return readFileSync(join(folder.path, out), 'utf8').trimEnd().split('\n');
  };
  const [head, abroad, here] = await run('book.csv', 'out.csv');
  expect(head).toBe('row,place_note,bayou_mutual');
  expect(abroad).toMatch(
    /^1,"?outside_united_states: .*nearest shore of the United States\. outside_coverage: .*; the distance stays unknown\.",[a-z_]+$/,
  );
  expect(here).toMatch(/^2,,[a-z_]+$/);
  expect((await run('none.csv', 'none.out.csv'))[0]).toBe('row,bayou_mutual');
  const [line] = await run('book.csv', 'out.ndjson', ['--long']);
  expect(JSON.parse(line!)).toMatchObject({ row: 1, place_note: expect.stringMatching(/^outside_united_states: /) });
});
