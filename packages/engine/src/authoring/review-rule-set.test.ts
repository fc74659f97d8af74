import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fixtureFiles } from '../testing/fixture-carriers.ts';
import { ruleFile, ruleSetFile, test } from '../testing/rule-set-file.ts';
import { type ReviewInput, reviewRuleSet } from './review-rule-set.ts';
import { createReviewThread } from './review-thread.ts';

const input = (file: unknown, changes: Partial<ReviewInput> = {}): ReviewInput => ({
  file,
  cases: undefined,
  inForce: [],
  atMs: Date.parse('2026-11-20T12:00:00Z'),
  fromStranger: false,
  maxFindings: 50,
  ...changes,
});

const claims = (limit: number) =>
  ruleFile({ id: 'claims', when: { all: [test('total_claims', 'greaterThan', limit)] }, message: 'Claims.' });

describe('A review of a rule set', () => {
  it('is all faults of a file that is none, and nothing else', async () => {
    const review = await reviewRuleSet(input({ format: 2 }));
    expect(review.faults.length).toBeGreaterThan(1);
    expect(review.reviewed).toBeUndefined();
  });

  it('runs the cases, and compares with the version whose place is taken', async () => {
    const older = ruleSetFile({ version: '1', rules: [claims(2)] });
    const newer = ruleSetFile({ version: '2', rules: [claims(4)] });
    const home = { state: 'tx', county: 'harris', total_claims: 3 };
    const cases = [
      {
        note: 'three',
        as_of: '2026-11-20T12:00:00Z',
        effective_date: '2026-12-01',
        home,
        policy_type: 'ho3',
        expect: { status: 'ineligible' },
      },
    ];
    const { reviewed } = await reviewRuleSet(input(newer, { cases, inForce: [older] }));
    expect(reviewed?.identity).toMatchObject({ version: '2' });
    expect(reviewed?.cases).toMatchObject({ run: 1, failures: [{ code: 'case_fails', path: '/0/expect/status' }] });
    expect(reviewed?.changes.map(({ code }) => code)).toContain('newly_accepted');
    expect((await reviewRuleSet(input(older, { cases, inForce: [older] }))).reviewed).toMatchObject({
      cases: { run: 1, failures: [] },
      changes: [],
    });
  });

  it('counts what it leaves out', async () => {
    const rules = Array.from({ length: 9 }, (_, index) => ({ ...claims(3), id: `claims-${index}` }));
    const { reviewed } = await reviewRuleSet(input(ruleSetFile({ rules }), { maxFindings: 2 }));
    const total = Object.values(reviewed!.unexplained).reduce((sum, each) => sum + each);
    expect([reviewed!.findings.length, reviewed!.omitted]).toEqual([2, total - 2]);
    expect(total).toBeGreaterThan(7);
  });

  it('is the same from a thread, for carriers there are', async () => {
    const thread = createReviewThread();
    const inputs = fixtureFiles()
      .filter(({ name }) => name.endsWith('/rule-set.json'))
      .slice(0, 6)
      .map(({ name, file }) => {
        const cases = new URL(`../../../../fixtures/carriers/${name.replace('rule-set', 'cases')}`, import.meta.url);
        return input(file, { cases: JSON.parse(readFileSync(cases, 'utf8')), inForce: [file] });
      });
    const reviews = await Promise.all(inputs.map((each) => thread.review(each)));
    for (const [index, review] of reviews.entries()) {
      expect(review).toEqual(await reviewRuleSet(inputs[index]!));
      expect(review.reviewed?.cases.failures).toEqual([]);
    }
    await thread.close();
  });
});
