import { evidenceSources } from '@leeward/engine';
import {
  type Axis,
  type CellSet,
  type CompiledProgram,
  type Computed,
  cellsOf,
  describeComputed,
  difference,
  type EvidenceFact,
  has,
  has as hasCell,
  isNumberAxis,
  isSame,
  OTHER_SOURCE,
  PLACE,
  printFact,
  type Term,
} from '@leeward/engine/compiled';
import { countyByFips } from '@leeward/places/counties';
import { type Stretch, stretchesOf } from './cell-values.ts';
import { namesOfPlaces, type PlaceName } from './place-names.ts';

const MAX_LISTED = 6;

/** Describes a term: `roof type 3-tab shingle; age of the roof 16 to 20`. */
export function wordsOfTerm(
  term: Term,
  program: CompiledProgram,
  names: readonly PlaceName[] = namesOfPlaces(program.programs, program.place, 'is written'),
): string {
  const parts = term.map(({ axis, cells }) => wordsOfCells(axis, cells, program, names));
  return parts.length === 0 ? 'every home' : parts.join('; ');
}

export function wordsOfCells(
  axis: number,
  cells: CellSet,
  program: CompiledProgram,
  names: readonly PlaceName[] = [],
): string {
  if (axis === PLACE) return wordsOfPlaces(cells, program, names);
  const entry = program.axes[axis]!;
  if (entry.test) return `${hasCell(cells, 1) ? '' : 'not '}(${entry.axis.name.replace(' fact ', ' ')})`;
  if (entry.computed) return wordsOfComputed(entry.computed, entry.axis, cells, program);
  const field = program.vocabulary.fields[entry.field]!;
  if (!isNumberAxis(entry.axis)) {
    const words = cellsOf(cells).map((cell) => String(entry.axis.samples[cell]));
    const others = cellsOf(difference(entry.axis.full, cells)).map((cell) => String(entry.axis.samples[cell]));
    const text =
      words.length > others.length && others.length <= 4 ? `other than ${others.join(', ')}` : words.join(', ');
    return `${field.label} ${text}`;
  }
  const { label, print } = printerOf(entry.field, program);
  const { domain } = entry.axis;
  const stretches = stretchesOf(entry.axis, cells).map((stretch) => print(stretch, domain));
  return `${label} ${stretches.slice(0, MAX_LISTED).join(' or ')}${stretches.length > MAX_LISTED ? ' …' : ''}`;
}

function wordsOfComputed(computed: Computed, axis: Axis, cells: CellSet, { vocabulary }: CompiledProgram): string {
  if (computed.kind === 'area' && isNumberAxis(axis)) {
    const isAtZero = has(cells, axis.cellOf(0));
    const isEntire = computed.apply === 'entire';
    const others = cellsOf(cells).length - (isAtZero ? 1 : 0);
    const words = `${isEntire ? 'entirely ' : ''}within "${computed.area.name}"`;
    // Only the border of the area is distinguished.
    if (isEntire) return isAtZero ? `not ${words}` : words;
    if (isAtZero && others === 0) return words;
    if (!isAtZero && others === axis.size - 1) return `not ${words}`;
  }
  const label = describeComputed(computed, vocabulary);
  if (!isNumberAxis(axis)) return label;
  if (computed.kind === 'evidence' && computed.of === 'source') return wordsOfSource(label, computed, axis, cells);
  const print = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 2 });
  const stretches = stretchesOf(axis, cells).map((stretch) => printStretch(stretch, axis.domain, print));
  return `${label} ${stretches.slice(0, MAX_LISTED).join(' or ')}${stretches.length > MAX_LISTED ? ' …' : ''}`;
}

