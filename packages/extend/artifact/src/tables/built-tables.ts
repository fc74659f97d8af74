import type { Vocabulary } from '@leeward/engine';

/** The effective dates for which tables are built. Both are included, as `YYYY-MM-DD`. */
export interface TablesOptions {
  readonly from: string;
  readonly to: string;
}

/** A part of a rule set that tables leave open: a home that depends on it is answered `needs_information`. */
export interface NotCompiled {
  /** Key of the carrier. */
  readonly carrier: string;
  /** Policy type, as in the vocabulary. */
  readonly policyType: string;
  /** Id of the rule; undefined if it concerns all rules of the carrier. */
  readonly rule?: string;
  /** Name of the fact that is never given. */
  readonly fact?: string;
  /** A sentence for the user. */
  readonly why: string;
}

/** Tables of a catalog for a range of effective dates. */
export interface BuiltTables {
  /** The table image: see the format of the artifact. */
  readonly image: Uint8Array;
  readonly vocabulary: Vocabulary;
  readonly notCompiled: readonly NotCompiled[];
}
