/** Words shared between threads where the host lets it be; a page that is not isolated has no shared memory. */
export function sharedWords(length: number): Int32Array {
  return new Int32Array(
    typeof SharedArrayBuffer === 'undefined' ? new ArrayBuffer(4 * length) : new SharedArrayBuffer(4 * length),
  );
}
