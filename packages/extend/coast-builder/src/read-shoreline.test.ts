import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  buildCoastIndex,
  createCoast,
  describeIndex,
  encodeCoastIndex,
  encodeShoreline,
  formatCoastAnswer,
  formatIndexDescription,
  openCoastData,
} from '@leeward/coast';
import { describe, expect, it } from 'vitest';
import { readShoreline, type ShorelineFile } from './read-shoreline.ts';
import { formatShorelineReport } from './shoreline-report.ts';
import { shapefileOf } from './testing/polyline-shapefile.ts';

const require = createRequire(import.meta.url);

const json = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const geojson = (geometry: unknown, more: Partial<ShorelineFile> = {}): ShorelineFile => ({
  name: 'shore.geojson',
  bytes: json({ type: 'FeatureCollection', features: [{ type: 'Feature', properties: {}, geometry }] }),
  ...more,
});
const OPTIONS = { name: 'test' };
const ISLAND = [
  [10, 10],
  [10, 10.1],
  [10, 10.2],
  [10.1, 10.2],
  [10.2, 10.2],
  [10.2, 10.1],
  [10.2, 10],
  [10.1, 10],
  [10, 10],
];

describe('readShoreline with swapped axes', () => {
  const line = (coordinates: number[][]) => geojson({ type: 'LineString', coordinates });

  it('rejects them with a hint to swap', async () => {
    const miami = [
      [25.8, -80.1],
      [25.9, -80.1],
    ];
    const texas = [
      [27.8, -97.1],
      [27.9, -97.1],
    ];
    for (const [coordinates, found] of [
      [miami, 'longitude 25.8, latitude -80.1: the axes look swapped'],
      [texas, '[27.8,-97.1]; expected longitude and latitude in degrees on WGS84: the axes look swapped'],
    ] as const) {
      const error: unknown = await readShoreline([line(coordinates)], OPTIONS).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'invalid_shoreline', message: expect.stringContaining(found) });
      expect((error as Error).message).toContain('write longitude before latitude');
    }
    const right = line(miami.map(([latitude, longitude]) => [longitude!, latitude!]));
    await expect(readShoreline([right, line(miami)], OPTIONS)).rejects.toThrow('look swapped');
    await expect(readShoreline([right], OPTIONS)).resolves.toBeDefined();
  });

  it('rejects a single swapped feature, but not the Antarctic', async () => {
    const keys = [
      [-80.1, 25.8],
      [-80.2, 25.7],
    ];
    const swappedKeys = keys.map((position) => position.toReversed());
    const lines = (...coordinates: number[][][]) => geojson({ type: 'MultiLineString', coordinates });
    await expect(readShoreline([lines(keys, swappedKeys)], OPTIONS)).rejects.toThrow(
      'longitude 25.8, latitude -80.1: the axes look swapped, since this is in the Antarctic, unlike other lines',
    );
    const other = { name: 'other.shp', bytes: shapefileOf([swappedKeys]) };
    await expect(readShoreline([lines(keys), other], OPTIONS)).rejects.toThrow('other.shp: longitude 25.8');
    const chile = [
      [-70, -55],
      [-71, -54],
    ];
    await expect(readShoreline([lines(keys, chile, swappedKeys)], OPTIONS)).resolves.toBeDefined();
    const holland = [
      [4.4, 52.1],
      [4.5, 52.2],
    ];
    const netherlands = { ...OPTIONS, coverage: [{ west: 3, south: 51, east: 8, north: 54 }] };
    const swapped = lines(
      holland,
      holland.map((position) => position.toReversed()),
    );
    await expect(readShoreline([swapped], netherlands)).rejects.toThrow('in the coverage only if swapped');
    await expect(readShoreline([lines(holland)], netherlands)).resolves.toBeDefined();
    await expect(readShoreline([lines(keys)], netherlands)).rejects.toThrow('none of the lines is in the coverage');
  });
});

