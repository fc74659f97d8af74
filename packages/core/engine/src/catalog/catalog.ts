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

/** Carriers and their rule sets, ready to judge properties. Immutable: a change is a new catalog. */
export interface Catalog {
  readonly vocabulary: Vocabulary;
  /** What it was made with: the host's own facts and operators among them. */
  readonly options: CatalogOptions;
  readonly carriers: readonly Carrier[];
  /** Which evaluator judges each rule set, and why. */
  readonly evaluators: readonly EvaluatorChoice[];
  /**
   * What every carrier says of a property: for its policy type, or for every type where none is asked for. Tables that
   * are not there yet are built rule by rule, between which others have their turn. A fact of the host that fails is
   * unknown and named in `hostFailures`; only an aborted signal rejects.
   */
  decide(property: Property, options?: DecideOptions): Promise<Decision>;
  /**
   * The same, at once. Carriers whose rules ask the host are not judged: `notJudged` names them, `evaluators` says why.
   * Throws where the whole catalog judges by the reference evaluator.
   */
  decideSync(property: Property, options?: DecideOptions): Decision;
  /**
   * The statuses of `decideSync` as codes, without reasons: one byte a carrier, an index into `STATUS_CODES`, in the
   * order of `carriers`. Without a policy type, the codes of all carriers for the first type come first, then those for
   * the next. Carriers whose rules need the host are `not_judged`. Uses `out` if it is long enough.
   */
  statusCodes(property: Property, out?: Uint8Array): Uint8Array;
  /**
   * Why not, and nothing else: for every carrier and policy type that certainly declines, its reasons. Carriers
   * whose rules ask the host are left out: nothing is known of them here.
   */
  declines(property: Property): readonly DeclineAnswer[];
  /**
   * Request names of the fields that the rules test, of all carriers or of one, for one policy type or state:
   * what a form has to ask. In the vocabulary's order.
   */
  testedFields(query?: TestedFieldsQuery): readonly string[];
  /**
   * Builds, rule by rule, what decisions on one effective date read: so that the first of them does not wait. Others have
   * their turn in between.
   */
  prepare(effectiveDate: string, policyTypes?: readonly string[], turn?: Turn): Promise<void>;
  /**
   * A catalog with some carriers added, changed or removed. The others are neither checked nor compiled again; what
   * decisions read is laid out anew when it is first asked for, or by `prepare`. This one stays as it is. Throws a
   * `RuleSetError` with all that is wrong with the new files, or with what is to be removed.
   */
  update(change: CatalogChange): Catalog;
}

/** Which carriers decide, and how long the decision waits. */
export interface DecideOptions extends FactOptions {
  /** Carriers and policy types that are asked; the others are neither judged nor counted. Default: all. */
  readonly isAppointed?: (carrierKey: string, policyType: string, property: Property) => boolean;
  /** Whose turn it is, where the answer is waited for; default one of its own. */
  readonly turn?: Turn;
}

export interface DeclineAnswer {
  readonly carrierKey: string;
  readonly policyType: string;
  readonly reasons: readonly Reason[];
  /** True if none of the reasons is certain by itself: they decline only together. */
  readonly isJoint: boolean;
}
