import { kinks, polygon } from '@turf/turf';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { findCrossing } from '../area/find-crossing.ts';
import { checkRuleSet } from './check.ts';

const square = (west: number, south: number, size = 1) => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
];
const polygonOf = (...rings: unknown[]) => ({ type: 'Polygon', coordinates: rings });

const fileWith = (areas: unknown, value: unknown = 'a', operator = 'within') => ({
  format: 1,
  carrier: { key: 'areas', name: 'Areas' },
  version: '1',
  effective: { from: '2020-01-01' },
  areas,
  rules: [
    {
      id: 'r',
      outcome: 'decline',
      code: 'territory',
      message: 'No.',
      when: { all: [{ fact: 'location', operator, value }] },
    },
  ],
  programs: [{ id: 'tx', policy_types: ['ho3'], states: ['tx'] }],
});

const faultsOf = (area: unknown, options = {}) =>
  checkRuleSet(fileWith({ a: area }), options).faults.map(({ path, code, message }) => `${path} ${code}: ${message}`);

describe('an area of a rule set', () => {
  it('is accepted in every form', () => {
    for (const area of [
      polygonOf(square(-96, 29)),
      polygonOf(square(-96, 29).toReversed(), square(-95.5, 29.5, 0.2)),
      { type: 'MultiPolygon', coordinates: [[square(-96, 29)], [square(-94, 29)]] },
      { type: 'Feature', properties: { name: 'x' }, geometry: polygonOf(square(-96, 29)) },
      { type: 'Feature', properties: null, geometry: polygonOf(square(-96, 29)), within_miles: 3 },
      { type: 'LineString', coordinates: square(-96, 29), within_miles: 2.5 },
      { type: 'MultiLineString', coordinates: [square(-96, 29), square(-94, 29)], within_miles: 2.5 },
      { type: 'Point', coordinates: [-96, 29], within_miles: 40 },
      {
        type: 'MultiPoint',
        coordinates: [
          [-96, 29, 12],
          [-95, 29],
        ],
        within_miles: 40,
        $comment: 'two fire stations',
      },
      { zipcodes: ['77550', '77551-77554', '775*'] },
    ]) {
      expect([area, checkRuleSet(fileWith({ a: area }))]).toEqual([
        area,
        expect.objectContaining({ faults: [], warnings: [] }),
      ]);
    }
  });

  it('is refused with its place, its value and the way out', () => {
    const bowtie = [
      [-96, 29],
      [-95, 30],
      [-95, 29],
      [-96, 30],
      [-96, 29],
    ];
    const cases: [unknown, string][] = [
      ['south', '/areas/a invalid_area: An area is a GeoJSON geometry or { "zipcodes": [ … ] }, not "south".'],
      [
        { type: 'Polygn', coordinates: [] },
        '/areas/a/type invalid_area: "Polygn" is not a type of an area; use one of: Polygon, MultiPolygon, LineString, MultiLineString, Point, MultiPoint, Feature. Did you mean "Polygon"?',
      ],
      [polygonOf(), '/areas/a/coordinates empty_area: This list is empty; give lines or rings.'],
      [polygonOf([]), '/areas/a/coordinates/0 empty_area: This list is empty; give positions [longitude, latitude].'],
      [
        polygonOf(square(-96, 29).slice(0, 4)),
        '/areas/a/coordinates/0 ring_not_closed: The ring begins at [-96, 29] and ends at [-96, 30]; repeat the first position at the end.',
      ],
      [
        polygonOf([
          [-96, 29],
          [-95, 29],
          [-96, 29],
        ]),
        '/areas/a/coordinates/0 empty_area: A ring has three different corners or more.',
      ],
      [
        polygonOf([
          [-96, 29],
          [-95, 29],
          [-94, 29],
          [-96, 29],
        ]),
        '/areas/a/coordinates/0 empty_area: This ring encloses nothing; remove it, or add corners.',
      ],
      [
        polygonOf(bowtie),
        '/areas/a crossing_edges: The outline crosses itself near [-95.5, 29.5]; draw it without crossings.',
      ],
      [
        polygonOf(square(-96, 29), square(-95.5, 29.5)),
        '/areas/a crossing_edges: The outline crosses itself near [-95, 29.5]; draw it without crossings.',
      ],
      [
        polygonOf(square(-96, 29), square(-94, 29)),
        '/areas/a/coordinates/1 hole_outside: This hole lies outside of the first ring of its polygon; make it a separate polygon.',
      ],
      [
        { type: 'MultiPolygon', coordinates: [[square(-96, 29)], [square(-95.5, 29.5, 0.2)]] },
        '/areas/a/coordinates/0/0 overlapping_polygons: Polygon 1 overlaps polygon 2; merge them, or make one a hole.',
      ],
      [
        polygonOf([
          [29, -96],
          [30, -96],
          [30, -95],
          [29, -96],
        ]),
        '/areas/a/coordinates/0/0 invalid_position: The latitude of [29, -96] is beyond 90 degrees. Longitude comes first: [-96, 29]?',
      ],
      [
        polygonOf(square(29, -89)),
        '/areas/a area_elsewhere: The area "a" lies around [29, -89], outside of every state of the programs (tx).',
      ],
      [
        polygonOf(square(95, 29)),
        '/areas/a area_elsewhere: The area "a" lies around [95, 29], outside of every state of the programs (tx). Western longitudes are negative: [-95, 29]?',
      ],
      [
        polygonOf(square(-81, 27)),
        '/areas/a area_elsewhere: The area "a" lies around [-81, 27], outside of every state of the programs (tx).',
      ],
      [
        polygonOf([
          [-96, 29],
          [-95, null],
          [-95, 30],
          [-96, 29],
        ]),
        '/areas/a/coordinates/0/1 invalid_position: [-95,null] is not a position; give [longitude, latitude] in degrees.',
      ],
      [
        polygonOf([
          [-96, 29],
          [-195, 29],
          [-95, 30],
          [-96, 29],
        ]),
        '/areas/a/coordinates/0/1 invalid_position: The longitude of [-195, 29] is beyond 180 degrees.',
      ],
      [
        { type: 'LineString', coordinates: square(-96, 29) },
        '/areas/a missing_key: A line or a point is not an area; add "within_miles": how far the area reaches around it.',
      ],
      [
        { type: 'Point', coordinates: [-96, 29], within_miles: -1 },
        '/areas/a/within_miles invalid_value: within_miles is -1; give miles above 0, at most 500.',
      ],
      [
        { ...polygonOf(square(-96, 29)), within_mile: 3 },
        '/areas/a/within_mile unknown_key: "within_mile" is not a key of an area; use one of: type, coordinates, geometry, properties, id, bbox, within_miles, zipcodes, $comment. Did you mean "within_miles"?',
      ],
      [
        { zipcodes: [] },
        '/areas/a/zipcodes empty_area: Give a list of ZIP codes, ranges ("77550-77554") and prefixes ("775*").',
      ],
      [
        { zipcodes: ['7755x'] },
        '/areas/a/zipcodes/0 value_wrong_type: zipcodes has ZIP codes, ranges ("77550-77554") and prefixes ("775*"), not "7755x".',
      ],
      [
        { zipcodes: ['77550'], within_miles: 2 },
        '/areas/a/within_miles misplaced_key: A list of ZIP codes has no within_miles; make it a separate area, or leave it out.',
      ],
      [
        { file: 'areas/south.geojson' },
        '/areas/a/file area_file_not_read: This area names a file next to the rule file. Only files that are read from a folder can do so; write the geometry here.',
      ],
    ];
    for (const [area, fault] of cases) expect(faultsOf(area)).toEqual([fault]);
  });

  it('may touch itself, and share edges with its neighbours', () => {
    const neighbours = { type: 'MultiPolygon', coordinates: [[square(-96, 29)], [square(-95, 29)], [square(-94, 30)]] };
    expect(faultsOf(neighbours)).toEqual([]);
    const touching = polygonOf([
      [-96, 29],
      [-95, 29],
      [-95.5, 29.5],
      [-95, 30],
      [-96, 30],
      [-95.5, 29.5],
      [-96, 29],
    ]);
    expect(faultsOf(touching)).toEqual([]);
  });

  it('must be named as it is defined', () => {
    const check = (value: unknown, areas: unknown = { south: polygonOf(square(-96, 29)) }) =>
      checkRuleSet(fileWith(areas, value)).faults.map(({ message }) => message);
    expect(check('sout')).toEqual(['"sout" is not an area. Use one of: "south". Did you mean "south"?']);
    expect(check('south', {})[0]).toContain('This file has no areas; define one in "areas"');
    expect(check(['south'])[0]).toContain('["south"] is not an area.');
    const operator = checkRuleSet(fileWith({ a: polygonOf(square(-96, 29)) }, 'a', 'inside')).faults;
    expect(operator[0]?.message).toContain('"inside" does not suit the location; use within, entirelyWithin');
    const unused = checkRuleSet(fileWith({ a: polygonOf(square(-96, 29)), b: { zipcodes: ['77550'] } }));
    expect(unused.warnings.map(({ path, code }) => [path, code])).toEqual([['/areas/b', 'unused_area']]);
  });

  it('has no distance if it is a list of ZIP codes', () => {
    const file = fileWith({ a: { zipcodes: ['77550'] } });
    const rule = { ...file.rules[0], when: { all: [{ miles_to: 'a', operator: 'lessThan', value: 2 }] } };
    expect(checkRuleSet({ ...file, rules: [rule] }).faults[0]?.message).toContain('which has no distance');
  });

  it('changes the hash of its file', () => {
    const hash = (west: number) => checkRuleSet(fileWith({ a: polygonOf(square(west, 29)) })).ruleSet?.sha256;
    expect(hash(-96)).not.toBe(hash(-96.001));
  });
});