function wordsOfSource(label: string, { words }: EvidenceFact, axis: Axis, cells: CellSet): string {
  if (words) return axis.samples[cellsOf(cells)[0] ?? -1] === 1 ? label : `not (${label})`;
  const has = (code: number) => {
    const cell = axis.cellOf(code);
    return cell >= 0 && hasCell(cells, cell);
  };
  const inside = evidenceSources.filter((_, code) => has(code));
  const outside = evidenceSources.filter((_, code) => !has(code));
  if (has(OTHER_SOURCE) && outside.length > 0) return `${label} other than ${outside.join(', ')}`;
  return `${label} ${[...inside, ...(has(OTHER_SOURCE) ? ['any other'] : [])].join(', ')}`;
}

interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** Prints a field as an age or in miles if rules can test it so, else in the unit of the field. */
function printerOf(
  index: number,
  program: CompiledProgram,
): { label: string; print: (stretch: Stretch, domain: Bounds) => string } {
  const { vocabulary, effectiveYear } = program;
  const field = vocabulary.fields[index]!;
  const derived = vocabulary.derivedFacts.find(
    (each) =>
      each.field === field.name &&
      (each.unit === 'miles' || (each.unit === 'years' && !field.requestName.startsWith('year'))),
  );
  if (!derived) {
    return {
      label: field.label,
      print: (stretch, domain) => printStretch(stretch, domain, (value) => printFact(field.name, value, vocabulary)),
    };
  }
  const view = (value: number) => printFact(derived.name, derived.view(value, { effectiveYear }), vocabulary);
  const unit = derived.unit === 'miles' ? ' miles' : '';
  const falls = derived.view(effectiveYear - 1, { effectiveYear }) > derived.view(effectiveYear, { effectiveYear });
  return {
    label: derived.label,
    print: (stretch, domain) => {
      if (!falls) return `${printStretch(stretch, domain, view)}${unit}`;
      if (stretch.max >= effectiveYear) return stretch.min <= domain.min ? 'any' : `up to ${view(stretch.min)}`;
      if (stretch.min <= domain.min) return `${view(stretch.max)} and more`;
      return stretch.min === stretch.max ? view(stretch.min) : `${view(stretch.max)} to ${view(stretch.min)}`;
    },
  };
}

function printStretch({ min, max, hasMin, hasMax }: Stretch, domain: Bounds, print: (value: number) => string): string {
  if (min === max) return print(min);
  if (min <= domain.min && max >= domain.max) return 'any';
  if (min <= domain.min) return hasMax ? `up to ${print(max)}` : `below ${print(max)}`;
  if (max >= domain.max) return hasMin ? `${print(min)} and more` : `over ${print(min)}`;
  return `${hasMin ? '' : 'over '}${print(min)} to ${hasMax ? '' : 'below '}${print(max)}`;
}

function wordsOfPlaces(cells: CellSet, program: CompiledProgram, names: readonly PlaceName[]): string {
  const { place } = program;
  const named = names.find((each) => isSame(each.cells, cells));
  if (named) return named.words;
  const byState = new Map<string, number[]>();
  for (const cell of cellsOf(cells)) {
    const { state } = place.samples[cell]!;
    byState.set(state, [...(byState.get(state) ?? []), cell]);
  }
  const parts = [...byState].map(([state, own]) => {
    const all = cellsOf(place.cellsOfState(state));
    const name = state.toUpperCase();
    if (own.length === all.length) return name;
    const named = (list: readonly number[]) =>
      list.map((cell) => countyByFips(place.samples[cell]!.county)?.name ?? '?').slice(0, MAX_LISTED * 2);
    const isOther = (cell: number) => !place.namedCounties.has(place.samples[cell]!.county);
    if (!own.some(isOther)) return `${name} (${named(own).join(', ')}${own.length > MAX_LISTED * 2 ? ' …' : ''})`;
    const left = all.filter((cell) => !own.includes(cell));
    return `${name} without ${named(left).join(', ')}${left.length > MAX_LISTED * 2 ? ' …' : ''}`;
  });
  return `in ${parts.join('; ')}`;
}
