import type { DmnTable } from '../dmn/read-decisions.ts';
import { readDmnCell } from '../dmn/unary-tests.ts';

/** The exporter that `toDmn` names. */
export const EXPORTER = 'Leeward';

/** The programs of a document that `toDmn` wrote; the reason if they cannot be restored. */
export function restoredPrograms(table: DmnTable | undefined): readonly Record<string, unknown>[] | string {
  if (!table) return 'The decision "program" has no table; export the rule set again.';
  if (table.inputs.some(({ expression }) => expression === 'tier')) {
    return 'The programs are tiers, whose order is not in the tables; import a workbook or the rule set itself.';
  }
  const programs = new Map<
    string,
    { states: Set<string>; counties: Record<string, unknown> } & Record<string, unknown>
  >();
  for (const { inputs, outputs } of table.rows) {
    const id = readDmnCell(outputs[0]?.text ?? '')?.tests?.[0]?.min?.literal;
    if (id?.kind === 'null') continue;
    const [policyTypes, states, counties] = inputs.map(({ text }) => {
      const cell = readDmnCell(text);
      return cell && { ...cell, words: cell.tests?.map(({ min }) => min?.literal.value) };
    });
    if (id?.kind !== 'text' || !policyTypes?.words || !states?.words || !counties || counties.words?.includes(null)) {
      return `A row of the table "program" cannot be restored: ${inputs.map(({ text }) => text).join('; ')}. Export the rule set again.`;
    }
    const program = programs.get(id.value) ?? {
      id: id.value,
      policy_types: policyTypes.words,
      states: new Set(),
      counties: {},
    };
    programs.set(id.value, program);
    for (const state of states.words) {
      program.states.add(String(state));
      if (counties.words)
        program.counties[String(state)] = { [counties.isNegated ? 'exclude' : 'include']: counties.words };
    }
  }
  return [...programs.values()].map(({ states, counties, ...program }) => ({
    ...program,
    states: [...states],
    ...(Object.keys(counties).length > 0 ? { counties } : {}),
  }));
}
