import { countiesOf } from '@leeward/places/counties';
import { describe, expect, it } from 'vitest';
import { randomHomeFile } from '../../../../../test/support/engine/random-home-files.ts';
import { borderHomes } from '../../../../../test/support/engine/random-homes.ts';
import { randomProperty, randomRuleSet } from '../../../../../test/support/engine/random-rule-sets.ts';
import { tinyLine } from '../../../../../test/support/engine/tiny-line.ts';
import { createRandom, pick, wholeNumber } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { carriersOf } from '../catalog/carriers-of.ts';
import { catalogOf } from '../catalog/catalog-of.ts';
import { createCatalog } from '../catalog/create-catalog.ts';
import { isCompiled } from '../compiled/compile-program.ts';
import { compiledProgram } from '../compiled/compiled-programs.ts';
import { findCompiled } from '../compiled/find-compiled.ts';
import { createProperty, type Property } from '../request/property.ts';
import type { RuleSet } from '../rule-set/rule-set.ts';
import { STATUS_CODES } from '../verdict/status-codes.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { verdictOf } from '../verdict/verdict-of.ts';
import { buildRuleTable } from './build-rule-table.ts';
import { carrierStatus } from './carrier-verdict.ts';
import { readRules } from './rule-reading.ts';

const seed = Number(process.env['LEEWARD_SEED'] ?? 20261120);

/** Statuses by box search, carrier by carrier. */
function verdictsOneByOne(ruleSets: readonly RuleSet[], property: Property): Verdict[] {
  const { vocabulary, policyType, effectiveYear } = property;
  const types = policyType === undefined ? vocabulary.policyTypes : [policyType];
  return ruleSets.flatMap((ruleSet) =>
    types.flatMap((type) => {
      const program = compiledProgram(ruleSet, type, effectiveYear, vocabulary);
      if (!program || !isCompiled(program)) return [];
      const found = findCompiled(program, property);
      return found ? [verdictOf(found, { ruleSet, source: 'catalog' }, type, property)] : [];
    }),
  );
}

function expectSame(given: readonly Verdict[], wanted: readonly Verdict[], property: Property): void {
  const byKey = new Map(given.map((verdict) => [`${verdict.carrierKey} ${verdict.policyType}`, verdict]));
  expect(given.length).toBe(wanted.length);
  for (const verdict of wanted) {
    const same = byKey.get(`${verdict.carrierKey} ${verdict.policyType}`);
    if (JSON.stringify(same) === JSON.stringify(verdict)) continue;
    expect({ verdict: same, values: property.values, counties: property.counties }).toEqual({
      verdict,
      values: property.values,
      counties: property.counties,
    });
    expect(JSON.stringify(same)).toBe(JSON.stringify(verdict));
  }
}

/** Removes fields, or replaces them by bounds. */
function blurred(home: Property, random: () => number): Property {
  const share = pick(random, [0, 0.1, 0.3, 0.5, 0.8]);
  const { vocabulary } = home;
  const values = Object.fromEntries(
    vocabulary.fields.map((field, index) => {
      const value = home.givenValues![index];
      if (field.isOnDemand) return [field.name, value];
      if (random() < share) return [field.name, undefined];
      if (random() >= 0.1) return [field.name, value];
      const domain = field.domain(home);
      if (domain.kind === 'words') {
        return [field.name, { kind: 'one of', words: domain.words.filter((word) => word === value || random() < 0.3) }];
      }
      const spread = wholeNumber(random, 0, 30);
      const [min, max] = [
        Math.max(domain.min, (value as number) - spread),
        Math.min(domain.max, (value as number) + spread),
      ];
      return [field.name, { kind: 'between', min, max }];
    }),
  );
  const roll = random();
  const counties =
    roll < 0.5
      ? home.counties
      : roll < 0.8
        ? undefined
        : countiesOf(home.state)
            .slice(0, wholeNumber(random, 1, 9))
            .map(({ fips }) => fips);
  const policyType = random() < 0.1 ? undefined : home.policyType;
  return createProperty({ ...home, policyType, counties, values: values as never });
}

