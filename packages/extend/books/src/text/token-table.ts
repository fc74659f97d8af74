import type { DictionaryColumn } from '../source/raw-batch.ts';

/** Marks a token in `words` that is not valid in the format. */
export const NO_WORD: unique symbol = Symbol('no word');

/** A table is cleared after this number of tokens or bytes, so that a column of distinct values does not fill the memory. */
const MAX_TOKENS = 1 << 16;
const MAX_BYTES = 1 << 25;

/** The distinct tokens of a column, compared by their bytes. Each token is decoded and parsed once. */
export interface TokenTable {
  readonly words: readonly unknown[];
  readonly hasBadTokens: boolean;
  /** Returns the index of the token in `bytes` from `from` to `to` with this hash, adding a new one. */
  find(bytes: Buffer, from: number, to: number, hash: number): number;
  /** Adds a word, which is not shared, of a token of some bytes. Returns its index. */
  add(word: unknown, bytes?: number): number;
  /** Clears a table with many tokens. Call it between batches. */
  refresh(): void;
}

export function dictionaryOf(table: TokenTable, codes: Int32Array): DictionaryColumn {
  return { kind: 'dictionary', codes, words: table.words };
}

export const FIRST_HASH = 0x811c9dc5 | 0;

export function createTokenTable(wordOf: (token: string) => unknown): TokenTable {
  let words: unknown[] = [];
  let slots = new Int32Array(1024).fill(-1);
  let hashes: number[] = [];
  let starts: number[] = [0];
  let store = Buffer.alloc(1 << 14);
  let hasBadTokens = false;
  /** Slots in use. Words of `add` have no slot. */
  let used = 0;
  let addedBytes = 0;

  const grow = () => {
    const before = slots;
    slots = new Int32Array(before.length * 2).fill(-1);
    for (const code of before) {
      if (code < 0) continue;
      let slot = hashes[code]! & (slots.length - 1);
      while (slots[slot]! >= 0) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = code;
    }
  };
  const insert = (bytes: Buffer, from: number, to: number, hash: number, slot: number): number => {
    const code = hashes.push(hash) - 1;
    const start = starts[code]!;
    const end = start + to - from;
    if (end > store.length) store = Buffer.concat([store], Math.max(2 * store.length, end));
    bytes.copy(store, start, from, to);
    starts.push(end);
    const word = wordOf(bytes.toString('utf8', from, to));
    if (word === NO_WORD) hasBadTokens = true;
    words.push(word);
    slots[slot] = code;
    used += 1;
    if (2 * used > slots.length) grow();
    return code;
  };
  return {
    get words() {
      return words;
    },
    get hasBadTokens() {
      return hasBadTokens;
    },
    find(bytes, from, to, tokenHash) {
      // Mix high bits into the lowest bits, which select the slot.
      const hash = Math.imul(tokenHash ^ (tokenHash >>> 15), 0x2c1b3c6d);
      const mask = slots.length - 1;
      let slot = hash & mask;
      for (let code = slots[slot]!; code >= 0; slot = (slot + 1) & mask, code = slots[slot]!) {
        if (hashes[code] !== hash) continue;
        let stored = starts[code]!;
        if (starts[code + 1]! - stored !== to - from) continue;
        let at = from;
        while (at < to && bytes[at] === store[stored]) {
          at += 1;
          stored += 1;
        }
        if (at === to) return code;
      }
      return insert(bytes, from, to, hash, slot);
    },
    add(word, bytes = 0) {
      addedBytes += bytes;
      // An index that `find` never returns.
      hashes.push(0);
      starts.push(starts.at(-1)!);
      return words.push(word) - 1;
    },
    refresh() {
      if (words.length < MAX_TOKENS && starts.at(-1)! + addedBytes < MAX_BYTES) return;
      words = [];
      addedBytes = 0;
      slots = new Int32Array(1024).fill(-1);
      hashes = [];
      starts = [0];
      used = 0;
      hasBadTokens = false;
    },
  };
}
