import { coastKernelModule } from './coast-kernel.generated.ts';

/** Points in degrees on WGS84, one a row. NaN: the row has no point. */
export interface PointColumns {
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
}

/** Ranges in meters, by row; NaN for rows that are not measured. */
export interface MeterRanges {
  readonly minima: Float64Array;
  readonly maxima: Float64Array;
}

/** Distances in meters, by row. The true distance is in the range in about 95 % of cases. */
export interface MeasuredDistances extends MeterRanges {
  readonly meters: Float64Array;
  /** Number of the source of the distance in the compiled coast. */
  readonly sources: Uint8Array;
}

/** The layers that are measured. */
export type CoastLayer = (typeof COAST_LAYERS)[number];

/** Distances of many points. */
export interface CoastMeasurements {
  /** By row: 0 measured, 1 no point, 2 not a place on the globe, 3 outside the coverage of the shores. */
  readonly statuses: Uint8Array;
  readonly distances: Readonly<Record<CoastLayer, MeasuredDistances>>;
  /** By certainty: one-sided bounds. The coast states none for mean high water. */
  readonly bounds: ReadonlyMap<number, Readonly<Record<'tidal' | 'ocean', MeterRanges>>>;
}

/** Measures distances to the coast. */
export interface CoastKernel {
  /** @param certainties 0.5 or more, less than 1: each adds bounds */
  measure(points: PointColumns, certainties?: readonly number[]): CoastMeasurements;
}

/** In the order of the kernel's columns. */
export const COAST_LAYERS = ['tidal', 'ocean', 'mean_high_water'] as const;

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  allocate(bytes: number): number;
  mark(): number;
  release(to: number): void;
  open(data: number, length: number): number;
  measure(
    latitudes: number,
    longitudes: number,
    rows: number,
    certainties: number,
    certaintyCount: number,
    out: number,
    statuses: number,
    sources: number,
  ): number;
}

declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

const FAULTS_OF_OPEN = [
  '',
  'The bytes are not the data of a coast.',
  'The data of the coast was made by a newer version of Leeward; update this one.',
  'The data of the coast is damaged; compile it again.',
];
const NUMBER_BYTES = 8;

let compiled: object | undefined;

/**
 * Returns the bytes of the coast kernel, a WebAssembly module without imports.
 *
 * @example
 * await writeFile('coast.wasm', coastKernelBytes());
 */
export function coastKernelBytes(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(coastKernelModule), (letter) => letter.charCodeAt(0));
}

/**
 * Opens the data of a coast, in about a tenth of a second and 45 MB.
 *
 * @throws {RangeError} if the data is damaged, or made for a newer kernel; from `measure`, if memory is short.
 *
 * @example
 * const kernel = createCoastKernel(compileCoast(files).data);
 * kernel.measure({ latitudes: Float64Array.of(27.95), longitudes: Float64Array.of(-82.46) }).distances.tidal.meters[0];
 */
export function createCoastKernel(data: Uint8Array): CoastKernel {
  compiled ??= new WebAssembly.Module(coastKernelBytes());
  const kernel = new WebAssembly.Instance(compiled).exports as Exports;
  const allocate = (bytes: number): number => {
    const at = kernel.allocate(bytes);
    if (at === 0) throw new RangeError(`The kernel has no memory for ${bytes} bytes; measure fewer rows at a time.`);
    return at;
  };
  const copy = (values: ArrayLike<number>): number => {
    const at = allocate(values.length * NUMBER_BYTES);
    new Float64Array(kernel.memory.buffer, at, values.length).set(values);
    return at;
  };
  const place = allocate(data.length);
  new Uint8Array(kernel.memory.buffer, place, data.length).set(data);
  const fault = kernel.open(place, data.length);
  if (fault !== 0) throw new RangeError(FAULTS_OF_OPEN[fault]);
  const start = kernel.mark();
  return {
    measure({ latitudes, longitudes }, certainties = []) {
      const rows = latitudes.length;
      if (longitudes.length !== rows) {
        throw new RangeError(`There are ${rows} latitudes and ${longitudes.length} longitudes; give as many of each.`);
      }
      kernel.release(start);
      const points = [copy(latitudes), copy(longitudes)] as const;
      const levels = copy(certainties);
      const columns = 3 * COAST_LAYERS.length + 4 * certainties.length;
      const [out, statuses, sources] = [
        allocate(columns * rows * NUMBER_BYTES),
        allocate(rows),
        allocate(COAST_LAYERS.length * rows),
      ];
      if (kernel.measure(...points, rows, levels, certainties.length, out, statuses, sources) < 0) {
        throw new RangeError(`The kernel has no memory to sort ${rows} rows; measure fewer rows at a time.`);
      }
      const { buffer } = kernel.memory;
      const column = (number: number) => new Float64Array(buffer, out + number * rows * NUMBER_BYTES, rows).slice();
      const rangesAt = (number: number) => ({ minima: column(number), maxima: column(number + 1) });
      const distancesOf = (layer: CoastLayer): MeasuredDistances => {
        const number = COAST_LAYERS.indexOf(layer);
        const ofLayer = new Uint8Array(buffer, sources + number * rows, rows).slice();
        return { meters: column(3 * number), ...rangesAt(3 * number + 1), sources: ofLayer };
      };
      return {
        statuses: new Uint8Array(buffer, statuses, rows).slice(),
        distances: {
          tidal: distancesOf('tidal'),
          ocean: distancesOf('ocean'),
          mean_high_water: distancesOf('mean_high_water'),
        },
        bounds: new Map(
          certainties.map((certainty, at) => {
            const first = 3 * COAST_LAYERS.length + 4 * at;
            return [certainty, { tidal: rangesAt(first), ocean: rangesAt(first + 2) }];
          }),
        ),
      };
    },
  };
}
