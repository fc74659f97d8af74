import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { whatWouldChange } from '../change/what-would-change.ts';
import { explainVerdict } from '../explain/explain-verdict.ts';
import { createProperty, type Property } from '../request/property.ts';
import { checkRuleSet } from '../rule-set/check.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import { certaintiesOf } from './certainties.ts';
import { createCatalog } from './create-catalog.ts';

const facts = [
  'distance_to_tidal_water_feet',
  'distance_to_coast_miles',
  'distance_to_ocean_feet',
  'distance_to_tidal_water_meters',
] as const;
const METERS = { feet: 0.3048, miles: 1609.344, meters: 1 };

interface Test {
  readonly fact: (typeof facts)[number];
  readonly operator: string;
  readonly meters: number;
}

function ruleSetFile(key: string, tests: readonly (readonly Test[])[], certainty?: number, isTiered = false) {
  const rules = tests.map((all, index) => ({
    id: `rule-${index}`,
    outcome: index % 3 === 2 ? 'refer' : 'decline',
    code: 'distance_to_coast',
    when: {
      all: all.map(({ fact, operator, meters }) => {
        const unit = fact.slice(fact.lastIndexOf('_') + 1) as keyof typeof METERS;
        return { fact, operator, value: meters / METERS[unit] };
      }),
    },
    message: 'At {distance_to_tidal_water_feet} ft.',
  }));
  const program = { policy_types: ['ho3'], states: ['fl'] };
  return {
    format: 1,
    carrier: { key, name: key },
    version: '1',
    effective: { from: '2020-01-01' },
    ...(certainty === undefined ? {} : { certainty }),
    programs: isTiered
      ? [
          { ...program, id: 'best', tier: { of: 'tiers', rank: 1 }, rules },
          { ...program, id: 'other', tier: { of: 'tiers', rank: 2 }, rules: [] },
        ]
      : [{ ...program, id: 'only', rules }],
  };
}

type Range = { readonly min: number; readonly max: number };

function homeAt(tidal: Range | number, ocean: Range | undefined, at?: Property['rangesByCertainty']): Property {
  const knowledge = (range: Range | number | undefined) =>
    typeof range === 'object' ? ({ kind: 'between', ...range } as const) : range;
  return createProperty({
    vocabulary: homeVocabulary,
    policyType: 'ho3',
    state: 'fl',
    counties: ['12086'],
    effectiveDate: '2026-01-01',
    asOfMs: 0,
    isLocated: true,
    values: { distance_to_tidal_water_meters: knowledge(tidal), distance_to_ocean_meters: knowledge(ocean) },
    rangesByCertainty: at,
  });
}

const range = fc
  .tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 1, max: 400 }))
  .map(([min, width]): Range => ({ min, max: min + width }));
const test = fc.record({
  fact: fc.constantFrom(...facts),
  operator: fc.constantFrom('lessThan', 'greaterThan', 'lessThanInclusive', 'greaterThanInclusive'),
  meters: fc.integer({ min: 50, max: 1200 }),
});
const tests = fc.array(fc.array(test, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 4 });

/** Without the parts that name the rule set. */
function answerOf({ ruleSet: _, certainty: __, carrierKey: ___, carrierName: ____, ...answer }: Verdict) {
  return JSON.parse(JSON.stringify(answer));
}

