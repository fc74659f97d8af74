import { CoastError } from '@leeward/coast';
import { unzipSync } from 'fflate';

/** A shapefile of an archive. */
export interface ArchivedShapefile {
  /** Without folders. */
  readonly name: string;
  /** The `.shp`. */
  readonly bytes: Uint8Array;
  /** The `.dbf`, if present. */
  readonly attributes?: Uint8Array;
  /** The `.prj`, if present. */
  readonly projection?: Uint8Array;
}

/** Extracted: several times the largest state of NHD. Protects against zip bombs. */
const MAX_BYTES = 8_000_000_000;
const MEMBERS = /\.(?:shp|dbf|prj)$/i;
/** Watersheds and tables of NHD. */
const FOREIGN = /(?:^|\/)(?:wbd|nhdpoint|nhdareaevent|nhdlineevent|nhdpointevent)/i;

/**
 * Recognizes zip archives by `PK\x03\x04`.
 * @example
 * isArchive(bytes) ? readArchive(bytes, 'tl_2025_us_coastline.zip') : [];
 */
export function isArchive(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
}

/**
 * Reads shapefiles as the Census Bureau, NOAA and the USGS publish them. @throws CoastError `invalid_shoreline`, naming the file.
 * @example
 * const [{ name, bytes, attributes }] = readArchive(zip, 'tl_2025_us_coastline.zip');
 */
export function readArchive(bytes: Uint8Array, name: string): ArchivedShapefile[] {
  let total = 0;
  let members: Record<string, Uint8Array>;
  try {
    members = unzipSync(bytes, {
      filter: ({ name: member, originalSize }) => {
        if (!MEMBERS.test(member) || FOREIGN.test(member)) return false;
        total += originalSize;
        if (total > MAX_BYTES) throw new RangeError('it holds more than 8 GB');
        return true;
      },
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CoastError('invalid_shoreline', `${name}: not a readable zip archive (${why})`);
  }
  const byName = new Map(Object.entries(members).map(([member, content]) => [member.toLowerCase(), content]));
  const shapefiles = Object.entries(members)
    .filter(([member]) => /\.shp$/i.test(member))
    .map(([member, content]) => {
      const companion = (extension: string) => byName.get(member.toLowerCase().replace(/\.shp$/, extension));
      const attributes = companion('.dbf');
      const projection = companion('.prj');
      const name = member.split('/').at(-1)!;
      return { name, bytes: content, ...(attributes && { attributes }), ...(projection && { projection }) };
    });
  if (shapefiles.length > 0) return shapefiles;
  throw new CoastError('invalid_shoreline', `${name}: the archive has no .shp; give one with a shapefile`);
}
