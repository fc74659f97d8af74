import { writeQuantity, writeWord } from '@leeward/terms';
import type { Tree } from '../condition/condition.ts';

/** A bound on a term: a minimum or maximum, the words that remain, or that the term applies. */
export type TermBound =
  | { readonly kind: 'min' | 'max'; readonly value: number }
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'applies' };

/** A term of an offer, registered or custom. */
export interface DemandedTerm {
  readonly name: string;
  readonly label: string;
  readonly unit?: string;
  /** All words of a registered term with words. */
  readonly words?: readonly string[];
}

/** A bound that an offer sets while `condition` holds: that of its rule and, for a table, that of some steps. */
export interface Demand {
  readonly term: DemandedTerm;
  readonly bound: TermBound;
  readonly condition: Tree;
}

/** Bounds of one term together. */
export interface TermBounds {
  readonly min?: number;
  readonly max?: number;
  readonly oneOf?: readonly string[];
  readonly applies?: true;
}

/** Describes bounds in words: `named storm deductible: at least 5 %`. */
export function describeTerm({ label, unit }: DemandedTerm, bounds: TermBounds): string {
  const { min, max, oneOf } = bounds;
  const parts: string[] = [];
  if (min !== undefined && min === max) parts.push(writeQuantity(min, unit));
  else {
    if (min !== undefined) parts.push(`at least ${writeQuantity(min, unit)}`);
    if (max !== undefined) parts.push(`at most ${writeQuantity(max, unit)}`);
  }
  if (oneOf) parts.push(oneOf.length === 0 ? 'no choice left' : oneOf.map(writeWord).join(' or '));
  return parts.length === 0 ? label : `${label}: ${parts.join(', ')}`;
}

/** One bound as bounds. */
export function boundsOf(bound: TermBound): TermBounds {
  switch (bound.kind) {
    case 'min':
      return { min: bound.value };
    case 'max':
      return { max: bound.value };
    case 'words':
      return { oneOf: bound.words };
    case 'applies':
      return { applies: true };
  }
}