describe('readShoreline with a projection', () => {
  const shp = shapefileOf([
    [
      [-80, 25],
      [-80.1, 25.1],
    ],
  ]);
  const read = (text: string) =>
    readShoreline([{ name: 'shore.shp', bytes: shp, projection: new TextEncoder().encode(text) }], OPTIONS);
  const degrees = (
    datum: string,
    ellipsoid: string,
    more = 'PRIMEM["Greenwich",0],UNIT["Degree",0.017453292519943295]',
  ) => `GEOGCS["GCS_${datum}",DATUM["D_${datum}",SPHEROID[${ellipsoid}]],${more}]`;

  it('accepts degrees on WGS84 and NAD83', async () => {
    await read(degrees('WGS_1984', '"WGS_1984",6378137,298.257223563'));
    await read(degrees('North_American_1983', '"GRS_1980",6378137.0,298.257222101'));
    await read(
      'GEOGCRS["WGS 84",DATUM["World Geodetic System 1984",ELLIPSOID["WGS 84",6378137,298.257223563]],CS[ellipsoidal,2],ANGLEUNIT["degree",0.0174532925199433]]',
    );
    await read('');
  });

  it.each([
    [
      'PROJCS["NAD_1983_UTM_Zone_4N",GEOGCS["GCS_North_American_1983"]]',
      'its .prj is projected (NAD_1983_UTM_Zone_4N)',
    ],
    [degrees('Old_Hawaiian', '"Clarke_1866",6378206.4,294.9786982'), 'another datum (GCS_Old_Hawaiian, Clarke_1866)'],
    [
      degrees('WGS_1984', '"WGS_1984",6378137,298.257223563', 'PRIMEM["Paris",2.337229]'),
      'counts longitudes from Paris',
    ],
    [degrees('WGS_1984', '"WGS_1984",6378137,298.257223563', 'UNIT["Grad",0.01570796]'), 'has the unit Grad'],
    ['+proj=utm +zone=17', 'is not understood'],
  ])('rejects %s', async (text, message) => {
    const error: unknown = await read(text).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'invalid_shoreline', message: expect.stringContaining(message) });
    expect((error as Error).message).toContain('ogr2ogr -t_srs EPSG:4326');
  });

  it('rejects the crs of older GeoJSON, unless it is WGS84', async () => {
    const line = {
      type: 'LineString',
      coordinates: [
        [-80, 25],
        [-80.1, 25.1],
      ],
    };
    const withCrs = (name: string): ShorelineFile => ({
      name: 'old.geojson',
      bytes: json({ ...line, crs: { type: 'name', properties: { name } } }),
    });
    await readShoreline([withCrs('urn:ogc:def:crs:OGC:1.3:CRS84')], OPTIONS);
    await expect(readShoreline([withCrs('urn:ogc:def:crs:EPSG::26904')], OPTIONS)).rejects.toThrow(
      'old.geojson: its crs is "urn:ogc:def:crs:EPSG::26904"; expected degrees on WGS84 or NAD83',
    );
  });
});

