import type { Vocabulary } from '@leeward/engine';
import { type Computed, factIndex } from '@leeward/engine/compiled';

type Operand = Extract<Computed, { kind: 'operation' }>['of'][number];

/**
 * Arithmetic over fields, for readers that compute a fact themselves: a number, the name of a field, the age of a year, or an operation.
 * Operations use interval arithmetic from the first operand to the last; `percent_of` is `a × b ÷ 100`. An unknown field has the range
 * of its domain, narrowed by relations.
 *
 * @example { apply: 'percent_of', of: ['coverage_c', 'dwelling_a'] }
 */
export type ArithmeticProgram =
  | number
  | string
  /** The year of the effective date minus the field, at least 0. */
  | { readonly age_of: string }
  | { readonly apply: OperationName; readonly of: readonly ArithmeticProgram[] };

type OperationName = Extract<Computed, { kind: 'operation' }>['apply'];

/** The program of a computed fact. Undefined if it uses lists, evidence, areas, events, or conversions other than ages. */
export function programOf(operand: Operand, vocabulary: Vocabulary): ArithmeticProgram | undefined {
  if (operand.kind === 'number') return operand.value;
  if (operand.kind === 'fact') return programOfFact(operand.fact, vocabulary);
  if (operand.kind !== 'operation') return undefined;
  const of = operand.of.map((each) => programOf(each, vocabulary));
  const isWritten = (each: ArithmeticProgram | undefined): each is ArithmeticProgram => each !== undefined;
  return of.every(isWritten) ? { apply: operand.apply, of } : undefined;
}

function programOfFact(name: string, vocabulary: Vocabulary): ArithmeticProgram | undefined {
  const reference = factIndex(vocabulary).find(name);
  if (!reference || reference.kind === 'place') return undefined;
  const { field } = reference;
  // Lists bound the fields that count them.
  if (vocabulary.lists?.some(({ countedBy }) => countedBy?.field === field.name)) return undefined;
  if (reference.kind === 'field') return field.name;
  const { view } = reference.derived;
  const isAge = [1900, 2026, 2031].every((year) => view(year, { effectiveYear: 2030 }) === Math.max(0, 2030 - year));
  return isAge ? { age_of: field.name } : undefined;
}
