/**
 * A term that offers may set: a deductible, a limit, a settlement. A vocabulary registers its terms like its codes; carriers may add
 * terms named `x_…`.
 */
export type OfferTerm = NumberTerm | WordTerm | FlagTerm;

interface NamedTerm {
  /** Name in rules and answers: `named_storm_deductible_percent`. */
  readonly name: string;
  /** Name shown to people: `named storm deductible`. */
  readonly label: string;
}

/** A term with a bounded number. The stricter of two minimums is the higher one. */
export interface NumberTerm extends NamedTerm {
  readonly kind: 'number';
  /** `percent`, `dollars` or `days`. */
  readonly unit?: string;
  /** Accepted bounds in rules, ends included. */
  readonly min: number;
  readonly max: number;
}

/** A term with one of several words. A rule narrows the choice. */
export interface WordTerm extends NamedTerm {
  readonly kind: 'word';
  readonly words: readonly string[];
}

/** A term that applies or does not. */
export interface FlagTerm extends NamedTerm {
  readonly kind: 'flag';
}
