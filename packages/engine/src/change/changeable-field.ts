import { type Axis, isNumberAxis, type NumberAxis, numberAxis, wordAxis } from '../compiled/axis.ts';
import { type CellSet, emptySet, fullSet, setOf } from '../compiled/cell-set.ts';
import { isWithin, type Knowledge } from '../request/knowledge.ts';
import type { Property } from '../request/property.ts';
import type { Domain, Field } from '../vocabulary/field.ts';

/** Numbers that a person could bring a field to, ends included. */
export interface Reach {
  readonly min: number;
  readonly max: number;
}

/** A field that a person could change, on an axis fine enough for every test that it has a part in. */
export interface ChangeableField {
  readonly field: Field;
  /** Place in the vocabulary's fields. */
  readonly index: number;
  readonly axis: Axis;
  readonly known: Knowledge;
  /** Of numbers. Undefined for words. */
  readonly reach: Reach | undefined;
  /** Cells with a value that the field can be brought to. */
  readonly allowed: CellSet;
}

/** The axis of a field, cut at further limits where some are given. */
export function finerAxis(field: Field, domain: Domain, own: Axis | undefined, limits: readonly number[]): Axis {
  if (domain.kind === 'words') return own ?? wordAxis(field.name, domain.words);
  if (own && limits.length === 0) return own;
  const cuts = own && isNumberAxis(own) ? own.cuts : [];
  return numberAxis(field.name, domain, [...cuts, ...limits]);
}

/**
 * Says what a field may change to: what the vocabulary allows, from what it is now, within what its
 * relations to other fields leave (a new roof is still no older than its house).
 */
export function changeableField(index: number, axis: Axis, property: Property): ChangeableField {
  const field = property.vocabulary.fields[index]!;
  const known = property.values[index];
  const { change } = field;
  const base = { field, index, axis, known };
  if (!isNumberAxis(axis)) {
    const allows = change.kind === 'words' ? new Set(change.words) : undefined;
    const can = (cell: number) => {
      const word = axis.samples[cell] as string;
      return word !== known && (allows?.has(word) ?? change.kind === 'any');
    };
    return { ...base, reach: undefined, allowed: setOf(axis.size, can) };
  }
  const reach = reachOf(field, axis, known, property);
  if (!reach) return { ...base, reach, allowed: emptySet(axis.size) };
  const isWhole = reach.min <= axis.domain.min && reach.max >= axis.domain.max;
  return { ...base, reach, allowed: isWhole ? fullSet(axis.size) : axis.cellsBetween(reach.min, reach.max) };
}

function reachOf({ name, change }: Field, axis: NumberAxis, known: Knowledge, property: Property): Reach | undefined {
  let { min, max } = axis.domain;
  const step = axis.domain.integer ? 1 : 0;
  if (change.kind === 'lower') max = Math.min(max, typeof known === 'number' ? known - step : greatest(known, max));
  else if (change.kind === 'higher') min = Math.max(min, typeof known === 'number' ? known + step : least(known, min));
  else if (change.kind !== 'any') return undefined;
  const { vocabulary, values } = property;
  const knownOf = (other: string) => values[vocabulary.fields.findIndex((field) => field.name === other)];
  for (const { lower, higher } of vocabulary.relations) {
    if (higher === name) min = Math.max(min, least(knownOf(lower), min));
    if (lower === name) max = Math.min(max, greatest(knownOf(higher), max));
  }
  // What it is already is no change.
  return min < max || (min === max && min !== known) ? { min, max } : undefined;
}

function least(known: Knowledge, otherwise: number): number {
  if (typeof known === 'number') return known;
  return isWithin(known) && known.kind === 'between' ? known.min : otherwise;
}

function greatest(known: Knowledge, otherwise: number): number {
  if (typeof known === 'number') return known;
  return isWithin(known) && known.kind === 'between' ? known.max : otherwise;
}
