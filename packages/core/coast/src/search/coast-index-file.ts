import { CoastError } from '../coast-error.ts';
import { type FileKind, jsonBytes, openSections, readJson, type Section, writeSections } from '../file/section-file.ts';
import { checkShorelineHeader } from '../shoreline/shoreline-header.ts';
import { CandidateTree, TABLE_COLUMNS, TABLE_ROWS } from './candidate-tree.ts';
import { CoastIndex, selectionKey, selectionOf } from './coast-index.ts';
import { NODE_WORDS, type RunTree } from './run-tree.ts';

export const COAST_INDEX_FILE: FileKind = {
  magic: 'LEEWARDI',
  version: 1,
  noun: 'a coast index',
  remedy: 'build it again with leeward coast build',
};

/**
 * Writes an index with all built tiles. `openCoastIndex` uses the bytes in place. Equal indexes have equal bytes, also after opening.
 * @example
 * writeFileSync('own.index', encodeCoastIndex(buildCoastIndex(shoreline)));
 */
export function encodeCoastIndex(index: CoastIndex): Uint8Array<ArrayBuffer> {
  const { header, lines, tree } = index;
  const tiled = index
    .searches()
    .filter((search) => search.tiles.length > 1)
    .map((search) => ({ key: selectionKey(search.selection), tiles: search.tiles }))
    .sort((one, other) => (one.key < other.key ? -1 : 1));
  const sections: Section[] = [
    { tag: 'head', bytes: jsonBytes({ ...checkShorelineHeader(header), tiles: tiled.map(({ key }) => key) }) },
    { tag: 'vert', bytes: bytesOf(lines.vertices) },
    { tag: 'laye', bytes: bytesOf(lines.layers) },
    { tag: 'shor', bytes: bytesOf(lines.shores) },
    { tag: 'line', bytes: bytesOf(lines.lineStarts) },
    { tag: 'tree', bytes: bytesOf(tree.links) },
  ];
  if (lines.classes.some((accuracyClass) => accuracyClass !== 0)) {
    sections.push({ tag: 'clas', bytes: bytesOf(lines.classes) });
  }
  tiled.forEach(({ tiles }, number) => {
    sections.push({ tag: tileTag('t', number), bytes: bytesOf(tiles.table) });
    sections.push({ tag: tileTag('p', number), bytes: bytesOf(tiles.pool.subarray(0, tiles.length)) });
  });
  return writeSections(COAST_INDEX_FILE, sections);
}

/**
 * Opens an index without parsing or a copy; the bytes may be in shared memory and must not change. The tree of runs is verified at first
 * use, the rest here.
 * @throws CoastError `truncated_file`, `foreign_file`, `unsupported_version` or `corrupt_file`.
 * @example
 * const coast = createCoast(openCoastIndex(readFileSync('own.index')));
 */
export function openCoastIndex(bytes: Uint8Array): CoastIndex {
  const sections = openSections(COAST_INDEX_FILE, bytes);
  const parsed = readJson(sections.take('head'));
  const header = checkShorelineHeader(parsed);
  const take = (tag: string, size: number): { buffer: ArrayBufferLike; offset: number; count: number } => {
    const section = sections.take(tag);
    if (section.length % size !== 0) throw misfit(tag);
    return { buffer: section.buffer, offset: section.byteOffset, count: section.length / size };
  };
  const words = (tag: string): Int32Array => {
    const { buffer, offset, count } = take(tag, 4);
    return new Int32Array(buffer, offset, count);
  };
  const vertices = words('vert');
  const layerBytes = take('laye', 2);
  const shoreBytes = take('shor', 1);
  const lineBytes = take('line', 4);
  const lines = {
    vertices,
    layers: new Uint16Array(layerBytes.buffer, layerBytes.offset, layerBytes.count),
    shores: new Uint8Array(shoreBytes.buffer, shoreBytes.offset, shoreBytes.count),
    classes: sections.has('clas') ? sections.take('clas') : new Uint8Array(shoreBytes.count),
    lineStarts: new Uint32Array(lineBytes.buffer, lineBytes.offset, lineBytes.count),
  };
  if (lines.layers.length * 3 !== vertices.length || lines.shores.length !== lines.layers.length) throw misfit('vert');
  if (lines.classes.length !== lines.layers.length) throw misfit('clas');

  const shipped = new Map<string, CandidateTree>();
  const keys = (parsed as { tiles?: unknown }).tiles;
  if (!Array.isArray(keys) || !keys.every((key) => typeof key === 'string' && /^\d+-\d+$/.test(key)))
    throw misfit('head');
  keys.forEach((key: string, number) => {
    const table = words(tileTag('t', number));
    if (table.length !== TABLE_COLUMNS * TABLE_ROWS) throw misfit(tileTag('t', number));
    shipped.set(selectionKey(selectionOf(key)), new CandidateTree(table, words(tileTag('p', number))));
  });

  let tree: RunTree | undefined;
  const treeOf = (): RunTree => {
    if (tree === undefined) {
      const links = words('tree');
      if (links.length === 0 || links.length % NODE_WORDS !== 0) throw misfit('tree');
      const boxes = new Float32Array(links.buffer, links.byteOffset, links.length);
      tree = { links, boxes, regions: undefined };
    }
    return tree;
  };
  if (!sections.has('tree')) throw misfit('tree');
  return new CoastIndex(header, lines, treeOf, shipped);
}

function tileTag(letter: 't' | 'p', number: number): string {
  return letter + String(number).padStart(3, '0');
}

function misfit(tag: string): CoastError {
  return new CoastError(
    'corrupt_file',
    `a coast index whose section ${tag} contradicts the others: ${COAST_INDEX_FILE.remedy}`,
  );
}

function bytesOf(numbers: { buffer: ArrayBufferLike; byteOffset: number; byteLength: number }): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
