// Finds words and counties by their spellings. The keys of a list are folded and in the order of their bytes.
import { header, image, List, record, word } from './image';
import { allocate, mark, release } from './memory';

const BLANK = 0;
const UNKNOWN = i32.MIN_VALUE;
const NOT_IN_STATE = -1;
/** Length of a code of a state and a space, before the name of a county. */
const PREFIX = 3;
/** A byte may be folded into four: `&` is `and` and a blank. */
const MAX_GROWTH = 4;
/** Bytes that a key and the word `county` may add. */
const MAX_ADDED = 16;
/** Maximum number of words of a legal suffix. */
const MAX_SUFFIX_WORDS = 3;
const NO_SUFFIX = 0;
/** A suffix that names may go without. */
const FREE_SUFFIX = 1;

/** By index of a state: its two letters. */
let stateCodes: usize = 0;

export function readStateCodes(): bool {
  stateCodes = allocate(2 * header.stateCount);
  if (stateCodes == 0 || header.listCount == 0) return header.listCount == 0;
  memory.fill(stateCodes, 0, 2 * header.stateCount);
  const states = listAt(0);
  for (let index: u32 = 0; index < states.count; index++) {
    const at = <u32>codeAt(states, index) - 1;
    if (keyLength(states, index) == 2 && at < header.stateCount)
      store<u16>(stateCodes + 2 * at, load<u16>(keyAt(states, index)));
  }
  return true;
}

// @ts-ignore: decorator
@inline function listAt(index: u32): List {
  return record<List>(header.lists, index, 16);
}
// @ts-ignore: decorator
@inline function keyAt(list: List, index: u32): usize {
  return image + list.text + word(list.offsets, index);
}
// @ts-ignore: decorator
@inline function keyLength(list: List, index: u32): u32 {
  return word(list.offsets, index + 1) - word(list.offsets, index);
}
// @ts-ignore: decorator
@inline function codeAt(list: List, index: u32): i32 {
  return <i32>word(list.codes, index);
}

/** The letters without accents of U+00E0 to U+00FF; a dot for other letters. */
const PLAIN = 'aaaaaa.ceeeeiiii.nooooo..uuuuy.y';
/** Signs that names leave out. */
const DROPPED = "'`()[]";
/** Symbols, which occur in no name. */
const SYMBOLS = '$+<=>^|~';

/**
 * Writes letters and digits in lower case and without accents. Returns the end. Bytes of other letters stay, so that they match no key.
 *
 * @param areWords Keeps a blank between words, and writes them as the keys of counties have them.
 */
function fold(text: usize, length: u32, into: usize, areWords: bool = false): usize {
  let to = into;
  for (let at: u32 = 0; at < length; at++) {
    const byte = <u32>load<u8>(text + at);
    const next = at + 1 < length ? <u32>load<u8>(text + at + 1) : 0;
    const last = at + 2 < length ? <u32>load<u8>(text + at + 2) : 0;
    let isBreak = false;
    if (byte < 0x80) {
      const letter = byte | 0x20;
      if ((letter >= 0x61 && letter <= 0x7a) || (byte >= 0x30 && byte <= 0x39)) store<u8>(to++, letter);
      else if (byte == 0x26) {
        if (areWords) to = endWord(into, to);
        store<u16>(to, 0x6e61);
        store<u8>(to, 0x64, 2);
        to += 3;
        isBreak = true;
      } else if (areWords && has(SYMBOLS, byte)) store<u8>(to++, byte);
      else isBreak = !has(DROPPED, byte);
    } else if (byte == 0xc3 && next != 0x9f && PLAIN.charCodeAt(next & 0x1f) != 0x2e) {
      store<u8>(to++, PLAIN.charCodeAt(next & 0x1f));
      at++;
    }
    // Spaces and signs of Latin-1, combining accents, punctuation, and the byte order mark.
    else if (byte == 0xc2 || byte == 0xcc || (byte == 0xcd && next < 0xb0) || (byte == 0xca && (next == 0xbb || next == 0xbc))) {
      isBreak = byte == 0xc2 && next == 0xa0;
      at++;
    } else if ((byte == 0xe2 && next < 0x84) || (byte == 0xef && next == 0xbb)) {
      // Quotation marks and marks without width separate no words.
      isBreak = byte == 0xe2 && last != 0x98 && last != 0x99 && (last < 0x8b || last > 0x8f);
      at += 2;
    } else store<u8>(to++, byte);
    if (isBreak && areWords) to = endWord(into, to);
  }
  return areWords ? endWord(into, to) : to;
}

function has(text: string, letter: u32): bool {
  for (let at = 0; at < text.length; at++) if (<u32>text.charCodeAt(at) == letter) return true;
  return false;
}

/** Ends the last word with a blank, written as the keys of counties have it. */
function endWord(from: usize, to: usize): usize {
  if (to == from || load<u8>(to - 1) == 0x20) return to;
  let start = to;
  while (start > from && load<u8>(start - 1) != 0x20) start--;
  if (isText(start, to, 'saint')) to = write('st', start);
  else if (isText(start, to, 'sainte')) to = write('ste', start);
  else if (isText(start, to, 'ft')) to = write('fort', start);
  store<u8>(to, 0x20);
  return to + 1;
}

function isText(from: usize, to: usize, text: string): bool {
  if (<i32>(to - from) != text.length) return false;
  for (let at = 0; at < text.length; at++) if (load<u8>(from + at) != text.charCodeAt(at)) return false;
  return true;
}

/** Returns the end. */
function write(text: string, to: usize): usize {
  for (let at = 0; at < text.length; at++) store<u8>(to + at, text.charCodeAt(at));
  return to + text.length;
}

