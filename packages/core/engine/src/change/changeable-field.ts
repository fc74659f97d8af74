import { type Axis, isNumberAxis, type NumberAxis, numberAxis, wordAxis } from '../compiled/axis.ts';
import { type CellSet, emptySet, fullSet, setOf } from '../compiled/cell-set.ts';
import { isWithin, type Knowledge } from '../request/knowledge.ts';
import type { Property } from '../request/property.ts';
import type { Domain, Field } from '../vocabulary/field.ts';
import { layoutOf } from '../vocabulary/layout.ts';
import type { TermBits } from './term-bits.ts';

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

/** What a field may change to, as cells of its axis. */
export interface FieldTargets {
  readonly allowed: CellSet;
  /** The same cells, ascending. */
  readonly cells: readonly number[];
  /** Terms that every one of them lets through. */
  readonly everywhere: TermBits;
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
export function changeableField(
  index: number,
  axis: Axis,
  property: Property,
  targets?: FieldTargets,
): ChangeableField {
  const field = property.vocabulary.fields[index]!;
  const known = property.values[index];
  const reach = isNumberAxis(axis) ? reachOf(index, axis, property) : undefined;
  return { field, index, axis, known, reach, allowed: targets?.allowed ?? allowedCells(field, axis, known, reach) };
}

/** The cells that a field may change to, from what is known of it. */
export function allowedCells({ change }: Field, axis: Axis, known: Knowledge, reach: Reach | undefined): CellSet {
  if (!isNumberAxis(axis)) {
    const allows = change.kind === 'words' ? new Set(change.words) : undefined;
    return setOf(axis.size, (cell) => {
      const word = axis.samples[cell] as string;
      return word !== known && (allows?.has(word) ?? change.kind === 'any');
    });
  }
  if (!reach) return emptySet(axis.size);
  const isWhole = reach.min <= axis.domain.min && reach.max >= axis.domain.max;
  return isWhole ? fullSet(axis.size) : axis.cellsBetween(reach.min, reach.max);
}

/** The numbers that a field may change to; undefined for none. */
export function reachOf(index: number, { domain }: NumberAxis, property: Property): Reach | undefined {
  const { vocabulary, values } = property;
  const { kind } = vocabulary.fields[index]!.change;
  const known = values[index];
  let { min, max } = domain;
  const step = domain.integer ? 1 : 0;
  if (kind === 'lower') max = Math.min(max, typeof known === 'number' ? known - step : greatest(known, max));
  else if (kind === 'higher') min = Math.max(min, typeof known === 'number' ? known + step : least(known, min));
  else if (kind !== 'any') return undefined;
  for (const { lower, higher } of layoutOf(vocabulary).relations) {
    if (higher === index) min = Math.max(min, least(values[lower], min));
    if (lower === index) max = Math.min(max, greatest(values[higher], max));
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
