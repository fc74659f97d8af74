import { DamageError } from './damage.ts';

/** Memory of a unit (row group, record batch) that is always allowed, in bytes. */
export const INFLATED_FREE_BYTES = 256 * 2 ** 20;
/** Further memory per byte in the file. Real tables of policies compress to a hundredth at best. */
export const MAX_INFLATION = 256;
export const BYTES_A_VALUE = 8;

/** A unit takes more memory than its size in the file allows. */
export class TooLargeError extends RangeError {}

/** Creates a function that adds up the memory of a unit. It throws a `TooLargeError` before the limit is exceeded. */
export function createInflation(storedBytes: number): (bytes: number) => void {
  const max = INFLATED_FREE_BYTES + MAX_INFLATION * storedBytes;
  let used = 0;
  return (bytes) => {
    if (!(bytes >= 0)) throw new DamageError(`it declares ${bytes} bytes`);
    used += bytes;
    if (used > max)
      throw new TooLargeError(
        `it has ${storedBytes.toLocaleString('en-US')} bytes, and unpacked would take more than the allowed ${max.toLocaleString('en-US')}`,
      );
  };
}
