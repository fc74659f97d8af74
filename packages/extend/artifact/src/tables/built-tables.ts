import type { Vocabulary } from '@leeward/engine';
import type { Lane } from './lane.ts';
import type { TableInput } from './table-inputs.ts';

/** The effective dates for which tables are built. Both are included, as `YYYY-MM-DD`. */
export interface TablesOptions {
  readonly from: string;
  readonly to: string;
  /** False leaves out the tables of reasons, which take longer than those of statuses. @default true */
  readonly reasons?: boolean;
}

/** A part of a rule set that tables leave open: a home that depends on it is answered `needs_information`. */
export interface NotCompiled {
  /** Key of the carrier. */
  readonly carrier: string;
  /** Version of its rule set. */
  readonly version: string;
  readonly policyType: string;
  /** Name of the input, which never has a value. Undefined if only joint outcomes stay open. */
  readonly fact?: string;
  /**
   * False if the rules combine in too many ways: a home stays open if only several of them together decide it. Otherwise, all of the
   * carrier's answers are open.
   */
  readonly settledJointly?: false;
  /** A sentence for the user. */
  readonly why: string;
}

/** A rule, the territory or a moratorium of a carrier, which tables of reasons evaluate. */
export interface BuiltReason {
  /** Index of the carrier in the catalog. */
  readonly carrier: number;
  /** Version of its rule set. */
  readonly version: string;
  readonly kind: 'rule' | 'territory' | 'moratorium';
  /** Id of the rule or moratorium; for the territory, of the first program. */
  readonly id: string;
  readonly code: string;
  readonly outcome: 'decline' | 'refer';
  /** As written: facts in braces are not filled in. */
  readonly message: string;
  /** Numbers of the inputs that it tests. The county, which every reason may test, is not among them. */
  readonly inputs: readonly number[];
}

/** The tables of one policy type in an interval. */
export interface BuiltType {
  /** By lane, the carrier and its closed terms. In the order of the catalog; carriers that do not offer the type are left out. */
  readonly lanes: readonly Lane[];
  /** By number of the reason, its closed terms, all declining. Empty without reasons. */
  readonly reasonLanes: readonly Lane[];
  readonly reasons: readonly BuiltReason[];
}

/** Effective dates with the same rule sets, in one year. */
export interface BuiltInterval {
  /** First date, `YYYY-MM-DD`. */
  readonly from: string;
  /** The date after the last. */
  readonly until: string;
  readonly effectiveYear: number;
  /** By policy type of the vocabulary. */
  readonly types: readonly BuiltType[];
}

/** Tables of a catalog for a range of effective dates. */
export interface BuiltTables {
  /** The table image: see the format of the artifact. */
  readonly image: Uint8Array;
  readonly vocabulary: Vocabulary;
  /** In the order of the image. */
  readonly inputs: readonly TableInput[];
  readonly intervals: readonly BuiltInterval[];
  readonly notCompiled: readonly NotCompiled[];
}
