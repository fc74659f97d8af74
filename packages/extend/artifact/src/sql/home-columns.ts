import type { Vocabulary } from '@leeward/engine';
import { states } from '@leeward/places/counties';
import type { Manifest, ManifestInput } from '../format/manifest.ts';
import { foldKey, type Spelling, type SpellingLists, spellingLists } from '../spellings/spelling-lists.ts';
import type { TableInput } from '../tables/table-inputs.ts';
import { countyKey, countyKeys } from './county-names.ts';
import type { DialectWriter } from './dialect.ts';

/** Expressions by name of the column that they fill. */
export type Columns = Map<string, string>;

/** The columns of an input: one column for a value that is known or unknown, two for a range. */
export interface InputColumn {
  readonly min: string;
  readonly max: string;
}

/** The origin of the values of homes. */
export interface HomeSource {
  readonly vocabulary: Vocabulary;
  readonly manifest: Manifest;
  readonly inputs: readonly TableInput[];
  /** Codes of the states in which a carrier offers something. */
  readonly states: readonly string[];
  readonly dialect: DialectWriter;
  /** Column of the caller by name of a field. */
  readonly columns: ReadonlyMap<string, string>;
  /** For rows without an effective date. @default the date of `as_of` in the state */
  readonly effectiveDate: string | undefined;
  /** For rows without `as_of`, in milliseconds. @default the time of the query */
  readonly asOfMs: number | undefined;
}

const stateCodes = states.map(({ code }) => code);
const flagSpellings: readonly Spelling[] = [
  ...['false', 'f', 'no', 'n', '0'].map((key) => ({ key, code: 1 })),
  ...['true', 't', 'yes', 'y', '1'].map((key) => ({ key, code: 2 })),
];

/**
 * Normalizes the columns of a caller like requests over HTTP, in subqueries that build on each other. `read` reads each column
 * alone. `places` finds the county in its state, and the effective date. `values` computes years and meters, and lists the faults of
 * the row. `ranges` bounds unknown numbers by related ones. `computed` has arithmetic and tests of one number against another.
 */
export class HomeColumns {
  readonly read: Columns = new Map();
  readonly places: Columns = new Map();
  readonly values: Columns = new Map();
  readonly ranges: Columns = new Map();
  readonly computed: Columns = new Map();
  /** By input; undefined if it is unknown in every row. */
  readonly inputs: readonly (InputColumn | undefined)[];
  readonly spellings: SpellingLists;
  readonly #source: HomeSource;
  readonly #dialect: DialectWriter;
  readonly #faults: string[] = [];

