import { describe, expect, it } from 'vitest';
import { fixtureCatalog, fixtureEntries, fixtureHomes } from '../../../../../test/support/engine/fixture-catalog.ts';
import { createRandom } from '../../../../../test/support/random.ts';
import { cellsOfRow } from '../../../../../test/support/test-volume.ts';
import { parseRequest } from '../request/parse-request.ts';
import { STATUS_CODES } from '../verdict/status-codes.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { createCatalog } from './create-catalog.ts';

const now = new Date('2026-11-20T12:00:00Z');
const seed = Number(process.env['LEEWARD_SEED'] ?? 20261120);

const entries = fixtureEntries();
const homes = fixtureHomes();
const compiled = fixtureCatalog();
const reference = createCatalog(entries, { evaluator: 'reference' });

function propertyOf(body: Record<string, unknown>) {
  const parsed = parseRequest(body, { now });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.request.property;
}

const keyOf = (verdict: Verdict) => `${verdict.carrierKey} ${verdict.policyType}`;

describe('a catalog', () => {
  it('matches json-rules-engine, and is never less certain', async () => {
    const random = createRandom(seed);
    let surer = 0;
    let compared = 0;
    let asked = 0;
    for (const [row, home] of homes.entries()) {
      for (const share of cellsOfRow([0, 0.1, 0.3], row, 3)) {
        asked++;
        const body = Object.fromEntries(
          Object.entries(home).filter(([key]) => key === 'state' || random() >= share),
        ) as Record<string, unknown>;
        if (!('roof_age' in body) || !('roof_type' in body)) {
          delete body['roof_age'];
          delete body['roof_type'];
        }
        delete body['lat'];
        delete body['lng'];
        const property = propertyOf(body);
        const ours = compiled.decideSync(property);
        const theirs = await reference.decide(property);
        expect(ours.counts.not_offered).toBe(theirs.counts.not_offered);
        const byKey = new Map(ours.verdicts.map((verdict) => [keyOf(verdict), verdict]));
        expect(byKey.size).toBe(theirs.verdicts.length);
        for (const verdict of theirs.verdicts) {
          const mine = byKey.get(keyOf(verdict))!;
          compared++;
          if (verdict.status !== 'needs_information') {
            expect(mine.status).toBe(verdict.status);
            // If several rules decide jointly, json-rules-engine names all that may hold, compiled rules a minimal set.
            for (const reason of mine.reasons) expect(verdict.reasons).toContainEqual(reason);
            if (home['county'] !== undefined && share === 0) expect(mine.reasons.length).toBe(verdict.reasons.length);
          } else {
            if (mine.status !== verdict.status) surer++;
            for (const status of mine.possibleStatuses) expect(verdict.possibleStatuses).toContain(status);
          }
          for (const requirement of verdict.requirements) expect(mine.requirements).toContainEqual(requirement);
        }
      }
    }
    expect(compared).toBeGreaterThan(6 * asked);
    expect(surer).toBeLessThan(compared / 10);
  });

  it('says the same in statusCodes, declines and decisions', () => {
    for (const home of homes) {
      const property = propertyOf(home);
      const decision = compiled.decideSync(property);
      const codes = compiled.statusCodes(property);
      const count = (of: Uint8Array, code: number) => [...of].filter((each) => each === code).length;
      STATUS_CODES.forEach((status, code) => {
        expect(count(codes, code), status).toBe(status === 'not_judged' ? 0 : decision.counts[status]);
      });
      const declines = new Map(
        compiled.declines(property).map((each) => [`${each.carrierKey} ${each.policyType}`, each]),
      );
      for (const verdict of decision.verdicts) {
        if (verdict.status !== 'ineligible') continue;
        const decline = declines.get(keyOf(verdict));
        expect(decline?.reasons).toEqual(verdict.reasons);
        declines.delete(keyOf(verdict));
      }
      expect([...declines.keys()]).toEqual([]);
      const types = property.policyType === undefined ? compiled.vocabulary.policyTypes : [property.policyType];
      expect(codes.length).toBe(types.length * compiled.carriers.length);
      expect([...codes].filter((code) => code === 0).length).toBe(decision.counts.not_offered);
    }
  });

  it('names the evaluator of each rule set', () => {
    expect(compiled.evaluators.every((each) => each.evaluator === 'compiled')).toBe(true);
    const hosted = createCatalog(
      [
        {
          file: {
            format: 1,
            carrier: { key: 'hosted', name: 'Hosted' },
            version: '1',
            effective: { from: '2026-01-01' },
            programs: [
              {
                id: 'all',
                policy_types: ['ho3'],
                states: ['tx'],
                rules: [
                  {
                    id: 'flood',
                    outcome: 'decline',
                    code: 'x_map_zone',
                    message: 'Flood zone {map_zone}.',
                    when: { all: [{ fact: 'map_zone', operator: 'startsWith', value: 'V' }] },
                  },
                ],
              },
            ],
          },
        },
      ],
      {
        facts: { map_zone: async () => 'VE' },
        operators: { startsWith: (fact, value) => String(fact).startsWith(String(value)) },
      },
    );
    expect(hosted.evaluators).toEqual([
      { carrierKey: 'hosted', version: '1', evaluator: 'reference', reason: expect.stringContaining('map_zone') },
    ]);
    const property = propertyOf({ state: 'tx', policy_type: 'ho3' });
    expect(hosted.decideSync(property)).toMatchObject({
      verdicts: [],
      notEvaluated: [{ carrierKey: 'hosted', carrierName: 'Hosted', policyType: 'ho3', code: 'needs_host' }],
    });
    return expect(hosted.decide(property)).resolves.toMatchObject({ verdicts: [{ status: 'ineligible' }] });
  });
});
