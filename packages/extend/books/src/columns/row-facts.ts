import type { Knowledge, Property, Vocabulary } from '@leeward/engine';
import { atCertainty, type FactSource, layoutOf } from '@leeward/engine/compiled';
import { states } from '@leeward/places/counties';
import { type BookColumns, rangeOfRow } from './book-columns.ts';
import {
  aggregatesOfRow,
  countiesOfRow,
  evidenceOfRow,
  locationOfRow,
  type Moment,
  momentOfRow,
  propertyOfRow,
} from './property-of-row.ts';

type HomeMoment = ReturnType<NonNullable<FactSource['momentOf']>>;

/** Knowledge of one row, as its property has it, but read fact by fact. Set a row before reading. */
export class RowFacts implements FactSource {
  readonly vocabulary: Vocabulary;
  readonly #certainty: number | undefined;
  readonly #defaultMoment: Moment;
  readonly #layout: ReturnType<typeof layoutOf>;
  /** By field; the words of a field are the same in every year. */
  readonly #words: readonly (readonly string[] | undefined)[];
  /** Fields that other fields or lists decide if they are unknown. */
  readonly #derived: ReadonlySet<number>;
  #columns: BookColumns | undefined;
  #row = 0;
  #property: Property | undefined;
  #moment: HomeMoment | undefined;

  /**
   * @param moment Decision time and effective date if columns have no moments.
   * @param certainty Measured distances have their ranges at this certainty.
   */
  constructor(vocabulary: Vocabulary, moment: Moment, certainty?: number) {
    this.vocabulary = vocabulary;
    this.#certainty = certainty;
    this.#defaultMoment = moment;
    this.#layout = layoutOf(vocabulary);
    this.#words = this.#layout
      .domainsOf(2000)
      .map(({ domain }) => (domain.kind === 'words' ? domain.words : undefined));
    const { relations, fallbacks, positions } = this.#layout;
    this.#derived = new Set([
      ...relations.flatMap(({ lower, higher }) => [lower, higher]),
      ...fallbacks.map(({ position }) => position),
      ...(vocabulary.lists ?? []).flatMap(({ countedBy }) => (countedBy ? [positions.get(countedBy.field)!] : [])),
    ]);
  }

  setRow(columns: BookColumns, row: number): this {
    this.#columns = columns;
    this.#row = row;
    this.#property = undefined;
    this.#moment = undefined;
    return this;
  }

  get effectiveDate(): string {
    return momentOfRow(this.#columns!, this.#row, this.#defaultMoment).effectiveDate;
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

  // Properties, because readers of computed facts call them alone.
  readonly knowledgeOf = (field: number): Knowledge => {
    const columns = this.#columns!;
    const value = columns.fields[field]![this.#row]!;
    if (columns.fields[field] instanceof Float64Array) return Number.isNaN(value) ? this.#unknown(field) : value;
    return value === 0 ? this.#unknown(field) : this.#words[field]?.[value - 1];
  };

  readonly listOf: FactSource['listOf'] = (name) => {
    const column = this.#columns!.lists[this.vocabulary.lists?.findIndex((list) => list.name === name) ?? -1];
    return column?.lists[column.places[this.#row]!];
  };

  readonly momentOf = (): HomeMoment => {
    const columns = this.#columns!;
    const quotedOn = this.#layout.positions.get('quoted_on');
    this.#moment ??= {
      events: columns.events,
      location: this.location,
      state: states[columns.state[this.#row]!]!.code,
      counties: countiesOfRow(columns, this.#row),
      asOfMs: momentOfRow(columns, this.#row, this.#defaultMoment).asOfMs,
      quotedOn: quotedOn === undefined ? undefined : this.knowledgeOf(quotedOn),
    };
    return this.#moment;
  };

  #unknown(field: number): Knowledge {
    if (!this.#derived.has(field)) return rangeOfRow(this.#columns!, this.#row, field, this.#certainty);
    this.#property ??= atCertainty(
      propertyOfRow(this.#columns!, this.#row, this.vocabulary, this.#defaultMoment),
      this.#certainty,
    );
    return this.#property.values[field];
  }
}
