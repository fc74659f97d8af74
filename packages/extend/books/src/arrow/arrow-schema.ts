import { DataType, Field } from 'apache-arrow';
import { Endianness } from 'apache-arrow/fb/endianness';
import { Field as FlatField } from 'apache-arrow/fb/field';
import type { Schema as FlatSchema } from 'apache-arrow/fb/schema';
import { Type } from 'apache-arrow/fb/type';
import { Union as FlatUnion } from 'apache-arrow/fb/union';
import { UnionMode } from 'apache-arrow/fb/union-mode';
import { BookFileError } from '../source/book-file-error.ts';
import { unreadTypes } from '../source/unread-types.ts';

/** The parts of a record batch that belong to a column. */
interface Shape {
  readonly nodes: number;
  readonly buffers: number;
  /** Number of view columns. Each has a variable number of buffers, which the batch lists. */
  readonly views: number;
}

export interface ArrowColumn {
  readonly name: string;
  readonly shape: Shape;
  /** Undefined for an unsupported type. */
  readonly type: DataType | undefined;
  readonly typeName: string;
}

/** The columns of an Arrow file or stream, and the types of its dictionaries by id. */
export interface ArrowSchema {
  readonly columns: readonly ArrowColumn[];
  readonly dictionaries: ReadonlyMap<number, DataType>;
}

/** Reads a schema. Unsupported types matter only if their column is used. Throws a `BookFileError`. */
export function readArrowSchema(schema: FlatSchema, name: string): ArrowSchema {
  if (schema.endianness() === Endianness.Big)
    throw new BookFileError(
      `${name} is Arrow with big-endian numbers, which is not supported: have it written in little-endian order, or as Parquet.`,
    );
  const dictionaries = new Map<number, DataType>();
  const columns = Array.from({ length: schema.fieldsLength() }, (_, index): ArrowColumn => {
    const field = schema.fields(index)!;
    const type = typeOf(field, dictionaries);
    return {
      name: field.name() ?? '',
      shape: shapeOf(field),
      type: type && isRead(type) ? type : undefined,
      typeName: nameOf(type, field),
    };
  });
  return { columns, dictionaries };
}

/** A damaged type, or its unit, may lack a name. */
function nameOf(type: DataType | undefined, field: FlatField): string {
  const name = type ? String(type) : (Type[field.typeType()] ?? String(field.typeType()));
  return name.replaceAll('undefined', 'unknown');
}

/** Throws a `BookFileError` that names used columns of unsupported types. */
export function expectReadable(columns: readonly ArrowColumn[], name: string): void {
  const unread = columns.filter(({ type }) => type === undefined);
  if (unread.length > 0) throw unreadTypes(unread, name);
}

/** Undefined if the library does not support the type or a nested type. */
function typeOf(field: FlatField, dictionaries: Map<number, DataType>): DataType | undefined {
  try {
    return Field.decode(field, dictionaries).type;
  } catch {
    return undefined;
  }
}

function isRead(type: DataType): boolean {
  if (DataType.isDictionary(type)) return isRead(type.dictionary);
  if (DataType.isList(type) || DataType.isLargeList(type) || DataType.isFixedSizeList(type) || DataType.isStruct(type))
    return type.children.every((child: Field) => isRead(child.type));
  return [
    DataType.isNull,
    DataType.isBool,
    DataType.isInt,
    DataType.isFloat,
    DataType.isDecimal,
    DataType.isDate,
    DataType.isTimestamp,
    DataType.isUtf8,
    DataType.isLargeUtf8,
    DataType.isUtf8View,
    DataType.isBinary,
    DataType.isLargeBinary,
    DataType.isBinaryView,
    DataType.isFixedSizeBinary,
  ].some((is) => is(type));
}

/** Buffers of the types that do not have two: https://arrow.apache.org/docs/format/Columnar.html#buffer-listing-for-each-layout */
const bufferCounts: Partial<Record<Type, number>> = {
  [Type.Null]: 0,
  [Type.RunEndEncoded]: 0,
  [Type.Struct_]: 1,
  [Type.FixedSizeList]: 1,
  [Type.Utf8]: 3,
  [Type.LargeUtf8]: 3,
  [Type.Binary]: 3,
  [Type.LargeBinary]: 3,
  [Type.ListView]: 3,
  [Type.LargeListView]: 3,
};

function shapeOf(field: FlatField): Shape {
  if (field.dictionary()) return { nodes: 1, buffers: 2, views: 0 };
  const type = field.typeType();
  const isSparse = type === Type.Union && (field.type(new FlatUnion()) as FlatUnion).mode() === UnionMode.Sparse;
  const shape = {
    nodes: 1,
    buffers: isSparse ? 1 : (bufferCounts[type] ?? 2),
    views: type === Type.Utf8View || type === Type.BinaryView ? 1 : 0,
  };
  for (let index = 0; index < field.childrenLength(); index++) {
    const child = shapeOf(field.children(index, new FlatField())!);
    shape.nodes += child.nodes;
    shape.buffers += child.buffers;
    shape.views += child.views;
  }
  return shape;
}
