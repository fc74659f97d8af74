import { CoastError } from '@leeward/coast';
import { checkProjection } from './check-projection.ts';
import { isShapefile } from './lines-of-shapefile.ts';

/** Maximum length of a string in V8. */
const MAX_TEXT_BYTES = 536_870_888;

/** Throws `invalid_shoreline` for a file that is empty, too large for JSON, or projected. */
export function checkBytes({
  name,
  bytes,
  projection,
}: {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly projection?: Uint8Array;
}): void {
  if (bytes.length === 0) throw new CoastError('invalid_shoreline', `${name}: the file is empty`);
  if (bytes.length > MAX_TEXT_BYTES && !isShapefile(bytes)) {
    throw new CoastError(
      'invalid_shoreline',
      `${name}: ${bytes.length.toLocaleString('en-US')} bytes are too many for JSON (${MAX_TEXT_BYTES.toLocaleString('en-US')}); split the file, or give a shapefile`,
    );
  }
  if (projection !== undefined) checkProjection(projection, name);
}
