import { createCatalog, createProperty, type HostFact, homeVocabulary, parseRequest } from '@leeward/engine';
import type { HazardEvent } from '@leeward/engine/events';
import { choiceField, extendVocabulary, integerField } from '@leeward/engine/vocabulary';
import { describe, expect, it } from 'vitest';
import { ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import {
  randomStudioFile,
  type Studio,
  studioLine,
  studioValues,
} from '../../../../../test/support/engine/studio-line.ts';
import { createRandom, pick } from '../../../../../test/support/random.ts';
import { recordDecision } from './record-decision.ts';
import { propertyOfRecord, recordHome } from './recorded-home.ts';
import { replayDecision } from './replay-decision.ts';

const now = new Date('2026-11-20T12:00:00Z');
const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

function propertyOf(body: Record<string, unknown>, vocabulary = homeVocabulary) {
  const parsed = parseRequest(body, { now, vocabulary });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.request.property;
}

const pools = extendVocabulary(homeVocabulary, {
  fields: [
    choiceField('spa', {
      label: 'spa',
      words: ['none', 'fenced', 'open'],
      change: { kind: 'words', words: ['fenced', 'none'] },
      description: 'Kind of spa.',
    }),
    integerField('cats', { label: 'cats', unit: 'cats', min: 0, max: 20, change: { kind: 'lower' }, description: '…' }),
  ],
  codes: ['spa'],
});

describe('a decision record', () => {
  it('replays a failed host fact as unknown, and is rejected without it', async () => {
    const home = propertyOf({ state: 'tx', county: 'harris', policy_type: 'ho3', total_claims: 1 });
    const catalogWith = (flood: HostFact) =>
      createCatalog(
        ['one', 'two'].map((key) => ({
          file: ruleSetFile({
            carrier: { key, name: key },
            rules: [ruleFile({ when: { all: [test('flood', 'equal', 'VE')] }, message: 'No.' })],
          }),
        })),
        { facts: { flood } },
      );
    const failing: HostFact = () => Promise.reject(new Error('out of reach'));
    const { decision, record } = await recordDecision(catalogWith(failing), home);
    expect(record.host_facts).toEqual([{ fact: 'flood', params: {}, policy_type: 'ho3', county: '48201' }]);
    expect(await replayDecision(record, catalogWith('VE'))).toEqual({ decision, matches: true });
    await expect(replayDecision({ ...record, host_facts: [] }, catalogWith(failing))).rejects.toMatchObject({
      code: 'host_fact_missing',
    });
  });

  it('keeps the location of a home, and leaves it out if no rule depends on it', async () => {
    const home = propertyOf({ state: 'tx', policy_type: 'ho3', lat: 29.7, lng: -95.4, radius_meters: 30 });
    const written = stored(recordHome(home));
    expect(written.location).toEqual({ latitude: 29.7, longitude: -95.4, radius_meters: 30 });
    expect(propertyOfRecord(written, homeVocabulary)).toEqual(home);
    const { record } = await recordDecision(createCatalog([{ file: ruleSetFile({ rules: [] }) }]), home);
    expect(record.location).toBeUndefined();
    expect(record.located).toBe(true);
  });

  it('keeps the events that its rules can match, and replays them years later', async () => {
    const isNear = {
      count: 'events',
      where: {
        all: [
          test('kind', 'equal', 'hurricane'),
          test('hours_since_end', 'lessThan', 72),
          test('miles_from_home', 'lessThan', 100),
        ],
      },
      operator: 'greaterThanInclusive',
      value: 1,
    };
    const moratoria = [{ id: 'storm', when: { all: [isNear] }, message: 'Suspended: {event}.' }];
    const catalog = createCatalog([{ file: ruleSetFile({ rules: [], moratoria }) }]);
    const position = { latitude: 29.2, longitude: -95 };
    const events: HazardEvent[] = [
      {
        id: 'ida',
        kind: 'hurricane',
        name: 'Ida',
        position,
        from: '2026-11-18T00:00:00Z',
        until: '2026-11-19T00:00:00Z',
      },
      { id: 'far', kind: 'hurricane', position: { latitude: 20, longitude: -60 }, from: '2026-11-18T00:00:00Z' },
      { id: 'quake', kind: 'earthquake', position, from: '2026-11-18T00:00:00Z' },
      { id: 'later', kind: 'hurricane', position, from: '2026-11-21T00:00:00Z' },
    ];
    const home = propertyOf({ state: 'tx', policy_type: 'ho3', lat: 29.7, lng: -95.4 });
    const { decision, record } = await recordDecision(catalog, { ...home, events });
    expect(decision.verdicts[0]).toMatchObject({
      status: 'ineligible',
      reasons: [{ message: 'Suspended: Hurricane Ida.', temporary: true, endsAt: '2026-11-22T00:00:00.000000Z' }],
    });
    expect(record.events).toEqual([events[0]]);
    expect(record.location).toMatchObject({ latitude: 29.7 });
    expect(await replayDecision(stored(record), catalog)).toEqual({ decision, matches: true });
    const none = await recordDecision(catalog, { ...home, events: [] });
    expect(none.record.events).toEqual([]);
    const unknown = await recordDecision(catalog, home);
    expect(unknown.record.events).toBeUndefined();
    expect(unknown.decision.verdicts[0]).toMatchObject({ missingFields: ['events'] });
    for (const each of [none, unknown]) {
      expect(await replayDecision(stored(each.record), catalog)).toEqual({ decision: each.decision, matches: true });
    }
    const untested = await recordDecision(createCatalog([{ file: ruleSetFile({ rules: [] }) }]), { ...home, events });
    expect(untested.record.events).toBeUndefined();
    const wrong = { ...stored(record), events: [events[0], events[0]] };
    await expect(replayDecision(wrong, catalog)).rejects.toMatchObject({ code: 'invalid_record' });
  });

  it('holds the fields of an extended vocabulary', async () => {
    const rules = [
      ruleFile({ id: 'spa', code: 'spa', message: 'Pool.', when: { all: [test('spa', 'equal', 'open')] } }),
    ];
    const catalog = createCatalog([{ file: ruleSetFile({ rules }) }], { vocabulary: pools });
    const property = propertyOf({ state: 'tx', policy_type: 'ho3', spa: 'open', cats: 4 }, pools);
    const { decision, record } = await recordDecision(catalog, property);
    expect(record.home).toMatchObject({ spa: 'open', cats: 4 });
    expect(await replayDecision(stored(record), catalog)).toEqual({ decision, matches: true });
  });

  it('holds evidence, of values within bounds too, and replays to the same bytes', async () => {
    const when = {
      all: [
        test('roof_year.evidence_age_years', 'lessThan', 5),
        test('losses.source', 'in', ['loss_report', 'x_bureau']),
      ],
    };
    const catalog = createCatalog([{ file: ruleSetFile({ rules: [ruleFile({ when, message: 'No.' })] }) }]);
    const parsed = propertyOf({
      ...{ state: 'tx', policy_type: 'ho3', roof_type: 'tile' },
      losses: { value: [], source: 'x_bureau' },
      roof_age: { value: 3, as_of: '2023-11', source: 'permit' },
    });
    const property = createProperty({
      ...parsed,
      values: { roof_type: 'tile', roof_year: { kind: 'between', min: 2020, max: 2023 } },
    });
    const { decision, record } = await recordDecision(catalog, property);
    expect(decision.verdicts[0]!.status).toBe('ineligible');
    expect(record.home).toMatchObject({ losses: [] });
    expect(record.evidence).toEqual({
      losses: { source: 'x_bureau' },
      roof_year: { as_of: '2023-11', source: 'permit' },
    });
    expect(await replayDecision(stored(record), catalog)).toEqual({ decision, matches: true });
    const { evidence: _, ...without } = record;
    const replayed = await replayDecision(without, catalog);
    expect(replayed.matches).toBe(false);
    expect(replayed.decision.verdicts[0]!.missingFields).toEqual(['losses.source', 'roof_age.as_of']);
    const bad = replayDecision({ ...record, evidence: { roof: { as_of: '2023' } } }, catalog);
    await expect(bad).rejects.toMatchObject({ code: 'invalid_record' });
  });

  it('has no evidence if the home has none', async () => {
    const catalog = createCatalog([{ file: ruleSetFile() }]);
    const { record } = await recordDecision(catalog, propertyOf({ state: 'tx', policy_type: 'ho3', total_claims: 0 }));
    expect(Object.keys(record)).not.toContain('evidence');
  });

  it('is not made for a property of another vocabulary', async () => {
    const catalog = createCatalog([{ file: ruleSetFile() }], { vocabulary: pools });
    const stranger = propertyOf({ state: 'tx', policy_type: 'ho3', total_claims: 0 });
    await expect(recordDecision(catalog, stranger)).rejects.toThrow(/another vocabulary of the line "home"/);
  });

  it('holds fields of every kind as they were given', async () => {
    const random = createRandom(20261122);
    const fields = Object.keys(studioValues);
    const catalog = createCatalog([{ file: randomStudioFile(random) }], { vocabulary: studioLine });
    for (let each = 0; each < 50; each++) {
      const omitted = pick(random, [...fields, 'nothing']);
      const studio = Object.fromEntries(
        fields.filter((field) => field !== omitted).map((field) => [field, pick(random, studioValues[field]!)]),
      ) as Studio;
      const property = propertyOf({ ...studio, state: 'de', county: 'kent', policy_type: 'basic' }, studioLine);
      const { decision, record } = await recordDecision(catalog, property);
      expect(record.home).toMatchObject(studio);
      expect(await replayDecision(stored(record), catalog)).toEqual({ decision, matches: true });
    }
  });
});
