import { describe, expect, it } from 'vitest';
import { declinableHome } from '../../../../../test/support/engine/declinable-homes.ts';
import { fixtureCatalog, fixtureEntries } from '../../../../../test/support/engine/fixture-catalog.ts';
import { moratorium, program, ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { createRandom, pick, wholeNumber } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { createCatalog } from '../catalog/create-catalog.ts';
import type { Knowledge } from '../request/knowledge.ts';
import { parseRequest } from '../request/parse-request.ts';
import { createProperty, type Property } from '../request/property.ts';
import { STATUS_CODES } from '../verdict/status-codes.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import type { ChangeAim } from './change-layout.ts';
import type { FieldChange } from './describe-change.ts';
import type { Counterfactual } from './find-ways.ts';
import type { NumberRange } from './nearest.ts';
import { whatWouldChange } from './what-would-change.ts';

const seed = Number(process.env['LEEWARD_SEED'] ?? 20261120);
const entries = fixtureEntries();
const catalog = fixtureCatalog();

/** Values around every number of a rule file, and every word. */
function samplesOfFields(): Map<number, readonly (number | string)[]> {
  const numbers = new Set<number>();
  const visit = (node: unknown): void => {
    if (typeof node === 'number') for (const near of [node - 1, node, node + 1]) numbers.add(near);
    else if (typeof node === 'object' && node !== null) Object.values(node).forEach(visit);
  };
  for (const { file } of entries) visit(file);
  const samples = new Map<number, readonly (number | string)[]>();
  homeVocabulary.fields.forEach((field, index) => {
    if (field.change.kind === 'never' || field.isOnDemand) return;
    const domain = field.domain({ effectiveYear: 2026 });
    if (domain.kind === 'words') samples.set(index, domain.words);
    else {
      // Roof limits are ages, but the field is a year.
      const all = field.name === 'roof_year' ? [...numbers].flatMap((age) => [2026 - age, age]) : [...numbers];
      samples.set(
        index,
        [...new Set([...all, domain.min, domain.max])].filter(
          (each) => each >= domain.min && each <= domain.max && Number.isInteger(each),
        ),
      );
    }
  });
  return samples;
}

/** Written out by hand. */
function targets(index: number, property: Property, samples: Map<number, readonly (number | string)[]>) {
  const field = homeVocabulary.fields[index]!;
  const present = property.values[index] as number | string;
  const built = property.values[homeVocabulary.fields.findIndex((each) => each.name === 'year_built')] as number;
  return samples.get(index)!.filter((value) => {
    if (value === present) return false;
    if (field.change.kind === 'words') return field.change.words.includes(value as string);
    if (field.change.kind === 'lower') return value < present;
    if (field.change.kind === 'higher') return value > present && (value as number) >= built;
    return field.change.kind === 'any';
  });
}

/** Minimum number of changed fields, up to two, found by trying all. */
function fewestByTrying(property: Property, samples: Map<number, readonly (number | string)[]>) {
  const values = [...property.values];
  const probe: Property = { ...property, values, givenValues: values };
  const count = catalog.carriers.length;
  const fewest: Record<ChangeAim, Uint8Array> = {
    eligible: new Uint8Array(count).fill(9),
    not_ineligible: new Uint8Array(count).fill(9),
  };
  const codes = new Uint8Array(count);
  const note = (changed: number) => {
    catalog.statusCodes(probe, codes);
    for (let carrier = 0; carrier < count; carrier++) {
      const status = STATUS_CODES[codes[carrier]!];
      if (status === 'eligible' && fewest.eligible[carrier]! > changed) fewest.eligible[carrier] = changed;
      if ((status === 'eligible' || status === 'referral') && fewest.not_ineligible[carrier]! > changed)
        fewest.not_ineligible[carrier] = changed;
    }
  };
  const fields = [...samples.keys()].map((index) => ({ index, to: targets(index, property, samples) }));
  note(0);
  for (const [place, a] of fields.entries()) {
    for (const value of a.to) {
      values[a.index] = value;
      note(1);
      for (const b of fields.slice(place + 1)) {
        for (const other of b.to) {
          values[b.index] = other;
          note(2);
        }
        values[b.index] = property.values[b.index];
      }
    }
    values[a.index] = property.values[a.index];
  }
  return fewest;
}

function apply(
  property: Property,
  changes: readonly FieldChange[],
  choose: (change: FieldChange) => number | string,
): Property {
  const values: Record<string, Knowledge> = {};
  homeVocabulary.fields.forEach((field, index) => {
    values[field.name] = (property.givenValues ?? property.values)[index];
  });
  for (const change of changes) {
    const field = homeVocabulary.fields.find((each) => each.requestName === change.field)!;
    const parsed = field.schema!.parse(choose(change));
    values[field.name] = field.resolve!(parsed, property) as number | string;
  }
  return createProperty({ ...property, values });
}

function statusAfter(property: Property, carrierKey: string) {
  return catalog.decideSync(property).verdicts.find((verdict) => verdict.carrierKey === carrierKey)!;
}

function anyOf(random: () => number, change: FieldChange): number | string {
  if (change.words) return pick(random, change.words);
  const range: NumberRange = pick(random, change.ranges!);
  return pick(random, [range.min, range.max, wholeNumber(random, range.min, range.max)]);
}

const fits = (way: Counterfactual, aim: ChangeAim, possible: readonly string[]) =>
  aim === 'eligible'
    ? possible.includes('eligible')
    : possible.some((status) => status !== 'ineligible') && way.becomes !== 'ineligible';

describe('what would change it', () => {
  const declined = testVolume(30);
  it(`keeps its promise for ${declined} declined complete homes, and none smaller exists (seed ${seed})`, async () => {
    const random = createRandom(seed);
    const samples = samplesOfFields();
    const reference = createCatalog(entries, { evaluator: 'reference' });
    const seen: Record<string, number> = {};
    let judged = 0;
    let microseconds = 0;
    while (judged < declined) {
      const property = declinableHome(random);
      const verdicts = catalog.decideSync(property).verdicts.filter((verdict) => verdict.status === 'ineligible');
      if (verdicts.length === 0) continue;
      const fewest = fewestByTrying(property, samples);
      for (const { carrierKey } of verdicts) {
        judged++;
        const carrier = catalog.carriers.findIndex((each) => each.key === carrierKey);
        const start = performance.now();
        const answer = whatWouldChange(catalog, property, { carrierKey });
        microseconds += (performance.now() - start) * 1000;
        const say = `${carrierKey} ${JSON.stringify([property.givenValues, property.policyType, property.counties, answer])}`;
        seen[`${answer.outcome} ${answer.aim} ${answer.ways[0]?.changes.length ?? 0}`] ??= 0;
        seen[`${answer.outcome} ${answer.aim} ${answer.ways[0]?.changes.length ?? 0}`]!++;
        expect(answer.conservative, say).toBeUndefined();
        for (const aim of answer.aim === 'eligible'
          ? (['eligible'] as const)
          : (['eligible', 'not_ineligible'] as const)) {
          const ours = aim === answer.aim && answer.outcome === 'ways' ? answer.ways[0]!.changes.length : 9;
          const tried = fewest[aim][carrier]!;
          if (ours <= 2 || tried <= 2) expect(ours, `${aim} ${say}`).toBe(tried);
        }
        for (const way of answer.ways) {
          expect(way.changes.length).toBe(answer.ways[0]!.changes.length);
          expect(
            statusAfter(
              apply(property, way.changes, (change) => change.to as number | string),
              carrierKey,
            ).status,
            say,
          ).toBe(way.becomes);
          for (let corner = 0; corner < 3; corner++) {
            const changed = apply(property, way.changes, (change) => anyOf(random, change));
            expect(fits(way, answer.aim, statusAfter(changed, carrierKey).possibleStatuses), say).toBe(true);
          }
          if (judged % 50 === 0) {
            const plain = await reference.decide(
              apply(property, way.changes, (change) => change.to as number | string),
            );
            expect(plain.verdicts.find((verdict) => verdict.carrierKey === carrierKey)?.status, say).toBe(way.becomes);
          }
        }
      }
    }
    if (process.env['LEEWARD_TEST_VOLUME'])
      console.log(judged, 'verdicts', (microseconds / judged).toFixed(1), 'µs each', seen);
    expect(Object.keys(seen).length).toBeGreaterThan(4);
  });

  const incomplete = testVolume(70);
  it(`keeps its promise where fields are missing (${incomplete} verdicts, seed ${seed})`, () => {
    const random = createRandom(seed + 1);
    const seen = new Set<string>();
    for (let judged = 0; judged < incomplete; ) {
      const property = declinableHome(random, 0.2);
      for (const { carrierKey, status } of catalog.decideSync(property).verdicts) {
        if (status !== 'ineligible' && status !== 'referral') continue;
        judged++;
        const answer = whatWouldChange(catalog, property, { carrierKey });
        const say = `${carrierKey} ${JSON.stringify([property.givenValues, property.policyType, answer])}`;
        seen.add(`${answer.outcome} ${answer.ways[0]?.becomes}`);
        for (const way of answer.ways) {
          const near = apply(property, way.changes, (change) => change.to as number | string);
          expect(statusAfter(near, carrierKey), say).toMatchObject({
            status: way.becomes,
            possibleStatuses: way.possibleStatuses,
          });
          const other = apply(property, way.changes, (change) => anyOf(random, change));
          expect(fits(way, answer.aim, statusAfter(other, carrierKey).possibleStatuses), say).toBe(true);
        }
      }
    }
    expect([...seen].sort()).toEqual(
      expect.arrayContaining(['none_helps undefined', 'ways eligible', 'ways needs_information', 'ways referral']),
    );
  });
});

describe('a way', () => {
  const now = new Date('2026-11-20T12:00:00Z');
  const home = {
    state: 'tx',
    county: 'harris',
    policy_type: 'ho3',
    dwelling_a: 100_000,
    year_built: 2015,
    roof_type: '3-tab shingle',
    roof_age: 11,
    primary_wiring: 'cloth',
    water_heater_age: 12,
    acreage: 3,
    total_claims: 4,
  };
  const ask = (rules: readonly Record<string, unknown>[], body = {}, more: Record<string, unknown> = {}) => {
    const file = ruleSetFile({
      rules: rules.map((rule, index) => ruleFile({ id: `r${index}`, message: '.', ...rule })),
      ...more,
    });
    const parsed = parseRequest({ ...home, ...body }, { now });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
    const carrier = createCatalog([{ file }]);
    return whatWouldChange(carrier, parsed.request.property, { carrierKey: 'pine_ridge' });
  };
  const all = (...tests: unknown[]) => ({ when: { all: tests } });

  it('uses the names and units of a request', () => {
    const answer = ask([
      all(test('roof_type', 'equal', '3-tab shingle'), test('roof_age', 'greaterThan', 6)),
      {
        when: {
          not: { all: [test('dwelling_a', 'greaterThanInclusive', 150_000), test('dwelling_a', 'lessThan', 1e6)] },
        },
      },
      all(test('primary_wiring', 'notIn', ['copper', 'aluminum with copalum'])),
    ]);
    expect(answer).toMatchObject({ status: 'ineligible', aim: 'eligible', outcome: 'ways', blockedBy: [] });
    const [dwelling, roof, wiring] = answer.ways[0]!.changes;
    expect(answer.ways[0]?.becomes).toBe('eligible');
    expect(dwelling).toEqual({
      field: 'dwelling_a',
      label: 'dwelling coverage A',
      unit: 'dollars',
      from: 100_000,
      to: 150_000,
      ranges: [{ min: 150_000, max: 999_999 }],
      text: 'dwelling coverage A: $150,000 to $999,999 (now $100,000)',
    });
    expect(roof).toMatchObject({
      field: 'roof_age',
      from: 11,
      to: 6,
      ranges: [{ min: 0, max: 6 }],
      text: 'age of the roof: at most 6 years (now 11 years)',
    });
    expect(wiring).toMatchObject({ field: 'primary_wiring', to: 'copper', words: ['aluminum with copalum', 'copper'] });
    expect(answer.ways[1]?.changes[1]).toMatchObject({ field: 'roof_type', to: 'architectural shingle' });
  });

  it('lists the reasons that no change removes', () => {
    expect(ask([all(test('total_claims', 'greaterThan', 2)), all(test('roof_age', 'greaterThan', 5))])).toMatchObject({
      outcome: 'none_helps',
      aim: 'not_ineligible',
      ways: [],
      blockedBy: [{ ruleId: 'r0', fields: ['total_claims'] }],
    });
    const referred = ask([
      { ...all(test('total_claims', 'greaterThan', 2)), outcome: 'refer' },
      all(test('water_heater_age', 'greaterThan', 10)),
    ]);
    expect(referred).toMatchObject({
      outcome: 'ways',
      aim: 'not_ineligible',
      ways: [{ becomes: 'referral', changes: [{ field: 'water_heater_age', from: 12, to: 10 }] }],
      blockedBy: [{ ruleId: 'r0' }],
    });
    const storm = ask([], {}, { moratoria: [moratorium({ until: '2027-01-01T00:00:00Z', states: ['tx'] })] });
    expect(storm).toMatchObject({
      outcome: 'none_helps',
      blockedBy: [{ code: 'moratorium', temporary: true, endsAt: '2027-01-01T00:00:00.000000Z' }],
    });
    const outside = ask([], {}, { programs: [program({ counties: { tx: { include: ['dallas'] } } })] });
    expect(outside).toMatchObject({ outcome: 'none_helps', blockedBy: [{ code: 'territory' }] });
    expect(ask([], { state: 'fl', county: 'bay' })).toMatchObject({ status: 'not_offered', outcome: 'none_helps' });
    expect(ask([all(test('roof_age', 'greaterThan', 20))])).toMatchObject({ outcome: 'none_needed', ways: [] });
  });

  it('never makes a roof older than its house, nor an old thing older', () => {
    // Only a roof from before 2010 would help, but the house is from 2015.
    expect(ask([all(test('roof_age', 'lessThan', 16))])).toMatchObject({ outcome: 'none_helps' });
    expect(ask([all(test('water_heater_age', 'lessThan', 20))])).toMatchObject({ outcome: 'none_helps' });
    // A roof of next year has no age: it is accepted, but not part of the range.
    expect(ask([all(test('roof_age', 'greaterThan', 0))]).ways).toMatchObject([
      { changes: [{ field: 'roof_age', to: 0, ranges: [{ min: 0, max: 0 }] }] },
    ]);
  });

  it('is cut where a test compares with another fact', () => {
    expect(ask([all(test('water_heater_age', 'greaterThan', { fact: 'home_age' }))]).ways).toMatchObject([
      { changes: [{ field: 'water_heater_age', from: 12, to: 11, ranges: [{ min: 0, max: 11 }] }] },
    ]);
  });

  it('is refused where the question means nothing', () => {
    const property = declinableHome(createRandom(1));
    for (const wrong of [{ aim: 'cheap' as never }, { maxWays: 0 }, { maxWays: 1.5 }, { policyType: 'ho9' }])
      expect(() => whatWouldChange(catalog, property, { carrierKey: 'bayou_mutual', ...wrong })).toThrow(RangeError);
    expect(() => whatWouldChange(catalog, property, { carrierKey: 'nobody' })).toThrow('nobody');
  });

  it('is of as few fields as it takes, and as many ways as there are', () => {
    const answer = ask([
      all(test('roof_age', 'greaterThan', 5), test('water_heater_age', 'greaterThan', 5)),
      all(test('roof_age', 'greaterThan', 5), test('primary_wiring', 'equal', 'cloth')),
    ]);
    expect(answer.ways.map((way) => way.changes.map((change) => change.field))).toEqual([['roof_age']]);
    const either = ask([all(test('roof_age', 'greaterThan', 5), test('primary_wiring', 'equal', 'cloth'))]);
    expect(either.ways.map((way) => way.changes.map((change) => change.field))).toEqual([
      ['roof_age'],
      ['primary_wiring'],
    ]);
  });
});
