import { evidenceSources, type Vocabulary } from '@leeward/engine';
import {
  type Axis,
  type CellSet,
  type CompiledProgram,
  type Computed,
  cellsOf,
  describeComputed,
  describeTest,
  difference,
  type EvidenceFact,
  has,
  has as hasCell,
  isNumberAxis,
  isSame,
  type Leaf,
  OTHER_SOURCE,
  PLACE,
  type Term,
  unitOfOperand,
} from '@leeward/engine/compiled';
import { writeValue } from '@leeward/engine/vocabulary';
import { countyByFips } from '@leeward/places/counties';
import { wordOf, writeRange, writeWord } from '@leeward/terms';
import { type Stretch, stretchesOf } from './cell-values.ts';
import { namesOfPlaces, type PlaceName } from './place-names.ts';

const MAX_LISTED = 6;

/** `HO3, DP3`. */
export const wordsOfTypes = (policyTypes: readonly string[]): string => policyTypes.map(writeWord).join(', ');

/** Describes a test: `age of the roof is more than 15 years`. */
export function wordsOfTest(leaf: Leaf, vocabulary: Vocabulary): string {
  const { label, operator, limits } = describeTest(leaf, vocabulary);
  return `${label} ${operator} ${limits.join(' or ')}`;
}

/** Describes a term: `roof type 3-tab shingle; age of the roof 16 to 20 years`. */
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
  if (entry.test) return `${hasCell(cells, 1) ? '' : 'not '}(${wordsOfTest(entry.test, program.vocabulary)})`;
  if (entry.computed) return wordsOfComputed(entry.computed, entry.axis, cells, program);
  const field = program.vocabulary.fields[entry.field]!;
  if (!isNumberAxis(entry.axis)) {
    const wordsIn = (some: CellSet) =>
      cellsOf(some).map((cell) => writeValue(field.name, entry.axis.samples[cell], program.vocabulary));
    const [words, others] = [wordsIn(cells), wordsIn(difference(entry.axis.full, cells))];
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
  const print = measureIn(unitOfOperand(computed, vocabulary));
  const stretches = stretchesOf(axis, cells).map((stretch) => printStretch(stretch, axis.domain, print));
  return `${label} ${stretches.slice(0, MAX_LISTED).join(' or ')}${stretches.length > MAX_LISTED ? ' …' : ''}`;
}

function wordsOfSource(label: string, { words: sources }: EvidenceFact, axis: Axis, cells: CellSet): string {
  if (sources) return axis.samples[cellsOf(cells)[0] ?? -1] === 1 ? label : `not (${label})`;
  const has = (code: number) => {
    const cell = axis.cellOf(code);
    return cell >= 0 && hasCell(cells, cell);
  };
  const inside = evidenceSources.filter((_, code) => has(code));
  const outside = evidenceSources.filter((_, code) => !has(code));
  const words = (sources: readonly string[]) => sources.map((source) => wordOf('evidenceSource', source));
  if (has(OTHER_SOURCE) && outside.length > 0) return `${label} other than ${words(outside).join(', ')}`;
  return `${label} ${[...words(inside), ...(has(OTHER_SOURCE) ? ['any other'] : [])].join(', ')}`;
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
    const { form, unit, label } = field;
    const print = form ? (value: number) => writeValue(field.name, value, vocabulary) : measureIn(unit, label);
    return { label, print: (stretch, domain) => printStretch(stretch, domain, print) };
  }
  const { label, unit } = derived;
  const print = measureIn(unit);
  const view = (value: number) => derived.view(value, { effectiveYear });
  // An age falls while its year rises.
  const falls = view(effectiveYear - 1) > view(effectiveYear);
  return {
    label,
    print: ({ min, max, hasMin, hasMax }, domain) => {
      if (!falls) {
        const bounds = { min: view(domain.min), max: view(domain.max) };
        return printStretch({ min: view(min), max: view(max), hasMin, hasMax }, bounds, print);
      }
      if (max >= effectiveYear) return min <= domain.min ? 'any' : `up to ${print(view(min))}`;
      return min <= domain.min ? `${print(view(max))} and more` : print(view(max), view(min));
    },
  };
}

/** Writes a number, or two, with their unit. */
type Measure = (from: number, to?: number) => string;
const measureIn =
  (unit: string | undefined, label = ''): Measure =>
  (from, to = from) =>
    writeRange(from, to, unit, { decimals: 2, label });

function printStretch({ min, max, hasMin, hasMax }: Stretch, domain: Bounds, print: Measure): string {
  if (min === max) return print(min);
  if (min <= domain.min && max >= domain.max) return 'any';
  if (min <= domain.min) return `${hasMax ? 'up to' : 'below'} ${print(max)}`;
  if (max >= domain.max) return hasMin ? `${print(min)} and more` : `over ${print(min)}`;
  if (hasMin && hasMax) return print(min, max);
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
      list.map((cell) => countyByFips(place.samples[cell]!.county)?.label ?? '?').slice(0, MAX_LISTED * 2);
    const isOther = (cell: number) => !place.namedCounties.has(place.samples[cell]!.county);
    if (!own.some(isOther)) return `${name} (${named(own).join(', ')}${own.length > MAX_LISTED * 2 ? ' …' : ''})`;
    const left = all.filter((cell) => !own.includes(cell));
    return `${name} without ${named(left).join(', ')}${left.length > MAX_LISTED * 2 ? ' …' : ''}`;
  });
  return `in ${parts.join('; ')}`;
}
