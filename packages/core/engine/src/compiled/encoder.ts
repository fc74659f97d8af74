import { type Leaf, valueFact } from '../condition/condition.ts';
import { viewOf } from '../condition/facts.ts';
import { leafTruth } from '../condition/leaf-truth.ts';
import { operatorFunction } from '../condition/operators.ts';
import type { Knowledge } from '../request/knowledge.ts';
import { factIndex } from '../vocabulary/fact-index.ts';
import type { DerivedFact } from '../vocabulary/field.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { type Axis, isNumberAxis, type NumberAxis } from './axis.ts';

/**
 * From a field's value to its row, as plain data that a worker thread can be sent. Numbers go through a
 * table: directly where the domain is small, else by buckets from which the limits are counted up.
 */
export type Encoder = NumberEncoder | WordEncoder | TestEncoder;

/** Finds the cell of a number. */
export interface NumberEncoder {
  readonly kind: 'number';
  readonly min: number;
  readonly max: number;
  /** Buckets a unit of the field. */
  readonly scale: number;
  /** First limit that can be above a value of the bucket; empty where cells are looked up directly. */
  readonly firstCut: Uint32Array;
  readonly cuts: Float64Array;
  /** By bucket, the cell of all its values; -1 where a limit parts them. Empty likewise. */
  readonly cellOfBucket: Int32Array;
  /** As `NumberAxis.cellByPlace`. */
  readonly cellByPlace: Int32Array;
  /** Where the domain is small and whole: cell by `value − min`. */
  readonly direct: Uint16Array | Uint32Array | undefined;
}

export interface WordEncoder {
  readonly kind: 'word';
  readonly cells: ReadonlyMap<string, number>;
}

/** A test that cells cannot carry (fact against fact): its answer is the cell. */
export interface TestEncoder {
  readonly kind: 'test';
  readonly leaf: Leaf;
}

const MAX_DIRECT = 70_000;
const BUCKETS = 2048;
/** Limits that are passed one by one: of one bucket, or of an axis that has no more. */
export const LIMITS_PASSED = 8;

/** The encoder of an axis; made once. */
export function encoderOf(axis: Axis): Encoder {
  if (!isNumberAxis(axis)) return { kind: 'word', cells: cellsOfWords(axis.samples as readonly string[]) };
  const { domain, cuts, cellByPlace } = axis;
  const { min, max } = domain;
  const direct = domain.integer && max - min < MAX_DIRECT ? directCells(axis) : undefined;
  const last = cuts.at(-1) ?? min;
  const scale = last > min ? (BUCKETS - 1) / (last - min) : 0;
  const firstCut = new Uint32Array(direct ? 0 : BUCKETS);
  const cellOfBucket = new Int32Array(firstCut.length);
  const bucketOf = (index: number) => Math.floor((cuts[index]! - min) * scale);
  let cut = 0;
  for (let bucket = 0; bucket < firstCut.length; bucket++) {
    while (cut < cuts.length && bucketOf(cut) < bucket) cut++;
    firstCut[bucket] = cut;
    cellOfBucket[bucket] = cut < cuts.length && bucketOf(cut) === bucket ? -1 : cellByPlace[2 * cut]!;
  }
  return { kind: 'number', min, max, scale, firstCut, cuts, cellOfBucket, cellByPlace, direct };
}

/** The same without tables where limits are so few that they are passed one by one. */
export function smallEncoderOf(axis: Axis): Encoder {
  if (!isNumberAxis(axis) || axis.cuts.length > LIMITS_PASSED) return encoderOf(axis);
  const { domain, cuts, cellByPlace } = axis;
  const none = new Uint32Array(0);
  const { min, max } = domain;
  return {
    kind: 'number',
    min,
    max,
    scale: 0,
    firstCut: none,
    cuts,
    cellOfBucket: new Int32Array(0),
    cellByPlace,
    direct: undefined,
  };
}

const wordCells = new WeakMap<readonly string[], ReadonlyMap<string, number>>();

