/** Memory that one piece of a book (a row group, a record batch) may take, however small it is in its file. */
export const INFLATED_FREE_BYTES = 256 * 2 ** 20;
/** Beyond that, memory for each byte of the file. Tables of real policies are packed to a hundredth at best. */
export const MAX_INFLATION = 256;
/** Memory that one value of a column takes. */
export const BYTES_A_VALUE = 8;

/** A piece of a book declares or comes to more than its size in the file can hold. */
export class TooLargeError extends RangeError {}

/** Counts the memory of a piece with so many bytes in its file. Throws a `TooLargeError` before too much is taken. */
export function createInflation(storedBytes: number): (bytes: number) => void {
  const max = INFLATED_FREE_BYTES + MAX_INFLATION * storedBytes;
  let taken = 0;
  return (bytes) => {
    if (!(bytes >= 0)) throw new RangeError(`it declares ${bytes} bytes`);
    taken += bytes;
    if (taken > max)
      throw new TooLargeError(
        `it has ${storedBytes.toLocaleString('en-US')} bytes, and unpacked would take more than the ${max.toLocaleString('en-US')} that are allowed for them`,
      );
  };
}
