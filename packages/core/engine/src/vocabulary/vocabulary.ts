import type { DerivedFact, Field, Relation } from './field.ts';
import type { ListField } from './list-field.ts';
import type { OfferTerm } from './offer-term.ts';

/** The vocabulary of a line of business: the fields of its properties and the facts that rules may test. */
export interface Vocabulary {
  readonly line: string;
  readonly policyTypes: readonly string[];
  /** Other spellings of policy types, folded: `windx` → `x-wind`. */
  readonly policyTypeSpellings: Readonly<Record<string, string>>;
  readonly fields: readonly Field[];
  readonly derivedFacts: readonly DerivedFact[];
  readonly relations: readonly Relation[];
  /** Lists of items with fields, such as losses. @default [] */
  readonly lists?: readonly ListField[];
  /** Pairs of request names: a request gives both fields or neither. */
  readonly givenTogether: readonly (readonly [string, string])[];
  /** Registered reason codes. Other codes must begin with `x_`. */
  readonly codes: readonly string[];
  /** Registered terms of offers. Other terms must begin with `x_`. @default none */
  readonly terms?: readonly OfferTerm[];
  /** Fields that a reason code is about, for codes not named like a field. @default {} */
  readonly fieldsOfCodes?: Readonly<Record<string, readonly string[]>>;
}
