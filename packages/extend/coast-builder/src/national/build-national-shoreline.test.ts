import { buildCoastIndex, type Coast, createCoast } from '@leeward/coast';
import { describe, expect, it } from 'vitest';
import { type FixtureFeature, writeShapefile } from '../testing/shapefile-fixture.ts';
import { buildNationalShoreline, type MappedFile } from './build-national-shoreline.ts';
import { cuspShoreline } from './cusp-map.ts';
import { everyFeature } from './plain-map.ts';
import { tigerAreaWater, tigerCoastline } from './tiger-maps.ts';

const json = (features: unknown[]): Uint8Array =>
  new TextEncoder().encode(JSON.stringify({ type: 'FeatureCollection', features }));

async function coastOf(files: MappedFile[], accuracyMeters?: number): Promise<Coast> {
  const { shoreline } = await buildNationalShoreline(files, {
    name: 'test',
    ...(accuracyMeters !== undefined && { accuracyMeters }),
  });
  return createCoast(buildCoastIndex(shoreline));
}

function shapefile(
  name: string,
  type: 'line' | 'polygon',
  features: readonly FixtureFeature[],
  map: MappedFile['map'],
): MappedFile {
  const { shp, dbf } = writeShapefile(type, features);
  return { name, bytes: shp, attributes: dbf, map };
}

describe('TIGER/Line COASTLINE', () => {
  const line = (longitude: number): FixtureFeature['parts'] => [
    [
      [longitude, 29],
      [longitude, 30],
      [longitude, 31],
    ],
  ];
  const file = shapefile(
    'tl_2025_us_coastline.shp',
    'line',
    [
      { parts: line(-81), attributes: { NAME: 'Atlantic', MTFCC: 'L4150' } },
      { parts: line(-87), attributes: { NAME: 'Great Lakes', MTFCC: 'L4150' } },
      { parts: line(-80), attributes: { NAME: 'Atlantic', MTFCC: 'P0001' } },
    ],
    tigerCoastline,
  );

  it('reads L4150, names the water and separates the Great Lakes', async () => {
    const coast = await coastOf([file], 50);
    const tidal = coast.nearest({ latitude: 30, longitude: -81.1 });
    expect(tidal.shore).toBe('Atlantic');
    expect(tidal.distanceMeters).toBeCloseTo(9_649, -1);
    expect(tidal.accuracyMeters).toBe(50);
    expect(coast.nearest({ latitude: 30, longitude: -80.1 }).coast.longitude).toBeCloseTo(-81, 6);
    const lake = coast.nearest({ latitude: 30, longitude: -81.1 }, 'great_lakes');
    expect(lake.shore).toBe('Great Lakes');
    expect(lake.coast.longitude).toBeCloseTo(-87, 6);
  });

  it('reports ignored features and requires an accuracy', async () => {
    const { ignored, shoreline } = await buildNationalShoreline([file], {
      name: 'tiger',
      version: '2025',
      attribution: 'US Census Bureau',
      accuracyMeters: 50,
    });
    expect(ignored).toEqual({ 'MTFCC P0001 is not a coastline (L4150)': 1 });
    expect(shoreline).toMatchObject({ name: 'tiger', version: '2025', attribution: 'US Census Bureau' });
    await expect(buildNationalShoreline([file], { name: 'tiger' })).rejects.toThrow('give its accuracy in meters');
  });

  it('rejects a shapefile without attributes, and one without a shore', async () => {
    const { attributes: _, ...bare } = file;
    await expect(coastOf([bare], 50)).rejects.toThrow('give the .dbf of this .shp too');
    const roads = shapefile(
      'roads.shp',
      'line',
      [{ parts: line(-81), attributes: { NAME: 'I-95', MTFCC: 'S1100' } }],
      tigerCoastline,
    );
    await expect(coastOf([roads], 50)).rejects.toThrow('1 ignored: MTFCC S1100');
    await expect(coastOf([{ ...file, bytes: file.bytes.subarray(0, 120) }], 50)).rejects.toThrow(
      'not a readable shapefile',
    );
  });
});

