import { checkRuleSet, homeVocabulary, type RuleSet } from '@leeward/engine';
import { describe, expect, it } from 'vitest';
import { createCarriers, toRuleSets } from '../../../../../benchmarks/engine/carriers.ts';
import { fixtureFiles } from '../../../../../test/support/engine/fixture-carriers.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { diffRuleSets } from '../diff/diff.ts';
import { readAskedAt } from '../finding/asked-at.ts';
import type { Finding } from '../finding/finding.ts';
import { analyseRuleSet } from './analyse.ts';
import { numbersIn } from './numbers-in-message.ts';
import { numericLimits } from './numeric-limits.ts';

/** Plants typical mistakes into many rule sets. The analysis must find each at its place. */

const at = readAskedAt('2026-11-20')!;
const PLANTED_OF_EACH = Math.min(20, testVolume(3));

interface Test {
  fact: string;
  operator: string;
  value: unknown;
}
type Json = Record<string, unknown>;
interface RuleJson extends Json {
  id: string;
  outcome: string;
  message: string;
}
interface FileJson extends Json {
  rules?: RuleJson[];
  programs: (Json & { id: string; rules?: RuleJson[] })[];
  moratoria?: Json[];
}

interface Planted {
  readonly code: string;
  readonly ruleId?: string;
  /** The mistake is in the change, not in the file. */
  readonly inDiff?: boolean;
  /** The mistake is in a text or a date: no home shows it. */
  readonly withoutHome?: boolean;
}

const rulesOf = (file: FileJson) => [...(file.rules ?? []), ...file.programs.flatMap((program) => program.rules ?? [])];

function testsIn(value: unknown): Test[] {
  if (Array.isArray(value)) return value.flatMap(testsIn);
  if (typeof value !== 'object' || value === null) return [];
  const node = value as Json;
  return 'fact' in node && 'operator' in node ? [node as unknown as Test] : Object.values(node).flatMap(testsIn);
}

const isOrder = ({ operator, value }: Test) => /^(less|greater)Than/.test(operator) && typeof value === 'number';
const declining = ({ outcome }: RuleJson) => outcome === 'decline' || outcome === 'refer';

/** The rule of a program that limits an amount to a range. */
function bandOf(file: FileJson): { rule: RuleJson; low: Test; high: Test } | undefined {
  for (const rule of file.programs.flatMap((program) => program.rules ?? [])) {
    const tests = testsIn(rule['unless']).filter(isOrder);
    const low = tests.find((test) => test.operator === 'greaterThanInclusive');
    const high = tests.find((test) => test.operator === 'lessThanInclusive');
    if (tests.length === 2 && low && high && low.fact === high.fact) return { rule, low, high };
  }
  return undefined;
}

