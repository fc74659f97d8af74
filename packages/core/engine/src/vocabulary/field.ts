import type { Fault } from '@leeward/terms';
import type { z } from 'zod';

/** Possible values of a field: all numbers from `min` to `max` (whole numbers if `integer`), or one of `words`. */
export type Domain =
  | { readonly kind: 'numbers'; readonly min: number; readonly max: number; readonly integer: boolean }
  | { readonly kind: 'words'; readonly words: readonly string[] };

/** True if a value belongs to the domain. */
export function inDomain(value: unknown, domain: Domain): boolean {
  if (domain.kind === 'words') return typeof value === 'string' && domain.words.includes(value);
  return (
    typeof value === 'number' &&
    value >= domain.min &&
    value <= domain.max &&
    (!domain.integer || Number.isInteger(value))
  );
}

/** Context of domains and ages. */
export interface DomainContext {
  /** Calendar year of the effective date. */
  readonly effectiveYear: number;
}

/** Changes that a person could make to a field; counterfactuals propose only these. */
export type Change =
  | { readonly kind: 'never' }
  | { readonly kind: 'any' }
  /** A number may only fall (the age of something replaceable) or only rise (the year of a new roof). */
  | { readonly kind: 'lower' }
  | { readonly kind: 'higher' }
  | { readonly kind: 'words'; readonly words: readonly string[] };

/** One property of a home, on one axis. Each kind of field implements these members; other code does not branch on the kind. */
export interface Field {
  readonly name: string;
  /** Name in requests. For a field looked up from another, that field's name: `address` for a distance. */
  readonly requestName: string;
  /** Name for a direct value in requests, if `requestName` is only the source of the lookup. */
  readonly givenAs?: string;
  readonly label: string;
  readonly unit?: string;
  readonly change: Change;
  readonly domain: (context: DomainContext) => Domain;
  /** Range of usual limits in rules, in the unit of the field. The analysis reports limits far outside. */
  readonly usual?: Usual;
  /** Value of an ordinary property, as on the axis, for example homes. */
  readonly typical?: number | string;
  /** Lenient schema of the request field. Without it, requests cannot have the field. */
  readonly schema?: z.ZodType;
  /**
   * Converts a valid request value to the axis value, once the effective date is known. Returns a fault without a path if the value is
   * invalid.
   */
  readonly resolve?: (value: unknown, context: DomainContext) => number | string | Omit<Fault, 'path'>;
  /** True if a number of the domain is the axis value, so that `resolve` is unnecessary. */
  readonly isPlain?: boolean;
  /** Other spellings of words in requests, folded (see `fold` of @leeward/terms). @default {} */
  readonly spellings?: Readonly<Record<string, string>>;
  /** Converts the axis value to the value echoed in answers. @default the axis value */
  readonly echo?: (value: number | string, context: DomainContext) => number | string | boolean;
  /** Notation of the axis value in rules, messages and host code. @default as on the axis */
  readonly form?: ValueForm;
  /** For a field of a set: its word and its set. */
  readonly member?: SetMember;
  /** True if forms show the field only when a rule of some carrier tests it. @default false */
  readonly isOnDemand?: boolean;
  /** Value of a property that does not give the field; only for words and flags. @default none: it is unknown */
  readonly fallback?: Fallback;
}

/** The value of a field that a property does not give. */
export interface Fallback {
  /** As on the axis. */
  readonly value: string;
  /** Applies only if another field has this value. That field is not another field's condition. @default always */
  readonly when?: { readonly field: string; readonly value: string };
}

/** A field whose name and value type TypeScript knows, so that rules are type-checked. */
export type FieldOf<Name extends string, Value, RequestName extends string = Name> = Field & {
  readonly name: Name;
  readonly requestName: RequestName;
  /** Type only; never set at run time. */
  readonly '~value'?: Value;
};

/** Both ends included. */
export interface Usual {
  readonly min: number;
  readonly max: number;
}

/** Another notation of axis values: `true` for the word `yes`, a date for its day number. */
export interface ValueForm {
  readonly name: 'flag' | 'date' | 'zipcode';
  /** The expected value, as after "give": `true or false`. */
  readonly words: string;
  /** Undefined if the input is not in this form. */
  readonly read: (written: unknown) => number | string | undefined;
  readonly write: (value: number | string) => boolean | string;
  /** As JSON Schema. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Ranges that `in` and `notIn` accept in place of a value. Values of such a form have no order in rules. */
  readonly range?: RangeForm;
}

/** Notation of ranges of axis values: `77550-77554`. */
export interface RangeForm {
  /** The expected elements of a list, as after "give". */
  readonly words: string;
  /** Returns the range, both ends included; undefined if the input is not in this form. Also reads single values. */
  readonly read: (written: unknown) => readonly [min: number, max: number] | undefined;
  /** As JSON Schema. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Membership of a field in a set. */
export interface SetMember {
  readonly set: string;
  readonly label: string;
  readonly word: string;
}

/** Another name, unit or calculation of one field. */
export interface DerivedFact {
  readonly name: string;
  readonly field: string;
  readonly label: string;
  readonly unit?: string;
  /** Converts the field's value to the fact's. Must be monotone. */
  readonly view: (value: number, context: DomainContext) => number;
  /** Field values at which `view` passes `constant`. Cells are cut there. */
  readonly cuts: (constant: number, context: DomainContext) => readonly number[];
  /**
   * Converts a constant of the fact to one of the field, for the same quantity in another unit. Equal limits in feet and miles then
   * become one limit.
   */
  readonly toField?: (constant: number) => number;
  /** Valid constants in rules. */
  readonly range: { readonly min: number; readonly max: number; readonly integer: boolean };
  /** Usual limits in rules, in the unit of the fact. */
  readonly usual?: Usual;
}

/** `higher` is never below `lower`: a roof is not older than its house. */
export interface Relation {
  readonly lower: string;
  readonly higher: string;
}
