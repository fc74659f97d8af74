import { writeQuantity, writeRange, writeWord } from '@leeward/terms';
import { isNumberAxis } from '../compiled/axis.ts';
import { type CellSet, cellsOf } from '../compiled/cell-set.ts';
import type { KnownValue } from '../explain/explanation.ts';
import { isWithin, type Knowledge } from '../request/knowledge.ts';
import type { Property } from '../request/property.ts';
import type { DomainContext, Field } from '../vocabulary/field.ts';
import { YES } from '../vocabulary/flag-field.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { ChangeableField } from './changeable-field.ts';
import { type NumberRange, nearestIn, rangeOfCell, startOf } from './nearest.ts';

/** A change of one field, as a request would give it. */
export interface FieldChange {
  /** Request name. */
  readonly field: string;
  readonly label: string;
  readonly unit?: string;
  /** Present value; null if not given. */
  readonly from: KnownValue;
  /** For a set: the word. `from` and `to` are then whether the set contains it. */
  readonly word?: string;
  /** The nearest value that works. */
  readonly to: number | string | boolean;
  /** For a number: all values that work. Only `to` if a test against an unknown fact hides the others. */
  readonly ranges?: readonly NumberRange[];
  /** For a date: all dates that work. */
  readonly dates?: readonly { readonly min: string; readonly max: string }[];
  /** For a word: all words that work, including `to`. */
  readonly words?: readonly string[];
  /** The change as a sentence. */
  readonly text: string;
}

/** The value in a cell nearest to the present one. */
export function targetOf(field: ChangeableField, cell: number): number | string {
  const { axis, reach } = field;
  if (!isNumberAxis(axis) || !reach) return axis.samples[cell] as string;
  return nearestIn(rangeOfCell(field, cell), startOf(field, reach), axis.domain.integer);
}

/** @param cells all cells that work; undefined if only the nearest value is known to work */
export function describeChange(
  changeable: ChangeableField,
  cell: number,
  cells: CellSet | undefined,
  property: Property,
): FieldChange {
  const { field, index, axis, reach } = changeable;
  const context: DomainContext = property;
  const givenValue = (property.givenValues ?? property.values)[index];
  const target = targetOf(changeable, cell);
  const { label, unit } = namesOf(field, property.vocabulary);
  const base = {
    field: field.requestName,
    ...(field.member ? { word: field.member.word } : {}),
    label,
    ...(unit === undefined ? {} : { unit }),
    from: asRequestedKnowledge(givenValue, field, context),
    to: asRequested(target, field, context),
  };
  const now = givenValue === undefined ? 'not given now' : `now ${printValue(base.from, unit)}`;
  if (typeof base.to === 'boolean') return { ...base, text: `${label}: ${printValue(base.to, unit)} (${now})` };
  if (!isNumberAxis(axis) || !reach) {
    const words = cells ? cellsOf(cells).map((each) => axis.samples[each] as string) : [target as string];
    return { ...base, words, text: `${label}: ${words.map(writeWord).join(' or ')} (${now})` };
  }
  const [number, to] = [target as number, base.to as number];
  const ranges = cells ? cellsOf(cells).map((each) => rangeOfCell(changeable, each)) : [{ min: number, max: number }];
  const onAxis = mergeRanges(ranges, axis.domain.integer);
  const { domain } = axis;
  if (field.form) {
    const write = (day: number) => String(field.form!.write(day));
    const dates = onAxis.map((range) => ({ min: write(range.min), max: write(range.max) }));
    const text = onAxis.map((range, place) => printDates(range, dates[place]!, domain));
    return { ...base, dates, text: `${label}: ${text.join(', or ')} (${now})` };
  }
  const printedRanges = onAxis.map((range) => requestedRange(range, field, context) ?? { min: to, max: to });
  const ends = onAxis.map((range) => ({
    isOpenBelow: range.min === domain.min,
    isOpenAbove: range.max === domain.max,
  }));
  const text = printedRanges.map((range, place) => {
    const { isOpenBelow, isOpenAbove } = ends[place]!;
    const isReversed = asRequested(onAxis[place]!.min, field, context) !== range.min && range.min !== range.max;
    return printRange(
      range,
      isReversed ? { isOpenBelow: isOpenAbove, isOpenAbove: isOpenBelow } : { isOpenBelow, isOpenAbove },
      unit,
    );
  });
  return { ...base, ranges: printedRanges, text: `${label}: ${text.join(', or ')} (${now})` };
}

