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

/** One field to change, as a request would give it. */
export interface FieldChange {
  /** Request name. */
  readonly field: string;
  readonly label: string;
  readonly unit?: string;
  /** What it is now; null where nobody said. */
  readonly from: KnownValue;
  /** Of a set: the word of it that is meant; `from` and `to` say whether it is contained. */
  readonly word?: string;
  /** The nearest value that does. */
  readonly to: number | string | boolean;
  /** Of a number: all values that do as well; `to` alone where a test against an unknown fact hides which do. */
  readonly ranges?: readonly NumberRange[];
  /** Of a date: the same. */
  readonly dates?: readonly { readonly min: string; readonly max: string }[];
  /** Of a word: all that do as well, `to` among them. */
  readonly words?: readonly string[];
  /** In words. */
  readonly text: string;
}

/** The value on the field's own axis that a change goes to: in its cell, nearest to what it is now. */
export function targetOf(field: ChangeableField, cell: number): number | string {
  const { axis, reach } = field;
  if (!isNumberAxis(axis) || !reach) return axis.samples[cell] as string;
  return nearestIn(rangeOfCell(field, cell), startOf(field, reach), axis.domain.integer);
}

/** Describes a change of one field: to the nearest value of `cell`, or any of `cells`; undefined: to that value alone. */
export function describeChange(
  changeable: ChangeableField,
  cell: number,
  cells: CellSet | undefined,
  property: Property,
): FieldChange {
  const { field, index, axis, reach } = changeable;
  const context: DomainContext = property;
  const given = (property.given ?? property.values)[index];
  const target = targetOf(changeable, cell);
  const { label, unit } = namesOf(field, property.vocabulary);
  const base = {
    field: field.requestName,
    ...(field.member ? { word: field.member.word } : {}),
    label,
    ...(unit === undefined ? {} : { unit }),
    from: requestedKnown(given, field, context),
    to: asRequested(target, field, context),
  };
  const now = given === undefined ? 'not given now' : `now ${printKnown(base.from, unit)}`;
  if (typeof base.to === 'boolean') return { ...base, text: `${label}: ${printKnown(base.to, unit)} (${now})` };
  if (!isNumberAxis(axis) || !reach) {
    const words = cells ? cellsOf(cells).map((each) => axis.samples[each] as string) : [target as string];
    return { ...base, words, text: `${label}: ${words.join(' or ')} (${now})` };
  }
  const [number, to] = [target as number, base.to as number];
  const ranges = cells ? cellsOf(cells).map((each) => rangeOfCell(changeable, each)) : [{ min: number, max: number }];
  const onAxis = joined(ranges, axis.domain.integer);
  const { domain } = axis;
  if (field.form) {
    const write = (day: number) => String(field.form!.write(day));
    const dates = onAxis.map((range) => ({ min: write(range.min), max: write(range.max) }));
    const text = onAxis.map((range, place) => printDates(range, dates[place]!, domain));
    return { ...base, dates, text: `${label}: ${text.join(', or ')} (${now})` };
  }
  const told = onAxis.map((range) => requestedRange(range, field, context) ?? { min: to, max: to });
  const ends = onAxis.map((range) => ({ least: range.min === domain.min, most: range.max === domain.max }));
  const text = told.map((range, place) => {
    const { least, most } = ends[place]!;
    const turned = asRequested(onAxis[place]!.min, field, context) !== range.min && range.min !== range.max;
    return printRange(range, turned ? { least: most, most: least } : { least, most }, unit);
  });
  return { ...base, ranges: told, text: `${label}: ${text.join(', or ')} (${now})` };
}

function asRequested(value: number | string, field: Field, context: DomainContext): number | string | boolean {
  if (field.member) return value === YES;
  return field.echo ? field.echo(value, context) : value;
}

/** A request may give a field by another name and reckoning: the age of a roof, not its year. */
function namesOf(field: Field, vocabulary: Vocabulary): { readonly label: string; readonly unit: string | undefined } {
  const derived = vocabulary.derivedFacts.find(
    (each) => each.name === field.requestName && each.field === field.name && each.name !== field.name,
  );
  return { label: derived?.label ?? field.label, unit: derived ? derived.unit : field.unit };
}

function requestedKnown(known: Knowledge, field: Field, context: DomainContext): KnownValue {
  if (known === undefined) return null;
  if (!isWithin(known)) return asRequested(known, field, context);
  if (known.kind === 'one of') return { oneOf: known.words };
  if (field.form) return { min: field.form.write(known.min), max: field.form.write(known.max) };
  const ends = [known.min, known.max].map((end) => asRequested(end, field, context) as number);
  return { min: Math.min(...ends), max: Math.max(...ends) };
}

/**
 * A range as a request would give it, the same values exactly. Where its last value has no place among the
 * others there (next year's roof has no age) it is left out.
 */
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

/** Neighbouring ranges as one. */
function joined(ranges: readonly NumberRange[], integer: boolean): NumberRange[] {
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
  open: { readonly least: boolean; readonly most: boolean },
  unit: string | undefined,
): string {
  if (open.least && open.most) return 'anything else';
  if (min === max) return withUnit(min, unit);
  if (open.least) return `${maxExcluded ? 'less than' : 'at most'} ${withUnit(max, unit)}`;
  if (open.most) return `${minExcluded ? 'more than' : 'at least'} ${withUnit(min, unit)}`;
  const from = minExcluded ? `more than ${print(min, unit)}` : `from ${print(min, unit)}`;
  return `${from} ${maxExcluded ? 'and less than' : 'to'} ${withUnit(max, unit)}`;
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

function printKnown(known: KnownValue, unit: string | undefined): string {
  if (typeof known === 'number') return print(known, unit);
  if (typeof known === 'boolean') return known ? 'yes' : 'no';
  if (typeof known !== 'object' || known === null) return String(known);
  if ('min' in known && 'max' in known)
    return [known.min, known.max].map((end) => (typeof end === 'number' ? print(end, unit) : end)).join(' to ');
  return 'oneOf' in known ? (known.oneOf as readonly string[]).join(' or ') : String(known);
}

function withUnit(number: number, unit: string | undefined): string {
  if (unit === undefined || unit === 'year') return print(number, unit);
  return `${print(number, unit)} ${number === 1 && unit.endsWith('s') ? unit.slice(0, -1) : unit}`;
}

function print(number: number, unit: string | undefined): string {
  return unit === 'dollars' || unit === 'feet' || unit === 'meters' ? number.toLocaleString('en-US') : String(number);
}
