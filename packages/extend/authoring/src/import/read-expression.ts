/**
 * Reads input expressions of DMN tables that a test can compute: a comparison of numbers, `list contains(tools, "forge")`, and the
 * numbers themselves. A number is a constant, a fact, a sum, a difference, a product, `(p * a / 100)`, `min(…)`, `max(…)`,
 * `count(losses[item.kind = "water"])`, or `sum`, `min` and `max` of `append(losses[…].amount, 0)`.
 */
import type { Vocabulary } from '@leeward/engine';
import { factIndex } from '@leeward/engine/compiled';
import { type Literal, readLiteral } from '../dmn/unary-tests.ts';
import type { CellColumn } from './read-cell.ts';

type Json = Readonly<Record<string, unknown>>;
type Operand = number | Json;

const operators: Readonly<Record<string, string>> = {
  '=': 'equal',
  '!=': 'notEqual',
  '<': 'lessThan',
  '<=': 'lessThanInclusive',
  '>': 'greaterThan',
  '>=': 'greaterThanInclusive',
};
const reversed: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '=': '=', '!=': '!=' };
const MAX_LENGTH = 2000;

/** The column of an expression; undefined if tests cannot compute it. */
export function columnOfExpression(expression: string, vocabulary: Vocabulary): CellColumn | undefined {
  if (expression.length > MAX_LENGTH) return undefined;
  const tokens = expression.match(/"(?:[^"\\]|\\.)*"|\d+(?:\.\d+)?|list contains|[a-z_][a-z0-9_.]*|[<>!]=|\S/gi) ?? [];
  try {
    return new ExpressionReader(tokens, vocabulary).column();
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

class Unreadable extends Error {}

class ExpressionReader {
  readonly #tokens: readonly string[];
  readonly #vocabulary: Vocabulary;
  #at = 0;

  constructor(tokens: readonly string[], vocabulary: Vocabulary) {
    this.#tokens = tokens;
    this.#vocabulary = vocabulary;
  }

  column(): CellColumn {
    const column = this.#contains() ?? this.#comparison();
    if (this.#at < this.#tokens.length) throw new Unreadable();
    return column;
  }

  #contains(): CellColumn | undefined {
    if (!this.#takes('list contains')) return undefined;
    this.#expect('(');
    const fact = this.#next();
    this.#expect(',');
    const value = this.#literal().value;
    this.#expect(')');
    if (!factIndex(this.#vocabulary).sets.has(fact)) throw new Unreadable();
    return flagColumn({ fact, operator: 'contains', value });
  }

  #comparison(): CellColumn {
    const left = this.#operand();
    const sign = this.#sign();
    if (sign === undefined) {
      if (typeof left === 'number') throw new Unreadable();
      return { kind: 'number', unit: undefined, test: (operator, value) => ({ ...left, operator, value }) };
    }
    return flagColumn(compare(left, sign, this.#operand()));
  }

  #operand(): Operand {
    const token = this.#next();
    if (/^\d/.test(token)) return Number(token);
    if (token === '-' && /^\d/.test(this.#tokens[this.#at] ?? '')) return -Number(this.#next());
    if (token === '(') return this.#operation();
    if (this.#tokens[this.#at] === '(') return this.#call(token);
    const reference = factIndex(this.#vocabulary).find(token);
    if (!reference) throw new Unreadable();
    return { fact: token };
  }

  #operation(): Operand {
    const of = [this.#operand()];
    const sign = this.#next();
    const name = { '+': 'add', '-': 'subtract', '*': 'multiply' }[sign];
    if (name === undefined) throw new Unreadable();
    do of.push(this.#operand());
    while (this.#takes(sign));
    if (sign === '*' && of.length === 2 && this.#takes('/')) {
      this.#expect('100');
      this.#expect(')');
      return { percent_of: of };
    }
    this.#expect(')');
    return { [name]: of };
  }

  #call(name: string): Operand {
    this.#expect('(');
    if (name === 'count') {
      const items = this.#items();
      this.#expect(')');
      return { count: items.list, ...items.where };
    }
    if (!['sum', 'min', 'max'].includes(name)) throw new Unreadable();
    if (this.#takes('append')) {
      this.#expect('(');
      const items = this.#items();
      if (items.field === undefined) throw new Unreadable();
      this.#expect(',');
      this.#operand();
      this.#expect(')');
      this.#expect(')');
      return { [name]: items.list, of: items.field, ...items.where };
    }
    const of = [this.#operand()];
    while (this.#takes(',')) of.push(this.#operand());
    this.#expect(')');
    if (name === 'sum') throw new Unreadable();
    return { [name]: of };
  }

  /** The items of a list, those that match a condition, or a field of these. */
  #items(): { readonly list: string; readonly field: string | undefined; readonly where: Json } {
    const [list = '', plainField] = this.#next().split('.');
    if (!factIndex(this.#vocabulary).lists.has(list)) throw new Unreadable();
    if (!this.#takes('[')) return { list, field: plainField, where: {} };
    const condition = this.#condition();
    this.#expect(']');
    const field = this.#takes('.') ? this.#next() : undefined;
    return {
      list,
      field,
      where: { where: 'all' in condition || 'any' in condition ? condition : { all: [condition] } },
    };
  }

  #condition(): Json {
    if (this.#takes('not')) {
      this.#expect('(');
      const not = this.#condition();
      this.#expect(')');
      return { not };
    }
    if (this.#takes('true')) return { all: [] };
    if (this.#takes('(')) {
      const of = [this.#condition()];
      const word = this.#tokens[this.#at] === 'or' ? 'or' : 'and';
      while (this.#takes(word)) of.push(this.#condition());
      this.#expect(')');
      return { [word === 'or' ? 'any' : 'all']: of };
    }
    if (this.#takes('list contains')) {
      this.#expect('(');
      this.#expect('[');
      const value = [this.#literal().value];
      while (this.#takes(',')) value.push(this.#literal().value);
      this.#expect(']');
      this.#expect(',');
      const fact = this.#itemField();
      this.#expect(')');
      return { fact, operator: 'in', value };
    }
    const fact = this.#itemField();
    const sign = this.#sign();
    if (sign === undefined) throw new Unreadable();
    return { fact, operator: operators[sign], value: this.#literal().value };
  }

  #itemField(): string {
    const [item, field] = this.#next().split('.');
    if (item !== 'item' || field === undefined) throw new Unreadable();
    return field;
  }

  #literal(): Literal {
    const sign = this.#takes('-') ? '-' : '';
    const literal = readLiteral(`${sign}${this.#next()}`);
    if (!literal || literal.kind === 'null') throw new Unreadable();
    return literal;
  }

  #sign(): string | undefined {
    const token = this.#tokens[this.#at];
    return token !== undefined && Object.hasOwn(operators, token) ? this.#next() : undefined;
  }

  #next(): string {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw new Unreadable();
    return token;
  }

  #takes(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at++;
    return true;
  }

  #expect(token: string): void {
    if (!this.#takes(token)) throw new Unreadable();
  }
}

function compare(left: Operand, sign: string, right: Operand): Json {
  if (typeof left === 'number') {
    if (typeof right === 'number') throw new Unreadable();
    return compare(right, reversed[sign]!, left);
  }
  return { ...left, operator: operators[sign], value: right };
}

/** A column of a test that holds or not. */
function flagColumn(leaf: Json): CellColumn {
  return {
    kind: 'flag',
    unit: undefined,
    test: (operator, value) => ((operator === 'equal') === (value === true) ? leaf : { not: leaf }),
  };
}
