import type { Fault } from '@leeward/terms';
import type { z } from 'zod';

/**
 * What a field could be when nobody said: all numbers from `min` to `max` (whole ones only where
 * `integer`), or one of `words`.
 */
export type Domain =
  | { readonly kind: 'numbers'; readonly min: number; readonly max: number; readonly integer: boolean }
  | { readonly kind: 'words'; readonly words: readonly string[] };

/** What domains and ages hang on besides the value itself. */
export interface DomainContext {
  /** Calendar year of the effective date. */
  readonly effectiveYear: number;
}

/** What a person could do about a field, which decides which changes are worth proposing. */
export type Change =
  | { readonly kind: 'never' }
  /** Any value of the domain. */
  | { readonly kind: 'any' }
  /** A number may only fall (an age: the thing is replaced) or only rise (the year of a new roof). */
  | { readonly kind: 'lower' }
  | { readonly kind: 'higher' }
  | { readonly kind: 'words'; readonly words: readonly string[] };

/**
 * One thing that can be known of a property, on one axis. Every kind of field declares itself through
 * these members; nothing outside branches on the kind.
 */
export interface Field {
  /** Name of the axis, also the fact of the same name. */
  readonly name: string;
  /** Name under which a request gives it, and under which it is asked for (`address` for a distance). */
  readonly requestName: string;
  /** Name under which a request gives the value itself, where `requestName` is only what it is looked up from. */
  readonly givenAs?: string;
  readonly label: string;
  readonly unit?: string;
  readonly change: Change;
  readonly domain: (context: DomainContext) => Domain;
  /** Where limits of rules usually lie, in the unit of the field; one far from it is pointed out to its author. */
  readonly usual?: Usual;
  /** What it is of an ordinary property, as the axis holds it: homes that show a finding have it where nothing else is asked. */
  readonly typical?: number | string;
  /** Lenient schema of the request field; absent where no request gives the field directly. */
  readonly schema?: z.ZodType;
  /**
   * From what the schema let through to the value on the axis. Runs when the effective date is known;
   * gives a fault (without a path) where the value does not fit.
   */
  readonly resolve?: (value: unknown, context: DomainContext) => number | string | Omit<Fault, 'path'>;
  /** Whether a number of the domain, given by a request, is that very number on the axis: it need not be resolved. */
  readonly isPlain?: boolean;
  /** How an answer echoes the value; the value itself where absent. */
  readonly echo?: (value: number | string, context: DomainContext) => number | string | boolean;
  /** How rules, messages and hosts write what the axis holds as a plain number or word; absent: as it is. */
  readonly form?: ValueForm;
  /** For a field that says whether one word is in a set: which word, and which set. */
  readonly member?: SetMember;
}

/** A field whose name and values TypeScript knows, so that rules written in it are checked as they are typed. */
export type FieldOf<Name extends string, Value, RequestName extends string = Name> = Field & {
  readonly name: Name;
  readonly requestName: RequestName;
  /** Never there: it only carries the type. */
  readonly '~value'?: Value;
};

/** Both ends included. */
export interface Usual {
  readonly min: number;
  readonly max: number;
}

/** Another writing of an axis: `true` for the word `yes`, a date for the number of its day. */
export interface ValueForm {
  readonly name: 'flag' | 'date';
  /** What is expected, after "give": `true or false`. */
  readonly words: string;
  /** The value on the axis; undefined for what is none of this form. */
  readonly read: (written: unknown) => number | string | undefined;
  readonly write: (value: number | string) => boolean | string;
  /** As JSON Schema. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A word of a set that a property has any number of. */
export interface SetMember {
  /** Name of the set: the fact of rules and the field of requests. */
  readonly set: string;
  readonly label: string;
  readonly word: string;
}

/** A view of one field: another name, unit or reckoning for the same knowledge. */
export interface DerivedFact {
  readonly name: string;
  readonly field: string;
  readonly label: string;
  readonly unit?: string;
  /** From the field's value to the fact's. Monotone. */
  readonly view: (value: number, context: DomainContext) => number;
  /** Values of the field at which `view` passes `constant`: where cells must be cut. */
  readonly cuts: (constant: number, context: DomainContext) => readonly number[];
  /**
   * For another unit of the same number: from the fact's constant to the field's. Tests are rewritten
   * with it, so that a limit in feet and the same in miles are one limit.
   */
  readonly toField?: (constant: number) => number;
  /** Bounds of the fact, for checking constants in rule sets. */
  readonly range: { readonly min: number; readonly max: number; readonly integer: boolean };
  /** Where limits of rules usually lie, in the unit of the fact. */
  readonly usual?: Usual;
}

/** `higher` is never below `lower`: a roof is no older than its house. */
export interface Relation {
  readonly lower: string;
  readonly higher: string;
}
