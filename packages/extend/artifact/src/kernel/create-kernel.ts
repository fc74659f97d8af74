import { kernelModule } from './kernel.generated.ts';

/** Values of an input, one a row. */
export interface KernelColumn {
  /** Numbers (NaN: unknown), or codes of words (0: unknown). */
  readonly values: Float64Array | Uint16Array | Uint8Array;
  /** The upper ends of ranges, whose lower ends are in `values`. @default the numbers are exact */
  readonly upper?: Float64Array | undefined;
}

/** Homes as columns. */
export interface KernelBatch {
  readonly rows: number;
  /** By row, index of the policy type; 255 skips the row. */
  readonly policyTypes: Uint8Array;
  /** By row, index of the state; 255 skips the row. */
  readonly states: Uint8Array;
  /** By row, FIPS code of the county; 0 unknown, −1 not in the state, −2−n entry n of the ambiguous counties. */
  readonly counties: Int32Array;
  /** For each entry, FIPS codes; a home is in one of these counties. @default those of the image */
  readonly ambiguous?: readonly (readonly number[])[];
  /** By row, index of the interval of its effective date; 65535 skips the row. */
  readonly intervals: Uint16Array;
  /** By input, in the order of the image. Undefined: unknown in all rows. */
  readonly inputs: readonly (KernelColumn | undefined)[];
}

/** Numbers as people write them, in rows. */
export interface WrittenNumbers {
  readonly values: Float64Array;
  /** By row, index of the interval, whose year decides the meaning of ages. */
  readonly intervals: Uint16Array;
  /** Bits of the valid values, lowest bit first. @default all are valid */
  readonly validity?: Uint8Array;
  /** Bits before the first row in `validity`. @default 0 */
  readonly bitOffset?: number;
}

/** Values of an input, and by row 0 or a fault: 1 not a whole number, 2 out of range, 3 not a number. */
export interface NormalizedNumbers {
  readonly values: Float64Array;
  readonly faults: Uint8Array;
}

/** Numbers under which the reasons of an interval and policy type are counted. */
export interface ReasonCounting {
  /** By reason, its number from 0; 65535 for a reason that is not counted. A home counts once for several reasons with one number. */
  readonly numbers: Uint16Array;
  /** By number, the carrier that its reasons belong to. */
  readonly carriers: Uint16Array;
  /** The status codes of the batch: only homes that the carrier declines count. */
  readonly codes: Uint8Array;
}

/** Evaluates homes by a table image. Results are views into its memory: the next call overwrites them. */
export interface Kernel {
  /** Number of carriers. */
  readonly carrierCount: number;
  /**
   * Returns a status code for each row and carrier: `codes[row × carrierCount + carrier]`, 0 not offered, 1 eligible, 2 referral,
   * 3 needs information, 4 ineligible. Codes of skipped rows are 0.
   */
  evaluate(batch: KernelBatch): Uint8Array;
  /** Number of reasons of an interval and policy type. */
  reasonCount(interval: number, policyType: number): number;
  /**
   * Returns for each row and reason of an interval and policy type: 0 it cannot hold, 1 it may hold, 2 it holds. Rows of others have 0.
   */
  explain(batch: KernelBatch, interval: number, policyType: number): Uint8Array;
  /** Returns the number of declined homes of an interval and policy type by the number of their reasons. */
  countReasons(batch: KernelBatch, interval: number, policyType: number, counting: ReasonCounting): Uint32Array;
  /** Returns the code of a text in a list of the image, 0 if it is blank, undefined if it is unknown. */
  find(list: number, text: string): number | undefined;
  /** Returns a value for `counties`. */
  findCounty(state: number, text: string): number;
  /** Converts numbers, ages and years to the values of an input. */
  normalize(input: number, numbers: WrittenNumbers): NormalizedNumbers;
}

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  allocate(bytes: number): number;
  mark(): number;
  release(to: number): void;
  open(image: number, length: number): number;
  evaluate(batch: number): number;
  explain(batch: number, interval: number, policyType: number): number;
  find(list: number, text: number, length: number): number;
  find_county(state: number, text: number, length: number): number;
  normalize(
    input: number,
    values: number,
    validity: number,
    bitOffset: number,
    intervals: number,
    rows: number,
    out: number,
    faults: number,
  ): number;
}

declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

const UNKNOWN = -2_147_483_648;
const BATCH_BYTES = 64;
const INPUT_BYTES = 16;
const faultOfOpen = [
  '',
  'The bytes are not a table image.',
  'The table image was made by a newer version of Leeward; update this one.',
  'The table image is damaged or too large.',
];

let compiled: object | undefined;

/**
 * Returns the bytes of the kernel, a WebAssembly module without imports.
 *
 * @example
 * await writeFile('kernel.wasm', kernelBytes());
 */
export function kernelBytes(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(kernelModule), (letter) => letter.charCodeAt(0));
}

/**
 * Opens a table image. The kernel is compiled once for all images.
 *
 * @throws {RangeError} if the image is damaged, or made for a newer kernel; from its functions, if memory is short.
 *
 * @example
 * const kernel = createKernel(buildTables(catalog, { from: '2026-01-01', to: '2026-12-31' }).image);
 * const codes = kernel.evaluate({ rows, policyTypes, states, counties, intervals, inputs });
 */