describe('TIGER/Line AREAWATER', () => {
  // Squares of 0.1° side by side: ocean, two halves of a bay (cut at a county line), a river above it, a lake.
  const square = (west: number, south: number): FixtureFeature['parts'] => {
    const east = Number((west + 0.1).toFixed(6));
    const north = Number((south + 0.1).toFixed(6));
    return [
      [
        [west, south],
        [west, north],
        [east, north],
        [east, south],
        [west, south],
      ],
    ];
  };
  const water = (west: number, south: number, MTFCC: string, FULLNAME: string): FixtureFeature => ({
    parts: square(west, south),
    attributes: { FULLNAME, MTFCC },
  });
  const features = [
    water(-81, 29, 'H2053', 'Atlantic Ocean'),
    water(-81.1, 29, 'H2051', 'Made Bay'),
    water(-81.2, 29, 'H2051', 'Made Bay'),
    water(-81.1, 29.1, 'H3010', 'Tidal Riv'),
    water(-81.6, 29, 'H2030', 'Lake Fresh'),
  ];
  const inBay = { latitude: 29.05, longitude: -81.1 };

  it('makes shores of bays, but not of seams, rivers and lakes', async () => {
    const coast = await coastOf(
      [shapefile('areawater.shp', 'polygon', features, tigerAreaWater({ shore: 'Atlantic' }))],
      60,
    );
    // In the middle of the bay, on the seam of its halves.
    const answer = coast.nearest(inBay);
    expect(answer.distanceMeters).toBeCloseTo(5_542, -2);
    expect(answer.side).toBe('water');
    // The seam between bay and ocean is not a shore.
    expect(coast.nearest({ latitude: 29.05, longitude: -80.95 }).distanceMeters).toBeGreaterThan(7_000);
    // Near the lake, the bay is still the nearest shore.
    expect(coast.nearest({ latitude: 29.05, longitude: -81.45 }).coast.longitude).toBeCloseTo(-81.2, 4);
    expect(coast.nearest({ latitude: 29.05, longitude: -81.3 }).side).toBe('land');
  });

  it('includes a river listed as tidal, without the line across its mouth', async () => {
    const map = tigerAreaWater({ shore: 'Atlantic', tidalStreams: ['tidal riv'] });
    const coast = await coastOf([shapefile('areawater.shp', 'polygon', features, map)], 60);
    const mouth = coast.nearest({ latitude: 29.1, longitude: -81.05 });
    expect(mouth.distanceMeters).toBeGreaterThan(4_000);
    expect(mouth.side).toBe('water');
    expect(coast.nearest({ latitude: 29.25, longitude: -81.05 }).distanceMeters).toBeCloseTo(5_542, -2);
  });
});

describe('NOAA CUSP', () => {
  const line = (latitude: number): FixtureFeature['parts'] => [
    [
      [-90, latitude],
      [-89, latitude],
    ],
  ];
  const features: FixtureFeature[] = [
    {
      parts: line(29),
      attributes: { ATTRIBUTE: 'Natural.Mean High Water', NOAA_Regio: 'Gulf of Mexico', HOR_ACC: 2.5 },
    },
    {
      parts: line(29.01),
      attributes: { ATTRIBUTE: 'Man-made.Bulkhead Or Sea Wall', NOAA_Regio: 'Gulf of Mexico', HOR_ACC: 4.1 },
    },
    { parts: line(28.9), attributes: { ATTRIBUTE: 'Man-made.Pier', NOAA_Regio: 'Gulf of Mexico', HOR_ACC: 2.5 } },
    {
      parts: line(45),
      attributes: { ATTRIBUTE: 'Natural.Great Lake Or Lake Or Pond', NOAA_Regio: 'Great Lakes', HOR_ACC: 3 },
    },
  ];

  it('reads regions and accuracy, and ignores piers', async () => {
    const { shoreline, ignored } = await buildNationalShoreline(
      [shapefile('cusp.shp', 'line', features, cuspShoreline)],
      { name: 'cusp' },
    );
    expect(ignored).toEqual({ 'Man-made.Pier is not the shore': 1 });
    expect(shoreline.accuracy.radiusMeters).toEqual([4.1, 4.1]);
    expect(shoreline.accuracy.method).toContain('3 features');
    const coast = createCoast(buildCoastIndex(shoreline));
    expect(coast.nearest({ latitude: 28.9, longitude: -89.5 }).distanceMeters).toBeCloseTo(11_187, -1);
    expect(coast.nearest({ latitude: 28.9, longitude: -89.5 }).shore).toBe('Gulf');
  });
});

describe('a national GeoJSON', () => {
  const island = {
    type: 'Polygon',
    coordinates: [
      [
        [1, 1],
        [1.1, 1],
        [1.1, 1.1],
        [1, 1.1],
        [1, 1],
      ],
    ],
  };

  it('becomes a shore with all its features', async () => {
    const coast = await coastOf(
      [
        {
          name: 'island.json',
          bytes: json([{ type: 'Feature', properties: null, geometry: island }]),
          map: everyFeature({ shore: 'Guinea' }),
        },
      ],
      100,
    );
    const answer = coast.nearest({ latitude: 1.05, longitude: 1.06 });
    expect(answer).toMatchObject({ side: 'land', shore: 'Guinea', accuracyMeters: 100 });
  });

  it('names an invalid file', async () => {
    const file = (text: string): MappedFile => ({
      name: 'x.json',
      bytes: new TextEncoder().encode(text),
      map: everyFeature(),
    });
    await expect(coastOf([file('{')], 1)).rejects.toThrow('x.json: neither a shapefile nor JSON');
    await expect(coastOf([file('{"type":"Polygon"}')], 1)).rejects.toThrow(
      'x.json: expected a GeoJSON FeatureCollection',
    );
    await expect(coastOf([file('{"type":"FeatureCollection","features":[]}')], 1)).rejects.toThrow(
      'the files are empty',
    );
  });
});
