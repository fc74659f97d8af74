import type { Vocabulary } from '@leeward/engine';
import {
  type Axis,
  type Computed,
  factIndex,
  isNumberAxis,
  type Leaf,
  layoutOf,
  type ProgramAxis,
  sourcesOf,
  valueFact,
} from '@leeward/engine/compiled';
import type { AxisKnowledge } from '../terms/close-terms.ts';
import { type ArithmeticProgram, programOf } from './arithmetic-program.ts';

/** A number or word of a home that tables test. */
export interface TableInput {
  /** Unique: the name of the field, the canonical JSON of a computed fact, a test, `as_of`; with `@0.9` at a certainty. */
  readonly name: string;
  readonly kind: 'number' | 'word';
  /** Words in the order of their codes, which count from 1. Undefined for a number. */
  readonly words?: readonly string[];
  readonly source: InputSource;
  /** Number of the input that stands for this one unless it is given: a distance at a certainty is the plain distance. */
  readonly base?: number;
}

/** The origin of an input. A home without a value for it leaves it unknown. */
export type InputSource =
  /** A field of the vocabulary, by its position. */
  | { readonly kind: 'field'; readonly field: number; readonly certainty?: number }
  /** The time of the request, epoch milliseconds. */
  | { readonly kind: 'as_of' }
  /** A fact that rules compute, as a range. */
  | {
      readonly kind: 'computed';
      readonly computed: Computed;
      readonly certainty?: number;
      /** Fields and lists from which it is computed. */
      readonly needs: readonly string[];
      /** Undefined unless it is arithmetic over plain fields. */
      readonly program: ArithmeticProgram | undefined;
    }
  /** A test of fact against fact: 1 if it holds, 0 if it fails. */
  | { readonly kind: 'test'; readonly leaf: Leaf; readonly certainty?: number; readonly needs: readonly string[] }
  /** A fact that tables never have: a fact of the host, or what a carrier that cannot be compiled depends on. */
  | { readonly kind: 'host'; readonly fact: string };

