import { CoastError } from '../coast-error.ts';
import { decodeShoreline, SHORELINE_FILE } from '../file/shoreline-codec.ts';
import type { Shoreline } from '../shoreline/shoreline.ts';
import { buildCoastIndex, type CoastIndex } from './coast-index.ts';
import { openCoastIndex } from './coast-index-file.ts';

/**
 * Opens an index, or builds one from a compact shoreline. @param name precedes error messages. @param classes has the accuracy class of
 * each vertex of a compact shoreline, in the order of the file. An index file contains them already. @throws CoastError `invalid_option` for classes of
 * another length, or the errors of the file.
 * @example
 * const coast = createCoast(openCoastData(readFileSync(path), path));
 */
export function openCoastData(bytes: Uint8Array, name: string, classes?: Uint8Array): CoastIndex {
  const magic = String.fromCharCode(...bytes.subarray(0, 8));
  try {
    if (magic === SHORELINE_FILE.magic) return buildCoastIndex(withClasses(decodeShoreline(bytes), classes));
    if (classes !== undefined) {
      throw new CoastError('invalid_option', 'classes belong to a compact shoreline; an index contains them already');
    }
    return openCoastIndex(bytes);
  } catch (error) {
    if (error instanceof CoastError) throw new CoastError(error.code, `${name}: ${error.message}`);
    throw error;
  }
}

function withClasses(shoreline: Shoreline, classes: Uint8Array | undefined): Shoreline {
  if (classes === undefined) return shoreline;
  const count = shoreline.layers.length;
  if (classes.length === count) return { ...shoreline, classes };
  throw new CoastError('invalid_option', `${classes.length} classes for ${count} vertices: give one for each vertex`);
}
