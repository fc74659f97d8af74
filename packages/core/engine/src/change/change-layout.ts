import type { Axis } from '../compiled/axis.ts';
import type { CellSet } from '../compiled/cell-set.ts';
import { type CompiledProgram, PLACE } from '../compiled/compile-program.ts';
import type { Term, TermPart } from '../compiled/term.ts';
import type { Leaf } from '../condition/condition.ts';
import { buildRuleTable, type RuleTable } from '../decide/rule-table.ts';
import type { Moratorium, Rule } from '../rule-set/rule-set.ts';
import type { Outcome } from '../rule-set/schema.ts';
import type { FieldTargets } from './changeable-field.ts';
import { fieldsOfTest } from './test-limits.ts';

/** What an answer may be brought to: `not_ineligible` where a referral does as well. */
export type ChangeAim = 'eligible' | 'not_ineligible';

/** Something to be avoided: a rule, a moratorium or, with neither, a place that is not the carrier's. */
export interface Obstacle {
  readonly rule?: Rule;
  readonly moratorium?: Moratorium;
}

/** A term of an obstacle. */
export interface LaidOutTerm {
  readonly obstacle: Obstacle;
  readonly parts: readonly LaidOutPart[];
}

/** A field that a person may change and that the rules test. */
export interface LaidOutField {
  /** Place in the vocabulary's fields. */
  readonly index: number;
  /** Its axis in the program; undefined where only tests of fact against fact name it. */
  readonly axis: Axis | undefined;
  /** The number of that axis; -1 for none. */
  readonly axisNumber: number;
  readonly tests: readonly Leaf[];
  /** What it may change to, by the cells that can be reached; filled as properties ask. */
  readonly known: Map<number, FieldTargets>;
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
  /** For each axis, the places of the changeable fields that it rests on. */
  readonly restsOn: readonly (readonly number[])[];
  /** Axes that are tests of their own and rest on one of those fields. */
  readonly tests: readonly number[];
  /** The rules, a bit a term; its axes are numbered as the program's. */
  readonly table: RuleTable;
  /** By bit, the terms that decline or refer. */
  readonly terms: readonly LaidOutTerm[];
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
    fields.push({
      index,
      axis: axes.get(index),
      axisNumber: program.axes.findIndex((known) => known && !known.test && known.field === index),
      tests: tests.get(index) ?? [],
      known: new Map(),
    });
  });
  const restsOn = indexesOf.map((indexes) => indexes.flatMap((index) => places.get(index) ?? []));
  const table = buildRuleTable([{ program, carrier: 0 }]);
  const testsOfFields = [...restsOn.keys()].filter((axis) => program.axes[axis]?.test && restsOn[axis]!.length > 0);
  return { fields, restsOn, tests: testsOfFields, table, terms: layOutTerms(program, restsOn) };
}

/** All that declines and refers, in the order of the bits of a table. */
function layOutTerms(program: CompiledProgram, restsOn: readonly (readonly number[])[]): LaidOutTerm[] {
  const { territory, moratoria, rules } = program;
  const layOutPart = (part: TermPart): LaidOutPart => {
    const fields = restsOn[part.axis]!;
    const stands = (standing: Standing) => ({ axis: part.axis, cells: part.cells, standing, restsOn: fields });
    const standing = { holds: stands('holds'), fails: stands('fails'), open: stands('open') };
    return { part, isChangeable: fields.length > 0, standing };
  };
  const layOutTerm = (obstacle: Obstacle, term: Term): LaidOutTerm => ({ obstacle, parts: term.map(layOutPart) });
  const ofPlace = (obstacle: Obstacle, cells: CellSet) => layOutTerm(obstacle, [{ axis: PLACE, cells, leaves: [] }]);
  const ofObstacle = (obstacle: Obstacle) => (term: Term) => layOutTerm(obstacle, term);
  const ofRules = (outcome: Outcome) =>
    rules.flatMap(({ rule, terms }) => (rule.outcome === outcome ? terms.map(ofObstacle({ rule })) : []));
  return [
    ofPlace({}, territory),
    ...moratoria.map(({ moratorium, cells }) => ofPlace({ moratorium }, cells)),
    ...ofRules('decline'),
    ...ofRules('refer'),
  ];
}
