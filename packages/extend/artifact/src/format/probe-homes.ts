/**
 * Homes that every reader makes alike from lists of values, so that the file need not hold them: each limit and the number before it,
 * each word, each county. A home has the usual value of most inputs, of few, or none, so that rules are tried alone and
 * together. Their answers are compared as checksums.
 */
import type { Kernel, KernelColumn } from '../kernel/create-kernel.ts';

/** Values from which homes are made, in the order of the inputs. */
export interface ProbeValues {
  /** Homes of each policy type in each interval. */
  readonly rows: number;
  /** By input: numbers or codes, the usual one first; null is unknown. An empty list is an input without a column. */
  readonly values: readonly (readonly (number | null)[])[];
  /** Index of the state and value of the county, as tables have them. */
  readonly places: readonly (readonly [state: number, county: number])[];
}

/** Homes that are made at a time. */
const BLOCK_ROWS = 4096;
/** By kind of home: of 256, the inputs that have any of their values. The others have the usual one, from `FIRST_OPEN` on none. */
const SHARES = [256, 160, 96, 64, 32, 16, 96, 48];
const FIRST_OPEN = 6;

/** The numbers of words and of dates in tables. */
interface ProbeTables {
  /** By input. */
  readonly areWords: readonly boolean[];
  readonly intervals: number;
  readonly policyTypes: number;
}

/** By interval and then policy type, the CRC-32 of all statuses and of the truths of all reasons. */
export function* probeDigests(
  kernel: Kernel,
  { rows, values, places }: ProbeValues,
  { areWords, intervals, policyTypes }: ProbeTables,
): Iterable<readonly [statuses: number, reasons: number]> {
  for (let list = 0; list < intervals * policyTypes; list++) {
    const [interval, type] = [Math.floor(list / policyTypes), list % policyTypes];
    let [statuses, reasons] = [0, 0];
    for (let from = 0; from < rows; from += BLOCK_ROWS) {
      const count = Math.min(BLOCK_ROWS, rows - from);
      const first = list * rows + from;
      const homes = Array.from({ length: count }, (_, row) => places[mix(first + row) % places.length]!);
      const batch = {
        rows: count,
        policyTypes: new Uint8Array(count).fill(type),
        states: Uint8Array.from(homes, ([state]) => state),
        counties: Int32Array.from(homes, ([, county]) => county),
        intervals: new Uint16Array(count).fill(interval),
        inputs: values.map((own, input) => columnOf(own, input, { first, count, isWord: areWords[input]! })),
      };
      statuses = crc32(kernel.evaluate(batch), statuses);
      reasons = crc32(kernel.explain(batch, interval, type), reasons);
    }
    yield [statuses, reasons];
  }
}

function columnOf(
  list: readonly (number | null)[],
  input: number,
  { first, count, isWord }: { readonly first: number; readonly count: number; readonly isWord: boolean },
): KernelColumn | undefined {
  if (list.length === 0) return undefined;
  const values = isWord ? new Uint16Array(count) : new Float64Array(count);
  const unknown = isWord ? 0 : Number.NaN;
  for (let row = 0; row < count; row++) {
    const home = first + row;
    const kind = mix(home ^ 0x5bd1_e995) & 7;
    const hash = mix(Math.imul(home, 0x9e37_79b1) ^ Math.imul(input + 1, 0x85eb_ca77));
    if (hash >>> 24 < SHARES[kind]!) values[row] = list[(hash & 0xff_ffff) % list.length] ?? unknown;
    else values[row] = (kind < FIRST_OPEN ? list[0] : undefined) ?? unknown;
  }
  return { values };
}

/** The finalizer of MurmurHash3. */
function mix(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb8_8320 : crc >>> 1;
  return crc;
});

/** Continues the CRC-32 of earlier bytes. */
function crc32(bytes: Uint8Array, before: number): number {
  let crc = ~before;
  for (let at = 0; at < bytes.length; at++) crc = (crc >>> 8) ^ crcTable[(crc ^ bytes[at]!) & 0xff]!;
  return ~crc >>> 0;
}
