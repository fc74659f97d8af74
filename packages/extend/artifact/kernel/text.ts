// Finds words and counties by their spellings. The keys of a list are folded and in the order of their bytes.
import { header, image, List, record, word } from './image';
import { allocate, mark, release } from './memory';

const BLANK = 0;
const UNKNOWN = i32.MIN_VALUE;
const NOT_IN_STATE = -1;
/** Length of a code of a state and a space, before the name of a county. */
const PREFIX = 3;
/** A byte may be folded into three: `&` is `and`. */
const MAX_GROWTH = 3;

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

/** Writes letters and digits in lower case and without accents. Returns the end. Bytes of other letters stay, so that they match no key. */
function fold(text: usize, length: u32, into: usize): usize {
  let to = into;
  for (let at: u32 = 0; at < length; at++) {
    const byte = <u32>load<u8>(text + at);
    const next = at + 1 < length ? <u32>load<u8>(text + at + 1) : 0;
    if (byte < 0x80) {
      const letter = byte | 0x20;
      if ((letter >= 0x61 && letter <= 0x7a) || (byte >= 0x30 && byte <= 0x39)) store<u8>(to++, letter);
      else if (byte == 0x26) {
        store<u16>(to, 0x6e61);
        store<u8>(to, 0x64, 2);
        to += 3;
      }
    } else if (byte == 0xc3 && next != 0x9f && PLAIN.charCodeAt(next & 0x1f) != 0x2e) {
      store<u8>(to++, PLAIN.charCodeAt(next & 0x1f));
      at++;
    }
    // Spaces and signs of Latin-1, combining accents, punctuation, and the byte order mark.
    else if (byte == 0xc2 || byte == 0xcc || (byte == 0xcd && next < 0xb0)) at++;
    else if ((byte == 0xe2 && next < 0x84) || (byte == 0xef && next == 0xbb)) at += 2;
    else store<u8>(to++, byte);
  }
  return to;
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
  const key = allocate(length * MAX_GROWTH + PREFIX + 1);
  const code = key == 0 ? NOT_IN_STATE : findInState(state, key + PREFIX + 1, fold(text, nameLength, key + PREFIX + 1));
  release(before);
  return code;
}

/** @param name A folded name. The bytes before it are free for a digit and the code of the state. */
function findInState(state: u32, name: usize, end: usize): i32 {
  let at = name;
  let digits: u32 = 0;
  while (name + digits < end && load<u8>(name + digits) <= 0x39) digits++;
  // A FIPS code without its leading zero.
  if (digits == 4 && name + digits == end) store<u8>(--at, 0x30);
  at -= PREFIX;
  store<u16>(at, load<u16>(stateCodes + 2 * state));
  store<u8>(at, 0x20, 2);
  const code = findKey(listAt(header.countyList), at, <u32>(end - at));
  return code == UNKNOWN ? NOT_IN_STATE : code;
}