function asRequested(value: number | string, field: Field, context: DomainContext): number | string | boolean {
  if (field.member) return value === YES;
  return field.echo ? field.echo(value, context) : value;
}

/** A request may have a field as a derived fact: the age of a roof instead of its year. */
function namesOf(field: Field, vocabulary: Vocabulary): { readonly label: string; readonly unit: string | undefined } {
  const derived = vocabulary.derivedFacts.find(
    (each) => each.name === field.requestName && each.field === field.name && each.name !== field.name,
  );
  return { label: derived?.label ?? field.label, unit: derived ? derived.unit : field.unit };
}

function asRequestedKnowledge(knowledge: Knowledge, field: Field, context: DomainContext): KnownValue {
  if (knowledge === undefined) return null;
  if (!isWithin(knowledge)) return asRequested(knowledge, field, context);
  if (knowledge.kind === 'one of') return { oneOf: knowledge.words };
  if (field.form) return { min: field.form.write(knowledge.min), max: field.form.write(knowledge.max) };
  const ends = [knowledge.min, knowledge.max].map((end) => asRequested(end, field, context) as number);
  return { min: Math.min(...ends), max: Math.max(...ends) };
}

/** Converts a range exactly to the form of requests. Omits an end without a counterpart (next year's roof has no age). */
function requestedRange(range: NumberRange, field: Field, context: DomainContext): NumberRange | undefined {
  if (!field.echo) return range;
  for (const [min, max] of [
    [range.min, range.max],
    [range.min, range.max - 1],
    [range.min + 1, range.max],
  ] as const) {
    const ends = [min, max].map((end) => asRequested(end, field, context) as number);
    if (min <= max && Math.abs(ends[0]! - ends[1]!) === max - min)
      return { min: Math.min(...ends), max: Math.max(...ends) };
  }
  return undefined;
}

function mergeRanges(ranges: readonly NumberRange[], integer: boolean): NumberRange[] {
  const result: NumberRange[] = [];
  for (const range of ranges) {
    const last = result.at(-1);
    const touches =
      last &&
      (integer ? last.max + 1 === range.min : last.max === range.min && !(last.maxExcluded && range.minExcluded));
    if (!touches) result.push(range);
    else {
      const { maxExcluded: _, ...start } = last;
      result[result.length - 1] = {
        ...start,
        max: range.max,
        ...(range.maxExcluded ? { maxExcluded: true as const } : {}),
      };
    }
  }
  return result;
}

function printRange(
  { min, max, minExcluded, maxExcluded }: NumberRange,
  open: { readonly isOpenBelow: boolean; readonly isOpenAbove: boolean },
  unit: string | undefined,
): string {
  if (open.isOpenBelow && open.isOpenAbove) return 'anything else';
  if (open.isOpenBelow && min !== max) return `${maxExcluded ? 'less than' : 'at most'} ${writeQuantity(max, unit)}`;
  if (open.isOpenAbove && min !== max) return `${minExcluded ? 'more than' : 'at least'} ${writeQuantity(min, unit)}`;
  if (!minExcluded && !maxExcluded) return writeRange(min, max, unit);
  const from = `${minExcluded ? 'more than' : 'at least'} ${writeQuantity(min, unit)}`;
  return `${from} and ${maxExcluded ? 'less than' : 'at most'} ${writeQuantity(max, unit)}`;
}

function printDates(
  { min, max }: NumberRange,
  dates: { readonly min: string; readonly max: string },
  domain: { readonly min: number; readonly max: number },
): string {
  if (min <= domain.min && max >= domain.max) return 'anything else';
  if (min === max) return dates.min;
  if (min <= domain.min) return `${dates.max} or before`;
  return max >= domain.max ? `${dates.min} or after` : `${dates.min} to ${dates.max}`;
}

function printValue(value: KnownValue, unit: string | undefined): string {
  if (typeof value === 'number') return writeQuantity(value, unit);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return writeWord(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if ('min' in value && 'max' in value) {
    const { min, max } = value;
    if (typeof min === 'number' && typeof max === 'number') return writeRange(min, max, unit);
    return `${String(min)} to ${String(max)}`;
  }
  return 'oneOf' in value ? (value.oneOf as readonly string[]).map(writeWord).join(' or ') : String(value);
}
