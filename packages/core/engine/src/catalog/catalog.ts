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
  /** Options of `createCatalog`, including facts and operators of the host. */
  readonly options: CatalogOptions;
  readonly carriers: readonly Carrier[];
  /** Evaluator of each rule set, with the reason. */
  readonly evaluators: readonly EvaluatorChoice[];
  /**
   * Decides for all carriers: for the property's policy type, or for every type by default. Missing tables are
   * built in pieces, yielding to other work between them. A host fact that fails is unknown and listed in
   * `hostFailures`; only an aborted signal rejects.
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
   * Returns the statuses of `decideSync` as codes without reasons: one byte for each carrier, an index into
   * `STATUS_CODES`, in the order of `carriers`. Without a policy type, the codes of all carriers for the first type are
   * followed by those for the next. Carriers whose rules need the host are `not_judged`. Uses `out` if it is long
   * enough.
   */
  statusCodes(property: Property, out?: Uint8Array): Uint8Array;
  /**
   * Returns, for every carrier and policy type that certainly declines, its reasons. Carriers whose rules need the host
   * are left out.
   */
  declines(property: Property): readonly DeclineAnswer[];
  /**
   * Returns the request names of the fields that the rules test, for all carriers or for one, in the order of the
   * vocabulary: the fields of a form.
   */
  testedFields(query?: TestedFieldsQuery): readonly string[];
  /**
   * Builds the tables for an effective date in advance, so that the first decision is fast. Yields to other work
   * between pieces.
   *
   * @param policyTypes by default all
   */
  prepare(effectiveDate: string, policyTypes?: readonly string[], turn?: Turn): Promise<void>;
  /**
   * Returns a catalog with some carriers added, changed or removed. The others are neither checked nor compiled again;
   * their tables are rebuilt on demand or by `prepare`.
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
