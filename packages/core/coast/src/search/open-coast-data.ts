import { CoastError } from '../coast-error.ts';
import { CompactShoreline, SHORELINE_FILE } from '../file/shoreline-codec.ts';
import { buildCoastIndex, CoastIndex } from './coast-index.ts';
import { openCoastIndex } from './coast-index-file.ts';
import { RegionalShore } from './regional-shore.ts';

/**
 * Opens an index, or builds one from a compact shoreline. A shoreline with regions is read and indexed where points first need it; its
 * bytes must not change. @param name precedes error messages. @param classes has the accuracy class of each vertex of a compact
 * shoreline, in the order of the file. An index file contains them already. @throws CoastError `invalid_option` for classes of another
 * length, or the errors of the file.
 * @example
 * const coast = createCoast(openCoastData(readFileSync(path), path));
 */
export function openCoastData(bytes: Uint8Array, name: string, classes?: Uint8Array): CoastIndex {
  const magic = String.fromCharCode(...bytes.subarray(0, 8));
  try {
    if (magic === SHORELINE_FILE.magic) return openShoreline(new CompactShoreline(bytes), classes);
    if (classes !== undefined) {
      throw new CoastError('invalid_option', 'classes belong to a compact shoreline; an index contains them already');
    }
    return openCoastIndex(bytes);
  } catch (error) {
    if (error instanceof CoastError) throw new CoastError(error.code, `${name}: ${error.message}`);
    throw error;
  }
}

function openShoreline(shoreline: CompactShoreline, classes: Uint8Array | undefined): CoastIndex {
  const { header, vertices, regions } = shoreline;
  if (classes !== undefined && classes.length !== vertices) {
    throw new CoastError(
      'invalid_option',
      `${classes.length} classes for ${vertices} vertices: give one for each vertex`,
    );
  }
  if (regions.length > 0) return CoastIndex.ofRegions(header, new RegionalShore(shoreline, classes));
  const whole = shoreline.read();
  return buildCoastIndex(classes === undefined ? whole : { ...whole, classes });
}
