import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { homeVocabulary } from '@leeward/engine';
import { decoratorNames, operatorNames } from '@leeward/engine/compiled';
import { expect, it } from 'vitest';
import { placesData } from '../../../../../test/support/conformance/places-data.ts';
import { cellsOfRow } from '../../../../../test/support/test-volume.ts';
import { makeCorpus } from '../testing/corpus/make-corpus.ts';
import { vocabularyData } from '../testing/corpus/vocabulary-data.ts';
import { type AnswerCase, createAnswerCase } from './answer-case.ts';
import { checkConformance } from './check-conformance.ts';
import { readCorpus } from './corpus.ts';

const readFile = (name: string) => readFileSync(new URL(`../../conformance/${name}`, import.meta.url), 'utf8');
const published = JSON.parse(readFile('rule-format-1.json'));
const corpus = readCorpus(published);
/** Cases for json-rules-engine: a part of each topic, all with a larger test volume. */
const apart = cellsOfRow(corpus.cases, 0, 3);
const idsApart = new Set(apart.map(({ id }) => id));

const answers = new Map<string, ReturnType<AnswerCase>>();
const texts = new WeakMap<object, string>();
const textOf = (file: object): string => {
  const text = texts.get(file) ?? JSON.stringify(file);
  texts.set(file, text);
  return text;
};
const askOnce: typeof createAnswerCase = (ruleSets, options = {}) => {
  const answer = createAnswerCase(ruleSets, options);
  return (each) => {
    const key = JSON.stringify([
      options,
      each.rule_sets.map((name) => textOf(ruleSets[name]!)),
      each.override,
      each.home,
    ]);
    const cached = answers.get(key) ?? answer(each);
    answers.set(key, cached);
    return cached;
  };
};

it('equals the corpus that its topics make, and matches this engine', async () => {
  const made = await makeCorpus(askOnce, (id) => idsApart.has(id));
  const cases = published.cases.map((each: { id: string }) =>
    idsApart.has(each.id) ? each : { ...each, reading: 'test' },
  );
  if (!isDeepStrictEqual({ ...published, cases }, made)) expect({ ...published, cases }).toEqual(made);
  expect(await checkConformance(published, askOnce(corpus.rule_sets))).toEqual({
    cases: corpus.cases.length,
    matching: corpus.cases.length,
    divergences: [],
  });
});

it('keeps every answer of the first revision', () => {
  const cases = published.cases
    .slice(0, 2_538)
    .map(({ id, rule_sets, home, expect }: (typeof corpus.cases)[number]) => ({
      id,
      files: rule_sets.map((name) => published.rule_sets[name]),
      home,
      expect,
    }));
  expect(createHash('sha256').update(JSON.stringify(cases)).digest('hex')).toBe(
    '3f9da7faa16fec098975bc3e3a0c4079b986d65f77e773778f95a5cbce898fe7',
  );
});

it('has the current vocabulary and places next to it', () => {
  expect(readFile('vocabulary-home.json')).toBe(vocabularyData(homeVocabulary));
  expect(readFile('places.json')).toBe(placesData());
});

it('matches json-rules-engine for the reading "test"', async () => {
  const cases = published.cases.filter(({ id }: { id: string }) => idsApart.has(id));
  const asked = { ...published, cases };
  const { divergences } = await checkConformance(asked, askOnce(corpus.rule_sets, { evaluator: 'reference' }));
  const together = apart.filter(({ reading }) => reading === 'together');
  const differing = [...new Set(divergences.map(({ caseId }) => caseId))];
  // An answer to a conservative case can also be stronger.
  const mayAgree = new Set(together.flatMap(({ id, conservative }) => (conservative ? [id] : [])));
  expect(together.map(({ id }) => id).filter((id) => !mayAgree.has(id) || differing.includes(id))).toEqual(differing);
  expect(together.length - mayAgree.size).toBeGreaterThan(0);
});

it('holds every operator, outcome and kind of knowledge, in two thousand cases', () => {
  expect(corpus.cases.length).toBeGreaterThanOrEqual(2_000);
  const rules = JSON.stringify(corpus.rule_sets);
  for (const name of operatorNames) expect(rules).toMatch(new RegExp(`"operator":"(\\w+:)*${name}"`));
  for (const name of decoratorNames) expect(rules).toContain(`"operator":"${name}:`);
  for (const outcome of ['decline', 'refer', 'require', 'inform', 'offer'])
    expect(rules).toContain(`"outcome":"${outcome}"`);
  const known = corpus.cases.flatMap(({ home }) => Object.values(home.known));
  expect(known.some((each) => typeof each === 'object' && 'min' in each)).toBe(true);
  expect(known.some((each) => typeof each === 'object' && 'one_of' in each)).toBe(true);
  expect(new Set(corpus.cases.map(({ home }) => home.counties?.length ?? 'any'))).toEqual(new Set([1, 2, 'any']));
  expect(new Set(corpus.cases.map(({ expect: { status } }) => status)).size).toBe(5);
});

it('reports the answers of an implementation that differ', async () => {
  const cases = published.cases.filter(({ id }: { id: string }) => id.startsWith('groups/'));
  const right = createAnswerCase(corpus.rule_sets);
  const { matching, divergences } = await checkConformance({ ...published, cases }, async (each) => {
    const answer = await right(each);
    return each.id === 'groups/when/all/1' ? { ...answer, status: 'eligible' } : answer;
  });
  expect(cases.length).toBeGreaterThan(10);
  expect(await checkConformance({ ...published, cases })).toMatchObject({ matching: cases.length, divergences: [] });
  expect(matching).toBe(cases.length - 1);
  expect(divergences).toEqual([
    {
      caseId: 'groups/when/all/1',
      about: 'tests are true, true, true',
      part: 'status',
      expected: 'ineligible',
      actual: 'eligible',
    },
  ]);
});

it('accepts a stronger answer to a conservative case only', async () => {
  const isOpen = ({ expect }: (typeof corpus.cases)[number]) => expect.status === 'needs_information';
  const cases = corpus.cases.filter(isOpen);
  const sides = { open: cases.filter((each) => each.conservative), exact: cases.filter((each) => !each.conservative) };
  expect(sides.open.length).toBeGreaterThan(10);
  const settle: AnswerCase = ({ expect: { missing_fields: _, possible_statuses, ...certain } }) => ({
    ...certain,
    status: possible_statuses![0]!,
  });
  const open = await checkConformance({ ...published, cases: sides.open }, settle);
  expect(open.matching).toBe(sides.open.length);
  expect((await checkConformance({ ...published, cases: sides.exact }, settle)).matching).toBe(0);
  const weaken: AnswerCase = ({ expect }) => ({
    ...expect,
    missing_fields: [...expect.missing_fields!, 'another_field'],
  });
  expect((await checkConformance({ ...published, cases: sides.open }, weaken)).matching).toBe(0);
});

it('rejects a file that is not a corpus, with the paths of its faults', async () => {
  const cut = { ...published, cases: [{ ...published.cases[0], expect: { status: 'maybe' } }] };
  await expect(checkConformance(cut)).rejects.toThrow(/\/cases\/0\/expect\/status/);
  await expect(checkConformance([])).rejects.toThrow(/not a corpus of the rule format/);
});
