import { CoastError } from '../coast-error.ts';
import { SUPERSEDED_CLASS } from './shoreline.ts';

/** The errors of a kind of segment, measured against better shores. */
export interface AccuracyClass {
  /** Half the width of the interval: about 95 % of errors are at most this, by the method of the table. */
  readonly radiusMeters: number;
  /** True minus measured distance at each of the table's probabilities, in ascending order. */
  readonly errorQuantilesMeters: readonly number[];
}

/** The accuracy of the segments of two shorelines, by class. */
export interface AccuracyTable {
  /** In ascending order, between 0 and 1. */
  readonly probabilities: readonly number[];
  /** Up to 255. */
  readonly classes: readonly AccuracyClass[];
}

/**
 * Two drawings of one coast, searched as one. The class of each segment refers to the table. Segments of the check that the preferred
 * shoreline draws better have `SUPERSEDED_CLASS` and are left out of the search.
 */
export interface Conflation extends AccuracyTable {
  readonly version: string;
  /** Authors and licence. */
  readonly attribution: string;
  /** One sentence on the measurement. */
  readonly method: string;
  readonly preferred: ConflatedShoreline;
  readonly check: ConflatedShoreline;
}

/** One shoreline of a conflation. */
export interface ConflatedShoreline {
  readonly name: string;
  /** Hash of its compact file, in hexadecimal. */
  readonly sha256: string;
  /** One number per vertex of the file, for the segment that starts there. */
  readonly classes: Uint8Array;
}

const MAX_CLASSES = SUPERSEDED_CLASS;

/** Throws `invalid_conflation`, naming the field. */
export function checkAccuracyTable({ probabilities, classes }: AccuracyTable): void {
  if (!isAscending(probabilities) || probabilities.length === 0 || !probabilities.every((p) => p > 0 && p < 1)) {
    throw invalid('probabilities', probabilities, 'ascending numbers between 0 and 1');
  }
  if (!Array.isArray(classes) || classes.length === 0 || classes.length > MAX_CLASSES) {
    throw invalid('classes', classes?.length, `a list of 1 to ${MAX_CLASSES} classes`);
  }
  classes.forEach((accuracyClass: AccuracyClass, number) => {
    const path = `classes[${number}]`;
    const { radiusMeters, errorQuantilesMeters } = accuracyClass ?? {};
    if (!Number.isFinite(radiusMeters) || radiusMeters < 0) {
      throw invalid(`${path}.radiusMeters`, radiusMeters, 'meters, zero or more');
    }
    const isFull = Array.isArray(errorQuantilesMeters) && errorQuantilesMeters.length === probabilities.length;
    if (!isFull || !errorQuantilesMeters.every(Number.isFinite) || !isSorted(errorQuantilesMeters)) {
      throw invalid(
        `${path}.errorQuantilesMeters`,
        errorQuantilesMeters,
        `${probabilities.length} numbers in ascending order, one for each probability`,
      );
    }
  });
}

/** Throws `invalid_conflation`, naming the field. */
export function checkConflation(conflation: Conflation): void {
  checkAccuracyTable(conflation);
  for (const field of ['version', 'attribution', 'method'] as const) {
    if (typeof conflation[field] !== 'string') throw invalid(field, conflation[field], 'text');
  }
  for (const part of ['preferred', 'check'] as const) {
    const { name, sha256, classes } = conflation[part] ?? {};
    if (typeof name !== 'string') throw invalid(`${part}.name`, name, 'text');
    if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) {
      throw invalid(`${part}.sha256`, sha256, '64 hexadecimal digits in lower case');
    }
    if (!(classes instanceof Uint8Array)) throw invalid(`${part}.classes`, classes, 'a Uint8Array');
    checkClasses(classes, conflation.classes.length, part);
  }
}

/** A loop: callbacks for a million vertices would delay the first answer. */
function checkClasses(classes: Uint8Array, count: number, part: string): void {
  for (let vertex = 0; vertex < classes.length; vertex++) {
    const number = classes[vertex]!;
    if (number < count || number === SUPERSEDED_CLASS) continue;
    const expected = `a class below ${count}, or ${SUPERSEDED_CLASS} if superseded`;
    throw invalid(`${part}.classes[${vertex}]`, number, expected);
  }
}

function isAscending(numbers: unknown): numbers is readonly number[] {
  return (
    Array.isArray(numbers) &&
    numbers.every((number: unknown, at) => typeof number === 'number' && (at === 0 || number > numbers[at - 1]))
  );
}

function isSorted(numbers: readonly number[]): boolean {
  return numbers.every((number, at) => at === 0 || number >= numbers[at - 1]!);
}

function invalid(path: string, received: unknown, expected: string): CoastError {
  const text = String(JSON.stringify(received)).slice(0, 80);
  return new CoastError('invalid_conflation', `conflation: ${path} is ${text}; expected ${expected}`);
}