/** One map for all axes of the same words: it is in the cache whichever of them is read. */
function cellsOfWords(words: readonly string[]): ReadonlyMap<string, number> {
  const cells = wordCells.get(words) ?? new Map(words.map((word, cell) => [word, cell]));
  wordCells.set(words, cells);
  return cells;
}

/** The cell of every whole number of the domain, filled cut by cut. */
function directCells({ size, cuts, cellByPlace, domain: { min, max } }: NumberAxis): Uint16Array | Uint32Array {
  const cells = size <= 0x10000 ? new Uint16Array(max - min + 1) : new Uint32Array(max - min + 1);
  let next = min;
  for (let index = 0; index < cuts.length; index++) {
    const cut = cuts[index]!;
    const above = Math.ceil(cut);
    cells.fill(cellByPlace[2 * index]!, next - min, above - min);
    if (above === cut) cells[cut - min] = cellByPlace[2 * index + 1]!;
    next = above === cut ? cut + 1 : above;
  }
  return cells.fill(cellByPlace[2 * cuts.length]!, next - min);
}

/** The cell of a number within the domain. */
export function cellOfNumber(encoder: NumberEncoder, value: number): number {
  const { direct } = encoder;
  if (direct !== undefined) return direct[value - encoder.min]!;
  const { cuts } = encoder;
  const bucket = (value - encoder.min) * encoder.scale;
  let at = cuts.length;
  if (encoder.firstCut.length === 0) {
    at = 0;
    while (at < cuts.length && cuts[at]! < value) at++;
  } else if (bucket < BUCKETS) {
    const cell = encoder.cellOfBucket[bucket | 0]!;
    if (cell >= 0) return cell;
    at = encoder.firstCut[bucket | 0]!;
    // Limits may crowd in one bucket: then it is halved again and again.
    let end = bucket + 1 < BUCKETS ? encoder.firstCut[(bucket | 0) + 1]! : cuts.length;
    while (end - at > LIMITS_PASSED) {
      const middle = (at + end) >>> 1;
      if (cuts[middle]! < value) at = middle + 1;
      else end = middle;
    }
    while (at < cuts.length && cuts[at]! < value) at++;
  }
  return encoder.cellByPlace[2 * at + (cuts[at] === value ? 1 : 0)]!;
}

/** Where the property stands and what is asked for, for tests of those against other facts. */
export interface TestSurroundings {
  readonly state: string;
  readonly county: string | undefined;
  readonly policyType: string;
  readonly effectiveYear: number;
}

/** Gives the knowledge of a field, by its place in the vocabulary. */
export type ValueOf = (field: number) => Knowledge;

/** The cell of a test that is an axis of its own: 1 it holds, 0 it fails, -1 it is not known. */
export type TestCell = (fieldValue: ValueOf, surroundings: TestSurroundings) => number;

/** Makes the function that finds the cell of a test. */
export function createTestCell(leaf: Leaf, vocabulary: Vocabulary): TestCell {
  const test = operatorFunction(leaf.operator)!;
  const left = factReader(leaf.fact, vocabulary);
  const other = valueFact(leaf.value);
  const right = other ? factReader(other.fact, vocabulary) : () => leaf.value;
  return (fieldValue, surroundings) => {
    const truth = leafTruth(left(fieldValue, surroundings), right(fieldValue, surroundings), test);
    return truth === 'true' ? 1 : truth === 'false' ? 0 : -1;
  };
}

function factReader(name: string, vocabulary: Vocabulary): (fieldValue: ValueOf, at: TestSurroundings) => unknown {
  const reference = factIndex(vocabulary).find(name)!;
  if (reference.kind === 'place') {
    const key = reference.name === 'policy_type' ? 'policyType' : reference.name;
    return (_, at) => at[key];
  }
  const field = vocabulary.fields.indexOf(reference.field);
  if (reference.kind === 'field') return (fieldValue) => fieldValue(field);
  const derived: DerivedFact = reference.derived;
  return (fieldValue, at) => viewOf(fieldValue(field), derived, at.effectiveYear);
}
