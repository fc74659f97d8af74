import { evidenceSources, explainDecision, homeVocabulary, parseRequest, type Vocabulary } from '@leeward/engine';
import {
  decoratorNames,
  describeOperator,
  factIndex,
  operatorNames,
  outcomes,
  statuses,
} from '@leeward/engine/compiled';
import { labelOf, requestFieldsOf, writeValue } from '@leeward/engine/vocabulary';
import { writeDecision } from '@leeward/http/decision';
import { condo, flood } from '@leeward/lines';
import { precisions } from '@leeward/places';
import { homeQuotes, outcomes as quoteOutcomes } from '@leeward/quotes';
import { type CodeKind, capitalized, codeWords, wordOf, writeWord } from '@leeward/terms';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verdictTable } from '../packages/apps/cli/src/underwrite/verdict-table.ts';
import { fixtureCatalog } from './support/engine/fixture-catalog.ts';
import { createRandom, pick, wholeNumber } from './support/random.ts';
import { testVolume } from './support/test-volume.ts';

/** snake_case, camelCase, and codes that people write in capitals. */
const rawCode = /\b(?:[a-z0-9]+_[a-z0-9_]+|[a-z]+[A-Z]\w*|h[ow]\d|dp\d|x-wind|pex|cpvc|pvc|llc|hvac|osm-us)\b/;

const now = new Date('2026-11-20T12:00:00Z');
const vocabularies: readonly Vocabulary[] = [homeVocabulary, condo.vocabulary, flood.vocabulary];

describe.each(vocabularies)('the words of $line', (vocabulary) => {
  const { names, lists } = factIndex(vocabulary);

  it('name every field, fact, set, list, term and policy type', () => {
    const fields = requestFieldsOf(vocabulary, { effectiveYear: 2026 });
    const all = [
      ...names,
      ...lists.keys(),
      ...fields.map(({ name }) => name),
      ...(vocabulary.terms ?? []).map(({ name }) => name),
    ];
    for (const name of new Set(all)) {
      expect(labelOf(name, vocabulary), name).not.toMatch(rawCode);
      expect(labelOf(`${name}.as_of`, vocabulary), name).not.toMatch(rawCode);
    }
    for (const list of lists.values())
      for (const { name } of list.fields) expect(labelOf(`/${list.name}/0/${name}`, vocabulary)).not.toMatch(rawCode);
    for (const type of vocabulary.policyTypes) expect(writeWord(type), type).not.toMatch(rawCode);
  });

  it('write every value of a word, and the codes of reasons', () => {
    for (const field of requestFieldsOf(vocabulary, { effectiveYear: 2026 })) {
      if (!('words' in field)) continue;
      for (const word of field.words) expect(writeValue(field.name, word, vocabulary)).not.toMatch(rawCode);
    }
    for (const code of vocabulary.codes) expect(wordOf('reason', code), code).not.toMatch(rawCode);
  });
});

it('tell an age from a year in a field of requests that takes both', () => {
  expect([12, 2014].map((value) => writeValue('roof_age', value, homeVocabulary))).toEqual(['12 years', '2014']);
});

it('agree for fields that quotes and homes share', () => {
  for (const { key } of homeQuotes.fields) {
    expect(wordOf('field', key)).not.toMatch(rawCode);
    if (factIndex(homeVocabulary).find(key)) expect(wordOf('field', key)).toBe(labelOf(key, homeVocabulary));
  }
});

it('exist for every code', () => {
  const codes: Partial<Record<CodeKind, readonly string[]>> = {
    status: statuses,
    ruleOutcome: outcomes,
    precision: precisions,
    evidenceSource: evidenceSources,
    quoteOutcome: quoteOutcomes,
    operator: operatorNames,
  };
  for (const [kind, names] of Object.entries(codes))
    for (const name of names) expect(wordOf(kind as CodeKind, name), name).not.toMatch(rawCode);
  for (const [kind, words] of Object.entries(codeWords))
    for (const text of Object.values(words)) expect(text, kind).not.toMatch(/_|\b[a-z]+[A-Z][a-z]+[A-Z]/);
});

it('describe every operator with its decorators, and its negation by another text', () => {
  const operator = fc
    .tuple(fc.array(fc.constantFrom(...decoratorNames), { maxLength: 4 }), fc.constantFrom(...operatorNames))
    .map(([decorators, base]) => [...decorators, base].join(':'));
  fc.assert(
    fc.property(operator, (name) => {
      const words = describeOperator(name);
      expect(words).not.toMatch(rawCode);
      expect(describeOperator(`not:${name}`)).toBe(describeOperator(name, false));
      expect(describeOperator(`not:not:${name}`)).toBe(words);
      expect(describeOperator(name, false)).not.toBe(words);
    }),
  );
});

/** A home as a request has it, with some of its fields. */
function randomRequest(random: () => number): Record<string, unknown> {
  const home: Record<string, unknown> = {
    ...pick(random, places),
    policy_type: pick(random, homeVocabulary.policyTypes),
  };
  for (const field of requestFieldsOf(homeVocabulary, { effectiveYear: 2026 })) {
    if (random() < (field.on_demand ? 0.9 : 0.4)) continue;
    if (field.kind === 'number' && field.unit !== 'miles' && field.unit !== 'feet')
      home[field.name] =
        field.unit === 'year'
          ? wholeNumber(random, 1950, 2026)
          : wholeNumber(random, field.min, Math.min(field.max, 60));
    if (field.kind === 'word') home[field.name] = pick(random, field.words);
    if (field.kind === 'flag') home[field.name] = random() < 0.5;
  }
  if (home['roof_age'] === undefined || home['roof_type'] === undefined) {
    delete home['roof_age'];
    delete home['roof_type'];
  }
  home['dwelling_a'] = wholeNumber(random, 1, 300) * 5000;
  return home;
}

const places = [
  { state: 'tx', county: 'harris' },
  { state: 'fl', county: 'miami-dade', distance_to_coast_miles: 2.4 },
  { state: 'la' },
];

it('leave no code in explanations and in the table of a terminal', async () => {
  const random = createRandom(12);
  const catalog = fixtureCatalog();
  let explained = 0;
  for (let count = 0; count < testVolume(25); count++) {
    const parsed = parseRequest(randomRequest(random), { now });
    if (!parsed.ok) continue;
    const decision = await explainDecision(catalog, parsed.request.property);
    for (const { explanation, requirements, reasons } of decision.verdicts) {
      for (const { message } of [...requirements, ...reasons]) expect(message).not.toContain('not given');
      for (const { tests } of explanation.rules ?? []) {
        for (const { text } of tests) {
          explained++;
          expect(text).not.toMatch(rawCode);
          expect(text).toBe(capitalized(text));
        }
      }
    }
    const wire = writeDecision(parsed.request, decision, { traceId: '', organizationId: null });
    const table = verdictTable(wire, { columns: pick(random, [60, 80, 100, 120]), inColor: false, notOffered: [] });
    expect(table).not.toMatch(rawCode);
  }
  expect(explained).toBeGreaterThan(1000);
});
