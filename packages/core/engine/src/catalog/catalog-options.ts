import type { HostFact, HostFailureEvent } from '../reference/almanac.ts';
import type { HostOperator } from '../reference/reference-evaluator.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

/** What a catalog is made with, beside its rule sets. */
export interface CatalogOptions {
  /** Line of business; default homes. */
  readonly vocabulary?: Vocabulary;
  /** The host's own facts, by name: rules may test them; they go to the reference evaluator. */
  readonly facts?: Readonly<Record<string, HostFact>>;
  /** Maximum time that a decision waits for the host's facts in total, in ms. @default 5000 */
  readonly factTimeoutMs?: number;
  /** Called when a fact or operator of the host fails: for a log. Its error may quote personal data. */
  readonly onHostFailure?: (event: HostFailureEvent) => void;
  /** The host's own operators, by name. */
  readonly operators?: Readonly<Record<string, HostOperator>>;
  /** `reference` judges everything by json-rules-engine: slow, and what the compiled answers are compared with. */
  readonly evaluator?: 'compiled' | 'reference';
}
