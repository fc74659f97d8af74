import { checkRuleSet, createCatalog, parseRequest } from '@leeward/engine';
import { describe, expect, it } from 'vitest';
import { ruleFile, ruleSetFile, test } from '../../../../test/support/engine/rule-set-file.ts';
import { analyseRuleSet } from './analysis/analyse.ts';
import { diffRuleSets } from './diff/diff.ts';
import { askedAt } from './finding/asked-at.ts';
import { recordDecision, replayDecision } from './replay/index.ts';

const now = new Date('2026-11-20T12:00:00Z');
const box = (north: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [-95.5, 29],
      [-95, 29],
      [-95, north],
      [-95.5, north],
      [-95.5, 29],
    ],
  ],
});
const fileWith = (north: number, zipcodes: readonly string[] = ['77550']) =>
  ruleSetFile({
    areas: { bay: box(north), closed: { zipcodes } },
    rules: [
      ruleFile({ id: 'bay', message: 'In the bay.', when: { all: [test('location', 'within', 'bay')] } }),
      ruleFile({
        id: 'near',
        outcome: 'refer',
        message: 'Near the bay.',
        when: { all: [{ miles_to: 'bay', operator: 'lessThan', value: 2 }] },
      }),
      ruleFile({ id: 'closed', message: 'Closed.', when: { all: [test('location', 'within', 'closed')] } }),
    ],
  });
const ruleSetOf = (file: unknown) => {
  const { ruleSet, faults } = checkRuleSet(file);
  if (!ruleSet) throw new Error(JSON.stringify(faults));
  return ruleSet;
};
const propertyOf = (body: object) => {
  const parsed = parseRequest({ state: 'tx', county: 'harris', policy_type: 'ho3', ...body }, { now });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.request.property;
};

describe('rules on areas', () => {
  it('are analysed with example homes that have a position', async () => {
    const ruleSet = ruleSetOf(fileWith(29.4));
    const { findings } = analyseRuleSet(ruleSet, { at: askedAt(now.getTime()) });
    const gap = findings.find(({ code }) => code === 'gap_rules');
    expect(gap?.message).toContain('distance to "bay" 2 miles and more');
    const catalog = createCatalog([{ file: fileWith(29.4) }]);
    const [verdict] = (await catalog.decide(propertyOf(gap!.example as object))).verdicts;
    expect(verdict?.status).toBe('eligible');
  });

  it('are compared: an edited area is a change, described and shown by a home', async () => {
    const newer = ruleSetOf(fileWith(29.6, ['77550', '77551']));
    const { findings } = diffRuleSets(ruleSetOf(fileWith(29.4)), newer, { at: askedAt(now.getTime()) });
    expect(findings.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        'The area "bay" was edited: its outline moved (5 positions).',
        'The area "closed" was edited: ZIP codes added: 77551.',
        'The rule "bay" was edited: the area "bay" that it uses was edited.',
        'The rule "closed" was edited: the area "closed" that it uses was edited.',
      ]),
    );
    const declined = findings.find(({ code, ruleId }) => code === 'newly_declined' && ruleId === 'bay');
    const statusOf = async (north: number) =>
      (await createCatalog([{ file: fileWith(north) }]).decide(propertyOf(declined!.example as object))).verdicts[0]
        ?.status;
    expect([await statusOf(29.4), await statusOf(29.6)]).toEqual([
      expect.not.stringMatching('ineligible'),
      'ineligible',
    ]);
  });

  it('are replayed from a record with the position', async () => {
    const catalog = createCatalog([{ file: fileWith(29.4) }]);
    const { decision, record } = await recordDecision(
      catalog,
      propertyOf({ lat: 29.2, lng: -95.2, radius_meters: 30 }),
    );
    expect(record.location).toEqual({ latitude: 29.2, longitude: -95.2, radius_meters: 30 });
    const stored = JSON.parse(JSON.stringify(record)) as unknown;
    expect(await replayDecision(stored, catalog)).toEqual({ decision, matches: true });
  });
});
