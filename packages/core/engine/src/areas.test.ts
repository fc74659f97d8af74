import { describe, expect, it } from 'vitest';
import { createCatalog } from './catalog/create-catalog.ts';
import { whatWouldChange } from './change/what-would-change.ts';
import { explainVerdict } from './explain/explain-verdict.ts';
import { parseRequest } from './request/parse-request.ts';
import { checkRuleSet } from './rule-set/check.ts';
import { toJsonRulesEngine } from './rule-set/to-json-rules-engine.ts';

/** About 69 by 60 miles of Texas, south of 29.5° N. */
const south = {
  type: 'Polygon',
  coordinates: [
    [
      [-96, 28.5],
      [-95, 28.5],
      [-95, 29.5],
      [-96, 29.5],
      [-96, 28.5],
    ],
  ],
};
const waterway = {
  type: 'LineString',
  coordinates: [
    [-95.5, 28],
    [-95.5, 30],
  ],
  within_miles: 2,
};
const zips = { zipcodes: ['77550-77554', '775*'] };
const inArea = (operator: string, value: string) => ({ fact: 'location', operator, value });

const fileWith = (when: object, areas: object = { south, waterway, zips }, more: object = {}) => ({
  format: 1,
  carrier: { key: 'areas', name: 'Areas' },
  version: '1',
  effective: { from: '2020-01-01' },
  areas,
  rules: [{ id: 'r', outcome: 'decline', code: 'territory', message: 'No.', when: { all: [when] } }],
  programs: [{ id: 'tx', policy_types: ['ho3'], states: ['tx'] }],
  ...more,
});

const homeOf = (body: object) => {
  const parsed = parseRequest(
    { state: 'tx', county: 'brazoria', policy_type: 'ho3', ...body },
    { now: new Date('2026-11-20T12:00:00Z') },
  );
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.request.property;
};

const evaluators = ['compiled', 'reference'] as const;
const verdictOf = async (when: object, body: object, evaluator: (typeof evaluators)[number] = 'compiled') => {
  const catalog = createCatalog([{ file: fileWith(when) }], { evaluator });
  const [verdict] = (await catalog.decide(homeOf(body))).verdicts;
  return verdict!;
};