  constructor(source: HomeSource) {
    this.#source = source;
    this.#dialect = source.dialect;
    this.spellings = spellingLists(source.vocabulary);
    const { inputs, manifest } = source;
    this.#addPlace();
    this.#addDates();
    const single = inputs.map((input, number) => this.#addInput(input, manifest.inputs[number]!, number));
    inputs.forEach(({ base }, number) => {
      if (base !== undefined) single[number] ??= single[base];
    });
    this.#addPairs();
    const bounded = this.#addRanges(single);
    this.inputs = bounded.map((column, number) => column ?? this.#compute(number, bounded));
    this.values.set('lw_errors', this.#dialect.joinTexts(this.#faults));
  }

  /** The counties of the states with carriers, by spelling. */
  countyRows(): string {
    const { text, countyRows } = this.#dialect;
    const { ambiguous } = this.spellings;
    const rows = this.#source.states.flatMap((state) => {
      const byCodes = Map.groupBy(countyKeys(state), ([, codes]) => codes.map(Number).join());
      return Array.from(byCodes, ([codes, keys]) => {
        const entry = ambiguous.findIndex((each) => each.join() === codes);
        return `(${text(state)}, ${text(keys.map(([key]) => key).join(' '))}, ${entry < 0 ? codes : -2 - entry})`;
      });
    });
    return countyRows(rows);
  }

  #addPlace(): void {
    const { vocabulary, manifest } = this.#source;
    const { replaceAll, toText } = this.#dialect;
    for (const [name, words, list] of [
      ['state', stateCodes, this.spellings.states],
      ['policy_type', vocabulary.policyTypes, this.spellings.policyTypes],
    ] as const) {
      this.read.set(`lw_${name}`, this.#word(this.#given(name)!, words, list));
      const { required, ...others } = manifest.faults[name]!;
      this.#addFault(name, `lw_${name}`, others[`unknown_${name}`], required);
    }
    const county = this.#given('county');
    this.places.set('lw_county', county === undefined ? 'nullif(0, 0)' : COUNTY);
    if (county === undefined) return;
    // Numbers of columns with fractions end in `.0`.
    const text = replaceAll(toText(county), '[.]0+$', '');
    const name = countyKey(this.#dialect, text);
    const isFourDigits = `length(${name}) = 4 AND ${replaceAll(name, '[0-9]', '')} = ''`;
    this.read.set(
      'lw_county_name',
      `CASE WHEN ${this.#isGiven(county)} THEN CASE WHEN ${isFourDigits} THEN '0' || ${name} ELSE ${name} END END`,
    );
    // `Harris County, TX`
    const isPair = `${text} LIKE '%,%'`;
    const state = this.#word(replaceAll(text, '^.*,', ''), stateCodes, this.spellings.states);
    this.read.set('lw_county_state', `CASE WHEN ${isPair} THEN ${state} END`);
    this.read.set(
      'lw_county_before',
      `CASE WHEN ${isPair} THEN ${countyKey(this.#dialect, replaceAll(text, ',[^,]*$', ''))} END`,
    );
  }

  /** Joins the counties `c` to the rows `p`; empty without a column of counties. */
  countyJoin(): string {
    return this.#given('county') === undefined
      ? ''
      : '\nLEFT JOIN lw_counties c ON c.state = p.lw_state AND c.name = CASE WHEN p.lw_county_state = p.lw_state THEN p.lw_county_before ELSE p.lw_county_name END';
  }

  #addDates(): void {
    const { manifest, effectiveDate, asOfMs } = this.#source;
    const { toInstant, toDate, toText, date, days, year, now } = this.#dialect;
    const asOf = this.#given('as_of');
    const time = asOfMs === undefined ? now : String(asOfMs);
    this.read.set('lw_as_of', asOf === undefined ? time : `coalesce(${toInstant(asOf)}, ${time})`);
    if (asOf !== undefined) {
      this.read.set('lw_as_of_given', toInstant(asOf));
      this.#addFault('as_of', 'lw_as_of_given', manifest.faults['as_of']!['invalid_date']);
    }
    const column = this.#given('effective_date');
    const today = this.#today();
    const without = effectiveDate === undefined ? today : date(effectiveDate);
    if (column !== undefined) this.read.set('lw_date_given', toDate(column));
    const effective = column === undefined ? without : `coalesce(lw_date_given, ${without})`;
    this.places.set('lw_date', effective);
    const { invalid_date, dates_not_covered } = manifest.faults['effective_date']!;
    if (column !== undefined) this.#addFault('effective_date', 'lw_date_given', invalid_date);
    const { from, to } = manifest;
    const isCovered = `lw_date >= ${date(from)} AND lw_date <= ${date(to)}`;
    this.#faults.push(`CASE WHEN NOT (${isCovered}) THEN ${this.#message(dates_not_covered, toText('lw_date'))} END`);
    const isOneYear = from.slice(0, 4) === to.slice(0, 4);
    this.places.set('lw_year', isOneYear ? from.slice(0, 4) : year(effective));
    if (this.#source.inputs.some(isDaysUntil)) this.places.set('lw_days_until', `${days(effective)} - ${days(today)}`);
  }

  /** The date of the request where most people of the state live. */
  #today(): string {
    const byZone = Map.groupBy(
      states.filter(({ code }) => this.#source.states.includes(code)),
      ({ timeZone }) => timeZone,
    );
    const { dateInZone, text } = this.#dialect;
    const cases = Array.from(byZone, ([zone, some]) => {
      const codes = some.map(({ code }) => text(code)).join(', ');
      return `WHEN lw_state IN (${codes}) THEN ${dateInZone('lw_as_of', zone)}`;
    });
    return `CASE ${cases.join(' ')} ELSE ${dateInZone('lw_as_of', 'UTC')} END`;
  }

  #addInput(input: TableInput, described: ManifestInput, number: number): InputColumn | undefined {
    const { source, name } = input;
    const [min, max] = [this.#given(`${name}_min`), this.#given(`${name}_max`)];
    if (input.kind === 'number' && min !== undefined && max !== undefined) {
      this.read.set(`lw_${number}_min`, this.#dialect.toNumber(min));
      this.read.set(`lw_${number}_max`, this.#dialect.toNumber(max));
      return { min: `lw_${number}_min`, max: `lw_${number}_max` };
    }
    if (described.kind === 'as_of') return { min: 'lw_as_of', max: 'lw_as_of' };
    if (isDaysUntil(input)) return { min: 'lw_days_until', max: 'lw_days_until' };
    if (source.kind !== 'field' || described.kind === 'computed') return undefined;
    const field = this.#source.vocabulary.fields[source.field]!;
    const column = `lw_${field.name.replaceAll(/\W/g, '_')}`;
    const isFilled = described.columns
      ? this.#addDistance(column, described.columns)
      : input.words
        ? this.#addWord(column, input, described)
        : this.#addNumber(column, source.field, described);
    return isFilled ? { min: column, max: column } : undefined;
  }

  #addNumber(column: string, place: number, { column: name, kind, form, faults = {} }: ManifestInput): boolean {
    const value = this.#given(name);
    const domain = this.#domainOf(place);
    if (value === undefined || domain === undefined) return false;
    const { toNumber, toDate, toText, days, replaceAll } = this.#dialect;
    const origin = form === undefined ? column : `${column}_given`;
    const text = toText(value);
    // A ZIP code may have four more digits.
    const zipcode = `CASE WHEN length(${text}) > 8 THEN ${replaceAll(text, '-?[0-9]{4}$', '')} ELSE ${text} END`;
    this.read.set(origin, kind === 'date' ? days(toDate(value)) : toNumber(kind === 'zipcode' ? zipcode : value));
    this.#addFault(name, origin, faults['invalid_number'] ?? faults['invalid_date'] ?? faults['invalid_zipcode']);
    const max = form === undefined ? domain.max : 'lw_year + 1';
    const isInDomain = `${origin} >= ${domain.min} AND ${origin} <= ${max}`;
    const short = form === 'year' ? 99 : 200;
    const isValid = form === undefined ? isInDomain : `${origin} >= 0 AND (${origin} <= ${short} OR ${isInDomain})`;
    const isWhole = domain.integer ? ` AND ${origin} = floor(${origin})` : '';
    const message = this.#message(
      faults['year'] ?? faults['out_of_range'] ?? faults['invalid_zipcode'],
      this.#written(name),
    );
    this.#faults.push(`CASE WHEN NOT (${isValid}${isWhole}) THEN ${message} END`);
    const century = `floor((lw_year + 1 - ${origin}) / 100.0) * 100`;
    const year = form === 'year' ? `${origin} + ${century}` : `lw_year - ${origin}`;
    if (form !== undefined) this.values.set(column, `CASE WHEN ${origin} <= ${short} THEN ${year} ELSE ${origin} END`);
    return true;
  }

  /** A distance has several names and units. A row gives one of them. Rounded to a tenth of a millimeter, as limits are. */
  #addDistance(column: string, names: NonNullable<ManifestInput['columns']>): boolean {
    const columns = names.filter(({ name }) => this.#given(name) !== undefined);
    const meters = columns.map(({ name, factor, min, max, faults }) => {
      const { invalid_number, out_of_range } = faults as Readonly<Record<string, string>>;
      const value = `lw_${name}_given`;
      this.read.set(value, this.#dialect.toNumber(this.#given(name)!));
      this.#addFault(name, value, invalid_number);
      const message = this.#message(out_of_range, this.#written(name));
      this.#faults.push(`CASE WHEN NOT (${value} >= ${min} AND ${value} <= ${max}) THEN ${message} END`);
      return `floor(${value} * ${factor} * 10000 + 0.5) / 10000`;
    });
    const twice = this.#source.manifest.faults['distance']?.['distance_given_twice'] ?? '';
    columns.forEach(({ name }, place) => {
      for (const { name: other } of columns.slice(0, place)) {
        const message = this.#dialect.text(twice.replace('{column}', name).replace('{other}', other));
        this.#faults.push(`CASE WHEN lw_${name}_given + lw_${other}_given IS NOT NULL THEN ${message} END`);
      }
    });
    if (meters.length > 0) this.values.set(column, meters.length === 1 ? meters[0]! : `coalesce(${meters.join(', ')})`);
    return meters.length > 0;
  }

  #addWord(
    column: string,
    { source, words = [] }: TableInput,
    { column: name, kind, set, word, faults = {} }: ManifestInput,
  ): boolean {
    const { fields } = this.#source.vocabulary;
    const field = fields[source.kind === 'field' ? source.field : -1]!;
    const own = kind === 'set_word' ? field.name : name;
    const value = this.#given(own);
    const origin = field.fallback ? `${column}_given` : column;
    if (value !== undefined) {
      const list = kind === 'word' ? this.spellings.words.get(field.name)! : flagSpellings;
      this.read.set(origin, this.#word(value, words, list, kind === 'word'));
      this.#addFault(
        own,
        origin,
        faults['unknown_value'] ?? faults['invalid_type'] ?? `${own} is {value}; give true or false.`,
      );
    } else if (kind === 'set_word' && this.#given(set!) !== undefined) {
      const list = this.#setColumn(set!);
      const contains = `${list} LIKE ${this.#dialect.text(`%,${foldKey(word!)},%`)}`;
      this.values.set(column, `CASE WHEN ${contains} THEN 'yes' WHEN ${list} IS NOT NULL THEN 'no' END`);
      return true;
    }
    const { fallback } = field;
    if (!fallback) return value !== undefined;
    const { text } = this.#dialect;
    const when = fallback.when && fields.find((each) => each.name === fallback.when!.field)!;
    const other =
      when &&
      (this.#given(when.requestName) === undefined ? 'NULL' : `lw_${when.name}${when.fallback ? '_given' : ''}`);
    const otherValue = when?.fallback ? `coalesce(${other}, ${text(when.fallback.value)})` : other;
    const otherwise = fallback.when
      ? `CASE WHEN ${otherValue} = ${text(fallback.when.value)} THEN ${text(fallback.value)} END`
      : text(fallback.value);
    this.values.set(column, value === undefined ? otherwise : `coalesce(${origin}, ${otherwise})`);
    return true;
  }

  /** A set is an array, or text with words between commas, semicolons or bars. The text of an array is read in the same way. */
  #setColumn(set: string): string {
    const column = `lw_set_${set}`;
    if (this.read.has(column)) return column;
    const { replaceAll, plain, toText, missingArray } = this.#dialect;
    const value = this.#given(set)!;
    const isGiven =
      this.#isGiven(value) + (missingArray === undefined ? '' : ` AND ${toText(value)} <> '${missingArray}'`);
    const separated = replaceAll(replaceAll(`lower(${plain(toText(value))})`, '[,;|]', ',,'), '[^a-z0-9,]', '');
    this.read.set(column, `CASE WHEN ${isGiven} THEN ',' || ${separated} || ',' END`);
    const { words, faults } = this.#source.manifest.sets[set]!;
    const others = replaceAll(replaceAll(column, `,(${words.map(foldKey).join('|')}),`, ''), ',', '');
    this.#faults.push(
      `CASE WHEN ${others} <> '' THEN ${this.#message(faults['unknown_value'], this.#written(set))} END`,
    );
    return column;
  }

  #addPairs(): void {
    for (const pair of this.#source.manifest.given_together) {
      for (const [present, absent] of [pair, [pair[1], pair[0]] as const]) {
        const message = this.#source.manifest.faults[absent]?.['required_with'];
        const [own, other] = [present, absent].map(
          (name) => this.#source.columns.has(name) && this.#isGiven(this.#written(name)),
        );
        if (!own || message === undefined) continue;
        const isAbsent = other ? ` AND coalesce(${other}, FALSE) = FALSE` : '';
        this.#faults.push(`CASE WHEN ${own}${isAbsent} THEN ${this.#dialect.text(message)} END`);
      }
    }
  }

