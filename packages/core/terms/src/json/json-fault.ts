/** A place in a text, both counted from 1; columns in UTF-16 code units, as editors count. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** Why a text is not JSON, in words without a full stop, and where. */
export interface JsonFault extends TextPlace {
  readonly message: string;
}

/**
 * Returns the first fault of a text by RFC 8259, or undefined if it is JSON. Messages of `JSON.parse` often lack the place, and differ
 * between engines. Not recursive: deep nesting cannot overflow the stack.
 * @example
 * findJsonFault('[1,,2]'); // { line: 1, column: 4, message: 'a value is missing before ","' }
 */
export function findJsonFault(text: string): JsonFault | undefined {
  const fault = scan(text);
  return fault === undefined ? undefined : { ...placeInText(text, fault.at), message: fault.message };
}

/**
 * Describes a text that `JSON.parse` refuses, for a sentence that names the file.
 * @example
 * describeJsonFault('[1,,2]'); // 'not JSON at line 1, column 4: a value is missing before ","'
 */
export function describeJsonFault(text: string): string {
  const fault = findJsonFault(text);
  return fault === undefined ? 'not JSON' : `not JSON at line ${fault.line}, column ${fault.column}: ${fault.message}`;
}

/**
 * Returns the place of the first byte that is not UTF-8, or undefined if all are.
 * @example
 * findUtf8Fault(Uint8Array.of(0x61, 0x0a, 0xff)); // { line: 2, column: 1 }
 */
export function findUtf8Fault(bytes: Uint8Array): TextPlace | undefined {
  if (decodes(bytes, false)) return undefined;
  // A prefix decodes, as the begin of a stream, until it contains the fault.
  let [valid, invalid] = [0, bytes.length + 1];
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >>> 1;
    if (decodes(bytes.subarray(0, middle), true)) valid = middle;
    else invalid = middle;
  }
  const before = new TextDecoder('utf-8').decode(bytes.subarray(0, valid), { stream: true });
  return placeInText(before, before.length);
}

/**
 * Returns the line and column of an offset.
 * @example
 * placeInText('a\nbc', 3); // { line: 2, column: 2 }
 */
export function placeInText(text: string, offset: number): TextPlace {
  let line = 1;
  let start = 0;
  for (let feed = text.indexOf('\n'); feed >= 0 && feed < offset; feed = text.indexOf('\n', start)) {
    line += 1;
    start = feed + 1;
  }
  return { line, column: offset - start + 1 };
}

function decodes(bytes: Uint8Array, stream: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream });
    return true;
  } catch {
    return false;
  }
}

interface Fault {
  readonly at: number;
  readonly message: string;
}

type Scanned = number | Fault;

/** Scans values and separators in turn; `open` has the closing brackets that are due. */
function scan(text: string): Fault | undefined {
  const open: ('}' | ']')[] = [];
  let at = skipBlanks(text, 0);
  if (at === text.length) return { at, message: 'the text is empty' };
  for (;;) {
    const begin = text[at];
    const isOpening = begin === '{' || begin === '[';
    if (isOpening) {
      const close = begin === '{' ? '}' : ']';
      at = skipBlanks(text, at + 1);
      if (text[at] === close) at += 1;
      else {
        open.push(close);
        if (close === ']') continue;
        const member = scanKey(text, at);
        if (typeof member !== 'number') return member;
        at = member;
        continue;
      }
    } else {
      const end = scanScalar(text, at, open.at(-1));
      if (typeof end !== 'number') return end;
      at = end;
    }
    at = skipBlanks(text, at);
    for (; open.length > 0 && text[at] === open.at(-1); at = skipBlanks(text, at + 1)) open.pop();
    const close = open.at(-1);
    if (close === undefined) {
      return at === text.length
        ? undefined
        : { at, message: `the value ends before ${show(text, at)}; remove the rest` };
    }
    if (text[at] !== ',') {
      if (at === text.length) return { at, message: unclosed(close) };
      return { at, message: `a comma or ${close} is missing before ${show(text, at)}` };
    }
    at = skipBlanks(text, at + 1);
    if (text[at] === close) return { at, message: `a comma is before ${show(text, at)}; remove it` };
    if (close === ']') continue;
    const member = scanKey(text, at);
    if (typeof member !== 'number') return member;
    at = member;
  }
}

