import { type Property, parseRequest, type Vocabulary } from '@leeward/engine';
import { type Computed, typicalValue } from '@leeward/engine/compiled';
import type { TableInput } from '../tables/table-inputs.ts';

/** A home of the vectors: numbers and codes by input, as tables have them. An absent input is unknown. */
export interface VectorHome {
  readonly policyType: string;
  readonly state: string;
  /** As the user writes it. */
  readonly county: string | undefined;
  readonly values: ReadonlyMap<number, number>;
  /** `YYYY-MM-DD`. @default left to the reader */
  readonly effectiveDate: string | undefined;
  readonly asOfMs: number;
  /** Cells that replace those of `values`: other spellings, and faults. @default none */
  readonly cells?: Readonly<Record<string, unknown>>;
}

/** A row of the vectors: cells by request field, and the property or the faults that the engine reads from them. */
export interface VectorRow {
  readonly cells: Readonly<Record<string, unknown>>;
  readonly property: Property | undefined;
  readonly faults: readonly { readonly path: string; readonly code: string }[];
}

const MS_A_DAY = 86_400_000;
const DAYS_A_YEAR = 365.2425;
const MAX_AGE = 200;
/** Any year: the typical value of a field is within all domains. */
const FIRST_YEAR = 2000;

/** Writes homes as a user would, and reads them with the engine. */
export class VectorWriter {
  readonly #vocabulary: Vocabulary;
  readonly #inputs: readonly TableInput[];

  constructor(vocabulary: Vocabulary, inputs: readonly TableInput[]) {
    this.#vocabulary = vocabulary;
    this.#inputs = inputs;
  }

