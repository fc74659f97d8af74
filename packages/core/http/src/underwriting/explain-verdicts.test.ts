import { type CatalogEntry, createCatalog } from '@leeward/engine';
import { describe, expect, it } from 'vitest';
import { ask, sampleService } from '../../../../../test/support/sample-service.ts';
import { decisionSchema, type WireDecision } from './decision-schema.ts';
import { MAX_EXPLAINED } from './explain-verdicts.ts';
import type { WireTree } from './explanation-schema.ts';

const home = {
  state: 'tx',
  policy_type: 'ho3',
  year_built: 1987,
  roof_type: '3-tab shingle',
  roof_age: 22,
  total_claims: 1,
};

async function decide(body: object, leeward = sampleService()): Promise<WireDecision> {
  const response = await ask(leeward, '/v1/underwrite/home', { body: { explain: true, ...body } });
  const decision = (await response.json()) as WireDecision;
  expect({ status: response.status, decision }).toMatchObject({ status: 200 });
  expect(decisionSchema.parse(decision)).toEqual(decision);
  return decision;
}

const nodesOf = (tree: WireTree): number => (tree.kind === 'test' ? 1 : 1 + tree.children.map(nodesOf).reduce(sum, 0));
const sum = (a: number, b: number) => a + b;

describe('explain', () => {
  it('is omitted unless requested', async () => {
    for (const verdict of (await decide({ ...home, explain: null })).declined) {
      expect(Object.keys(verdict)).not.toContain('explanation');
      expect(Object.keys(verdict)).not.toContain('would_change');
    }
  });

  it('lists the deciding rules with their tests and the values of the home', async () => {
    const { declined } = await decide(home);
    expect(declined[0]?.explanation).toMatchObject({
      evaluator: 'compiled',
      decided_by: [
        {
          rule_id: 'roof',
          kind: 'rule',
          outcome: 'decline',
          code: 'roof_age',
          message: 'A 3-tab roof may be 15 years old; this one is 22.',
          program: 'tx',
          truth: 'true',
          tests: [
            { fact: 'roof_type', operator: 'equal', limit: '3-tab shingle', value: '3-tab shingle', truth: 'true' },
            {
              fact: 'roof_age',
              operator: 'greaterThan',
              limit: 15,
              field: 'roof_age',
              label: 'age of the roof',
              unit: 'years',
              value: 22,
              truth: 'true',
              text: 'Age of the roof: 22 years, which is more than 15 years.',
            },
          ],
        },
      ],
    });
    const [, roof] = declined[0]!.explanation!.rules;
    expect(declined[0]!.explanation!.rules.map(({ rule_id, truth }) => [rule_id, truth])).toEqual([
      ['claims', 'false'],
      ['roof', 'true'],
    ]);
    expect(roof!.tree).toMatchObject({
      kind: 'all',
      truth: 'true',
      children: [
        { kind: 'test', fact: 'roof_type' },
        { kind: 'test', fact: 'roof_age' },
      ],
    });
  });

  it('lists the smallest changes, and each gives the stated status', async () => {
    const { carriers, declined } = await decide(home);
    expect(carriers[0]).not.toHaveProperty('would_change');
    const { ways, ...rest } = declined[0]!.would_change!;
    expect(rest).toEqual({ aim: 'eligible', outcome: 'ways', blocked_by: [] });
    expect(ways.map(({ changes }) => changes.map(({ field, from, to }) => [field, from, to]))).toEqual([
      [['roof_age', 22, 15]],
      [['roof_type', '3-tab shingle', expect.any(String)]],
    ]);
    expect(ways[0]!.changes[0]).toMatchObject({
      label: 'age of the roof',
      unit: 'years',
      text: expect.stringContaining('15'),
    });
    for (const { changes, becomes } of ways) {
      const changed = Object.fromEntries(changes.map(({ field, to }) => [field, to]));
      const again = await decide({ ...home, ...changed });
      const verdict = [...again.carriers, ...again.declined].find(({ carrier_key }) => carrier_key === 'bluestem');
      expect(verdict?.status).toBe(becomes);
    }
  });

  it('tells what a missing field leaves open', async () => {
    const { carriers } = await decide({ state: 'tx', policy_type: 'ho3' });
    const open = carriers.find(({ carrier_key }) => carrier_key === 'bluestem')!;
    expect(open.status).toBe('needs_information');
    expect(open.explanation!.decided_by.map(({ truth }) => truth)).toEqual(['undecided', 'undecided']);
    expect(open.explanation!.decided_by[0]!.tests[0]).toMatchObject({ fact: 'total_claims', value: null });
  });

  it('names bounds, a territory and a moratorium in wire names', async () => {
    const { declined } = await decide({ state: 'fl', policy_type: 'ho3', as_of: '2026-09-25T00:00:00Z' });
    expect(declined[0]).toMatchObject({
      explanation: { decided_by: [{ rule_id: 'storm', kind: 'moratorium', program: null, truth: 'true' }] },
      would_change: { outcome: 'none_helps', ways: [], blocked_by: [{ rule_id: 'storm', temporary: true }] },
    });
    const year = await decide({ state: 'tx', policy_type: 'ho3', year_built: 2020 });
    const tests = year.carriers.flatMap(({ explanation }) => explanation!.rules.flatMap((rule) => rule.tests));
    expect(tests).toContainEqual(
      expect.objectContaining({
        fact: 'roof_age',
        inferred: true,
        value: { min: expect.any(Number), max: expect.any(Number) },
      }),
    );
  });

  it('explains the answered verdicts, up to the limit of an answer', async () => {
    const carrier = (index: number): CatalogEntry => ({
      file: {
        format: 1,
        carrier: { key: `carrier_${index}`, name: `Carrier ${String(index).padStart(3, '0')}` },
        line: 'home',
        version: '1',
        effective: { from: '2020-01-01', until: null },
        programs: [
          {
            id: 'all',
            policy_types: ['ho3'],
            states: ['tx'],
            rules: [
              {
                id: 'age',
                outcome: 'decline',
                code: 'home_age',
                when: { all: [{ fact: 'year_built', operator: 'lessThan', value: index % 2 === 0 ? 1900 : 2000 }] },
                message: 'Too old.',
              },
            ],
          },
        ],
      },
    });
    const catalog = createCatalog(Array.from({ length: MAX_EXPLAINED + 20 }, (_, index) => carrier(index)));
    const leeward = sampleService({ underwriting: { catalog } });
    const all = await decide(home, leeward);
    const entries = [...all.carriers, ...all.declined];
    expect(entries.filter(({ explanation }) => explanation).length).toBe(MAX_EXPLAINED);
    expect(entries.slice(0, MAX_EXPLAINED).every(({ explanation }) => explanation)).toBe(true);
    expect(all.warnings).toMatchObject([
      { code: 'explanation_truncated', path: '/explain', message: expect.stringContaining('20 of 120') },
    ]);
    const some = await decide({ ...home, include_declined: false }, leeward);
    expect(some.carriers).toHaveLength(60);
    expect(some.carriers.every(({ explanation }) => explanation)).toBe(true);
    expect(some.warnings).toEqual([]);
  });

  it('stops when an answer has too many conditions', async () => {
    const tests = Array.from({ length: 1500 }, (_, index) => ({
      fact: 'total_claims',
      operator: 'equal',
      value: index,
    }));
    const rules = ['a', 'b', 'c', 'd'].map((id) => ({
      id,
      outcome: 'decline',
      code: 'claims',
      when: { any: tests },
      message: 'Claims.',
    }));
    const catalog = createCatalog(
      Array.from({ length: 6 }, (_, index) => ({
        file: {
          format: 1,
          carrier: { key: `c_${index}`, name: `C ${index}` },
          line: 'home',
          version: '1',
          effective: { from: '2020-01-01', until: null },
          programs: [{ id: 'all', policy_types: ['ho3'], states: ['tx'], rules }],
        },
      })),
    );
    const { carriers, declined, warnings } = await decide(home, sampleService({ underwriting: { catalog } }));
    const explained = [...carriers, ...declined].filter(({ explanation }) => explanation);
    expect(explained.length).toBeGreaterThan(1);
    expect(explained.length).toBeLessThan(6);
    const nodes = explained.flatMap(({ explanation }) => explanation!.rules.map(({ tree }) => nodesOf(tree!)));
    expect(nodes.reduce(sum, 0)).toBeLessThan(30_000);
    expect(warnings).toMatchObject([{ code: 'explanation_truncated' }]);
  });
});