const kinds: Readonly<Record<string, (file: FileJson, ruleSet: RuleSet) => Planted | undefined>> = {
  'swapped limits decline everybody'(file) {
    const band = bandOf(file);
    if (!band) return undefined;
    [band.low.value, band.high.value] = [band.high.value, band.low.value];
    return { code: 'declines_everybody', ruleId: band.rule.id };
  },
  'swapped limits refer everybody'(file) {
    const band = bandOf(file);
    if (!band) return undefined;
    [band.low.value, band.high.value] = [band.high.value, band.low.value];
    band.rule.outcome = 'refer';
    return { code: 'refers_everybody', ruleId: band.rule.id };
  },
  'a moratorium of the year before'(file) {
    const id = 'last-years-storm';
    const dates = { from: '2025-09-01T00:00:00-05:00', until: '2025-10-01T00:00:00-05:00' };
    file.moratoria = [...(file.moratoria ?? []), { id, ...dates, message: 'Binding is suspended.' }];
    return { code: 'moratorium_over' };
  },
  'a limit raised, its message left'(file, ruleSet) {
    const compiled = new Map(
      [...ruleSet.rules, ...ruleSet.programs.flatMap(({ rules }) => rules)].map((rule) => [rule.id, rule]),
    );
    for (const rule of rulesOf(file).filter(declining)) {
      const [limit, ...others] = numericLimits(compiled.get(rule.id)!, homeVocabulary);
      const named = numbersIn(rule.message).filter(({ unit }) => unit === undefined || unit === limit?.unit);
      if (!limit?.cut || others.length > 0 || named.length !== 1) continue;
      if (named[0]!.value !== limit.cut.below && named[0]!.value !== limit.cut.above) continue;
      const test = [...testsIn(rule['when']), ...testsIn(rule['unless'])].find(({ fact }) => fact === limit.fact);
      if (!test || !isOrder(test)) continue;
      const raised = 2 * (test.value as number) + 3;
      if (limit.fact === 'protection_class' && raised > 10) continue;
      test.value = raised;
      return { code: 'message_names_another_limit', ruleId: rule.id };
    }
    return undefined;
  },
  'thousands of dollars for dollars'(file) {
    for (const rule of rulesOf(file)) {
      const tests = [...testsIn(rule['when']), ...testsIn(rule['unless'])];
      const found = tests.filter((test) => test.fact === 'dwelling_a' && isOrder(test));
      if (found.length === 0) continue;
      for (const test of found) test.value = (test.value as number) / 1_000;
      return { code: 'unusual_limit', ruleId: rule.id };
    }
    return undefined;
  },
  'feet for miles, miles for feet'(file) {
    for (const rule of rulesOf(file)) {
      const tests = [...testsIn(rule['when']), ...testsIn(rule['unless'])].filter(isOrder);
      const found = tests.find((test) => /_(miles|feet)$/.test(test.fact) && (test.value as number) >= 0.1);
      if (!found) continue;
      const factor = found.fact.endsWith('_miles') ? 5_280 : 1 / 5_280;
      found.value = (found.value as number) * factor;
      return { code: 'unusual_limit', ruleId: rule.id };
    }
    return undefined;
  },
  'a rule that decides nothing after the edit of another'(file) {
    const [broad, narrow] = (file.rules ?? []).filter(({ outcome }) => outcome === 'decline');
    if (!broad || !narrow || (narrow['when'] === undefined && narrow['unless'] === undefined)) return undefined;
    // The first rule then holds wherever the second does, and more.
    const also = narrow['when'] === undefined ? { not: narrow['unless'] } : narrow['when'];
    const before = broad['when'] === undefined ? { not: broad['unless'] } : broad['when'];
    delete broad['unless'];
    broad['when'] = { any: [before, also] };
    return { code: 'rule_decides_nothing_now', ruleId: narrow.id, inDiff: true };
  },
};

function addRule(file: FileJson, id: string, outcome: string, when: Json, more: Json = {}): void {
  file.rules = [{ id, outcome, code: 'x_planted', message: 'No.', when, ...more } as RuleJson, ...(file.rules ?? [])];
}
const holds = (fact: string, operator: string, value: unknown) => ({ fact, operator, value });
const storm = {
  id: 'storm',
  from: '2026-11-01T00:00:00Z',
  until: '2026-12-01T00:00:00Z',
  message: 'Binding is suspended.',
};

