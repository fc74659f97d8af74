/**
 * Reads cells of DMN decision tables: unary tests of S-FEEL with constants. `-`; `5`, `"tile"`, `true`, `date("2026-01-31")`; `< 5`,
 * `>= 5`; `[1..5]`, `(1..5]`, `]1..5[`; lists of these with commas; and `not( … )` of a list.
 */

/** A constant. A date is its text, `2026-01-31`. */
export type Literal =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text' | 'date'; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null'; readonly value: null };

/** An end of an interval. */
export interface End {
  readonly literal: Literal;
  readonly isIncluded: boolean;
}

/** Values from `min` to `max`. A single value has both ends at it. */
export interface UnaryTest {
  readonly min?: End;
  readonly max?: End;
}

/** The tests of a cell, one of which accepts a value; the others, if it is negated. Without tests it accepts all values. */
export interface Cell {
  readonly tests: readonly UnaryTest[] | undefined;
  readonly isNegated: boolean;
}

/** Undefined if the cell has more than such tests. */
export function readDmnCell(text: string): Cell | undefined {
  const reader = new CellReader(text);
  if (reader.takes(/-\s*$/y)) return { tests: undefined, isNegated: false };
  const isNegated = reader.takes(/not\s*\(/y);
  const tests: UnaryTest[] = [];
  do {
    const test = reader.test();
    if (!test) return undefined;
    tests.push(test);
  } while (reader.takes(/,/y));
  if (isNegated && !reader.takes(/\)/y)) return undefined;
  return reader.isAtEnd() ? { tests, isNegated } : undefined;
}

/** Reads an output: a single constant. */
export function readLiteral(text: string): Literal | undefined {
  const reader = new CellReader(text);
  const literal = reader.literal();
  return reader.isAtEnd() ? literal : undefined;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '"': '"', "'": "'", '\\': '\\' };

function unescaped(text: string): string {
  return text.replace(
    /\\(?:u([0-9a-f]{4})|U([0-9a-f]{6})|(.))/gi,
    (written, short, long, plain: string | undefined) => {
      const point = Number.parseInt(short ?? long ?? '', 16);
      if (plain !== undefined || point > 0x10ffff) return escapes[plain ?? ''] ?? written;
      return String.fromCodePoint(point);
    },
  );
}

const isoDate = /^\d{4}-\d{2}-\d{2}$/;

class CellReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text.trim();
  }

  isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  takes(pattern: RegExp): boolean {
    return this.#match(pattern) !== undefined;
  }

  test(): UnaryTest | undefined {
    const sign = this.#match(/<=|>=|<|>|=(?!=)/y)?.[0];
    if (sign !== undefined) {
      const literal = this.literal();
      if (!literal) return undefined;
      const end = { literal, isIncluded: sign.includes('=') };
      if (sign === '=') return { min: end, max: end };
      return sign.startsWith('<') ? { max: end } : { min: end };
    }
    const start = this.#match(/[[(\]]/y)?.[0];
    const first = this.literal();
    if (!first) return undefined;
    if (start === undefined)
      return { min: { literal: first, isIncluded: true }, max: { literal: first, isIncluded: true } };
    if (!this.takes(/\.\./y)) return undefined;
    const last = this.literal();
    const finish = this.#match(/[\])[]/y)?.[0];
    if (!last || finish === undefined) return undefined;
    return { min: { literal: first, isIncluded: start === '[' }, max: { literal: last, isIncluded: finish === ']' } };
  }

  literal(): Literal | undefined {
    const number = this.#match(/-?(\d+(\.\d+)?|\.\d+)(?![\w])/y)?.[0];
    if (number !== undefined) return { kind: 'number', value: Number(number) };
    const word = this.#match(/(true|false|null)(?![\w ]*\w)/y)?.[0];
    if (word === 'null') return { kind: 'null', value: null };
    if (word !== undefined) return { kind: 'boolean', value: word === 'true' };
    const isCall = this.takes(/date\s*\(/y);
    const isDate = isCall || this.takes(/@/y);
    const quoted = this.#match(/"((?:[^"\\]|\\.)*)"/sy)?.[1];
    if (quoted === undefined || (isCall && !this.takes(/\)/y))) return undefined;
    const value = unescaped(quoted);
    if (!isDate) return { kind: 'text', value };
    return isoDate.test(value) ? { kind: 'date', value } : undefined;
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (!match) return undefined;
    this.#at = pattern.lastIndex;
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++;
    return match;
  }
}