/** Returns the begin of the value after a key and a colon. */
function scanKey(text: string, from: number): Scanned {
  if (from === text.length) return { at: from, message: unclosed('}') };
  if (text[from] !== '"') return { at: from, message: `a key in double quotes is missing before ${show(text, from)}` };
  const end = scanString(text, from);
  if (typeof end !== 'number') return end;
  const at = skipBlanks(text, end);
  if (text[at] !== ':') return { at, message: 'a colon is missing after the key' };
  return skipBlanks(text, at + 1);
}

function scanScalar(text: string, at: number, close: '}' | ']' | undefined): Scanned {
  const begin = text[at];
  if (begin === undefined) {
    return { at, message: close === undefined ? 'a value is missing' : `a value is missing: ${unclosed(close)}` };
  }
  if (begin === '"') return scanString(text, at);
  if (begin === '-' || isDigit(begin)) return scanNumber(text, at);
  for (const word of ['true', 'false', 'null']) if (text.startsWith(word, at)) return at + word.length;
  if (begin === ',' || begin === '}' || begin === ']') {
    return { at, message: `a value is missing before ${show(text, at)}` };
  }
  const message = `${show(text, at)} does not begin a value: all but numbers, true, false and null is in double quotes`;
  return { at, message };
}

function scanString(text: string, from: number): Scanned {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) {
      return {
        at,
        message: `${show(text, at)} is within a string; write it as ${JSON.stringify(text[at]).slice(1, -1)}`,
      };
    }
    if (code !== 0x5c) continue;
    const escaped = text[at + 1];
    if (escaped === 'u') {
      if (!/^[0-9a-f]{4}$/i.test(text.slice(at + 2, at + 6))) {
        return { at, message: '\\u needs four hexadecimal digits' };
      }
      at += 5;
    } else if (escaped !== undefined && '"\\/bfnrt'.includes(escaped)) at += 1;
    else if (escaped !== undefined) {
      return { at, message: `a backslash is before ${show(text, at + 1)}; write \\\\ for a backslash` };
    }
  }
  return { at: from, message: 'this string has no closing quotation mark' };
}

function scanNumber(text: string, from: number): Scanned {
  const missing = (place: number, after: string): Fault => ({
    at: place,
    message: `a digit is missing after ${after}`,
  });
  let at = text[from] === '-' ? from + 1 : from;
  if (!isDigit(text[at])) return missing(at, 'the minus sign');
  if (text[at] === '0' && isDigit(text[at + 1])) return { at, message: 'a number begins with a superfluous 0' };
  at = skipDigits(text, at);
  if (text[at] === '.') {
    if (!isDigit(text[at + 1])) return missing(at + 1, 'the decimal point');
    at = skipDigits(text, at + 1);
  }
  if (text[at] === 'e' || text[at] === 'E') {
    const sign = text[at + 1];
    at += sign === '+' || sign === '-' ? 2 : 1;
    if (!isDigit(text[at])) return missing(at, 'the e of the exponent');
    at = skipDigits(text, at);
  }
  return at;
}

function unclosed(close: '}' | ']'): string {
  return `the text ends before the closing ${close}`;
}

/** Visible characters in double quotes, others by their number. */
function show(text: string, at: number): string {
  const code = text.codePointAt(at)!;
  const character = String.fromCodePoint(code);
  if (/^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character)) return `"${character}"`;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1;
  return at;
}

function skipDigits(text: string, from: number): number {
  let at = from;
  while (isDigit(text[at])) at += 1;
  return at;
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}
