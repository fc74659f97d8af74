import { CoastError } from '../coast-error.ts';
import { type FileKind, jsonBytes, openSections, readJson, type Section, writeSections } from '../file/section-file.ts';
import { checkCertainty } from './likelihood.ts';

/**
 * Answers to millions of points in 15 bytes each, and 8 more for each certainty. Distances are float32: rounded by up to 1 part in 16
 * million, 4 mm at 100 km. NaN unless the status is `BATCH_ANSWERED`.
 */
export interface CompactCoastBatch {
  readonly statuses: Uint8Array;
  /** Index in `sourceNames`. */
  readonly sources: Uint8Array;
  readonly sourceNames: readonly string[];
  /** 1 if tidal waters beyond the shores changed the answer. */
  readonly tidalRivers: Uint8Array;
  readonly distancesMeters: Float32Array;
  readonly minimaMeters: Float32Array;
  readonly maximaMeters: Float32Array;
  /** One for each certainty. */
  readonly intervals: readonly CompactCertaintyColumns[];
}

/** Columns of `CoastAnswer.intervalAt`. */
export interface CompactCertaintyColumns {
  readonly certainty: number;
  readonly minimaMeters: Float32Array;
  readonly maximaMeters: Float32Array;
}

export function createCompactBatch(
  length: number,
  sourceNames: readonly string[],
  certainties: readonly number[],
): CompactCoastBatch {
  certainties.forEach(checkCertainty);
  return {
    statuses: new Uint8Array(length),
    sources: new Uint8Array(length),
    sourceNames,
    tidalRivers: new Uint8Array(length),
    distancesMeters: new Float32Array(length),
    minimaMeters: new Float32Array(length),
    maximaMeters: new Float32Array(length),
    intervals: certainties.map((certainty) => ({
      certainty,
      minimaMeters: new Float32Array(length),
      maximaMeters: new Float32Array(length),
    })),
  };
}

const BATCH_FILE: FileKind = {
  magic: 'LEEWARDB',
  version: 1,
  noun: 'a batch of coast answers',
  remedy: 'write it again with encodeCoastBatch',
};

/**
 * Writes a compact batch as bytes with checksums.
 * @example
 * writeFileSync('homes.coast', encodeCoastBatch(coast.nearestMany(points, { compact: true })));
 */
export function encodeCoastBatch(batch: CompactCoastBatch): Uint8Array<ArrayBuffer> {
  const { statuses, sources, sourceNames, tidalRivers, distancesMeters, minimaMeters, maximaMeters, intervals } = batch;
  const head = { count: statuses.length, sourceNames, certainties: intervals.map(({ certainty }) => certainty) };
  const section = (tag: string, column: Uint8Array | Float32Array): Section => ({
    tag,
    bytes: new Uint8Array(column.buffer, column.byteOffset, column.byteLength),
  });
  return writeSections(BATCH_FILE, [
    { tag: 'head', bytes: jsonBytes(head) },
    section('stat', statuses),
    section('from', sources),
    section('tide', tidalRivers),
    section('dist', distancesMeters),
    section('mins', minimaMeters),
    section('maxs', maximaMeters),
    ...intervals.flatMap((columns, number) => [
      section(tagOf('l', number), columns.minimaMeters),
      section(tagOf('h', number), columns.maximaMeters),
    ]),
  ]);
}

/**
 * Reads what `encodeCoastBatch` wrote, without a copy. @throws CoastError `truncated_file`, `foreign_file`, `unsupported_version` or
 * `corrupt_file`.
 * @example
 * const { distancesMeters, statuses } = decodeCoastBatch(readFileSync('homes.coast'));
 */
export function decodeCoastBatch(bytes: Uint8Array): CompactCoastBatch {
  const sections = openSections(BATCH_FILE, bytes);
  const { count, sourceNames, certainties } = readJson(sections.take('head')) as {
    readonly count: number;
    readonly sourceNames: readonly string[];
    readonly certainties: readonly number[];
  };
  const take = (tag: string, width: number): Uint8Array => {
    const section = sections.take(tag);
    if (section.length === count * width) return section;
    throw new CoastError('corrupt_file', `${BATCH_FILE.noun}: section ${tag} has ${section.length} bytes`);
  };
  const numbers = (tag: string): Float32Array => {
    const { buffer, byteOffset } = take(tag, 4);
    return new Float32Array(buffer, byteOffset, count);
  };
  return {
    statuses: take('stat', 1),
    sources: take('from', 1),
    sourceNames,
    tidalRivers: take('tide', 1),
    distancesMeters: numbers('dist'),
    minimaMeters: numbers('mins'),
    maximaMeters: numbers('maxs'),
    intervals: certainties.map((certainty, number) => ({
      certainty,
      minimaMeters: numbers(tagOf('l', number)),
      maximaMeters: numbers(tagOf('h', number)),
    })),
  };
}

function tagOf(letter: string, number: number): string {
  return letter + String(number).padStart(3, '0');
}
