import type { PageHeader } from 'hyparquet';
import { DamageError } from '../source/damage.ts';
import { BYTES_A_VALUE } from '../source/inflation.ts';
import { checkPageHeader } from './check-footer.ts';
import { type ColumnDecoder, decompressPage, parquetHeader } from './hyparquet-internals.ts';
import type { ParquetFile } from './parquet-file.ts';

export interface Page {
  readonly header: PageHeader;
  /** As stored in the file. */
  readonly bytes: Uint8Array;
}

/** The compressed pages of a column chunk. */
export function readPages(
  bytes: Uint8Array,
  charge: (bytes: number) => void,
  checksum: ParquetFile['checksum'],
): Page[] {
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
  const pages: Page[] = [];
  while (reader.offset < bytes.length) {
    const from = reader.offset;
    checkPageHeader(bytes.subarray(from));
    const header = parquetHeader(reader);
    const end = reader.offset + header.compressed_page_size;
    if (header.type === undefined || !(end > from && end <= bytes.length))
      throw new DamageError('a page reaches beyond its column');
    if (!hasOwnHeader(header)) throw new DamageError('a page lacks the header of its type');
    const page = bytes.subarray(reader.offset, end);
    if (header.crc !== undefined && checksum && checksum(page) !== header.crc >>> 0)
      throw new DamageError('the checksum of a page does not fit');
    charge(header.uncompressed_page_size);
    charge(BYTES_A_VALUE * (header.dictionary_page_header?.num_values ?? valuesOf(header)));
    if (header.type !== 'INDEX_PAGE') pages.push({ header, bytes: page });
    reader.offset = end;
  }
  return pages;
}

function hasOwnHeader(header: PageHeader): boolean {
  switch (header.type) {
    case 'DATA_PAGE':
      return header.data_page_header !== undefined;
    case 'DATA_PAGE_V2':
      return header.data_page_header_v2 !== undefined && header.data_page_header === undefined;
    case 'DICTIONARY_PAGE':
      return header.dictionary_page_header !== undefined;
    default:
      return true;
  }
}

export const valuesOf = ({ data_page_header: v1, data_page_header_v2: v2 }: PageHeader) =>
  v1?.num_values ?? v2?.num_values ?? 0;
export const encodingOf = ({ data_page_header: v1, data_page_header_v2: v2 }: PageHeader) =>
  v1?.encoding ?? v2?.encoding;

/** The parts of a data page, unpacked. */
export interface DataPage {
  readonly header: PageHeader;
  readonly count: number;
  /** Encoded levels; undefined without a list. */
  readonly repetition: Uint8Array | undefined;
  /** Undefined too if all values are present. */
  readonly definition: Uint8Array | undefined;
  /** Encoded values. */
  readonly values: Uint8Array;
}

interface Levels {
  readonly maxRepetition: number;
  readonly maxDefinition: number;
}

/** Unpacks a data page and separates its levels from its values. */
export function openDataPage(
  { header, bytes }: Page,
  { codec, compressors }: Pick<ColumnDecoder, 'codec' | 'compressors'>,
  { maxRepetition, maxDefinition }: Levels,
): DataPage {
  const { data_page_header: v1, data_page_header_v2: v2 } = header;
  if (v1) {
    const page = decompressPage(bytes, header.uncompressed_page_size, codec, compressors);
    const count = v1.num_values;
    if (page.length === 0) {
      // All of its values are missing.
      if (maxDefinition === 0 && count > 0) throw new DamageError('a page ends within its values');
      const levels = sameLevels(0, count);
      return { header, count, repetition: maxRepetition > 0 ? levels : undefined, definition: levels, values: page };
    }
    let at = 0;
    const nextLevels = (encoding: string | undefined) => {
      if (encoding === 'BIT_PACKED') throw new DamageError('its levels are in the encoding BIT_PACKED of before 2013');
      if (at + 4 > page.length) throw new DamageError('a page ends within its levels');
      const length = new DataView(page.buffer, page.byteOffset + at, 4).getUint32(0, true);
      if (length > page.length - at - 4) throw new DamageError('a page ends within its levels');
      at += 4 + length;
      return page.subarray(at - length, at);
    };
    const repetition = maxRepetition > 0 ? nextLevels(v1.repetition_level_encoding) : undefined;
    const definition = maxDefinition > 0 ? nextLevels(v1.definition_level_encoding) : undefined;
    return { header, count, repetition, definition, values: page.subarray(at) };
  }
  if (!v2) throw new DamageError('a page has no header of its data');
  const { num_values: count, repetition_levels_byte_length: before, definition_levels_byte_length: length } = v2;
  const rest = bytes.subarray(before + length);
  const size = header.uncompressed_page_size - before - length;
  if (!(before >= 0 && length >= 0 && size >= 0 && before + length <= bytes.length))
    throw new DamageError('a page ends within its levels');
  // Arrow before 3.0 declared packed pages to be plain.
  const isPlain = v2.is_compressed === false && rest.length === size;
  return {
    header,
    count,
    repetition: maxRepetition > 0 ? bytes.subarray(0, before) : undefined,
    definition: maxDefinition > 0 && length > 0 ? bytes.subarray(before, before + length) : undefined,
    // If all values are missing, nothing follows the levels.
    values: isPlain || size === 0 ? rest : decompressPage(rest, size, codec, compressors),
  };
}

/** A run of the same level, encoded. */
export function sameLevels(level: number, count: number): Uint8Array {
  const bytes: number[] = [];
  let header = 2 * count;
  for (; header >= 0x80; header = Math.floor(header / 0x80)) bytes.push((header & 0x7f) | 0x80);
  return Uint8Array.of(...bytes, header, level);
}
