import type { Axis } from '../compiled/axis.ts';
import type { CellSet } from '../compiled/cell-set.ts';
import { type CompiledProgram, PLACE } from '../compiled/compile-program.ts';
import type { Term, TermPart } from '../compiled/term.ts';
import type { Leaf } from '../condition/condition.ts';
import type { Moratorium, Rule } from '../rule-set/rule-set.ts';
import { fieldsOfTest } from './test-limits.ts';

/** What an answer may be brought to: `not_ineligible` where a referral does as well. */
export type ChangeAim = 'eligible' | 'not_ineligible';

/** Something to be avoided: a rule, a moratorium or, with neither, a place that is not the carrier's. */
export interface Obstacle {
  /** The parts of each of its terms. */
  readonly terms: readonly (readonly LaidOutPart[])[];
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

/** How a part of a term stands before anything is changed. */
export type Standing = 'holds' | 'fails' | 'open';

/** A part of a term, with the changeable fields that it rests on. */
export interface ChangePart {
  readonly axis: number;
  readonly cells: CellSet;
  readonly standing: Standing;
  /** Places of those fields. None: nobody can change it. */
  readonly restsOn: readonly number[];
}

/** A part of a term, as it stands in one property or another. */
export interface LaidOutPart {
  readonly part: TermPart;
  readonly isChangeable: boolean;
  readonly standing: Readonly<Record<Standing, ChangePart>>;
}

/** What is the same for every property that a program judges. */
export interface ChangeLayout {
  readonly fields: readonly LaidOutField[];
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
  const restsOn = indexesOf.map((indexes) => indexes.flatMap((index) => places.get(index) ?? []));
  const layOutTerm = createTermLayout(restsOn);
  return {
    fields,
    obstacles: {
      eligible: obstaclesOf(program, 'eligible', layOutTerm),
      not_ineligible: obstaclesOf(program, 'not_ineligible', layOutTerm),
    },
  };
}

type LayOutTerm = (term: Term) => readonly LaidOutPart[];

/** Lays out terms, each once. `restsOn`: for each axis, the places of the changeable fields that it rests on. */
function createTermLayout(restsOn: readonly (readonly number[])[]): LayOutTerm {
  const known = new Map<Term, readonly LaidOutPart[]>();
  const layOutPart = (part: TermPart): LaidOutPart => {
    const fields = restsOn[part.axis]!;
    const stands = (standing: Standing) => ({ axis: part.axis, cells: part.cells, standing, restsOn: fields });
    const standing = { holds: stands('holds'), fails: stands('fails'), open: stands('open') };
    return { part, isChangeable: fields.length > 0, standing };
  };
  return (term) => {
    const parts = known.get(term) ?? term.map(layOutPart);
    known.set(term, parts);
    return parts;
  };
}

/** All that declines and, on the way to eligible, all that refers. */
function obstaclesOf(
  { territory, moratoria, rules }: CompiledProgram,
  aim: ChangeAim,
  layOutTerm: LayOutTerm,
): Obstacle[] {
  const stands = ({ outcome }: Rule) => outcome === 'decline' || (outcome === 'refer' && aim === 'eligible');
  return [
    { terms: [layOutTerm([{ axis: PLACE, cells: territory, leaves: [] }])] },
    ...moratoria.map(({ moratorium, cells }) => ({
      moratorium,
      terms: [layOutTerm([{ axis: PLACE, cells, leaves: [] }])],
    })),
    ...rules.filter(({ rule }) => stands(rule)).map(({ rule, terms }) => ({ rule, terms: terms.map(layOutTerm) })),
  ];
}
