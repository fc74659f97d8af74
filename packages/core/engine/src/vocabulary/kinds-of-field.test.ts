import { Engine, type RuleProperties } from 'json-rules-engine';
import { describe, expect, it } from 'vitest';
import {
  randomStudioFile,
  type Studio,
  studioLine,
  studioValues,
} from '../../../../../test/support/engine/studio-line.ts';
import { createRandom, pick } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { createCatalog } from '../catalog/create-catalog.ts';
import { whatWouldChange } from '../change/what-would-change.ts';
import { explainVerdict } from '../explain/explain-verdict.ts';
import { parseRequest } from '../request/parse-request.ts';
import { createProperty, type Property } from '../request/property.ts';
import { checkRuleSet } from '../rule-set/check.ts';
import { ruleSetJsonSchema } from '../rule-set/json-schema.ts';
import { toJsonRulesEngine } from '../rule-set/to-json-rules-engine.ts';
import { STATUS_CODES } from '../verdict/status-codes.ts';
import { choiceField } from './choice-field.ts';
import { createVocabulary } from './fact-index.ts';
import { flagField } from './flag-field.ts';

const seed = Number(process.env['LEEWARD_SEED'] ?? 20261122);
const files = testVolume(20);
const now = new Date('2026-11-20T12:00:00Z');
const fields = Object.keys(studioValues);

function parse(given: Studio): Property {
  const body = { ...given, state: 'de', county: 'kent', policy_type: 'basic' };
  const parsed = parseRequest(body, { now, vocabulary: studioLine });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.request.property;
}

const engines = new WeakMap<object, Engine>();
function engineOf(file: Record<string, unknown>): Engine {
  const known = engines.get(file);
  if (known) return known;
  const rules = (file['rules'] as Record<string, unknown>[]).map(
    (rule): RuleProperties => ({ conditions: rule['when'] as never, event: { type: rule['id'] as string } }),
  );
  const engine = new Engine(rules);
  engines.set(file, engine);
  return engine;
}

async function fired(file: Record<string, unknown>, studio: Studio): Promise<ReadonlySet<string>> {
  const { events } = await engineOf(file).run({ ...studio });
  return new Set(events.map((event) => event.type));
}

function statusOf(file: Record<string, unknown>, holding: ReadonlySet<string>): string {
  const outcomes = (file['rules'] as { id: string; outcome: string }[]).flatMap((rule) =>
    holding.has(rule.id) ? [rule.outcome] : [],
  );
  return outcomes.includes('decline') ? 'ineligible' : outcomes.includes('refer') ? 'referral' : 'eligible';
}

function randomStudio(random: () => number): Studio {
  return Object.fromEntries(fields.map((field) => [field, pick(random, studioValues[field]!)]));
}

/** An inspection is not older than the opening. */
function completions(given: Studio): Studio[] {
  let studios: Record<string, unknown>[] = [{ ...given }];
  for (const field of fields) {
    if (field in given) continue;
    studios = studios.flatMap((studio) => studioValues[field]!.map((value) => ({ ...studio, [field]: value })));
  }
  const isGiven = 'opened' in given && 'inspected' in given;
  return studios.filter((studio) => isGiven || String(studio['opened']) <= String(studio['inspected']));
}

