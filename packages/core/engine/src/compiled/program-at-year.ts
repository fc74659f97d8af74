import { forEachLeaf, type Leaf, type Tree } from '../condition/condition.ts';
import { factIndex } from '../vocabulary/fact-index.ts';
import type { DomainContext } from '../vocabulary/field.ts';
import type { Axis } from './axis.ts';
import { isSame } from './cell-set.ts';
import { type CompiledProgram, createAxes } from './compile-program.ts';
import { type LeafPlan, planLeaf } from './leaf-axis.ts';
import { leafCells } from './leaf-cells.ts';

/**
 * A program as it is in another effective year, where no more changes than the values of its cells: ages are years
 * before the date, and so the cells of a year built move with it. Undefined where it must be compiled anew.
 */
export function programAtYear(program: CompiledProgram, effectiveYear: number): CompiledProgram | undefined {
  const { vocabulary, ruleSet, programs } = program;
  const then: DomainContext = { effectiveYear: program.effectiveYear };
  const now: DomainContext = { effectiveYear };
  const find = (name: string) => factIndex(vocabulary).find(name);
  const plans = new Map<Leaf, LeafPlan>();
  const seen = new Set<Tree>();
  for (const rule of [...ruleSet.rules, ...programs.flatMap((each) => each.rules)]) {
    forEachLeaf(rule.condition, (leaf) => void plans.set(leaf, planLeaf(leaf, find, now)!), seen);
  }
  const { axes } = createAxes(plans, vocabulary, now);
  const isAlike = (a: Axis, b: Axis) => a.name === b.name && a.size === b.size;
  if (axes.length !== program.axes.length) return undefined;
  if (!axes.every((known, index) => known === undefined || isAlike(known.axis, program.axes[index]!.axis))) {
    return undefined;
  }
  const moved = new Map<string, readonly [before: Axis, after: Axis]>();
  axes.forEach((known, index) => {
    if (!known || known.test) return;
    const before = program.axes[index]!.axis;
    if (!hasSameSamples(before, known.axis)) moved.set(known.axis.name, [before, known.axis]);
  });
  for (const [leaf, plan] of plans) {
    if (plan.kind !== 'field') continue;
    const both = moved.get(plan.field);
    const reference = find(leaf.fact)!;
    const isDerived = reference.kind === 'derived';
    if (!both && !isDerived) continue;
    const [before, after] = both ?? axisTwice(program, plan.field);
    const viewAt = (context: DomainContext) =>
      isDerived ? (value: number) => reference.derived.view(value, context) : undefined;
    if (!isSame(leafCells(leaf, before, viewAt(then)), leafCells(leaf, after, viewAt(now)))) return undefined;
  }
  return { ...program, effectiveYear, axes };
}

function hasSameSamples(a: Axis, b: Axis): boolean {
  return a.samples.every((sample, cell) => sample === b.samples[cell]);
}

function axisTwice({ axes }: CompiledProgram, field: string): readonly [Axis, Axis] {
  const { axis } = axes.find((known) => known?.test === undefined && known?.axis.name === field)!;
  return [axis, axis];
}