describe('readShoreline', () => {
  it('reads GeoJSON polygons with land on the left, in any winding order', async () => {
    for (const ring of [ISLAND, ISLAND.toReversed()]) {
      const { shoreline } = await readShoreline([geojson({ type: 'Polygon', coordinates: [ring] })], OPTIONS);
      expect(shoreline).toMatchObject({ water: 'right', layerNames: ['tidal'], shoreNames: ['coast'] });
      const coast = createCoast(buildCoastIndex(shoreline));
      expect(coast.nearest({ latitude: 10.1, longitude: 10.05 }).side).toBe('land');
      expect(coast.nearest({ latitude: 10.1, longitude: 9.95 }).side).toBe('water');
      const lake = await readShoreline(
        [geojson({ type: 'Polygon', coordinates: [ring] }, { polygons: 'water', layers: ['great_lakes'] })],
        OPTIONS,
      );
      const lakes = createCoast(buildCoastIndex(lake.shoreline));
      expect(lakes.nearest({ latitude: 10.1, longitude: 10.05 }).side).toBe('water');
    }
  });

  it('reads TopoJSON and removes the borders between states', async () => {
    const bytes = readFileSync(require.resolve('us-atlas/states-10m.json'));
    const { shoreline, report } = await readShoreline([{ name: 'states', bytes, object: 'states' }], OPTIONS);
    expect(shoreline.water).toBe('right');
    expect(report.vertices).toBeGreaterThan(5000);
    const coast = createCoast(buildCoastIndex(shoreline));
    expect(coast.nearest({ latitude: 39.1, longitude: -94.61 }).distanceMeters).toBeGreaterThan(500_000);
    await expect(readShoreline([{ name: 'states', bytes }], OPTIONS)).rejects.toThrow(
      'states: name the object to take: it has states, nation',
    );
    await expect(readShoreline([{ name: 'states', bytes, object: 'constructor' }], OPTIONS)).rejects.toThrow(
      'no object "constructor"',
    );
  });

  it('reads a shapefile', async () => {
    const line = [
      [-80, 25],
      [-80.1, 25.1],
      [-80.2, 25.15],
    ];
    const { shoreline, report } = await readShoreline(
      [
        {
          name: 'shore.shp',
          bytes: shapefileOf([line]),
          layers: ['ocean', 'tidal'],
          shore: 'Atlantic',
          water: 'right',
        },
      ],
      { ...OPTIONS, maxSegmentMeters: false },
    );
    expect([...shoreline.positions]).toEqual(line.flat());
    expect(shoreline).toMatchObject({ layerNames: ['ocean', 'tidal'], shoreNames: ['Atlantic'], water: 'right' });
    expect(report).toMatchObject({
      lines: 1,
      closedLines: 0,
      vertices: 3,
      bounds: { west: -80.2, south: 25, east: -80, north: 25.15 },
    });
    await expect(
      readShoreline(
        [
          {
            name: 'shore.shp',
            bytes: shapefileOf([
              [
                [500_000, 4_100_000],
                [500_100, 4_100_000],
              ],
            ]),
          },
        ],
        OPTIONS,
      ),
    ).rejects.toThrow(
      'shore.shp record 1: /coordinates/0 is [500000,4100000]; expected longitude and latitude in degrees',
    );
    await expect(
      readShoreline([{ name: 'cut.shp', bytes: shapefileOf([line]).subarray(0, 120) }], OPTIONS),
    ).rejects.toThrow(/cut\.shp/);
  });

  it('cleans lines and reports each dropped part', async () => {
    const coordinates = [
      [0, 0],
      [0, 0],
      [0, 0.002],
      [0, 0.004],
      [0, 0.006],
      [0, 0.306],
      [0, 0.308],
      [0, 0.31],
    ];
    const cut = [
      [179.99, 60],
      [180, 60],
      [180, 61],
      [179.99, 61],
    ];
    const { shoreline, report } = await readShoreline(
      [
        geojson({
          type: 'MultiLineString',
          coordinates: [
            coordinates,
            cut,
            [
              [5, 5],
              [5, 5],
            ],
          ],
        }),
      ],
      OPTIONS,
    );
    expect(report.files[0]!.dropped.map(({ reason }) => reason).sort()).toEqual([
      'closing',
      'cut_at_180',
      'duplicate',
      'duplicate',
      'too_short',
    ]);
    expect(shoreline.lineStarts.length - 1).toBe(4);
    expect(shoreline.water).toBe('unknown');
    const text = formatShorelineReport(report);
    expect(text).toContain('dropped: 2 repeated vertices');
    expect(text).toContain('dropped: 1 segments along 180°, total 111 km, longest at 60, 180');
    expect(text).toContain('dropped: 1 closings (longer than is usual here), total 33 km, longest at 0.006, 0');
    expect(text).toContain('dropped: 1 lines of one vertex');
    const kept = await readShoreline([geojson({ type: 'LineString', coordinates })], {
      ...OPTIONS,
      maxSegmentMeters: false,
    });
    expect(kept.report.files[0]!.dropped.map(({ reason }) => reason)).toEqual(['duplicate']);
  });

  it('joins pieces end to start, except where several could follow', async () => {
    const pieces = [
      [
        [2, 0],
        [3, 0],
      ],
      [
        [0, 0],
        [1, 0],
      ],
      [
        [1, 0],
        [2, 0],
      ],
      [
        [9, 9],
        [8, 8],
      ],
      [
        [7, 7],
        [9, 9],
      ],
      [
        [9, 9],
        [6, 6],
      ],
      [
        [20, 0],
        [21, 0],
        [21, 1],
      ],
      [
        [21, 1],
        [20, 1],
        [20, 0],
      ],
    ];
    const { shoreline, report } = await readShoreline([geojson({ type: 'MultiLineString', coordinates: pieces })], {
      ...OPTIONS,
      maxSegmentMeters: false,
    });
    const lines = [...shoreline.lineStarts.slice(1)].map((end, line) =>
      [...shoreline.positions.slice(shoreline.lineStarts[line]! * 2, end * 2)].join(' '),
    );
    expect(lines).toEqual(['0 0 1 0 2 0 3 0', '9 9 8 8', '7 7 9 9', '9 9 6 6', '20 0 21 0 21 1 20 1 20 0']);
    expect(report.closedLines).toBe(1);
  });

  it('wraps longitudes into range', async () => {
    const { shoreline } = await readShoreline(
      [
        geojson({
          type: 'LineString',
          coordinates: [
            [179.9, 52],
            [180.1, 52],
            [181, 52],
          ],
        }),
      ],
      { ...OPTIONS, maxSegmentMeters: false },
    );
    expect([...shoreline.positions].map((degrees) => Number(degrees.toFixed(6)))).toEqual([
      179.9, 52, -179.9, 52, -179, 52,
    ]);
    const coast = createCoast(buildCoastIndex(shoreline));
    expect(coast.nearest({ latitude: 52, longitude: 180 }).distanceMeters).toBeLessThan(10);
  });

  it('rejects invalid files by name', async () => {
    const cases: [ShorelineFile, string][] = [
      [{ name: 'x.json', bytes: new TextEncoder().encode('{') }, 'x.json: neither JSON nor a shapefile'],
      [{ name: 'x.json', bytes: new Uint8Array(0) }, 'x.json: the file is empty'],
      [{ name: 'x.json', bytes: new Uint8Array(536_870_889) }, 'x.json: 536,870,889 bytes are too many for JSON'],
      [{ name: 'x.json', bytes: json({ type: 'FeatureCollection', features: [] }) }, 'has neither lines nor polygons'],
      [
        {
          name: 'x.json',
          bytes: json({
            type: 'LineString',
            bbox: [25, -81, 26, -80],
            coordinates: [
              [-80.5, 25.5],
              [-80.4, 25.5],
            ],
          }),
        },
        'x.json: its bbox [25,-81,26,-80] does not contain the position [-80.5,25.5]',
      ],
      [
        geojson({ type: 'Polygon', coordinates: [ISLAND.slice(0, -1)] }),
        '/features/0/geometry/coordinates/0 is not a closed ring: it begins at [10,10] and ends at [10.1,10]',
      ],
      [geojson({ type: 'MultiPolygon', coordinates: [[[]]] }), '/coordinates/0/0 is not a closed ring'],
      [geojson({ type: 'MultiPolygon', coordinates: [ISLAND] }), 'is not a list'],
      [
        {
          name: 'x.shp',
          bytes: shapefileOf([
            [
              [-80, 25],
              [Number.NaN, 25],
            ],
          ]),
        },
        'x.shp record 1: /coordinates/1 is ["NaN",25]',
      ],
      [{ name: 'x.json', bytes: json(null) }, 'x.json: neither GeoJSON nor TopoJSON'],
      [
        { name: 'x.json', bytes: json({ type: 'Feature', geometry: { type: '__proto__' } }) },
        '/geometry has type "__proto__"',
      ],
      [{ name: 'x.json', bytes: json({ type: 'FeatureCollection', features: {} }) }, '/ has no list of features'],
      [
        geojson({
          type: 'LineString',
          coordinates: [
            [0, 0],
            [0, 'x'],
          ],
        }),
        '/features/0/geometry/coordinates/1 is [0,"x"]',
      ],
      [
        geojson({
          type: 'LineString',
          coordinates: [
            [0, 0],
            [0, 91],
          ],
        }),
        'expected longitude and latitude in degrees',
      ],
      [geojson({ type: 'LineString', coordinates: 7 }), '/features/0/geometry/coordinates is not a list'],
      [geojson({ type: 'Point', coordinates: [0, 0] }), 'shore.geojson has neither lines nor polygons'],
      [
        geojson({
          type: 'LineString',
          coordinates: [
            [0, 0],
            [0, 0],
          ],
        }),
        'all lines were dropped; see the report',
      ],
    ];
    for (const [file, message] of cases) {
      await expect(readShoreline([file], OPTIONS)).rejects.toThrow(message);
    }
    let nested: unknown = {
      type: 'LineString',
      coordinates: [
        [0, 0],
        [1, 1],
      ],
    };
    for (let depth = 0; depth < 1000; depth++) nested = { type: 'GeometryCollection', geometries: [nested] };
    await expect(readShoreline([geojson(nested)], OPTIONS)).rejects.toThrow('is nested too deeply');
    await expect(readShoreline([], OPTIONS)).rejects.toThrow('files is empty: give at least one file of shore');
    const line = geojson({
      type: 'LineString',
      coordinates: [
        [0, 0],
        [1, 1],
      ],
    });
    await expect(readShoreline([line], { ...OPTIONS, accuracyMeters: { ocean: 5 } })).rejects.toThrow(
      'accuracyMeters names the layer ocean; the files have tidal',
    );
  });
});