describe('fields of every kind', () => {
  it(`match json-rules-engine, given or missing (seed ${seed}, ${files} files)`, async () => {
    const random = createRandom(seed);
    const seen: Record<string, number> = {};
    for (let each = 0; each < files; each++) {
      const file = randomStudioFile(random);
      const catalog = createCatalog([{ file }], { vocabulary: studioLine });
      expect(catalog.evaluators.map(({ evaluator }) => evaluator)).toEqual(['compiled']);
      const reference = createCatalog([{ file }], { vocabulary: studioLine, evaluator: 'reference' });
      const answers = new Map<string, ReadonlySet<string>>();
      const ask = async (studio: Studio) => {
        const key = JSON.stringify(fields.map((field) => studio[field]));
        if (!answers.has(key)) answers.set(key, await fired(file, studio));
        return answers.get(key)!;
      };
      for (let home = 0; home < 6; home++) {
        const whole = randomStudio(random);
        const say = JSON.stringify({ file, whole });
        const verdict = catalog.decideSync(parse(whole)).verdicts[0]!;
        const holding = await ask(whole);
        expect(verdict.status, say).toBe(statusOf(file, holding));
        expect((await reference.decide(parse(whole))).verdicts[0]!.status, say).toBe(verdict.status);
        const gone = new Set([pick(random, fields), pick(random, fields)]);
        const part = Object.fromEntries(Object.entries(whole).filter(([name]) => !gone.has(name)));
        await expectSound(catalog, file, part, ask);
        seen[verdict.status] = (seen[verdict.status] ?? 0) + 1;
      }
    }
    for (const status of ['eligible', 'referral', 'ineligible']) expect(seen[status]).toBeGreaterThan(files / 10);
  });

  async function expectSound(
    catalog: Catalog,
    file: Record<string, unknown>,
    part: Studio,
    ask: (studio: Studio) => Promise<ReadonlySet<string>>,
  ): Promise<void> {
    const property = parse(part);
    const verdict = catalog.decideSync(property).verdicts[0]!;
    const possible = new Set<string>();
    for (const studio of completions(part)) possible.add(statusOf(file, await ask(studio)));
    const say = JSON.stringify({ file, part, possible: [...possible], verdict });
    for (const status of possible) expect(verdict.possibleStatuses, say).toContain(status);
    if (!verdict.conservative) expect(new Set(verdict.possibleStatuses), say).toEqual(possible);
    for (const name of verdict.missingFields) expect(part, say).not.toHaveProperty(name);
    const code = STATUS_CODES[catalog.statusCodes(property)[0]!]!;
    if (code !== 'needs_information') expect([...possible], say).toEqual([code]);
  }

  it('reach the status that a counterfactual promises', async () => {
    const random = createRandom(seed + 1);
    const kinds = new Set<string>();
    // Enough to change every kind of field.
    for (let each = 0; each < 3 * files; each++) {
      const file = randomStudioFile(random);
      const catalog = createCatalog([{ file }], { vocabulary: studioLine });
      const studio = randomStudio(random);
      const answer = whatWouldChange(catalog, parse(studio), { carrierKey: 'studios', aim: 'eligible' });
      for (const way of answer.ways) {
        const changed: Record<string, unknown> = { ...studio };
        for (const { field, word, to, dates } of way.changes) {
          kinds.add(field);
          if (word === undefined) changed[field] = to;
          else {
            expect(to).toBe(false);
            changed[field] = (changed[field] as string[]).filter((tool) => tool !== word);
          }
          if (dates) expect(dates.some(({ min, max }) => min <= String(to) && String(to) <= max)).toBe(true);
        }
        const say = JSON.stringify({ file, studio, way });
        expect(statusOf(file, await fired(file, changed)), say).toBe('eligible');
      }
      if (answer.outcome !== 'none_helps' || answer.conservative) continue;
      for (const [field, can] of Object.entries(mayBecome(studio))) {
        for (const value of can) {
          const status = statusOf(file, await fired(file, { ...studio, [field]: value }));
          expect(status, JSON.stringify({ file, studio, field, value })).not.toBe('eligible');
        }
      }
    }
    expect([...kinds].sort()).toEqual(['alarm', 'floor', 'inspected', 'slope', 'tools', 'wall']);
  });

  function mayBecome(studio: Studio): Record<string, readonly unknown[]> {
    const later = studioValues['inspected']!.filter(
      (date) => String(date) > String(studio['inspected']) && String(date) >= String(studio['opened']),
    );
    const tools = studio['tools'] as string[];
    return {
      alarm: [true],
      inspected: later,
      tools: studioValues['tools']!.filter((some) => (some as string[]).every((tool) => tools.includes(tool))),
      floor: studioValues['floor']!,
      slope: studioValues['slope']!,
      wall: studioValues['wall']!,
    };
  }

  it('are echoed and explained as given', async () => {
    const random = createRandom(seed + 2);
    const file = randomStudioFile(random);
    const catalog = createCatalog([{ file }], { vocabulary: studioLine });
    for (let row = 0; row < 50; row++) {
      const whole = randomStudio(random);
      const gone = pick(random, [...fields, 'nothing']);
      const part = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== gone));
      const property = parse(part);
      const parsed = parseRequest({ ...part, state: 'de' }, { now, vocabulary: studioLine });
      expect(parsed.ok && parsed.request.home).toEqual({ ...part, state: 'de' });
      const { rules } = await explainVerdict(catalog, property, { carrierKey: 'studios', tree: true });
      expect(JSON.stringify(rules)).not.toMatch(/axis|:saw/);
      const given = createProperty({ ...property, values: part as never });
      expect(given).toEqual(property);
    }
  });

  it('go back to json-rules-engine, where the same rules fire', async () => {
    const random = createRandom(seed + 3);
    for (let each = 0; each < files / 4; each++) {
      const file = randomStudioFile(random);
      const { rules } = toJsonRulesEngine(checkRuleSet(file, { vocabulary: studioLine }).ruleSet!);
      const studio = randomStudio(random);
      const engine = new Engine(rules.map(({ name, conditions }) => ({ conditions, event: { type: name } })));
      const facts = { ...studio, state: 'de', policy_type: 'basic', county: '10001' };
      const theirs = new Set((await engine.run(facts)).events.map((event) => event.type));
      expect(theirs, JSON.stringify({ file, studio })).toEqual(await fired(file, studio));
    }
  });
});

