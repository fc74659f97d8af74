import type { Knowledge } from '../request/knowledge.ts';
import type { Computed } from './condition.ts';
import type { FactSource } from './fact-source.ts';

/** Knowledge of every fact that a rule may test: a value, bounds, or undefined. */
export type Facts = ReadonlyMap<string, unknown>;

/** Key of the function that computes facts. No fact has this name. */
export const COMPUTE = ':compute';

/** Computes facts of one property from its fields and lists. */
export interface Compute {
  (computed: Computed): Knowledge;
  /** Names of the facts and lists that are not fully known, of those from which the fact is computed. */
  missing(computed: Computed): readonly string[];
  /** The fields, lists and events of the property. */
  readonly source: FactSource;
}
