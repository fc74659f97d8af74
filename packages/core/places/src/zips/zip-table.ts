import { ByteReader } from '../byte-reader.ts';

/** Row i is one ZIP code, ascending. */
export interface ZipTable {
  readonly size: number;
  readonly zips: Uint32Array;
  readonly latitudes: Int32Array;
  readonly longitudes: Int32Array;
  /** Half kilometers. */
  readonly radii: Uint16Array;
  /** Index into `states`. */
  readonly stateOf: Uint8Array;
  /** Without the state; 0 if unknown. */
  readonly countyOf: Uint16Array;
  /** The first is the empty name: unknown. */
  readonly cityOf: Uint16Array;
  /** 1 for GeoNames, 0 for the Census Bureau. */
  readonly fromGeoNames: Uint8Array;
  readonly states: readonly string[];
  readonly cities: readonly string[];
}

/** Positions are stored as differences. */
export function unpackZipTable(bytes: Uint8Array): ZipTable {
  const reader = new ByteReader(bytes);
  const size = reader.unsigned();
  const states = reader.text().split(' ');
  const cities = reader.text().split('\n');
  const column = <Column extends { [index: number]: number }>(
    target: Column,
    next: (row: number) => number,
  ): Column => {
    for (let row = 0; row < size; row += 1) target[row] = next(row);
    return target;
  };
  const running = () => {
    let sum = 0;
    return () => {
      sum += reader.signed();
      return sum;
    };
  };
  // 0 is the next new city; k is the city k - 1 before the newest. The empty name comes first.
  let newCities = 0;
  const city = () => {
    const back = reader.unsigned();
    if (back > 0) return newCities - back + 1;
    newCities += 1;
    return newCities;
  };
  return {
    size,
    states,
    cities,
    zips: column(new Uint32Array(size), running()),
    latitudes: column(new Int32Array(size), running()),
    longitudes: column(new Int32Array(size), running()),
    radii: column(new Uint16Array(size), () => reader.unsigned()),
    stateOf: column(new Uint8Array(size), () => reader.unsigned()),
    countyOf: column(new Uint16Array(size), running()),
    cityOf: column(new Uint16Array(size), city),
    fromGeoNames: column(new Uint8Array(size), () => reader.unsigned()),
  };
}