const fileOf = (...tests: Record<string, unknown>[]) => ({
  format: 1,
  carrier: { key: 'studios', name: 'Studios' },
  line: 'studio',
  version: '1',
  effective: { from: '2026-01-01' },
  rules: [{ id: 'r', outcome: 'decline', code: 'rot', message: '{tools}; {alarm}; {opened}', when: { all: tests } }],
  programs: [{ id: 'all', policy_types: ['basic'], states: ['de'], counties: { de: { exclude: ['sussex'] } } }],
});

describe('messages about them', () => {
  it.each([
    [{ fact: 'alarm', operator: 'equal', value: 'yes' }, 'value_wrong_type', /true or false, not with "yes"/],
    [{ fact: 'alarm', operator: 'lessThan', value: true }, 'operator_not_for_kind', /does not suit alarm/],
    [{ fact: 'opened', operator: 'equal', value: '3/1/2024' }, 'value_wrong_type', /a date as YYYY-MM-DD/],
    [{ fact: 'opened', operator: 'lessThan', value: 20000 }, 'value_wrong_type', /not with 20000/],
    [
      { fact: 'opened', operator: 'swap:lessThan', value: '2024-03-01' },
      'operator_not_for_kind',
      /does not suit opened/,
    ],
    [{ fact: 'opened', operator: 'lessThan', value: { fact: 'floor' } }, 'value_wrong_type', /are of different kinds/],
    [{ fact: 'tools', operator: 'equal', value: 'saw' }, 'operator_not_for_kind', /is a set; use contains/],
    [{ fact: 'tools', operator: 'contains', value: 'lathe' }, 'unknown_value', /not a word of tools/],
    [{ fact: 'tools', operator: 'contains', value: ['saw'] }, 'value_wrong_type', /one word/],
    [{ fact: 'tools', operator: 'someFact:in', value: 'saw' }, 'value_wrong_type', /a list/],
    [{ fact: 'tools:saw', operator: 'equal', value: 'yes' }, 'unknown_fact', /not a fact/],
    [{ fact: 'opened:axis', operator: 'equal', value: 1 }, 'unknown_fact', /not a fact/],
  ])('a rule is refused for %j', (test, code, message) => {
    const { faults } = checkRuleSet(fileOf(test), { vocabulary: studioLine });
    expect(faults.map((fault) => fault.code)).toEqual([code]);
    expect(faults[0]!.message).toMatch(message);
  });

  it('a request is read by its spellings, and refused by field', () => {
    const read = (body: object) => parseRequest({ state: 'de', ...body }, { now, vocabulary: studioLine });
    const good = read({
      tools: ['Gas-Forge', 'saw', 'saw'],
      floor: '-2',
      slope: '-0.25',
      opened: ' 2024-02-29 ',
      alarm: false,
    });
    expect(good.ok && good.request.home).toMatchObject({
      tools: ['saw', 'gas forge'],
      floor: -2,
      slope: -0.25,
      opened: '2024-02-29',
      alarm: false,
    });
    const wrong = read({
      tools: ['lathe', 'saw'],
      floor: '-3',
      opened: '2023-02-29',
      inspected: '2025-01-01',
      alarm: 1,
    });
    expect(!wrong.ok && wrong.faults.map(({ path, code }) => `${path} ${code}`).sort()).toEqual([
      '/alarm invalid_type',
      '/floor out_of_range',
      '/inspected out_of_range',
      '/opened invalid_date',
      '/tools/0 unknown_value',
    ]);
  });

  it('a host may know a set in part, a date within bounds', () => {
    const file = fileOf(
      { fact: 'tools', operator: 'contains', value: 'gas forge' },
      { fact: 'opened', operator: 'lessThan', value: '2024-03-01' },
    );
    const catalog = createCatalog([{ file }], { vocabulary: studioLine });
    const judge = (values: Record<string, unknown>) =>
      catalog.decideSync(createProperty({ ...parse({}), values: values as never })).verdicts[0]!;
    const before = { kind: 'between', min: '2024-02-28', max: '2024-02-29' };
    expect(judge({ 'tools:gas forge': 'yes', opened: before })).toMatchObject({
      status: 'ineligible',
      reasons: [{ message: 'Unknown; unknown; 2024-02-28 to 2024-02-29' }],
    });
    expect(judge({ 'tools:gas forge': 'no' }).status).toBe('eligible');
    expect(judge({ tools: ['gas forge', 'saw'], opened: '2024-02-28', alarm: true })).toMatchObject({
      reasons: [{ message: 'saw, gas forge; yes; 2024-02-28' }],
    });
    expect(judge({ tools: [] }).status).toBe('eligible');
    expect(judge({ 'tools:saw': 'yes' })).toMatchObject({ missingFields: ['opened', 'tools'] });
    for (const [values, message] of [
      [{ tools: ['lathe'] }, /tools has "lathe"/],
      [{ tools: 'saw' }, /tools has "saw"/],
      [{ opened: '2024-02-27' }, /opened is .*from 2024-02-28 to 2024-03-02/],
      [{ alarm: 1 }, /alarm is 1; give true or false/],
    ] as const) {
      expect(() => judge(values)).toThrow(message);
    }
  });

  it('list the fields that rules test, for a form', () => {
    const file = fileOf(
      { fact: 'tools', operator: 'contains', value: 'saw' },
      { fact: 'opened', operator: 'equal', value: { fact: 'inspected' } },
    );
    const other = {
      ...fileOf({ fact: 'alarm', operator: 'equal', value: true }),
      carrier: { key: 'other', name: 'Other' },
      programs: [{ id: 'all', policy_types: ['plus'], states: ['md'] }],
    };
    const catalog = createCatalog([{ file }, { file: other }], { vocabulary: studioLine });
    expect(catalog.testedFields()).toEqual(['county', 'alarm', 'inspected', 'opened', 'tools']);
    expect(catalog.testedFields({ carrierKey: 'other' })).toEqual(['alarm']);
    expect(catalog.testedFields({ policyType: 'plus' })).toEqual(['alarm']);
    expect(catalog.testedFields({ policyType: 'plus', state: 'de' })).toEqual([]);
    expect(catalog.testedFields({ effectiveDate: '2025-12-31' })).toEqual([]);
    expect(() => catalog.testedFields({ carrierKey: 'othr' })).toThrow('Did you mean "other"?');
  });

  it('an editor is helped with each kind', () => {
    const schema = JSON.stringify(ruleSetJsonSchema(studioLine));
    for (const part of ['"format":"date"', '"type":"boolean"', '"someFact:in"', 'Tools. Any of: saw, gas forge.']) {
      expect(schema).toContain(part);
    }
  });
});

