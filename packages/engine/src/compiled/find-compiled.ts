import type { Property } from '../request/property.ts';
import { coversState } from '../rule-set/places.ts';
import type { Findings } from '../verdict/findings.ts';
import type { Truth } from '../verdict/truth.ts';
import type { SettledStatus } from '../verdict/verdict.ts';
import type { CellSet } from './cell-set.ts';
import { type CompiledProgram, type CompiledRule, PLACE } from './compile-program.ts';
import { type Box, cover } from './cover.ts';
import { type Encoded, encode } from './encode.ts';
import { truthOfTerms } from './rule-truth.ts';
import { reduced, settle } from './settle.ts';
import type { Term } from './term.ts';

/** Boxes that the search for one rule's certainty may look at. */
const RULE_NODE_CAP = 200;

/**
 * Finds what a compiled program says of a property, exactly; undefined where it is not offered in the
 * state. A status that is settled already need not be settled again.
 */
export function findCompiled(
  program: CompiledProgram,
  property: Property,
  status?: SettledStatus,
): Findings | undefined {
  const first = program.programs.find((each) => coversState(each.places, property.state));
  if (!first) return undefined;
  const at = encode(program, property);
  const box: Box = at.sets;
  const territory = placeTerm(program.territory);
  const moratoria = program.moratoria
    .filter(({ moratorium }) => moratorium.fromMs <= property.asOfMs && property.asOfMs < moratorium.untilMs)
    .map(({ moratorium, cells }) => ({ moratorium, term: placeTerm(cells) }));
  const rules = program.rules.map(({ rule, terms: own }) => ({ rule, truth: exactTruth(own, at, box) }));
  const found = {
    rules,
    territory: truthOfTerms([territory], at),
    program: first,
    moratoria: moratoria.map(({ moratorium, term }) => ({ moratorium, truth: truthOfTerms([term], at) })),
  };
  if (status) return { ...found, possible: new Set([status]), missing: new Set(), conservative: false };
  const terms = (outcome: CompiledRule['rule']['outcome']) =>
    program.rules.filter(({ rule }) => rule.outcome === outcome).flatMap((each) => each.terms);
  const declining = reduced([territory, ...moratoria.map((each) => each.term), ...terms('decline')], at);
  const settled = settle(declining, reduced(terms('refer'), at), box);
  const [only] = settled.possible.size === 1 ? settled.possible : [];
  return {
    ...found,
    ...(only === 'ineligible' ? jointly('decline', program, at, box) : {}),
    ...(only === 'referral' ? jointly('refer', program, at, box) : {}),
    possible: settled.possible,
    missing: namesOf(settled.hanging, program),
    conservative: settled.exhausted || leansOnMore(settled.hanging, program, at),
  };
}

/**
 * Rules of an outcome of which one must hold though none certainly does: dropped one by one while the rest
 * still leave no room. Nothing where a rule holds by itself, or the search gives up.
 */
function jointly(
  outcome: CompiledRule['rule']['outcome'],
  program: CompiledProgram,
  at: Encoded,
  box: Box,
): Pick<Findings, 'jointly'> {
  const rules = program.rules.filter(
    ({ rule, terms }) => rule.outcome === outcome && truthOfTerms(terms, at) !== 'false',
  );
  const covers = (some: readonly CompiledRule[]) =>
    cover(
      box,
      reduced(
        some.flatMap((each) => each.terms),
        at,
      ),
      { nodes: RULE_NODE_CAP },
    ).kind === 'covered';
  if (rules.some(({ terms }) => truthOfTerms(terms, at) === 'true') || !covers(rules)) return {};
  const needed = rules.reduce((kept, rule) => {
    const without = kept.filter((each) => each !== rule);
    return covers(without) ? without : kept;
  }, rules);
  return { jointly: needed.map(({ rule }) => rule) };
}

function placeTerm(cells: CellSet): Term {
  return [{ axis: PLACE, cells, leaves: [] }];
}

/** A rule whose terms together leave no room holds, though none of them does alone. */
function exactTruth(terms: readonly Term[], at: Encoded, box: Box): Truth {
  const truth = truthOfTerms(terms, at);
  if (truth !== 'undecided' || terms.length === 1) return truth;
  const found = cover(box, reduced(terms, at), { nodes: RULE_NODE_CAP });
  return found.kind === 'covered' ? 'true' : 'undecided';
}

function namesOf(axes: ReadonlySet<number>, program: CompiledProgram): Set<string> {
  const names = new Set<string>();
  for (const axis of axes)
    for (const name of axis === PLACE ? ['county'] : program.axes[axis]!.requestNames) names.add(name);
  return names;
}

/** Whether the answer hangs on tests taken as independent that are not: fact against fact, or a relation. */
function leansOnMore(axes: ReadonlySet<number>, program: CompiledProgram, at: Encoded): boolean {
  const fields = new Set<string>();
  for (const axis of axes) {
    if (axis === PLACE) continue;
    const known = program.axes[axis]!;
    if (known.test) return true;
    fields.add(known.axis.name);
  }
  return at.property.vocabulary.relations.some(({ lower, higher }) => fields.has(lower) && fields.has(higher));
}