  /** Bounds the numbers of relations as the engine does: an unknown number by the known one, and neither by a contradiction. */
  #addRanges(single: readonly (InputColumn | undefined)[]): readonly (InputColumn | undefined)[] {
    const { vocabulary, inputs } = this.#source;
    const numberOf = (name: string) => inputs.findIndex((input) => input.name === name);
    const relations = vocabulary.relations
      .map(({ lower, higher }) => ({ lower: numberOf(lower), higher: numberOf(higher) }))
      .filter(({ lower, higher }) => lower >= 0 && higher >= 0 && (single[lower] ?? single[higher]) !== undefined);
    const own = (number: number, end: 'min' | 'max'): string => {
      const { source } = inputs[number]!;
      const limit = this.#limitOf(source.kind === 'field' ? source.field : -1, end);
      return single[number] ? `coalesce(${single[number][end]}, ${limit})` : limit;
    };
    const maxOf = (number: number): string => {
      const higher = relations.filter(({ lower }) => lower === number).map((relation) => maxOf(relation.higher));
      const bounds = higher.map(
        (max) => `CASE WHEN ${own(number, 'min')} <= ${max} THEN ${max} ELSE ${own(number, 'max')} END`,
      );
      return bounds.length === 0 ? own(number, 'max') : `least(${[own(number, 'max'), ...bounds].join(', ')})`;
    };
    const minOf = (number: number): string => {
      const lower = relations.filter(({ higher }) => higher === number).map((relation) => minOf(relation.lower));
      const bounds = lower.map(
        (min) => `CASE WHEN ${min} <= ${own(number, 'max')} THEN ${min} ELSE ${own(number, 'min')} END`,
      );
      return bounds.length === 0 ? own(number, 'min') : `greatest(${[own(number, 'min'), ...bounds].join(', ')})`;
    };
    return single.map((column, number) => {
      if (!relations.some(({ lower, higher }) => lower === number || higher === number)) return column;
      this.ranges.set(`lw_${number}_low`, minOf(number));
      this.ranges.set(`lw_${number}_high`, maxOf(number));
      return { min: `lw_${number}_low`, max: `lw_${number}_high` };
    });
  }

  /** The columns of a fact that is computed from fields, or bounded by the number of items of a list; undefined for others. */
  #compute(number: number, columns: readonly (InputColumn | undefined)[]): InputColumn | undefined {
    const { program, test, by_count: byCount } = this.#source.manifest.inputs[number]!;
    const [min, max] = [`lw_${number}_from`, `lw_${number}_to`];
    if (program !== undefined) {
      const value = this.#valueOf(program, columns);
      this.computed.set(min, value.min);
      this.computed.set(max, value.max);
      return { min, max };
    }
    const count = byCount && columns[byCount.input];
    if (count) {
      [min, max].forEach((name, end) => {
        const cases = byCount.ranges.map((range, items) => `WHEN ${items} THEN ${range[end]}`);
        this.computed.set(name, `CASE ${count.min} ${cases.join(' ')} END`);
      });
      return { min, max };
    }
    if (test === undefined) return undefined;
    const sides = test.of.map((each) => this.#valueOf(each, columns)) as [ProgramValue, ProgramValue];
    const [left, right] = test.operator.startsWith('greater')
      ? sides
      : (sides.toReversed() as [ProgramValue, ProgramValue]);
    if (!/^(greater|less)Than(Inclusive)?$/.test(test.operator)) return undefined;
    // Ranges that touch decide a test only if one of them is a single number.
    const isPoint = `(${left.min} = ${left.max} OR ${right.min} = ${right.max})`;
    const isInclusive = test.operator.endsWith('Inclusive');
    const holds = `${left.min} > ${right.max}${isInclusive ? ` OR ${left.min} = ${right.max} AND ${isPoint}` : ''}`;
    const fails = `${left.max} < ${right.min}${isInclusive ? '' : ` OR ${left.max} = ${right.min} AND ${isPoint}`}`;
    const isOpen = sides.map((each) => each.isOpen).join(' OR ');
    this.computed.set(min, `CASE WHEN ${isOpen} THEN NULL WHEN ${holds} THEN 1 WHEN ${fails} THEN 0 END`);
    return { min, max: min };
  }

  /** The range of a program's value, by interval arithmetic. An unknown field has the range of its domain. */
  #valueOf(program: unknown, columns: readonly (InputColumn | undefined)[]): ProgramValue {
    if (typeof program === 'number') return { min: String(program), max: String(program), isOpen: 'FALSE' };
    if (typeof program === 'string') {
      const number = this.#source.inputs.findIndex(({ name }) => name === program);
      const place = this.#source.vocabulary.fields.findIndex(({ name }) => name === program);
      const [lowest, highest] = [this.#limitOf(place, 'min'), this.#limitOf(place, 'max')];
      const column = columns[number];
      if (!column) return { min: lowest, max: highest, isOpen: 'TRUE' };
      const { min, max } = column;
      if (min !== max) return { min, max, isOpen: `(${min} = ${lowest} AND ${max} = ${highest})` };
      return { min: `coalesce(${min}, ${lowest})`, max: `coalesce(${max}, ${highest})`, isOpen: `${min} IS NULL` };
    }
    const { age_of, apply, of = [] } = program as { age_of?: string; apply?: string; of?: readonly unknown[] };
    if (age_of !== undefined) {
      const { min, max, isOpen } = this.#valueOf(age_of, columns);
      return { min: `greatest(0, lw_year - ${max})`, max: `greatest(0, lw_year - ${min})`, isOpen };
    }
    return of
      .map((each) => this.#valueOf(each, columns))
      .reduce((a, b) => {
        const isOpen = `${a.isOpen} OR ${b.isOpen}`;
        if (apply === 'min' || apply === 'max') {
          const name = apply === 'min' ? 'least' : 'greatest';
          return { min: `${name}(${a.min}, ${b.min})`, max: `${name}(${a.max}, ${b.max})`, isOpen };
        }
        if (apply === 'add') return { min: `(${a.min} + ${b.min})`, max: `(${a.max} + ${b.max})`, isOpen };
        if (apply === 'subtract') return { min: `(${a.min} - ${b.max})`, max: `(${a.max} - ${b.min})`, isOpen };
        const percent = apply === 'percent_of' ? ' / 100.0' : '';
        const corners = [a.min, a.max].flatMap((x) => [b.min, b.max].map((y) => `${x} * ${y}${percent}`)).join(', ');
        return { min: `least(${corners})`, max: `greatest(${corners})`, isOpen };
      });
  }

  #limitOf(place: number, end: 'min' | 'max'): string {
    const isYear = this.#source.vocabulary.fields[place]!.unit === 'year';
    return end === 'max' && isYear ? '(lw_year + 1)' : String(this.#domainOf(place)![end]);
  }

  #domainOf(place: number) {
    const domain = this.#source.vocabulary.fields[place]!.domain({
      effectiveYear: Number(this.#source.manifest.to.slice(0, 4)),
    });
    return domain.kind === 'numbers' ? domain : undefined;
  }

  /** The caller's column for a field, in the first subquery. */
  #given(name: string): string | undefined {
    const column = this.#source.columns.get(name);
    return column === undefined ? undefined : `b.${this.#dialect.identifier(column)}`;
  }

  /** The caller's column for a field, in later subqueries. */
  #written(name: string): string {
    return this.#dialect.callerColumn(this.#source.columns.get(name)!);
  }

  #isGiven(value: string): string {
    return `trim(${this.#dialect.toText(value)}) <> ''`;
  }

  #fold(x: string): string {
    const { plain, replaceAll } = this.#dialect;
    return replaceAll(`replace(lower(${plain(x)}), '&', 'and')`, '[^a-z0-9]', '');
  }

  /** The usual spelling needs no folding, which costs more than the rest. */
  #word(value: string, words: readonly string[], spellings: readonly Spelling[], isFolded = true): string {
    const { text, toText, isIn } = this.#dialect;
    const written = toText(value);
    const byWord = Map.groupBy(spellings, ({ code }) => code);
    const cases = Array.from(byWord, ([code, keys]) =>
      keys.map(({ key }) => `WHEN ${text(key)} THEN ${text(words[code - 1]!)}`),
    );
    const folded = isFolded ? this.#fold(written) : `lower(trim(${written}))`;
    return `CASE WHEN ${isIn(written, words.map(text))} THEN ${written} ELSE CASE ${folded} ${cases.flat().join(' ')} END END`;
  }

  /** A column that could not be read is a fault if the caller gave a value. */
  #addFault(name: string, column: string, message: string | undefined, missing?: string): void {
    const value = this.#written(name);
    // Exports of data frames have NaN for nothing.
    const isGiven = `lower(trim(${this.#dialect.toText(value)})) NOT IN ('', 'nan')`;
    const otherwise = missing === undefined ? '' : ` ELSE ${this.#dialect.text(missing)}`;
    this.#faults.push(
      `CASE WHEN ${column} IS NULL THEN CASE WHEN ${isGiven} THEN ${this.#message(message, value)}${otherwise} END END`,
    );
  }

  /** A message with the value of the row. */
  #message(template: string | undefined, value: string): string {
    const { text, toText } = this.#dialect;
    const [before, after] = (template ?? '{value} is not valid.').replace(/\{hint\}/, '').split('{value}') as [
      string,
      string?,
    ];
    const [start, end] = (after ?? '').split('{next_year}') as [string, string?];
    const parts = [text(before), ...(after === undefined ? [] : [`substr(${toText(value)}, 1, 60)`, text(start)])];
    return [...parts, ...(end === undefined ? [] : [toText('(lw_year + 1)'), text(end)])].join(' || ');
  }
}

const COUNTY =
  'CASE WHEN p.lw_county_name IS NOT NULL THEN CASE WHEN p.lw_county_state <> p.lw_state THEN -1 ELSE coalesce(nullif(c.fips, 0), -1) END END';

/** The range of a program. It is open if a field is unknown and nothing bounds it. */
interface ProgramValue extends InputColumn {
  readonly isOpen: string;
}

/** The only computed fact that is always known. */
function isDaysUntil({ source }: TableInput): boolean {
  return source.kind === 'computed' && source.computed.kind === 'moment';
}
