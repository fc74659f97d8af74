import { type CellSet, has } from '../compiled/cell-set.ts';
import type { CompiledProgram, CompiledRule } from '../compiled/compile-program.ts';
import { PLACE } from '../compiled/compile-program.ts';
import type { Term } from '../compiled/term.ts';
import type { TableAxes } from './table-axes.ts';

/** A rule on the common axes of a table, tested one by one: for who asks which rules hold. */
export interface RuleBits {
  readonly compiled: CompiledRule;
  /** For each term: axis, then first word of its cells in `masks`, and so on for each part. */
  readonly terms: readonly Int32Array[];
}

/** The rules of one carrier of a table. */
export interface CarrierBits {
  readonly rules: readonly RuleBits[];
  readonly masks: Uint32Array;
  /** Cells of the common place axis in which the carrier does not write. */
  readonly territory: CellSet;
}

/** Lays a program's rules on the common axes. */
export function carrierBits(program: CompiledProgram, axes: TableAxes): CarrierBits {
  const masks: number[] = [];
  const termBits = (term: Term): Int32Array =>
    Int32Array.from(
      term.flatMap((part) => {
        const from = masks.length;
        masks.push(...axes.translate(part.axis, part.cells, program));
        return [axes.numberOf(part.axis, program), from];
      }),
    );
  const rules = program.rules.map((compiled) => ({ compiled, terms: compiled.terms.map(termBits) }));
  return { rules, masks: Uint32Array.from(masks), territory: axes.translate(PLACE, program.territory, program) };
}

/**
 * Whether a rule certainly holds, by the cell of each axis (-1 where it is not settled: nothing is certain
 * of a test there, since tests that everything meets were left out).
 */
export function certainlyHolds({ terms }: Pick<RuleBits, 'terms'>, masks: Uint32Array, cells: Int32Array): boolean {
  for (const term of terms) if (termHolds(term, masks, cells)) return true;
  return false;
}

function termHolds(term: Int32Array, masks: Uint32Array, cells: Int32Array): boolean {
  for (let index = 0; index < term.length; index += 2) {
    const cell = cells[term[index]!]!;
    if (cell < 0 || ((masks[term[index + 1]! + (cell >>> 5)]! >>> (cell & 31)) & 1) === 0) return false;
  }
  return true;
}

/** Whether the place is certainly not the carrier's. */
export function isOutside({ territory }: Pick<CarrierBits, 'territory'>, cells: Int32Array): boolean {
  const cell = cells[0]!;
  return cell >= 0 && has(territory, cell);
}
