import type { HostFact, HostFailureEvent } from '../reference/almanac.ts';
import type { HostOperator } from '../reference/reference-evaluator.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

/** Options of {@link createCatalog}. */
export interface CatalogOptions {
  /** Line of business. @default `homeVocabulary` */
  readonly vocabulary?: Vocabulary;
  /** Facts of the host, by name. Rules that test them are evaluated by json-rules-engine. @default {} */
  readonly facts?: Readonly<Record<string, HostFact>>;
  /** Maximum time that a decision waits for the host's facts in total, in ms. @default 5000 */
  readonly factTimeoutMs?: number;
  /** Called when a fact or operator of the host fails, for logging. The error may quote personal data. @default none */
  readonly onHostFailure?: (event: HostFailureEvent) => void;
  /** Operators of the host, by name. @default {} */
  readonly operators?: Readonly<Record<string, HostOperator>>;
  /**
   * `reference` evaluates all rules with json-rules-engine: slow; used to verify the compiled rules. @default
   * 'compiled'
   */
  readonly evaluator?: 'compiled' | 'reference';
}
