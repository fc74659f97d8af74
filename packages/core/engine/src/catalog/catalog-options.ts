import type { HostFact, HostFailureEvent } from '../reference/almanac.ts';
import type { HostOperator } from '../reference/reference-evaluator.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

/** Options of {@link createCatalog}. */
export interface CatalogOptions {
  /** Line of business. @default `homeVocabulary` */
  readonly vocabulary?: Vocabulary;
  /** Facts of the host, by name. json-rules-engine evaluates rules that test them. @default {} */
  readonly facts?: Readonly<Record<string, HostFact>>;
  /** Maximum total wait for the host's facts, in ms. @default 5000 */
  readonly factTimeoutMs?: number;
  /** Called when a fact or operator of the host fails. The error may quote personal data. @default none */
  readonly onHostFailure?: (event: HostFailureEvent) => void;
  /** Operators of the host, by name. @default {} */
  readonly operators?: Readonly<Record<string, HostOperator>>;
  /** `reference` evaluates all rules with json-rules-engine, to verify the compiled rules. @default 'compiled' */
  readonly evaluator?: 'compiled' | 'reference';
}
