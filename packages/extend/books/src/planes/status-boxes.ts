import {
  type CellSet,
  type CompiledProgram,
  type StatusTerms,
  statusTermsOf,
  type TableAxes,
  type Term,
} from '@leeward/engine/compiled';

/** The terms that decide the status of each carrier of a table, on the table's axes. Plain data for worker threads. */
export interface StatusBoxes {
  readonly cellsOfState: ReadonlyMap<string, CellSet>;
  /** By carrier of the table. Terms are in the order in which a single decision searches them. */
  readonly carriers: readonly StatusTerms[];
}

export function buildStatusBoxes(programs: readonly CompiledProgram[], axes: TableAxes): StatusBoxes {
  return {
    cellsOfState: new Map(axes.states.map((state) => [state, axes.place.cellsOfState(state)])),
    carriers: programs.map((program) => {
      const translate = (term: Term): Term =>
        term.map(({ axis, cells }) => ({
          axis: axes.numberOf(axis, program),
          cells: axes.translate(axis, cells, program),
          leaves: [],
        }));
      const { declining, referring } = statusTermsOf(program);
      return { declining: declining.map(translate), referring: referring.map(translate) };
    }),
  };
}
