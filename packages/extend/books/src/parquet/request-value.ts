import type { SchemaTree } from 'hyparquet';

type Node = Pick<SchemaTree, 'element' | 'children'>;

/** Converts a value of Parquet to its form in a JSON request. */
export function toRequestValue(value: unknown, node: Node): unknown {
  const { element, children } = node;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) {
    const text = Number.isNaN(value.getTime()) ? String(value) : value.toISOString();
    const isDay = element.converted_type === 'DATE' || element.logical_type?.type === 'DATE';
    return isDay ? text.slice(0, 10) : text;
  }
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (Array.isArray(value)) {
    const items = itemsOf(node);
    return value.map((each) => toRequestValue(each, items));
  }
  if (typeof value === 'object' && value !== null && children.length > 0) {
    const byName = new Map(children.map((child) => [child.element.name, child]));
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => {
        const child = byName.get(name);
        return [name, child ? toRequestValue(each, child) : each];
      }),
    );
  }
  return value ?? undefined;
}

/** The node of a list's items: below the repeated node, unless that is the item. */
function itemsOf(node: Node): Node {
  const repeated = node.element.repetition_type === 'REPEATED' ? node : node.children[0];
  if (!repeated) return node;
  return repeated.children.length === 1 ? repeated.children[0]! : repeated;
}