export function createKernel(image: Uint8Array): Kernel {
  compiled ??= new WebAssembly.Module(kernelBytes());
  const kernel = new WebAssembly.Instance(compiled).exports as Exports;
  const copy = (values: ArrayLike<number>, type: ArrayType): number => {
    const at = allocate(values.length * type.BYTES_PER_ELEMENT);
    new type(kernel.memory.buffer, at, values.length).set(values);
    return at;
  };
  const allocate = (bytes: number): number => {
    const at = kernel.allocate(bytes);
    if (at === 0) throw new RangeError(`The kernel has no memory for ${bytes} bytes; evaluate fewer rows at a time.`);
    return at;
  };
  const at = copy(image, Uint8Array);
  const error = kernel.open(at, image.length);
  if (error !== 0) throw new RangeError(faultOfOpen[error]);
  const word = (offset: number) => new DataView(kernel.memory.buffer).getUint32(at + offset, true);
  const [inputCount, intervals, carrierCount] = [word(12), word(36), word(44)];
  const reasonCount = (interval: number, policyType: number) =>
    word(word(intervals + 16 * interval + 12) + 32 * policyType + 16);
  const start = kernel.mark();

  const run = (
    batch: KernelBatch,
    stride: number,
    call: (at: number) => number,
    more: () => readonly number[] = () => [],
  ): Uint8Array => {
    kernel.release(start);
    const { rows } = batch;
    const inputs = allocate(INPUT_BYTES * inputCount);
    const out = allocate(rows * stride);
    const pointers = [
      rows,
      copy(batch.policyTypes.subarray(0, rows), Uint8Array),
      copy(batch.states.subarray(0, rows), Uint8Array),
      copy(batch.counties.subarray(0, rows), Int32Array),
      copy(batch.intervals.subarray(0, rows), Uint16Array),
      inputs,
      out,
      stride,
      batch.ambiguous?.length ?? 0,
      copy(
        (batch.ambiguous ?? []).map((fips) => copy([fips.length, ...fips], Uint32Array)),
        Uint32Array,
      ),
    ];
    const columns = new Uint32Array((INPUT_BYTES / 4) * inputCount);
    batch.inputs.forEach((column, input) => {
      if (!column) return;
      const { values, upper } = column;
      columns[4 * input] = copy(values.subarray(0, rows), values instanceof Float64Array ? Float64Array : Uint16Array);
      if (upper) columns[4 * input + 1] = copy(upper.subarray(0, rows), Float64Array);
    });
    pointers.push(...more());
    const record = allocate(BATCH_BYTES);
    new Uint8Array(kernel.memory.buffer, record, BATCH_BYTES).fill(0);
    new Uint32Array(kernel.memory.buffer, record, pointers.length).set(pointers);
    new Uint32Array(kernel.memory.buffer, inputs, columns.length).set(columns);
    new Uint8Array(kernel.memory.buffer, out, rows * stride).fill(0);
    if (call(record) !== 0) throw new RangeError('The kernel is out of memory; evaluate fewer rows at a time.');
    // The call can grow the memory, which detaches older views.
    return new Uint8Array(kernel.memory.buffer, out, rows * stride);
  };
  const encoder = new TextEncoder();
  const withText = (text: string, call: (at: number, length: number) => number): number => {
    kernel.release(start);
    const bytes = encoder.encode(text);
    return call(copy(bytes, Uint8Array), bytes.length);
  };

  return {
    carrierCount,
    evaluate: (batch) => run(batch, carrierCount, (batchAt) => kernel.evaluate(batchAt)),
    reasonCount,
    explain: (batch, interval, policyType) =>
      run(batch, reasonCount(interval, policyType), (batchAt) => kernel.explain(batchAt, interval, policyType)),
    countReasons(batch, interval, policyType, { numbers, carriers, codes }) {
      let counts = 0;
      const more = () => {
        counts = copy(new Uint32Array(carriers.length), Uint32Array);
        return [copy(numbers, Uint16Array), copy(carriers, Uint16Array), copy(codes, Uint8Array), counts];
      };
      run(batch, carriers.length, (batchAt) => kernel.explain(batchAt, interval, policyType), more);
      return new Uint32Array(kernel.memory.buffer, counts, carriers.length);
    },
    find(list, text) {
      const code = withText(text, (textAt, length) => kernel.find(list, textAt, length));
      return code === UNKNOWN ? undefined : code;
    },
    findCounty: (state, text) => withText(text, (textAt, length) => kernel.find_county(state, textAt, length)),
    normalize(input, { values, intervals: ofRows, validity, bitOffset = 0 }) {
      kernel.release(start);
      const rows = values.length;
      const [out, faults] = [allocate(8 * rows), allocate(rows)];
      const valid = validity ? copy(validity, Uint8Array) : 0;
      const [from, dates] = [copy(values, Float64Array), copy(ofRows, Uint16Array)];
      kernel.normalize(input, from, valid, bitOffset, dates, rows, out, faults);
      const { buffer } = kernel.memory;
      return { values: new Float64Array(buffer, out, rows), faults: new Uint8Array(buffer, faults, rows) };
    },
  };
}

type ArrayType = typeof Float64Array | typeof Int32Array | typeof Uint32Array | typeof Uint16Array | typeof Uint8Array;
