import { createCatalog, parseRequest, whatWouldChange } from '@leeward/engine';
import { createTurn } from '@leeward/engine/compiled';
import { describe, expect, it } from 'vitest';
import { decisionSchema } from './decision-schema.ts';
import { explainVerdicts } from './explain-verdicts.ts';
import { writeDecision } from './write-decision.ts';

const decline = (id: string, fact: string, value: number) => ({
  id,
  outcome: 'decline',
  code: fact === 'roof_age' ? 'roof_age' : 'claims',
  message: `{${fact}} is more than ${value}.`,
  when: { all: [{ fact, operator: 'greaterThan', value }] },
});
const tier = (rank: number, name: string, rules: readonly object[]) => ({
  id: `tx-${name.toLowerCase()}`,
  policy_types: ['ho3'],
  states: ['tx'],
  tier: { of: 'homeowners', rank, name },
  rules,
});
const catalog = createCatalog([
  {
    file: {
      format: 1,
      carrier: { key: 'pine', name: 'Pine' },
      version: '1',
      effective: { from: '2026-01-01' },
      programs: [
        tier(1, 'Preferred', [
          decline('preferred-roof', 'roof_age', 10),
          decline('preferred-claims', 'total_claims', 0),
        ]),
        tier(2, 'Standard', [decline('standard-roof', 'roof_age', 20)]),
      ],
    },
  },
]);

const home = {
  state: 'tx',
  county: 'harris',
  policy_type: 'ho3',
  total_claims: 0,
  year_built: 1990,
  roof_type: 'metal',
  roof_age: 5,
};

function requestOf(more: object) {
  const parsed = parseRequest({ ...home, ...more }, { now: new Date('2026-11-20T12:00:00Z') });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.request;
}

async function verdictOf(more: object, isExplained = false) {
  const request = requestOf(more);
  const decision = await catalog.decide(request.property);
  const explained = isExplained
    ? await explainVerdicts(catalog, request.property, decision.verdicts, createTurn())
    : undefined;
  const wire = decisionSchema.parse(
    writeDecision(request, decision, { traceId: 'trace', organizationId: null, explained }),
  );
  return [...wire.carriers, ...wire.declined][0]!;
}

const preferred = { of: 'homeowners', rank: 1, name: 'Preferred', program_id: 'tx-preferred' };
const standard = { of: 'homeowners', rank: 2, name: 'Standard', program_id: 'tx-standard' };

describe('the tiers of a verdict', () => {
  it('names the best tier that takes the home', async () => {
    const verdict = await verdictOf({ roof_age: 5 });
    expect(verdict).toMatchObject({ status: 'eligible', tier: preferred, reasons: [] });
    expect(verdict).not.toHaveProperty('better_tiers');
    expect(verdict).not.toHaveProperty('possible_tiers');
  });

  it('has what keeps the home out of a better tier, and what would change that', async () => {
    const verdict = await verdictOf({ roof_age: 12 }, true);
    expect(verdict).toMatchObject({
      status: 'eligible',
      tier: standard,
      better_tiers: [
        {
          ...preferred,
          status: 'ineligible',
          reasons: [{ rule_id: 'preferred-roof', message: '12 is more than 10.' }],
          would_change: {
            aim: 'eligible',
            outcome: 'ways',
            ways: [{ changes: [{ field: 'roof_age' }], becomes: 'eligible' }],
          },
        },
      ],
      explanation: {
        tiers: [{ program_id: 'tx-preferred', status: 'ineligible', decided_by: [{ rule_id: 'preferred-roof' }] }],
      },
    });
    expect(verdict.explanation?.rules.map(({ rule_id }) => rule_id)).toEqual(['standard-roof']);
  });

  it('lists possible tiers with the fields that each depends on', async () => {
    const verdict = await verdictOf({ total_claims: null });
    expect(verdict).toMatchObject({
      status: 'eligible',
      possible_tiers: [
        { ...preferred, status: 'needs_information', missing_fields: ['total_claims'] },
        { ...standard, status: 'eligible' },
      ],
      missing_fields: [],
    });
    expect(verdict).not.toHaveProperty('tier');
  });

  it('has the reasons of the last tier if all decline, and those of the others', async () => {
    const verdict = await verdictOf({ roof_age: 30, total_claims: 1 }, true);
    expect(verdict).toMatchObject({
      status: 'ineligible',
      reasons: [{ rule_id: 'standard-roof' }],
      other_tiers: [
        {
          ...preferred,
          status: 'ineligible',
          reasons: [{ rule_id: 'preferred-roof' }, { rule_id: 'preferred-claims' }],
        },
      ],
      would_change: { outcome: 'ways', ways: [{ changes: [{ field: 'roof_age' }], tier: 'tx-standard' }] },
    });
    expect(verdict).not.toHaveProperty('tier');
  });

  it('finds the ways into one tier on request, and refuses unknown tiers', () => {
    const { property } = requestOf({ roof_age: 30 });
    const key = { carrierKey: 'pine', policyType: 'ho3' };
    expect(whatWouldChange(catalog, property, { ...key, tier: 'tx-preferred' })).toMatchObject({
      tier: { rank: 1, name: 'Preferred' },
      status: 'ineligible',
      outcome: 'ways',
    });
    expect(() => whatWouldChange(catalog, property, { ...key, tier: 'gold' })).toThrow(
      'tier is "gold"; give the program id of a tier: tx-preferred, tx-standard.',
    );
  });
});
