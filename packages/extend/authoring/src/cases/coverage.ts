import { type Carrier, homeVocabulary, type Property, type Rule, type RuleSet, type Vocabulary } from '@leeward/engine';
import { coversCounty, coversState, type Facts, factsOfProperty, treeTruth, versionOn } from '@leeward/engine/compiled';
import { type AskedAt, askedAt, withinWindow } from '../finding/asked-at.ts';
import type { Example } from '../finding/example-home.ts';
import type { Finding } from '../finding/finding.ts';
import { sourcePaths } from '../finding/source-paths.ts';
import { bordersOf, reaches } from './borders.ts';
import { type CheckedCases, checkCases } from './check-cases.ts';
import { createHomeSearch } from './home-search.ts';

/** A case to add: what the rules say today, to be read before it is believed. */
export interface SuggestedCase {
  readonly note: string;
  readonly as_of: string;
  readonly effective_date: string;
  readonly home: Readonly<Record<string, unknown>>;
  readonly policy_type: string;
  readonly expect: { readonly status: string; readonly codes: readonly string[] };
}

/** What cases reach of one rule. */
export interface RuleCoverage {
  readonly ruleId: string;
  /** Cases that are asked of the rule: in which it holds, and in which it does not. */
  readonly holds: number;
  readonly doesNotHold: number;
  /** Sides of its limits on which a home can stand. */
  readonly sides: readonly { readonly words: string; readonly isReached: boolean }[];
}

/** What cases reach of a rule set, and cases for the rest. */
export interface Coverage {
  readonly findings: readonly Finding[];
  readonly rules: { readonly reached: number; readonly all: number };
  /** Sides of limits. */
  readonly borders: { readonly reached: number; readonly all: number };
  readonly suggested: readonly SuggestedCase[];
  /** In the order of the file. */
  readonly byRule: readonly RuleCoverage[];
}

/** The codes of findings that a coverage can make. */
export const coverageCodes = [
  'rule_not_reached',
  'rule_always_holds_in_cases',
  'border_not_reached',
  'status_not_reached',
  'program_not_reached',
  'moratorium_not_reached',
] as const;

/** A home that a case is missing for. */
interface Wanted {
  readonly note: string;
  readonly example: Example;
  readonly at: AskedAt;
}

/** A case as one version of the rules sees it. */
interface Seen {
  readonly property: Property;
  readonly facts: Facts;
  /** Rules that are read for it. */
  readonly read: ReadonlySet<Rule>;
  readonly status: string;
}

/** What the cases of a carrier reach of one of its rule sets, and cases for what they miss. `vocabulary`: of its line. */
export async function coverageOf(
  carrier: Carrier,
  ruleSet: RuleSet,
  checked: CheckedCases,
  at: AskedAt,
  vocabulary: Vocabulary = homeVocabulary,
): Promise<Coverage> {
  const seen = checked.cases.flatMap(({ request: { property } }, index): Seen[] => {
    if (versionOn(carrier, property.effectiveDate)?.ruleSet !== ruleSet) return [];
    return [see(ruleSet, property, checked.answers[index]!.status)];
  });
  const findings: Finding[] = [];
  const search = createHomeSearch(ruleSet, withinWindow(at, ruleSet), vocabulary);
  const wanted: Wanted[] = [];
  const paths = sourcePaths(ruleSet.file);
  const rules = [...ruleSet.rules, ...ruleSet.programs.flatMap((program) => program.rules)];
  let reached = 0;
  const borders = { reached: 0, all: 0 };
  const byRule: RuleCoverage[] = [];
  for (const rule of rules) {
    const truths = seen.filter(({ read }) => read.has(rule)).map(({ facts }) => treeTruth(rule.condition, facts));
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
        message: `${message}${example ? '' : ' (No home was found that would.)'}`,
        ...(example ? { example: example.home } : {}),
      });
      if (example) wanted.push({ note: message, example, at: search.at });
    };
    if (holds > 0) reached++;
    else miss('rule_not_reached', `No case in which "${rule.id}" holds.`, search.whereHolds(rule, true));
    if (doesNotHold === 0) {
      const example = search.whereHolds(rule, false);
      const note = `No case in which "${rule.id}" does not hold.`;
      // A rule that always holds has no other side; of one that no case reaches, that alone is said.
      if (example && holds > 0) miss('rule_always_holds_in_cases', note, example);
      else if (example) wanted.push({ note, example, at: search.at });
    }
    for (const border of bordersOf(rule, vocabulary, Number(search.at.effectiveDate.slice(0, 4)))) {
      for (const side of border.sides) {
        const example = () => search.atBorder(border, side);
        borders.all++;
        if (seen.some(({ read, facts }) => read.has(rule) && reaches(side, border, facts))) {
          borders.reached++;
          sides.push({ words: side.words, isReached: true });
          continue;
        }
        const found = example();
        // A side that no home can stand on is no border.
        if (!found) {
          borders.all--;
          continue;
        }
        sides.push({ words: side.words, isReached: false });
        const path = paths.get(border.leaf.written as object) ?? rule.path;
        miss(
          'border_not_reached',
          `No case of "${rule.id}" at ${side.words}, where only this limit decides.`,
          found,
          path,
        );
      }
    }
  }
  findings.push(...placesNotReached(ruleSet, seen, search, wanted));
  return {
    findings,
    rules: { reached, all: rules.length },
    borders,
    suggested: await suggest(carrier, wanted, vocabulary),
    byRule,
  };
}

