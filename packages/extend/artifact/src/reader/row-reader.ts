import { matchCounty, placeKey, states } from '@leeward/places/counties';
import { checkDate, dateInZone, fold, isGiven } from '@leeward/terms';
import type { CoastKernel, PointColumns } from '../coast/create-coast-kernel.ts';
import type { Manifest, ManifestInput } from '../format/manifest.ts';
import type { Kernel, KernelBatch, KernelColumn } from '../kernel/create-kernel.ts';
import type { NamedColumns } from './artifact-columns.ts';
import {
  type CellFault,
  type CellMessages,
  type CellValue,
  cached,
  cellFault,
  dayOf,
  digitsPattern,
  hintOf,
  readDate,
  readInstantText,
  readNumber,
  readWord,
  readZipcode,
  textFault,
} from './cell-reader.ts';
import { computeInputs } from './computed-inputs.ts';
import { type ImageInput, imageInputs } from './image-inputs.ts';
import { measureInputs } from './measured-inputs.ts';

/** A fault of a row, as over HTTP. The row has no status. */
export interface RowFault extends CellFault {
  /** From 0. */
  readonly row: number;
  /** Name of the request field. */
  readonly column: string;
}

/** Ends of the range of an input in each row; NaN if it is unknown. Without `upper`, the numbers are exact. */
export interface InputRange {
  readonly lower: Float64Array;
  readonly upper?: Float64Array | undefined;
}

/** Values that all rows of a call share. */
export interface RowOptions {
  /** Epoch milliseconds of rows without `as_of`. */
  readonly asOfMs: number;
  /** Effective date of all rows. @default the row's, else the date of `as_of` in the state of the home */
  readonly effectiveDate?: string | undefined;
  /** By name of the input. */
  readonly ranges: Readonly<Record<string, InputRange>>;
}

/** Some rows, ready for the kernel. */
export interface RowBatch extends KernelBatch {
  readonly faults: readonly RowFault[];
  /** By row, 1 if it has a fault. */
  readonly invalid: Uint8Array;
}

const SKIP = 255;
const NO_INTERVAL = 65_535;
const NOT_IN_STATE = -1;
const STATES = 0;
const POLICY_TYPES = 1;
const MAX_STATE_LETTERS = 100;
const MAX_COUNTY_LETTERS = 200;
const MAX_DATE_LETTERS = 40;
const [NO, YES] = [1, 2];
/** Numbers that requests accept for a year before its meaning is known. */
const MAX_YEAR_NUMBER = 9999;
const AREAS = ['radius_meters', 'footprint'];
const MAX_DEGREES = { lat: 90, lng: 180 } as const;
const MAX_CACHED_DATES = 1 << 16;

type Fail = (row: number, column: string, fault: CellFault) => void;

/** Rows that are read together. */
interface Rows {
  readonly columns: NamedColumns;
  readonly from: number;
  readonly count: number;
  readonly intervals: Uint16Array;
  readonly fail: Fail;
}

/** Reads rows of columns with the leniency, and the faults, of HTTP requests. */
export class RowReader {
  readonly #manifest: Manifest;
  readonly #kernel: Kernel;
  readonly #coast: (() => CoastKernel) | undefined;
  readonly #inputs: readonly ImageInput[];
  readonly #cells: readonly ((value: unknown) => CellValue)[];
  readonly #state: (value: unknown) => CellValue;
  readonly #policyType: (value: unknown) => CellValue;
  readonly #setWords: ReadonlyMap<string, (word: unknown) => CellValue>;
  readonly #counties = states.map((_, state) => cached((value) => this.#county(state, value)));
  readonly #hasDays: boolean;
  readonly #dates = new Map<string, string>();
  readonly #intervalOfDate = new Map<string, number>();

