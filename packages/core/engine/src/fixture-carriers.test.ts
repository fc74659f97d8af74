import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fixtureCatalog } from '../../../../test/support/engine/fixture-catalog.ts';
import { cellsOfRow } from '../../../../test/support/test-volume.ts';
import { createCatalog } from './catalog/create-catalog.ts';
import type { Decision } from './catalog/decision.ts';
import { parseRequest } from './request/parse-request.ts';
import type { Property } from './request/property.ts';
import { checkRuleSet } from './rule-set/check.ts';
import type { Verdict } from './verdict/verdict.ts';
import { homeVocabulary } from './vocabulary/home.ts';

type Json = Record<string, unknown>;
interface Case {
  readonly note: string;
  readonly as_of: string;
  readonly effective_date: string;
  readonly home: Json;
  readonly policy_type: string;
  readonly expect: {
    readonly status: string;
    readonly codes: readonly string[];
    readonly missing_fields?: readonly string[];
  };
}

const fixtures = new URL('../../../../fixtures/', import.meta.url);
const read = <T>(path: string) => JSON.parse(readFileSync(new URL(path, fixtures), 'utf8')) as T;
const now = new Date('2026-11-20T12:00:00Z');

const carriers = readdirSync(new URL('carriers/', fixtures)).map((key, row) => ({
  key,
  row,
  files: readdirSync(new URL(`carriers/${key}/`, fixtures))
    .filter((name) => /^rule-set(\..+)?\.json$/.test(name))
    .map((name) => ({ name: `${key}/${name}`, file: read<Json>(`carriers/${key}/${name}`) })),
  cases: read<Case[]>(`carriers/${key}/cases.json`),
}));
const homes = readdirSync(new URL('homes/', fixtures)).map((name) => ({ name, body: read<Json>(`homes/${name}`) }));

function propertyOf(body: Json): Property {
  const parsed = parseRequest(body, { now });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.request.property;
}

const sorted = (words: Iterable<string>) => [...new Set(words)].sort();

describe('the carriers of the fixtures', () => {
  it('are at least sixteen with four hundred rules, each with at least a dozen cases, and no fault or warning', () => {
    expect(carriers.length).toBeGreaterThanOrEqual(16);
    let rules = 0;
    for (const { files, cases } of carriers) {
      for (const { name, file } of files) {
        const { ruleSet, faults, warnings } = checkRuleSet(file);
        expect([name, faults, warnings]).toEqual([name, [], []]);
        rules += ruleSet!.rules.length + ruleSet!.programs.reduce((sum, program) => sum + program.rules.length, 0);
      }
      expect(cases.length).toBeGreaterThanOrEqual(12);
    }
    expect(rules).toBeGreaterThanOrEqual(400);
  });

  describe.each(['compiled', 'reference'] as const)('answer by the %s evaluator', (evaluator) => {
    it.each(carriers)('as the cases of $key expect', async ({ row, files, cases }) => {
      const catalog = createCatalog(files, { evaluator });
      // json-rules-engine is slow: sample its cases.
      const asked = evaluator === 'compiled' ? cases : cellsOfRow(cases, row, 3);
      for (const { note, as_of, effective_date, home, policy_type, expect: expected } of asked) {
        const { verdicts } = await catalog.decide(propertyOf({ ...home, as_of, effective_date, policy_type }));
        const [verdict] = verdicts;
        const codes = verdict ? [...verdict.reasons, ...verdict.requirements].map((each) => each.code) : [];
        expect({ note, status: verdict?.status ?? 'not_offered', codes: sorted(codes) }).toEqual({
          note,
          status: expected.status,
          codes: sorted(expected.codes),
        });
        if (expected.missing_fields) {
          expect({ note, missing: sorted(verdict?.missingFields ?? []) }).toEqual({
            note,
            missing: sorted(expected.missing_fields),
          });
        }
      }
    });
  });
});

