import {
  type Catalog,
  createCatalog,
  createProperty,
  type Property,
  type RuleSet,
  STATUS_CODES,
} from '@leeward/engine';
import { catalogOf, isWithin } from '@leeward/engine/compiled';
import { countiesOf } from '@leeward/places/counties';
import { describe, expect, it } from 'vitest';
import { fixtureCatalog } from '../../../../../test/support/engine/fixture-catalog.ts';
import { randomHomeFile } from '../../../../../test/support/engine/random-home-files.ts';
import { borderHomes } from '../../../../../test/support/engine/random-homes.ts';
import { randomPolicy } from '../../../../../test/support/engine/random-policies.ts';
import { randomProperty, randomRuleSet } from '../../../../../test/support/engine/random-rule-sets.ts';
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
    for (let round = 0; round < testVolume(25); round++) {
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
    for (let round = 0; round < testVolume(8); round++) {
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
});