describe('crossing edges', () => {
  it('are found as turf finds them', () => {
    const random = createRandom(7);
    let crossed = 0;
    for (let round = 0; round < testVolume(400); round++) {
      const count = 4 + Math.floor(random() * 40);
      const ring = Array.from({ length: count }, (_, index) => {
        const angle = (index / count) * 2 * Math.PI;
        const radius = 0.3 + random() * 0.7;
        const shift = round % 2 === 0 ? 0 : random() * 0.5;
        return [radius * Math.cos(angle) + shift, radius * Math.sin(angle) - shift];
      });
      ring.push(ring[0]!);
      const edges = Float64Array.from(ring.slice(1).flatMap((to, index) => [...ring[index]!, ...to]));
      const found = findCrossing(edges, { pairs: 1_000_000 }).kind === 'crossing';
      const others = kinks(polygon([ring])).features.length > 0;
      expect(found).toBe(others);
      if (found) crossed++;
    }
    expect(crossed).toBeGreaterThan(50);
    expect(crossed).toBeLessThan(testVolume(400) - 50);
  });
});

describe('hostile areas', () => {
  const circle = (count: number, radius = 1) => {
    const ring = Array.from({ length: count }, (_, index) => {
      const angle = (index / count) * 2 * Math.PI;
      return [-97 + radius * Math.cos(angle), 30 + radius * Math.sin(angle)];
    });
    return [...ring, ring[0]!];
  };
  const timed = (area: unknown, options = {}) => {
    const start = performance.now();
    const faults = faultsOf(area, options);
    return { ms: performance.now() - start, faults };
  };

  it('with very many positions are checked, or refused if a stranger posts them', () => {
    const many = timed(polygonOf(circle(100_000)));
    expect(many.faults).toEqual([]);
    expect(many.ms).toBeLessThan(10_000);
    const posted = timed(polygonOf(circle(100_000)), { fromStranger: true });
    expect(posted.faults[0]).toContain('too_large');
    expect(posted.ms).toBeLessThan(2_000);
  });

  it('cannot stall the check: spirals, long edges, many rings', () => {
    const spiral = (count: number) => {
      const out = Array.from({ length: count }, (_, index) => {
        const [angle, radius] = [index / 5, 0.2 + index / count];
        return [-97 + radius * Math.cos(angle), 30 + radius * Math.sin(angle)];
      });
      const back = out.toReversed().map(([x, y]) => [-97 + (x! + 97) * 1.0001, 30 + (y! - 30) * 1.0001]);
      return [...out, ...back, out[0]!];
    };
    const slanted = (count: number) => {
      const ring = Array.from({ length: count }, (_, index) => {
        const part = index / count;
        return index % 2 === 0 ? [-98 + part, 29] : [-97.5 + part, 31];
      });
      return [...ring, [-97, 28.5], ring[0]!];
    };
    const rings = Array.from({ length: 400 }, (_, index) =>
      square(-98 + (index % 20) / 10, 29 + Math.floor(index / 20) / 10, 0.05),
    );
    for (const [area, code] of [
      [polygonOf(spiral(3_000)), undefined],
      [polygonOf(slanted(5_000)), undefined],
      [{ type: 'MultiPolygon', coordinates: rings.map((ring) => [ring]) }, undefined],
      [{ type: 'MultiPolygon', coordinates: Array.from({ length: 600 }, () => [square(-97, 30)]) }, 'area_too_large'],
    ] as const) {
      const { ms, faults } = timed(area, { fromStranger: true });
      expect(ms).toBeLessThan(5_000);
      if (code) expect(faults[0]).toContain(code);
    }
  });

  it('of any shape are refused without an exception', () => {
    const deep = (levels: number): unknown => (levels === 0 ? [-97, 30] : [deep(levels - 1)]);
    const strange = [
      null,
      [],
      { type: 'Feature' },
      { type: 'Feature', geometry: { type: 'Feature', geometry: null } },
      { type: 'Polygon' },
      { type: 'Polygon', coordinates: deep(30) },
      { type: 'Polygon', coordinates: 'x' },
      { type: 'MultiPolygon', coordinates: [[[[Number.NaN, 1]]]] },
      { type: 'Point', coordinates: [1], within_miles: 1 },
      { type: 'Point', coordinates: [-97, 30], within_miles: Number.POSITIVE_INFINITY },
      { zipcodes: {} },
      { zipcodes: [null] },
      JSON.parse('{ "__proto__": { "type": "Polygon" } }'),
    ];
    for (const area of strange) expect(faultsOf(area).length).toBeGreaterThan(0);
    for (const areas of [null, [], 'x', 7]) expect(checkRuleSet(fileWith(areas)).faults.length).toBeGreaterThan(0);
    const names = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`a${index}`, { zipcodes: ['77550'] }]));
    expect(checkRuleSet(fileWith({ ...names, a: names['a0'] }), { fromStranger: true }).faults[0]?.code).toBe(
      'too_many_areas',
    );
  });
});
