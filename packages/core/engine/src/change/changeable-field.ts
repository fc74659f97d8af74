import { type Axis, isNumberAxis, type NumberAxis, numberAxis, wordAxis } from '../compiled/axis.ts';
import { type CellSet, emptySet, fullSet, setOf } from '../compiled/cell-set.ts';
import { isWithin, type Knowledge } from '../request/knowledge.ts';
import type { Property } from '../request/property.ts';
import type { Domain, Field } from '../vocabulary/field.ts';
import { layoutOf } from '../vocabulary/layout.ts';
import type { TermBits } from './term-bits.ts';

export interface Reach {
  readonly min: number;
  readonly max: number;
}

/** A field that a person could change, on an axis fine enough for all of its tests. */
export interface ChangeableField {
  readonly field: Field;
  readonly index: number;
  readonly axis: Axis;
  readonly knowledge: Knowledge;
  /** Undefined for words. */
  readonly reach: Reach | undefined;
  readonly allowed: CellSet;
}

export interface FieldTargets {
  readonly allowed: CellSet;
  /** Ascending. */
  readonly cells: readonly number[];
  /** Terms that all of these cells satisfy. */
  readonly everywhere: TermBits;
}

export function finerAxis(field: Field, domain: Domain, existing: Axis | undefined, limits: readonly number[]): Axis {
  if (domain.kind === 'words') return existing ?? wordAxis(field.name, domain.words);
  if (existing && limits.length === 0) return existing;
  const cuts = existing && isNumberAxis(existing) ? existing.cuts : [];
  return numberAxis(field.name, domain, [...cuts, ...limits]);
}

/**
 * The values that a field may change to: allowed by the vocabulary relative to the present value, and by its relations (a new roof is
 * not older than its house).
 */
export function changeableField(
  index: number,
  axis: Axis,
  property: Property,
  targets?: FieldTargets,
): ChangeableField {
  const field = property.vocabulary.fields[index]!;
  const knowledge = property.values[index];
  const reach = isNumberAxis(axis) ? reachOf(index, axis, property) : undefined;
  return {
    field,
    index,
    axis,
    knowledge,
    reach,
    allowed: targets?.allowed ?? allowedCells(field, axis, knowledge, reach),
  };
}

export function allowedCells({ change }: Field, axis: Axis, knowledge: Knowledge, reach: Reach | undefined): CellSet {
  if (!isNumberAxis(axis)) {
    const allows = change.kind === 'words' ? new Set(change.words) : undefined;
    return setOf(axis.size, (cell) => {
      const word = axis.samples[cell] as string;
      return word !== knowledge && (allows?.has(word) ?? change.kind === 'any');
    });
  }
  if (!reach) return emptySet(axis.size);
  const isWhole = reach.min <= axis.domain.min && reach.max >= axis.domain.max;
  return isWhole ? fullSet(axis.size) : axis.cellsBetween(reach.min, reach.max);
}

/** Undefined if the field cannot change. */
export function reachOf(index: number, { domain }: NumberAxis, property: Property): Reach | undefined {
  const { vocabulary, values } = property;
  const { kind } = vocabulary.fields[index]!.change;
  const knowledge = values[index];
  let { min, max } = domain;
  const step = domain.integer ? 1 : 0;
  if (kind === 'lower')
    max = Math.min(max, typeof knowledge === 'number' ? knowledge - step : upperBound(knowledge, max));
  else if (kind === 'higher')
    min = Math.max(min, typeof knowledge === 'number' ? knowledge + step : lowerBound(knowledge, min));
  else if (kind !== 'any') return undefined;
  for (const { lower, higher } of layoutOf(vocabulary).relations) {
    if (higher === index) min = Math.max(min, lowerBound(values[lower], min));
    if (lower === index) max = Math.min(max, upperBound(values[higher], max));
  }
  return min < max || (min === max && min !== knowledge) ? { min, max } : undefined;
}

function lowerBound(knowledge: Knowledge, otherwise: number): number {
  if (typeof knowledge === 'number') return knowledge;
  return isWithin(knowledge) && knowledge.kind === 'between' ? knowledge.min : otherwise;
}

function upperBound(knowledge: Knowledge, otherwise: number): number {
  if (typeof knowledge === 'number') return knowledge;
  return isWithin(knowledge) && knowledge.kind === 'between' ? knowledge.max : otherwise;
}
