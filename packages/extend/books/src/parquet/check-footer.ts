import type { FileMetaData, SchemaElement } from 'hyparquet';
import { DamageError } from '../source/damage.ts';

/** Maximum size of a footer. A column of a row group has about 150 bytes. */
export const MAX_FOOTER_BYTES = 16 * 2 ** 20;
/** Maximum number of structures, lists and texts of a footer, at about 200 bytes of memory each. A column of a row group has about 12. */
const MAX_PARTS = 2 ** 21;
/** Maximum nesting of structures, lists and column groups. */
const MAX_DEPTH = 64;
/** Field ids of Thrift have 16 bits. */
const MAX_FIELD_ID = 2 ** 15 - 1;
/** Bytes of a 64-bit varint. */
const MAX_VARINT_BYTES = 10;
/** Maximum size of a page header. Its statistics may have long values. */
const MAX_PAGE_HEADER_BYTES = 2 ** 20;
const MAX_PAGE_HEADER_DEPTH = 8;
const STATISTICS_DEPTH = 5;
/** Maximum size of a value in statistics, which hyparquet may read as one number. Writers omit values above 4 kB. */
const MAX_STATISTIC_BYTES = 2 ** 13;

/** Types of Thrift's compact protocol. */
const STOP = 0;
const TRUE = 1;
const FALSE = 2;
const BYTE = 3;
const I16 = 4;
const I32 = 5;
const I64 = 6;
const DOUBLE = 7;
const BINARY = 8;
const LIST = 9;
const STRUCT = 12;

/**
 * Skips through a footer in Thrift's compact protocol without storing it. Throws a `DamageError` if it lists more than it contains or is
 * nested too deep: hyparquet would allocate memory for each list before reading it.
 */
export function checkFooter(bytes: Uint8Array): void {
  checkStructure(bytes, 'its footer', MAX_DEPTH);
}

/** Like `checkFooter`, for the header at the begin of a page. */
export function checkPageHeader(bytes: Uint8Array): void {
  checkStructure(bytes.subarray(0, MAX_PAGE_HEADER_BYTES), 'a page header', MAX_PAGE_HEADER_DEPTH);
}

function checkStructure(bytes: Uint8Array, what: string, maxDepth: number): void {
  let at = 0;
  let parts = 0;
  const skip = (count: number) => {
    if (count > bytes.length - at) throw new DamageError(`${what} declares more than it holds`);
    at += count;
  };
  const nextByte = () => {
    skip(1);
    return bytes[at - 1]!;
  };
  const varint = (): number => {
    let value = 0;
    for (let read = 0; read < MAX_VARINT_BYTES; read++) {
      const byte = nextByte();
      value += (byte & 0x7f) * 2 ** (7 * read);
      if (byte < 0x80) return value;
    }
    throw new DamageError(`${what} has a number that does not end`);
  };
  const structure = (depth: number, structures: number): void => {
    for (let id = 0; ; ) {
      const head = nextByte();
      const type = head & 0x0f;
      if (type === STOP) return;
      const zigzag = head >> 4 === 0 ? varint() : 0;
      id = head >> 4 === 0 ? (zigzag % 2 === 0 ? zigzag / 2 : -1) : id + (head >> 4);
      if (!(id > 0 && id <= MAX_FIELD_ID)) throw new DamageError(`${what} has an unknown field`);
      if (type !== TRUE && type !== FALSE) element(type, depth, structures);
    }
  };
  const expectDepth = (depth: number) => {
    if (depth >= maxDepth) throw new DamageError(`${what} is nested too deep`);
  };
  const element = (type: number, depth: number, structures: number): void => {
    if (type >= BINARY && ++parts > MAX_PARTS) throw new DamageError(`${what} has too many parts`);
    switch (type) {
      case TRUE:
      case FALSE:
      case BYTE:
        skip(1);
        return;
      case I16:
      case I32:
      case I64:
        varint();
        return;
      case DOUBLE:
        skip(8);
        return;
      case BINARY: {
        const length = varint();
        if (structures >= STATISTICS_DEPTH && length > MAX_STATISTIC_BYTES)
          throw new DamageError(
            `${what} has statistics of more than ${MAX_STATISTIC_BYTES.toLocaleString('en-US')} bytes`,
          );
        skip(length);
        return;
      }
      case LIST: {
        expectDepth(depth);
        const head = nextByte();
        const count = head >> 4 === 15 ? varint() : head >> 4;
        // Each element has at least one byte.
        if (count > bytes.length - at) throw new DamageError(`${what} lists more than it holds`);
        for (let index = 0; index < count; index++) element(head & 0x0f, depth + 1, structures);
        return;
      }
      case STRUCT:
        expectDepth(depth);
        structure(depth + 1, structures + 1);
        return;
      default:
        throw new DamageError(`${what} has a value of an unknown type`);
    }
  };
  structure(0, 1);
}

/** Throws a `DamageError` if a schema is not a tree of columns or is nested too deep. */
export function checkSchemaTree(schema: readonly SchemaElement[]): void {
  /** Remaining children of each open node, from the root. */
  const open: number[] = [];
  schema.forEach(({ name, num_children: children = 0 }, index) => {
    if (index > 0 && typeof name !== 'string') throw new DamageError('its schema has a column without a name');
    if (index > 0) {
      if (open.length === 0) throw new DamageError('its schema is not a tree of columns');
      open[open.length - 1]! -= 1;
    }
    if (children > 0) open.push(children);
    if (open.length > MAX_DEPTH) throw new DamageError('its schema is nested too deep');
    while (open.at(-1) === 0) open.pop();
  });
  if (schema.length === 0 || open.length > 0) throw new DamageError('its schema is not a tree of columns');
}

/** Throws a `DamageError` if a row group lacks what every reader needs. */
export function checkRowGroups(groups: FileMetaData['row_groups']): void {
  for (const [index, { columns, num_rows: rows }] of groups.entries()) {
    const fail = (what: string) => {
      throw new DamageError(`row group ${index + 1} of its footer ${what}`);
    };
    if (typeof rows !== 'bigint') fail('does not declare its rows');
    if (rows < 0n) fail(`declares ${rows} rows`);
    for (const { meta_data: meta } of columns) {
      // Encrypted.
      if (meta === undefined) continue;
      if (typeof meta !== 'object' || !Array.isArray(meta.path_in_schema)) fail('has a column without a name');
      if (meta.path_in_schema.some((name) => typeof name !== 'string')) fail('has a column without a name');
      if (meta.type === undefined) fail('has a column of an unknown type');
      for (const number of [meta.data_page_offset, meta.total_compressed_size])
        if (typeof number !== 'bigint') fail('has a column without a place in the file');
    }
  }
}

/**
 * Adds the older of two names of a type, where a writer wrote only the newer one. Hyparquet knows the older ones, and would read a decimal
 * as a whole number.
 */
export function completeTypes(schema: readonly SchemaElement[]): void {
  for (const element of schema) {
    const { logical_type: logical } = element;
    if (!logical || element.converted_type !== undefined) continue;
    const older = olderNames[logical.type];
    if (older !== undefined) element.converted_type = older;
    if (logical.type === 'DECIMAL') element.scale = logical.scale;
  }
}

const olderNames: Readonly<Record<string, NonNullable<SchemaElement['converted_type']>>> = {
  STRING: 'UTF8',
  MAP: 'MAP',
  LIST: 'LIST',
  ENUM: 'ENUM',
  DECIMAL: 'DECIMAL',
  DATE: 'DATE',
  JSON: 'JSON',
  BSON: 'BSON',
};
