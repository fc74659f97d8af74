import { createCatalog, parseRequest } from '@leeward/engine';
import { expect, it } from 'vitest';
import { decisionSchema } from './decision-schema.ts';
import { writeDecision } from './write-decision.ts';

const offer = (id: string, terms: object, all: readonly object[] = []) => ({
  id,
  outcome: 'offer',
  code: 'deductible',
  message: `Terms of ${id}.`,
  when: { all },
  terms,
});
const steps = [{ below: 1, min: 5 }, { below: 5, min: 3 }, { min: 2 }];
const catalog = createCatalog([
  {
    file: {
      format: 1,
      carrier: { key: 'bayou', name: 'Bayou Mutual' },
      version: '1',
      effective: { from: '2026-01-01' },
      rules: [
        offer('wind', { named_storm_deductible_percent: { by: 'distance_to_coast_miles', steps } }),
        offer('roof', { roof_settlement: 'actual cash value' }, [
          { fact: 'roof_age', operator: 'greaterThan', value: 10 },
        ]),
      ],
      programs: [{ id: 'tx', policy_types: ['ho3'], states: ['tx'] }],
    },
  },
]);

function verdictOf(home: object) {
  const parsed = parseRequest({ state: 'tx', policy_type: 'ho3', ...home }, { now: new Date('2026-11-20T12:00:00Z') });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  const decision = writeDecision(parsed.request, catalog.decideSync(parsed.request.property), {
    traceId: 'trace',
    organizationId: null,
  });
  return decisionSchema.parse(decision).carriers[0]!;
}

it('writes certain and possible terms under their names on the wire', () => {
  const { status, terms, possible_terms } = verdictOf({});
  const wind = { code: 'deductible', message: 'Terms of wind.', rule_id: 'wind' };
  expect(status).toBe('eligible');
  expect(terms).toEqual({
    named_storm_deductible_percent: { min: 2, text: 'named storm deductible: at least 2 %', rules: [wind] },
  });
  expect(possible_terms).toMatchObject({
    named_storm_deductible_percent: { min: 5, rules: [wind], fields: ['address'] },
    roof_settlement: {
      may_exclude: ['replacement cost', 'payment schedule'],
      text: 'roof settlement: actual cash value',
      fields: ['roof_age', 'roof_type'],
    },
  });
});

it('omits terms that no offer sets', () => {
  const known = { distance_to_coast_miles: 0.5, roof_age: 12, roof_type: 'metal' };
  const verdict = verdictOf(known);
  expect(verdict.terms).toMatchObject({
    named_storm_deductible_percent: { min: 5 },
    roof_settlement: { one_of: ['actual cash value'] },
  });
  expect(verdict).not.toHaveProperty('possible_terms');
  expect(verdictOf({ ...known, roof_age: 5 }).terms).not.toHaveProperty('roof_settlement');
});
