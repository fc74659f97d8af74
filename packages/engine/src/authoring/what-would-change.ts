import type { Catalog } from '../catalog/catalog.ts';
import { add, type CellSet, cellsOf, emptySet, isEmpty, setOf } from '../compiled/cell-set.ts';
import { type CompiledProgram, PLACE } from '../compiled/compile-program.ts';
import { only } from '../compiled/settle.ts';
import type { Knowledge } from '../request/knowledge.ts';
import { createProperty, type Property } from '../request/property.ts';
import type { Status } from '../verdict/verdict.ts';
import type { Field } from '../vocabulary/field.ts';
import { valueNear } from './cell-values.ts';
import { wordsOfCells } from './words-of-term.ts';

/** What about a home would have to be otherwise, or be known, for a better answer. */
export interface WouldChange {
  readonly status: Status;
  /** One for each field, all of them together: "age of the roof up to 15". */
  readonly changes: readonly string[];
  /** Request names of the fields. */
  readonly fields: readonly string[];
}

/** Verdicts that a search may ask for. */
const MOST_VERDICTS = 4000;
const better: Readonly<Record<string, readonly Status[]>> = {
  ineligible: ['eligible', 'referral'],
  needs_information: ['eligible', 'referral'],
  referral: ['eligible'],
};

/**
 * The fewest changes that lead to a better answer: one field, else two together. Only what an owner can
 * change (a roof only gets newer, claims never change) and what is not known yet.
 */
export function whatWouldChange(
  program: CompiledProgram,
  property: Property,
  status: Status,
  catalog: Catalog,
): WouldChange[] {
  const given = property.given ?? property.values;
  let left = MOST_VERDICTS;
  const statusWith = (changed: ReadonlyMap<number, CellSet>): Status | undefined => {
    if (--left < 0) return undefined;
    const values: Record<string, Knowledge> = {};
    property.vocabulary.fields.forEach((field, index) => {
      values[field.name] = given[index];
    });
    for (const [axis, cells] of changed) {
      const known = program.axes[axis]!;
      values[known.axis.name] = valueNear(
        known.axis,
        cells,
        (given[known.field] as number | string) ?? known.axis.samples[0]!,
      );
    }
    const { policyType, state, counties, vocabulary, asOfMs, effectiveDate } = property;
    const other = createProperty({ vocabulary, policyType, state, counties, values, asOfMs, effectiveDate });
    return catalog.decideSync(other).verdicts[0]?.status;
  };
  const open = program.axes.flatMap((known, axis) => {
    if (axis === PLACE || !known || known.test) return [];
    const cells = reachable(program.vocabulary.fields[known.field]!, given[known.field], program, axis);
    return isEmpty(cells) ? [] : [{ axis, cells: cellsOf(cells), size: known.axis.size }];
  });
  for (const wanted of better[status] ?? []) {
    const found: WouldChange[] = [];
    const told = (axes: ReadonlyMap<number, CellSet>) => {
      const names = [...axes.keys()].map((axis) => program.axes[axis]!.requestNames[0]!);
      const changes = [...axes].map(([axis, cells]) => wordsOfCells(axis, cells, program));
      found.push({ status: wanted, changes, fields: [...new Set(names)] });
    };
    const alone = new Set<number>();
    for (const { axis, cells, size } of open) {
      const good = emptySet(size);
      for (const cell of cells) if (statusWith(new Map([[axis, only(size, cell)]])) === wanted) add(good, cell);
      if (isEmpty(good)) continue;
      alone.add(axis);
      told(new Map([[axis, good]]));
    }
    if (found.length === 0) {
      for (const [index, a] of open.entries()) {
        for (const b of open.slice(index + 1)) {
          let best: { first: number; good: CellSet; count: number } | undefined;
          for (const first of a.cells) {
            const good = emptySet(b.size);
            let count = 0;
            for (const second of b.cells) {
              const changed = new Map([
                [a.axis, only(a.size, first)],
                [b.axis, only(b.size, second)],
              ]);
              if (statusWith(changed) !== wanted) continue;
              add(good, second);
              count++;
            }
            if (count > (best?.count ?? 0)) best = { first, good, count };
          }
          if (best) {
            told(
              new Map([
                [a.axis, only(a.size, best.first)],
                [b.axis, best.good],
              ]),
            );
          }
        }
      }
    }
    if (found.length > 0) return found;
  }
  return [];
}

/** The cells that a field can still come to. */
function reachable(field: Field, value: Knowledge, program: CompiledProgram, axis: number): CellSet {
  const known = program.axes[axis]!.axis;
  if (value === undefined || typeof value === 'object') return known.full;
  const here = known.cellOf(value);
  const allowed = (sample: unknown): boolean => {
    switch (field.change.kind) {
      case 'never':
        return false;
      case 'any':
        return true;
      case 'lower':
        return (sample as number) <= (value as number);
      case 'higher':
        return (sample as number) >= (value as number);
      case 'words':
        return field.change.words.includes(sample as string);
    }
  };
  return setOf(known.size, (cell) => cell !== here && allowed(known.samples[cell]));
}