function isBlank(text: usize, length: u32): bool {
  for (let at: u32 = 0; at < length; at++) {
    const byte = load<u8>(text + at);
    if (byte > 0x20 && byte != 0xc2 && byte != 0xa0) return false;
  }
  return true;
}

/** The code of a key, or `UNKNOWN`. */
function findKey(list: List, key: usize, length: u32): i32 {
  let from: u32 = 0;
  let to = list.count;
  while (from < to) {
    const middle = (from + to) >> 1;
    const own = keyLength(list, middle);
    let order = memory.compare(keyAt(list, middle), key, min(own, length));
    if (order == 0) order = <i32>own - <i32>length;
    if (order == 0) return codeAt(list, middle);
    if (order < 0) from = middle + 1;
    else to = middle;
  }
  return UNKNOWN;
}

/** @returns the code of a text in a list, 0 if it is blank, the lowest i32 if it is unknown. */
export function find(list: u32, text: usize, length: u32): i32 {
  if (list >= header.listCount) return UNKNOWN;
  if (isBlank(text, length)) return BLANK;
  const before = mark();
  const key = allocate(length * MAX_GROWTH);
  const code = key == 0 ? UNKNOWN : findKey(listAt(list), key, <u32>(fold(text, length, key) - key));
  release(before);
  return code;
}

/**
 * @param state Index of a state.
 * @returns a FIPS code, 0 if the text is blank, -1 if it is not a county of the state, -2 - n for entry n of the ambiguous names.
 */
export function findCounty(state: u32, text: usize, length: u32): i32 {
  if (isBlank(text, length)) return BLANK;
  if (header.countyList < 0 || state >= header.stateCount) return NOT_IN_STATE;
  let nameLength = length;
  for (let at = length; at > 0 && nameLength == length; at--) {
    if (load<u8>(text + at - 1) != 0x2c) continue;
    const named = find(0, text + at, length - at);
    if (named == UNKNOWN || named == BLANK) break;
    if (named != state + 1) return NOT_IN_STATE;
    nameLength = at - 1;
  }
  const before = mark();
  // The words, the words in another order, and a key.
  const capacity = nameLength * MAX_GROWTH + 2 * MAX_ADDED;
  const name = allocate(3 * capacity);
  const code = name == 0 ? UNKNOWN : findInState(state, name, fold(text, nameLength, name, true), capacity);
  release(before);
  return code == UNKNOWN ? NOT_IN_STATE : code;
}

/** As `matchCounty` of @leeward/places. @param name Words, each with a blank behind. */
function findInState(state: u32, name: usize, end: usize, capacity: u32): i32 {
  const key = name + 2 * capacity;
  if (end == name) return UNKNOWN;
  const last = startOfWord(name, end);
  if (last == name && end - name == 5 && isDigits(name, end - 1)) {
    // A FIPS code without its leading zero.
    memory.copy(name + 1, name, 5);
    store<u8>(name, 0x30);
    end++;
  } else if (last > name && (isText(last, end, 'co ') || isText(last, end, 'cnty ') || isText(last, end, 'cty '))) {
    end = write('county ', last);
  }
  const code = findName(state, name, end, key);
  if (code != UNKNOWN) return code;
  let at = name;
  const link = linkOf(name, end);
  if (link > name && suffixKind(state, name, link, key) != NO_SUFFIX) {
    at = name + capacity;
    const rest = link + 3;
    memory.copy(at, rest, end - rest);
    memory.copy(at + (end - rest), name, link - name);
    end = at + (end - rest) + (link - name);
    const moved = findName(state, at, end, key);
    if (moved != UNKNOWN) return moved;
  }
  let bareEnd: usize = 0;
  let start = end;
  for (let words = 0; words < MAX_SUFFIX_WORDS; words++) {
    start = startOfWord(at, start);
    if (start == at) break;
    if (suffixKind(state, start, end, key) == FREE_SUFFIX) bareEnd = start;
  }
  return bareEnd == 0 ? UNKNOWN : findName(state, at, bareEnd, key);
}

function isDigits(from: usize, to: usize): bool {
  while (from < to && load<u8>(from) <= 0x39) from++;
  return from == to;
}

/** The start of the word whose blank is before `end`. */
function startOfWord(from: usize, end: usize): usize {
  let start = end - 1;
  while (start > from && load<u8>(start - 1) != 0x20) start--;
  return start;
}

/** The first `of` or `de` between two words, or 0. */
function linkOf(from: usize, end: usize): usize {
  for (let at = from + 1; at + 3 < end; at++)
    if (load<u8>(at - 1) == 0x20 && (isText(at, at + 3, 'of ') || isText(at, at + 3, 'de '))) return at;
  return 0;
}

/** The code of a name, looked up without blanks. */
function findName(state: u32, name: usize, end: usize, key: usize): i32 {
  let to = writeState(state, key);
  for (let at = name; at < end; at++) if (load<u8>(at) != 0x20) store<u8>(to++, load<u8>(at));
  return findKey(listAt(header.countyList), key, <u32>(to - key));
}

function suffixKind(state: u32, from: usize, end: usize, key: usize): i32 {
  const to = writeState(state, key);
  store<u8>(to, 0x2a);
  memory.copy(to + 1, from, end - 1 - from);
  return max(NO_SUFFIX, findKey(listAt(header.countyList), key, <u32>(to + (end - from) - key)));
}

function writeState(state: u32, key: usize): usize {
  store<u16>(key, load<u16>(stateCodes + 2 * state));
  store<u8>(key, 0x20, 2);
  return key + PREFIX;
}
