import { countiesOf } from '@leeward/places/counties';
import type { Leaf } from '../condition/condition.ts';
import { forEachRuleLeaf } from '../rule-set/check.ts';
import { coversCounty, coversState } from '../rule-set/places.ts';
import type { Moratorium, Program, RuleSet } from '../rule-set/rule-set.ts';

/** Counties of one state that a rule set cannot tell apart. */
export interface CountyClass {
  /** FIPS code of one of the counties. Undefined in a state without counties. */
  readonly county: string | undefined;
  /** Undefined if the carrier does not write the policy type in these counties of the state. */
  readonly program: Program | undefined;
  /** Moratoria that cover the counties and policy type, at any time. */
  readonly moratoria: readonly Moratorium[];
}

/** Empty if the carrier does not offer the policy type in the state. */
export function programsFor(ruleSet: RuleSet, policyType: string, state: string): readonly Program[] {
  return ruleSet.programs.filter(
    (program) => program.policyTypes.includes(policyType) && coversState(program.places, state),
  );
}

/** Classes of the given counties; by default of all counties of the state. */
export function countyClasses(
  ruleSet: RuleSet,
  policyType: string,
  state: string,
  counties: readonly string[] | undefined,
): readonly CountyClass[] {
  const programs = programsFor(ruleSet, policyType, state);
  const moratoria = ruleSet.moratoria.filter((each) => each.policyTypes?.includes(policyType) ?? true);
  const named = counties === undefined ? namedCounties(ruleSet) : undefined;
  const classes = new Map<string, CountyClass>();
  for (const county of counties ?? countiesOf(state).map((each) => each.fips)) {
    const program = programs.find((each) => coversCounty(each.places, state, county));
    const here = moratoria.filter((each) => coversCounty(each.places, state, county));
    const self = named === undefined || named.has(county) ? county : '';
    const key = `${program?.id ?? ''} ${here.map((each) => each.id).join(' ')} ${self}`;
    if (!classes.has(key)) classes.set(key, { county, program, moratoria: here });
  }
  return [...classes.values()];
}

const namedByRuleSet = new WeakMap<RuleSet, ReadonlySet<string>>();

function namedCounties(ruleSet: RuleSet): ReadonlySet<string> {
  let named = namedByRuleSet.get(ruleSet);
  if (!named) {
    const names = new Set<string>();
    forEachRuleLeaf(ruleSet, (leaf: Leaf) => {
      if (leaf.fact !== 'county') return;
      const values: readonly unknown[] = [leaf.value];
      for (const value of values.flat(Number.POSITIVE_INFINITY)) if (typeof value === 'string') names.add(value);
    });
    named = names;
    namedByRuleSet.set(ruleSet, named);
  }
  return named;
}