function see(ruleSet: RuleSet, property: Property, status: string): Seen {
  const { policyType, state, counties } = property;
  const county = counties?.length === 1 ? counties[0] : undefined;
  const programs = ruleSet.programs.filter(
    ({ policyTypes, places }) =>
      policyTypes.includes(policyType!) &&
      coversState(places, state) &&
      (county === undefined || coversCounty(places, state, county)),
  );
  const read = new Set(
    programs.length === 0 ? [] : [...ruleSet.rules, ...programs.flatMap((program) => program.rules)],
  );
  return { property, facts: factsOfProperty(property, policyType!, county), read, status };
}

function placesNotReached(
  ruleSet: RuleSet,
  seen: readonly Seen[],
  search: ReturnType<typeof createHomeSearch>,
  wanted: Wanted[],
): Finding[] {
  const findings: Finding[] = [];
  const add = (code: string, path: string, message: string, example?: Example, at = search.at) => {
    findings.push({ code, path, severity: 'warning', message, ...(example ? { example: example.home } : {}) });
    if (example) wanted.push({ note: message, example, at });
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
    if (!seen.some((each) => each.status === status)) add('status_not_reached', '', `No case comes out ${status}.`);
  }
  ruleSet.programs.forEach((program, index) => {
    const isReached = seen.some(({ property: { policyType, state, counties } }) => {
      if (!program.policyTypes.includes(policyType!) || !coversState(program.places, state)) return false;
      return counties?.some((fips) => coversCounty(program.places, state, fips)) ?? true;
    });
    if (!isReached)
      add('program_not_reached', `/programs/${index}`, `No case is a home of the program "${program.id}".`);
  });
  ruleSet.moratoria.forEach((moratorium, index) => {
    const { fromMs, untilMs, places, policyTypes } = moratorium;
    const isReached = seen.some(({ property: { asOfMs, policyType, state, counties } }) => {
      if (asOfMs < fromMs || asOfMs >= untilMs || !(policyTypes?.includes(policyType!) ?? true)) return false;
      return counties?.some((fips) => coversCounty(places, state, fips)) ?? coversState(places, state);
    });
    if (isReached) return;
    const message = `No case falls under the moratorium "${moratorium.id}".`;
    // Asked when it begins, for an effective date of the version's window.
    const at = { ...askedAt(fromMs), effectiveDate: search.at.effectiveDate };
    add('moratorium_not_reached', `/moratoria/${index}`, message, search.inPlaces(places, policyTypes, at), at);
  });
  return findings;
}

/** Cases of the homes found, each home once, with what the rules say of it today. */
async function suggest(carrier: Carrier, wanted: readonly Wanted[], vocabulary: Vocabulary): Promise<SuggestedCase[]> {
  const byHome = new Map<string, { notes: string[]; home: Record<string, unknown>; policyType: string; at: AskedAt }>();
  for (const { note, example, at } of wanted) {
    const key = JSON.stringify([example.home, at.asOf]);
    const { policy_type: policyType, ...home } = example.home;
    const known = byHome.get(key);
    if (known) known.notes.push(note);
    else byHome.set(key, { notes: [note], home, policyType: String(policyType), at });
  }
  const drafts = [...byHome.values()].map(({ notes, home, policyType, at }) => ({
    note: notes
      .map((note) =>
        note
          .replace(/^No case (in which|of|falls|is) /, '')
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
