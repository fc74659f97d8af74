import { type Carrier, homeVocabulary, type Property, type Rule, type RuleSet, type Vocabulary } from '@leeward/engine';
import {
  coversCounty,
  coversState,
  type Facts,
  factsOfProperty,
  treeTruth,
  versionOn,
  writtenRules,
} from '@leeward/engine/compiled';
import { type AskedAt, askedAt, withinWindow } from '../finding/asked-at.ts';
import type { Example } from '../finding/example-home.ts';
import type { Finding } from '../finding/finding.ts';
import { sourcePaths } from '../finding/source-paths.ts';
import { bordersOf, reaches } from './borders.ts';
import { type CheckedCases, checkCases } from './check-cases.ts';
import { createHomeSearch } from './home-search.ts';

/** A case to add. It expects the current answer, so an underwriter must review it. */
export interface SuggestedCase {
  readonly note: string;
  readonly as_of: string;
  readonly effective_date: string;
  readonly home: Readonly<Record<string, unknown>>;
  readonly policy_type: string;
  readonly expect: { readonly status: string; readonly codes: readonly string[] };
}

/** The coverage of one rule. */
export interface RuleCoverage {
  readonly ruleId: string;
  /** Number of cases for which the rule holds, and for which it does not. */
  readonly holds: number;
  readonly doesNotHold: number;
  /** Possible sides of its limits. */
  readonly sides: readonly { readonly words: string; readonly isReached: boolean }[];
}

/** Coverage of a rule set by its cases, and cases to add. */
export interface Coverage {
  readonly findings: readonly Finding[];
  readonly rules: { readonly reached: number; readonly all: number };
  readonly borders: { readonly reached: number; readonly all: number };
  readonly suggested: readonly SuggestedCase[];
  readonly byRule: readonly RuleCoverage[];
}

/** Codes of the findings of a coverage. */
export const coverageCodes = [
  'rule_not_reached',
  'rule_always_holds_in_cases',
  'border_not_reached',
  'status_not_reached',
  'program_not_reached',
  'moratorium_not_reached',
] as const;

interface MissingCase {
  readonly note: string;
  readonly example: Example;
  readonly at: AskedAt;
}

interface EvaluatedCase {
  readonly property: Property;
  readonly facts: Facts;
  readonly rules: ReadonlySet<Rule>;
  readonly status: string;
  readonly tier: string | undefined;
}

/**
 * Coverage counts, for each rule, the cases in which it holds, those in which it does not, and the sides of its limits that a case
 * reaches while this limit alone decides. A search finds a home for each missing case, which becomes a suggested case. Impossible sides
 * do not count.
 */

/**
 * Measures which rules, limits, statuses, programs and moratoria of a rule set its cases reach.
 *
 * @param checked Result of `checkCases` for the same carrier.
 * @example
 * const checked = await checkCases(carrier, cases);
 * const { rules, suggested } = await coverageOf(carrier, ruleSet, checked, readAskedAt('2026-11-20')!);
 */
export async function coverageOf(
  carrier: Carrier,
  ruleSet: RuleSet,
  checked: CheckedCases,
  at: AskedAt,
  vocabulary: Vocabulary = homeVocabulary,
): Promise<Coverage> {
  const evaluated = checked.cases.flatMap(({ request: { property } }, index): EvaluatedCase[] => {
    if (versionOn(carrier, property.effectiveDate)?.ruleSet !== ruleSet) return [];
    const { status, tier } = checked.answers[index]!;
    return [{ ...evaluateCase(ruleSet, property, status), tier }];
  });
  const findings: Finding[] = [];
  const search = createHomeSearch(ruleSet, withinWindow(at, ruleSet), vocabulary);
  const missing: MissingCase[] = [];
  const paths = sourcePaths(ruleSet.file);
  // Rules added for contradicting offers have no line in the file; the analysis reports them.
  const rules = writtenRules([...ruleSet.rules, ...ruleSet.programs.flatMap((program) => program.rules)]);
  let reached = 0;
  const borders = { reached: 0, all: 0 };
  const byRule: RuleCoverage[] = [];
  for (const rule of rules) {
    const truths = evaluated
      .filter((each) => each.rules.has(rule))
      .map(({ facts }) => treeTruth(rule.condition, facts));
    const sides: { words: string; isReached: boolean }[] = [];
    const holds = truths.filter((truth) => truth === 'true').length;
    const doesNotHold = truths.filter((truth) => truth === 'false').length;
    byRule.push({ ruleId: rule.id, holds, doesNotHold, sides });
    const miss = (code: string, message: string, example: Example | undefined, path = rule.path) => {
      findings.push({
        code,
        path,
        ruleId: rule.id,
        severity: 'warning',
        message: `${message}${example ? '' : ' (No such home was found.)'}`,
        ...(example ? { example: example.home } : {}),
      });
      if (example) missing.push({ note: message, example, at: search.at });
    };
    if (holds > 0) reached++;
    else miss('rule_not_reached', `No case in which "${rule.id}" holds.`, search.whereHolds(rule, true));
    if (doesNotHold === 0) {
      const example = search.whereHolds(rule, false);
      const note = `No case in which "${rule.id}" does not hold.`;
      if (example && holds > 0) miss('rule_always_holds_in_cases', note, example);
      else if (example) missing.push({ note, example, at: search.at });
    }
    for (const border of bordersOf(rule, vocabulary, Number(search.at.effectiveDate.slice(0, 4)))) {
      for (const side of border.sides) {
        if (evaluated.some((each) => each.rules.has(rule) && reaches(side, border, each.property, each.facts))) {
          borders.all++;
          borders.reached++;
          sides.push({ words: side.words, isReached: true });
          continue;
        }
        const example = search.atBorder(border, side);
        if (!example) continue;
        borders.all++;
        sides.push({ words: side.words, isReached: false });
        const path = paths.get(border.leaf.written as object) ?? rule.path;
        miss(
          'border_not_reached',
          `No case of "${rule.id}" at ${side.words}, where only this limit decides${border.demand ? ` the ${border.demand.term.label}` : ''}.`,
          example,
          path,
        );
      }
    }
  }
  findings.push(...placesNotReached(ruleSet, evaluated, search, missing));
  return {
    findings,
    rules: { reached, all: rules.length },
    borders,
    suggested: await suggest(carrier, missing, vocabulary),
    byRule,
  };
}