/** The inputs of an image. They are numbered when they are first used. */
export class TableInputs {
  readonly vocabulary: Vocabulary;
  readonly all: TableInput[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #measured: ReadonlySet<string>;
  readonly #related: ReadonlySet<string>;

  constructor(vocabulary: Vocabulary) {
    this.vocabulary = vocabulary;
    this.#measured = new Set(vocabulary.fields.filter(({ givenAs }) => givenAs).map(({ name }) => name));
    this.#related = new Set(vocabulary.relations.flatMap(({ lower, higher }) => [lower, higher]));
  }

  /** The number of the input behind an axis of a program. */
  ofAxis({ axis, field, test, computed }: ProgramAxis, certainty: number | undefined): number {
    if (test) return this.#ofTest(axis.name, test, certainty);
    if (!computed) return this.ofField(field, certainty);
    if (computed.kind === 'moment' && computed.fact === 'request_time') return this.ofTime();
    const needs = [...sourcesOf(computed)];
    const at = this.#certaintyOf(needs, certainty);
    return this.#number(atName(axis.name, at), () => {
      const program = at === undefined ? programOf(computed, this.vocabulary) : undefined;
      for (const name of program ? needs : []) this.#ofFact(name);
      return {
        kind: 'number',
        source: { kind: 'computed', computed, ...withCertainty(at), needs, program },
        ...(at === undefined
          ? {}
          : { base: this.ofAxis({ axis, field, test, computed, missingNames: [] }, undefined) }),
      };
    });
  }

  /** The number of the input of a field. A related field and the condition of a fallback become inputs too. */
  ofField(field: number, certainty?: number): number {
    const { name, domain, fallback } = this.vocabulary.fields[field]!;
    const at = this.#certaintyOf([name], certainty);
    const numberBefore = this.#numbers.get(atName(name, at));
    if (numberBefore !== undefined) return numberBefore;
    const { kind, ...rest } = domain({ effectiveYear: 2000 });
    const base = at === undefined ? {} : { base: this.ofField(field) };
    const number = this.#number(atName(name, at), () => ({
      kind: kind === 'words' ? 'word' : 'number',
      ...('words' in rest ? { words: rest.words } : {}),
      source: { kind: 'field', field, ...withCertainty(at) },
      ...base,
    }));
    if (fallback?.when) this.#ofName(fallback.when.field);
    for (const { lower, higher } of this.vocabulary.relations) {
      if (lower === name) this.#ofName(higher, at);
      if (higher === name) this.#ofName(lower, at);
    }
    return number;
  }

  ofTime(): number {
    return this.#number('as_of', () => ({ kind: 'number', source: { kind: 'as_of' } }));
  }

  ofHost(fact: string): number {
    return this.#number(fact, () => ({ kind: 'number', source: { kind: 'host', fact } }));
  }

  /** The possible knowledge of an input: see `closeTerms`. */
  knowledgeOf(number: number): AxisKnowledge {
    const { source } = this.all[number]!;
    switch (source.kind) {
      case 'as_of':
        return { kind: 'known' };
      case 'computed':
        return { kind: source.computed.kind === 'moment' ? 'known' : 'range' };
      case 'field': {
        const { name, fallback } = this.vocabulary.fields[source.field]!;
        if (fallback && !fallback.when) return { kind: 'known' };
        const isCounted = this.vocabulary.lists?.some(({ countedBy }) => countedBy?.field === name);
        return { kind: isCounted || this.#measured.has(name) || this.#related.has(name) ? 'range' : 'whole' };
      }
      default:
        return { kind: 'whole' };
    }
  }

  /** The relations between inputs, as numbers of the lower and the higher: between plain ones, and between those of each certainty. */
  relations(): readonly (readonly [number, number])[] {
    const certainties = new Set(this.all.map(({ source }) => ('certainty' in source ? source.certainty : undefined)));
    const pairs = [...certainties.add(undefined)].flatMap((certainty) =>
      this.vocabulary.relations.map(({ lower, higher }) => {
        const at = (name: string) => this.#numbers.get(atName(name, this.#certaintyOf([name], certainty))) ?? -1;
        return [at(lower), at(higher)] as const;
      }),
    );
    const distinct = new Map(pairs.map((pair) => [pair.join(), pair]));
    return [...distinct.values()].filter(([lower, higher]) => lower >= 0 && higher >= 0);
  }

  /** The number of a field's input; −1 if tables do not test it. */
  find(name: string): number {
    return this.#numbers.get(name) ?? -1;
  }

  #ofTest(name: string, leaf: Leaf, certainty: number | undefined): number {
    const other = valueFact(leaf.value);
    const needs = other ? [leaf.fact, other.fact] : [leaf.fact];
    const at = this.#certaintyOf(needs, certainty);
    return this.#number(atName(name, at), () => {
      // Readers compute the test from these.
      for (const fact of at === undefined ? needs : []) this.#ofFact(fact);
      return {
        kind: 'number',
        source: { kind: 'test', leaf, ...withCertainty(at), needs },
        ...(at === undefined ? {} : { base: this.#ofTest(name, leaf, undefined) }),
      };
    });
  }

  /** The certainty, if one of the facts is measured. */
  #certaintyOf(facts: readonly string[], certainty: number | undefined): number | undefined {
    const isMeasured = (fact: string) => {
      const reference = factIndex(this.vocabulary).find(fact);
      return reference !== undefined && reference.kind !== 'place' && this.#measured.has(reference.field.name);
    };
    return certainty !== undefined && facts.some(isMeasured) ? certainty : undefined;
  }

  #ofFact(name: string): void {
    const reference = factIndex(this.vocabulary).find(name);
    if (reference && reference.kind !== 'place') this.#ofName(reference.field.name);
  }

  #ofName(name: string, certainty?: number): void {
    this.ofField(layoutOf(this.vocabulary).positions.get(name)!, certainty);
  }

  #number(name: string, create: () => Omit<TableInput, 'name'>): number {
    const numberBefore = this.#numbers.get(name);
    if (numberBefore !== undefined) return numberBefore;
    // `create` numbers other inputs first.
    const input = { name, ...create() };
    const number = this.all.push(input) - 1;
    this.#numbers.set(name, number);
    return number;
  }
}

function atName(name: string, certainty: number | undefined): string {
  return certainty === undefined ? name : `${name}@${certainty}`;
}

function withCertainty(certainty: number | undefined): { readonly certainty?: number } {
  return certainty === undefined ? {} : { certainty };
}

/**
 * Lower bounds of the cells of an axis, ascending: cell c holds the numbers from `bounds[c]` to below `bounds[c + 1]`. A cell that begins
 * behind a limit begins at the next number. Undefined for an axis of words.
 */
export function boundsOfAxis(axis: Axis, isTest: boolean): Float64Array | undefined {
  if (isTest) return Float64Array.of(Number.NEGATIVE_INFINITY, 0.5);
  if (!isNumberAxis(axis)) return undefined;
  const { cuts, cellByPlace, size } = axis;
  const bounds = new Float64Array(size);
  for (let place = 0; place < cellByPlace.length; place++) {
    const cell = cellByPlace[place]!;
    if (cell < 0) continue;
    const limit = cuts[place >> 1]!;
    bounds[cell] =
      cell === 0 ? Number.NEGATIVE_INFINITY : place % 2 === 1 ? limit : numberAfter(cuts[(place >> 1) - 1]!);
  }
  return bounds;
}

const number = new Float64Array(1);
const bits = new BigInt64Array(number.buffer);

/** The smallest double above a finite one. */
function numberAfter(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  number[0] = value;
  bits[0]! += value > 0 ? 1n : -1n;
  return number[0];
}
