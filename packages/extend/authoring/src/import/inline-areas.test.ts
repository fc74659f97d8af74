import { checkRuleSet } from '@leeward/engine';
import { describe, expect, it } from 'vitest';
import { inlineAreas } from './inline-areas.ts';

const square = (west: number, south: number) => [
  [
    [west, south, 7],
    [west + 1, south, 7],
    [west + 1, south + 1, 7],
    [west, south + 1, 7],
    [west, south, 7],
  ],
];
const feature = (geometry: object) => ({ type: 'Feature', properties: { name: 'x' }, geometry });
const collection = (...geometries: object[]) => ({ type: 'FeatureCollection', features: geometries.map(feature) });

const fileWith = (area: unknown) => ({
  format: 1,
  carrier: { key: 'a', name: 'A' },
  version: '1',
  effective: { from: '2020-01-01' },
  areas: { a: area, zips: { zipcodes: ['77550'] } },
  rules: [
    {
      id: 'r',
      outcome: 'decline',
      code: 'territory',
      message: 'No.',
      when: { all: [{ fact: 'location', operator: 'within', value: 'a' }] },
    },
  ],
  programs: [{ id: 'tx', policy_types: ['ho3'], states: ['tx'] }],
});

const read = (content: unknown, area: unknown = { file: 'areas/a.geojson' }) =>
  inlineAreas(fileWith(area), (path) => (path === 'areas/a.geojson' ? JSON.stringify(content) : undefined));

describe('areas in files', () => {
  it('are part of the rule set and its hash', () => {
    const { file, faults } = read(collection({ type: 'Polygon', coordinates: square(-96, 29) }));
    expect(faults).toEqual([]);
    const areas = (file as ReturnType<typeof fileWith>).areas;
    expect(areas.a).toEqual({ type: 'Polygon', coordinates: [square(-96, 29)[0]!.map(([x, y]) => [x, y])] });
    const other = read(collection({ type: 'Polygon', coordinates: square(-96.5, 29) })).file;
    expect(checkRuleSet(file).ruleSet?.sha256).not.toBe(checkRuleSet(other).ruleSet?.sha256);
  });

  it('are merged if there are several polygons', () => {
    const { file } = read(
      collection(
        { type: 'Polygon', coordinates: square(-96, 29) },
        { type: 'MultiPolygon', coordinates: [square(-95.5, 29), square(-99, 30)] },
      ),
    );
    const { a } = (file as { areas: { a: { type: string; coordinates: unknown[] } } }).areas;
    expect([a.type, a.coordinates.length]).toEqual(['MultiPolygon', 2]);
    expect(checkRuleSet(file).faults).toEqual([]);
  });

  it('may be lines or points with within_miles', () => {
    const line = {
      type: 'LineString',
      coordinates: [
        [-96, 29],
        [-95, 29],
      ],
    };
    const { file } = read(collection(line, line), { file: 'areas/a.geojson', within_miles: 2, $comment: 'roads' });
    expect((file as ReturnType<typeof fileWith>).areas.a).toEqual({
      within_miles: 2,
      $comment: 'roads',
      type: 'MultiLineString',
      coordinates: [line.coordinates, line.coordinates],
    });
    expect(checkRuleSet(file).faults).toEqual([]);
  });

  it('are refused with the name of the file and the way out', () => {
    const message = (content: unknown, area?: unknown) =>
      read(content, area).faults.map(({ path, message }) => `${path} ${message}`)[0];
    expect(message({}, { file: 'areas/b.geojson' })).toBe(
      '/areas/a/file There is no file areas/b.geojson next to the rule file.',
    );
    for (const file of ['/etc/passwd', '../b.geojson', 'areas/../../b', 'c:\\b', 'https://x.org/a', '', 7])
      expect(message({}, { file })).toContain('is not a file next to the rule file; give a relative path such as');
    expect(message({})).toBe(
      '/areas/a/file areas/a.geojson has no geometry; give GeoJSON with polygons, or with lines, or with points.',
    );
    expect(
      message(collection({ type: 'Point', coordinates: [1, 2] }, { type: 'Polygon', coordinates: square(1, 2) })),
    ).toContain('has Point and Polygon');
    expect(message({}, { file: 'areas/a.geojson', type: 'Polygon' })).toContain('An area of a file has no "type"');
    expect(inlineAreas(fileWith({ file: 'a' }), () => '{').faults[0]?.message).toBe(
      'a is not JSON at line 1, column 2: the text ends before the closing }.',
    );
  });

  it('that are inline stay the same object', () => {
    const file = fileWith({ zipcodes: ['77550'] });
    expect(inlineAreas(file, () => undefined).file).toBe(file);
    for (const other of [null, 7, [], { areas: [] }]) expect(inlineAreas(other, () => undefined).file).toBe(other);
  });
});