describe('all carriers at once', () => {
  it(`match separate evaluation of each (boats, seed ${seed})`, () => {
    const random = createRandom(seed);
    for (let round = 0; round < testVolume(10); round++) {
      const ruleSets = Array.from({ length: wholeNumber(random, 1, 12) }, (_, index) => ({
        ...randomRuleSet(random),
        carrierKey: `c${index}`,
        carrierName: pick(random, ['Same', `c${index}`]),
      }));
      const catalog = catalogOf(carriersOf(ruleSets.map((ruleSet) => ({ ruleSet, source: 'catalog' }))), {
        vocabulary: tinyLine,
      });
      for (let each = 0; each < 10; each++) {
        const { property } = randomProperty(random);
        expectSame(catalog.decideSync(property).verdicts, verdictsOneByOne(ruleSets, property), property);
      }
    }
  });

  it(`match separate evaluation of each (homes, seed ${seed})`, () => {
    const random = createRandom(seed);
    for (let round = 0; round < testVolume(2); round++) {
      const count = round % 6 === 0 ? 70 : wholeNumber(random, 1, 8);
      const catalog = createCatalog(
        Array.from({ length: count }, (_, index) => ({ file: randomHomeFile(random, `c${index}`) })),
      );
      const ruleSets = catalog.carriers.map(({ versions }) => versions[0]!.ruleSet);
      const next = borderHomes(ruleSets, '2026-11-20', Date.UTC(2026, 10, 20), 0.6);
      for (let each = 0; each < 25; each++) {
        const property = blurred(next(random), random);
        const decision = catalog.decideSync(property);
        expectSame(decision.verdicts, verdictsOneByOne(ruleSets, property), property);
        if (property.policyType === undefined) continue;
        const codes = catalog.statusCodes(property);
        for (const { carrierKey, status } of decision.verdicts)
          expect(STATUS_CODES[codes[Number(carrierKey.slice(1))]!]).toBe(status);
      }
    }
  });

  it(`share what was searched for where their rules are the same, and only there (boats, seed ${seed})`, () => {
    const random = createRandom(seed);
    let shared = 0;
    for (let round = 0; round < testVolume(10); round++) {
      const own = Array.from({ length: 3 }, () => randomRuleSet(random));
      const ruleSets = Array.from({ length: 9 }, (_, index) => {
        const twin = structuredClone(own[index % 3]!);
        // Another message makes a different rule.
        const rules =
          index < 6 ? twin.rules : twin.rules.map((rule) => ({ ...rule, message: `${rule.message} (${index})` }));
        return { ...twin, rules, carrierKey: `c${index}`, carrierName: `c${index}` };
      });
      const catalog = catalogOf(carriersOf(ruleSets.map((ruleSet) => ({ ruleSet, source: 'catalog' }))), {
        vocabulary: tinyLine,
      });
      for (let each = 0; each < 10; each++) {
        const { property } = randomProperty(random);
        expectSame(catalog.decideSync(property).verdicts, verdictsOneByOne(ruleSets, property), property);
        const type = property.policyType ?? tinyLine.policyTypes[0]!;
        const programs = ruleSets.flatMap((ruleSet, carrier) => {
          const program = compiledProgram(ruleSet, type, property.effectiveYear, tinyLine);
          return program && isCompiled(program) ? [{ carrier, program }] : [];
        });
        if (programs.length === 0) continue;
        const reading = readRules(buildRuleTable(programs), property);
        if (!reading) continue;
        const searches = [...reading.state.carriers].filter(
          (carrier) => typeof carrierStatus(reading, carrier) !== 'number',
        );
        expect(reading.searched.length).toBe(new Set(reading.searched.map(({ findings }) => findings)).size);
        expect(reading.searched.length).toBeLessThanOrEqual(searches.length);
        shared += searches.length - reading.searched.length;
      }
    }
    expect(shared).toBeGreaterThan(0);
  });
});