describe('the homes of the fixtures', () => {
  it('are at least thirty', () => {
    expect(homes.length).toBeGreaterThanOrEqual(30);
  });

  /** Optional fields of a request, with a roof's age and type as one. */
  const optional = (body: Json): string[][] => {
    const given = Object.keys(body).filter((name) => !['state', 'policy_type', 'lat', 'lng', 'address'].includes(name));
    const roof = ['roof_age', 'roof_type'];
    const single = given.filter((name) => !roof.includes(name)).map((name) => [name]);
    return given.includes('roof_age') ? [...single, roof] : single;
  };
  const all = carriers.flatMap((carrier) => carrier.files);
  const keyOf = (verdict: Verdict) => `${verdict.carrierKey} ${verdict.policyType}`;

  const asked = (names: readonly string[]) => names.map((name) => (name.startsWith('distance') ? 'address' : name));

  /** With fewer fields, a certain status may become open, but not the reverse. */
  const expectNotSurer = (name: string, dropped: readonly string[], before: Decision, after: Decision): number => {
    const known = new Map(before.verdicts.map((verdict) => [keyOf(verdict), verdict]));
    expect([name, dropped, after.verdicts.map(keyOf).sort()]).toEqual([name, dropped, [...known.keys()].sort()]);
    let opened = 0;
    for (const verdict of after.verdicts) {
      const full = known.get(keyOf(verdict))!;
      const context = [name, ...dropped, keyOf(verdict)];
      const ruledOut = full.possibleStatuses.filter((status) => !verdict.possibleStatuses.includes(status));
      if (ruledOut.length > 0) expect([...context, ruledOut]).toEqual([...context, []]);
      if (verdict.status === full.status) continue;
      if (verdict.status !== 'needs_information')
        expect([...context, verdict.status]).toEqual([...context, 'needs_information']);
      opened++;
      const unasked = asked(dropped).filter((field) => !verdict.missingFields.includes(field));
      if (full.status !== 'needs_information' && unasked.length > 0)
        expect([...context, unasked]).toEqual([...context, []]);
    }
    return opened;
  };

  it('lose no yes to a no, and no no to a yes, when any one optional field is dropped', async () => {
    const compiled = fixtureCatalog();
    let opened = 0;
    for (const [row, { name, body }] of homes.entries()) {
      const before = await compiled.decide(propertyOf(body));
      for (const dropped of cellsOfRow(optional(body), row, 3)) {
        const rest = Object.fromEntries(Object.entries(body).filter(([field]) => !dropped.includes(field)));
        opened += expectNotSurer(name, dropped, before, await compiled.decide(propertyOf(rest)));
      }
    }
    expect(opened).toBeGreaterThan(homes.length);
  });

  it('… nor by json-rules-engine, for the roof and the county', async () => {
    const reference = createCatalog(all, { evaluator: 'reference' });
    for (const { name, body } of cellsOfRow(homes, 0, 8)) {
      const before = await reference.decide(propertyOf(body));
      for (const dropped of optional(body).filter(([field]) => field === 'roof_age' || field === 'county')) {
        const rest = Object.fromEntries(Object.entries(body).filter(([field]) => !dropped.includes(field)));
        expectNotSurer(name, dropped, before, await reference.decide(propertyOf(rest)));
      }
    }
  });

  it('need the roof of the Texas home from every carrier that declines for it, and from no other', async () => {
    const body = homes.find(({ name }) => name === 'harris-tx-1987-3-tab.json')!.body;
    const { roof_age: _, roof_type: __, ...rest } = body;
    const catalog = fixtureCatalog();
    const before = await catalog.decide(propertyOf(body));
    const after = new Map(
      (await catalog.decide(propertyOf(rest))).verdicts.map((verdict) => [keyOf(verdict), verdict]),
    );
    const forTheRoof = before.verdicts.filter(
      (verdict) => verdict.status === 'ineligible' && verdict.reasons.every((reason) => reason.code.startsWith('roof')),
    );
    expect(forTheRoof.length).toBeGreaterThanOrEqual(2);
    for (const verdict of forTheRoof) {
      expect(after.get(keyOf(verdict))).toMatchObject({
        status: 'needs_information',
        missingFields: expect.arrayContaining(['roof_age', 'roof_type']),
      });
    }
  });

  it('hear of every policy type in Florida and Texas from several carriers', async () => {
    const catalog = fixtureCatalog();
    for (const state of ['fl', 'tx']) {
      for (const policy_type of homeVocabulary.policyTypes) {
        const { verdicts } = await catalog.decide(propertyOf({ state, policy_type }));
        expect([state, policy_type, verdicts.length >= 2]).toEqual([state, policy_type, true]);
      }
    }
  });
});