/** Mistakes in texts, dates and gaps. */
const quietKinds: typeof kinds = {
  'a moratorium without a place'(file) {
    file.moratoria = [{ ...storm }];
    return { code: 'moratorium_everywhere', withoutHome: true };
  },
  'a moratorium without an end'(file) {
    const { until: _, ...endless } = storm;
    file.moratoria = [{ ...endless, states: file.programs[0]!['states'] }];
    return { code: 'moratorium_without_end', withoutHome: true };
  },
  'a version that takes effect in another century'(file) {
    file['effective'] = { from: '2126-01-01', until: null };
    return { code: 'effective_far_ahead', withoutHome: true };
  },
  'a version of one day'(file) {
    file['effective'] = { from: '2026-11-01', until: '2026-11-02' };
    return { code: 'short_window', withoutHome: true };
  },
  'a refusal that only informs'(file) {
    addRule(
      file,
      'planted',
      'inform',
      { all: [holds('usage', 'equal', 'vacant')] },
      { message: 'We do not write vacant homes.' },
    );
    return { code: 'outcome_weaker_than_message', ruleId: 'planted', withoutHome: true };
  },
  'a message that quotes a fact the rule does not test'(file) {
    addRule(
      file,
      'planted',
      'decline',
      { all: [holds('hvac_age', 'greaterThan', 30)] },
      { message: 'The heater is {water_heater_age}.' },
    );
    return { code: 'message_quotes_untested_fact', ruleId: 'planted', withoutHome: true };
  },
  'the code of another fact'(file) {
    addRule(file, 'planted', 'decline', { all: [holds('total_claims', 'greaterThan', 9)] }, { code: 'wiring' });
    return { code: 'code_of_another_fact', ruleId: 'planted', withoutHome: true };
  },
  'a value between two limits'(file) {
    addRule(file, 'high', 'decline', { all: [holds('lapse_in_coverage', 'greaterThan', 777)] });
    addRule(file, 'low', 'require', { all: [holds('lapse_in_coverage', 'lessThan', 777)] });
    return { code: 'value_between_limits', ruleId: 'low' };
  },
  'a value between two limits, one of them under "unless"'(file) {
    addRule(file, 'high', 'refer', { all: [holds('roof_age', 'greaterThan', 57)] });
    addRule(file, 'low', 'inform', {
      not: { any: [holds('usage', 'equal', 'vacant'), { not: holds('roof_age', 'lessThan', 57) }] },
    });
    return { code: 'value_between_limits', ruleId: 'low' };
  },
  'a shared condition that no rule uses'(file) {
    file['conditions'] = {
      ...(file['conditions'] as Json | undefined),
      'forgotten/one': { all: [holds('hvac_age', 'equal', 3)] },
    };
    return { code: 'unused_condition', withoutHome: true };
  },
  'a certainty that no rule uses'(file) {
    const isOfDistance = (rule: unknown) => JSON.stringify(rule).includes('distance_to_');
    const programs = file['programs'] as { rules?: unknown[] }[];
    for (const part of [file as { rules?: unknown[] }, ...programs])
      if (part.rules) part.rules = part.rules.filter((rule) => !isOfDistance(rule));
    file['certainty'] = 0.95;
    return { code: 'certainty_without_distance', withoutHome: true };
  },
  'a message still to be written'(file) {
    addRule(
      file,
      'planted',
      'decline',
      { all: [holds('total_claims', 'greaterThan', 9)] },
      { message: 'TODO wording' },
    );
    return { code: 'message_unfinished', ruleId: 'planted', withoutHome: true };
  },
  'an empty message'(file) {
    addRule(file, 'planted', 'decline', { all: [holds('total_claims', 'greaterThan', 9)] }, { message: ' ' });
    return { code: 'message_unfinished', ruleId: 'planted', withoutHome: true };
  },
  'a roof older than its house'(file) {
    addRule(file, 'planted', 'decline', {
      all: [holds('home_age', 'lessThan', 5), holds('roof_age', 'greaterThan', 12)],
    });
    return { code: 'rule_needs_inconsistent_home', ruleId: 'planted', withoutHome: true };
  },
};

const files = [...fixtureFiles().map(({ file }) => file), ...toRuleSets(createCarriers(7, 25))] as readonly FileJson[];
const ruleSetOf = (file: FileJson): RuleSet => {
  const { ruleSet, faults } = checkRuleSet(file);
  if (!ruleSet) throw new Error(JSON.stringify(faults));
  return ruleSet;
};
const isThere = (findings: readonly Finding[], { code, ruleId, withoutHome }: Planted) =>
  findings.some(
    (each) =>
      each.code === code &&
      (ruleId === undefined || each.ruleId === ruleId || each.otherRuleIds?.includes(ruleId)) &&
      (withoutHome || each.example !== undefined),
  );

describe('the analysis finds a planted mistake at its place, with an example home', () => {
  it.each(Object.entries({ ...kinds, ...quietKinds }))('%s', (_, plant) => {
    let planted = 0;
    const missed: string[] = [];
    for (const original of files) {
      if (planted === PLANTED_OF_EACH) break;
      const older = ruleSetOf(original);
      const file = structuredClone(original);
      const mistake = plant(file, older);
      if (!mistake) continue;
      const findings = (ruleSet: RuleSet) =>
        mistake.inDiff ? diffRuleSets(older, ruleSet, { at }).findings : analyseRuleSet(ruleSet, { at }).findings;
      // A finding that the original file already has proves nothing.
      if (isThere(findings(older), mistake) && mistake.ruleId !== undefined) continue;
      planted++;
      if (!isThere(findings(ruleSetOf(file)), mistake)) missed.push(`${older.carrierKey}: ${mistake.ruleId}`);
    }
    expect(missed).toEqual([]);
    expect(planted).toBe(PLANTED_OF_EACH);
  });
});
