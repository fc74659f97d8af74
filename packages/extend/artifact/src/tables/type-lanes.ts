import type { Catalog, RuleSet, Vocabulary } from '@leeward/engine';
import {
  type CompiledProgram,
  type CompiledRule,
  compiledCarriers,
  coversState,
  createPlaceAxis,
  factIndex,
  forEachRuleLeaf,
  isEmpty,
  placeTerm,
  statusTermsOf,
  type Term,
  widestTerms,
} from '@leeward/engine/compiled';
import { closeTerms } from '../terms/close-terms.ts';
import type { BuiltReason, BuiltType, NotCompiled } from './built-tables.ts';
import { ladderPrograms } from './ladder-program.ts';
import { closingAxes, type Lane, type LaneSpace, moratoriumTerm, openLane, spaceOfProgram } from './lane.ts';
import type { TableInputs } from './table-inputs.ts';

/** A carrier of a policy type on some dates. */
interface TypeCarrier {
  readonly carrier: number;
  readonly status: CompiledProgram;
  /** The program of its reasons: for a ladder, another. */
  readonly reasons: CompiledProgram;
}

interface TypeOptions {
  readonly effectiveDate: string;
  readonly policyType: string;
  readonly inputs: TableInputs;
  readonly withReasons: boolean;
  readonly report: (entry: NotCompiled) => void;
}

/** Builds the lanes of all carriers for one policy type and effective date. */
export function buildType(catalog: Catalog, options: TypeOptions): BuiltType {
  const { effectiveDate, policyType, inputs, withReasons, report } = options;
  const { carriers, ladders, reference, versions } = compiledCarriers(catalog, effectiveDate, policyType);
  const lanes: Lane[] = [];
  const ruled: TypeCarrier[] = carriers.map(({ carrier, program }) => ({ carrier, status: program, reasons: program }));
  const leaveOpen = (carrier: number, facts: readonly string[], why: string) => {
    const { ruleSet } = versions[carrier]!;
    const programs = ruleSet.programs.filter((program) => program.policyTypes.includes(policyType));
    const states = [...new Set(programs.flatMap(({ places }) => places.states ?? []))].filter((state) =>
      programs.some(({ places }) => coversState(places, state)),
    );
    const numbers = facts.map((fact) => inputs.ofHost(fact));
    lanes.push(openLane(carrier, numbers, createPlaceAxis(states, new Set()), states));
    const { carrierKey, version } = ruleSet;
    for (const fact of facts) report({ carrier: carrierKey, version, policyType, fact, why });
  };
  for (const { carrier, ladder } of ladders) {
    const programs = ladderPrograms(ladder);
    if (programs) ruled.push({ carrier, ...programs });
    else leaveOpen(carrier, [`tiers of ${catalog.carriers[carrier]!.key}`], 'Its tiers combine in too many ways.');
  }
  for (const carrier of reference) {
    const { ruleSet } = versions[carrier]!;
    const choice = catalog.evaluators.find(
      ({ carrierKey, version }) => carrierKey === ruleSet.carrierKey && version === ruleSet.version,
    );
    const facts = hostFactsOf(ruleSet, catalog.vocabulary);
    leaveOpen(
      carrier,
      facts.length > 0 ? facts : [`rules of ${ruleSet.carrierKey}`],
      `Tables cannot evaluate its rules: ${choice?.reason}.`,
    );
  }
  const reasonLanes: Lane[] = [];
  const reasons: BuiltReason[] = [];
  for (const { carrier, status, reasons: counting } of ruled) {
    const space = spaceOfProgram(status, inputs);
    const { lane, isClosed } = statusLane(carrier, status, space, inputs);
    lanes.push(lane);
    const { carrierKey, version } = status.ruleSet;
    if (!isClosed)
      report({
        carrier: carrierKey,
        version,
        policyType,
        settledJointly: false,
        why: 'Its rules combine in too many ways; homes that only several rules together decide stay open.',
      });
    if (withReasons) addReasons(carrier, counting, space, inputs, reasons, reasonLanes);
  }
  lanes.sort((a, b) => a.target - b.target);
  return { lanes, reasonLanes, reasons };
}

/** The facts that a rule set tests and the vocabulary does not have. */
function hostFactsOf(ruleSet: RuleSet, vocabulary: Vocabulary): string[] {
  const facts = new Set<string>();
  forEachRuleLeaf(ruleSet, ({ fact, computed }) => {
    if (!computed && !factIndex(vocabulary).find(fact)) facts.add(fact);
  });
  return [...facts];
}

function statusLane(carrier: number, program: CompiledProgram, space: LaneSpace, inputs: TableInputs) {
  const axes = closingAxes(space, inputs);
  const own = statusTermsOf(program);
  const stops = program.moratoria.filter(({ cells }) => !isEmpty(cells)).map((each) => moratoriumTerm(each, space));
  const declining = closeTerms([...stops, ...own.declining], axes);
  const referring = closeTerms(own.referring, axes);
  const lane: Lane = {
    target: carrier,
    space,
    declining: declining.terms,
    referring: widestTerms(referring.terms, declining.terms),
  };
  return { lane, isClosed: declining.isClosed && referring.isClosed };
}

/** Adds the territory, the moratoria and the deciding rules of a carrier, each with a lane. */
function addReasons(
  carrier: number,
  program: CompiledProgram,
  space: LaneSpace,
  inputs: TableInputs,
  reasons: BuiltReason[],
  lanes: Lane[],
): void {
  const { ruleSet, policyType, territory } = program;
  const axes = closingAxes(space, inputs);
  const add = (reason: Omit<BuiltReason, 'carrier' | 'version' | 'inputs'>, terms: readonly Term[]) => {
    if (terms.length === 0) return;
    const closed = closeTerms(terms, axes).terms;
    const tested = new Set(terms.flatMap((term) => term.flatMap(({ axis }) => space.axes[axis]?.input ?? [])));
    lanes.push({ target: reasons.length, space, declining: closed, referring: [] });
    reasons.push({ carrier, version: ruleSet.version, ...reason, inputs: [...tested].sort((a, b) => a - b) });
  };
  const message = `${ruleSet.carrierName} does not write ${policyType} in this place.`;
  const id = program.programs[0]!.id;
  if (!isEmpty(territory))
    add({ kind: 'territory', id, code: 'territory', outcome: 'decline', message }, [placeTerm(territory)]);
  for (const each of program.moratoria) {
    if (isEmpty(each.cells)) continue;
    const { moratorium } = each;
    add(
      { kind: 'moratorium', id: moratorium.id, code: 'moratorium', outcome: 'decline', message: moratorium.message },
      [moratoriumTerm(each, space)],
    );
  }
  for (const [rule, terms] of termsByRule(program.rules)) {
    const { outcome, id, code, message } = rule;
    if (outcome === 'decline' || outcome === 'refer') add({ kind: 'rule', id, code, outcome, message }, terms);
  }
}

/** A rule at the top of a ladder has terms for each tier. */
function termsByRule(rules: readonly CompiledRule[]): ReadonlyMap<CompiledRule['rule'], readonly Term[]> {
  const byRule = new Map<CompiledRule['rule'], Term[]>();
  for (const { rule, terms } of rules) byRule.set(rule, [...(byRule.get(rule) ?? []), ...terms]);
  return byRule;
}
