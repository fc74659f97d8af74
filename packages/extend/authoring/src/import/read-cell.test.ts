import { createCatalog, parseRequest } from '@leeward/engine';
import { describe, expect, it } from 'vitest';
import { createRandom, pick, wholeNumber } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { importDecisionTable } from './import-decision-table.ts';

const options = {
  carrierKey: 'theirs',
  carrierName: 'Theirs',
  states: ['tx'],
  policyTypes: ['ho3'],
  from: '2026-01-01',
};

/** True if the only rule of a table with one cell declines the home. */
function declines(heading: string, cell: string, home: object): boolean {
  const imported = importDecisionTable(
    [
      ['id', 'outcome', heading],
      ['row', 'decline', cell],
    ],
    options,
  );
  if (imported.accepted !== 1) throw new Error(`${heading}: ${cell}: ${JSON.stringify(imported.findings)}`);
  const now = new Date('2026-11-20T12:00:00Z');
  const parsed = parseRequest({ state: 'tx', policy_type: 'ho3', ...home }, { now });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  const { status } = createCatalog([{ file: imported.ruleSet }]).decideSync(parsed.request.property).verdicts[0]!;
  expect(['eligible', 'ineligible']).toContain(status);
  return status === 'ineligible';
}

const messageOf = (heading: string, cell: string) =>
  importDecisionTable(
    [
      ['id', 'outcome', heading],
      ['row', 'decline', cell],
    ],
    options,
  ).findings[0]?.message;

type Holds = (value: number, low: number, high: number) => boolean;

/** Spellings of a comparison with one number `a` or with two, as underwriters write them. */
const spellings: readonly (readonly [(a: string, b: string) => string, Holds])[] = [
  [(a) => `> ${a}`, (value, a) => value > a],
  [(a) => `over ${a}`, (value, a) => value > a],
  [(a) => `more than ${a}`, (value, a) => value > a],
  [(a) => `at least ${a}`, (value, a) => value >= a],
  [(a) => `minimum ${a}`, (value, a) => value >= a],
  [(a) => `no less than ${a}`, (value, a) => value >= a],
  [(a) => `${a}+`, (value, a) => value >= a],
  [(a) => `${a} or more`, (value, a) => value >= a],
  [(a) => `< ${a}`, (value, a) => value < a],
  [(a) => `under ${a}`, (value, a) => value < a],
  [(a) => `up to ${a}`, (value, a) => value <= a],
  [(a) => `no more than ${a}`, (value, a) => value <= a],
  [(a) => `max. ${a}`, (value, a) => value <= a],
  [(a) => `${a} or less`, (value, a) => value <= a],
  [(a) => a, (value, a) => value === a],
  [(a) => `not ${a}`, (value, a) => value !== a],
  [(a, b) => `${a} to ${b}`, (value, a, b) => value >= a && value <= b],
  [(a, b) => `${a}–${b}`, (value, a, b) => value >= a && value <= b],
  [(a, b) => `between ${a} and ${b}`, (value, a, b) => value >= a && value <= b],
  [(a, b) => `outside ${a}–${b}`, (value, a, b) => value < a || value > b],
  [(a, b) => `outside of ${a} to ${b}`, (value, a, b) => value < a || value > b],
  [(a, b) => `not between ${a} and ${b}`, (value, a, b) => value < a || value > b],
  [(a, b) => `not ${a}..${b}`, (value, a, b) => value < a || value > b],
];

/** The fact of a column, how its numbers are written, and the largest number tried. */
const columns: readonly (readonly [fact: string, write: (value: number) => string, max: number])[] = [
  ['dwelling_a', (value) => value.toLocaleString('en-US'), 900_000],
  ['dwelling_a', (value) => `$${value.toLocaleString('en-US')}`, 900_000],
  ['dwelling_a', (value) => `${value} dollars`, 900_000],
  ['lapse_in_coverage', (value) => `${value} days`, 90],
  ['roof_age', (value) => `${value} yrs`, 60],
  ['total_claims', String, 9],
];

describe('cells of a decision table', () => {
  it('mean what they say, however they are written', () => {
    const random = createRandom(20261126);
    for (let round = 0; round < testVolume(3); round++) {
      for (const [spell, holds] of spellings) {
        const [fact, write, max] = pick(random, columns);
        const low = wholeNumber(random, 2, max - 2);
        const high = wholeNumber(random, low, max - 1);
        const cell = spell(write(low), write(high));
        for (const value of new Set([low - 1, low, low + 1, high - 1, high, high + 1])) {
          const home = { [fact]: value, ...(fact === 'roof_age' ? { roof_type: 'metal' } : {}) };
          expect([cell, value, declines(fact, cell, home)]).toEqual([cell, value, holds(value, low, high)]);
        }
      }
    }
  });

  it.each([
    ['77550–77554 | 775*', '77599', true],
    ['77550 to 77554, 77601', '77601', true],
    ['not 775*', '77599', false],
    ['outside 77550-77554', '77555', true],
    ['02139', '02139', true],
    ['not 02139', '02139', false],
  ])('read ZIP codes: %s for %s', (cell, zipcode, holds) => {
    expect(declines('zipcode', cell, { zipcode })).toBe(holds);
  });

  it('read flags and sets', () => {
    expect(declines('trampoline', 'Yes', { trampoline: true })).toBe(true);
    expect(declines('trampoline', 'no', { trampoline: true })).toBe(false);
    expect(declines('dogs', 'akita | pit bull', { dogs: ['pit bull'] })).toBe(true);
    expect(declines('dogs', 'not akita | pit bull', { dogs: ['pit bull'] })).toBe(false);
  });

  it.each([
    ['count losses where kind = water and age_years < 3', '2+', true],
    ['count losses where kind = water | fire', '> 2', true],
    ['count losses where kind <> water | fire', '1 or more', false],
    ['count losses where weather = no', 'at least 3', true],
    ['sum losses.amount', '> $20,000', true],
    ['max losses.amount where kind = water', 'outside 1,000 to 9,000', true],
    ['count losses', '3', true],
  ])('count and add items of lists: %s is %s', (heading, cell, holds) => {
    const losses = [
      { kind: 'water', date: '2025-03-14', amount: 12_000, weather: false },
      { kind: 'water', date: '2024-03-14', amount: 8000, weather: false },
      { kind: 'fire', date: '2010', amount: 500, weather: false },
    ];
    expect(declines(heading, cell, { losses })).toBe(holds);
  });

  it.each([
    [
      'lapse_in_coverage',
      '> 2 months',
      /"> 2 months" is not a comparison with lapse_in_coverage; .* Its unit is days\.$/,
    ],
    ['dwelling_a', '500,000 to 75,000', /is not a comparison/],
    ['zipcode', '2139', /write 77550, 77550-77554 \| 775\*/],
    ['trampoline', 'maybe', /write yes or no/],
    ['count claims', '2', /claims is not a list of the line home; its lists are: losses, updates/],
    ['sum losses', '2', /as "sum losses\.amount"/],
    ['count losses where water', '2', /write "kind = water and age_years < 3"/],
    ['count losses where knd = water', '2', /knd/],
  ])('name a mistake and the way out: %s: %s', (heading, cell, message) => {
    expect(messageOf(heading, cell)).toMatch(message);
  });
});
