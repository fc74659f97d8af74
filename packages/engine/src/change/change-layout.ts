import type { Axis } from '../compiled/axis.ts';
import { type CompiledProgram, PLACE } from '../compiled/compile-program.ts';
import type { Term } from '../compiled/term.ts';
import type { Leaf } from '../condition/condition.ts';
import type { Moratorium, Rule } from '../rule-set/rule-set.ts';
import { fieldsOfTest } from './test-limits.ts';

/** What an answer may be brought to: `not_ineligible` where a referral does as well. */
export type ChangeAim = 'eligible' | 'not_ineligible';

/** Something to be avoided: a rule, a moratorium or, with neither, a place that is not the carrier's. */
export interface Obstacle {
  readonly terms: readonly Term[];
  readonly rule?: Rule;
  readonly moratorium?: Moratorium;
}

/** A field that a person may change and that the rules test. */
export interface LaidOutField {
  /** Place in the vocabulary's fields. */
  readonly index: number;
  /** Its axis in the program; undefined where only tests of fact against fact name it. */
  readonly axis: Axis | undefined;
  readonly tests: readonly Leaf[];
}

/** What is the same for every property that a program judges. */
export interface ChangeLayout {
  readonly fields: readonly LaidOutField[];
  /** For each axis of the program, the places in `fields` that it rests on. */
  readonly restsOn: readonly (readonly number[])[];
  readonly obstacles: Readonly<Record<ChangeAim, readonly Obstacle[]>>;
}

const layouts = new WeakMap<CompiledProgram, ChangeLayout>();

export function changeLayout(program: CompiledProgram): ChangeLayout {
  let layout = layouts.get(program);
  if (!layout) {
    layout = layOut(program);
    layouts.set(program, layout);
  }
  return layout;
}

function layOut(program: CompiledProgram): ChangeLayout {
  const { vocabulary } = program;
  const axes = new Map<number, Axis>();
  const tests = new Map<number, Leaf[]>();
  const indexesOf = program.axes.map((known) => {
    if (!known) return [];
    if (!known.test) {
      axes.set(known.field, known.axis);
      return [known.field];
    }
    const indexes = fieldsOfTest(known.test, vocabulary);
    for (const index of indexes) tests.set(index, [...(tests.get(index) ?? []), known.test]);
    return indexes;
  });
  const fields: LaidOutField[] = [];
  const places = new Map<number, number>();
  vocabulary.fields.forEach((field, index) => {
    if (field.change.kind === 'never' || !(axes.has(index) || tests.has(index))) return;
    places.set(index, fields.length);
    fields.push({ index, axis: axes.get(index), tests: tests.get(index) ?? [] });
  });
  return {
    fields,
    restsOn: indexesOf.map((indexes) => indexes.flatMap((index) => places.get(index) ?? [])),
    obstacles: { eligible: obstaclesOf(program, 'eligible'), not_ineligible: obstaclesOf(program, 'not_ineligible') },
  };
}

/** All that declines and, on the way to eligible, all that refers. */
function obstaclesOf({ territory, moratoria, rules }: CompiledProgram, aim: ChangeAim): Obstacle[] {
  const stands = ({ outcome }: Rule) => outcome === 'decline' || (outcome === 'refer' && aim === 'eligible');
  return [
    { terms: [[{ axis: PLACE, cells: territory, leaves: [] }]] },
    ...moratoria.map(({ moratorium, cells }) => ({ moratorium, terms: [[{ axis: PLACE, cells, leaves: [] }]] })),
    ...rules.filter(({ rule }) => stands(rule)).map(({ rule, terms }) => ({ rule, terms })),
  ];
}
