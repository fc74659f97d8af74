import {
  type Box,
  type CompiledLadder,
  type CompiledProgram,
  type CompiledTier,
  cellsOf,
  coversCounty,
  isBetter,
  isEmpty,
  isNumberAxis,
  PLACE,
  type Program,
  placeTerm,
  productOf,
  setOf,
  statusTermsOf,
  type Term,
} from '@leeward/engine/compiled';
import { countiesOf } from '@leeward/places/counties';
import { covered, meet, wholeBox, withAxis } from '../finding/boxes.ts';
import type { Evaluation } from '../finding/evaluate-home.ts';
import { findExample } from '../finding/example-home.ts';
import type { ExampleHome } from '../finding/finding.ts';
import { wordsOfCells, wordsOfTypes } from '../finding/words-of-term.ts';
import { type AnalysisContext, confirmed } from './analysis-context.ts';

/** Finds tiers without another one, tiers that no home reaches, and values that fall between two tiers. */
export function findTierFaults(context: AnalysisContext): void {
  const { programs } = context.ruleSet;
  programs.forEach((program, index) => {
    if (program.tier && !programs.some((other) => other !== program && isMeeting(program, other)))
      reportAlone(context, program, index);
  });
  for (const tier of programs.filter((each) => each.tier)) findUnreached(context, tier);
  for (const ladder of context.ladders) findTierGaps(context, ladder);
}

/** True for tiers of one ladder that share a policy type and a county. */
function isMeeting(one: Program, other: Program): boolean {
  return (
    one.tier?.of === other.tier?.of &&
    one.policyTypes.some((policyType) => other.policyTypes.includes(policyType)) &&
    (one.places.states ?? []).some((state) =>
      countiesOf(state).some(
        ({ fips }) => coversCounty(one.places, state, fips) && coversCounty(other.places, state, fips),
      ),
    )
  );
}

function reportAlone(context: AnalysisContext, { id, tier, policyTypes }: Program, index: number): void {
  const isOnly = !context.ruleSet.programs.some((other) => other.id !== id && other.tier?.of === tier!.of);
  const message = isOnly
    ? `The ladder "${tier!.of}" has one tier, "${id}": add the others, or remove "tier".`
    : `The tier "${id}" of "${tier!.of}" shares no policy type and county with another tier of the ladder, so no home can move between them. Do their policy types and places match?`;
  context.findings.push({
    code: 'tier_alone',
    path: `/programs/${index}/tier`,
    severity: 'warning',
    message,
    policyTypes: [...policyTypes],
  });
}

/** A tier that takes some homes, all of which a better tier takes too. */
function findUnreached(context: AnalysisContext, tier: Program): void {
  const policyTypes: string[] = [];
  let example: ExampleHome | undefined;
  const better = new Set<Program>();
  for (const { tiers } of context.ladders) {
    const part = tiers.find((each) => each.tier === tier);
    if (!part) continue;
    const home = confirmed(context, part.compiled, wholeBox(part.compiled), ({ status }) => status !== 'ineligible');
    // Other findings report a tier that declines every home.
    if (!home) continue;
    if (isReached(context, tiers, part)) return;
    example ??= home;
    policyTypes.push(part.compiled.policyType);
    for (const each of tiers) if (isBetter(each, part)) better.add(each.tier!);
  }
  if (policyTypes.length === 0) return;
  const names = [...better].map(({ id }) => `"${id}"`).join(', ');
  context.findings.push({
    code: 'tier_never_reached',
    path: `/programs/${context.ruleSet.programs.indexOf(tier)}/tier`,
    severity: 'warning',
    message: `No home gets the tier "${tier.id}" (${wordsOfTypes(policyTypes)}): ${names} ${better.size === 1 ? 'takes' : 'take'} every home that it takes. Are the ranks in the right order?`,
    policyTypes,
    ...(example ? { example } : {}),
  });
}