  /** The values of an ordinary home. */
  typicalValues(effectiveYear: number): ReadonlyMap<number, number> {
    const values = new Map<number, number>();
    for (const [number, { source, words }] of this.#inputs.entries()) {
      if (source.kind === 'computed' && source.computed.kind === 'aggregate') values.set(number, 0);
      if (source.kind !== 'field' || source.certainty !== undefined) continue;
      const value = typicalValue(this.#vocabulary, this.#vocabulary.fields[source.field]!.name, effectiveYear);
      values.set(number, typeof value === 'string' ? words!.indexOf(value) + 1 : value);
    }
    return values;
  }

  /** The lowest and the highest number of the cells between two bounds that a request can give; undefined for none. */
  endsOf(input: number, low: number, below: number, effectiveYear: number): readonly [number, number] | undefined {
    const { source } = this.#inputs[input]!;
    if (source.kind === 'as_of') return fit(low, below, 1, [Date.UTC(2000, 0), Date.UTC(2100, 0)]);
    if (source.kind === 'computed') return endsOfComputed(source.computed, low, below);
    if (source.kind !== 'field' || source.certainty !== undefined) return undefined;
    const field = this.#vocabulary.fields[source.field]!;
    const domain = field.domain({ effectiveYear });
    if (domain.kind !== 'numbers') return undefined;
    // Distances are rounded to a tenth of a millimeter.
    const step = domain.integer ? 1 : field.givenAs === undefined ? 0 : 1e-4;
    return fit(low, below, step, [domain.min, domain.max]);
  }

  /** True if the value of an input can be chosen; others follow from fields. */
  isFree(input: number): boolean {
    const { source } = this.#inputs[input]!;
    if (source.kind === 'computed') {
      const { computed } = source;
      return computed.kind === 'aggregate' || (computed.kind === 'evidence' && computed.of === 'evidence_age_years');
    }
    return source.kind === 'as_of' || (source.kind === 'field' && source.certainty === undefined);
  }

  write(home: VectorHome): VectorRow {
    const { policyType, state, county, asOfMs } = home;
    const cells: Record<string, unknown> = { state, policy_type: policyType };
    if (county !== undefined) cells['county'] = county;
    if (home.effectiveDate !== undefined) cells['effective_date'] = home.effectiveDate;
    cells['as_of'] = new Date(asOfMs).toISOString();
    const effectiveYear = Number((home.effectiveDate ?? (cells['as_of'] as string)).slice(0, 4));
    const aggregates = new Map<string, number>();
    const evidence: Record<string, { asOf?: string; source?: string }> = {};
    for (const [number, value] of home.values) {
      const { source, name } = this.#inputs[number]!;
      if (source.kind === 'field') this.#writeField(number, value, effectiveYear, cells);
      if (source.kind !== 'computed') continue;
      if (source.computed.kind === 'aggregate') aggregates.set(name, value);
      if (source.computed.kind === 'evidence' && source.computed.of === 'evidence_age_years') {
        const day =
          Date.parse(`${home.effectiveDate ?? cells['as_of']}`.slice(0, 10)) / MS_A_DAY -
          Math.ceil(value * DAYS_A_YEAR + 1);
        evidence[source.computed.subject] = { asOf: new Date(day * MS_A_DAY).toISOString().slice(0, 10) };
      }
    }
    this.#completePairs(cells);
    for (const [name, cell] of Object.entries(home.cells ?? {})) {
      if (cell === undefined) delete cells[name];
      else cells[name] = cell;
    }
    const parsed = parseRequest(cells, { now: new Date(asOfMs), vocabulary: this.#vocabulary });
    if (!parsed.ok) return { cells, property: undefined, faults: parsed.faults };
    const { property } = parsed.request;
    return {
      cells,
      property: {
        ...property,
        ...(aggregates.size > 0 ? { aggregates } : {}),
        ...(Object.keys(evidence).length > 0 ? { evidence } : {}),
      },
      faults: [],
    };
  }

  #writeField(number: number, value: number, effectiveYear: number, cells: Record<string, unknown>): void {
    const { source, words } = this.#inputs[number]!;
    if (source.kind !== 'field') return;
    const field = this.#vocabulary.fields[source.field]!;
    const { form, member, requestName, givenAs } = field;
    if (givenAs !== undefined) cells[field.name] = value;
    else if (!field.schema) return;
    else if (member) {
      cells[member.set] ??= [];
      const list = cells[member.set] as string[];
      if (words![value - 1] === 'yes') list.push(member.word);
    } else if (form) cells[requestName] = form.write(words ? words[value - 1]! : value);
    else if (words) cells[requestName] = words[value - 1];
    else {
      const age = effectiveYear - value;
      const isAge = this.#vocabulary.derivedFacts.some(
        (fact) => fact.name === requestName && fact.field === field.name,
      );
      cells[requestName] = isAge && age >= 0 && age <= MAX_AGE ? age : value;
    }
  }

  /** Requests have both fields of a pair, or neither. */
  #completePairs(cells: Record<string, unknown>): void {
    for (const pair of this.#vocabulary.givenTogether) {
      for (const [a, b] of [pair, [pair[1], pair[0]] as const]) {
        if (cells[a] === undefined || cells[b] !== undefined) continue;
        const field = this.#vocabulary.fields.find(({ requestName }) => requestName === b)!;
        cells[b] = typicalValue(this.#vocabulary, field.name, FIRST_YEAR);
      }
    }
  }
}

/** The ends of the multiples of a step from `low` to before `below`; any numbers without a step. */
function fit(low: number, below: number, step: number, [min, max]: readonly [number, number]) {
  const scale = step === 0 ? 1 : Math.round(1 / step);
  const first = Math.max(min, step === 0 ? low : Math.ceil(low * scale) / scale);
  const before = step === 0 ? previous(below) : (Math.ceil(below * scale) - 1) / scale;
  const last = Math.min(max, before);
  return first <= last ? ([first, last] as const) : undefined;
}

/** A number before a bound that a decimal of six digits can write. */
function previous(bound: number): number {
  if (!Number.isFinite(bound)) return bound;
  const near = Number((bound - Math.max(1e-6, Math.abs(bound) * 1e-9)).toPrecision(15));
  return near < bound ? near : bound - 1;
}

function endsOfComputed(computed: Computed, low: number, below: number): readonly [number, number] | undefined {
  if (computed.kind === 'evidence') return fit(low, below, 1, [0, 50]);
  return computed.kind === 'aggregate' ? fit(low, below, 1, [0, computed.apply === 'count' ? 99 : 1e6]) : undefined;
}
