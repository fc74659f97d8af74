import type { Decision } from '@leeward/engine';

/** Rows, and the answers of carriers that a missing field alone would settle, in a sample of a book. */
export interface OpenQuestions {
  /** Number of sampled rows that need information for a carrier. */
  readonly openRows: number;
  /** By field: the number of rows × carriers that need it alone, or it and the field that is given together with it. */
  readonly wouldSettle: ReadonlyMap<string, number>;
  /** By field: the number of rows whose most useful missing answer it is. */
  readonly usefulRows: ReadonlyMap<string, number>;
}

/** Counts what `nextQuestions` of decisions would settle. */
export class OpenQuestionCounter implements OpenQuestions {
  openRows = 0;
  readonly wouldSettle = new Map<string, number>();
  readonly usefulRows = new Map<string, number>();

  add({ nextQuestions }: Pick<Decision, 'nextQuestions'>): void {
    this.openRows += 1;
    for (const { field, wouldSettle } of nextQuestions)
      if (wouldSettle > 0) this.wouldSettle.set(field, (this.wouldSettle.get(field) ?? 0) + wouldSettle);
    const [first] = nextQuestions;
    if (first) this.usefulRows.set(first.field, (this.usefulRows.get(first.field) ?? 0) + 1);
  }
}

/**
 * True for a share of the rows of a book. The choice depends on the row number only, so that it is the same for all parts of a book.
 *
 * @param row Row number in the book, from 0.
 */
export function isSampled(row: number, share: number): boolean {
  // The finalizer of MurmurHash3: neighbouring numbers get unrelated hashes.
  let hash = Math.imul(row ^ (row >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32 < share;
}
