import type { BenchmarkCarrier, BenchmarkProgram, BenchmarkRule, Condition } from '../carriers.ts';

/** Rules of a program, with its counties as a further rule, so that every peer answers the same question. */
export function allRules(carrier: BenchmarkCarrier, program: BenchmarkProgram): readonly BenchmarkRule[] {
  if (program.excluded.length === 0) return program.rules;
  const when: Condition = { all: [{ fact: 'county', operator: 'in', value: program.excluded }] };
  const message = `${carrier.key} does not write there.`;
  return [...program.rules, { id: `${carrier.key}-territory`, outcome: 'decline', code: 'territory', message, when }];
}