function evaluateCase(ruleSet: RuleSet, property: Property, status: string): Omit<EvaluatedCase, 'tier'> {
  const { policyType, state, counties } = property;
  const county = counties?.length === 1 ? counties[0] : undefined;
  const programs = ruleSet.programs.filter(
    ({ policyTypes, places }) =>
      policyTypes.includes(policyType!) &&
      coversState(places, state) &&
      (county === undefined || coversCounty(places, state, county)),
  );
  const rules = new Set(
    programs.length === 0 ? [] : [...ruleSet.rules, ...programs.flatMap((program) => program.rules)],
  );
  return { property, facts: factsOfProperty(property, policyType!, county), rules, status };
}

function placesNotReached(
  ruleSet: RuleSet,
  evaluated: readonly EvaluatedCase[],
  search: ReturnType<typeof createHomeSearch>,
  missing: MissingCase[],
): Finding[] {
  const findings: Finding[] = [];
  const add = (code: string, path: string, message: string, example?: Example, at = search.at) => {
    findings.push({ code, path, severity: 'warning', message, ...(example ? { example: example.home } : {}) });
    if (example) missing.push({ note: message, example, at });
  };
  const outcomes = new Set(
    [...ruleSet.rules, ...ruleSet.programs.flatMap(({ rules }) => rules)].map((rule) => rule.outcome),
  );
  const possible = [
    'eligible',
    ...(outcomes.has('refer') ? ['referral'] : []),
    ...(outcomes.has('decline') ? ['ineligible'] : []),
  ];
  for (const status of possible) {
    if (!evaluated.some((each) => each.status === status))
      add('status_not_reached', '', `No case has the status ${status}.`);
  }
  ruleSet.programs.forEach((program, index) => {
    const isReached = evaluated.some(({ property: { policyType, state, counties } }) => {
      if (!program.policyTypes.includes(policyType!) || !coversState(program.places, state)) return false;
      return counties?.some((fips) => coversCounty(program.places, state, fips)) ?? true;
    });
    if (!isReached)
      add('program_not_reached', `/programs/${index}`, `No case is a home of the program "${program.id}".`);
    else if (program.tier && !evaluated.some(({ tier }) => tier === program.id))
      add('tier_not_reached', `/programs/${index}/tier`, `No case has the tier "${program.id}".`);
  });
  ruleSet.moratoria.forEach((moratorium, index) => {
    const { fromMs, untilMs, places, policyTypes } = moratorium;
    const isReached = evaluated.some(({ property: { asOfMs, policyType, state, counties } }) => {
      if (asOfMs < fromMs || asOfMs >= untilMs || !(policyTypes?.includes(policyType!) ?? true)) return false;
      return counties?.some((fips) => coversCounty(places, state, fips)) ?? coversState(places, state);
    });
    if (isReached) return;
    const message = `No case falls under the moratorium "${moratorium.id}".`;
    // At the start of the moratorium, with an effective date in the version's window.
    const at = { ...askedAt(fromMs), effectiveDate: search.at.effectiveDate };
    add('moratorium_not_reached', `/moratoria/${index}`, message, search.inPlaces(places, policyTypes, at), at);
  });
  return findings;
}

/** Creates cases that expect the current answers. */
async function suggest(
  carrier: Carrier,
  missing: readonly MissingCase[],
  vocabulary: Vocabulary,
): Promise<SuggestedCase[]> {
  const byHome = new Map<string, { notes: string[]; home: Record<string, unknown>; policyType: string; at: AskedAt }>();
  for (const { note, example, at } of missing) {
    const key = JSON.stringify([example.home, at.asOf]);
    const { policy_type: policyType, ...home } = example.home;
    const draft = byHome.get(key);
    if (draft) draft.notes.push(note);
    else byHome.set(key, { notes: [note], home, policyType: String(policyType), at });
  }
  const drafts = [...byHome.values()].map(({ notes, home, policyType, at }) => ({
    note: notes
      .map((note) =>
        note
          .replace(/^No case (in which|of|falls|is|has) /, '')
          .replace(/, where only.*$/, '')
          .replaceAll('"', ''),
      )
      .join(' '),
    as_of: at.asOf,
    effective_date: at.effectiveDate,
    home,
    policy_type: policyType,
    expect: { status: 'eligible', codes: [] as readonly string[] },
  }));
  const { answers } = await checkCases(carrier, drafts, vocabulary);
  return drafts.map((draft, index) => {
    const { status, codes } = answers[index]!;
    return { ...draft, expect: { status, codes } };
  });
}
