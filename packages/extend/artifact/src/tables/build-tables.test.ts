import {
  type Catalog,
  createCatalog,
  createProperty,
  homeVocabulary,
  type Property,
  type RuleSet,
  STATUS_CODES,
} from '@leeward/engine';
import { catalogOf, isWithin } from '@leeward/engine/compiled';
import { countiesOf } from '@leeward/places/counties';
import { describe, expect, it } from 'vitest';
import { fixtureCatalog } from '../../../../../test/support/engine/fixture-catalog.ts';
import {
  computedTest,
  events,
  placeTest,
  randomFile,
  randomHome,
  randomPlace,
} from '../../../../../test/support/engine/random-computed-files.ts';
import { randomHomeFile } from '../../../../../test/support/engine/random-home-files.ts';
import { borderHomes } from '../../../../../test/support/engine/random-homes.ts';
import { randomPolicy } from '../../../../../test/support/engine/random-policies.ts';
import { randomProperty, randomRuleSet } from '../../../../../test/support/engine/random-rule-sets.ts';
import { ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { tinyLine } from '../../../../../test/support/engine/tiny-line.ts';
import { createRandom, pick, wholeNumber } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { imageHome } from '../testing/image-home.ts';
import { createImageReader } from '../testing/read-image.ts';
import { buildTables } from './build-tables.ts';

const seed = Number(process.env['LEEWARD_SEED'] ?? 20261126);
type Random = () => number;

/** Compares an image with single decisions: all statuses, and the codes of certain declines. */
function expectSameAnswers(catalog: Catalog, homes: readonly Property[]): Record<string, number> {
  const dates = homes.map(({ effectiveDate }) => effectiveDate).sort();
  const built = buildTables(catalog, { from: dates[0]!, to: dates.at(-1)! });
  const read = createImageReader(built.image);
  const seen: Record<string, number> = {};
  for (const home of homes) {
    const { statuses, reasons } = read(imageHome(home, built.inputs));
    const wanted = [...catalog.statusCodes(home).subarray(0, catalog.carriers.length)].map(
      (code) => STATUS_CODES[code]!,
    );
    const describeHome = (carrier: number) => {
      const { versions } = catalog.carriers[carrier]!;
      const { file, rules, programs } = versions[0]!.ruleSet;
      return JSON.stringify([
        home.values,
        home.lists,
        home.counties,
        home.asOfMs,
        home.effectiveDate,
        file,
        rules,
        programs,
      ]);
    };
    statuses.forEach((code, carrier) => {
      const status = STATUS_CODES[code]!;
      seen[status] = (seen[status] ?? 0) + 1;
      const open = wanted[carrier] === 'not_judged' ? 'needs_information' : wanted[carrier];
      if (status !== open) expect.fail(`carrier ${carrier} is ${status}, not ${open}: ${describeHome(carrier)}`);
    });
    const interval = built.intervals.find(
      ({ from, until }) => from <= home.effectiveDate && home.effectiveDate < until,
    )!;
    const type = interval.types[home.vocabulary.policyTypes.indexOf(home.policyType!)]!;
    for (const { carrierKey, reasons: declining, isJoint } of catalog.declines(home)) {
      if (isJoint) continue;
      const carrier = catalog.carriers.findIndex(({ key }) => key === carrierKey);
      const holding = type.reasons.filter((each, number) => {
        return each.carrier === carrier && each.outcome === 'decline' && reasons[number] === 2;
      });
      const codesOf = (some: readonly { readonly code: string }[]) =>
        [...new Set(some.map(({ code }) => code))].sort().join();
      if (codesOf(holding) !== codesOf(declining))
        expect.fail(`${carrierKey} has ${codesOf(holding)}, not ${codesOf(declining)}: ${describeHome(carrier)}`);
      seen['declines'] = (seen['declines'] ?? 0) + 1;
    }
  }
  return seen;
}

function randomMoratorium(random: Random): RuleSet['moratoria'][number] {
  const fips = countiesOf('de')
    .filter(() => random() < 0.5)
    .map((county) => county.fips);
  const places = { states: ['de'], counties: new Map([['de', { mode: 'include' as const, fips: new Set(fips) }]]) };
  return { id: 'storm', fromMs: -1, untilMs: pick(random, [1, 5]), places, policyTypes: undefined, message: '' };
}

/** Forgets some fields, and mostly the county. Words are known or unknown. */
function withUnknowns(home: Property, random: Random, share: number): Property {
  const values = Object.fromEntries(
    home.vocabulary.fields.flatMap(({ name, isOnDemand }, field) => {
      const value = (home.givenValues ?? home.values)[field];
      if (isOnDemand || (isWithin(value) && value.kind !== 'between') || random() < share) return [];
      return [[name, value]];
    }),
  );
  const roll = random();
  const some = countiesOf(home.state).filter(() => random() < 0.1);
  const counties = roll < 0.7 ? undefined : roll < 0.8 ? some.map(({ fips }) => fips) : home.counties;
  return createProperty({
    ...home,
    asOfMs: home.asOfMs + pick(random, [0, 0, -30, 30]) * 86_400_000,
    effectiveDate: pick(random, [home.effectiveDate, home.effectiveDate, '2027-01-01']),
    counties: counties?.length === 0 ? undefined : counties,
    values: values as never,
  });
}

describe('a table image answers what a single decision answers', () => {
  it(`for random rules (boats, seed ${seed})`, () => {
    const random = createRandom(seed);
    for (let round = 0; round < testVolume(15); round++) {
      const ruleSets = Array.from({ length: round % 3 === 0 ? 1 : wholeNumber(random, 2, 40) }, (_, index): RuleSet => {
        const moratoria = random() < 0.3 ? [randomMoratorium(random)] : [];
        return { ...randomRuleSet(random), moratoria, carrierKey: `c${index}`, carrierName: `c${index}` };
      });
      const catalog = catalogOf(
        ruleSets.map((ruleSet) => ({
          key: ruleSet.carrierKey,
          name: ruleSet.carrierName,
          versions: [{ ruleSet, source: 'catalog' }],
        })),
        { vocabulary: tinyLine },
      );
      const homes = Array.from({ length: 40 }, () => randomProperty(random).property)
        .filter(({ values }) => !values.some((value) => isWithin(value)))
        .map((home) => ({ ...home, asOfMs: pick(random, [0, 3, 7]) }));
      if (homes.length > 0) expectSameAnswers(catalog, homes);
    }
  }, 600_000);

  it(`for random rules of homes, with relations, moratoria and names of several counties (seed ${seed})`, () => {
    const random = createRandom(seed);
    for (let round = 0; round < testVolume(5); round++) {
      const count = round % 4 === 0 ? 70 : round % 4 === 1 ? 1 : wholeNumber(random, 2, 8);
      const catalog = createCatalog(
        Array.from({ length: count }, (_, index) => ({ file: randomHomeFile(random, `c${index}`) })),
      );
      const ruleSets = catalog.carriers.map(({ versions }) => versions[0]!.ruleSet);
      const next = borderHomes(ruleSets, '2026-11-20', Date.UTC(2026, 10, 20), 0.6);
      const homes = Array.from({ length: 60 }, () =>
        withUnknowns(next(random), random, pick(random, [0.05, 0.3, 0.6])),
      );
      expectSameAnswers(catalog, homes);
    }
  }, 600_000);

  it(`for the invented carriers, the county missing most often (seed ${seed})`, () => {
    const random = createRandom(seed);
    const homes = Array.from({ length: testVolume(150) }, () =>
      withUnknowns(randomPolicy(random, 0), random, pick(random, [0.05, 0.2, 0.5])),
    );
    const seen = expectSameAnswers(fixtureCatalog(), homes);
    expect(Math.min(seen['needs_information']!, seen['declines']!)).toBeGreaterThan(homes.length / 5);
  }, 600_000);

  it.each([
    ['lists, arithmetic and tiers', computedTest, (random: Random) => randomHome(random)],
    ['areas, events, times, tiers and moratoria with conditions', placeTest, randomPlaceOf],
  ])(
    `for rules that compute numbers: %s (seed ${seed})`,
    (_, ownTest, homeOf) => {
      const random = createRandom(seed);
      for (let round = 0; round < testVolume(6); round++) {
        const count = round % 4 === 0 ? 1 : wholeNumber(random, 2, 70);
        const catalog = createCatalog(
          Array.from({ length: count }, (_, index) => ({ file: randomFile(random, `c${index}`, ownTest) })),
        );
        expectSameAnswers(
          catalog,
          Array.from({ length: 20 }, () => homeOf(random)),
        );
      }
    },
    600_000,
  );

  it(`for distances within ranges, at the certainty of each rule set (seed ${seed})`, () => {
    const random = createRandom(seed);
    const seen: Record<string, number> = {};
    for (let round = 0; round < testVolume(10); round++) {
      const catalog = createCatalog(
        Array.from({ length: wholeNumber(random, 1, 20) }, (_, index) => ({ file: distanceFile(random, `c${index}`) })),
      );
      const homes = Array.from({ length: 40 }, () => measuredHome(random));
      for (const [status, count] of Object.entries(expectSameAnswers(catalog, homes)))
        seen[status] = (seen[status] ?? 0) + count;
    }
    expect(Math.min(seen['eligible']!, seen['referral']!, seen['needs_information']!)).toBeGreaterThan(50);
  }, 600_000);
});

function randomPlaceOf(random: Random): Property {
  return randomPlace(random, events);
}

const distanceFacts = ['distance_to_tidal_water_feet', 'distance_to_ocean_feet', 'distance_to_tidal_water_meters'];

function distanceFile(random: Random, key: string): unknown {
  const distance = () => {
    const fact = pick(random, distanceFacts);
    const operator = pick(random, ['lessThan', 'greaterThan', 'lessThanInclusive', 'greaterThanInclusive']);
    return test(fact, operator, 100 * wholeNumber(random, 1, fact.endsWith('feet') ? 30 : 9));
  };
  const between = () => ({
    ...test('distance_to_ocean_meters', 'greaterThan', 0),
    value: { fact: 'distance_to_tidal_water_meters' },
  });
  const difference = () => ({
    subtract: [{ fact: 'distance_to_ocean_meters' }, { fact: 'distance_to_tidal_water_meters' }],
    operator: 'lessThan',
    value: 100 * wholeNumber(random, 1, 5),
  });
  const rules = Array.from({ length: wholeNumber(random, 1, 5) }, (_, index) =>
    ruleFile({
      id: `r${index}`,
      outcome: pick(random, ['decline', 'refer']),
      code: `x_${index}`,
      message: '.',
      when: {
        all: Array.from({ length: wholeNumber(random, 1, 2) }, () =>
          pick(random, [distance, distance, distance, between, difference])(),
        ),
      },
    }),
  );
  const certainty = pick(random, [undefined, 0.9, 0.95]);
  return ruleSetFile({ carrier: { key, name: key }, rules, ...(certainty === undefined ? {} : { certainty }) });
}

function measuredHome(random: Random): Property {
  const rangeOf = (width: number) => {
    const min = 20 * wholeNumber(random, 0, 45);
    return { kind: 'between', min, max: min + width * wholeNumber(random, 1, 10) } as const;
  };
  const narrow = () => ({ distance_to_tidal_water_meters: rangeOf(10), distance_to_ocean_meters: rangeOf(20) });
  return createProperty({
    vocabulary: homeVocabulary,
    policyType: 'ho3',
    state: 'tx',
    counties: ['48201'],
    effectiveDate: '2026-11-20',
    asOfMs: 0,
    values: {
      ...(random() < 0.8
        ? { distance_to_tidal_water_meters: random() < 0.3 ? 20 * wholeNumber(random, 0, 45) : rangeOf(60) }
        : {}),
      ...(random() < 0.7 ? { distance_to_ocean_meters: rangeOf(90) } : {}),
    },
    rangesByCertainty: random() < 0.2 ? undefined : { '0.9': narrow(), '0.95': narrow() },
  });
}
