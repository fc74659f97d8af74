import type { Knowledge, Vocabulary } from '@leeward/engine';
import {
  between,
  boundByRelations,
  type Computed,
  countRecent,
  type FactSource,
  layoutOf,
  type Reading,
  readComputed,
} from '@leeward/engine/compiled';
import { states } from '@leeward/places/counties';
import {
  aggregatesOfRow,
  type BookColumns,
  countiesOfRow,
  evidenceOfRow,
  locationOfRow,
  rangeOfRow,
} from './book-columns.ts';

type HomeMoment = ReturnType<NonNullable<FactSource['momentOf']>>;

/** Decision time, epoch milliseconds, and effective date, `YYYY-MM-DD`. */
interface Moment {
  readonly asOfMs: number;
  readonly effectiveDate: string;
}

/** Returns the word of a row that does not give it, by its number from 1; 0 if it is unknown. */
export type WordFallback = (columns: BookColumns, row: number) => number;

/** The fallback of a field of words; undefined without one. */
export function fallbackOf(field: number, { fields }: Pick<Vocabulary, 'fields'>): WordFallback | undefined {
  const fallback = fields[field]?.fallback;
  if (!fallback) return undefined;
  const numberOf = (place: number, word: number | string): number => {
    const domain = fields[place]!.domain({ effectiveYear: 2000 });
    return domain.kind === 'words' ? domain.words.indexOf(word as string) + 1 : 0;
  };
  const word = numberOf(field, fallback.value);
  const { when } = fallback;
  if (!when) return () => word;
  const other = fields.findIndex(({ name }) => name === when.field);
  const condition = numberOf(other, when.value);
  const ofOther = fallbackOf(other, { fields });
  return (columns, row) => ((columns.fields[other]![row] || ofOther?.(columns, row)) === condition ? word : 0);
}

/** Index of the list that counts a field, in the vocabulary's lists; −1 without one. */
export function listCounting(field: number, { fields, lists = [] }: Vocabulary): number {
  return lists.findIndex(({ countedBy }) => countedBy?.field === fields[field]?.name);
}

/**
 * Knowledge of one row, as the property of the row has it: with fallbacks, and bounded by lists and relations. Set a row before reading.
 */
export class RowFacts implements FactSource {
  readonly vocabulary: Vocabulary;
  readonly effectiveYear: number;
  effectiveDate: string;
  readonly #certainty: number | undefined;
  readonly #asOfMs: number;
  readonly #effectiveDate: string;
  readonly #domains: ReturnType<ReturnType<typeof layoutOf>['domainsOf']>;
  readonly #fallbacks: readonly (WordFallback | undefined)[];
  readonly #counting: readonly number[];
  /** Fields of numbers that a relation or a list may bound. */
  readonly #bounded: ReadonlySet<number>;
  readonly #given: Knowledge[];
  readonly #listPlaces: ReadonlyMap<string, number>;
  readonly #quotedOn: number;
  #columns: BookColumns | undefined;
  #row = 0;
  #related: readonly Knowledge[] | undefined;
  #moment: HomeMoment | undefined;

  /**
   * @param moment Decision time and effective date if columns have no moments.
   * @param certainty Measured distances have their ranges at this certainty.
   */
  constructor(vocabulary: Vocabulary, effectiveYear: number, { asOfMs, effectiveDate }: Moment, certainty?: number) {
    const layout = layoutOf(vocabulary);
    this.vocabulary = vocabulary;
    this.effectiveYear = effectiveYear;
    this.#certainty = certainty;
    this.effectiveDate = effectiveDate;
    this.#asOfMs = asOfMs;
    this.#effectiveDate = effectiveDate;
    this.#domains = layout.domainsOf(effectiveYear);
    this.#fallbacks = vocabulary.fields.map((_, field) => fallbackOf(field, vocabulary));
    this.#counting = vocabulary.fields.map((_, field) => listCounting(field, vocabulary));
    this.#bounded = new Set(
      [
        ...layout.relations.flatMap(({ lower, higher }) => [lower, higher]),
        ...this.#counting.flatMap((list, field) => (list >= 0 ? [field] : [])),
      ].filter((field) => this.#domains[field]!.domain.kind === 'numbers'),
    );
    this.#given = this.#domains.map(() => undefined);
    this.#quotedOn = vocabulary.fields.findIndex(({ name }) => name === 'quoted_on');
    this.#listPlaces = new Map((vocabulary.lists ?? []).map(({ name }, place) => [name, place]));
  }

  setRow(columns: BookColumns, row: number): this {
    this.#columns = columns;
    this.#row = row;
    this.#related = undefined;
    this.#moment = undefined;
    const { moments } = columns;
    this.effectiveDate = moments ? moments.all[moments.ofRow?.[row] ?? 0]!.effectiveDate : this.#effectiveDate;
    return this;
  }

  get location(): FactSource['location'] {
    return locationOfRow(this.#columns!, this.#row);
  }

  get evidence(): FactSource['evidence'] {
    return evidenceOfRow(this.#columns!, this.#row);
  }

  get aggregates(): FactSource['aggregates'] {
    return aggregatesOfRow(this.#columns!, this.#row);
  }

  readonly momentOf = (): HomeMoment => {
    this.#moment ??= this.#createMoment();
    return this.#moment;
  };

  // Properties, because readers of computed facts call them alone.
  readonly knowledgeOf = (field: number): Knowledge => {
    const columns = this.#columns!;
    const value = columns.fields[field]![this.#row]!;
    const { domain } = this.#domains[field]!;
    if (domain.kind === 'words') {
      return domain.words[(value || (this.#fallbacks[field]?.(columns, this.#row) ?? 0)) - 1];
    }
    if (!Number.isNaN(value)) return value;
    if (!this.#bounded.has(field)) return rangeOfRow(columns, this.#row, field, this.#certainty);
    this.#related ??= this.#boundAll();
    return this.#related[field];
  };

  readonly listOf: FactSource['listOf'] = (name) => {
    const column = this.#columns!.lists[this.#listPlaces.get(name) ?? -1];
    return column?.lists[column.places[this.#row]!];
  };

  /** Reads a computed fact of the row. */
  read(computed: Computed): Reading {
    return readComputed(computed, this);
  }

  #createMoment(): HomeMoment {
    const columns = this.#columns!;
    const row = this.#row;
    const { moments, events } = columns;
    return {
      events,
      location: this.location,
      state: states[columns.state[row]!]!.code,
      counties: countiesOfRow(columns, row),
      asOfMs: moments ? moments.all[moments.ofRow?.[row] ?? 0]!.asOfMs : this.#asOfMs,
      quotedOn: this.#quotedOn < 0 ? undefined : this.knowledgeOf(this.#quotedOn),
    };
  }

  #boundAll(): readonly Knowledge[] {
    const values = this.#given;
    for (const field of this.#bounded) {
      const value = this.#columns!.fields[field]![this.#row]!;
      values[field] = Number.isNaN(value)
        ? (rangeOfRow(this.#columns!, this.#row, field, this.#certainty) ?? this.#countOf(field))
        : value;
    }
    return boundByRelations(values, layoutOf(this.vocabulary), this.#domains);
  }

  /** Knowledge of a field from the list that counts it. */
  #countOf(field: number): Knowledge {
    const list = this.vocabulary.lists?.[this.#counting[field]!];
    const items = list && this.listOf(list.name);
    const { domain } = this.#domains[field]!;
    if (!items || domain.kind !== 'numbers') return undefined;
    const [min, max] = countRecent(items, list.countedBy!, this.effectiveDate);
    return between(Math.min(domain.max, min), Math.min(domain.max, max));
  }
}
