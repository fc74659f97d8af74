import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CatalogEntry, createCatalog } from '@leeward/engine';
import { expect, it } from 'vitest';
import { decisionText } from './decision-text.ts';
import { judgeHome } from './underwrite-home.ts';
import { writeDecision } from './write-decision.ts';

const fixtures = join(import.meta.dirname, '../../../../fixtures');
const read = (path: string) => JSON.parse(readFileSync(join(fixtures, path), 'utf8'));
const now = new Date('2026-11-20T12:00:00Z');

/** Words that JSON must escape, in all that a carrier can say. */
const odd = {
  format: 1,
  carrier: { key: 'odd', name: 'Odd "&" <Sons> \\ Ltd' },
  version: '1"\n',
  effective: { from: '2026-01-01' },
  programs: [{ id: 'all "of" it', policy_types: ['ho3'], states: ['tx', 'fl'] }],
  moratoria: [{ id: 'storm', states: ['fl'], from: '2026-11-01T00:00:00Z', until: null, message: 'A storm – “here”.' }],
  rules: (['decline', 'refer', 'require', 'inform'] as const).map((outcome) => ({
    id: `${outcome} "1"`,
    outcome,
    code: 'roof_age',
    message: `Tab\t, “quotes”, \u2028, {roof_age} and \u{1f3e0}`,
    when: { all: [{ fact: 'roof_age', operator: 'greaterThan', value: 10 }] },
  })),
};

it('writes what JSON.stringify would write of the same decision, character by character', async () => {
  const files = readdirSync(join(fixtures, 'carriers'));
  const entries: CatalogEntry[] = [
    ...files.map((key) => ({ file: read(`carriers/${key}/rule-set.json`) })),
    { file: odd },
  ];
  const decider = createCatalog(entries);
  const homes = readdirSync(join(fixtures, 'homes')).map((name) => read(`homes/${name}`));
  let verdicts = 0;
  for (const [place, home] of homes.entries()) {
    const asked: Record<string, unknown>[] = [home];
    // With a field less and a field less, down to the state; with all that can be asked for beside.
    const fields = Object.keys(home).filter((field) => field !== 'state' && field !== 'policy_type');
    for (let from = place % 3; from < fields.length; from += 3)
      asked.push(Object.fromEntries(Object.entries(home).filter(([field]) => fields.indexOf(field) < from)));
    asked.push({ ...home, include_not_offered: true }, { ...home, include_declined: false });
    if (place % 8 === 0) asked.push({ ...home, explain: true });
    for (const body of asked) {
      const options = { decider, now, distance: undefined, caller: undefined, traceId: 'trace', organizationId: 'org' };
      const underwritten = await judgeHome(body, options as never).catch(() => undefined);
      if (!underwritten) continue;
      verdicts += underwritten[1].verdicts.length;
      expect(decisionText(...underwritten)).toBe(JSON.stringify(writeDecision(...underwritten)));
    }
  }
  expect(verdicts).toBeGreaterThan(2_000);
});
