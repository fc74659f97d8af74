/**
 * One file of tiles: PMTiles 3 (https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md).
 *
 * A header of 127 bytes, a directory, metadata, leaf directories, and the tiles in the order of their number on a Hilbert curve. Equal tiles
 * are stored once; equal tiles in a row are one entry of the directory. Everything but the header is compressed with gzip.
 */
import type { CoverageBox } from '@leeward/coast';
import { gzipSync } from 'fflate';
import { zxyToTileId } from 'pmtiles';
import type { MapTile } from './map-tiles.ts';

/** Header of an archive. */
export interface ArchiveOptions {
  readonly maxZoom: number;
  readonly bounds: CoverageBox;
  /** TileJSON: name, attribution, `vector_layers`. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

interface Entry {
  readonly id: number;
  readonly offset: number;
  readonly length: number;
  /** Zero for a leaf directory. */
  run: number;
}

const HEADER_BYTES = 127;
/** Header and root directory, which a reader fetches first. */
const MAX_ROOT_BYTES = 16_384 - HEADER_BYTES;
const ENTRIES_PER_LEAF = 4096;
const GZIP = 2;
const MVT = 1;
const CENTER_ZOOM = 3;

/**
 * Packs tiles into one archive, with the same bytes each time.
 * @example
 * const map = createMapTiles({ shoreline });
 * writeFileSync('shore.pmtiles', packPmtiles(map.tiles(), { ...map, metadata: { name: 'shore' } }));
 */
export function packPmtiles(tiles: Iterable<MapTile>, options: ArchiveOptions): Uint8Array {
  const sorted = [...tiles]
    .map(({ z, x, y, bytes }) => ({ id: zxyToTileId(z, x, y), bytes: compress(bytes) }))
    .sort((one, other) => one.id - other.id);
  const parts: Uint8Array[] = [];
  const places = new Map<string, { readonly offset: number; readonly length: number }>();
  const entries: Entry[] = [];
  let dataLength = 0;
  for (const { id, bytes } of sorted) {
    const key = Buffer.from(bytes).toString('latin1');
    let place = places.get(key);
    if (place === undefined) {
      place = { offset: dataLength, length: bytes.length };
      places.set(key, place);
      parts.push(bytes);
      dataLength += bytes.length;
    }
    const last = entries.at(-1);
    if (last !== undefined && last.id + last.run === id && last.offset === place.offset) last.run++;
    else entries.push({ id, ...place, run: 1 });
  }
  const { root, leaves } = directories(entries);
  const metadata = compress(new TextEncoder().encode(JSON.stringify(options.metadata)));
  const header = new DataView(new ArrayBuffer(HEADER_BYTES));
  new Uint8Array(header.buffer).set(new TextEncoder().encode('PMTiles'));
  header.setUint8(7, 3);
  let at = 8;
  let offset = HEADER_BYTES;
  for (const length of [root.length, metadata.length, leaves.length, dataLength]) {
    header.setBigUint64(at, BigInt(offset), true);
    header.setBigUint64(at + 8, BigInt(length), true);
    offset += length;
    at += 16;
  }
  for (const count of [sorted.length, entries.length, places.size]) {
    header.setBigUint64(at, BigInt(count), true);
    at += 8;
  }
  const { west, south, east, north } = options.bounds;
  for (const value of [1, GZIP, GZIP, MVT, 0, options.maxZoom]) header.setUint8(at++, value);
  const degrees = (value: number): void => {
    header.setInt32(at, Math.round(value * 1e7), true);
    at += 4;
  };
  for (const value of [west, south, east, north]) degrees(value);
  header.setUint8(at++, Math.min(CENTER_ZOOM, options.maxZoom));
  degrees((west + east) / 2);
  degrees((south + north) / 2);
  return Buffer.concat([new Uint8Array(header.buffer), root, metadata, leaves, ...parts]);
}

function directories(entries: readonly Entry[]): { readonly root: Uint8Array; readonly leaves: Uint8Array } {
  const whole = directory(entries);
  if (whole.length <= MAX_ROOT_BYTES) return { root: whole, leaves: new Uint8Array(0) };
  const leaves: Uint8Array[] = [];
  const pointers: Entry[] = [];
  let offset = 0;
  for (let from = 0; from < entries.length; from += ENTRIES_PER_LEAF) {
    const leaf = directory(entries.slice(from, from + ENTRIES_PER_LEAF));
    pointers.push({ id: entries[from]!.id, offset, length: leaf.length, run: 0 });
    leaves.push(leaf);
    offset += leaf.length;
  }
  return { root: directory(pointers), leaves: Buffer.concat(leaves) };
}

/** Columns of varints: numbers as differences, runs, lengths, and offsets (0: directly after the one before). */
function directory(entries: readonly Entry[]): Uint8Array {
  const numbers = [
    entries.length,
    ...entries.map(({ id }, at) => id - (at === 0 ? 0 : entries[at - 1]!.id)),
    ...entries.map(({ run }) => run),
    ...entries.map(({ length }) => length),
    ...entries.map(({ offset }, at) => {
      const before = entries[at - 1];
      return before !== undefined && before.offset + before.length === offset ? 0 : offset + 1;
    }),
  ];
  const bytes: number[] = [];
  for (let number of numbers) {
    for (; number >= 0x80; number = Math.floor(number / 0x80)) bytes.push((number % 0x80) | 0x80);
    bytes.push(number);
  }
  return compress(Uint8Array.from(bytes));
}

function compress(bytes: Uint8Array): Uint8Array {
  return gzipSync(bytes, { mtime: 0, level: 9 });
}
