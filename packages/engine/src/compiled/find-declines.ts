import type { Property } from '../request/property.ts';
import { coversState } from '../rule-set/places.ts';
import type { Moratorium, Program, Rule } from '../rule-set/rule-set.ts';
import { has } from './cell-set.ts';
import { type CompiledProgram, PLACE } from './compile-program.ts';
import { encode, isDefinite } from './encode.ts';

/** What certainly declines a property. */
export interface Declines {
  readonly rules: readonly Rule[];
  readonly moratoria: readonly Moratorium[];
  /** The program named where the county is not written. */
  readonly territory: Program | undefined;
}

/**
 * The declines of one program that hold whatever is unknown, each by itself; undefined where there is none.
 */
export function findDeclines(program: CompiledProgram, property: Property): Declines | undefined {
  const first = program.programs.find((each) => coversState(each.places, property.state));
  if (!first) return undefined;
  const at = encode(program, property);
  const cell = at.cells[PLACE]!;
  const rules: Rule[] = [];
  for (const { rule, terms } of program.rules) {
    if (rule.outcome !== 'decline') continue;
    for (const term of terms) {
      if (!isDefinite(term, at)) continue;
      rules.push(rule);
      break;
    }
  }
  const moratoria = program.moratoria
    .filter(({ moratorium: { fromMs, untilMs }, cells }) => {
      const isNow = fromMs <= property.asOfMs && property.asOfMs < untilMs;
      return isNow && isDefinite([{ axis: PLACE, cells, leaves: [] }], at);
    })
    .map((each) => each.moratorium);
  const territory = cell >= 0 && has(program.territory, cell) ? first : undefined;
  if (rules.length === 0 && moratoria.length === 0 && !territory) return undefined;
  return { rules, moratoria, territory };
}
