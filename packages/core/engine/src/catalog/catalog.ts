import type { FactOptions } from '../reference/almanac.ts';
import type { Property } from '../request/property.ts';
import type { Turn } from '../turns/turn.ts';
import type { Reason } from '../verdict/verdict.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { CatalogChange } from './catalog-change.ts';
import type { CatalogOptions } from './catalog-options.ts';
import type { Decision } from './decision.ts';
import type { EvaluatorChoice } from './evaluator-choice.ts';
import type { TestedFieldsQuery } from './tested-fields.ts';
import type { Carrier } from './versions.ts';

/** Carriers and their rule sets, ready for decisions. Immutable: a change returns a new catalog. */
export interface Catalog {
  readonly vocabulary: Vocabulary;
  readonly options: CatalogOptions;
  readonly carriers: readonly Carrier[];
  /** Evaluator of each rule set, with the reason. */
  readonly evaluators: readonly EvaluatorChoice[];
  /**
   * Decides for the property's policy type, or for every type by default. Builds missing tables in pieces and yields between them. A
   * failed host fact is unknown and listed in `hostFailures`; only an aborted signal rejects.
   *
   * @example const { verdicts } = await catalog.decide(property);
   */
  decide(property: Property, options?: DecideOptions): Promise<Decision>;
  /**
   * Like `decide`, but synchronous. Carriers whose rules need the host are listed in `notEvaluated`.
   *
   * @throws Error if the catalog evaluates all rules with json-rules-engine
   */
  decideSync(property: Property, options?: DecideOptions): Decision;
  /**
   * Statuses of `decideSync` as codes, without reasons: one byte per carrier, an index into `STATUS_CODES`, in the order of `carriers`.
   * Without a policy type, one such block per type. Carriers whose rules need the host are `not_judged`. Uses `out` if it is long
   * enough.
   */
  statusCodes(property: Property, out?: Uint8Array): Uint8Array;
  /** Reasons of every certain decline. Leaves out carriers whose rules need the host. */
  declines(property: Property): readonly DeclineAnswer[];
  /** Request names of the fields that the rules of all carriers, or of one, test, in the order of the vocabulary. */
  testedFields(query?: TestedFieldsQuery): readonly string[];
  /**
   * Builds the tables for an effective date in advance. Yields between pieces.
   *
   * @param policyTypes by default all
   */
  prepare(effectiveDate: string, policyTypes?: readonly string[], turn?: Turn): Promise<void>;
  /**
   * Returns a catalog with some carriers added, changed or removed. Only these are checked and compiled; tables are rebuilt on demand or
   * by `prepare`.
   *
   * @throws RuleSetError listing the faults of new files and of removals
   */
  update(change: CatalogChange): Catalog;
}

/** Options of a decision. */
export interface DecideOptions extends FactOptions {
  /** Filter of carriers and policy types. Excluded ones are neither evaluated nor counted. @default all */
  readonly isAppointed?: (carrierKey: string, policyType: string, property: Property) => boolean;
  /** Time slice shared with other work. @default a new one */
  readonly turn?: Turn;
}

/** A certain decline of one carrier. */
export interface DeclineAnswer {
  readonly carrierKey: string;
  readonly policyType: string;
  readonly reasons: readonly Reason[];
  /** True if the reasons decline only jointly, because no single one is certain. */
  readonly isJoint: boolean;
}
