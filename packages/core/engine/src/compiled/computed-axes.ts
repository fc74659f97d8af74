import { groupsOf, type Reading, readComputed, sourceOfProperty } from '../condition/computed.ts';
import type { Computed } from '../condition/condition.ts';
import type { Property } from '../request/property.ts';
import { missingNames } from '../verdict/rule-words.ts';
import { type CellSet, has } from './cell-set.ts';
import { type CompiledProgram, PLACE } from './compile-program.ts';

/** An axis on which an open result depends. */
export interface OpenAxis {
  readonly name: string;
  /** Position of the field in the vocabulary; -1 for other axes. */
  readonly field: number;
  /** Defined for a computed fact. */
  readonly reading: Reading | undefined;
  /** True for the place: events depend on an unknown county. */
  readonly isPlace?: boolean;
}

/** Like `areIndependent`, for axes of a program. */
export function areAxesIndependent(program: CompiledProgram, axes: readonly number[], property: Property): boolean {
  if (!axes.some((axis) => axis !== PLACE && program.axes[axis]!.computed)) return true;
  const source = sourceOfProperty(property);
  return areIndependent(
    program,
    axes.flatMap((axis): OpenAxis[] => {
      if (axis === PLACE) return [{ name: 'county', field: -1, reading: undefined, isPlace: true }];
      const { axis: own, field, computed } = program.axes[axis]!;
      return [{ name: own.name, field, reading: computed && readComputed(computed, source) }];
    }),
  );
}

/**
 * True if computed facts among some axes can have every combination of values that the rules distinguish: each alone,
 * and together with the others. If not, a result that depends on them may be more open than the truth.
 */
export function areIndependent(program: CompiledProgram, axes: readonly OpenAxis[]): boolean {
  if (!axes.some(({ reading }) => reading)) return true;
  const groups = groupsOf(program.vocabulary);
  const bySource = new Map<string, OpenAxis>();
  for (const each of axes) {
    const { reading, field, name, isPlace } = each;
    if (reading && reading.min !== reading.max && !reading.isDense && !(reading.hasEnds && isSplitOnce(program, name)))
      return false;
    const own = field >= 0 ? [program.vocabulary.fields[field]!.name] : isPlace ? ['county'] : [];
    const sources = reading ? reading.loose : own;
    for (const source of new Set(sources.map((one) => groups.get(one) ?? one))) {
      const other = bySource.get(source);
      // Relations between two fields are the concern of others.
      if (other && (reading || other.reading)) return false;
      bySource.set(source, each);
    }
  }
  return true;
}

/** Names of the fields and lists that are not fully known, of those from which a fact is computed. */
export function looseNamesOf(computed: Computed, property: Property): readonly string[] {
  return namesOfReading(readComputed(computed, sourceOfProperty(property)), property);
}

export function namesOfReading({ loose }: Reading, { vocabulary }: Property): readonly string[] {
  return [...missingNames(loose, vocabulary)];
}

const split = new WeakMap<CompiledProgram, Map<string, boolean>>();

/** True if all rules distinguish only numbers below and above one limit. */
function isSplitOnce(program: CompiledProgram, name: string): boolean {
  const byName = split.get(program) ?? new Map<string, boolean>();
  split.set(program, byName);
  let result = byName.get(name);
  if (result === undefined) {
    const axis = program.axes.findIndex((each) => each?.computed && each.axis.name === name);
    const borders = new Set<number>();
    for (const { terms } of program.rules) {
      for (const part of terms.flat()) {
        if (part.axis === axis)
          for (const border of bordersOf(part.cells, program.axes[axis]!.axis.size)) borders.add(border);
      }
    }
    result = borders.size <= 1;
    byName.set(name, result);
  }
  return result;
}

/** Returns the cells at which membership in a set changes. */
function bordersOf(cells: CellSet, size: number): number[] {
  const borders: number[] = [];
  for (let cell = 1; cell < size; cell++) if (has(cells, cell) !== has(cells, cell - 1)) borders.push(cell);
  return borders;
}