  /** @param coast opens the coast kernel when a row has a point */
  constructor(manifest: Manifest, kernel: Kernel, image: Uint8Array, coast: (() => CoastKernel) | undefined) {
    this.#coast = coast;
    this.#manifest = manifest;
    this.#kernel = kernel;
    this.#hasDays = manifest.inputs.some(({ moment }) => moment !== undefined);
    this.#inputs = imageInputs(image);
    this.#cells = manifest.inputs.map((input, number) => cached(this.#cellReader(input, this.#inputs[number]!)));
    this.#state = cached((value) => this.#readState(value));
    const types = {
      words: manifest.policy_types,
      spellings: manifest.policy_type_spellings,
      find: (text: string) => kernel.find(POLICY_TYPES, text),
    };
    const messages = this.#messagesOf('policy_type');
    this.#policyType = cached((value) => readWord(value, types, messages, 'unknown_policy_type'));
    this.#setWords = new Map(
      Object.entries(manifest.sets).map(([set, { words, faults }]) => {
        const byKey = new Map(words.map((word, index) => [fold(word), index + 1]));
        const column = { words, spellings: {}, find: (text: string) => byKey.get(fold(text)) };
        return [
          set,
          cached((word) =>
            typeof word === 'string'
              ? readWord(word, column, faults, 'unknown_value')
              : cellFault(faults, 'invalid_type', word, { key: 'invalid_item' }),
          ),
        ];
      }),
    );
  }

  /** Reads the rows from `from` to before `to`. */
  read(columns: NamedColumns, from: number, to: number, options: RowOptions): RowBatch {
    const count = to - from;
    const faults: RowFault[] = [];
    const invalid = new Uint8Array(count);
    const intervals = new Uint16Array(count);
    const rows: Rows = {
      columns,
      from,
      count,
      intervals,
      fail(row, column, fault) {
        faults.push({ row: from + row, column, ...fault });
        invalid[row] = 1;
      },
    };
    const homeStates = new Uint8Array(count).fill(SKIP);
    this.#eachCell(rows, 'state', this.#state, (row, state) => {
      homeStates[row] = state - 1;
    });
    const policyTypes = new Uint8Array(count).fill(SKIP);
    this.#eachCell(rows, 'policy_type', this.#policyType, (row, type) => {
      policyTypes[row] = type - 1;
    });
    for (const field of ['state', 'policy_type']) this.#require(rows, field);
    const asOf = this.#readInstants(rows, options);
    const days = new Float64Array(count);
    const years = this.#readDates(rows, options, homeStates, asOf, days);
    const inputs = this.#readInputs(rows, options, asOf, days, years);
    this.#checkPairs(rows);
    const counties = this.#readCounties(rows, homeStates);
    for (let row = 0; row < count; row++) if (invalid[row]) policyTypes[row] = SKIP;
    return { rows: count, policyTypes, states: homeStates, counties, intervals, inputs, faults, invalid };
  }

  /** Calls `use` for each value of a column that can be read. */
  #eachCell(
    { columns, from, count, fail }: Rows,
    field: string,
    read: (value: unknown) => CellValue,
    use: (row: number, value: number) => void,
  ): void {
    const column = columns.find(field);
    if (!column) return;
    for (let row = 0; row < count; row++) {
      const cell = column[from + row];
      if (!hasValue(cell)) continue;
      const value = read(cell);
      if (typeof value === 'object') fail(row, field, value);
      else use(row, value);
    }
  }

  #require({ columns, from, count, fail }: Rows, field: string): void {
    const column = columns.find(field)!;
    const messages = this.#messagesOf(field);
    for (let row = 0; row < count; row++)
      if (!hasValue(column[from + row])) fail(row, field, cellFault(messages, 'required', undefined));
  }

  #readState(value: unknown): CellValue {
    const messages = this.#messagesOf('state');
    const fault = textFault(value, messages, MAX_STATE_LETTERS);
    if (fault) return fault;
    const text = value as string;
    const key = placeKey(text);
    const code = key === '' ? undefined : this.#kernel.find(STATES, key);
    if (code !== undefined) return code;
    const { states: all } = this.#manifest;
    const isCode = text.trim().length <= 2;
    const hint = hintOf(
      text,
      all.map((state) => (isCode ? state.code : state.name)),
    );
    return cellFault(messages, 'unknown_state', value, { hint });
  }

  #readInstants(rows: Rows, { asOfMs }: RowOptions): Float64Array {
    const asOf = new Float64Array(rows.count).fill(asOfMs);
    const messages = this.#messagesOf('as_of');
    const read = (value: unknown) => readInstantText(value, messages, MAX_DATE_LETTERS);
    this.#eachCell(rows, 'as_of', read, (row, ms) => {
      asOf[row] = ms;
    });
    return asOf;
  }

  /**
   * Fills the intervals, and the days from the day of the request to the effective date. Returns the effective year of each row; NaN if
   * the artifact does not have its date.
   */
  #readDates(
    rows: Rows,
    options: RowOptions,
    homeStates: Uint8Array,
    asOf: Float64Array,
    days: Float64Array,
  ): Float64Array {
    const { columns, from, count, intervals, fail } = rows;
    const messages = this.#messagesOf('effective_date');
    const years = new Float64Array(count);
    const column = options.effectiveDate === undefined ? columns.find('effective_date') : undefined;
    for (let row = 0; row < count; row++) {
      const cell = column?.[from + row];
      let date = options.effectiveDate;
      if (hasValue(cell)) {
        const fault = textFault(cell, messages, MAX_DATE_LETTERS);
        const checked = fault ? undefined : checkDate('effective_date', cell);
        if (checked && 'value' in checked) date = checked.value;
        else fail(row, 'effective_date', fault ?? (checked as CellFault));
      }
      if (this.#hasDays || date === undefined) {
        const today = this.#dateOf(homeStates[row]!, asOf[row]!);
        date ??= today;
        days[row] = dayOf(date) - dayOf(today);
      }
      const interval = this.intervalOf(date);
      intervals[row] = interval < 0 ? NO_INTERVAL : interval;
      years[row] = interval < 0 ? Number.NaN : Number(date.slice(0, 4));
      if (interval < 0) fail(row, 'effective_date', cellFault(messages, 'dates_not_covered', date));
    }
    return years;
  }

  /** The date of an instant in a state. */
  #dateOf(state: number, ms: number): string {
    const zone = this.#manifest.states[state]?.zone ?? 'UTC';
    const key = `${state} ${ms}`;
    let date = this.#dates.get(key);
    if (date === undefined) {
      date = dateInZone(ms, zone);
      if (this.#dates.size >= MAX_CACHED_DATES) this.#dates.clear();
      this.#dates.set(key, date);
    }
    return date;
  }

  /** Index of the interval of an effective date; −1 if the artifact does not have it. */
  intervalOf(date: string): number {
    let interval = this.#intervalOfDate.get(date);
    if (interval === undefined) {
      interval = this.#manifest.intervals.findIndex(({ from, until }) => from <= date && date < until);
      if (this.#intervalOfDate.size >= MAX_CACHED_DATES) this.#intervalOfDate.clear();
      this.#intervalOfDate.set(date, interval);
    }
    return interval;
  }

  #readCounties(rows: Rows, homeStates: Uint8Array): Int32Array {
    const counties = new Int32Array(rows.count);
    const messages = this.#messagesOf('county');
    const { columns, from, count, fail } = rows;
    const column = columns.find('county');
    for (let row = 0; column && row < count; row++) {
      const cell = column[from + row];
      if (!hasValue(cell)) continue;
      const fault = textFault(cell, messages, MAX_COUNTY_LETTERS);
      if (fault) fail(row, 'county', fault);
      else counties[row] = this.#counties[homeStates[row]!]?.(cell) ?? 0;
    }
    return counties;
  }

  #county(state: number, value: unknown): number {
    const find = (key: string) => {
      const code = this.#kernel.findCounty(state, key);
      return code === NOT_IN_STATE ? undefined : code;
    };
    return matchCounty(states[state]!, value as string, find) ?? NOT_IN_STATE;
  }

  #readInputs(
    rows: Rows,
    options: RowOptions,
    asOf: Float64Array,
    days: Float64Array,
    years: Float64Array,
  ): readonly (KernelColumn | undefined)[] {
    const sets = new Map<string, readonly (ReadonlySet<number> | undefined)[]>();
    const columns = this.#manifest.inputs.map((input, number): KernelColumn | undefined => {
      const range = Object.hasOwn(options.ranges, input.name) ? options.ranges[input.name] : undefined;
      if (range) return rangeColumn(range, rows);
      switch (input.kind) {
        case 'as_of':
          return { values: asOf };
        case 'computed':
          return input.moment && { values: days };
        case 'host':
          return undefined;
        case 'set_word': {
          const set = input.set!;
          if (!sets.has(set)) sets.set(set, this.#readSet(rows, set));
          const word = this.#manifest.sets[set]!.words.indexOf(input.word!) + 1;
          return { values: Uint16Array.from(sets.get(set)!, (words) => (!words ? 0 : words.has(word) ? YES : NO)) };
        }
        case 'word':
        case 'flag': {
          if (!rows.columns.find(input.column)) return undefined;
          const values = new Uint16Array(rows.count);
          this.#eachCell(rows, input.column, this.#cells[number]!, (row, code) => {
            values[row] = code;
          });
          return { values };
        }
        default:
          return input.columns ? this.#readDistances(rows, input) : this.#readNumbers(rows, input, number, years);
      }
    });
    const points = this.#coast && this.#readPoints(rows);
    const measured = points ? measureInputs(this.#manifest, this.#coast!(), points, columns) : columns;
    return computeInputs(this.#manifest, this.#inputs, measured, years);
  }

  /** Undefined without columns of both coordinates. A row without a point has NaN, as has an area: its range would be too narrow. */
  #readPoints(rows: Rows): PointColumns | undefined {
    if (!rows.columns.find('lat') || !rows.columns.find('lng')) return undefined;
    const pattern = digitsPattern(false, true);
    const [latitudes, longitudes] = (['lat', 'lng'] as const).map((name) => {
      const messages = this.#messagesOf(name);
      const degrees = new Float64Array(rows.count).fill(Number.NaN);
      const read = (cell: unknown) => {
        const value = readNumber(cell, messages, pattern);
        if (typeof value !== 'number' || Math.abs(value) <= MAX_DEGREES[name]) return value;
        return cellFault(messages, 'out_of_range', cell, Math.abs(value) <= MAX_DEGREES.lng ? { key: 'swapped' } : {});
      };
      this.#eachCell(rows, name, read, (row, value) => {
        degrees[row] = value;
      });
      return degrees;
    });
    for (const area of AREAS) {
      const column = rows.columns.find(area);
      for (let row = 0; column && row < rows.count; row++)
        if (hasValue(column[rows.from + row])) latitudes![row] = Number.NaN;
    }
    return { latitudes: latitudes!, longitudes: longitudes! };
  }

  #readNumbers(rows: Rows, input: ManifestInput, number: number, years: Float64Array): KernelColumn | undefined {
    const { column: field, faults: messages = {}, form } = input;
    const column = rows.columns.find(field);
    if (!column) return undefined;
    const values = new Float64Array(rows.count).fill(Number.NaN);
    this.#eachCell(rows, field, this.#cells[number]!, (row, value) => {
      values[row] = value;
    });
    const normalized = this.#kernel.normalize(number, { values, intervals: rows.intervals });
    for (let row = 0; row < rows.count; row++) {
      const fault = normalized.faults[row]!;
      if (fault === 0 || (form !== undefined && Number.isNaN(years[row]))) continue;
      const value = values[row]!;
      const isFraction = fault === 1 || (fault === 3 && this.#inputs[number]!.integer);
      const code = isFraction ? 'not_an_integer' : 'out_of_range';
      const isYear = !isFraction && form !== undefined && value >= 0 && value <= MAX_YEAR_NUMBER;
      const words = isYear ? { key: 'year', next_year: String(years[row]! + 1) } : {};
      // The message of a year quotes the number; others quote the cell.
      rows.fail(row, field, cellFault(messages, code, isYear ? value : column[rows.from + row], words));
    }
    return { values: normalized.values.slice() };
  }

  /** Reads the columns of a distance: one for each unit and name. A row may use one of them. */
  #readDistances(rows: Rows, { columns = [] }: ManifestInput): KernelColumn | undefined {
    const present = columns.filter(({ name }) => rows.columns.find(name));
    if (present.length === 0) return undefined;
    const values = new Float64Array(rows.count).fill(Number.NaN);
    const givenAs = new Array<string | undefined>(rows.count).fill(undefined);
    const messages = this.#messagesOf('distance');
    const pattern = digitsPattern(false, false);
    for (const { name, factor, min, max, faults } of present) {
      const column = rows.columns.find(name)!;
      for (let row = 0; row < rows.count; row++) {
        const cell = column[rows.from + row];
        if (!hasValue(cell)) continue;
        const other = givenAs[row];
        if (other === undefined) givenAs[row] = name;
        else rows.fail(row, name, cellFault(messages, 'distance_given_twice', cell, { column: name, other }));
        const value = readNumber(cell, faults, pattern);
        if (typeof value === 'object') rows.fail(row, name, value);
        else if (value >= min && value <= max) values[row] = Math.round(value * factor * 1e4) / 1e4;
        else rows.fail(row, name, cellFault(faults, 'out_of_range', cell));
      }
    }
    return { values };
  }

  /** The numbers of the words in each row; undefined if the set is missing. */
  #readSet({ columns, from, count, fail }: Rows, set: string): readonly (ReadonlySet<number> | undefined)[] {
    const column = columns.find(set);
    const { words, faults } = this.#manifest.sets[set]!;
    const read = this.#setWords.get(set)!;
    return Array.from({ length: count }, (_, row) => {
      const cell = column?.[from + row];
      if (!hasValue(cell)) return undefined;
      if (!Array.isArray(cell)) fail(row, set, cellFault(faults, 'invalid_type', cell));
      else if (cell.length > 10 * words.length) {
        fail(row, set, cellFault(faults, 'too_long', cell, { length: String(cell.length) }));
      } else {
        const numbers = new Set<number>();
        for (const each of cell as readonly unknown[]) {
          const number = read(each);
          if (typeof number === 'object') fail(row, set, number);
          else numbers.add(number);
        }
        return numbers;
      }
      return undefined;
    });
  }

  #checkPairs({ columns, from, count, fail }: Rows): void {
    for (const pair of this.#manifest.given_together) {
      const [a, b] = pair.map((field) => columns.find(field));
      for (let row = 0; row < count; row++) {
        const [hasA, hasB] = [hasValue(a?.[from + row]), hasValue(b?.[from + row])];
        if (hasA === hasB) continue;
        const absent = hasA ? pair[1] : pair[0];
        fail(row, absent, cellFault(this.#messagesOf(absent), 'required_with', undefined));
      }
    }
  }

  #cellReader(input: ManifestInput, { list, integer, min }: ImageInput): (value: unknown) => CellValue {
    const { kind, faults: messages = {}, words = [], spellings = {} } = input;
    switch (kind) {
      case 'word': {
        const column = { words, spellings, find: (text: string) => this.#kernel.find(list, text) };
        return (value) => readWord(value, column, messages, 'unknown_value');
      }
      case 'flag':
        return (value) =>
          typeof value === 'boolean' ? (value ? YES : NO) : cellFault(messages, 'invalid_type', value);
      case 'date':
        return (value) => readDate(value, messages);
      case 'zipcode':
        return (value) => readZipcode(value, messages);
      default: {
        const pattern = digitsPattern(integer, min < 0);
        return (value) => readNumber(value, messages, pattern);
      }
    }
  }

  #messagesOf(column: string): CellMessages {
    return this.#manifest.faults[column] ?? {};
  }
}

function hasValue(cell: unknown): boolean {
  return typeof cell === 'number' ? !Number.isNaN(cell) : isGiven(cell);
}

function rangeColumn({ lower, upper }: InputRange, { from, count }: Rows): KernelColumn {
  return { values: lower.subarray(from, from + count), upper: upper?.subarray(from, from + count) };
}
