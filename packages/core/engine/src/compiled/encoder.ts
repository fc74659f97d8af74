import { viewOf } from '../condition/computed.ts';
import { type Leaf, valueFact } from '../condition/condition.ts';
import { leafTruth } from '../condition/leaf-truth.ts';
import { operatorFunction } from '../condition/operators.ts';
import type { Knowledge } from '../request/knowledge.ts';
import { factIndex } from '../vocabulary/fact-index.ts';
import type { DerivedFact } from '../vocabulary/field.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { type Axis, isNumberAxis, type NumberAxis } from './axis.ts';

/**
 * Maps a value to its cell, as plain data for worker threads. Numbers use a direct table for a small domain, else buckets, from which
 * limits are counted up.
 */
export type Encoder = NumberEncoder | WordEncoder | TestEncoder;

/** Finds the cell of a number. */
export interface NumberEncoder {
  readonly kind: 'number';
  readonly min: number;
  readonly max: number;
  readonly scale: number;
  /** First limit that can be above a value of the bucket. Empty if `direct` is set. */
  readonly firstCut: Uint32Array;
  readonly cuts: Float64Array;
  /** By bucket, the cell of all its values; -1 if a limit divides it. Empty if `direct` is set. */
  readonly cellOfBucket: Int32Array;
  /** As in `NumberAxis.cellByPlace`. */
  readonly cellByPlace: Int32Array;
  /** For a small integer domain: cell by `value − min`. */
  readonly direct: Uint16Array | Uint32Array | undefined;
}

export interface WordEncoder {
  readonly kind: 'word';
  readonly cells: ReadonlyMap<string, number>;
}

/** A test between two facts: its result is the cell. */
export interface TestEncoder {
  readonly kind: 'test';
  readonly leaf: Leaf;
}

const MAX_DIRECT = 70_000;
const BUCKETS = 2048;
/** Maximum number of limits in a linear search. */
export const MAX_LIMITS_SCANNED = 8;

/** Creates the encoder of an axis. */
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

/** Like `encoderOf`, but without tables for an axis with few limits. */
export function smallEncoderOf(axis: Axis): Encoder {
  if (!isNumberAxis(axis) || axis.cuts.length > MAX_LIMITS_SCANNED) return encoderOf(axis);
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

/** Shares one map among axes with the same words, which improves cache use. */
function cellsOfWords(words: readonly string[]): ReadonlyMap<string, number> {
  const cells = wordCells.get(words) ?? new Map(words.map((word, cell) => [word, cell]));
  wordCells.set(words, cells);
  return cells;
}

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

/** The cell of a number in the domain. */
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
    let end = bucket + 1 < BUCKETS ? encoder.firstCut[(bucket | 0) + 1]! : cuts.length;
    while (end - at > MAX_LIMITS_SCANNED) {
      const middle = (at + end) >>> 1;
      if (cuts[middle]! < value) at = middle + 1;
      else end = middle;
    }
    while (at < cuts.length && cuts[at]! < value) at++;
  }
  return encoder.cellByPlace[2 * at + (cuts[at] === value ? 1 : 0)]!;
}

/** For tests of these against other facts. */
export interface TestContext {
  readonly state: string;
  readonly county: string | undefined;
  readonly policyType: string;
  readonly effectiveYear: number;
}

export type ValueOf = (field: number) => Knowledge;

/** 1 if the test holds, 0 if it fails, -1 if unknown. */
export type TestCell = (fieldValue: ValueOf, surroundings: TestContext) => number;

/** Creates the function that finds the cell of a test. */
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

function factReader(name: string, vocabulary: Vocabulary): (fieldValue: ValueOf, at: TestContext) => unknown {
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
