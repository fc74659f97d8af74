import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import type { FileFault } from './file-fault.ts';

/** A JSON file that was read: its value, and where in the text each part of it stands. */
export interface JsonFile {
  readonly file: string;
  readonly value: unknown;
  /** Line of a JSON Pointer, or of the nearest thing round it that is there. */
  lineOf(path: string): number | undefined;
}

/**
 * Reads JSON text. Gives faults instead for what is no JSON, all of them, and for a key given twice: JSON would
 * silently keep the last, and a rule would be lost.
 */
export function readJsonFile(file: string, text: string): JsonFile | readonly FileFault[] {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const errors: ParseError[] = [];
  const root = parseTree(source, errors, { disallowComments: true, allowTrailingComma: false });
  const lineAt = (offset: number) => source.slice(0, offset).split('\n').length;
  if (errors.length > 0 || root === undefined) {
    const found = errors.length > 0 ? errors : [{ error: 4, offset: 0, length: 0 }];
    return found.map(({ error, offset, length }) => ({
      file,
      line: lineAt(offset),
      path: '',
      code: 'malformed_json',
      message: `This is not JSON: ${words(printParseErrorCode(error))}${seen(source.slice(offset, offset + length))}.`,
    }));
  }
  const twice: FileFault[] = [];
  forEachRepeatedKey(root, (key, path, offset) => {
    const message = `The key ${JSON.stringify(key)} is given twice here; only the last would count. Keep one.`;
    twice.push({ file, line: lineAt(offset), path, code: 'duplicate_key', message });
  });
  if (twice.length > 0) return twice;
  return {
    file,
    value: JSON.parse(source),
    lineOf(path) {
      const keys = path.split('/').slice(1).map(unescapeKey);
      for (let length = keys.length; length >= 0; length--) {
        const node = nodeAt(root, keys.slice(0, length));
        if (node) return lineAt(node.parent?.type === 'property' ? node.parent.offset : node.offset);
      }
      return undefined;
    },
  };
}

function nodeAt(root: Node, keys: readonly string[]): Node | undefined {
  let node: Node | undefined = root;
  for (const key of keys) {
    if (node === undefined) return undefined;
    node = findNodeAtLocation(node, [node.type === 'array' ? Number(key) : key]);
  }
  return node;
}

function forEachRepeatedKey(root: Node, visit: (key: string, path: string, offset: number) => void): void {
  const open: { node: Node; path: string }[] = [{ node: root, path: '' }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { node, path } = at;
    if (node.type === 'array') {
      node.children?.forEach((child, index) => {
        open.push({ node: child, path: `${path}/${index}` });
      });
    }
    if (node.type !== 'object') continue;
    const seenKeys = new Set<string>();
    for (const property of node.children ?? []) {
      const [name, value] = property.children ?? [];
      if (name === undefined) continue;
      const key = String(getNodeValue(name));
      const childPath = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (seenKeys.has(key)) visit(key, childPath, name.offset);
      seenKeys.add(key);
      if (value !== undefined) open.push({ node: value, path: childPath });
    }
  }
}

function unescapeKey(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** `CommaExpected` → `comma expected`. */
function words(code: string): string {
  return code.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}

function seen(text: string): string {
  return text.trim() === '' ? '' : `, found ${JSON.stringify(text.slice(0, 40))}`;
}
