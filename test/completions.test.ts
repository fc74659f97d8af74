/**
 * Brute force: random vocabularies and rule sets with lists, arithmetic, terms and tiers, and little-known homes. Each verdict is
 * compared with those of all completions of the home, which plain code finds from the files. A verdict must be sound; and exact, unless it is
 * marked as conservative.
 */
import { createCatalog, createProperty, type Verdict } from '@leeward/engine';
import { expect, it } from 'vitest';
import { answerOfAll, type Expected } from './support/completions/expected-answer.ts';
import { randomCase, randomHome } from './support/completions/random-case.ts';
import { createRandom } from './support/random.ts';
import { testVolume } from './support/test-volume.ts';

const VERDICTS = 4_000;
const HOMES_OF_FILE = 20;
const seed = 2026 + Number(process.env['LEEWARD_SEED'] ?? 0);

it('agrees with every completion of a home', { timeout: 7_200_000 }, () => {
  const random = createRandom(seed);
  const files = Math.ceil(testVolume(VERDICTS) / HOMES_OF_FILE);
  const counts = { verdicts: 0, open: 0, conservative: 0, completions: 0 };
  for (let index = 0; index < files; index++) {
    const { vocabulary, file } = randomCase(random);
    const catalog = createCatalog([{ file }], { vocabulary });
    for (let place = 0; place < HOMES_OF_FILE; place++) {
      const { known, completions } = randomHome(vocabulary, random);
      const property = createProperty({
        vocabulary,
        state: 'tx',
        counties: ['48201'],
        policyType: 'one',
        effectiveDate: '2026-03-01',
        asOfMs: Date.parse('2026-03-01T00:00:00Z'),
        values: known as never,
      });
      const verdict = catalog.decideSync(property).verdicts[0]!;
      const expected = answerOfAll(file, vocabulary, completions);
      const context = () => JSON.stringify({ seed, index, place, known, rules: file, verdict, expected });
      expectSound(verdict, expected, context);
      if (!verdict.conservative) expect(answerIn(verdict), context()).toEqual(expected);
      counts.verdicts++;
      counts.completions += completions.length;
      if (verdict.possibleStatuses.length > 1) counts.open++;
      if (verdict.conservative) counts.conservative++;
    }
  }
  console.log(JSON.stringify(counts));
  expect(counts.open / counts.verdicts).toBeGreaterThan(0.1);
  expect(counts.conservative / counts.verdicts).toBeLessThan(0.6);
});

/** The answer of a verdict in the form of `answerOfAll`. */
function answerIn(verdict: Verdict): Expected {
  const ids = (list: readonly { readonly ruleId: string }[]) => list.map(({ ruleId }) => ruleId).sort();
  const terms: Record<string, Expected['terms'][string]> = {};
  const names = new Set([...Object.keys(verdict.terms ?? {}), ...Object.keys(verdict.possibleTerms ?? {})]);
  for (const name of [...names].sort()) {
    const certain = verdict.terms?.[name];
    const possible = verdict.possibleTerms?.[name];
    terms[name] = {
      certain: withoutUndefined({
        min: certain?.min,
        max: certain?.max,
        applies: certain?.applies,
        words: certain?.oneOf?.toSorted(),
      }),
      possible: withoutUndefined({
        min: possible?.min,
        max: possible?.max,
        applies: possible?.applies,
        words: possible?.mayExclude?.toSorted(),
      }),
    };
  }
  return {
    statuses: verdict.possibleStatuses,
    requirements: ids(verdict.requirements),
    possibleRequirements: ids(verdict.possibleRequirements),
    notes: ids(verdict.notes),
    tier: verdict.tier?.programId,
    terms,
  };
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T;
}

/** Checks that the claims of a verdict agree with every completion. */
function expectSound(verdict: Verdict, expected: Expected, context: () => string): void {
  const actual = answerIn(verdict);
  expect(actual.statuses, context()).toEqual(expect.arrayContaining([...expected.statuses]));
  expect(expected.requirements, context()).toEqual(expect.arrayContaining([...actual.requirements]));
  expect([...actual.requirements, ...actual.possibleRequirements], context()).toEqual(
    expect.arrayContaining([...expected.requirements, ...expected.possibleRequirements]),
  );
  expect(expected.notes, context()).toEqual(expect.arrayContaining([...actual.notes]));
  if (actual.tier !== undefined) expect(actual.tier, context()).toBe(expected.tier);
  if (verdict.possibleStatuses.length > 1) expect(verdict.missingFields, context()).not.toEqual([]);
  for (const name of new Set([...Object.keys(actual.terms), ...Object.keys(expected.terms)])) {
    const [own, all] = [actual.terms[name], expected.terms[name]];
    // A certain bound is at most as strict as the true one, and the strictest bound at least.
    const { min: certainMin = Number.NEGATIVE_INFINITY, max: certainMax = Number.POSITIVE_INFINITY } =
      own?.certain ?? {};
    expect(certainMin, context()).toBeLessThanOrEqual(all?.certain.min ?? Number.NEGATIVE_INFINITY);
    expect(certainMax, context()).toBeGreaterThanOrEqual(all?.certain.max ?? Number.POSITIVE_INFINITY);
    expect(strictest(own, 'min'), context()).toBeGreaterThanOrEqual(strictest(all, 'min'));
    expect(strictest(own, 'max'), context()).toBeLessThanOrEqual(strictest(all, 'max'));
    if (own?.certain.applies) expect(all?.certain.applies, context()).toBe(true);
    if (all?.certain.applies || all?.possible.applies) {
      expect(own?.certain.applies || own?.possible.applies, context()).toBe(true);
    }
    if (own?.certain.words)
      expect(own.certain.words, context()).toEqual(expect.arrayContaining([...(all?.certain.words ?? [])]));
  }
}

function strictest(term: Expected['terms'][string] | undefined, kind: 'min' | 'max'): number {
  const none = kind === 'min' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return term?.possible[kind] ?? term?.certain[kind] ?? none;
}
