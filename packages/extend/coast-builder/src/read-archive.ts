import { CoastError } from '@leeward/coast';
import { unzipSync } from 'fflate';

/** A shapefile out of an archive: its `.shp`, and the `.dbf` beside it where there is one. */
export interface ArchivedShapefile {
  /** Its name in the archive, without folders. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly attributes?: Uint8Array;
}

/** What a state of NHD holds at the most, several times over; a small archive that claims to hold more is none of ours. */
const MAX_BYTES = 8_000_000_000;
const MEMBERS = /\.(?:shp|dbf)$/i;
/** Beside shorelines a state of NHD holds watersheds and tables. */
const FOREIGN = /(?:^|\/)(?:wbd|nhdpoint|nhdareaevent|nhdlineevent|nhdpointevent)/i;

/** `PK\x03\x04`, with which every archive of files begins. */
export function isArchive(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
}

/** The shapefiles of a zip archive, as the Census Bureau, NOAA and the USGS publish them. Throws `invalid_shoreline`, naming the file. */
export function readArchive(bytes: Uint8Array, name: string): ArchivedShapefile[] {
  let total = 0;
  let members: Record<string, Uint8Array>;
  try {
    members = unzipSync(bytes, {
      filter: ({ name: member, originalSize }) => {
        if (!MEMBERS.test(member) || FOREIGN.test(member)) return false;
        total += originalSize;
        if (total > MAX_BYTES) throw new RangeError('it claims to hold more than 8 GB');
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
      const attributes = byName.get(member.toLowerCase().replace(/\.shp$/, '.dbf'));
      return { name: member.split('/').at(-1)!, bytes: content, ...(attributes === undefined ? {} : { attributes }) };
    });
  if (shapefiles.length > 0) return shapefiles;
  throw new CoastError('invalid_shoreline', `${name}: the archive holds no .shp; give one that holds a shapefile`);
}