describe('a test of an area', () => {
  for (const evaluator of evaluators) {
    it(`is decided by the circle of the location (${evaluator})`, async () => {
      const cases: [object, object, string][] = [
        [inArea('within', 'south'), { lat: 29, lng: -95.5 }, 'ineligible'],
        [inArea('within', 'south'), { lat: 29.6, lng: -95.5 }, 'eligible'],
        [inArea('not:within', 'south'), { lat: 29.6, lng: -95.5 }, 'ineligible'],
        [inArea('within', 'south'), { lat: 29.5, lng: -95.5 }, 'needs_information'],
        [inArea('within', 'south'), { lat: 29.51, lng: -95.5, radius_meters: 2000 }, 'needs_information'],
        [inArea('within', 'south'), { lat: 29.51, lng: -95.5, radius_meters: 1000 }, 'eligible'],
        [inArea('entirelyWithin', 'south'), { lat: 29.49, lng: -95.5, radius_meters: 1000 }, 'ineligible'],
        [inArea('entirelyWithin', 'south'), { lat: 29.49, lng: -95.5, radius_meters: 2000 }, 'needs_information'],
        [inArea('within', 'south'), {}, 'needs_information'],
        [inArea('within', 'waterway'), { lat: 29, lng: -95.5 }, 'ineligible'],
        [inArea('within', 'waterway'), { lat: 29, lng: -95.4 }, 'eligible'],
        [inArea('within', 'zips'), { zipcode: '77551' }, 'ineligible'],
        [inArea('not:within', 'zips'), { zipcode: '77551' }, 'eligible'],
        [inArea('within', 'zips'), {}, 'needs_information'],
        [{ miles_to: 'south', operator: 'lessThan', value: 2 }, { lat: 29.52, lng: -95.5 }, 'ineligible'],
        [{ miles_to: 'south', operator: 'lessThan', value: 2 }, { lat: 29.53, lng: -95.5 }, 'eligible'],
        [{ miles_to: 'waterway', operator: 'greaterThan', value: 4 }, { lat: 29, lng: -95.4 }, 'ineligible'],
      ];
      for (const [when, body, status] of cases) {
        expect([when, body, (await verdictOf(when, body, evaluator)).status]).toEqual([when, body, status]);
      }
    });

    it(`does not join the points of an area (${evaluator})`, async () => {
      const coordinates = [
        [-96, 29],
        [-95, 29],
      ];
      const statusOf = async (type: string, lng: number) => {
        const file = fileWith(inArea('within', 'stations'), { stations: { type, coordinates, within_miles: 5 } });
        const { verdicts } = await createCatalog([{ file }], { evaluator }).decide(homeOf({ lat: 29, lng }));
        return verdicts[0]!.status;
      };
      expect(await statusOf('MultiPoint', -95.98)).toBe('ineligible');
      expect(await statusOf('MultiPoint', -95.02)).toBe('ineligible');
      expect(await statusOf('MultiPoint', -95.5)).toBe('eligible');
      expect(await statusOf('LineString', -95.5)).toBe('ineligible');
    });

    it(`names the missing field that would settle it (${evaluator})`, async () => {
      const missing = async (body: object, name = 'south') =>
        (await verdictOf(inArea('within', name), body, evaluator)).missingFields;
      expect(await missing({})).toEqual(['address']);
      expect(await missing({ distance_to_coast_miles: 5 })).toEqual(['address']);
      expect(await missing({ lat: 29.5, lng: -95.5, radius_meters: 20 })).toEqual(['footprint']);
      expect(await missing({}, 'zips')).toEqual(['zipcode']);
    });
  }

  it('is explained by the distance', async () => {
    const textOf = async (when: object, body: object) => {
      const catalog = createCatalog([{ file: fileWith(when) }]);
      const explanation = await explainVerdict(catalog, homeOf(body), { carrierKey: 'areas', tree: true });
      const tree = explanation.rules![0]!.tree!;
      const test = tree.kind === 'all' ? tree.children[0]! : tree;
      if (test.kind !== 'test') throw new Error('No test.');
      return test.text;
    };
    const cases: [object, object, string][] = [
      [inArea('within', 'south'), { lat: 29, lng: -95.5 }, 'Location: inside "south".'],
      [inArea('within', 'south'), { lat: 29.51, lng: -95.5 }, 'Location: 0.69 miles outside "south".'],
      [inArea('not:within', 'south'), { lat: 29.5005, lng: -95.5 }, 'Location: 179 to 185 feet outside "south".'],
      [
        inArea('within', 'south'),
        { lat: 29.5, lng: -95.5, radius_meters: 500 },
        'Location: inside or up to 0.31 miles outside "south".',
      ],
      [inArea('within', 'south'), {}, 'Location: not given; not known whether it is within "south".'],
      [inArea('entirelyWithin', 'south'), { lat: 29, lng: -95.5 }, 'Location: inside "south".'],
      [inArea('within', 'zips'), { zipcode: '77001' }, 'ZIP code: 77001, which is not within "zips".'],
      [
        { miles_to: 'south', operator: 'lessThan', value: 2 },
        { lat: 29.52, lng: -95.5 },
        'Distance to "south": 1.38 miles, which is less than 2 miles.',
      ],
      [
        { miles_to: 'south', operator: 'lessThan', value: 2 },
        {},
        'Distance to "south": not given; not known whether it is less than 2 miles.',
      ],
    ];
    for (const [when, body, text] of cases) expect(await textOf(when, body)).toBe(text);
  });

  it('of one geometry is one fact in every file, and of two is two', () => {
    const other = { ...south, coordinates: [south.coordinates[0]!.map(([x, y]) => [x! + 0.5, y!])] };
    const factOf = (areas: object, name: string) => {
      const { ruleSet } = checkRuleSet(fileWith(inArea('within', name), areas));
      const { condition } = ruleSet!.rules[0]!;
      return condition.kind === 'all' && condition.of[0]!.kind === 'leaf' ? condition.of[0]!.fact : undefined;
    };
    expect(factOf({ south }, 'south')).toBe(factOf({ bay: south }, 'bay'));
    expect(factOf({ south }, 'south')).not.toBe(factOf({ south: other }, 'south'));
  });

  it('keeps carriers apart that use one name for two areas', async () => {
    const other = { ...south, coordinates: [south.coordinates[0]!.map(([x, y]) => [x! - 3, y!])] };
    const files = [south, other].map((area, index) => ({
      file: fileWith(inArea('within', 'south'), { south: area }, { carrier: { key: `c${index}`, name: 'C' } }),
    }));
    const { verdicts } = await createCatalog(files).decide(homeOf({ lat: 29, lng: -95.5 }));
    expect(verdicts.map(({ status }) => status).sort()).toEqual(['eligible', 'ineligible']);
  });

  it('is conservative together with another test of the location', async () => {
    const both = { any: [inArea('within', 'south'), inArea('within', 'waterway')] };
    const near = { lat: 29.5, lng: -95.47, radius_meters: 500 };
    const verdict = await verdictOf(both, near);
    expect([verdict.status, verdict.conservative]).toEqual(['needs_information', true]);
    const alone = await verdictOf(inArea('within', 'south'), near);
    expect([alone.status, alone.conservative]).toEqual(['needs_information', undefined]);
  });

  it('is exported to json-rules-engine as ZIP codes, or named as omitted', () => {
    const exported = (name: string) => toJsonRulesEngine(checkRuleSet(fileWith(inArea('within', name))).ruleSet!);
    expect(exported('south').omitted.rules).toEqual(['r']);
    expect(exported('zips').omitted.rules).toBeUndefined();
    expect(JSON.stringify(exported('zips').rules)).toContain(
      '{"fact":"zipcode","operator":"greaterThanInclusive","value":"77500"}',
    );
  });

  it('never changes, so no change of it is proposed', () => {
    const catalog = createCatalog([{ file: fileWith(inArea('within', 'south')) }]);
    const answer = whatWouldChange(catalog, homeOf({ lat: 29, lng: -95.5 }), { carrierKey: 'areas' });
    expect([answer.outcome, answer.ways]).toEqual(['none_helps', []]);
    expect(answer.blockedBy.map(({ ruleId, fields }) => [ruleId, fields])).toEqual([['r', ['address']]]);
  });
});
