import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

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
 * Parses JSON text. Returns the position of a syntax error, and duplicate keys, which `JSON.parse` accepts.
 */
export function readJsonText(text: string): ReadText {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const place = createPlaces(source);
  const malformed = (offset: number, what: string): ReadText => {
    const message = `This is not JSON: ${what}.`;
    return { faults: [{ ...place(offset), path: '', code: 'malformed_json', message }] };
  };
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
  const errors: ParseError[] = [];
  let root: Node | undefined;
  let value: unknown;
  try {
    root = parseTree(source, errors, { disallowComments: true, allowTrailingComma: false });
    const [first] = errors;
    if (first) {
      const excerpt = source.slice(first.offset, first.offset + first.length).trim();
      const suffix = excerpt === '' ? '' : `, found ${JSON.stringify(excerpt.slice(0, 40))}`;
      return malformed(first.offset, `${inWords(printParseErrorCode(first.error))}${suffix}`);
    }
    value = JSON.parse(source);
  } catch (error) {
    const isDeep = error instanceof RangeError;
    return malformed(0, isDeep ? 'it nests too deep to be read' : (error as Error).message.split('\n')[0]!);
  }
  if (!root) return malformed(0, 'it is empty');
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
  const top = root;
  return { json: { value, positionOf: (path, of) => positionIn(top, path, of, place) } };
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

/** `CommaExpected` → `comma expected`. */
function inWords(code: string): string {
  return code.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
