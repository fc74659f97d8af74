import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decisionSchema, type WireVerdict } from '@leeward/http';
import { describe, expect, it } from 'vitest';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const fixtures = fileURLToPath(new URL('../../../../../fixtures/', import.meta.url));
const ruleSetOf = (carrier: string) => join(fixtures, 'carriers', carrier, 'rule-set.json');
const homeOf = (name: string) => readFileSync(join(fixtures, 'homes', `${name}.json`), 'utf8');
const bayou = ruleSetOf('bayou_mutual');
const harris = homeOf('harris-tx-1987-3-tab');
const asOf = ['--as-of', '2026-11-20'];

async function inWords(ruleSet: string, home: string | object, ...words: string[]): Promise<string> {
  const input = typeof home === 'string' ? home : JSON.stringify(home);
  const { code, output } = await runWords(['rules', 'explain', ruleSet, '-', ...asOf, ...words], { input });
  expect(code).toBe(0);
  return output;
}

async function inJson(ruleSet: string, home: string | object) {
  const output = await inWords(ruleSet, home, '--format', 'json');
  return JSON.parse(output) as {
    findings: Record<string, unknown>[];
    as_of: string;
    effective_date: string;
    verdicts: WireVerdict[];
  };
}

describe('leeward rules explain', () => {
  it('uses and states the certainty of the rule set', async () => {
    using folder = temporaryFolder();
    const explainAt = async (feet: number, certainty?: number) => {
      const when = { all: [{ fact: 'distance_to_tidal_water_feet', operator: 'lessThan', value: feet }] };
      const rule = { id: 'near', outcome: 'decline', code: 'distance_to_coast', message: 'Near.', when };
      const file = {
        format: 1,
        carrier: { key: 'shore', name: 'Shore' },
        version: '1',
        effective: { from: '2020-01-01' },
        ...(certainty === undefined ? {} : { certainty }),
        programs: [{ id: 'fl', policy_types: ['ho3'], states: ['fl'], rules: [rule] }],
      };
      writeFileSync(join(folder.path, 'rule-set.json'), JSON.stringify(file));
      const home = { state: 'fl', policy_type: 'ho3', lat: 25.7826, lng: -80.1341 };
      return inWords(join(folder.path, 'rule-set.json'), home);
    };
    // Find the longest limit inside the range of the distance.
    let feet = 100;
    while (!(await explainAt(feet + 50)).includes('HO3: ineligible')) feet += 50;
    expect(await explainAt(feet)).toContain('HO3: needs information');
    expect(await explainAt(feet)).not.toContain('certainty');
    const sure = await explainAt(feet, 0.6);
    expect(sure).toContain('HO3: ineligible');
    expect(sure).toContain('Measured distances decide with a certainty of 60 %.');
  });

  it('tells the rules with their tests and values, worst first, and what would change the answer', async () => {
    expect(await inWords(bayou, harris)).toBe(`Bayou Mutual 2025.1.1, as of 2026-11-20 12:00 UTC, effective 2026-11-20.

HO3: ineligible
  declines: tx-roof-3-tab (age of the roof)  A 3-tab roof may be 15 years old; this one is 22.
    ✓ every one of these:
      ✓ Roof type: 3-tab shingle.
      ✓ Age of the roof: 22 years, which is more than 15 years.
  requires: tx-four-point (four-point inspection)  Homes over 30 years need a four-point inspection; this one was built in 1987.
    ✓ Age of the home: 39 years, which is more than 30 years.
  It would be eligible with age of the roof: at most 15 years (now 22 years).
  It would be eligible with roof type: slate or metal or tile or other (now 3-tab shingle).
`);
  });

  it('explains rules with unless, and facts that cannot change', async () => {
    const output = await inWords(ruleSetOf('sandspur_home'), homeOf('harris-tx-2019-townhouse'));
    expect(output).toContain(`
    ✓ not:
      ✗ Structure type: townhouse, which is not one of mobile home or manufactured.
`);
    expect(output).toContain(`
    ✓ not every one of these:
      ✓ Dwelling coverage A: $340,000, which is at least $15,000.
      ✗ Dwelling coverage A: $340,000, which is more than $200,000.
`);
    expect(output).toContain('No change by an owner gives a better answer; in the way: structure.\n');
  });

  it('lists missing facts, and the rules that depend on them', async () => {
    const output = await inWords(bayou, { state: 'tx', county: 'harris', policy_type: 'ho3', year_built: 1999 });
    expect(output).toContain('HO3: needs information\n');
    expect(output).toContain(`
    ? every one of these:
      ? Roof type: not given; not known whether it is 3-tab shingle.
      ? Age of the roof: 0 to 27 years; not known whether it is more than 15 years.
`);
    expect(output).toMatch(
      /\n {2}It can become eligible or referral or ineligible\. Missing: dwelling coverage A, .*\.\n$/,
    );
  });

  it('tells a territory, and what is certain though no single rule is', async () => {
    const output = await inWords(ruleSetOf('sunreach_property'), homeOf('fl-county-unknown'));
    const of = (type: string) => output.split(`\n${type}: `)[1]!.split('\n\n')[0]!;
    expect(of('HO8')).toBe(`ineligible
  perhaps declines: older-homes (territory)  Sunreach Property does not write HO8 everywhere in FL.
    ? County: not given; not known whether it is not one of Monroe County, FL.
  perhaps declines: ho8-too-new (age of the home)  HO8 is for homes of 40 years and more; this one was built in 2003.
    ? if the county is one where this applies:
      ✓ Age of the home: 23 years, which is less than 40 years.
  perhaps informs: sinkhole (underwriter review)  Sinkhole cover is by endorsement, with an inspection.
    ? County: not given; not known whether it is one of Hernando County, FL or Pasco County, FL or Hillsborough County, FL.
  For every value of the missing fields, one of the rules that would decline holds.
  No change by an owner gives a better answer; in the way: older-homes, ho8-too-new.`);
    expect(of('DP3')).toMatch(/^eligible\n {2}No rule declines or refers\.\n/);
  });

  it('tells a moratorium', async () => {
    const { output } = await runWords(['rules', 'explain', bayou, '-', '--as-of', '2026-09-25'], { input: harris });
    expect(output).toContain(
      'declines: gulf-storm-2026 (moratorium)  Binding is suspended for the storm in the Gulf.\n',
    );
    expect(output).toContain(
      '✓ Time of the request: 2026-09-25 12:00 UTC, which is from 2026-09-24 22:00 UTC until 2026-09-29 05:01 UTC.',
    );
    expect(output).toContain('in the way: gulf-storm-2026.');
  });

  it('says why nothing is offered', async () => {
    const home = { state: 'tx', county: 'harris', policy_type: 'wind only' };
    expect(await inWords(bayou, home)).toContain('Wind only: not offered. In TX it offers HO3, ');
    expect(await inWords(bayou, { ...home, state: 'ca', county: null })).toContain('In CA it offers nothing.');
    expect(await inWords(bayou, { ...home, effective_date: '2020-01-01' })).toContain(
      'Wind only: not offered. Version 2025.1.1 is for effective dates from 2025-01-01 on.',
    );
    const nowhere = await inWords(bayou, { ...home, county: 'broward' });
    expect(nowhere).toContain('Note on county: "broward" is not a county of Texas');
    expect(nowhere).toMatch(/\nWind only: not offered\.\n$/);
  });

  it('says at its line what does not fit', async () => {
    const wrong = await runWords(['rules', 'explain', bayou, '-'], { input: '{\n "state": "tx",\n "rof_age": 3 }' });
    expect(wrong.code).toBe(2);
    expect(wrong.output).toContain('standard input:3:');
    using folder = temporaryFolder({ 'home.json': '{' });
    expect((await runWords(['rules', 'explain', bayou, 'home.json'], { folder: folder.path })).code).toBe(2);
    expect((await runWords(['rules', 'explain', bayou, 'gone.json'], { folder: folder.path })).code).toBe(2);
  });
});

