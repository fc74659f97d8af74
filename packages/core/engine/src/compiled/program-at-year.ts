import type { Leaf, Tree } from '../condition/condition.ts';
import { forEachLeafOfRule } from '../rule-set/rule-trees.ts';
import { factIndex } from '../vocabulary/fact-index.ts';
import type { DomainContext } from '../vocabulary/field.ts';
import type { Axis } from './axis.ts';
import { isSame } from './cell-set.ts';
import { type CompiledProgram, createAxes } from './compile-program.ts';
import { type LeafPlan, planLeaf } from './leaf-axis.ts';
import { leafCells } from './leaf-cells.ts';

/**
 * Converts a program to another effective year, if only the values of its cells change: ages are relative to the date, so year cells
 * move with it. Undefined if the program must be compiled again.
 */
export function programAtYear(program: CompiledProgram, effectiveYear: number): CompiledProgram | undefined {
  const { vocabulary, ruleSet, programs } = program;
  const then: DomainContext = { effectiveYear: program.effectiveYear };
  const now: DomainContext = { effectiveYear };
  const find = (name: string) => factIndex(vocabulary).find(name);
  const plans = new Map<Leaf, LeafPlan>();
  const visited = new Set<Tree>();
  for (const rule of [...ruleSet.rules, ...programs.flatMap((each) => each.rules)]) {
    forEachLeafOfRule(rule, (leaf) => void plans.set(leaf, planLeaf(leaf, find, now)!), visited);
  }
  const { axes } = createAxes(plans, vocabulary, now);
  const isAlike = (a: Axis, b: Axis) => a.name === b.name && a.size === b.size;
  if (axes.length !== program.axes.length) return undefined;
  if (
    !axes.every(
      (programAxis, index) => programAxis === undefined || isAlike(programAxis.axis, program.axes[index]!.axis),
    )
  ) {
    return undefined;
  }
  const movedAxes = new Map<string, readonly [before: Axis, after: Axis]>();
  axes.forEach((programAxis, index) => {
    if (!programAxis || programAxis.test) return;
    const before = program.axes[index]!.axis;
    if (!hasSameSamples(before, programAxis.axis)) movedAxes.set(programAxis.axis.name, [before, programAxis.axis]);
  });
  for (const [leaf, plan] of plans) {
    if (plan.kind === 'computed') {
      const moved = movedAxes.get(plan.name);
      if (moved && !isSame(leafCells(leaf, moved[0], undefined), leafCells(leaf, moved[1], undefined)))
        return undefined;
    }
    if (plan.kind !== 'field') continue;
    const axisPair = movedAxes.get(plan.field);
    const reference = find(leaf.fact)!;
    const isDerived = reference.kind === 'derived';
    if (!axisPair && !isDerived) continue;
    const [before, after] = axisPair ?? axisTwice(program, plan.field);
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
  const { axis } = axes.find((programAxis) => programAxis?.test === undefined && programAxis?.axis.name === field)!;
  return [axis, axis];
}
