import { findJsonFault, findUtf8Fault } from '@leeward/terms';
import { getNodeValue, type Node, parseTree } from 'jsonc-parser';

/** A place in a text, both counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Something wrong with the text itself. */
export interface TextFault extends Position {
  readonly path: string;
  readonly code: 'malformed_json' | 'duplicate_key';
  readonly message: string;
}

/** Parsed JSON text with the positions of its parts. */
export interface JsonText {
  readonly value: unknown;
  /**
   * Start of the value at a JSON Pointer, or of its key with `of: 'key'`. If the part is missing, the nearest enclosing
   * value.
   */
  positionOf(path: string, of?: 'value' | 'key'): Position;
}

export type ReadText = { readonly json: JsonText } | { readonly faults: readonly TextFault[] };

/**
 * Parses JSON text. Returns the position of a syntax error, and duplicate keys, which `JSON.parse` accepts. Bytes that are not UTF-8 are
 * a fault: replacing them would change names silently.
 */
export function readJsonText(written: string | Uint8Array): ReadText {
  const malformed = ({ line, column }: Position, message: string): ReadText => {
    return { faults: [{ line, column, path: '', code: 'malformed_json', message }] };
  };
  let text: string;
  if (typeof written === 'string') text = written;
  else {
    const fault = findUtf8Fault(written);
    if (fault !== undefined || isUtf16(written)) {
      const what = isUtf16(written) ? 'It is UTF-16' : 'An invalid byte is here';
      return malformed(fault ?? { line: 1, column: 1 }, `This is not UTF-8. ${what}; save the file as UTF-8.`);
    }
    text = new TextDecoder().decode(written);
  }
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const place = createPlaces(source);
  const read = readPlainly(source);
  if (read !== undefined) {
    let top: Node | undefined;
    const root = () => {
      // Positions are rarely needed, so the tree is parsed on demand.
      top ??= parseTree(source);
      return top!;
    };
    return { json: { value: read.value, positionOf: (path, of) => positionIn(root(), path, of, place) } };
  }
  const fault = findJsonFault(source);
  if (fault !== undefined) return malformed(fault, `This is not JSON: ${fault.message}.`);
  let root: Node;
  let value: unknown;
  try {
    root = parseTree(source)!;
    value = JSON.parse(source);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return malformed({ line: 1, column: 1 }, 'This nests too deep to be read.');
  }
  const twice = repeatedKeys(root);
  if (twice.length > 0) {
    return {
      faults: twice.map(({ key, path, offset }) => ({
        ...place(offset),
        path,
        code: 'duplicate_key',
        message: `The key ${JSON.stringify(key)} is given twice here; only the last would count. Keep one.`,
      })),
    };
  }
  return { json: { value, positionOf: (path, of) => positionIn(root, path, of, place) } };
}

/** By its byte order mark, or because every second byte of the first two characters is zero, as in no text in UTF-8. */
function isUtf16(bytes: Uint8Array): boolean {
  const [first, second, third = first, fourth = second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  if (bytes.length % 2 === 1) return false;
  return (first === 0) !== (second === 0) && (first === 0) === (third === 0) && (second === 0) === (fourth === 0);
}

/** A string, and the colon that makes a key of it. */
const stringOrKey = /"(?:[^"\\]|\\.)*"(\s*:)?/g;
/** The tree parser reports deeper nesting. */
const MAX_PLAIN_DEPTH = 200;

/** The value of JSON text without faults: the number of parsed keys equals the written ones. Undefined otherwise. */
function readPlainly(source: string): { readonly value: unknown } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    return undefined;
  }
  let keys = 0;
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_PLAIN_DEPTH) return undefined;
    const next: unknown[] = [];
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue;
      const members = Object.values(each);
      if (!Array.isArray(each)) keys += members.length;
      for (const member of members) next.push(member);
    }
    level = next;
  }
  for (const [, colon] of source.matchAll(stringOrKey)) if (colon !== undefined) keys--;
  return keys === 0 ? { value } : undefined;
}

function positionIn(
  root: Node,
  path: string,
  of: 'value' | 'key' = 'value',
  place: (offset: number) => Position,
): Position {
  const node = nearest(root, path);
  const key = node.parent?.type === 'property' ? node.parent : undefined;
  return place(of === 'key' && key ? key.offset : node.offset);
}

function createPlaces(source: string): (offset: number) => Position {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - starts[low]! + 1 };
  };
}

function nearest(root: Node, path: string): Node {
  let node = root;
  for (const key of path.split('/').slice(1)) {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
    const child = childOf(node, name);
    if (!child) break;
    node = child;
  }
  return node;
}

function childOf(node: Node, name: string): Node | undefined {
  if (node.type === 'array') return /^\d+$/.test(name) ? node.children?.[Number(name)] : undefined;
  const property = node.children?.find((each) => each.children?.[0]?.value === name);
  return property?.children?.[1];
}

function repeatedKeys(root: Node): { key: string; path: string; offset: number }[] {
  const duplicates: { key: string; path: string; offset: number }[] = [];
  const open: { node: Node; path: string }[] = [{ node: root, path: '' }];
  for (let at = open.pop(); at; at = open.pop()) {
    const { node, path } = at;
    if (node.type === 'array') {
      for (const [index, child] of (node.children ?? []).entries())
        open.push({ node: child, path: `${path}/${index}` });
    }
    if (node.type !== 'object') continue;
    const keyNames = new Set<string>();
    for (const property of node.children ?? []) {
      const [name, child] = property.children ?? [];
      if (!name) continue;
      const key = String(getNodeValue(name));
      const childPath = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (keyNames.has(key)) duplicates.push({ key, path: childPath, offset: name.offset });
      keyNames.add(key);
      if (child) open.push({ node: child, path: childPath });
    }
  }
  return duplicates.sort((a, b) => a.offset - b.offset);
}
