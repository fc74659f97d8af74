import type { SchemaTree } from 'hyparquet';
import { dayOf } from '../source/instants.ts';

type Node = Pick<SchemaTree, 'element' | 'children'>;

/** A node without a type: a value of a variant. */
const anyNode: Node = { element: { name: '' }, children: [] };

/** Converts a value of Parquet to its form in a JSON request. */
export function toRequestValue(value: unknown, node: Node): unknown {
  const { element, children } = node;
  // An unannotated list has no form for a missing list.
  if ((value === undefined || value === null) && element.repetition_type === 'REPEATED') return [];
  if (typeof value === 'number') return isDecimal(node) ? roundDecimal(value, element.scale) : value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) {
    const text = Number.isNaN(value.getTime()) ? String(value) : value.toISOString();
    const isDay = element.converted_type === 'DATE' || element.logical_type?.type === 'DATE';
    return isDay ? dayOf(text) : text;
  }
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (Array.isArray(value)) {
    const items = itemsOf(node);
    return value.map((each) => toRequestValue(each, items));
  }
  if (typeof value === 'object' && value !== null) {
    const byName = new Map(children.map((child) => [child.element.name, child]));
    const isMap = element.converted_type === 'MAP' || element.logical_type?.type === 'MAP';
    const values = isMap ? children[0]?.children.find((child) => child.element.name === 'value') : undefined;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, toRequestValue(each, values ?? byName.get(name) ?? anyNode)]),
    );
  }
  return value ?? undefined;
}

const isDecimal = ({ element }: Node) =>
  element.converted_type === 'DECIMAL' || element.logical_type?.type === 'DECIMAL';

/** Maximum that `toFixed` takes. */
const MAX_DIGITS = 100;

/** Hyparquet multiplies by a power of ten, which is rounded: 1003858 at a scale of 3 becomes 1003.8580000000001. */
function roundDecimal(value: number, scale = 0): number {
  return scale > 0 && scale <= MAX_DIGITS ? Number(value.toFixed(scale)) : value;
}

/** The node of a list's items: below the repeated node, unless that is the item. */
function itemsOf(node: Node): Node {
  if (node.element.repetition_type === 'REPEATED') return itemOf(node);
  const [repeated] = node.children;
  if (!repeated) return anyNode;
  return repeated.children.length === 1 ? repeated.children[0]! : itemOf(repeated);
}

const itemOf = ({ element, children }: Node): Node => ({
  element: { ...element, repetition_type: 'REQUIRED' },
  children,
});
