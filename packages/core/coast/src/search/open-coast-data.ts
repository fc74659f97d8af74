import { CoastError } from '../coast-error.ts';
import { decodeShoreline, SHORELINE_FILE } from '../file/shoreline-codec.ts';
import { buildCoastIndex, type CoastIndex } from './coast-index.ts';
import { openCoastIndex } from './coast-index-file.ts';

/**
 * Opens an index, or builds one from a compact shoreline. @param name precedes error messages.
 * @example
 * const coast = createCoast(openCoastData(readFileSync(path), path));
 */
export function openCoastData(bytes: Uint8Array, name: string): CoastIndex {
  const magic = String.fromCharCode(...bytes.subarray(0, 8));
  try {
    if (magic === SHORELINE_FILE.magic) return buildCoastIndex(decodeShoreline(bytes));
    return openCoastIndex(bytes);
  } catch (error) {
    if (error instanceof CoastError) throw new CoastError(error.code, `${name}: ${error.message}`);
    throw error;
  }
}
