import type { LineString } from 'geojson';
import { open } from 'shapefile';
import { AddressBookError } from '../address-book-error.ts';

export interface ShapefileParts {
  readonly shp: Uint8Array;
  readonly dbf: Uint8Array | undefined;
  readonly prj: string | undefined;
  readonly cpg: string | undefined;
}

export interface ShapefileRecord {
  readonly row: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Undefined unless the shape is one line. */
  readonly line: LineString['coordinates'] | undefined;
}

export interface OpenedShapefile {
  readonly columns: readonly string[];
  readonly count: number;
  readonly records: AsyncIterable<ShapefileRecord>;
}

/**
 * Opens a shapefile of lines.
 *
 * @throws {AddressBookError} if a part is missing or truncated, or the coordinates are projected.
 */
export async function openShapefile(parts: ShapefileParts, name: string): Promise<OpenedShapefile> {
  const { shp, dbf, prj, cpg } = parts;
  if (dbf === undefined) throw new AddressBookError(`${name} has no .dbf next to it with the house numbers.`);
  checkShp(shp, name);
  const { count, columns } = checkDbf(dbf, name);
  if (prj !== undefined && !isGeographic(prj)) {
    throw new AddressBookError(
      `${name} is projected (${prj.slice(0, 60)}…): longitude and latitude in degrees were expected. Reproject it (EPSG:4269 or EPSG:4326).`,
    );
  }
  const encoding = /utf-?8/i.test(cpg ?? '') ? 'utf-8' : 'windows-1252';
  const source = await open(shp, dbf, { encoding });
  async function* records(): AsyncGenerator<ShapefileRecord> {
    for (let row = 1; ; row += 1) {
      const { done, value } = await source.read().catch((error: unknown) => {
        throw new AddressBookError(
          `${name}: record ${row} cannot be read (${error instanceof Error ? error.message : error}).`,
        );
      });
      if (done) {
        if (row - 1 === count) return;
        throw new AddressBookError(`${name} has ${row - 1} shapes and its .dbf ${count} rows: as many were expected.`);
      }
      const { geometry, properties } = value;
      const line =
        geometry?.type === 'LineString'
          ? geometry.coordinates
          : geometry?.type === 'MultiLineString' && geometry.coordinates.length === 1
            ? geometry.coordinates[0]
            : undefined;
      yield { row, attributes: properties ?? {}, line };
    }
  }
  return { columns, count, records: records() };
}

/** Header of the ESRI Shapefile Technical Description (1998): code, length in 16-bit words, kind of shape. */
function checkShp(bytes: Uint8Array, name: string): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 100 || view.getInt32(0) !== 9994) {
    throw new AddressBookError(`${name} is not a shapefile: its first bytes are wrong.`);
  }
  const length = view.getInt32(24) * 2;
  if (bytes.length !== length) {
    throw new AddressBookError(
      `${name} has ${bytes.length} bytes, but its header declares ${length}. Check that the download is complete.`,
    );
  }
  const shape = view.getInt32(32, true);
  if (shape % 10 !== 3)
    throw new AddressBookError(`${name} holds shapes of kind ${shape}: lines (kind 3) were expected.`);
}

/** Header of dBASE: rows, length of the header and of a row, names of the columns. */
function checkDbf(bytes: Uint8Array, name: string): { readonly count: number; readonly columns: readonly string[] } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 33) throw new AddressBookError(`${name}: its .dbf is cut off.`);
  const [count, headerLength, rowLength] = [view.getUint32(4, true), view.getUint16(8, true), view.getUint16(10, true)];
  const length = headerLength + count * rowLength;
  // The end mark is optional.
  if (bytes.length < length) {
    throw new AddressBookError(
      `${name}: its .dbf has ${bytes.length} bytes, but its header declares ${length}. Check that the download is complete.`,
    );
  }
  const columns: string[] = [];
  for (let at = 32; at + 32 <= headerLength && bytes[at] !== 0x0d; at += 32) {
    const text = Buffer.from(bytes.subarray(at, at + 11)).toString('latin1');
    columns.push(text.split('\0')[0]!);
  }
  return { count, columns };
}

function isGeographic(prj: string): boolean {
  return /^\s*(?:GEOGCS|GEOGCRS|GEODCRS)\s*\[/i.test(prj) && /UNIT\s*\[\s*"degree/i.test(prj);
}
