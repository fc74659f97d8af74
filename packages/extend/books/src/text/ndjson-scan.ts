import type { TextColumns } from './text-columns.ts';
import { FIRST_HASH, NO_WORD } from './token-table.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;

/**
 * Reads one line of NDJSON, an object of plain values and lists, without parsing it into an object. Returns true if the row was filled.
 * Returns false for nested objects, escaped names and invalid JSON: these lines need a full parse.
 */
export function scanObject(columns: TextColumns, bytes: Buffer, from: number, to: number): boolean {
  const { rows } = columns;
  let at = skipBlanks(bytes, from, to);
  if (bytes[at] !== OPEN) return false;
  at = skipBlanks(bytes, at + 1, to);
  if (bytes[at] === CLOSE) return skipBlanks(bytes, at + 1, to) === to;
  for (let expected = 0; ; ) {
    if (bytes[at] !== QUOTE) return false;
    const nameFrom = at + 1;
    at = nameFrom;
    while (at < to && bytes[at] !== QUOTE) {
      if (bytes[at] === BACKSLASH || bytes[at]! < 0x20) return false;
      at += 1;
    }
    if (at >= to) return false;
    const column = placeOf(columns, bytes, nameFrom, at, expected);
    expected = column + 1;
    at = skipBlanks(bytes, at + 1, to);
    if (bytes[at] !== COLON) return false;
    at = skipBlanks(bytes, at + 1, to);
    const begin = at;
    let hash = FIRST_HASH;
    let isAdded = false;
    if (bytes[at] === QUOTE) {
      for (at += 1; at < to && bytes[at] !== QUOTE; at++) {
        hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
        if (bytes[at] !== BACKSLASH) continue;
        at += 1;
        hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
      }
      at += 1;
    } else if (bytes[at] === OPEN_LIST) {
      at = endOfList(bytes, at, to);
      if (at < 0) return false;
      if (at - begin > MAX_SHARED_LIST) {
        if (!addList(columns, column, bytes.toString('utf8', begin, at))) return false;
        isAdded = true;
      } else for (let each = begin; each < at; each++) hash = Math.imul(hash ^ bytes[each]!, 0x01000193);
    } else {
      for (; at < to; at++) {
        const byte = bytes[at]!;
        if (byte === COMMA || byte === CLOSE || byte <= 0x20) break;
        if (byte === QUOTE || byte === OPEN || byte === OPEN_LIST) return false;
        hash = Math.imul(hash ^ byte, 0x01000193);
      }
    }
    if (at > to || at === begin) return false;
    const table = columns.tables[column];
    if (table && !isAdded) {
      const code = table.find(bytes, begin, at, hash);
      if (table.hasBadTokens && table.words[code] === NO_WORD) return false;
      columns.codes[column]![rows] = code;
    }
    at = skipBlanks(bytes, at, to);
    if (bytes[at] === CLOSE && at < to) return skipBlanks(bytes, at + 1, to) === to;
    if (bytes[at] !== COMMA || at >= to) return false;
    at = skipBlanks(bytes, at + 1, to);
  }
}

/** Longer lists usually differ: they are parsed without a lookup. */
const MAX_SHARED_LIST = 64;

/** The place behind a list; −1 if it does not end. The parser finds all other faults. */
function endOfList(bytes: Buffer, from: number, to: number): number {
  let depth = 0;
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      for (at += 1; at < to && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at += 1;
    } else if (byte === OPEN_LIST || byte === OPEN) depth += 1;
    else if (byte === CLOSE_LIST || byte === CLOSE) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/** Adds a list to the row. Returns false if it is not JSON. */
function addList(columns: TextColumns, column: number, text: string): boolean {
  const table = columns.tables[column];
  if (!table) return true;
  try {
    columns.codes[column]![columns.rows] = table.add(JSON.parse(text), text.length);
    return true;
  } catch {
    return false;
  }
}

/** Number of names to try before a lookup by text. */
const NAMES_TRIED = 4;

/** Lines usually have their names in the same order, perhaps with gaps: try the expected names first. */
function placeOf(columns: TextColumns, bytes: Buffer, from: number, to: number, expected: number): number {
  const { nameBytes } = columns;
  const length = to - from;
  const end = Math.min(nameBytes.length, expected + NAMES_TRIED);
  for (let place = expected; place < end; place++) {
    const name = nameBytes[place]!;
    if (name.length !== length) continue;
    let index = 0;
    while (index < length && name[index] === bytes[from + index]) index += 1;
    if (index === length) return place;
  }
  return columns.columnOf(bytes.toString('utf8', from, to));
}

function skipBlanks(bytes: Buffer, from: number, to: number): number {
  let at = from;
  while (at < to) {
    const byte = bytes[at]!;
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d && byte !== 0x0a) break;
    at += 1;
  }
  return at;
}