describe('a line of business', () => {
  const field = (name: string) => flagField(name, { label: name, change: { kind: 'any' }, description: name });
  const words = (count: number) =>
    choiceField('w', {
      label: 'w',
      words: Array.from({ length: count }, (_, index) => `word ${index}`),
      change: { kind: 'any' },
      description: 'w',
    });

  it.each(['state', 'county', 'policy_type', 'as_of', 'address', 'explain'])('has no field named %s', (name) => {
    const line = { ...studioLine, fields: [field(name)], relations: [] };
    expect(() => createVocabulary(line)).toThrow(`"${name}"`);
    const literal = { ...line };
    expect(() => parseRequest({ state: 'de' }, { now, vocabulary: literal })).toThrow(RangeError);
    expect(() => createCatalog([], { vocabulary: { ...literal } })).toThrow(RangeError);
  });

  it('may have more words than a byte holds', () => {
    const line = createVocabulary({ ...studioLine, fields: [words(400)], relations: [] });
    const file = fileOf({ fact: 'w', operator: 'in', value: ['word 43', 'word 300'] });
    const catalog = createCatalog([{ file: { ...file, rules: [{ ...file.rules[0], message: '.' }] } }], {
      vocabulary: line,
    });
    const homes = Array.from({ length: 400 }, (_, row) =>
      createProperty({ ...parse({}), vocabulary: line, values: { w: `word ${row}` } }),
    );
    const declined = homes.flatMap((home, row) => (catalog.statusCodes(home)[0] === 4 ? [row] : []));
    expect(declined).toEqual([43, 300]);
  });
});
