import type { DerivedFact, Field, Relation } from './field.ts';

/**
 * A line of business as words: what can be known of a property and what rules may test. A new line is a
 * new vocabulary; the engine is the same.
 */
export interface Vocabulary {
  readonly line: string;
  readonly policyTypes: readonly string[];
  /** Folded other spellings of policy types (`windx` → `x-wind`). */
  readonly policyTypeSpellings: Readonly<Record<string, string>>;
  readonly fields: readonly Field[];
  readonly derivedFacts: readonly DerivedFact[];
  readonly relations: readonly Relation[];
  /** Fields that a request gives together or not at all, by request name. */
  readonly givenTogether: readonly (readonly [string, string])[];
  /** Registered reason codes. Others must begin with `x_`. */
  readonly codes: readonly string[];
  /** Fields that a code speaks of, by code, where the two have different names. @default none */
  readonly fieldsOfCodes?: Readonly<Record<string, readonly string[]>>;
}
