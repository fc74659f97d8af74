import { homeVocabulary, type Vocabulary } from '@leeward/engine';
import { isObject } from '@leeward/terms';
import { lineStart } from './line-start.ts';

/** The carrier, line and places of a new rule set. */
export interface StartOptions {
  readonly carrierKey: string;
  readonly carrierName: string;
  /** Lower-case abbreviations; at least one. */
  readonly states: readonly string[];
  /** First effective date, `YYYY-MM-DD`. */
  readonly from: string;
  /** The line of business. @default homeVocabulary */
  readonly vocabulary?: Vocabulary;
}

export function headOf({ carrierKey, carrierName, from, vocabulary = homeVocabulary }: StartOptions) {
  return {
    $schema: 'https://unpkg.com/@leeward/engine/schema/rule-set-1.json',
    format: 1,
    carrier: { key: carrierKey, name: carrierName },
    line: vocabulary.line,
    version: `${from.slice(0, 4)}.${Number(from.slice(5, 7))}.1`,
    effective: { from, until: null },
  };
}

const note = (text: string) => ({ $comment: text });

interface StartingRuleSet {
  ruleSet: Record<string, unknown>;
  cases: Record<string, unknown>[];
}

function notedHead(options: StartOptions) {
  const { $schema, effective, ...head } = headOf(options);
  return {
    $schema,
    ...note(
      'Every "$comment" is for people and has no effect. A rule holds if its "when" is true, or its "unless" is false; the worst outcome that holds decides.',
    ),
    ...head,
    effective: {
      ...effective,
      ...note('First date, and the first date after the last; null while the version stays in force.'),
    },
  };
}

const PROGRAMS =
  'A policy type and county belong to one program only. "counties" can include or exclude some, by state.';

/**
 * A small valid rule set, with comments that explain what to change, and its cases.
 *
 * @example
 * const { ruleSet, cases } = startingRuleSet({ carrierKey: 'bayou', carrierName: 'Bayou', states: ['tx'], from: '2026-12-01' });
 */
export function startingRuleSet(options: StartOptions): StartingRuleSet {
  const { vocabulary = homeVocabulary } = options;
  return vocabulary.line === homeVocabulary.line ? homeStart(options) : otherStart(options, vocabulary);
}

function otherStart(options: StartOptions, vocabulary: Vocabulary): StartingRuleSet {
  const { states, from } = options;
  const { policyType, rules, ordinary, cases } = lineStart(vocabulary, Number(from.slice(0, 4)));
  const program = {
    ...note(PROGRAMS),
    id: states.length === 1 ? states[0] : 'all',
    policy_types: [policyType],
    states,
  };
  return {
    ruleSet: { ...notedHead(options), rules, programs: [program] },
    cases: cases.map(({ note: words, change, status, codes }) =>
      caseOf(words, from, { state: states[0], ...ordinary, ...change }, policyType, status, codes),
    ),
  };
}

function homeStart(options: StartOptions): StartingRuleSet {
  const { states, from } = options;
  const ruleSet = {
    ...notedHead(options),
    conditions: {
      'old wiring': {
        ...note('A shared condition: defined once, used by name in any rule.'),
        any: [{ fact: 'primary_wiring', operator: 'in', value: ['cloth', 'knob and tube', 'aluminum single'] }],
      },
    },
    rules: [
      {
        ...note('Rules at the top apply to every program. Outcomes: decline, refer, require, offer, inform.'),
        id: 'claims',
        outcome: 'decline',
        code: 'claims',
        when: { all: [{ fact: 'total_claims', operator: 'greaterThan', value: 2 }] },
        message: 'More than two claims in five years ({total_claims}).',
      },
      {
        id: 'wiring',
        outcome: 'decline',
        code: 'wiring',
        when: { condition: 'old wiring' },
        message: 'Wiring not accepted: {primary_wiring}.',
      },
    ],
    programs: [
      {
        ...note(PROGRAMS),
        id: states.length === 1 ? `${states[0]}-homeowners` : 'homeowners',
        policy_types: ['ho3'],
        states,
        rules: [
          {
            ...note('Most guides are written like this: decline unless the home is within bounds.'),
            id: 'coverage-a',
            outcome: 'decline',
            code: 'coverage_a',
            unless: {
              all: [
                { fact: 'dwelling_a', operator: 'greaterThanInclusive', value: 150_000 },
                { fact: 'dwelling_a', operator: 'lessThanInclusive', value: 1_000_000 },
              ],
            },
            message: 'Coverage A must be 150,000 to 1,000,000; this home has {dwelling_a}.',
          },
          {
            id: 'roof-age',
            outcome: 'refer',
            code: 'roof_age',
            when: { all: [{ fact: 'roof_age', operator: 'greaterThan', value: 20 }] },
            message: 'The roof is {roof_age} years old: refer to underwriting.',
          },
          {
            id: 'four-point',
            outcome: 'require',
            code: 'four_point_inspection',
            when: { all: [{ fact: 'home_age', operator: 'greaterThan', value: 30 }] },
            message: 'Homes over 30 years need a four-point inspection.',
          },
        ],
      },
    ],
  };
  return { ruleSet, cases: startingCases(states[0]!, from) };
}

function startingCases(state: string, from: string): Record<string, unknown>[] {
  const year = Number(from.slice(0, 4));
  const home = {
    state,
    dwelling_a: 350_000,
    year_built: year - 20,
    roof_type: 'architectural shingle',
    roof_age: 8,
    total_claims: 0,
    primary_wiring: 'copper',
  };
  const entry = (words: string, change: object, status: string, codes: readonly string[]) =>
    caseOf(words, from, { ...home, ...change }, 'ho3', status, codes);
  return [
    entry('An ordinary home', {}, 'eligible', []),
    entry('A third claim', { total_claims: 3 }, 'ineligible', ['claims']),
    entry('A roof of 21 years', { roof_age: 21 }, 'referral', ['roof_age']),
    entry('A home of 31 years', { year_built: year - 31 }, 'eligible', ['four_point_inspection']),
  ];
}

function caseOf(
  words: string,
  from: string,
  home: object,
  policyType: string,
  status: string,
  codes: readonly string[],
) {
  const dates = { as_of: `${from}T12:00:00Z`, effective_date: from };
  return { note: words, ...dates, home, policy_type: policyType, expect: { status, codes } };
}

/**
 * Prints a rule set file: each test on one line, everything else indented.
 *
 * @example
 * writeFileSync('rule-set.json', printRuleSet(ruleSet));
 */
export function printRuleSet(file: unknown): string {
  return `${print(file, '')}\n`;
}

const MAX_WIDTH = 100;

function print(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const flat = onOneLine(value);
  const isSmall = !flat.includes('"$comment"') && flat.length + indent.length <= MAX_WIDTH;
  if (isSmall && depthOf(value) <= 2) return flat;
  const inner = `${indent}  `;
  if (Array.isArray(value)) return `[\n${value.map((each) => inner + print(each, inner)).join(',\n')}\n${indent}]`;
  const lines = Object.entries(value).map(([key, child]) => `${inner}${JSON.stringify(key)}: ${print(child, inner)}`);
  return `{\n${lines.join(',\n')}\n${indent}}`;
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, child]) => `${JSON.stringify(key)}: ${onOneLine(child)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const children = isObject(value) ? Object.values(value) : (value as unknown[]);
  return 1 + Math.max(0, ...children.map(depthOf));
}
