import type { Property, Vocabulary } from '@leeward/engine';
import { evidenceSubjects, readEvidence } from '@leeward/engine/compiled';
import { isGiven } from '@leeward/terms';
import { cellOf, type RawBatch } from '../source/raw-batch.ts';
import { type BookColumns, clearEvidence, ownEvidence } from './book-columns.ts';
import type { FieldColumn } from './column-map.ts';
import { evidenceNames } from './evidence-names.ts';

/** Fills the evidence of rows. Marks rows that must be read separately. */
export interface EvidenceFiller {
  /** @param asOf Decision times of rows, epoch milliseconds; NaN for the default. */
  fill(batch: RawBatch, columns: BookColumns, doubtful: Uint8Array, asOf: Float64Array | undefined): void;
}

type Evidence = NonNullable<Property['evidence']>[string];

/** The columns of one value and its evidence. */
interface EvidenceColumns {
  readonly of: string;
  /** Name in `Property.evidence`. */
  readonly subject: string;
  readonly value: FieldColumn | undefined;
  readonly asOf: FieldColumn | undefined;
  readonly source: FieldColumn | undefined;
}

const MS_A_DAY = 86_400_000;
/** Evidence is kept for the next batches until there is so much. */
const MAX_KEPT = 1 << 16;

/** Undefined if the book has no evidence. */
export function createEvidenceFiller(
  fields: readonly FieldColumn[],
  vocabulary: Vocabulary,
  defaultAsOfMs: number,
): EvidenceFiller | undefined {
  const groups = groupsOf(fields, vocabulary);
  if (groups.length === 0) return undefined;
  const caches = groups.map(() => new EvidenceCache());
  return {
    fill(batch, columns, doubtful, asOf) {
      clearEvidence(columns, batch.rows);
      groups.forEach((group, index) => {
        const cache = caches[index]!;
        if (cache.size > MAX_KEPT) cache.clear();
        fillGroup(group, cache, batch, columns, doubtful, (row) => {
          const instant = asOf?.[row] ?? Number.NaN;
          return Number.isNaN(instant) ? defaultAsOfMs : instant;
        });
      });
    },
  };
}

function groupsOf(fields: readonly FieldColumn[], vocabulary: Vocabulary): readonly EvidenceColumns[] {
  const names = evidenceNames(vocabulary);
  const find = (name: string) => fields.find(({ field }) => field === name);
  const withEvidence = new Set(fields.flatMap(({ field }) => names.get(field)?.of ?? []));
  return [...withEvidence].map((of) => ({
    of,
    subject: evidenceSubjects(vocabulary).get(of)!.name,
    value: find(of),
    asOf: find(`${of}.as_of`),
    source: find(`${of}.source`),
  }));
}

function fillGroup(
  { of, subject, value, asOf, source }: EvidenceColumns,
  cache: EvidenceCache,
  { columns: raw, rows }: RawBatch,
  columns: BookColumns,
  doubtful: Uint8Array,
  asOfMsOf: (row: number) => number,
): void {
  const cell = (column: FieldColumn | undefined, row: number): unknown =>
    column && column.place >= 0 ? cellOf(raw[column.place], row) : column?.constant;
  for (let row = 0; row < rows; row++) {
    if (doubtful[row] !== 0) continue;
    const [date, word] = [cell(asOf, row), cell(source, row)];
    const [hasDate, hasWord] = [isGiven(date), isGiven(word)];
    if (!hasDate && !hasWord) continue;
    if (!isGiven(cell(value, row))) {
      // A constant is about the values that there are.
      if ((hasDate && asOf!.place >= 0) || (hasWord && source!.place >= 0)) doubtful[row] = 1;
      continue;
    }
    const asOfMs = asOfMsOf(row);
    const evidence = cache.find(Math.floor(asOfMs / MS_A_DAY), word, date, () => {
      const faults: Parameters<typeof readEvidence>[3] = [];
      const parts = {
        as_of: hasDate && asOf!.convert ? asOf!.convert(date) : date,
        source: hasWord && source!.convert ? source!.convert(word) : word,
      };
      const checked = readEvidence(of, parts, asOfMs, faults);
      return faults.length > 0 ? undefined : checked;
    });
    if (evidence) ownEvidence(columns, subject)[row] = evidence;
    else doubtful[row] = 1;
  }
}

/** Checked evidence by the day of the request, the source and the date. Null if it is invalid. */
class EvidenceCache {
  readonly #byDay = new Map<number, Map<unknown, Map<unknown, Evidence | null>>>();
  size = 0;

  clear(): void {
    this.#byDay.clear();
    this.size = 0;
  }

  find(day: number, source: unknown, date: unknown, read: () => Evidence | undefined): Evidence | null {
    const bySource = valueIn(this.#byDay, day, () => new Map<unknown, Map<unknown, Evidence | null>>());
    const byDate = valueIn(bySource, source, () => new Map<unknown, Evidence | null>());
    return valueIn(byDate, date, () => {
      this.size++;
      return read() ?? null;
    });
  }
}

function valueIn<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = create();
    map.set(key, value);
  }
  return value;
}