describe('leeward rules explain --format json', () => {
  it('gives each answer as the HTTP API does, and what holds or could at its place', async () => {
    const told = await inJson(bayou, harris);
    expect(told).toMatchObject({ as_of: '2026-11-20T12:00:00.000000Z', effective_date: '2026-11-20' });
    expect(told.findings.map(({ code, rule_id, path }) => [code, rule_id, path])).toEqual([
      ['rule_holds', 'tx-roof-3-tab', '/programs/0/rules/1'],
      ['rule_holds', 'tx-four-point', '/programs/0/rules/5'],
    ]);
    const [verdict] = told.verdicts;
    expect(verdict).toMatchObject({ policy_type: 'ho3', status: 'ineligible', missing_fields: [] });
    expect(verdict!.explanation!.decided_by.map((rule) => rule.rule_id)).toEqual(['tx-roof-3-tab']);
    expect(verdict!.explanation!.rules.find((rule) => rule.rule_id === 'tx-roof-3-tab')!.tree).toMatchObject({
      kind: 'all',
      truth: 'true',
      children: [
        { kind: 'test', fact: 'roof_type', operator: 'equal', limit: '3-tab shingle', truth: 'true' },
        { kind: 'test', fact: 'roof_age', operator: 'greaterThan', limit: 15, value: 22, truth: 'true' },
      ],
    });
    expect(verdict!.would_change).toMatchObject({
      aim: 'eligible',
      outcome: 'ways',
      ways: [
        { becomes: 'eligible', changes: [{ field: 'roof_age', from: 22, to: 15, ranges: [{ min: 0, max: 15 }] }] },
        { becomes: 'eligible', changes: [{ field: 'roof_type', from: '3-tab shingle' }] },
      ],
    });
  });

  it.each([
    ['sunreach_property', 'fl-county-unknown'],
    ['sandspur_home', 'harris-tx-2019-townhouse'],
    ['bayou_mutual', 'harris-tx-little-known'],
    ['gulf_rim_wind', 'galveston-tx-1998-raised'],
  ])('fits the schema of the API: %s, %s', async (carrier, home) => {
    const { verdicts } = await inJson(ruleSetOf(carrier), homeOf(home));
    expect(verdicts.length).toBeGreaterThan(0);
    expect(decisionSchema.shape.carriers.parse(verdicts)).toEqual(verdicts);
    for (const { explanation, would_change } of verdicts) expect(explanation && would_change).toBeDefined();
  });

  it('names what is not offered, at the programs', async () => {
    const told = await inJson(bayou, { state: 'ca', policy_type: 'ho3' });
    expect(told.verdicts).toEqual([
      {
        policy_type: 'ho3',
        status: 'not_offered',
        note: 'Bayou Mutual does not offer ho3 at this location on 2026-11-20.',
      },
    ]);
    expect(told.findings).toMatchObject([{ code: 'not_offered', path: '/programs' }]);
  });

  it('promises no way that does not lead there when it is taken', async () => {
    let taken = 0;
    for (const name of ['harris-tx-1987-3-tab', 'galveston-tx-1998-raised', 'travis-tx-1948-bungalow']) {
      const home = JSON.parse(homeOf(name)) as Record<string, unknown>;
      for (const carrier of ['bayou_mutual', 'pecan_grove', 'tallgrass_mutual', 'blackland_prairie']) {
        const { verdicts } = await inJson(ruleSetOf(carrier), home);
        for (const { policy_type, would_change } of verdicts) {
          for (const { changes, becomes } of would_change?.ways ?? []) {
            const changed = Object.fromEntries(changes.map(({ field, to }) => [field, to]));
            const after = await inJson(ruleSetOf(carrier), { ...home, ...changed, policy_type });
            expect({ carrier, changed, status: after.verdicts[0]!.status }).toEqual({
              carrier,
              changed,
              status: becomes,
            });
            taken++;
          }
        }
      }
    }
    expect(taken).toBeGreaterThan(5);
  });
});
