import type { Rule, RuleSet } from '@leeward/engine';

/** An edit in one version: a rule set with this edit alone, which declines homes where it holds. */
export interface EditSide {
  readonly ruleSet: RuleSet;
  readonly outcome: string;
}

export interface RuleEdit {
  readonly kind: 'rule' | 'territory' | 'tiers' | 'moratorium';
  /** Empty unless `kind` is `rule`. */
  readonly ruleId: string;
  /** Reason code of its declines. */
  readonly code: string;
  readonly older: EditSide | undefined;
  readonly newer: EditSide | undefined;
}

type Program = RuleSet['programs'][number];
type Tree = Rule['condition'];

/**
 * Returns the differences between two versions, as rule sets with one edit each. If every edit certainly has the same truth for a home
 * in both versions, both versions give the same status: an edit that is false adds no outcome, and one that is true in both changes
 * none. Edited tiers may change every status.
 */
export function ruleEdits(older: RuleSet | undefined, newer: RuleSet | undefined): readonly RuleEdit[] {
  const edits: RuleEdit[] = [];
  const isSame = createComparison();
  const samePrograms = isSame(programsOf(older), programsOf(newer));
  const sidesOf = (what: string, partOf: (ruleSet: RuleSet) => Partial<RuleSet>) =>
    [older, newer].map((each) => each && side(each, what, partOf(each)));
  const places = ({ programs }: RuleSet) => ({ programs: programs.map(withoutRules) });
  if (!samePrograms) {
    const [before, after] = sidesOf('territory', places);
    edits.push({ kind: 'territory', ruleId: '', code: 'territory', older: before, newer: after });
  }
  if (!isSame(tiersOf(older), tiersOf(newer))) {
    const [before, after] = sidesOf('tiers', places);
    // One side alone, so that the edit touches every home.
    edits.push({ kind: 'tiers', ruleId: '', code: 'territory', older: before, newer: before ? undefined : after });
  }
  if (!isSame(moratoriaOf(older), moratoriaOf(newer))) {
    const [before, after] = sidesOf('moratoria', ({ programs, moratoria }) => ({
      programs: programs.map(everywhere),
      moratoria,
    }));
    edits.push({ kind: 'moratorium', ruleId: '', code: 'moratorium', older: before, newer: after });
  }
  const [before, after] = [rulesOf(older), rulesOf(newer)];
  // With another certainty, every rule on a distance may hold for other homes.
  const sameCertainty = older?.certainty === newer?.certainty;
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [a, b] = [before.get(key), after.get(key)];
    // The rules of a program reach other homes if its places change.
    const hasSamePlaces = samePrograms || (a ?? b)!.program === undefined;
    if (
      a &&
      b &&
      hasSamePlaces &&
      sameCertainty &&
      outcomeOf(a.rule) === outcomeOf(b.rule) &&
      isSame(a.rule.condition, b.rule.condition)
    )
      continue;
    const { rule } = (b ?? a)!;
    const [olderSide, newerSide] = [a && sideOfRule(older!, a), b && sideOfRule(newer!, b)];
    edits.push({ kind: 'rule', ruleId: rule.id, code: rule.code, older: olderSide, newer: newerSide });
  }
  return edits;
}

interface PlacedRule {
  readonly rule: Rule;
  readonly program: Program | undefined;
}

function rulesOf(ruleSet: RuleSet | undefined): ReadonlyMap<string, PlacedRule> {
  const rules = new Map<string, PlacedRule>();
  for (const rule of ruleSet?.rules ?? []) rules.set(`/${rule.id}`, { rule, program: undefined });
  for (const program of ruleSet?.programs ?? [])
    for (const rule of program.rules) rules.set(`${program.id}/${rule.id}`, { rule, program });
  return rules;
}

/** A rule alone, in all counties of the states where its rule set is offered, so that excluded counties do not decide it. */
function sideOfRule(ruleSet: RuleSet, { rule, program }: PlacedRule): EditSide {
  const rules: Rule[] = [{ ...rule, outcome: 'decline' }];
  const what = `rule ${program?.id ?? ''}/${rule.id}`;
  const part = program
    ? { programs: ruleSet.programs.map((each) => ({ ...withoutRules(each), rules: each === program ? rules : [] })) }
    : { programs: ruleSet.programs.map(everywhere), rules };
  return { ...side(ruleSet, what, part), outcome: outcomeOf(rule) };
}

/** Offers with other terms have other outcomes: terms that contradict each other refer. */
function outcomeOf({ outcome, terms }: Rule): string {
  return terms === undefined ? outcome : `${outcome} ${JSON.stringify(terms)}`;
}

function side(ruleSet: RuleSet, what: string, part: Partial<RuleSet>): EditSide {
  const sha256 = `${ruleSet.sha256} ${what}`;
  return { outcome: 'decline', ruleSet: { ...ruleSet, rules: [], moratoria: [], ...part, sha256 } };
}

/** Without tiers, because a better or worse tier would take the home. */
const withoutRules = ({ tier: _, ...program }: Program): Program => ({ ...program, rules: [] });
const everywhere = ({ places: { states }, tier: _, ...program }: Program): Program => ({
  ...program,
  rules: [],
  places: { states, counties: new Map() },
});

const programsOf = (ruleSet: RuleSet | undefined) =>
  (ruleSet?.programs ?? []).map(({ policyTypes, places }) => ({ policyTypes, places }));
const tiersOf = (ruleSet: RuleSet | undefined) =>
  (ruleSet?.programs ?? []).flatMap(({ id, tier }) => (tier ? [{ id, tier }] : []));
const moratoriaOf = (ruleSet: RuleSet | undefined) =>
  (ruleSet?.moratoria ?? []).map(({ fromMs, untilMs, places, policyTypes }) => ({
    fromMs,
    untilMs,
    places,
    policyTypes,
  }));

/** Creates a deep comparison of parts of rule sets. Shared conditions are visited once. */
function createComparison(): (a: unknown, b: unknown) => boolean {
  const numbers = new Map<string, number>();
  const byObject = new Map<object, number>();
  const numberOf = (value: unknown): number => {
    if (typeof value === 'object' && value !== null) {
      const before = byObject.get(value);
      if (before !== undefined) return before;
      const number = intern(wordsOf(value));
      byObject.set(value, number);
      return number;
    }
    return intern(`${typeof value} ${String(value)}`);
  };
  const intern = (text: string): number => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
  const wordsOf = (value: object): string => {
    if (value instanceof Set) return `set ${[...value].map(numberOf).sort()}`;
    if (value instanceof Map)
      return `map ${[...value].map(([key, each]) => `${numberOf(key)}:${numberOf(each)}`).sort()}`;
    if (Array.isArray(value)) return `list ${value.map(numberOf)}`;
    // The wording of a test does not change its meaning.
    const entries = Object.entries(value).filter(([key, each]) => each !== undefined && !isWording(value as Tree, key));
    return `object ${entries.map(([key, each]) => `${JSON.stringify(key)}:${numberOf(each)}`).sort()}`;
  };
  return (a, b) => numberOf(a) === numberOf(b);
}

const isWording = (value: Tree, key: string): boolean => key === 'written' && value.kind === 'leaf';