describe('openCoastData', () => {
  it('opens shorelines and indexes, which can be described and answer in text', async () => {
    const { shoreline } = await readShoreline(
      [geojson({ type: 'Polygon', coordinates: [ISLAND] }, { shore: 'Atlantic' })],
      {
        ...OPTIONS,
        version: '2026.1',
        attribution: 'Made up, public domain',
        accuracyMeters: { tidal: 30 },
        accuracyMethod: 'by eye',
      },
    );
    const index = openCoastData(encodeCoastIndex(buildCoastIndex(shoreline)), 'a.index');
    const compact = openCoastData(encodeShoreline(shoreline), 'a.shore');
    const text = formatIndexDescription(describeIndex(index));
    expect(text).toMatch(/^test 2026\.1: 180 segments in 1 lines, 88 km/);
    expect(text).toContain('layer tidal: 180 segments, 88 km, accuracy 30 m');
    expect(formatIndexDescription(describeIndex(compact))).toBe(text);
    const point = { latitude: 10.1, longitude: 10.05 };
    expect(formatCoastAnswer(createCoast(index).nearest(point))).toBe(
      [
        'The coast is 5480 meters to the west.',
        '  tidal: 5.480 km, 17,979.94 ft, 3.41 mi, bearing 270.0°',
        '  coast point 10.100004, 10.000000 (Atlantic)',
        '  that shore counts as tidal',
        '  between 5450 meters and 5510 meters, by test 2026.1',
        '  the point is on land',
      ].join('\n'),
    );
    expect(() => openCoastData(new Uint8Array(100), 'x.bin')).toThrow('x.bin: begins with');
  });
});
