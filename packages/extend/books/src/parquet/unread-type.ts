import type { SchemaTree } from './parquet-file.ts';

/**
 * Returns the first type in a column, at any depth, that hyparquet does not read; undefined if it reads all. In a
 * shredded variant, hyparquet would read the bytes of binary or decimal values as a nested variant.
 */
export function unreadType(node: SchemaTree, isVariant = false): string | undefined {
  const { element, children } = node;
  if (children.length === 0) {
    const { type, converted_type: converted, logical_type: logical } = element;
    const isOwn = element.name === 'metadata' || element.name === 'value';
    const isBytes =
      (type === 'BYTE_ARRAY' && converted !== 'UTF8' && logical?.type !== 'STRING') ||
      (type === 'FIXED_LEN_BYTE_ARRAY' && converted === undefined && logical === undefined);
    return isVariant && !isOwn && isBytes ? `shredded VARIANT with ${logical?.type ?? converted ?? type}` : undefined;
  }
  for (const child of children) {
    const childType = unreadType(child, isVariant || element.logical_type?.type === 'VARIANT');
    if (childType !== undefined) return childType;
  }
  return undefined;
}
