import {
  type CatalogEntry,
  createCatalog,
  createProperty,
  explainVerdict,
  type Property,
  parseRequest,
} from '@leeward/engine';
import { between, ENGINE_VERSION, sha256OfJson } from '@leeward/engine/compiled';
import { createOrganizationCatalog } from '@leeward/engine/organizations';
import manifest from '@leeward/engine/package.json' with { type: 'json' };
import { canonicalJson } from '@leeward/terms';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { declinableHome } from '../../../../../test/support/engine/declinable-homes.ts';
import { fixtureCatalog, fixtureEntries, fixtureHomes } from '../../../../../test/support/engine/fixture-catalog.ts';
import { ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { createRandom } from '../../../../../test/support/random.ts';
import { recordDecision } from './record-decision.ts';
import { openDecisionRecord, replayDecision } from './replay-decision.ts';
import { ReplayError } from './replay-error.ts';
import type { RuleSetArchive } from './rule-set-archive.ts';

const entries = fixtureEntries();
const catalog = fixtureCatalog();

function propertyOf(body: Record<string, unknown>, now = new Date('2026-11-20T12:00:00Z')): Property {
  const parsed = parseRequest(body, { now });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.request.property;
}

const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

function archiveOf(files: readonly unknown[], overrides: readonly unknown[] = []): RuleSetArchive {
  const byHash = new Map([...files, ...overrides].map((file) => [sha256OfJson(file), file]));
  return ({ sha256, override_sha256 }) => ({
    file: byHash.get(sha256),
    ...(override_sha256 === undefined ? {} : { override: byHash.get(override_sha256) }),
  });
}

/** A stricter version of every carrier, in force before all dates of the test. */
const newer: CatalogEntry[] = entries.map(({ file, name }) => {
  const old = file as { effective: { from: string }; version: string; rules?: unknown[] };
  const from = `${Number(old.effective.from.slice(0, 4)) + 1}${old.effective.from.slice(4)}`;
  const never = ruleFile({ id: 'newer-never', when: { all: [test('dwelling_a', 'greaterThan', 0)] } });
  return {
    name: `${name} newer`,
    file: { ...old, version: `${old.version}.9`, effective: { from }, rules: [...(old.rules ?? []), never] },
  };
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a decision record', () => {
  it('keeps the ranges of distances that a certainty used', async () => {
    const near = ruleFile({ id: 'near', when: { all: [test('distance_to_tidal_water_feet', 'lessThan', 1000)] } });
    const file = ruleSetFile({ rules: [near], certainty: 0.9 });
    const rules = createCatalog([{ file }]);
    const property = createProperty({
      ...propertyOf({ state: 'tx', policy_type: 'ho3', lat: 29.3, lng: -94.8 }),
      values: { distance_to_tidal_water_meters: { kind: 'between', min: 280, max: 400 } },
      rangesByCertainty: { 0.9: { distance_to_tidal_water_meters: { min: 310, max: 380 } } },
    });
    const { decision, record } = await recordDecision(rules, property);
    expect(decision.verdicts[0]).toMatchObject({ status: 'eligible', certainty: 0.9 });
    expect(record.known_at).toEqual({ '0.9': { distance_to_tidal_water_meters: { min: 310, max: 380 } } });
    expect((await replayDecision(stored(record), rules)).matches).toBe(true);
    const { known_at: _, ...older } = stored(record);
    const { decision: wide } = await replayDecision(older, rules);
    expect(wide.verdicts[0]).toMatchObject({ status: 'needs_information', missingFields: ['distance_to_coast_miles'] });
  });

  it('replays to the same bytes years later, despite newer rule sets', async () => {
    const random = createRandom(3);
    const homes = [
      ...fixtureHomes().map((home) => propertyOf(home)),
      ...Array.from({ length: 40 }, () => declinableHome(random, 0.2)),
    ];
    const made = [];
    for (const property of homes) {
      const { decision, record } = await recordDecision(catalog, property);
      expect(decision).toEqual(await catalog.decide(property));
      made.push({ bytes: canonicalJson(decision), record: JSON.stringify(record) });
    }
    vi.useFakeTimers({ now: new Date('2031-02-03T04:05:06Z'), toFake: ['Date'] });
    const later = createCatalog([...entries, ...newer]);
    const archive = archiveOf(entries.map((entry) => entry.file));
    let changed = 0;
    for (const [index, { bytes, record }] of made.entries()) {
      for (const from of [later, archive]) {
        const { decision, matches } = await replayDecision(JSON.parse(record), from);
        expect(canonicalJson(decision)).toBe(bytes);
        expect(matches).toBe(true);
      }
      if (canonicalJson(await later.decide(homes[index]!)) !== bytes) changed++;
    }
    expect(changed).toBeGreaterThan(homes.length / 4);
  });

  it('keeps microseconds, bounds, alternative words, ambiguous counties and derived values', async () => {
    const base = propertyOf({
      state: 'md',
      county: 'Baltimore',
      roof_age: 2027,
      roof_type: 'metal',
      year_built: '28',
      as_of: '2026-11-20T12:00:00.123457Z',
    });
    const values = Object.fromEntries(
      base.vocabulary.fields.map((field, index) => [field.name, base.givenValues![index]]),
    );
    const property = createProperty({
      ...base,
      values: {
        ...values,
        year_built: undefined,
        distance_to_tidal_water_meters: between(900.5, 1200.25),
        usage: { kind: 'one of', words: ['primary', 'rental'] },
        acreage: between(1, 2),
      },
    });
    const { record } = await recordDecision(catalog, property);
    expect(record).toMatchObject({
      as_of: '2026-11-20T12:00:00.123457Z',
      effective_date: '2026-11-20',
      home: { state: 'md', roof_age: 2027, roof_type: 'metal' },
      counties: ['24005', '24510'],
      known: {
        distance_to_tidal_water_meters: { min: 900.5, max: 1200.25 },
        usage: { one_of: ['primary', 'rental'] },
        acreage: { min: 1, max: 2 },
      },
    });
    expect((await openDecisionRecord(stored(record), catalog)).property).toEqual(property);
    for (const home of fixtureHomes()) {
      const whole = propertyOf(home);
      const again = await openDecisionRecord(stored((await recordDecision(catalog, whole)).record), catalog);
      expect(again.property).toEqual({ ...whole, location: undefined });
    }
  });

  it('keeps the appointments, carriers and overrides of an organization', async () => {
    const own = ruleSetFile({ carrier: { key: 'our_own', name: 'Our Own' } });
    const override = { carrier_key: 'bayou_mutual', exclude: { counties: { tx: ['harris'] } } };
    const organization = createOrganizationCatalog({
      base: catalog,
      isAppointed: (key, policyType) => key.startsWith('b') && policyType !== 'dp3',
      ownRuleSets: [own],
      overrides: [override],
    });
    const property = propertyOf({ state: 'tx', county: 'harris', total_claims: 1 });
    const { decision, record } = await recordDecision(organization, property);
    expect(decision).toEqual(await organization.decide(property));
    expect(record.rule_sets.find((each) => each.carrier_key === 'bayou_mutual')).toMatchObject({
      source: 'override',
      override_sha256: sha256OfJson(override),
      policy_types: expect.not.arrayContaining(['dp3']),
    });
    const archive = archiveOf([...entries.map((entry) => entry.file), own], [override]);
    for (const from of [organization, archive]) {
      const again = await replayDecision(stored(record), from);
      expect(canonicalJson(again.decision)).toBe(canonicalJson(decision));
      expect(again.matches).toBe(true);
    }
    await expect(replayDecision(record, catalog)).rejects.toThrow('is missing');
    await expect(replayDecision(record, archiveOf([...entries.map((entry) => entry.file), own]))).rejects.toMatchObject(
      { code: 'rule_set_missing' },
    );
  });

  it('uses the recorded values of host facts instead of new ones', async () => {
    let zone = 'VE';
    const when = { all: [{ fact: 'flood', operator: 'startsWith', value: 'V', params: { map: 'new' } }] };
    const file = ruleSetFile({ rules: [ruleFile({ when, message: 'Flood zone {flood}.' })] });
    const operators = { startsWith: (fact: unknown, value: unknown) => String(fact).startsWith(String(value)) };
    const hosted = createCatalog([{ file }], { facts: { flood: async () => zone }, operators });
    const property = propertyOf({ state: 'tx', county: 'harris' });
    const { decision, record } = await recordDecision(hosted, property);
    expect(decision.counts).toMatchObject({ ineligible: 2 });
    expect(record.host_facts).toMatchObject([
      { fact: 'flood', params: { map: 'new' }, policy_type: 'ho3', value: 'VE' },
      { fact: 'flood', params: { map: 'new' }, policy_type: 'ho5', value: 'VE' },
    ]);
    zone = 'X';
    expect((await hosted.decide(property)).counts).toMatchObject({ eligible: 2 });
    expect(await replayDecision(stored(record), hosted)).toEqual({ decision, matches: true });
    expect(await replayDecision(stored(record), archiveOf([file]), { operators })).toEqual({ decision, matches: true });
    await expect(replayDecision({ ...record, host_facts: [] }, hosted)).rejects.toMatchObject({
      code: 'host_fact_missing',
    });
    const broken = createCatalog([{ file }], { facts: { flood: () => Number.NaN }, operators });
    expect((await recordDecision(broken, property)).decision.counts).toMatchObject({ needs_information: 2 });
  });

  it('records that json-rules-engine evaluated all carriers', async () => {
    const rules = [
      ruleFile({ when: { any: [test('total_claims', 'greaterThan', 2), test('total_claims', 'lessThan', 5)] } }),
    ];
    const files = [ruleSetFile({ rules })];
    const property = propertyOf({ state: 'tx', county: 'harris', policy_type: 'ho3' });
    const byReference = createCatalog([{ file: files[0] }], { evaluator: 'reference' });
    const { decision, record } = await recordDecision(byReference, property);
    expect(decision.counts.needs_information).toBe(1);
    expect((await createCatalog([{ file: files[0] }]).decide(property)).counts.ineligible).toBe(1);
    expect(await replayDecision(stored(record), archiveOf(files))).toEqual({ decision, matches: true });
  });

  it('can be explained', async () => {
    const property = propertyOf({ state: 'tx', county: 'harris', policy_type: 'ho3', roof_age: 22, roof_type: 'tile' });
    const key = { carrierKey: 'bayou_mutual', tree: true };
    const { record } = await recordDecision(catalog, property);
    const opened = await openDecisionRecord(stored(record), createCatalog([...entries, ...newer]));
    expect(await explainVerdict(opened.decider, opened.property, key)).toEqual(
      await explainVerdict(catalog, property, key),
    );
  });

  it('is rejected with the reason why it cannot be replayed', async () => {
    const property = propertyOf({ state: 'tx', county: 'harris', policy_type: 'ho3' });
    const { record } = await recordDecision(catalog, property);
    const fails = async (change: Record<string, unknown>, from = catalog) => {
      const error: unknown = await replayDecision({ ...record, ...change }, from).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(ReplayError);
      return error as ReplayError;
    };
    const few = createCatalog(entries.slice(0, 3));
    const missing = await fails({}, few);
    expect(missing.code).toBe('rule_set_missing');
    expect(missing.faults).toHaveLength(record.rule_sets.length - new Set(few.carriers.map((each) => each.key)).size);
    expect(missing.message).toContain(record.rule_sets.at(-1)!.sha256!);
    const other = await fails({ engine: '999.0.0' });
    expect([other.code, other.message]).toEqual(['engine_version', expect.stringContaining(ENGINE_VERSION)]);
    expect((await fails({ line: 'boat' })).code).toBe('other_line');
    expect((await fails({ home: { state: 'tx', rof_age: 3 } })).message).toContain('Did you mean "roof_age"?');
    expect((await fails({ known: { no_such: 1 } })).faults[0]?.path).toBe('/known/no_such');
    expect((await fails({ known: { acreage: -1 } })).code).toBe('invalid_record');
    expect((await fails({ counties: ['nowhere'], extra: 1 })).faults.length).toBeGreaterThan(1);
    for (const none of [null, 'x', [], {}, JSON.parse('{"__proto__":{"format":1}}')]) {
      const error: unknown = await replayDecision(none, catalog).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code: 'invalid_record' });
    }
    const forged = archiveOf(entries.map((entry) => entry.file));
    await expect(
      replayDecision(record, (wanted) => ({
        ...forged(wanted),
        file: { ...(entries[0]!.file as object), version: 'x' },
      })),
    ).rejects.toMatchObject({ code: 'rule_set_differs' });
    const tampered = await replayDecision({ ...record, home: { ...record.home, total_claims: 9 } }, catalog);
    expect(tampered.matches).toBe(false);
  });

  it('contains the version of the engine', () => {
    expect(ENGINE_VERSION).toBe(manifest.version);
  });
});
