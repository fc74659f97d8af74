import type { Axis } from '../compiled/axis.ts';
import type { CellSet } from '../compiled/cell-set.ts';
import { type CompiledProgram, PLACE, type ProgramAxis } from '../compiled/compile-program.ts';
import type { Term, TermPart } from '../compiled/term.ts';
import { buildRuleTable } from '../decide/build-rule-table.ts';
import type { RuleTable } from '../decide/rule-table.ts';
import type { Moratorium, Rule } from '../rule-set/rule-set.ts';
import type { Outcome } from '../rule-set/schema.ts';
import type { FieldTargets } from './changeable-field.ts';
import { fieldsOfAxis } from './test-limits.ts';

/** Status to reach. `not_ineligible` also accepts a referral. */
export type ChangeAim = 'eligible' | 'not_ineligible';

/** Something to avoid: a rule, a moratorium or, with neither, the territory. */
export interface Obstacle {
  readonly rule?: Rule;
  readonly moratorium?: Moratorium;
}

export interface LaidOutTerm {
  readonly obstacle: Obstacle;
  readonly parts: readonly LaidOutPart[];
}

/** A field that a person may change and that the rules test. */
export interface LaidOutField {
  readonly index: number;
  /** Its axis in the program; undefined if only tests between two facts and computed facts use the field. */
  readonly axis: Axis | undefined;
  readonly axisNumber: number;
  /** Tests between two facts and computed facts that depend on the field. */
  readonly tests: readonly ProgramAxis[];
  /** Cached targets, by the reachable cells. */
  readonly targetsByKey: Map<number, FieldTargets>;
}

/** State of a part of a term before anything changes. */
export type Standing = 'holds' | 'fails' | 'open';

export interface ChangePart {
  readonly axis: number;
  readonly cells: CellSet;
  readonly standing: Standing;
  /** Places of these fields in {@link ChangeLayout.fields}. If empty, no change affects the part. */
  readonly dependsOn: readonly number[];
}

export interface LaidOutPart {
  readonly part: TermPart;
  readonly isChangeable: boolean;
  readonly standing: Readonly<Record<Standing, ChangePart>>;
}

/** Data of a program that all properties share. */
export interface ChangeLayout {
  readonly fields: readonly LaidOutField[];
  /** For each axis, the places of the changeable fields that it depends on. */
  readonly dependsOn: readonly (readonly number[])[];
  /** Axes of tests between two facts and of computed facts that depend on such a field. */
  readonly tests: readonly number[];
  /** The rules, one bit for each term. Its axes have the numbers of the program's. */
  readonly table: RuleTable;
  /** By bit. */
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
  const tests = new Map<number, ProgramAxis[]>();
  const indexesOf = program.axes.map((programAxis) => {
    if (!programAxis) return [];
    if (programAxis.field >= 0) {
      axes.set(programAxis.field, programAxis.axis);
      return [programAxis.field];
    }
    const indexes = fieldsOfAxis(programAxis, vocabulary);
    for (const index of indexes) tests.set(index, [...(tests.get(index) ?? []), programAxis]);
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
      axisNumber: program.axes.findIndex((each) => each && !each.test && each.field === index),
      tests: tests.get(index) ?? [],
      targetsByKey: new Map(),
    });
  });
  const dependsOn = indexesOf.map((indexes) => indexes.flatMap((index) => places.get(index) ?? []));
  const table = buildRuleTable([{ program, carrier: 0 }]);
  const testsOfFields = [...dependsOn.keys()].filter(
    (axis) => axis !== PLACE && program.axes[axis]!.field < 0 && dependsOn[axis]!.length > 0,
  );
  return { fields, dependsOn, tests: testsOfFields, table, terms: layOutTerms(program, dependsOn) };
}

/** In the order of their bits. */
function layOutTerms(program: CompiledProgram, dependsOn: readonly (readonly number[])[]): LaidOutTerm[] {
  const { territory, moratoria, rules } = program;
  const layOutPart = (part: TermPart): LaidOutPart => {
    const fields = dependsOn[part.axis]!;
    const partAs = (standing: Standing) => ({ axis: part.axis, cells: part.cells, standing, dependsOn: fields });
    const standing = { holds: partAs('holds'), fails: partAs('fails'), open: partAs('open') };
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