describe('a rule set with a certainty', () => {
  it('answers as one without certainty whose distances have the ranges of the certainty', async () => {
    await fc.assert(
      fc.asyncProperty(
        tests,
        range,
        range,
        range,
        fc.option(range, { nil: undefined }),
        fc.boolean(),
        async (rules, tidal, tidalAt, ocean, oceanAt, isTiered) => {
          const at = {
            '0.9': {
              distance_to_tidal_water_meters: tidalAt,
              ...(oceanAt ? { distance_to_ocean_meters: oceanAt } : {}),
            },
          };
          const home = homeAt(tidal, ocean, at);
          const narrowed = homeAt(tidalAt, oceanAt ?? ocean);
          const files = [ruleSetFile('plain', rules, undefined, isTiered), ruleSetFile('sure', rules, 0.9, isTiered)];
          const catalog = createCatalog(files.map((file) => ({ file })));
          const answers = async (property: Property, evaluator: 'compiled' | 'reference') => {
            const own =
              evaluator === 'compiled'
                ? catalog
                : createCatalog(
                    files.map((file) => ({ file })),
                    { evaluator },
                  );
            const { verdicts } = await own.decide(property);
            return new Map(verdicts.map((verdict) => [verdict.carrierKey, answerOf(verdict)]));
          };
          for (const evaluator of ['compiled', 'reference'] as const) {
            const both = await answers(home, evaluator);
            expect(both.get('sure')).toEqual((await answers(narrowed, evaluator)).get('plain'));
            expect(both.get('plain')).toEqual((await answers(homeAt(tidal, ocean), evaluator)).get('plain'));
          }
          const codes = catalog.statusCodes(home);
          const narrowedCodes = catalog.statusCodes(narrowed);
          expect(codes[1]).toBe(narrowedCodes[0]);
          expect(catalog.decideSync(home).verdicts.map(answerOf)).toEqual(
            (await catalog.decide(home)).verdicts.map(answerOf),
          );
          const explained = await explainVerdict(catalog, home, { carrierKey: 'sure', tree: true });
          const expected = await explainVerdict(catalog, narrowed, { carrierKey: 'plain', tree: true });
          expect(explained.rules).toEqual(expected.rules);
          expect(explained.decidedBy).toEqual(expected.decidedBy);
          const { carrierKey: _, ...change } = whatWouldChange(catalog, home, { carrierKey: 'sure' });
          const { carrierKey: __, ...expectedChange } = whatWouldChange(catalog, narrowed, { carrierKey: 'plain' });
          expect(JSON.parse(JSON.stringify(change))).toEqual(JSON.parse(JSON.stringify(expectedChange)));
        },
      ),
      { numRuns: 150 },
    );
  });

  const within300: readonly Test[] = [{ fact: 'distance_to_tidal_water_meters', operator: 'lessThan', meters: 300 }];
  const at = { '0.9': { distance_to_tidal_water_meters: { min: 310, max: 380 } } };

  it('states the certainty in its verdict, and is decided where another needs information', () => {
    const catalog = createCatalog([
      { file: ruleSetFile('plain', [within300]) },
      { file: ruleSetFile('sure', [within300], 0.9) },
      { file: ruleSetFile('surer', [within300], 0.99) },
    ]);
    expect(certaintiesOf(catalog)).toEqual([0.9, 0.99]);
    const { verdicts } = catalog.decideSync(homeAt({ min: 280, max: 400 }, undefined, at));
    // The home has no range at 0.99, so its whole range counts.
    expect(verdicts.map(({ carrierKey, status, certainty }) => [carrierKey, status, certainty])).toEqual([
      ['sure', 'eligible', 0.9],
      ['plain', 'needs_information', undefined],
      ['surer', 'needs_information', 0.99],
    ]);
    expect(Object.keys(verdicts[1]!)).not.toContain('certainty');
  });

  it('uses an exact distance unchanged', () => {
    const catalog = createCatalog([{ file: ruleSetFile('sure', [within300], 0.9) }]);
    expect(catalog.decideSync(homeAt(290, undefined, at)).verdicts[0]?.status).toBe('ineligible');
  });

  it.each([0.5, 1, 95, -1, '0.95', null])('refuses the certainty %j', (certainty) => {
    const { faults } = checkRuleSet(ruleSetFile('sure', [within300], certainty as number));
    expect(faults).toEqual([
      {
        path: '/certainty',
        code: typeof certainty === 'number' ? 'invalid_value' : 'invalid_type',
        message: `${JSON.stringify(certainty)} should be a number above 0.5 and below 1, such as 0.95 for 95 %, or leave certainty out.`,
      },
    ]);
  });

  it('refuses ranges of unknown fields, of other certainties, and without an order', () => {
    expect(() => homeAt(1, undefined, { '0.4': {} })).toThrow('above 0.5 and below 1');
    expect(() => homeAt(1, undefined, { '0.9': { distance_to_coast: { min: 1, max: 2 } } })).toThrow('not a field');
    expect(() => homeAt(1, undefined, { '0.9': { distance_to_ocean_meters: { min: 3, max: 2 } } })).toThrow(
      'distance_to_ocean_meters is between 3 and 2',
    );
  });
});