/** True also if the search is cut off. Ignores moratoria. */
function isReached(context: AnalysisContext, tiers: readonly CompiledTier[], part: CompiledTier): boolean {
  const box = wholeBox(part.compiled);
  const terms = (each: CompiledTier) => statusTermsOf(each.compiled);
  const failing = (each: CompiledTier) => [...terms(each).declining, ...terms(each).referring];
  const better = tiers.filter((each) => isBetter(each, part));
  const worse = tiers.filter((each) => isBetter(part, each));
  const isOpen = (factors: readonly (readonly Term[])[], without: readonly Term[]) => {
    const within = productOf(factors, box);
    return !within || within.some((term) => covered(meet(box, term)!, without, context.allowance) !== 'yes');
  };
  return (
    isOpen(better.map(failing), failing(part)) ||
    isOpen(
      [...better.map((each) => terms(each).declining), terms(part).referring, ...worse.map(failing)],
      terms(part).declining,
    )
  );
}

interface TierGap {
  readonly axis: number;
  readonly below: Program;
  readonly above: Program;
  readonly example: ExampleHome;
  readonly words: string;
}

/** Values of a number at which every tier declines an otherwise ordinary home, between values that two tiers take. */
function findTierGaps(context: AnalysisContext, { whole, tiers }: CompiledLadder): void {
  for (const { tier } of tiers) {
    if (!tier) continue;
    const lower = tiers.filter((each) => isBetter({ tier }, each));
    for (const other of lower) reportGaps(context, whole, tier, other.tier!);
  }
}

function reportGaps(context: AnalysisContext, whole: CompiledProgram, one: Program, other: Program): void {
  const places = whole.place.cellsWhere(({ state, county }) =>
    [one, other].every(({ places }) => coversCounty(places, state, county)),
  );
  if (isEmpty(places)) return;
  const box = meet(wholeBox(whole), placeTerm(places))!;
  whole.axes.forEach((entry, axis) => {
    if (axis === PLACE || !entry || entry.test || entry.computed || !isNumberAxis(entry.axis)) return;
    const evaluations = cellsOf(entry.axis.full).map((cell) => evaluationAt(context, whole, box, axis, cell));
    const gap = gapBetween(evaluations, whole, axis, one, other);
    if (!gap) return;
    context.findings.push({
      code: 'gap_tiers',
      path: `/programs/${context.ruleSet.programs.indexOf(other)}`,
      severity: 'note',
      message: `Every tier declines an ordinary home with ${gap.words}, although "${gap.below.id}" takes it below and "${gap.above.id}" above. Should their limits meet?`,
      policyTypes: [whole.policyType],
      example: gap.example,
    });
  });
}

interface EvaluationAt {
  readonly cell: number;
  readonly evaluation: Evaluation;
  readonly home: ExampleHome;
}

/** An ordinary home in a cell of an axis. */
function evaluationAt(
  context: AnalysisContext,
  whole: CompiledProgram,
  box: Box,
  axis: number,
  cell: number,
): EvaluationAt | undefined {
  const { size } = whole.axes[axis]!.axis;
  let evaluation: Evaluation | undefined;
  const inCell = withAxis(
    box,
    axis,
    setOf(size, (each) => each === cell),
  );
  const example = findExample(whole, inCell, context.at, (property) => {
    evaluation = context.evaluatorOf(whole).evaluate(property);
    return evaluation !== undefined;
  });
  return example && evaluation && { cell, evaluation, home: example.home };
}

function gapBetween(
  evaluations: readonly (EvaluationAt | undefined)[],
  whole: CompiledProgram,
  axis: number,
  one: Program,
  other: Program,
): TierGap | undefined {
  const { size } = whole.axes[axis]!.axis;
  let last: { readonly index: number; readonly tier: Program } | undefined;
  for (const [index, each] of evaluations.entries()) {
    const tier = each?.evaluation.tier;
    if (!tier) {
      // The answer is not known.
      if (!each) last = undefined;
      continue;
    }
    const isPair = last && last.tier !== tier && [one, other].includes(last.tier) && [one, other].includes(tier);
    const between = last ? evaluations.slice(last.index + 1, index) : [];
    if (isPair && between.length > 0) {
      const cells = new Set(between.map((gap) => gap!.cell));
      const words = wordsOfCells(
        axis,
        setOf(size, (cell) => cells.has(cell)),
        whole,
      );
      return { axis, below: last!.tier, above: tier, example: between[0]!.home, words };
    }
    last = { index, tier };
  }
  return undefined;
}
