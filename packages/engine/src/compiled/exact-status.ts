import type { Property } from '../request/property.ts';
import type { SettledStatus } from '../verdict/verdict.ts';
import { type CompiledProgram, PLACE } from './compile-program.ts';
import { encode } from './encode.ts';
import { possibleStatuses, reduced } from './settle.ts';
import type { Term } from './term.ts';

/**
 * The status of one carrier where several rules together settle what no rule does by itself; undefined
 * where it hangs on what is unknown (or the search gives up).
 */
export function exactStatus(program: CompiledProgram, property: Property): SettledStatus | undefined {
  const at = encode(program, property);
  const declining: Term[] = [[{ axis: PLACE, cells: program.territory, leaves: [] }]];
  const referring: Term[] = [];
  for (const { moratorium, cells } of program.moratoria) {
    if (moratorium.fromMs <= property.asOfMs && property.asOfMs < moratorium.untilMs) {
      declining.push([{ axis: PLACE, cells, leaves: [] }]);
    }
  }
  for (const { rule, terms } of program.rules) {
    if (rule.outcome === 'decline') declining.push(...terms);
    else if (rule.outcome === 'refer') referring.push(...terms);
  }
  const { possible } = possibleStatuses(reduced(declining, at), reduced(referring, at), at.sets);
  return possible.size === 1 ? [...possible][0] : undefined;
}
