import {
  type CellSet,
  type CompiledProgram,
  type StatusTerms,
  statusTermsOf,
  type TableAxes,
  type Term,
} from '@leeward/engine/compiled';

/**
 * The terms that decide the status of each carrier of a table, on the axes of the table: what a search settles that the
 * planes leave open. Plain data, which a worker thread can be sent.
 */
export interface StatusBoxes {
  readonly cellsOfState: ReadonlyMap<string, CellSet>;
  /** By carrier of the table, in the order in which a single decision searches them. */
  readonly carriers: readonly StatusTerms[];
}

export function buildStatusBoxes(programs: readonly CompiledProgram[], axes: TableAxes): StatusBoxes {
  return {
    cellsOfState: new Map(axes.states.map((state) => [state, axes.place.cellsOfState(state)])),
    carriers: programs.map((program) => {
      // Parts keep their order, and the search its way.
      const translated = (term: Term): Term =>
        term.map(({ axis, cells }) => ({
          axis: axes.numberOf(axis, program),
          cells: axes.translate(axis, cells, program),
          leaves: [],
        }));
      const { declining, referring } = statusTermsOf(program);
      return { declining: declining.map(translated), referring: referring.map(translated) };
    }),
  };
}
