import type { Catalog } from '@leeward/engine';
import { NOT_JUDGED } from '@leeward/engine/compiled';
import type { BuiltTables } from '../tables/built-tables.ts';
import { computedRange } from './input-values.ts';
import { type VectorHome, type VectorRow, VectorWriter } from './vector-homes.ts';

/** Status of a carrier that needs facts of the host, which tables leave open. */
const NEEDS_INFORMATION = 3;

/** Homes with the answers of the engine, in the form of the section `leeward.vectors`. */
export interface WrittenVectors {
  readonly columns: Readonly<Record<string, readonly unknown[]>>;
  readonly statuses: Readonly<Record<string, string>>;
  readonly reasons: readonly ReasonRun[];
  readonly errors: readonly { readonly row: number; readonly column: string; readonly code: string }[];
  readonly ranges: Readonly<Record<string, readonly [(number | null)[], (number | null)[]]>>;
}

/** Equal reasons of a carrier in consecutive rows. */
interface ReasonRun {
  readonly row: number;
  readonly rows: number;
  readonly carrier: string;
  /** Sorted. */
  readonly codes: readonly string[];
}

/** Collects homes with the answers of the engine. */
export class VectorList {
  readonly #catalog: Catalog;
  readonly #tables: BuiltTables;
  readonly #rows: VectorRow[] = [];
  readonly #statuses: string[][];
  readonly #reasons: ReasonRun[] = [];
  /** By carrier, the place of its last run. */
  readonly #runs = new Map<string, number>();
  readonly writer: VectorWriter;

  constructor(catalog: Catalog, tables: BuiltTables) {
    this.#catalog = catalog;
    this.#tables = tables;
    this.#statuses = catalog.carriers.map(() => []);
    this.writer = new VectorWriter(tables.vocabulary, tables.inputs);
  }

  /** @param reasons indexes of the carriers whose reasons are compared */
  add(home: VectorHome, reasons: Iterable<number> = []): void {
    const row = this.#withDateFault(this.writer.write(home));
    const { property } = row;
    const number = this.#rows.push(row) - 1;
    const codes = property && this.#catalog.statusCodes(property);
    for (const [carrier, letters] of this.#statuses.entries()) {
      const code = codes?.[carrier];
      letters.push(code === undefined ? 'x' : String(code === NOT_JUDGED ? NEEDS_INFORMATION : code));
    }
    // Rules that decide only together, because the county is unknown, are a longer list in tables.
    const carriers = property?.counties?.length === 1 ? [...reasons] : [];
    if (carriers.length === 0) return;
    const { verdicts } = this.#catalog.decideSync(property!);
    for (const carrier of carriers) {
      const { key } = this.#catalog.carriers[carrier]!;
      const verdict = verdicts.find(({ carrierKey }) => carrierKey === key);
      if (verdict?.status !== 'ineligible' && verdict?.status !== 'referral') continue;
      this.#addReasons(number, key, verdict.reasons.map(({ code }) => code).sort());
    }
  }

  #addReasons(row: number, carrier: string, codes: readonly string[]): void {
    const place = this.#runs.get(carrier);
    const last = place === undefined ? undefined : this.#reasons[place]!;
    if (last && last.row + last.rows === row && last.codes.join(' ') === codes.join(' ')) {
      this.#reasons[place!] = { ...last, rows: last.rows + 1 };
      return;
    }
    this.#runs.set(carrier, this.#reasons.push({ row, rows: 1, carrier, codes }) - 1);
  }

  /** Tables have fewer dates than the engine. */
  #withDateFault(row: VectorRow): VectorRow {
    const date = row.property?.effectiveDate;
    if (date === undefined || this.#tables.intervals.some(({ from, until }) => from <= date && date < until))
      return row;
    return { ...row, property: undefined, faults: [{ path: '/effective_date', code: 'dates_not_covered' }] };
  }

  get length(): number {
    return this.#rows.length;
  }

  finish(): WrittenVectors {
    const rows = this.#rows;
    const names = [...new Set(rows.flatMap(({ cells }) => Object.keys(cells)))];
    const carriers = this.#catalog.carriers.map(
      ({ key }, carrier) => [key, this.#statuses[carrier]!.join('')] as const,
    );
    return {
      columns: Object.fromEntries(names.map((name) => [name, rows.map(({ cells }) => cells[name] ?? null)])),
      statuses: Object.fromEntries(carriers),
      reasons: this.#reasons,
      errors: rows.flatMap(({ faults }, row) =>
        faults.map(({ path, code }) => ({ row, column: path.split('/')[1] ?? '', code })),
      ),
      ranges: Object.fromEntries(this.#tables.inputs.flatMap((input) => this.#rangeOf(input) ?? [])),
    };
  }

  #rangeOf(input: BuiltTables['inputs'][number]): [string, [(number | null)[], (number | null)[]]][] | undefined {
    if (input.source.kind === 'host' || input.source.kind === 'as_of') return undefined;
    const ranges = this.#rows.map(({ property }) => property && computedRange(input, property, property.policyType!));
    if (!ranges.some(Boolean)) return undefined;
    return [[input.name, [ranges.map((range) => range?.[0] ?? null), ranges.map((range) => range?.[1] ?? null)]]];
  }
}
